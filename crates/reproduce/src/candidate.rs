//! Tests that were confirmed, and which of them is the best.

use std::cmp::Reverse;

use crashback_protocol::Receiver;
use crashback_testcase::{Literal, Statement, TestCase};

use crate::Degree;
use crate::progress::Origin;
use crate::schedule::{ArmFacts, ArmId};
use crate::usefulness::Usefulness;

/// A test that crashes as wanted with other pins and in a fresh JVM.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The arm whose frame it reproduces.
    pub(crate) arm: ArmId,
    /// When it was found, and the arm that made it: the test lies in that arm's package and ends with
    /// a call that leads to that arm's frame.
    pub(crate) origin: Origin,
    pub(crate) level: u32,
    /// Where the arm looks for the exception.
    pub(crate) searched: Degree,
    /// Where the exception is seen.
    pub(crate) degree: Degree,
    /// The receiver of the exception, if it does not leave the test.
    pub(crate) receiver: Option<Receiver>,
    pub(crate) test: TestCase,
    /// The same as the algorithm has it: without the getter that yields the exception, and maybe with
    /// statements that never run.
    pub(crate) found: TestCase,
    /// Whether its exception has another cause than the crash, as the message tells.
    pub(crate) has_other_cause: bool,
    /// Whether the message of its exception says the same as the log's.
    pub(crate) has_logged_message: bool,
    /// How useful it is compared with others of its frame and degree.
    pub(crate) usefulness: Usefulness,
}

/// All candidates of a crash, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    found: Vec<Candidate>,
    /// The verified test above which another is looked for.
    inner: Option<Inner>,
}

/// A verified test that needs no better one. Only frames above it are of use that its exception does not
/// leave in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inner {
    pub(crate) level: u32,
    pub(crate) degree: Degree,
}

impl Inner {
    fn is_below(self, level: u32, degree: Degree) -> bool {
        level > self.level && degree > self.degree
    }
}

impl Candidates {
    pub(crate) fn add(&mut self, candidate: Candidate) {
        self.found.push(candidate);
    }

    /// The best: any before one with another cause, then one whose exception escapes, then that of the
    /// highest frame, then the most useful. Above a verified test the frame comes before the degree.
    pub(crate) fn best(&self) -> Option<&Candidate> {
        match self.inner {
            None => self
                .found
                .iter()
                .max_by_key(|it| (!it.has_other_cause, Reverse(it.degree), it.level, Reverse(it.usefulness))),
            Some(inner) => {
                let above = self.found.iter().filter(|it| inner.is_below(it.level, it.degree));
                above.max_by_key(|it| {
                    (!it.has_other_cause, it.level, Reverse(it.degree), Reverse(it.usefulness))
                })
            }
        }
    }

    /// From now on only tests count that reproduce a frame above a verified test's, at a worse degree.
    pub(crate) fn look_above(&mut self, inner: Inner) {
        self.inner = Some(inner);
    }

    /// Whether the best of them is at least as good as any test that an arm could find.
    pub(crate) fn make_needless(&self, arm: &ArmFacts) -> bool {
        let best = self.best().filter(|it| !it.has_other_cause);
        if let Some(inner) = self.inner {
            return !inner.is_below(arm.level, arm.degree) || best.is_some_and(|it| it.level >= arm.level);
        }
        best.is_some_and(|best| {
            // An exception that is looked for where the program puts it may leave the test as a cause.
            let is_alike = arm.degree == best.degree || arm.degree == best.searched;
            arm.degree >= best.degree && !(is_alike && arm.level > best.level)
        })
    }

    /// Forgets tests of lower frames.
    pub(crate) fn forget_below(&mut self, level: u32) {
        self.found.retain(|it| it.level >= level);
    }

    /// Forgets a test of an arm that does not do what it seemed to do.
    pub(crate) fn remove(&mut self, arm: ArmId, found: &TestCase) {
        self.found.retain(|it| it.arm != arm || it.found != *found);
    }
}

/// How many mocks a test uses.
pub(crate) fn mocks(test: &TestCase) -> u32 {
    count(test, |it| matches!(it, Statement::Mock(_) | Statement::Spy { .. }))
}

/// How many `null`s a test passes.
pub(crate) fn nulls(test: &TestCase) -> u32 {
    count(test, |it| matches!(it, Statement::Literal(Literal::Null(_))))
}

fn count(test: &TestCase, is_counted: impl Fn(&Statement) -> bool) -> u32 {
    u32::try_from(test.statements().iter().filter(|it| is_counted(it)).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn candidate(level: u32, degree: Degree, has_other_cause: bool) -> Candidate {
        let test = TestCase::new([]);
        Candidate {
            arm: level as usize,
            origin: Origin { maker: level as usize, pursuit: 0, evaluations: 0, elapsed: Duration::ZERO },
            level,
            searched: degree,
            degree,
            receiver: None,
            found: test.clone(),
            test,
            has_other_cause,
            has_logged_message: false,
            usefulness: Usefulness::default(),
        }
    }

    fn arm(level: u32, degree: Degree) -> ArmFacts {
        ArmFacts::of(level, degree)
    }

    #[test]
    fn doubt_ranks_before_degree_and_degree_before_level() {
        let ranked = [
            candidate(9, Degree::Escapes, true),
            candidate(8, Degree::Caught, false),
            candidate(7, Degree::Cause, false),
            candidate(2, Degree::Escapes, false),
            candidate(3, Degree::Escapes, false),
        ];
        let mut candidates = Candidates::default();
        for candidate in ranked {
            let level = candidate.level;
            candidates.add(candidate);
            assert_eq!(candidates.best().map(|it| it.level), Some(level));
        }
        candidates.remove(3, &TestCase::new([]));
        assert_eq!(candidates.best().map(|it| it.level), Some(2));
    }

    #[test]
    fn a_candidate_makes_lower_frames_and_worse_degrees_needless() {
        let mut candidates = Candidates::default();
        assert!(!candidates.make_needless(&arm(1, Degree::Escapes)));
        candidates.add(candidate(3, Degree::Cause, false));
        let is_needless = |level, degree| candidates.make_needless(&arm(level, degree));
        assert!(is_needless(3, Degree::Cause) && is_needless(2, Degree::Cause));
        assert!(!is_needless(4, Degree::Cause), "a higher frame is better");
        assert!(!is_needless(1, Degree::Escapes), "a better degree is better at any frame");
        assert!(is_needless(9, Degree::Caught), "a worse degree is worse at any frame");
    }

    #[test]
    fn a_candidate_with_another_cause_makes_nothing_needless() {
        let mut candidates = Candidates::default();
        candidates.add(candidate(3, Degree::Escapes, true));
        assert!(!candidates.make_needless(&arm(1, Degree::Escapes)));
    }

    #[test]
    fn above_a_verified_test_frames_come_before_degrees() {
        let mut candidates = Candidates::default();
        candidates.add(candidate(2, Degree::Escapes, false));
        candidates.look_above(Inner { level: 2, degree: Degree::Escapes });
        assert!(candidates.best().is_none(), "the verified test itself is no candidate any more");
        let is_needless = |it: &Candidates, level, degree| it.make_needless(&arm(level, degree));
        assert!(is_needless(&candidates, 3, Degree::Escapes), "arms of the same degree had their time");
        assert!(is_needless(&candidates, 2, Degree::Caught) && !is_needless(&candidates, 3, Degree::Cause));
        candidates.add(candidate(3, Degree::Cause, false));
        candidates.add(candidate(5, Degree::Caught, false));
        assert_eq!(candidates.best().map(|it| it.level), Some(5));
        assert!(is_needless(&candidates, 4, Degree::Cause) && !is_needless(&candidates, 6, Degree::Caught));
    }

    #[test]
    fn an_arm_for_swallowed_exceptions_may_find_causes() {
        let mut candidates = Candidates::default();
        candidates.add(Candidate { searched: Degree::Caught, ..candidate(3, Degree::Cause, false) });
        assert!(!candidates.make_needless(&arm(4, Degree::Caught)));
    }
}
