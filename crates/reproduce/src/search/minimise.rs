//! Tests as people would write them: short, with plain values, without needless `null`s and mocks.

use std::time::Duration;

use crashback_protocol::{Batch, Failure, Isolation, Receiver};
use crashback_testcase::{Statement, TestCase};

use crate::arm::Arm;
use crate::candidate::{Candidate, mocks, nulls};
use crate::usefulness::Critic;
use crate::{Event, Host};

use super::Search;
use super::confirm::{ALONE_MINIMISED, MINIMISING, Seen};

/// How many times the test is made simpler at most: a guard against variants that are simpler than each
/// other in a circle, far above what tests need.
const MOST_ROUNDS: usize = 1000;

/// How many variants of a test are tried in one request. The biggest steps come first, and those that
/// come after a success are not tried at all.
const TRIED_AT_ONCE: usize = 24;

/// What a variant of a test must keep to.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The most `null`s that it may use.
    nulls: u32,
    /// The most mocks that it may use.
    mocks: u32,
    /// The most objects that it may make through members that the program keeps to itself.
    hidden: usize,
    /// The most statements that it may have, literals aside: these have no line of their own.
    lines: usize,
    /// Whether the message of its exception must say the same as the log's.
    needs_message: bool,
}

/// A test on its way to the simplest one.
#[derive(Clone, Debug)]
struct Simplified {
    test: TestCase,
    /// Whether the message of its exception says the same as the log's.
    has_message: bool,
    /// Whether nothing simpler is left.
    is_done: bool,
}

/// Which steps lead from a test to simpler ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// Statements are left out.
    Shorter,
    /// The same, and values become plainer.
    Simpler,
    /// Statements other than literals are left out, for which the message may change.
    AnyMessage,
}

/// What is worth more than a short test, in this order.
const IMPROVEMENTS: [Improvement; 4] =
    [Improvement::NoNull, Improvement::NoMock, Improvement::PublicMaker, Improvement::LoggedMessage];

/// Something better in the place of something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Improvement {
    /// A meaningful argument for a `null`.
    NoNull,
    /// A real object for a mock.
    NoMock,
    /// An object that anybody can make for one that only the package can.
    PublicMaker,
    /// A value that the message of the log states, if the message is the log's then.
    LoggedMessage,
}

/// How many statements a test has, literals aside.
fn lines(test: &TestCase) -> usize {
    test.statements().iter().filter(|it| !matches!(it, Statement::Literal(_))).count()
}

/// A candidate made simpler.
#[derive(Clone, Debug)]
pub(crate) struct Minimised {
    pub(crate) test: TestCase,
    /// The receiver of the exception if it does not leave the test.
    pub(crate) receiver: Option<Receiver>,
    /// Whether every simpler variant of it was tried, so that nothing of it can be left out.
    pub(crate) is_done: bool,
}

impl Minimised {
    /// The candidate as it was found.
    pub(crate) fn not(candidate: &Candidate) -> Self {
        Self { test: candidate.test.clone(), receiver: candidate.receiver, is_done: false }
    }
}

/// What came of trying variants of a test.
enum Tried {
    /// The first that crashes as wanted.
    Crashes {
        /// Its place among the variants.
        place: usize,
        test: TestCase,
        /// Whether the message of its exception says the same as the log's.
        has_message: bool,
    },
    /// None of them does.
    Nothing,
    /// Time was up before all were tried.
    Cut,
}

impl Search<'_> {
    /// The simplest test found that still crashes as wanted among others, at worst the candidate's own.
    pub(crate) fn minimise(
        &mut self,
        candidate: &Candidate,
        host: &mut dyn Host,
        until: Duration,
    ) -> Result<Minimised, Failure> {
        if host.is_interrupted() {
            return Ok(Minimised::not(candidate));
        }
        self.target(candidate.origin.maker);
        host.tell(Event::Minimising { frame: candidate.level });
        let (found, has_message) = (candidate.test.clone(), candidate.has_logged_message);
        let mut best = self.simplified(candidate, found, has_message, host, until)?;
        let is_done = best.is_done;
        host.expect_test(mocks(&best.test) > 0);
        for improvement in IMPROVEMENTS {
            for _ in 0..best.test.statements().len() {
                let Some(better) = self.improved(candidate, &best, improvement, host, until)? else { break };
                best = better;
            }
        }
        let best = best.test;
        let listens = self.arms.get(candidate.arm).is_some_and(Arm::listens);
        // Verification, which comes next, is a run in a JVM of its own as well. Only the receiver of an
        // exception must be known before.
        if !listens || best == candidate.test {
            return Ok(Minimised { test: best, receiver: candidate.receiver, is_done });
        }
        let seen = self.seen_alone(candidate, &best)?;
        let seen = seen.filter(|it| candidate.has_other_cause || !it.has_other_cause);
        Ok(match seen {
            Some(seen) => Minimised { test: best, receiver: seen.receiver, is_done },
            None => Minimised::not(candidate),
        })
    }

    /// A test with something better in the place of something else, made simpler. None if there is none that
    /// crashes as wanted, or unless it was made simpler to the end: the test before was.
    fn improved(
        &mut self,
        candidate: &Candidate,
        best: &Simplified,
        improvement: Improvement,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Option<Simplified>, Failure> {
        let mut limits = self.limits(candidate, best);
        let options = match improvement {
            Improvement::NoNull => {
                limits = Limits { nulls: limits.nulls.saturating_sub(1), mocks: u32::MAX, ..limits };
                self.workshop.without_nulls(&best.test, &mut self.random)
            }
            Improvement::NoMock => {
                limits.mocks = limits.mocks.saturating_sub(1);
                self.workshop.without_mocks(&best.test, &mut self.random)
            }
            Improvement::PublicMaker => {
                let hidden = self.hidden_makers(candidate, &best.test);
                limits.hidden = limits.hidden.saturating_sub(1);
                self.workshop.made_otherwise(&best.test, &hidden, &mut self.random)
            }
            Improvement::LoggedMessage if best.has_message || self.case.throwable.message.is_none() => {
                return Ok(None);
            }
            Improvement::LoggedMessage => {
                limits.needs_message = true;
                self.workshop.with_logged_values(&best.test)
            }
        };
        let found = self.first_of(candidate, &options, limits, host, until)?;
        let Tried::Crashes { test, has_message, .. } = found else { return Ok(None) };
        let simplified = self.simplified(candidate, test, has_message, host, until)?;
        Ok(Some(simplified).filter(|it| it.is_done))
    }

    /// A test made simpler. Statements go first, so that a test that is cut short by time has few.
    ///
    /// A message that says the same as the log's is kept as long as only values could be plainer without it.
    /// A statement less is worth more: it would be there for the sake of the message alone.
    fn simplified(
        &mut self,
        candidate: &Candidate,
        test: TestCase,
        has_message: bool,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Simplified, Failure> {
        let mut best = Simplified { test, has_message, is_done: true };
        for steps in [Steps::Shorter, Steps::Simpler] {
            best = self.repeated(candidate, best, steps, host, until)?;
        }
        if best.has_message {
            let before = lines(&best.test);
            best = self.repeated(candidate, best, Steps::AnyMessage, host, until)?;
            if lines(&best.test) < before {
                best = self.repeated(candidate, best, Steps::Simpler, host, until)?;
            }
        }
        Ok(best)
    }

    /// A test after steps, as long as one of them leads to a test that crashes as wanted. Nothing happens to
    /// one whose steps before were cut.
    fn repeated(
        &mut self,
        candidate: &Candidate,
        mut best: Simplified,
        steps: Steps,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Simplified, Failure> {
        if !best.is_done {
            return Ok(best);
        }
        // The steps before this one were tried with the test as it was before: they come last.
        let mut tried = 0;
        for _ in 0..MOST_ROUNDS {
            let mut options = match steps {
                Steps::Shorter | Steps::AnyMessage => self.workshop.shorter(&best.test),
                Steps::Simpler => self.workshop.simpler(&best.test),
            };
            let begin = tried.min(options.len());
            options.rotate_left(begin);
            let mut limits = self.limits(candidate, &best);
            if steps == Steps::AnyMessage {
                let lines = lines(&best.test).saturating_sub(1);
                limits = Limits { lines, needs_message: false, ..limits };
            }
            match self.first_of(candidate, &options, limits, host, until)? {
                Tried::Crashes { place, test, has_message } => {
                    tried = (begin + place).checked_rem(options.len()).unwrap_or(0);
                    best = Simplified { test, has_message, is_done: true };
                }
                Tried::Nothing => return Ok(best),
                Tried::Cut => break,
            }
        }
        Ok(Simplified { is_done: false, ..best })
    }

    /// The first test within limits that crashes as wanted, for no other cause unless the candidate's
    /// own is another already.
    fn first_of(
        &mut self,
        candidate: &Candidate,
        options: &[TestCase],
        limits: Limits,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Tried, Failure> {
        let is_within = |it: &TestCase| {
            nulls(it) <= limits.nulls
                && mocks(it) <= limits.mocks
                && lines(it) <= limits.lines
                && self.hidden_makers(candidate, it).len() <= limits.hidden
        };
        let (places, options): (Vec<usize>, Vec<TestCase>) =
            (0..).zip(options).filter(|(_, it)| is_within(it)).map(|(at, it)| (at, it.clone())).unzip();
        let Some(arm) = self.arms.get_mut(candidate.arm) else { return Ok(Tried::Nothing) };
        let vocabulary = self.workshop.vocabulary();
        let (isolation, listens) = (self.runner.strict_isolation(), arm.listens());
        for (places, tests) in places.chunks(TRIED_AT_ONCE).zip(options.chunks(TRIED_AT_ONCE)) {
            if host.is_interrupted() || host.elapsed() >= until {
                return Ok(Tried::Cut);
            }
            let batch = Batch { vocabulary, tests, isolation, pins: MINIMISING, listens };
            let results = self.runner.run(batch)?;
            let mut scoring = arm.objectives.batch(&results);
            let mut tried = places.iter().zip(tests).zip(&results.observations);
            let found = tried.find_map(|((place, test), observation)| {
                let verdict = scoring.judge(test, observation);
                let has_message = verdict.has_logged_message;
                let crashes = verdict.is_reproduced()
                    && (candidate.has_other_cause || !verdict.has_other_cause)
                    && (has_message || !limits.needs_message);
                crashes.then(|| Tried::Crashes { place: *place, test: test.clone(), has_message })
            });
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Ok(Tried::Nothing)
    }

    /// What variants of a test must keep to so that they are no worse.
    fn limits(&self, candidate: &Candidate, best: &Simplified) -> Limits {
        Limits {
            nulls: nulls(&best.test),
            mocks: mocks(&best.test),
            hidden: self.hidden_makers(candidate, &best.test).len(),
            lines: usize::MAX,
            needs_message: best.has_message,
        }
    }

    /// The statements of a variant of a candidate that make objects through members that the program keeps to
    /// itself.
    fn hidden_makers(&self, candidate: &Candidate, test: &TestCase) -> Vec<usize> {
        let (case, vocabulary) = (self.case, self.workshop.vocabulary());
        let package = self.arms.get(candidate.origin.maker).map_or("", |it| it.package);
        Critic { case, vocabulary, package, level: candidate.level }.hidden_makers(test)
    }

    /// How a test that has a JVM and pins of its own ends, if it crashes as wanted.
    fn seen_alone(&mut self, candidate: &Candidate, test: &TestCase) -> Result<Option<Seen>, Failure> {
        let Some(arm) = self.arms.get(candidate.arm) else { return Ok(None) };
        let (vocabulary, tests) = (self.workshop.vocabulary(), std::slice::from_ref(test));
        let (isolation, pins, listens) = (Isolation::FreshJvm, ALONE_MINIMISED, arm.listens());
        let results = self.runner.run(Batch { vocabulary, tests, isolation, pins, listens })?;
        Ok(self.seen(candidate.arm, test, &results))
    }
}
