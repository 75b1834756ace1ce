//! A small program with a crash, and everything outside of a search, made up.

#![expect(
    clippy::disallowed_methods,
    reason = "tests look for the JDK where the user has it and start its compiler"
)]

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
use crashback_protocol::{Batch, Evaluator, Facts, Failure, Observation, Outcome, Results, Throwable};
use crashback_reproduce::{Case, Event, Host, Recording, Reproduction, Settings, reproduce};
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

/// How every test ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It returns and nothing of it is observed.
    Returns,
    /// It throws an exception with a message from a frame, which is all of its trace.
    Throws(&'static str, Option<&'static str>, Place),
    /// It crashes just as the log says.
    Crashes,
}

/// Class, method and line.
pub(crate) type Place = (&'static str, &'static str, u32);

fn frame((class, method, line): Place) -> Frame {
    let location = Location::File { name: "Some.java".into(), line: Some(line) };
    Frame { class: class.into(), method: method.into(), location, ..Frame::default() }
}

/// What comes of the program's crash if all tests end in the same way. No plain JVM confirms
/// anything.
pub(crate) fn search(end: End, settings: &Settings) -> Reproduction {
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
    let parsed = crashback_trace::parse(LOG.as_bytes());
    let throwable = &parsed.crashes[0].throwables[0];
    let auditor = Auditor::new(&classes, &Scope::Directories);
    let (origins, audit) = (auditor.origins(throwable), auditor.audit(throwable));
    let case = Case { classes: &classes, origins: &origins, throwable, audit: &audit };
    let frames: Rc<[Frame]> = throwable.frames.clone().into();
    reproduce(case, settings, &mut Outside { end, frames }).unwrap()
}

struct Outside {
    end: End,
    frames: Rc<[Frame]>,
}

impl Host for Outside {
    fn evaluator(&mut self, _: &Recording, _: &str) -> Result<Box<dyn Evaluator>, Failure> {
        Ok(Box::new(Jvm { end: self.end.clone(), frames: Rc::clone(&self.frames) }))
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_interrupted(&self) -> bool {
        false
    }

    fn tell(&mut self, _: Event) {}

    fn junit(&self) -> JUnit {
        JUnit::Five
    }

    fn verify(&mut self, _: &TestSource) -> Result<Verification, Failure> {
        Ok(Verification::Ran(vec![Run::Passed]))
    }
}

struct Jvm {
    end: End,
    frames: Rc<[Frame]>,
}

impl Evaluator for Jvm {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<Results, Failure> {
        let mut results = Results::with_capacity(batch.tests.len());
        let (class, message) = match &self.end {
            End::Returns => ("", None),
            End::Throws(class, message, place) => {
                results.frames = vec![frame(*place)];
                (*class, message.map(str::to_owned))
            }
            End::Crashes => {
                results.frames = self.frames.to_vec();
                ("java.lang.NullPointerException", None)
            }
        };
        let throwable = Throwable {
            class: class.to_owned(),
            message,
            frames: (0..u32::try_from(results.frames.len()).unwrap()).collect(),
            cause: None,
            suppressed: Vec::new(),
        };
        let threw = Observation {
            outcome: Outcome::Threw,
            completed: 1,
            facts: Facts { throwables: vec![throwable], ..Facts::default() },
        };
        let returned = Observation::bare(Outcome::Returned, 1);
        let observation = if class.is_empty() { returned } else { threw };
        results.observations = vec![observation; batch.tests.len()];
        Ok(results)
    }
}
