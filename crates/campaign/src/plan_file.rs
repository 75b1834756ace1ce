//! Plans as files: TOML with crashes, configurations, frames and repetitions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::configuration::parsed;
use crate::sources::{CrashFiles, LogFolder};
use crate::{Benchmark, Configuration, Error, ExtraMaven, Frames, Plan, Tool};

/// What a search that is bounded by the number of tests may take, so that a hang is not endless: results must
/// not depend on time.
const NO_HANG: Duration = Duration::from_secs(3600);

/// A plan as its file has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    repeat: Option<u32>,
    seed: Option<u64>,
    frames: Option<FramesValue>,
    tie_break: Option<bool>,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    crashes: Vec<Source>,
    #[serde(default)]
    configuration: BTreeMap<String, ConfigurationTable>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FramesValue {
    Word(String),
    Levels(Vec<u32>),
}

/// Where crashes come from: exactly one of the first four.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    jcrashpack: Option<PathBuf>,
    inputs: Option<PathBuf>,
    logs: Option<PathBuf>,
    log: Option<PathBuf>,
    id: Option<String>,
    extra_maven: Option<PathBuf>,
    #[serde(default)]
    classpath: Vec<PathBuf>,
    #[serde(default)]
    maven: Vec<String>,
    #[serde(default)]
    application: String,
    #[serde(default)]
    version: String,
    target_frames: Option<String>,
    #[serde(default)]
    project_packages: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigurationTable {
    preset: Option<String>,
    algorithm: Option<String>,
    fitness: Option<String>,
    time: Option<Time>,
    evaluations: Option<u64>,
    population: Option<usize>,
    workers: Option<usize>,
    assertions: Option<bool>,
    expect: Option<bool>,
    #[serde(default)]
    tuning: BTreeMap<String, TuningValue>,
    tool: Option<Tool>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum TuningValue {
    Switch(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl TuningValue {
    /// The value as `--tune` takes it.
    fn text(&self) -> String {
        match self {
            Self::Switch(it) => it.to_string(),
            Self::Whole(it) => it.to_string(),
            Self::Number(it) => it.to_string(),
            Self::Text(it) => it.clone(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Time {
    Seconds(f64),
    Text(String),
}

/// Reads spans of time such as `20s`; in words why a text is none.
pub type ReadTime<'r> = &'r dyn Fn(&str) -> Result<Duration, String>;

impl Plan {
    /// Reads a plan file. Where it is silent, the plan that is passed in counts: its configurations if the
    /// file has none, else the settings of its first one.
    pub fn read(path: &Path, otherwise: Self, read_time: ReadTime<'_>) -> Result<Self, Error> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
        let refuse = |reason: String| Error::NoPlan { path: path.to_owned(), reason };
        let file: PlanFile =
            toml::from_str(&text).map_err(|it| refuse(it.to_string().trim_end().to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut benchmark = otherwise.benchmark;
        for (number, source) in (1..).zip(file.crashes) {
            benchmark.merge(source.read(folder, number, &refuse)?);
        }
        if !file.only.is_empty() {
            benchmark = benchmark.only(&file.only)?;
        }
        let mut configurations = Vec::new();
        for (name, table) in file.configuration {
            let base = otherwise.configurations.first().cloned();
            let base = base.ok_or_else(|| refuse(String::from("there are no settings to begin with")))?;
            let made = table.apply(&name, base, read_time);
            configurations.push(made.map_err(|it| refuse(format!("[configuration.{name}]: {it}")))?);
        }
        if configurations.is_empty() {
            configurations = otherwise.configurations;
        }
        let frames = match file.frames {
            None => otherwise.frames,
            Some(FramesValue::Levels(levels)) => Frames::These(levels),
            Some(FramesValue::Word(word)) => word.parse().map_err(|it| refuse(format!("frames: {it}")))?,
        };
        let repeats = file.repeat.unwrap_or(otherwise.repeats);
        if repeats == 0 {
            return Err(refuse("repeat = 0: every crash is run at least once".to_owned()));
        }
        let seed = file.seed.unwrap_or(otherwise.seed);
        let tie_break = file.tie_break.unwrap_or(otherwise.tie_break);
        let (retry_errors, shard) = (otherwise.retry_errors, otherwise.shard);
        Ok(Self { benchmark, configurations, frames, repeats, seed, tie_break, retry_errors, shard })
    }
}

impl Source {
    /// The crashes of a table, the `number`-th one.
    fn read(
        self,
        folder: &Path,
        number: usize,
        refuse: &dyn Fn(String) -> Error,
    ) -> Result<Benchmark, Error> {
        let wrong = |reason: &str| refuse(format!("[[crashes]] number {number}: {reason}"));
        let files = CrashFiles {
            application: self.application,
            version: self.version,
            class_path: self.classpath.iter().map(|it| folder.join(it)).collect(),
            coordinates: self.maven,
            target_frames: self.target_frames,
            project_packages: self.project_packages,
        };
        if self.extra_maven.is_some() && self.log.is_some() {
            return Err(wrong("a single `log` has its Maven coordinates in `maven`"));
        }
        if self.id.is_some() && self.log.is_none() {
            return Err(wrong("`id` names the crash of one `log`"));
        }
        let extra = self.extra_maven.map(|it| ExtraMaven::read(&folder.join(it))).transpose()?;
        let extra = extra.unwrap_or_default();
        match (self.jcrashpack, self.inputs, self.logs, self.log) {
            (Some(checkout), None, None, None) => Benchmark::read(&folder.join(checkout), &extra),
            (None, Some(inputs), None, None) => Benchmark::read_inputs(&folder.join(inputs), &extra),
            (None, None, Some(logs), None) => LogFolder { folder: folder.join(logs), files }.read(&extra),
            (None, None, None, Some(log)) => {
                let stem = log.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
                let mut benchmark = Benchmark::default();
                match files.subject(&self.id.unwrap_or(stem), &folder.join(log)) {
                    Ok(subject) => benchmark.subjects.push(subject),
                    Err(unusable) => benchmark.unusable.push(unusable),
                }
                Ok(benchmark)
            }
            _ => Err(wrong("it must have exactly one of `jcrashpack`, `logs`, `log` and `inputs`")),
        }
    }
}

impl ConfigurationTable {
    fn apply(
        self,
        name: &str,
        base: Configuration,
        read_time: ReadTime<'_>,
    ) -> Result<Configuration, String> {
        let Configuration { mut settings, workers, assertions, .. } = base;
        if let Some(preset) = self.preset {
            settings.preset = parsed(&preset)?;
        }
        if let Some(algorithm) = self.algorithm {
            settings.algorithm = Some(parsed(&algorithm)?);
        }
        if let Some(fitness) = self.fitness {
            settings.fitness = Some(parsed(&fitness)?);
        }
        match self.time {
            None if self.evaluations.is_some() && settings.evaluations.is_none() => settings.time = NO_HANG,
            None => {}
            Some(Time::Text(text)) => settings.time = read_time(&text)?,
            Some(Time::Seconds(seconds)) => {
                let time = Duration::try_from_secs_f64(seconds).ok().filter(|it| !it.is_zero());
                settings.time = time.ok_or_else(|| format!("time = {seconds} is no span of time"))?;
            }
        }
        settings.evaluations = self.evaluations.or(settings.evaluations);
        settings.population = self.population.or(settings.population);
        settings.expect = self.expect.unwrap_or(settings.expect);
        for (name, value) in &self.tuning {
            settings.tuning.set(name, &value.text()).map_err(|error| error.to_string())?;
        }
        if self.tool.as_ref().is_some_and(|it| it.command.is_empty()) {
            return Err("tool.command is empty: name a program".to_owned());
        }
        let workers = self.workers.unwrap_or(workers);
        if workers == 0 {
            return Err("workers = 0: a search needs at least one".to_owned());
        }
        let assertions = self.assertions.unwrap_or(assertions);
        Ok(Configuration { name: name.to_owned(), settings, workers, assertions, tool: self.tool })
    }
}
