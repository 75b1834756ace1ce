use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use crashback_testcase::{MethodId, Statement, TestCase};
use smallvec::{SmallVec, smallvec};

use super::weighted_sum::WeightedSum;
use super::{Execution, Function, ObjectiveValues};
use crate::assessment::normalise;
use crate::target::Target;

/// MO-HO (Derakhshanfar and others: Good Things Come In Threes: Improving Search-based Crash
/// Reproduction With Helper Objectives, 2020): the weighted sum with two objectives beside it that
/// keep tests different and short, φ(number of statements) and the similarity of a test's calls to
/// those of other tests.
///
/// The paper compares a test with the population, which a fitness function does not see. Here it is
/// compared with the tests that were scored last.
pub(super) struct Helpers {
    primary: WeightedSum,
    recent: RefCell<RecentCalls>,
}

impl Helpers {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self { primary: WeightedSum::new(target), recent: RefCell::default() }
    }
}

impl Function for Helpers {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        self.primary.distance(execution)
    }

    fn objectives(&self, distance: f64, execution: &Execution<'_>) -> ObjectiveValues {
        let length = normalise(execution.test.statements().len() as f64);
        smallvec![distance, length, self.recent.borrow_mut().add(execution.test)]
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}

/// How many tests one is compared with: a population, as the paper has it.
const RECENT: usize = 50;

/// The methods and constructors that a test calls, each once, in order.
type Callees = SmallVec<[MethodId; 8]>;

/// The calls of the tests that were scored last.
#[derive(Default)]
struct RecentCalls {
    tests: VecDeque<Callees>,
    /// How many of these tests call a callee; never 0.
    counts: BTreeMap<MethodId, u32>,
}

impl RecentCalls {
    /// The similarity of a test to those before it, and takes it in: the share of callees, among
    /// all that it or one of them calls, on which it agrees with them, on average. That is 1 -
    /// Hamming distance of the vectors of callees, divided by their length. 0 for the first.
    fn add(&mut self, test: &TestCase) -> f64 {
        let callees = callees(test);
        let similarity = self.similarity(&callees);
        if self.tests.len() == RECENT {
            self.forget();
        }
        for callee in &callees {
            *self.counts.entry(*callee).or_default() += 1;
        }
        self.tests.push_back(callees);
        similarity
    }

    fn similarity(&self, callees: &[MethodId]) -> f64 {
        let tests = self.tests.len().max(1) as f64;
        let share = |callee: &MethodId| f64::from(self.counts.get(callee).copied().unwrap_or(0)) / tests;
        let others = callees.iter().filter(|it| !self.counts.contains_key(it)).count();
        let all = (self.counts.len() + others) as f64;
        if all <= 0.0 || self.tests.is_empty() {
            return if self.tests.is_empty() { 0.0 } else { 1.0 };
        }
        let called: f64 = self.tests.iter().map(|it| it.len() as f64).sum::<f64>() / tests;
        // A callee that the test leaves out agrees with the tests that do so, too.
        let agreeing = all - called + callees.iter().map(|it| 2.0 * share(it) - 1.0).sum::<f64>();
        (agreeing / all).clamp(0.0, 1.0)
    }

    /// Drops the oldest test.
    fn forget(&mut self) {
        for callee in self.tests.pop_front().into_iter().flatten() {
            if let Some(count) = self.counts.get_mut(&callee) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&callee);
                }
            }
        }
    }
}

fn callees(test: &TestCase) -> Callees {
    let called = test.statements().iter().filter_map(|it| match it {
        Statement::Call { method, .. } => Some(*method),
        Statement::Construct { constructor, .. } => Some(*constructor),
        _ => None,
    });
    let mut callees: Callees = called.collect();
    callees.sort_unstable();
    callees.dedup();
    callees
}
