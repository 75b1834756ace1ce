//! JVMs that run tests until all have ended or the time is up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crashback_classpath::Jdk;
use crashback_emit::verify::SHORT_LIVED;
use crashback_emit::verify::process::{self, Ended, Limits};
use crashback_model::{Collector, Models};
use crashback_seeding::{Framework, TestClass};

use super::progress::{Step, sequences, steps};
use super::weave::Woven;
use super::{GivenUp, Reason, TestSummary};
use crate::child::ConfinedLauncher;
use crate::session::now;
use crate::{Error, ErrorKind, Session};

/// A class of tests, or one test of a class that is run test by test, may take this part of the time for
/// all, and no longer than that.
const PARTS: u32 = 4;
const LONGEST: Duration = Duration::from_secs(10);
/// At first a class of tests may take so many times the time that all classes have on average, so that a few
/// slow ones do not use up the time of all others, but not less than that.
const SHARES: u32 = 8;
const SHORTEST: Duration = Duration::from_secs(2);
/// After so many tests of a class that were given up one by one, the rest of them is given up, too.
const MOST_LOST: usize = 3;
/// The most calls of one sequence that are believed.
const MOST_CALLS: usize = 40;

/// Files in the folder of a JVM.
const LIST: &str = "tests";
const PROGRESS: &str = "progress";
const CALLS: &str = "calls-";

/// A class of tests, or one test of it.
#[derive(Clone, Debug)]
struct Unit {
    class: usize,
    method: Option<String>,
    /// Whether its class was tried before and took too long, or ended the JVM.
    is_second: bool,
}

/// Tests on their way.
pub(super) struct Runs<'r> {
    session: &'r Session,
    jdk: &'r Jdk,
    scratch: &'r Path,
    /// The class path behind the instrumented classes.
    paths: &'r [PathBuf],
    woven: &'r Woven,
    tests: &'r [TestClass],
    queue: VecDeque<Unit>,
    /// Why tests of a class were given up one by one.
    lost: BTreeMap<usize, Vec<Reason>>,
    collector: Collector,
    summary: TestSummary,
}

/// Why a JVM was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Killed {
    Slow,
    TimeUp,
}

impl<'r> Runs<'r> {
    pub(super) fn new(
        session: &'r Session,
        jdk: &'r Jdk,
        scratch: &'r Path,
        paths: &'r [PathBuf],
        woven: &'r Woven,
        order: usize,
        tests: &'r [TestClass],
    ) -> Self {
        let whole = |class| Unit { class, method: None, is_second: false };
        let queue = (0..tests.len()).map(whole).collect();
        let (lost, collector, summary) = (BTreeMap::new(), Collector::new(order), TestSummary::default());
        Self { session, jdk, scratch, paths, woven, tests, queue, lost, collector, summary }
    }

    /// Runs everything for as long as there is time.
    pub(super) fn run_all(&mut self, time: Duration) -> Result<(), Error> {
        let begun = now();
        while begun.elapsed() < time {
            // Tests that may take longer than others wait for a JVM of their own.
            let Some(next) = self.queue.front() else { break };
            let of = |it: &Unit| patience(time, self.tests.len(), it.is_second);
            let patience = of(next);
            let alike: Vec<&Unit> = self.queue.iter().take_while(|it| of(it) == patience).collect();
            let (steps, end) = self.run_jvm(&alike, begun + time, patience)?;
            if !steps.contains(&Step::Ready) && !matches!(end, End::Killed(Killed::TimeUp)) {
                return Err(no_jvm(&end));
            }
            self.take(&steps, &end);
        }
        let classes: BTreeSet<usize> = self.queue.iter().map(|it| it.class).collect();
        self.summary.unfinished = classes.len();
        Ok(())
    }

    /// The models, and what became of the tests.
    pub(super) fn finish(self) -> (Models, TestSummary) {
        (self.collector.finish(), self.summary)
    }

    /// Runs the first tests of the queue in one JVM, until it ends or a test takes too long.
    fn run_jvm(
        &self,
        units: &[&Unit],
        until: Instant,
        patience: Duration,
    ) -> Result<(Vec<Step>, End), Error> {
        let folder = self.scratch.join("run");
        let cannot = |error: std::io::Error| {
            let message = format!("cannot write the list of tests: {error}; set TMPDIR to another folder");
            Error::new(ErrorKind::Environment, message)
        };
        // What an earlier JVM left must not be taken for results of this one.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(cannot)?;
        let lines = units.iter().enumerate().map(|(number, unit)| self.line(number, unit));
        fs::write(folder.join(LIST), lines.collect::<String>()).map_err(cannot)?;
        let progress = folder.join(PROGRESS);
        let watch = Mutex::new(Watch { length: 0, since: now(), killed: None });
        let interruption = &self.session.interruption;
        let is_over = || {
            let over = watch.lock().map_or(true, |mut it| it.is_over(&progress, until, patience));
            over || interruption.is_requested()
        };
        let read: Vec<PathBuf> = self.paths.to_vec();
        let launcher = ConfinedLauncher {
            command: &self.session.command,
            java_home: &self.jdk.home,
            read: &read,
            scratch: self.scratch,
            without_sandbox: self.session.without_sandbox,
        };
        let java = self.jdk.home.join("bin").join(format!("java{}", std::env::consts::EXE_SUFFIX));
        let limits = Limits { time: until.saturating_duration_since(now()), is_cancelled: &is_over };
        let launch = |program: &Path, arguments: &[OsString]| launcher.command(program, arguments);
        let ended = process::run(&launch, &java, &self.arguments(), &folder, limits);
        let killed = watch.lock().ok().and_then(|it| it.killed);
        let end = match ended {
            Err(crashback_emit::Error::Cancelled) if interruption.is_requested() => {
                return Err(Error::interrupted());
            }
            Err(crashback_emit::Error::Cancelled) => End::Killed(killed.unwrap_or(Killed::TimeUp)),
            Err(error) => return Err(self.session.error(&error)),
            Ok(ended) => match ended.status {
                Some(status) => End::Ended(status, Box::new(ended)),
                None => End::Killed(killed.unwrap_or(Killed::TimeUp)),
            },
        };
        Ok((steps(&progress), end))
    }

    fn line(&self, number: usize, unit: &Unit) -> String {
        let Some(test) = self.tests.get(unit.class) else { return String::new() };
        let framework = match test.framework {
            Framework::Old => "junit",
            Framework::Jupiter => "jupiter",
            Framework::TestNg => "testng",
        };
        let method = unit.method.as_ref().map_or(String::new(), |it| format!("\t{it}"));
        format!("{number}\t{framework}\t{}{method}\n", test.name.replace('/', "."))
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut recorder = OsString::from("-Xbootclasspath/a:");
        recorder.push(&self.woven.observer);
        let paths = std::iter::once(&self.woven.folder).chain(self.paths);
        let mut class_path = OsString::new();
        for path in paths {
            if !class_path.is_empty() {
                class_path.push(":");
            }
            class_path.push(path);
        }
        // Build tools run tests with assertions, too.
        let options = SHORT_LIVED.iter().copied().chain(["-ea"]).map(OsString::from);
        let main = ["crashback.observe.Runner", LIST, PROGRESS, CALLS].map(OsString::from);
        options.chain([recorder, "-cp".into(), class_path]).chain(main).collect()
    }

    /// Takes results from a JVM, and removes from the queue what needs not run again.
    fn take(&mut self, steps: &[Step], end: &End) {
        let units: Vec<Unit> = self.queue.iter().cloned().collect();
        let mut open = None;
        let mut done = 0;
        for step in steps {
            match step {
                Step::Ready => {}
                Step::Begin(number) => open = Some(*number),
                // Numbers are those of the list, one after the other; others were not written by the runner.
                Step::End(number, _) | Step::Unusable(number, _) if *number != done => {}
                Step::End(number, [run, failed, forbidden]) => {
                    self.summary.run = self.summary.run.saturating_add(*run);
                    self.summary.failed = self.summary.failed.saturating_add(*failed);
                    self.summary.forbidden = self.summary.forbidden.saturating_add(*forbidden);
                    self.add_calls(*number);
                    (done, open) = (done + 1, None);
                }
                Step::Unusable(number, words) => {
                    if let Some(unit) = units.get(*number) {
                        self.give_up(unit, Reason::Unusable, words.clone());
                    }
                    self.add_calls(*number);
                    (done, open) = (done + 1, None);
                }
            }
        }
        self.queue.drain(..done.min(units.len()));
        let unfinished = open.filter(|it| *it == done).and_then(|it| units.get(it));
        match (unfinished, end) {
            (_, End::Killed(Killed::TimeUp)) => {}
            (Some(unit), end) => {
                self.queue.pop_front();
                self.lose(unit, end);
            }
            // A JVM that ends between two tests was ended by a thread of the last one, or is broken: without
            // progress the first test of the queue would be tried for ever.
            (None, _) if done == 0 => {
                if let Some(unit) = self.queue.pop_front() {
                    self.lose(&unit, end);
                }
            }
            (None, _) => {}
        }
        self.drop_hopeless();
    }

    /// Gives up a test that did not end. Tests of a class are then tried one by one, after all others, and
    /// so is a class with one test that may take longer.
    fn lose(&mut self, unit: &Unit, end: &End) {
        let methods = self.tests.get(unit.class).map_or(&[][..], |it| &it.methods);
        let single = |method| Unit { class: unit.class, method, is_second: true };
        if !unit.is_second && methods.len() > 1 {
            self.queue.extend(methods.iter().cloned().map(Some).map(single));
            return;
        }
        if !unit.is_second && matches!(end, End::Killed(_)) {
            self.queue.push_back(single(None));
            return;
        }
        let (reason, words) = match end {
            End::Killed(_) => (Reason::Hangs, "it took too long".to_owned()),
            End::Ended(status, _) => (Reason::EndsJvm, format!("the JVM ended with {status}")),
        };
        if unit.method.is_some() {
            self.lost.entry(unit.class).or_default().push(reason);
        }
        self.give_up(unit, reason, words);
    }

    /// Gives up classes that lost too many of their tests: what makes these fail is in all of them.
    fn drop_hopeless(&mut self) {
        let hopeless = |unit: &Unit| {
            let reasons = self.lost.get(&unit.class).filter(|it| it.len() >= MOST_LOST)?;
            reasons.last().copied()
        };
        let (mut dropped, mut kept) = (Vec::new(), VecDeque::new());
        for unit in &self.queue {
            match hopeless(unit) {
                Some(reason) => dropped.push((unit.clone(), reason)),
                None => kept.push_back(unit.clone()),
            }
        }
        self.queue = kept;
        for (unit, reason) in dropped {
            let words = format!("{MOST_LOST} other tests of its class were given up");
            self.give_up(&unit, reason, words);
        }
    }

    fn give_up(&mut self, unit: &Unit, reason: Reason, words: String) {
        let class = self.tests.get(unit.class).map(|it| it.name.replace('/', ".")).unwrap_or_default();
        let test = unit.method.as_ref().map_or_else(|| class.clone(), |it| format!("{class}#{it}"));
        self.summary.given_up.push(GivenUp { test, reason, words });
    }

    fn add_calls(&mut self, number: usize) {
        let file = self.scratch.join("run").join(format!("{CALLS}{number}"));
        for (count, class, numbers) in sequences(&file) {
            let numbers = numbers.get(..MOST_CALLS).unwrap_or(&numbers);
            if let Some((class, calls)) = self.woven.sequence(&class, numbers) {
                self.collector.add_times(class, calls.into_iter(), count);
                self.summary.sequences = self.summary.sequences.saturating_add(count);
            }
        }
    }
}

/// How long a class of tests may take, or one test where a class is tried for the second time.
fn patience(time: Duration, classes: usize, is_second: bool) -> Duration {
    let longest = (time / PARTS).min(LONGEST);
    let average = time / u32::try_from(classes.max(1)).unwrap_or(u32::MAX);
    if is_second { longest } else { (average * SHARES).max(SHORTEST).min(longest) }
}

/// How a JVM ended.
enum End {
    Killed(Killed),
    Ended(ExitStatus, Box<Ended>),
}

fn no_jvm(end: &End) -> Error {
    let words = match end {
        End::Killed(_) => "it did not start in time".to_owned(),
        End::Ended(status, ended) => format!("{status}: {}", ended.said()),
    };
    Error::new(ErrorKind::Environment, format!("the JVM for the tests could not be started: {words}"))
}

/// Looks at the progress of a JVM.
struct Watch {
    length: u64,
    since: Instant,
    killed: Option<Killed>,
}

impl Watch {
    fn is_over(&mut self, progress: &Path, until: Instant, patience: Duration) -> bool {
        let length = fs::metadata(progress).map_or(0, |it| it.len());
        let moment = now();
        if length != self.length {
            (self.length, self.since) = (length, moment);
        }
        if moment >= until {
            self.killed = Some(Killed::TimeUp);
        } else if moment.saturating_duration_since(self.since) >= patience {
            self.killed = Some(Killed::Slow);
        }
        self.killed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_classes_may_take_long_and_many_must_share() {
        let minutes = Duration::from_secs(150);
        let seconds = |classes, is_second| patience(minutes, classes, is_second).as_secs_f64();
        assert_eq!((seconds(3, false), seconds(3, true)), (10.0, 10.0));
        assert!((2.3..2.5).contains(&seconds(500, false)), "{}", seconds(500, false));
        assert_eq!((seconds(500, true), seconds(50_000, false)), (10.0, 2.0));
        assert_eq!(patience(Duration::from_secs(4), 9, false), Duration::from_secs(1));
        assert_eq!(patience(Duration::from_secs(4), 0, true), Duration::from_secs(1));
    }
}
