//! Evaluations a second through a worker process, with sandbox, reset and observations, against the
//! same calls in a bare, warm Java loop of the same JVM; the time to the first answers; the gain
//! from a second worker; and the growth of memory.
//!
//! Usage: `evaluate [JAVA_HOME] [--seconds N] [--only SUBJECT] [--memory]`. Fetches commons-lang3
//! and commons-math3 by Maven.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time and starts JVMs")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crashback::{Jdk, SelfCommand, Session, jdk};
use crashback_classpath::{ClassPath, Request};
use crashback_instrument::{ClassPlan, Kinds, ProbePlan, number_probes};
use crashback_jvm::Recording;
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_jvm::sandbox::usage;
use crashback_program::ClassSource;
use crashback_program::hierarchy::Hierarchy;
use crashback_protocol::{Batch, Evaluator, Outcome};
use crashback_reproduce::everywhere;
use crashback_testcase::{Literal, Statement, TestCase, Var, Vocabulary};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const LIBRARIES: &[&str] =
    &["org.apache.commons:commons-lang3:3.4", "org.apache.commons:commons-math3:3.6.1"];
/// Flags that bare loop and worker share.
const FLAGS: &[&str] =
    &["-XX:+UseSerialGC", "-Xmx512m", "-XX:-OmitStackTraceInFastThrow", "-XX:-UsePerfData"];
/// Distinct tests for each subject.
const TESTS: usize = 1 << 14;

fn main() -> ExitCode {
    if let Some(code) = crashback::serve(std::env::args_os().skip(1)) {
        return code;
    }
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let seconds = take_value(&mut arguments, "--seconds").and_then(|it| it.parse().ok()).unwrap_or(4.0);
    let only = take_value(&mut arguments, "--only");
    let memory = take_flag(&mut arguments, "--memory");
    let home = arguments.first().map(PathBuf::from);
    match run(home.as_deref(), seconds, memory, only.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(home: Option<&Path>, seconds: f64, memory: bool, only: Option<&str>) -> Result<()> {
    let bench = Bench::prepare(home)?;
    println!("JDK {}, {seconds} s measured after as many to warm up", bench.jdk.version);
    if memory {
        return bench.memory(only);
    }
    println!(
        "\n{:18}{:>12}{:>12}{:>8}{:>16}{:>16}{:>8}",
        "subject", "bare/s", "worker/s", "ratio", "bare CPU ns", "worker CPU ns", "ratio"
    );
    for subject in SUBJECTS.iter().filter(|it| only.is_none_or(|only| it.name.contains(only))) {
        let bare = bench.bare(subject, seconds)?;
        let worker = bench.worker(subject, 1, seconds)?;
        println!(
            "{:18}{:>12.0}{:>12.0}{:>8.2}{:>16.0}{:>16.0}{:>8.2}",
            subject.name,
            bare.rate,
            worker.rate,
            worker.rate / bare.rate,
            bare.cpu,
            worker.cpu,
            bare.cpu / worker.cpu
        );
    }
    if only.is_some() {
        return Ok(());
    }
    let first = bench.first_thousand()?;
    println!("\nfirst 1,000 evaluations after a cold start: {first:?}");
    for subject in SUBJECTS.iter().filter(|it| it.name.ends_with("returns")) {
        let (one, two) = (bench.worker(subject, 1, seconds)?.rate, bench.worker(subject, 2, seconds)?.rate);
        println!("{:18} one worker {one:.0}/s, two workers {two:.0}/s: {:.2} times", subject.name, two / one);
    }
    Ok(())
}

/// A way of calling.
struct Subject {
    name: &'static str,
    /// Internal name of the class with the method that is observed.
    class: &'static str,
    /// The method, as the plan names it.
    method: &'static str,
    statements: fn(&mut Vocabulary, &ClassPath, &mut Random) -> Result<Vec<Statement>>,
    outcome: Outcome,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "string returns",
        class: NUMBER_UTILS,
        method: "createNumber(Ljava/lang/String;)Ljava/lang/Number;",
        statements: number,
        outcome: Outcome::Returned,
    },
    Subject {
        name: "string throws",
        class: NUMBER_UTILS,
        method: "createNumber(Ljava/lang/String;)Ljava/lang/Number;",
        statements: word,
        outcome: Outcome::Threw,
    },
    Subject {
        name: "builder returns",
        class: BUILDER,
        method: "charAt(I)C",
        statements: |v, c, r| builder(v, c, r, 0),
        outcome: Outcome::Returned,
    },
    Subject {
        name: "builder throws",
        class: BUILDER,
        method: "charAt(I)C",
        statements: |v, c, r| builder(v, c, r, 9999),
        outcome: Outcome::Threw,
    },
    Subject {
        name: "numeric returns",
        class: NORMAL,
        method: "inverseCumulativeProbability(D)D",
        statements: |v, c, r| numeric(v, c, r, 0.0),
        outcome: Outcome::Returned,
    },
    Subject {
        name: "numeric throws",
        class: NORMAL,
        method: "inverseCumulativeProbability(D)D",
        statements: |v, c, r| numeric(v, c, r, 2.0),
        outcome: Outcome::Threw,
    },
    Subject {
        name: "statics returns",
        class: "Statics",
        method: "note(Ljava/lang/String;)I",
        statements: |v, c, r| statics(v, c, r, "note"),
        outcome: Outcome::Returned,
    },
    Subject {
        name: "statics throws",
        class: "Statics",
        method: "note(Ljava/lang/String;)I",
        statements: |v, c, r| statics(v, c, r, "fail"),
        outcome: Outcome::Threw,
    },
];

const NUMBER_UTILS: &str = "org/apache/commons/lang3/math/NumberUtils";
const BUILDER: &str = "org/apache/commons/lang3/text/StrBuilder";
const NORMAL: &str = "org/apache/commons/math3/distribution/NormalDistribution";

fn number(vocabulary: &mut Vocabulary, classes: &ClassPath, random: &mut Random) -> Result<Vec<Statement>> {
    let text = format!("{}.{}e{}", random.below(1_000_000), random.below(1_000_000), random.below(20));
    create_number(vocabulary, classes, &text)
}

fn word(vocabulary: &mut Vocabulary, classes: &ClassPath, random: &mut Random) -> Result<Vec<Statement>> {
    create_number(vocabulary, classes, &random.word())
}

fn create_number(vocabulary: &mut Vocabulary, classes: &ClassPath, text: &str) -> Result<Vec<Statement>> {
    let name = format!("{NUMBER_UTILS}.createNumber(Ljava/lang/String;)Ljava/lang/Number;");
    let mut test = Builder::new(vocabulary, classes);
    let text = test.text(text);
    test.call(&name, None, &[text])?;
    Ok(test.statements)
}

fn builder(
    vocabulary: &mut Vocabulary,
    classes: &ClassPath,
    random: &mut Random,
    at: i32,
) -> Result<Vec<Statement>> {
    let mut test = Builder::new(vocabulary, classes);
    let method = |rest: &str| format!("{BUILDER}.{rest}");
    let own = |rest: &str| format!("{BUILDER}.{rest}L{BUILDER};");
    let text = test.text(&random.word());
    let builder = test.construct(&method("<init>(Ljava/lang/String;)V"), &[text])?;
    test.call(&own("append(Ljava/lang/String;)"), Some(builder), &[text])?;
    test.call(&own("reverse()"), Some(builder), &[])?;
    let (from, to) = (test.text("a"), test.text("bc"));
    test.call(&own("replaceAll(Ljava/lang/String;Ljava/lang/String;)"), Some(builder), &[from, to])?;
    test.call(&own("trim()"), Some(builder), &[])?;
    let at = test.literal(Literal::Int(at));
    test.call(&method("charAt(I)C"), Some(builder), &[at])?;
    Ok(test.statements)
}

fn numeric(
    vocabulary: &mut Vocabulary,
    classes: &ClassPath,
    random: &mut Random,
    beyond: f64,
) -> Result<Vec<Statement>> {
    let mut test = Builder::new(vocabulary, classes);
    let number = random.fraction();
    let (mean, deviation) =
        (test.literal(Literal::Double(number)), test.literal(Literal::Double(1.0 + number)));
    let distribution = test.construct(&format!("{NORMAL}.<init>(DD)V"), &[mean, deviation])?;
    let probability = test.literal(Literal::Double(number + beyond));
    test.call(&format!("{NORMAL}.inverseCumulativeProbability(D)D"), Some(distribution), &[probability])?;
    Ok(test.statements)
}

fn statics(
    vocabulary: &mut Vocabulary,
    classes: &ClassPath,
    random: &mut Random,
    method: &str,
) -> Result<Vec<Statement>> {
    let mut test = Builder::new(vocabulary, classes);
    let text = test.text(&random.word());
    test.call(&format!("Statics.{method}(Ljava/lang/String;)I"), None, &[text])?;
    Ok(test.statements)
}

/// Statements as they come.
struct Builder<'a> {
    vocabulary: &'a mut Vocabulary,
    classes: &'a ClassPath,
    statements: Vec<Statement>,
}

impl<'a> Builder<'a> {
    fn new(vocabulary: &'a mut Vocabulary, classes: &'a ClassPath) -> Self {
        Self { vocabulary, classes, statements: Vec::new() }
    }

    fn push(&mut self, statement: Statement) -> Var {
        self.statements.push(statement);
        Var(self.statements.len() as u16 - 1)
    }

    fn literal(&mut self, literal: Literal) -> Var {
        self.push(Statement::Literal(literal))
    }

    fn text(&mut self, text: &str) -> Var {
        self.literal(Literal::Text(text.into()))
    }

    fn construct(&mut self, name: &str, arguments: &[Var]) -> Result<Var> {
        let constructor = self.vocabulary.find_method(Hierarchy::new(self.classes.index()), name)?;
        Ok(self.push(Statement::Construct { constructor, arguments: arguments.into() }))
    }

    fn call(&mut self, name: &str, receiver: Option<Var>, arguments: &[Var]) -> Result<Var> {
        let method = self.vocabulary.find_method(Hierarchy::new(self.classes.index()), name)?;
        Ok(self.push(Statement::Call { method, receiver, arguments: arguments.into() }))
    }
}

/// The class path, the compiled loops and the JDK.
struct Bench {
    /// Holds the compiled loops.
    folder: tempfile::TempDir,
    jdk: Jdk,
    classes: ClassPath,
}

impl Bench {
    fn prepare(home: Option<&Path>) -> Result<Self> {
        let java_home = std::env::var_os("JAVA_HOME");
        let path = std::env::var_os("PATH");
        let lookup = jdk::Lookup { explicit: home, java_home: java_home.as_deref(), path: path.as_deref() };
        let jdk = jdk::find(lookup)?;
        let maven = LIBRARIES.iter().map(|it| it.parse()).collect::<std::result::Result<Vec<_>, _>>()?;
        let libraries = ClassPath::load(&Request { maven: maven.clone(), ..Request::default() })?;
        let folder = tempfile::tempdir()?;
        let out = folder.path().join("classes");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
        let status = Command::new(jdk.home.join("bin/javac"))
            .args(["-nowarn", "-d"])
            .arg(&out)
            .arg("-cp")
            .arg(std::env::join_paths(libraries.launch_path())?)
            .args([sources.join("Bare.java"), sources.join("Statics.java")])
            .status()?;
        if !status.success() {
            return Err("javac failed".into());
        }
        let request = Request { entries: vec![out], maven, jdk: Some(jdk.clone()), ..Request::default() };
        Ok(Self { folder, jdk, classes: ClassPath::load(&request)? })
    }

    fn bare(&self, subject: &Subject, seconds: f64) -> Result<Speed> {
        let output = Command::new(self.jdk.home.join("bin/java"))
            .args(FLAGS)
            .arg("-cp")
            .arg(std::env::join_paths(self.classes.launch_path())?)
            .args(["Bare", subject.name, &seconds.to_string(), &seconds.to_string()])
            .output()?;
        let output = String::from_utf8_lossy(&output.stdout);
        let (rate, cpu) = output.trim().split_once(' ').ok_or("the bare loop printed nothing")?;
        Ok(Speed { rate: rate.parse()?, cpu: cpu.parse()? })
    }

    fn worker(&self, subject: &Subject, workers: usize, seconds: f64) -> Result<Speed> {
        let (vocabulary, tests) = self.tests(subject)?;
        let mut pool = self.pool(subject, workers)?;
        self.measure(&mut pool, subject, &vocabulary, &tests, seconds)?;
        self.measure(&mut pool, subject, &vocabulary, &tests, seconds)
    }

    fn measure(
        &self,
        pool: &mut Pool,
        subject: &Subject,
        vocabulary: &Vocabulary,
        tests: &[TestCase],
        seconds: f64,
    ) -> Result<Speed> {
        let computed = cpu_seconds(pool);
        let begun = Instant::now();
        let mut evaluations = 0;
        while begun.elapsed().as_secs_f64() < seconds {
            let results = pool.evaluate(Batch::new(vocabulary, tests))?;
            if let Some(other) = results.observations.iter().find(|it| it.outcome != subject.outcome) {
                return Err(format!("{}: {other:?}", subject.name).into());
            }
            evaluations += results.observations.len();
        }
        let rate = evaluations as f64 / begun.elapsed().as_secs_f64();
        Ok(Speed { rate, cpu: (cpu_seconds(pool) - computed) * 1e9 / evaluations as f64 })
    }

    fn first_thousand(&self) -> Result<Duration> {
        let Some(subject) = SUBJECTS.first() else { return Err("no subject".into()) };
        let (vocabulary, mut tests) = self.tests(subject)?;
        tests.truncate(1000);
        let mut times = Vec::new();
        for _ in 0..5 {
            let begun = Instant::now();
            let mut pool = self.pool(subject, 1)?;
            pool.evaluate(Batch::new(&vocabulary, &tests))?;
            times.push(begun.elapsed());
        }
        times.sort();
        times.get(2).copied().ok_or_else(|| "no time".into())
    }

    /// Resident memory of the worker after half a million evaluations and after ten times as many.
    fn memory(&self, only: Option<&str>) -> Result<()> {
        for subject in SUBJECTS.iter().filter(|it| only.is_none_or(|only| it.name.contains(only))) {
            let (vocabulary, tests) = self.tests(subject)?;
            let mut pool = self.pool(subject, 1)?;
            let mut evaluations = 0;
            let mut resident = Vec::new();
            for goal in [500_000, 5_000_000] {
                while evaluations < goal {
                    let batch = Batch::new(&vocabulary, &tests);
                    evaluations += pool.evaluate(batch)?.observations.len();
                }
                resident.push(resident_mib(&pool)?);
            }
            println!("{:18} MiB after 500,000 and 5,000,000: {resident:?}", subject.name);
        }
        Ok(())
    }

    fn tests(&self, subject: &Subject) -> Result<(Vocabulary, Vec<TestCase>)> {
        let mut vocabulary = Vocabulary::default();
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut tests = Vec::with_capacity(TESTS);
        for _ in 0..TESTS {
            tests.push(TestCase::new((subject.statements)(&mut vocabulary, &self.classes, &mut random)?));
        }
        Ok((vocabulary, tests))
    }

    fn pool(&self, subject: &Subject, workers: usize) -> Result<Pool> {
        let mut plan = ProbePlan::everywhere(everywhere());
        let kinds =
            Kinds::JUMPS | Kinds::SWITCHES | Kinds::LINES | Kinds::FRAMES | Kinds::CALLS | Kinds::CAUGHT;
        let methods = BTreeMap::from([(subject.method.to_owned(), kinds)]);
        plan.classes.insert(subject.class.to_owned(), ClassPlan { methods, ..ClassPlan::default() });
        let (plan, table) = number_probes(&plan, |name| {
            let class = self.classes.index().get(name)?;
            Some(self.classes.bytes(class.reference()).ok()?.to_vec().into())
        });
        let session = Session::new(SelfCommand::new(std::env::current_exe()?), self.folder.path());
        let mut settings = session.pool_settings(&self.jdk, self.classes.launch_path());
        let package = subject.class.rsplit_once('/').map_or("", |it| it.0).replace('/', ".");
        settings.worker.program.test_package = package;
        settings.worker.recording =
            Recording { plan, jump_codes: table.jump_codes(), ..settings.worker.recording };
        Ok(Pool::new(PoolSettings { workers, spares: 1, ..settings })?)
    }
}

/// A small generator with a fixed seed (xorshift64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn word(&mut self) -> String {
        let length = 10 + self.below(30);
        (0..length).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }
}

/// How quick something is.
struct Speed {
    /// Calls or evaluations a second.
    rate: f64,
    /// Nanoseconds of computing for each, which other load on the machine hardly changes: of the
    /// one thread of the bare loop, of all threads of the workers.
    cpu: f64,
}

/// Seconds that the worker processes have computed so far.
fn cpu_seconds(pool: &Pool) -> f64 {
    let ticks = pool.handle().processes().into_iter().filter_map(|process| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // Fields 14 and 15 of proc_pid_stat(5); the name before them may hold anything.
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2).collect();
        fields.iter().map(|it| it.parse::<f64>().ok()).sum::<Option<f64>>()
    });
    ticks.sum::<f64>() / 100.0
}

/// Resident memory of the largest worker.
fn resident_mib(pool: &Pool) -> Result<u64> {
    let mut largest = 0;
    for process in pool.handle().processes() {
        largest = largest.max(usage::of_process(process)?.memory_bytes >> 20);
    }
    Ok(largest)
}

fn take_flag(arguments: &mut Vec<String>, flag: &str) -> bool {
    let before = arguments.len();
    arguments.retain(|it| it != flag);
    arguments.len() < before
}

fn take_value(arguments: &mut Vec<String>, flag: &str) -> Option<String> {
    let at = arguments.iter().position(|it| it == flag)?;
    arguments.remove(at);
    (at < arguments.len()).then(|| arguments.remove(at))
}
