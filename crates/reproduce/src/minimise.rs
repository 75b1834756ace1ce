//! Tests as people would write them: short, with plain values, without needless `null`s.

use std::time::Duration;

use crashback_protocol::{Failure, Isolation, Receiver};
use crashback_testcase::{Literal, Statement, TestCase};

use crate::Event;
use crate::engine::{Candidate, Engine};

/// How many times the test is made simpler at most.
const MOST_ROUNDS: usize = 200;

impl Engine<'_, '_> {
    /// The simplest test found that still crashes as wanted, at worst the candidate's own, and who
    /// receives the exception if it does not leave the test.
    pub(crate) fn minimised(
        &mut self,
        candidate: &Candidate,
        until: Duration,
    ) -> Result<(TestCase, Option<Receiver>), Failure> {
        let aimed = self.aim_at(candidate.search);
        let Some(level) = aimed.filter(|_| !self.host.is_interrupted()) else {
            return Ok((candidate.test.clone(), candidate.receiver));
        };
        self.host.tell(Event::Minimising { frame: level });
        let mut best = self.simplified(candidate, candidate.test.clone(), until)?;
        // Meaningful arguments win over null where both crash in the same way.
        for _ in 0..nulls(&best) {
            let options = {
                let (workshop, random) = self.workshop_and_random();
                workshop.without_nulls(&best, random)
            };
            let below = Needs { nulls: nulls(&best).saturating_sub(1), mocks: u32::MAX };
            let Some(fuller) = self.first_of(candidate, options, below)? else { break };
            best = self.simplified(candidate, fuller, until)?;
        }
        // So do real objects over mocks.
        for _ in 0..mocks(&best) {
            let options = {
                let (workshop, random) = self.workshop_and_random();
                workshop.without_mocks(&best, random)
            };
            let below = Needs { nulls: nulls(&best), mocks: mocks(&best).saturating_sub(1) };
            let Some(fuller) = self.first_of(candidate, options, below)? else { break };
            best = self.simplified(candidate, fuller, until)?;
        }
        let seen = self.seen(candidate.search, &best)?.filter(|it| candidate.is_twin || !it.is_twin);
        Ok(seen.map_or_else(|| (candidate.test.clone(), candidate.receiver), |seen| (best, seen.receiver)))
    }

    fn simplified(
        &mut self,
        candidate: &Candidate,
        mut test: TestCase,
        until: Duration,
    ) -> Result<TestCase, Failure> {
        for _ in 0..MOST_ROUNDS {
            if self.host.is_interrupted() || self.host.elapsed() >= until {
                break;
            }
            let options = self.workshop.simpler(&test);
            let most = Needs { nulls: nulls(&test), mocks: mocks(&test) };
            match self.first_of(candidate, options, most)? {
                Some(simpler) => test = simpler,
                None => break,
            }
        }
        Ok(test)
    }

    /// The first test that crashes as wanted and needs no more than so much that a reader would not
    /// miss.
    fn first_of(
        &mut self,
        candidate: &Candidate,
        mut options: Vec<TestCase>,
        most: Needs,
    ) -> Result<Option<TestCase>, Failure> {
        options.retain(|it| nulls(it) <= most.nulls && mocks(it) <= most.mocks);
        if options.is_empty() {
            return Ok(None);
        }
        let verdicts = self.reproduces(candidate, &options, Isolation::Reset)?;
        Ok(options.into_iter().zip(verdicts).find(|(_, crashes)| *crashes).map(|(it, _)| it))
    }
}

/// What a test does without, if it can.
#[derive(Clone, Copy)]
struct Needs {
    nulls: u32,
    mocks: u32,
}

/// How many mocks a test uses.
pub(crate) fn mocks(test: &TestCase) -> u32 {
    let is_mock = |it: &&Statement| matches!(it, Statement::Mock(_));
    u32::try_from(test.statements().iter().filter(is_mock).count()).unwrap_or(u32::MAX)
}

/// How many `null`s a test passes.
pub(crate) fn nulls(test: &TestCase) -> u32 {
    let is_null = |it: &&Statement| matches!(it, Statement::Literal(Literal::Null(_)));
    u32::try_from(test.statements().iter().filter(is_null).count()).unwrap_or(u32::MAX)
}
