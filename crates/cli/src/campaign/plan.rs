//! From flags and plan files to a plan.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use crashback::{Error, ErrorKind, coordinates};
use crashback_campaign::{
    Benchmark, Configuration, CrashFiles, ExtraMaven, LocalRunner, LogFolder, Plan, TargetFrames, Unusable,
};
use crashback_classpath::split;

use super::error;
use crate::args::{RunArguments, SearchArguments, parse_duration};
use crate::interrupt::Interrupts;
use crate::{output, reproduce};

/// How many crashes that cannot be run are named.
const MAX_NAMED: usize = 5;

/// The plan that the arguments ask for. Crashes whose class path is incomplete are set apart.
pub(super) fn read(arguments: &RunArguments) -> Result<Plan, Error> {
    let SearchArguments { model, seed_test, .. } = &arguments.search;
    for (option, is_given) in [("--model", !model.is_empty()), ("--seed-test", !seed_test.is_empty())] {
        if is_given {
            // Configurations would be equal that are not.
            let message = format!("{option} is for one program, and a campaign runs many; leave it out");
            return Err(Error::new(ErrorKind::Usage, message));
        }
    }
    let settings = reproduce::settings(&arguments.search)?;
    let name = arguments.configuration.clone();
    // Runs at the same time share the processors.
    let processors = reproduce::workers(&arguments.search);
    let shared = (processors / usize::from(arguments.worker.jobs)).max(1);
    let workers = if arguments.search.workers.is_some() { processors } else { shared };
    let configuration = Configuration {
        name: name.unwrap_or_else(|| Configuration::default_name(&settings)),
        workers,
        assertions: arguments.search.enable_assertions,
        settings,
        tool: None,
    };
    let flags = Plan {
        benchmark: benchmark(arguments)?,
        configurations: vec![configuration],
        frames: arguments.frames.clone().unwrap_or_default(),
        repeats: arguments.repeat.unwrap_or(1),
        seed: arguments.search.seed,
        tie_break: arguments.tie_break,
        retry_errors: arguments.retry_errors,
        shard: arguments.shard,
    };
    let mut plan = match &arguments.plan {
        Some(path) => Plan::read(path, flags, &parse_duration).map_err(|it| error(&it))?,
        None => flags,
    };
    if plan.benchmark.subjects.is_empty() && plan.benchmark.unusable.is_empty() {
        let message = "there are no crashes: name a plan, or crashes with --jcrashpack, --logs or --inputs";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    plan.benchmark.check_jars();
    if !arguments.only.is_empty() {
        plan.benchmark = plan.benchmark.only(&arguments.only).map_err(|it| error(&it))?;
    }
    for subject in &plan.benchmark.subjects {
        for text in &subject.coordinates {
            let named = |it: Error| Error::new(it.kind, format!("the coordinates of {}: {it}", subject.id));
            coordinates(text).map_err(named)?;
        }
    }
    Ok(plan)
}

/// The crashes that flags name.
fn benchmark(arguments: &RunArguments) -> Result<Benchmark, Error> {
    let mut benchmark = Benchmark::default();
    let extra = arguments.extra_maven.as_deref().map(ExtraMaven::read).transpose();
    let extra = extra.map_err(|it| error(&it))?.unwrap_or_default();
    for (id, artifacts) in extra.all() {
        for text in artifacts {
            let named = |it: Error| Error::new(it.kind, format!("the coordinates of {id}: {it}"));
            coordinates(text).map_err(named)?;
        }
    }
    if let Some(checkout) = &arguments.jcrashpack {
        benchmark.merge(Benchmark::read(checkout, &extra).map_err(|it| error(&it))?);
    }
    if let Some(inputs) = &arguments.inputs {
        benchmark.merge(Benchmark::read_inputs(inputs, &extra).map_err(|it| error(&it))?);
    }
    if let Some(folder) = &arguments.logs {
        let class_path: Vec<PathBuf> =
            arguments.classpath.iter().flat_map(|it| split(OsStr::new(it))).collect();
        let files = CrashFiles { class_path, coordinates: arguments.maven.clone(), ..CrashFiles::default() };
        let logs = LogFolder { folder: folder.clone(), files };
        benchmark.merge(logs.read(&extra).map_err(|it| error(&it))?);
    }
    Ok(benchmark)
}

/// The target frames of the crashes, where the plan needs them. Crashes that have none are set apart.
pub(super) fn target_frames(
    plan: &mut Plan,
    runner: &LocalRunner,
    interrupts: &Interrupts,
) -> Result<TargetFrames, Error> {
    let mut targets = TargetFrames::new();
    if !plan.frames.need_targets() {
        return Ok(targets);
    }
    for subject in std::mem::take(&mut plan.benchmark.subjects) {
        match runner.target_frames(&subject, &interrupts.interruption) {
            Ok(frames) => {
                targets.insert(subject.id.clone(), frames);
                plan.benchmark.subjects.push(subject);
            }
            Err(error) if error.kind == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                plan.benchmark.unusable.push(Unusable { id: subject.id, reason: error.message });
            }
        }
    }
    Ok(targets)
}

/// Sets crashes apart whose Maven coordinates cannot be fetched. Equal coordinates are fetched once.
pub(super) fn fetch(plan: &mut Plan, runner: &LocalRunner, interrupts: &Interrupts) -> Result<(), Error> {
    let mut known: BTreeMap<Vec<String>, Option<String>> = BTreeMap::new();
    for subject in std::mem::take(&mut plan.benchmark.subjects) {
        let reason = match known.get(&subject.coordinates) {
            _ if subject.coordinates.is_empty() => None,
            Some(reason) => reason.clone(),
            None => {
                let reason = match runner.fetch(&subject, &interrupts.interruption) {
                    Ok(()) => None,
                    Err(error) if error.kind == ErrorKind::Interrupted => return Err(error),
                    Err(error) => Some(error.message),
                };
                known.insert(subject.coordinates.clone(), reason.clone());
                reason
            }
        };
        match reason {
            None => plan.benchmark.subjects.push(subject),
            Some(reason) => plan.benchmark.unusable.push(Unusable { id: subject.id, reason }),
        }
    }
    Ok(())
}

/// Names crashes that cannot be part of a plan on standard error.
pub(super) fn tell_unusable(unusable: &[Unusable], are_all_named: bool) {
    let most = if are_all_named { usize::MAX } else { MAX_NAMED };
    for unusable in unusable.iter().take(most) {
        output::tell(&format!("{} is left out: {}", unusable.id, unusable.reason));
    }
    let hidden = unusable.len().saturating_sub(most);
    if hidden > 0 {
        output::tell(&format!("and {hidden} more are left out"));
    }
}
