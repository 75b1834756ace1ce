//! What calls cost in time, as far as runs told, and how often tests with dear calls are made.
//!
//! A few calls that take milliseconds use up the time of hundreds of usual tests. So a test that gets
//! dear calls beyond those of the tests that it is made from is allowed with a probability: the usual
//! time of a test over the time of these calls. If most tests need a dear call, the usual time grows
//! with them, and all are allowed.

use super::experience::callee_of;
use super::memo::Memo;
use super::{TargetCalls, Tuning};
use crate::{Literal, MethodId, Random, Statement, TestCase};

/// Times of calls. Nothing is dear as long as no run was slow.
#[derive(Default)]
pub(super) struct Costs {
    /// For each callee, in tests without and with a huge number: a number may be a capacity.
    callees: Memo<[Cost; 2]>,
    /// The running mean of what the slow calls of a test take beyond the time of a test without any,
    /// in microseconds.
    usual_excess: f64,
    is_any_slow: bool,
}

/// What the calls of a method or constructor took.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    calls: u32,
    slow_calls: u32,
    /// Of the slow calls, in microseconds.
    time: u64,
}

impl Costs {
    /// Takes in the calls of a test, up to the first that did not complete, and how many microseconds
    /// some of its statements took.
    pub(super) fn add(&mut self, test: &TestCase, completed: usize, slow: &[(usize, u32)], tuning: &Tuning) {
        self.is_any_slow |= !slow.is_empty();
        let is_huge = has_huge_number(test);
        let statements = test.statements().iter().take(completed.saturating_add(1));
        for callee in statements.filter_map(callee_of) {
            if let Some(cost) = self.cost_mut(callee, is_huge) {
                cost.calls = cost.calls.saturating_add(1);
            }
        }
        for (statement, time) in slow {
            let callee = test.statements().get(*statement).and_then(callee_of);
            if let Some(cost) = callee.and_then(|it| self.cost_mut(it, is_huge)) {
                cost.slow_calls = cost.slow_calls.saturating_add(1);
                cost.time = cost.time.saturating_add(u64::from(*time));
            }
        }
        let excess: f64 = slow.iter().map(|(_, time)| f64::from(*time)).sum();
        self.usual_excess += (excess - self.usual_excess) / tuning.usual_time_memory.max(1) as f64;
    }

    /// The microseconds that the dear calls of a test are expected to take. Target calls do not count,
    /// since every test needs one. 0 as long as no run told of time, as in searches that count tests.
    pub(super) fn of(&self, test: &TestCase, target: &TargetCalls, tuning: &Tuning) -> f64 {
        if !self.is_any_slow {
            return 0.0;
        }
        let statements = test.statements().iter().filter(|it| target.find(it).is_none());
        let is_huge = has_huge_number(test);
        statements.filter_map(callee_of).map(|it| self.of_call(it, is_huge, tuning)).sum()
    }

    /// Whether a test is worth so many microseconds more than those that it was made from.
    pub(super) fn allow(&self, more: f64, tuning: &Tuning, random: &mut Random) -> bool {
        let usual = tuning.usual_time as f64 + self.usual_excess;
        more <= usual || random.chance((usual / more).max(tuning.dear_test))
    }

    fn cost_mut(&mut self, callee: MethodId, is_huge: bool) -> Option<&mut Cost> {
        let [usual, huge] = self.callees.or_default(callee.index())?;
        Some(if is_huge { huge } else { usual })
    }

    fn of_call(&self, callee: MethodId, is_huge: bool, tuning: &Tuning) -> f64 {
        let cost = self.callees.get(callee.index()).map(|[usual, huge]| if is_huge { huge } else { usual });
        match cost {
            None => tuning.first_call_time as f64,
            Some(cost) if cost.slow_calls as usize >= tuning.slow_calls.max(1) => {
                cost.time as f64 / f64::from(cost.calls.max(cost.slow_calls))
            }
            _ => 0.0,
        }
    }
}

/// Whether a test has a number that takes long if it is the length of something or a count.
fn has_huge_number(test: &TestCase) -> bool {
    const HUGE: i64 = 1 << 20;
    test.statements().iter().any(|it| match it {
        Statement::Literal(Literal::Int(number)) => i64::from(*number) >= HUGE,
        Statement::Literal(Literal::Long(number)) => *number >= HUGE,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Statement};

    const DEAR: MethodId = MethodId(1);
    const QUICK: MethodId = MethodId(2);

    fn test_of(method: MethodId) -> TestCase {
        TestCase::new([Statement::Call { method, receiver: None, arguments: Arguments::new() }])
    }

    fn cost(costs: &Costs, method: MethodId) -> f64 {
        costs.of(&test_of(method), &TargetCalls::default(), &Tuning::default())
    }

    #[test]
    fn the_cost_of_a_call_is_its_mean_slow_time() {
        let (mut costs, tuning) = (Costs::default(), Tuning::default());
        costs.add(&test_of(DEAR), 1, &[(0, 8000)], &tuning);
        assert_eq!(cost(&costs, DEAR), 0.0, "one slow call may be due to the machine");
        costs.add(&test_of(DEAR), 1, &[(0, 4000)], &tuning);
        assert_eq!(cost(&costs, DEAR), 6000.0);
        costs.add(&test_of(DEAR), 0, &[], &tuning);
        assert_eq!(cost(&costs, DEAR), 4000.0, "calls that throw count");
        assert_eq!(cost(&costs, QUICK), tuning.first_call_time as f64, "classes may have to be loaded");
        costs.add(&test_of(QUICK), 1, &[], &tuning);
        assert_eq!(cost(&costs, QUICK), 0.0);
    }

    #[test]
    fn nothing_is_dear_unless_runs_tell_of_time() {
        let (mut costs, tuning) = (Costs::default(), Tuning::default());
        assert_eq!(cost(&costs, QUICK), 0.0);
        costs.add(&test_of(DEAR), 1, &[], &tuning);
        assert_eq!((cost(&costs, QUICK), cost(&costs, DEAR)), (0.0, 0.0));
    }

    #[test]
    fn huge_numbers_have_costs_of_their_own() {
        let (mut costs, tuning) = (Costs::default(), Tuning::default());
        let with = |number| {
            let call = Statement::Call { method: DEAR, receiver: None, arguments: Arguments::new() };
            TestCase::new([Statement::Literal(Literal::Int(number)), call])
        };
        for _ in 0..tuning.slow_calls {
            costs.add(&with(7), 2, &[], &tuning);
            costs.add(&with(1 << 28), 2, &[(1, 50_000)], &tuning);
        }
        let cost = |number| costs.of(&with(number), &TargetCalls::default(), &tuning);
        assert_eq!((cost(1), cost(i32::MAX)), (0.0, 50_000.0));
    }

    #[test]
    fn tests_are_allowed_in_proportion_to_their_cost() {
        let (mut costs, tuning) = (Costs::default(), Tuning::default());
        let mut random = Random::new(1);
        let mut share = |costs: &Costs, more: f64| {
            (0..10_000).filter(|_| costs.allow(more, &tuning, &mut random)).count() as f64 / 10_000.0
        };
        let usual = tuning.usual_time as f64;
        assert_eq!(share(&costs, usual), 1.0);
        assert!((share(&costs, 4.0 * usual) - 0.25).abs() < 0.05);
        assert!((share(&costs, 1e9) - tuning.dear_test).abs() < 0.01, "they are still tried now and then");
        let slow = [(0, 4 * tuning.usual_time as u32)];
        (0..10 * tuning.usual_time_memory).for_each(|_| costs.add(&test_of(DEAR), 1, &slow, &tuning));
        assert_eq!(share(&costs, 4.0 * usual), 1.0, "if all tests are dear, dear tests are usual");
    }
}
