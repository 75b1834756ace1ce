//! A small program with a crash, and everything outside of a search, scripted: how each test ends is
//! a function of its statements.

#![expect(
    clippy::disallowed_methods,
    reason = "tests look for the JDK where the user has it and start its compiler"
)]

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use crashback_classpath::jdk::{self, Lookup};
use crashback_classpath::{CacheSettings, ClassPath, Request};
use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::{Run, Verification};
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, Scope};
use crashback_protocol::{
    Batch, Evaluator, Facts, Failure, Isolation, Observation, Outcome, Pins, Results, Throwable, Ticket,
};
use crashback_reproduce::{Case, Event, Host, Recording, Records, Reproduction, Settings, reproduce};
use crashback_testcase::{Literal, Statement, TestCase, Var, Vocabulary};
use crashback_trace::{Frame, Location};

const SOURCE: &str = "package depot;
public class Gate {
    public int pass(String word) {
        return open(word) + 1;
    }
    public int open(String word) {
        return word.length();
    }
}
";

const LOG: &str = "java.lang.NullPointerException
\tat depot.Gate.open(Gate.java:7)
\tat depot.Gate.pass(Gate.java:4)
";

const EXCEPTION: &str = "java.lang.NullPointerException";

/// How a test ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It returns and nothing of it is observed.
    Returns,
    /// It throws an exception with a message from a frame, which is all of its trace.
    Throws(&'static str, Option<&'static str>, Place),
    /// It throws the crash's exception with so many of the log's frames, the innermost ones.
    Crashes(usize),
    /// The same with a message.
    CrashesWith(usize, &'static str),
}

/// Class, method and line.
pub(crate) type Place = (&'static str, &'static str, u32);

fn frame((class, method, line): Place) -> Frame {
    let location = Location::File { name: "Some.java".into(), line: Some(line) };
    Frame { class: class.into(), method: method.into(), location, ..Frame::default() }
}

/// A test that runs, as scripts see it.
pub(crate) struct Running<'r> {
    test: &'r TestCase,
    vocabulary: &'r Vocabulary,
    pub(crate) isolation: Isolation,
    pub(crate) pins: Pins,
}

impl Running<'_> {
    /// The method that the last statement calls.
    pub(crate) fn last_call(&self) -> &str {
        match self.test.statements().last() {
            Some(Statement::Call { method, .. }) => self.vocabulary.method(*method).map_or("", |it| &it.name),
            _ => "",
        }
    }

    /// Whether the last statement has a `null` among its arguments.
    pub(crate) fn passes_null(&self) -> bool {
        let value = |it: &Var| self.test.statements().get(usize::from(it.0));
        let is_null = |it: &Var| matches!(value(it), Some(Statement::Literal(Literal::Null(_))));
        match self.test.statements().last() {
            Some(Statement::Call { arguments, .. }) => arguments.iter().any(is_null),
            _ => false,
        }
    }

    /// The text that the last statement passes, if it passes one.
    pub(crate) fn last_text(&self) -> Option<String> {
        let Some(Statement::Call { arguments, .. }) = self.test.statements().last() else { return None };
        let text = |it: &Var| match self.test.statements().get(usize::from(it.0)) {
            Some(Statement::Literal(Literal::Text(text))) => Some(String::from_utf16_lossy(text.units())),
            _ => None,
        };
        arguments.iter().find_map(text)
    }

    /// How many statements it has.
    pub(crate) fn length(&self) -> usize {
        self.test.statements().len()
    }
}

/// A scripted world.
#[derive(Clone)]
pub(crate) struct Script {
    /// The exception's message in the log.
    pub(crate) message: Option<&'static str>,
    /// How a test ends in a worker.
    pub(crate) ends: Rc<dyn Fn(&Running<'_>) -> End>,
    /// How every verified test ends in plain JVMs.
    pub(crate) plain: End,
    /// How long each verification takes.
    pub(crate) verification: Duration,
    /// How long each request with these pins takes. Nothing else takes time.
    pub(crate) request: fn(Pins) -> Duration,
}

impl Script {
    /// All tests end in the same way, and no plain JVM confirms anything.
    pub(crate) fn always(end: End) -> Self {
        Self::new(move |_| end.clone(), End::Returns)
    }

    pub(crate) fn new(ends: impl Fn(&Running<'_>) -> End + 'static, plain: End) -> Self {
        Self {
            message: None,
            ends: Rc::new(ends),
            plain,
            verification: Duration::ZERO,
            request: |_| Duration::ZERO,
        }
    }
}

/// What a search came to, with what it told meanwhile.
pub(crate) struct Told {
    pub(crate) reproduction: Reproduction,
    pub(crate) events: Vec<Event>,
    /// What was to be recorded.
    pub(crate) recording: Option<Recording>,
}

/// What comes of the program's crash in a scripted world.
pub(crate) fn search(script: &Script, settings: &Settings) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Gate.java");
    std::fs::write(&source, SOURCE).unwrap();
    let (java_home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
    let lookup = Lookup { explicit: None, java_home: java_home.as_deref(), path: path.as_deref() };
    let jdk = jdk::find(lookup).unwrap();
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.args(["-J-XX:TieredStopAtLevel=1", "-g", "-d"]).arg(folder.path()).arg(&source);
    assert!(javac.status().unwrap().success());
    let cache = Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")));
    let entries = vec![folder.path().to_owned()];
    let request = Request { entries, jdk: Some(jdk), cache, ..Request::default() };
    let class_path = ClassPath::load(&request).unwrap();
    let classes = Classes::new(&class_path);
    let message = script.message.map(|it| format!("{EXCEPTION}: {it}"));
    let log = LOG.replacen(EXCEPTION, message.as_deref().unwrap_or(EXCEPTION), 1);
    let parsed = crashback_trace::parse(log.as_bytes());
    let throwable = &parsed.crashes[0].throwables[0];
    let auditor = Auditor::new(&classes, &Scope::Directories);
    let (origins, audit) = (auditor.origins(throwable), auditor.audit(throwable));
    let records = Records::default();
    let case = Case { classes: &classes, origins: &origins, throwable, audit: &audit, records: &records };
    let frames: Rc<[Frame]> = throwable.frames.clone().into();
    let (script, events, elapsed) = (script.clone(), RefCell::default(), Rc::default());
    let mut outside = Outside { script, frames, events, elapsed, recording: None };
    let reproduction = reproduce(case, settings, &mut outside).unwrap();
    Told { reproduction, events: outside.events.into_inner(), recording: outside.recording }
}

struct Outside {
    script: Script,
    frames: Rc<[Frame]>,
    events: RefCell<Vec<Event>>,
    elapsed: Rc<Cell<Duration>>,
    recording: Option<Recording>,
}

impl Host for Outside {
    fn evaluator(&mut self, recording: &Recording, _: &str) -> Result<Box<dyn Evaluator>, Failure> {
        self.recording = Some(recording.clone());
        let (frames, elapsed) = (Rc::clone(&self.frames), Rc::clone(&self.elapsed));
        Ok(Box::new(Jvm { script: self.script.clone(), frames, elapsed }))
    }

    fn elapsed(&self) -> Duration {
        self.elapsed.get()
    }

    fn is_interrupted(&self) -> bool {
        false
    }

    fn tell(&mut self, event: Event) {
        self.events.borrow_mut().push(event);
    }

    fn junit(&self) -> JUnit {
        JUnit::Five
    }

    fn verify(&mut self, _: &TestSource, until: Option<Duration>) -> Result<Verification, Failure> {
        self.elapsed.set(self.elapsed.get() + self.script.verification);
        if let Some(until) = until.filter(|it| *it <= self.elapsed.get()) {
            self.elapsed.set(until);
            return Ok(Verification::Cut);
        }
        let (count, message) = match self.script.plain {
            End::Crashes(count) => (count, None),
            End::CrashesWith(count, message) => (count, Some(message)),
            _ => return Ok(Verification::Ran(vec![Run::Passed])),
        };
        let mut text = EXCEPTION.to_owned();
        text.extend(message.map(|it| format!(": {it}")));
        text.extend(self.frames.iter().take(count).map(|it| format!("\n\tat {it}")));
        let crash = crashback_trace::parse(text.as_bytes()).crashes.remove(0);
        Ok(Verification::Ran(vec![Run::Threw(Box::new(crash))]))
    }

    fn compiling(&self) -> Duration {
        Duration::ZERO
    }
}

struct Jvm {
    script: Script,
    frames: Rc<[Frame]>,
    elapsed: Rc<Cell<Duration>>,
}

impl Jvm {
    fn observe(&self, running: &Running<'_>, results: &mut Results) -> Observation {
        let completed = u16::try_from(running.length().saturating_sub(1)).unwrap();
        let (class, message, frames) = match (self.script.ends)(running) {
            End::Returns => return Observation::bare(Outcome::Returned, completed + 1),
            End::Throws(class, message, place) => (class, message, vec![frame(place)]),
            End::Crashes(count) => (EXCEPTION, None, self.frames[..count].to_vec()),
            End::CrashesWith(count, message) => (EXCEPTION, Some(message), self.frames[..count].to_vec()),
        };
        let first = results.frames.len();
        results.frames.extend(frames);
        let throwable = Throwable {
            class: class.to_owned(),
            message: message.map(str::to_owned),
            frames: (first..results.frames.len()).map(|it| u32::try_from(it).unwrap()).collect(),
            cause: None,
            suppressed: Vec::new(),
        };
        let facts = Facts { throwables: vec![throwable], ..Facts::default() };
        Observation { outcome: Outcome::Threw, completed, facts, slow: Vec::new() }
    }
}

impl Evaluator for Jvm {
    fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
        let Batch { vocabulary, tests, isolation, pins, .. } = batch;
        self.elapsed.set(self.elapsed.get() + (self.script.request)(pins));
        let mut results = Results::with_capacity(tests.len());
        for test in tests {
            let running = Running { test, vocabulary, isolation, pins };
            let observation = self.observe(&running, &mut results);
            results.observations.push(observation);
        }
        Ok(Ticket::finished(results))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
        ticket.into_results()
    }
}
