//! Benchmarks of empty files, and a runner whose results follow from crash and seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crashback_campaign::{
    Benchmark, Configuration, Ended, Event, ExtraMaven, Job, Plan, Record, RunError, RunFailure, Runner,
    Store, run,
};
use crashback_reproduce::{
    Degree, Doubt, FrameResult, ObstacleKind, ProgressPoint, Relaxation, Relaxations, Reproduction, Settings,
    Stage, Timing, WrittenTest,
};
use tempfile::TempDir;

pub(crate) struct Checkout {
    folder: TempDir,
}

impl Checkout {
    /// A checkout with these crashes, all of one program.
    pub(crate) fn with(ids: &[&str]) -> Self {
        let checkout = Self { folder: tempfile::tempdir().expect("a folder") };
        let crashes: Vec<String> = ids
            .iter()
            .map(|id| {
                let entry = r#"{"application": "Shop", "version": "1.0", "target_frames": ".*shop.*"}"#;
                format!(r#""{id}": {entry}"#)
            })
            .collect();
        checkout.write(
            "jcrashpack.json",
            &format!(r#"{{"applications": {{}}, "crashes": {{{}}}}}"#, crashes.join(",")),
        );
        ids.iter().for_each(|id| checkout.write(&format!("crashes/Shop/{id}/{id}.log"), "a trace"));
        ["b.jar", "a b.JAR", "c.jar", "notes.txt"]
            .iter()
            .for_each(|jar| checkout.write(&format!("applications/Shop/1.0/bin/{jar}"), ""));
        checkout
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn read(&self) -> Benchmark {
        Benchmark::read(self.folder.path(), &ExtraMaven::default()).expect("a benchmark")
    }

    pub(crate) fn plan(&self, repeats: u32) -> Plan {
        Plan {
            benchmark: self.read(),
            configuration: configuration("guided-ga"),
            repeats,
            retry_errors: false,
        }
    }
}

pub(crate) fn configuration(name: &str) -> Configuration {
    Configuration {
        name: name.to_owned(),
        settings: Settings { seed: 7, time: Duration::from_secs(20), ..Settings::default() },
        workers: 2,
        assertions: false,
    }
}

/// Reproduces frame 2 with odd seeds, and cannot run crashes whose name begins with `Bad`.
#[derive(Default)]
pub(crate) struct Fake {
    /// What was run.
    pub(crate) runs: Vec<(String, u64)>,
    /// The run, counted from 0, that the user interrupts.
    pub(crate) interrupted_at: Option<usize>,
}

impl Runner for Fake {
    fn run(&mut self, job: &Job<'_>) -> Result<Reproduction, RunError> {
        let settings = job.settings();
        assert_eq!(settings.seed, job.seed);
        if self.interrupted_at == Some(self.runs.len()) {
            return Err(RunError::Interrupted);
        }
        self.runs.push((job.subject.id.clone(), job.seed));
        if job.subject.id.starts_with("Bad") {
            let message = "trace and class path disagree,\n\"badly\"".to_owned();
            return Err(RunError::Failed(RunFailure { kind: "disagreement".to_owned(), message }));
        }
        Ok(searched(job.seed))
    }
}

pub(crate) fn searched(seed: u64) -> Reproduction {
    let timing = Timing { index: 0.25, search: 1.0, compile: 0.125, ..Timing::default() };
    Reproduction { waiting_share: Some(0.0625), timing, ..reproduction(seed) }
}

fn reproduction(seed: u64) -> Reproduction {
    let reproduced = seed % 2 == 1;
    let frame = |level: u32, outcome: Stage| FrameResult {
        level,
        frame: format!("shop.Till.total:{level}"),
        outcome,
        evaluations: 10,
        obstacle: (outcome < Stage::Reproduced).then(|| "a wall, \"high\"".to_owned()),
        obstacle_kind: (outcome < Stage::Reproduced).then_some(ObstacleKind::BranchNotTaken),
        distance: Some(0.1),
        curve: vec![ProgressPoint { evaluations: 3, seconds: 0.25, distance: 0.1 }],
        found_by: (outcome == Stage::Reproduced)
            .then(|| "frame 2, escapes, guided-ga, call-chain".to_owned()),
        found_after: (outcome == Stage::Reproduced).then_some(0.3),
    };
    let test = WrittenTest {
        package: "shop".to_owned(),
        class: "TillTest".to_owned(),
        source: "package shop;\n// ∅ \u{1F4A5}\n".to_owned(),
        junit: 5,
    };
    Reproduction {
        reproduced,
        verified: reproduced,
        frame: reproduced.then_some(2),
        highest_target_frame: Some(3),
        outcome: if reproduced { Stage::Reproduced } else { Stage::LineReached },
        degree: reproduced.then_some(Degree::Escapes),
        frames: vec![frame(2, Stage::Reproduced), frame(3, Stage::LineReached)],
        evaluations: 1000,
        seconds: 1.5,
        seed,
        test: reproduced.then_some(test),
        nulls: 1,
        satisfactory: reproduced,
        doubts: (seed % 3 == 1).then_some(Doubt::LeafGuard).into_iter().collect(),
        relaxations: if seed % 5 == 4 { Relaxation::MovedLines.into() } else { Relaxations::default() },
        unverified_claims: 2,
        unverified_reasons: vec!["the test passed".to_owned(), "it does not compile".to_owned()],
        obstacle: Some("first line\nsecond, line".to_owned()),
        obstacle_kind: Some(ObstacleKind::BranchNotTaken),
        ..Reproduction::default()
    }
}

/// Runs a plan to its end and gives what happened.
pub(crate) fn campaign(plan: &Plan, store: &Path, fake: &mut Fake) -> (Ended, Vec<String>) {
    let mut store = Store::open(store).expect("a store");
    let mut events = Vec::new();
    let mut on_event = |event: Event<'_>| events.push(brief(&event));
    let ended = run(plan, &mut store, fake, "0.1.0", &|| 1_700_000_000, &|| false, &mut on_event);
    (ended.expect("it runs"), events)
}

fn brief(event: &Event<'_>) -> String {
    match event {
        Event::Skipped { job } => format!("skipped {} {}", job.subject.id, job.seed),
        Event::Started { job, number, of } => {
            format!("started {} {} {number}/{of}", job.subject.id, job.seed)
        }
        Event::Finished { record, number, of } => {
            format!("finished {} {} {number}/{of}", record.crash, record.seed)
        }
    }
}

pub(crate) fn records(store: &Path) -> Vec<Record> {
    Store::open_to_read(store).expect("a store").records().expect("records")
}
