//! Tests that did something new, though they may be no nearer to the crash than others.

use std::hash::{BuildHasher, Hash};

use crashback_protocol::{Observation, Position};
use crashback_testcase::{Random, TestCase};
use hashbrown::HashSet;

/// The most tests that are kept; the oldest goes first.
const MOST_TESTS: usize = 64;

/// The most things that are remembered. Programs that go on to do new things tell nothing by them.
const MOST_SEEN: usize = 1 << 16;

/// The tests of an arm that were the first to take a branch, reach a block or throw an exception of
/// a class, as fuzzers keep theirs. From them a search that is stuck goes on in other directions.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    tests: Vec<TestCase>,
    /// The place in `tests` that the next one takes.
    next: usize,
    /// Hashes of all that tests did.
    seen: HashSet<u64>,
}

/// Something that an execution did.
#[derive(Hash)]
enum Deed<'a> {
    Reached(u32, Position),
    Jumped(u32, Position),
    Fell(u32, Position),
    /// Where it threw is left out: the innermost frames of the JDK may differ from run to run.
    Threw(&'a str),
}

impl Corpus {
    /// Keeps a test if its execution did something new.
    pub(crate) fn see(&mut self, test: &TestCase, observation: &Observation) {
        let facts = &observation.facts;
        let mut is_new = false;
        for it in &facts.reached {
            is_new |= self.note(&Deed::Reached(it.probe, it.position));
        }
        for it in &facts.branches {
            is_new |= it.to_jump <= 0.0 && self.note(&Deed::Jumped(it.probe, it.position));
            is_new |= it.to_fall <= 0.0 && self.note(&Deed::Fell(it.probe, it.position));
        }
        if let Some(thrown) = observation.thrown() {
            is_new |= self.note(&Deed::Threw(&thrown.class));
        }
        if is_new {
            self.keep(test.clone());
        }
    }

    fn note(&mut self, deed: &Deed<'_>) -> bool {
        let hash = self.seen.hasher().hash_one(deed);
        self.seen.len() < MOST_SEEN && self.seen.insert(hash)
    }

    fn keep(&mut self, test: TestCase) {
        match self.tests.get_mut(self.next) {
            Some(oldest) => *oldest = test,
            None => self.tests.push(test),
        }
        self.next = (self.next + 1) % MOST_TESTS;
    }

    /// One of the tests.
    pub(crate) fn draw(&self, random: &mut Random) -> Option<&TestCase> {
        random.pick(&self.tests)
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Branch, Facts, Outcome, Throwable};
    use crashback_testcase::{Literal, Statement};

    use super::*;

    fn test(number: i32) -> TestCase {
        TestCase::new(vec![Statement::Literal(Literal::Int(number))])
    }

    fn branch(probe: u32, to_jump: f64) -> Observation {
        let branch = Branch { probe, position: Position::OUTSIDE, to_jump, to_fall: 1.0 - to_jump };
        let facts = Facts { branches: [branch].into_iter().collect(), ..Facts::default() };
        Observation { facts, ..Observation::bare(Outcome::Returned, 1) }
    }

    fn thrown(class: &str) -> Observation {
        let class = class.to_owned();
        let thrown =
            Throwable { class, message: None, frames: Vec::new(), cause: None, suppressed: Vec::new() };
        let facts = Facts { throwables: vec![thrown], ..Facts::default() };
        Observation { facts, ..Observation::bare(Outcome::Threw, 0) }
    }

    #[test]
    fn the_first_test_that_does_something_is_kept() {
        let mut corpus = Corpus::default();
        assert!(corpus.draw(&mut Random::new(1)).is_none());
        let runs =
            [branch(7, 0.0), branch(7, 0.0), branch(7, 1.0), thrown("a.A"), thrown("a.A"), thrown("a.B")];
        for (number, observation) in (0..).zip(&runs) {
            corpus.see(&test(number), observation);
        }
        assert_eq!(corpus.tests, [test(0), test(2), test(3), test(5)]);
    }

    #[test]
    fn the_oldest_go_first() {
        let mut corpus = Corpus::default();
        let most = i32::try_from(MOST_TESTS).unwrap();
        for number in 0..most + 2 {
            corpus.see(&test(number), &branch(number.unsigned_abs(), 0.0));
        }
        assert_eq!(corpus.tests.len(), MOST_TESTS);
        assert_eq!(corpus.tests.first(), Some(&test(most)));
        assert_eq!(corpus.tests.get(2), Some(&test(2)));
    }
}
