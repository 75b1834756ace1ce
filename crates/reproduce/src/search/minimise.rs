//! Tests as people would write them: short, with plain values, without needless `null`s and mocks.

use std::time::Duration;

use crashback_protocol::{Batch, Failure, Isolation, Receiver};
use crashback_testcase::TestCase;
use crashback_testcase::workshop::Workshop;

use crate::arm::Arm;
use crate::candidate::{Candidate, mocks, nulls};
use crate::{Event, Host};

use super::Search;
use super::confirm::{ALONE_MINIMISED, MINIMISING, Seen};

/// How many times the test is made simpler at most: a guard against variants that are simpler than each
/// other in a circle, far above what tests need.
const MOST_ROUNDS: usize = 1000;

/// How many variants of a test are tried in one request. The biggest steps come first, and those that
/// come after a success are not tried at all.
const TRIED_AT_ONCE: usize = 24;

/// The most `null`s and mocks that a simplified test may use.
#[derive(Clone, Copy, Debug)]
struct Limits {
    nulls: u32,
    mocks: u32,
}

impl Limits {
    /// As many as a test uses.
    fn of(test: &TestCase) -> Self {
        Self { nulls: nulls(test), mocks: mocks(test) }
    }
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
    /// The first that crashes as wanted, with its place.
    Crashes(usize, TestCase),
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
        let (mut best, is_done) = self.simplified(candidate, candidate.test.clone(), host, until)?;
        host.expect_test(mocks(&best) > 0);
        // Meaningful arguments win over null where both crash in the same way.
        for _ in 0..nulls(&best) {
            let options = self.workshop.without_nulls(&best, &mut self.random);
            let limits = Limits { nulls: nulls(&best).saturating_sub(1), mocks: u32::MAX };
            let found = self.first_of(candidate, &options, limits, host, until)?;
            let Some(fuller) = self.fuller(candidate, found, host, until)? else { break };
            best = fuller;
        }
        // So do real objects over mocks.
        for _ in 0..mocks(&best) {
            let options = self.workshop.without_mocks(&best, &mut self.random);
            let limits = Limits { mocks: mocks(&best).saturating_sub(1), ..Limits::of(&best) };
            let found = self.first_of(candidate, &options, limits, host, until)?;
            let Some(fuller) = self.fuller(candidate, found, host, until)? else { break };
            best = fuller;
        }
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

    /// A test that has an object in the place of a `null` or mock, made simpler. None unless that was done
    /// to its end: the test without the object was.
    fn fuller(
        &mut self,
        candidate: &Candidate,
        found: Tried,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Option<TestCase>, Failure> {
        let Tried::Crashes(_, fuller) = found else { return Ok(None) };
        let (test, is_done) = self.simplified(candidate, fuller, host, until)?;
        Ok(is_done.then_some(test))
    }

    /// A test made simpler, and whether nothing simpler is left. Statements go first, so that a test that
    /// is cut short by time has few.
    fn simplified(
        &mut self,
        candidate: &Candidate,
        test: TestCase,
        host: &dyn Host,
        until: Duration,
    ) -> Result<(TestCase, bool), Failure> {
        let shorter = |workshop: &mut Workshop<'_>, test: &TestCase| workshop.shorter(test);
        let (test, is_done) = self.repeated(candidate, test, shorter, host, until)?;
        if !is_done {
            return Ok((test, false));
        }
        let simpler = |workshop: &mut Workshop<'_>, test: &TestCase| workshop.simpler(test);
        self.repeated(candidate, test, simpler, host, until)
    }

    /// A test after steps, as long as one of them leads to a test that crashes as wanted, and whether all
    /// were tried with the last one.
    fn repeated(
        &mut self,
        candidate: &Candidate,
        mut test: TestCase,
        steps: impl Fn(&mut Workshop<'_>, &TestCase) -> Vec<TestCase>,
        host: &dyn Host,
        until: Duration,
    ) -> Result<(TestCase, bool), Failure> {
        // The steps before this one were tried with the test as it was before: they come last.
        let mut tried = 0;
        for _ in 0..MOST_ROUNDS {
            let mut options = steps(&mut self.workshop, &test);
            let begin = tried.min(options.len());
            options.rotate_left(begin);
            match self.first_of(candidate, &options, Limits::of(&test), host, until)? {
                Tried::Crashes(place, simpler) => {
                    tried = (begin + place).checked_rem(options.len()).unwrap_or(0);
                    test = simpler;
                }
                Tried::Nothing => return Ok((test, true)),
                Tried::Cut => break,
            }
        }
        Ok((test, false))
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
        let is_within = |it: &TestCase| nulls(it) <= limits.nulls && mocks(it) <= limits.mocks;
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
            let found = tried.find(|((_, test), observation)| {
                let verdict = scoring.score(test, observation);
                verdict.is_reproduced() && (candidate.has_other_cause || !verdict.has_other_cause)
            });
            if let Some(((place, test), _)) = found {
                return Ok(Tried::Crashes(*place, test.clone()));
            }
        }
        Ok(Tried::Nothing)
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
