//! Tests as people would write them: short, with plain values, without needless `null`s and mocks.

use std::time::Duration;

use crashback_protocol::{Asked, Batch, Failure, Isolation, Receiver};
use crashback_testcase::TestCase;

use crate::arm::Arm;
use crate::candidate::{Candidate, mocks, nulls};
use crate::{Event, Host};

use super::Search;
use super::confirm::{ALONE_MINIMISED, MINIMISING, Seen};

/// How many times the test is made simpler at most.
const MOST_ROUNDS: usize = 200;

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

impl Search<'_> {
    /// The simplest test found that still crashes as wanted among others, at worst the candidate's own,
    /// and the receiver of the exception if it does not leave the test.
    pub(crate) fn minimise(
        &mut self,
        candidate: &Candidate,
        host: &mut dyn Host,
        until: Duration,
    ) -> Result<(TestCase, Option<Receiver>), Failure> {
        if host.is_interrupted() {
            return Ok((candidate.test.clone(), candidate.receiver));
        }
        self.target(candidate.maker);
        host.tell(Event::Minimising { frame: candidate.level });
        let mut best = self.simplified(candidate, candidate.test.clone(), host, until)?;
        host.expect_test(mocks(&best) > 0);
        // Meaningful arguments win over null where both crash in the same way.
        for _ in 0..nulls(&best) {
            let options = self.workshop.without_nulls(&best, &mut self.random);
            let limits = Limits { nulls: nulls(&best).saturating_sub(1), mocks: u32::MAX };
            let found = self.first_of(candidate, &options, limits, host, until)?;
            let Some((_, fuller)) = found else { break };
            best = self.simplified(candidate, fuller, host, until)?;
        }
        // So do real objects over mocks.
        for _ in 0..mocks(&best) {
            let options = self.workshop.without_mocks(&best, &mut self.random);
            let limits = Limits { mocks: mocks(&best).saturating_sub(1), ..Limits::of(&best) };
            let found = self.first_of(candidate, &options, limits, host, until)?;
            let Some((_, fuller)) = found else { break };
            best = self.simplified(candidate, fuller, host, until)?;
        }
        let listens = self.arms.get(candidate.arm).is_some_and(Arm::listens);
        // Verification, which comes next, is a run in a JVM of its own as well. Only the receiver of an
        // exception must be known before.
        if !listens || best == candidate.test {
            return Ok((best, candidate.receiver));
        }
        let seen = self.seen_alone(candidate, &best)?;
        let seen = seen.filter(|it| candidate.has_other_cause || !it.has_other_cause);
        let own = || (candidate.test.clone(), candidate.receiver);
        Ok(seen.map_or_else(own, |seen| (best, seen.receiver)))
    }

    fn simplified(
        &mut self,
        candidate: &Candidate,
        mut test: TestCase,
        host: &dyn Host,
        until: Duration,
    ) -> Result<TestCase, Failure> {
        // The steps before this one were tried with the test as it was before: they come last.
        let mut tried = 0;
        for _ in 0..MOST_ROUNDS {
            let mut options = self.workshop.simpler(&test);
            let begin = tried.min(options.len());
            options.rotate_left(begin);
            match self.first_of(candidate, &options, Limits::of(&test), host, until)? {
                Some((place, simpler)) => {
                    tried = (begin + place).checked_rem(options.len()).unwrap_or(0);
                    test = simpler;
                }
                None => break,
            }
        }
        Ok(test)
    }

    /// The first test within limits that crashes as wanted, for no other cause unless the candidate's
    /// own is another already, and its place. None when time is up.
    fn first_of(
        &mut self,
        candidate: &Candidate,
        options: &[TestCase],
        limits: Limits,
        host: &dyn Host,
        until: Duration,
    ) -> Result<Option<(usize, TestCase)>, Failure> {
        let is_within = |it: &TestCase| nulls(it) <= limits.nulls && mocks(it) <= limits.mocks;
        let (places, options): (Vec<usize>, Vec<TestCase>) =
            (0..).zip(options).filter(|(_, it)| is_within(it)).map(|(at, it)| (at, it.clone())).unzip();
        let Some(arm) = self.arms.get_mut(candidate.arm) else { return Ok(None) };
        let vocabulary = self.workshop.vocabulary();
        let (isolation, listens) = (self.runner.strict_isolation(), arm.listens());
        for (places, tests) in places.chunks(TRIED_AT_ONCE).zip(options.chunks(TRIED_AT_ONCE)) {
            if host.is_interrupted() || host.elapsed() >= until {
                break;
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
                return Ok(Some((*place, test.clone())));
            }
        }
        Ok(None)
    }

    /// The calls that mocks of a test answer without having been told what to answer.
    pub(crate) fn asked(&mut self, candidate: &Candidate, test: &TestCase) -> Result<Vec<Asked>, Failure> {
        let listens = self.arms.get(candidate.arm).is_some_and(Arm::listens);
        let (vocabulary, tests) = (self.workshop.vocabulary(), std::slice::from_ref(test));
        let (isolation, pins) = (self.runner.strict_isolation(), MINIMISING);
        let results = self.runner.run(Batch { vocabulary, tests, isolation, pins, listens })?;
        Ok(results.observations.into_iter().next().map(|it| it.facts.asked).unwrap_or_default())
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
