//! Benchmarks of empty files, and a runner whose results follow from crash and seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crashback::{Event as SearchEvent, Interruption};
use crashback_campaign::{
    Benchmark, Campaign, Configuration, Ended, Event, ExtraMaven, Frames, Job, Plan, Record, RunError,
    RunFailure, RunResult, Runner, Store, TargetFrames, enqueue,
};
use crashback_reproduce::{
    AlgorithmKind, Degree, Doubt, Fitness, FrameResult, ObstacleKind, ProgressPoint, Relaxation, Relaxations,
    Reproduction, Settings, Stage, Timing, WrittenTest,
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
            configurations: vec![configuration("guided-ga")],
            frames: Frames::Auto,
            repeats,
            seed: 7,
            tie_break: false,
            retry_errors: false,
            shard: None,
        }
    }

    pub(crate) fn jobs(&self, repeats: u32) -> Vec<Job> {
        self.plan(repeats).jobs(&TargetFrames::new())
    }
}

pub(crate) fn configuration(name: &str) -> Configuration {
    Configuration {
        name: name.to_owned(),
        settings: Settings {
            time: Duration::from_secs(20),
            algorithm: Some(AlgorithmKind::GuidedGa),
            fitness: Some(Fitness::CallChain),
            ..Settings::default()
        },
        workers: 2,
        assertions: false,
        tool: None,
    }
}

/// Reproduces frame 2 with odd seeds, and cannot run crashes whose name begins with `Bad`.
#[derive(Default)]
pub(crate) struct Fake {
    /// What was run.
    pub(crate) runs: Mutex<Vec<(String, u64)>>,
    /// The run, counted from 0, that the user interrupts.
    pub(crate) interrupted_at: Option<usize>,
    pub(crate) interruption: Interruption,
    /// What crashes whose name begins with `Bad` fail by.
    pub(crate) kind: Option<&'static str>,
    /// How long each run takes.
    pub(crate) takes: Duration,
    /// Whether runs do not end before they are told to.
    pub(crate) hangs: bool,
    /// Runs at the same time, now and at most.
    pub(crate) at_once: Mutex<(usize, usize)>,
}

impl Fake {
    pub(crate) fn runs(&self) -> Vec<(String, u64)> {
        self.runs.lock().expect("no panic").clone()
    }
}

impl Runner for Fake {
    fn run(
        &self,
        job: &Job,
        switch: &Interruption,
        sink: &mut dyn FnMut(&SearchEvent),
    ) -> Result<RunResult, RunError> {
        assert_eq!((job.settings().seed, job.settings().frame), (job.seed, job.frame));
        {
            let mut runs = self.runs.lock().expect("no panic");
            if self.interrupted_at == Some(runs.len()) {
                self.interruption.request();
                return Err(RunError::Interrupted);
            }
            runs.push((job.subject.id.clone(), job.seed));
            let mut at_once = self.at_once.lock().expect("no panic");
            at_once.0 += 1;
            at_once.1 = at_once.1.max(at_once.0);
        }
        for frame in [2, 3] {
            sink(&SearchEvent::Searching { frame });
            sink(&SearchEvent::NotConfirmed { frame, reason: "it \"passed\"\n, ∅".to_owned() });
        }
        thread::sleep(self.takes);
        while self.hangs && !switch.is_requested() {
            thread::sleep(Duration::from_millis(5));
        }
        // Long beyond the end of the test.
        if job.subject.id == "Deaf" {
            thread::sleep(Duration::from_secs(3600));
        }
        self.at_once.lock().expect("no panic").0 -= 1;
        if job.subject.id.starts_with("Bad") {
            let message = "trace and class path disagree,\n\"badly\"".to_owned();
            let kind = self.kind.unwrap_or("disagreement").to_owned();
            return Err(RunError::Failed(RunFailure { kind, message }));
        }
        assert_ne!(job.subject.id, "Broken", "a defect");
        Ok(searched(job.seed))
    }
}

pub(crate) fn searched(seed: u64) -> RunResult {
    let timing = Timing { index: 0.25, search: 1.0, compile: 0.125, ..Timing::default() };
    let reproduction = Reproduction { waiting_share: Some(0.0625), timing, ..reproduction(seed) };
    RunResult { reproduction, exception: Some("java.lang.IllegalStateException".to_owned()) }
}

fn reproduction(seed: u64) -> Reproduction {
    let reproduced = seed % 2 == 1;
    let frame = |level: u32, outcome: Stage| FrameResult {
        level,
        frame: format!("shop.Till.total:{level}"),
        outcome,
        degree: (outcome == Stage::Reproduced).then_some(Degree::Escapes),
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
        module: None,
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
pub(crate) fn campaign(plan: &Plan, store: &Path, fake: &Arc<Fake>) -> (Ended, Vec<String>) {
    let mut store = Store::open(store).expect("a store");
    let jobs = plan.jobs(&TargetFrames::new());
    work(&mut store, &jobs, plan.retry_errors, fake, |it| it)
}

/// Makes jobs with a worker that the caller may change, and gives what happened.
pub(crate) fn work(
    store: &mut Store,
    jobs: &[Job],
    retry_errors: bool,
    fake: &Arc<Fake>,
    change: impl FnOnce(Campaign<'_>) -> Campaign<'_>,
) -> (Ended, Vec<String>) {
    let plan = enqueue(store.database(), jobs, retry_errors).expect("jobs");
    let mut events = Vec::new();
    let worker = Campaign {
        runner: Arc::clone(fake) as Arc<dyn Runner>,
        interruption: &fake.interruption,
        worker: "w".to_owned(),
        plan: Some(plan),
        jobs: 1,
        retries: 0,
        grace: Duration::from_secs(60),
        lease: Duration::from_secs(60),
        crashback: "0.1.0",
        now: &|| 1_700_000_000,
    };
    let ended = change(worker).work(store.database(), &mut |event| events.extend(brief(&event)));
    (ended.expect("it runs"), events)
}

fn brief(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Started { job, .. } => Some(format!("started {}", job.label())),
        Event::Retried { job, failure, .. } => Some(format!("retried {}: {}", job.label(), failure.kind)),
        Event::Finished { record, number } => {
            Some(format!("finished {} seed {} {number}", record.crash, record.seed))
        }
        Event::Lost { job } => Some(format!("lost {}", job.label())),
        _ => None,
    }
}

pub(crate) fn records(store: &Path) -> Vec<Record> {
    Store::open_to_read(store).expect("a store").records().expect("records")
}
