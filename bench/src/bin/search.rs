//! What a search costs beside running its tests: tests a second of a whole search, generation,
//! encoding, evaluation, fitness and selection, against the evaluator alone on the very same tests;
//! and the cost of a test as generations go by.
//!
//! Usage: `search [JAVA_HOME] [--evaluations N]`. Fetches commons-lang3 by Maven. Called as `search
//! worker` by itself. The crashes are such that no test reproduces them, so that searches end with
//! their budget.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::cell::RefCell;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crashback_classpath::{ClassPath, Jdk, Request, jdk};
use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::Verification;
use crashback_jvm::pool::{Pool, PoolSettings, WorkerCommand};
use crashback_jvm::{Limits, Machine, Program, Surroundings, WorkerSettings, worker};
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, Scope};
use crashback_protocol::{Batch, Evaluator, Failure, Isolation, Results};
use crashback_reproduce::{Case, Event, Host, Recording, Settings, reproduce};
use crashback_testcase::{TestCase, Vocabulary};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const LIBRARIES: &[&str] = &["org.apache.commons:commons-lang3:3.4"];

/// Logs of crashes that no test reproduces, because the lines cannot throw the exception.
const CRASHES: &[(&str, &str)] = &[(
    "NumberUtils.createNumber",
    "java.lang.ArithmeticException\n\tat org.apache.commons.lang3.math.NumberUtils.createNumber(NumberUtils.java:463)\n",
)];

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|it| it == "worker") {
        return worker::main();
    }
    let mut evaluations = 200_000;
    if let Some(place) = arguments.iter().position(|it| it == "--evaluations") {
        let value = arguments.drain(place..).nth(1);
        evaluations = value.and_then(|it| it.parse().ok()).unwrap_or(evaluations);
    }
    match run(arguments.first().map(Path::new), evaluations) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(home: Option<&Path>, evaluations: u64) -> Result<()> {
    let path = std::env::var_os("PATH");
    let jdk = jdk::find(jdk::Lookup { explicit: home, java_home: None, path: path.as_deref() })?;
    let maven = LIBRARIES.iter().map(|it| it.parse()).collect::<std::result::Result<_, _>>()?;
    let class_path = ClassPath::load(&Request { maven, jdk: Some(jdk.clone()), ..Request::default() })?;
    println!("{evaluations} tests a search, one worker\n");
    println!(
        "{:26}{:>12}{:>14}{:>8}   µs a test, by tenths of the search",
        "", "search/s", "evaluator/s", "ratio"
    );
    for (name, log) in CRASHES {
        measure(name, log, &class_path, &jdk, evaluations)?;
    }
    Ok(())
}

fn measure(name: &str, log: &str, class_path: &ClassPath, jdk: &Jdk, evaluations: u64) -> Result<()> {
    let classes = Classes::new(class_path);
    let log = crashback_trace::parse(log.as_bytes());
    let throwable = log.crashes.first().and_then(|it| it.outermost()).ok_or("no trace")?;
    let scope = Scope::Matching(Box::new(|class| class.starts_with("org.apache.commons.")));
    let auditor = Auditor::new(&classes, &scope);
    let (origins, audit) = (auditor.origins(throwable), auditor.audit(throwable));
    let scratch = tempfile::tempdir()?;
    let taken = Rc::<RefCell<Taken>>::default();
    let mut host =
        Bench { class_path, jdk, scratch: scratch.path(), taken: Rc::clone(&taken), begun: Instant::now() };
    let settings = Settings {
        frame: Some(1),
        time: Duration::from_secs(3600),
        evaluations: Some(evaluations),
        seed: 1,
        ..Settings::default()
    };
    let case = Case { classes: &classes, origins: &origins, throwable, audit: &audit };
    let result = reproduce(case, &settings, &mut host)?;
    if result.reproduced || result.evaluations < evaluations {
        return Err(format!("{name}: the search ended early: {result:?}").into());
    }
    let taken = taken.borrow();
    let (Some((recording, test_package)), Some(first)) = (&taken.recording, taken.batches.first()) else {
        return Err("nothing was evaluated".into());
    };
    let mut alone = host.pool(recording, test_package)?;
    // The first batch finds a cold JVM in both runs and counts in neither.
    let begun = replay(&mut alone, std::slice::from_ref(first)).map(|()| Instant::now())?;
    replay(&mut alone, taken.batches.get(1..).unwrap_or_default())?;
    let (searching, evaluating) = (taken.searching()?, begun.elapsed().as_secs_f64());
    let tests: usize = taken.batches.iter().skip(1).map(|it| it.tests.len()).sum();
    let costs: Vec<String> = taken.tenths().iter().map(|it| format!("{it:.1}")).collect();
    println!(
        "{name:26}{:>12.0}{:>14.0}{:>8.2}   {}",
        tests as f64 / searching,
        tests as f64 / evaluating,
        evaluating / searching,
        costs.join(" ")
    );
    Ok(())
}

fn replay(evaluator: &mut Pool, batches: &[Taking]) -> Result<()> {
    for Taking { vocabulary, tests, outermost, .. } in batches {
        let isolation = Isolation::Reset;
        evaluator.evaluate(Batch { vocabulary, tests, isolation, outermost: *outermost, listens: false })?;
    }
    Ok(())
}

/// What a search has evaluated.
#[derive(Default)]
struct Taken {
    /// What was recorded, and the package of the tests.
    recording: Option<(Recording, String)>,
    batches: Vec<Taking>,
    /// The vocabulary of the last batch: it only grows, and is copied when it has.
    vocabulary: Rc<Vocabulary>,
}

/// One batch, and when it had been evaluated.
struct Taking {
    vocabulary: Rc<Vocabulary>,
    tests: Vec<TestCase>,
    outermost: u16,
    ended: Instant,
}

impl Taken {
    /// Seconds from the end of the first batch to that of the last.
    fn searching(&self) -> Result<f64> {
        let (first, last) = (self.batches.first(), self.batches.last());
        let (first, last) = first.zip(last).ok_or("nothing was evaluated")?;
        Ok((last.ended - first.ended).as_secs_f64())
    }

    /// Microseconds for a test in each tenth of the search.
    fn tenths(&self) -> Vec<f64> {
        let size = (self.batches.len() / 10).max(1);
        let costs = self.batches.chunks(size + 1).filter_map(|part| {
            let (first, rest) = part.split_first()?;
            let tests: usize = rest.iter().map(|it| it.tests.len()).sum();
            let time = rest.last()?.ended - first.ended;
            Some(time.as_secs_f64() * 1e6 / tests as f64)
        });
        costs.collect()
    }
}

/// Evaluates and remembers.
struct Remembering {
    pool: Pool,
    taken: Rc<RefCell<Taken>>,
}

impl Evaluator for Remembering {
    fn evaluate(&mut self, batch: Batch<'_>) -> std::result::Result<Results, Failure> {
        let results = self.pool.evaluate(batch)?;
        let mut taken = self.taken.borrow_mut();
        if taken.vocabulary.known() != batch.vocabulary.known() {
            taken.vocabulary = Rc::new(batch.vocabulary.clone());
        }
        let vocabulary = Rc::clone(&taken.vocabulary);
        let (tests, outermost, ended) = (batch.tests.to_vec(), batch.outermost, Instant::now());
        taken.batches.push(Taking { vocabulary, tests, outermost, ended });
        Ok(results)
    }
}

struct Bench<'b> {
    class_path: &'b ClassPath,
    jdk: &'b Jdk,
    scratch: &'b Path,
    taken: Rc<RefCell<Taken>>,
    begun: Instant,
}

impl Bench<'_> {
    fn pool(&self, recording: &Recording, test_package: &str) -> Result<Pool> {
        let test_package = test_package.to_owned();
        let (home, feature) = (self.jdk.home.clone(), self.jdk.feature.into());
        let class_path: Vec<PathBuf> = self.class_path.launch_path().to_vec();
        let worker = WorkerSettings {
            machine: Machine { home, feature, heap: 512, stack: 1024, options: Vec::new() },
            program: Program { class_path, test_package, assertions: false },
            recording: recording.clone(),
            surroundings: Surroundings::default(),
            without_sandbox: false,
            scratch: PathBuf::new(),
            limits: Limits {
                budget: 200_000,
                time: Duration::from_millis(300),
                grace: Duration::from_millis(250),
            },
        };
        let command = WorkerCommand { program: std::env::current_exe()?, arguments: vec!["worker".into()] };
        Ok(Pool::new(PoolSettings::new(worker, command, self.scratch.to_path_buf()))?)
    }
}

impl Host for Bench<'_> {
    fn evaluator(
        &mut self,
        recording: &Recording,
        test_package: &str,
    ) -> std::result::Result<Box<dyn Evaluator>, Failure> {
        self.taken.borrow_mut().recording = Some((recording.clone(), test_package.to_owned()));
        let pool = self.pool(recording, test_package).map_err(|error| Failure(error.to_string()))?;
        Ok(Box::new(Remembering { pool, taken: Rc::clone(&self.taken) }))
    }

    fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn is_interrupted(&self) -> bool {
        false
    }

    fn tell(&mut self, _: Event) {}

    fn junit(&self) -> JUnit {
        JUnit::Five
    }

    fn verify(&mut self, _: &TestSource) -> std::result::Result<Verification, Failure> {
        Err(Failure("a crash that cannot be reproduced was".to_owned()))
    }
}
