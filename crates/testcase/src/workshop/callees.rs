//! Outcomes of calls: callees that hang, that never succeed, that yield nothing but `null`.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::Tuning;
use super::memo::Memo;
use crate::{MethodId, Statement, Var};

/// Outcomes of calls of methods and constructors.
#[derive(Default)]
pub(super) struct Callees {
    /// Hangs and failed initialisers.
    bad_outcomes: Memo<usize>,
    /// Calls that threw.
    failures: Memo<Streak>,
    /// Calls that yielded `null`.
    nulls: Memo<Streak>,
    /// Failures of callees that never succeeded on objects in other states than new ones.
    in_states: BTreeMap<MethodId, InStates>,
}

/// How often a callee threw in each state, and behind each method that was called on the object.
#[derive(Default)]
struct InStates {
    states: BTreeMap<State, usize>,
    behind: BTreeMap<MethodId, usize>,
}

impl InStates {
    fn has_chance(&self, state: &State, tuning: &Tuning) -> bool {
        let most = tuning.give_up_in_state;
        let times = self.states.get(state).copied().unwrap_or_default();
        let is_seldom = |it: &MethodId| self.behind.get(it).is_none_or(|times| *times < most);
        state.0.iter().any(is_seldom) || self.states.len() < tuning.failed_states && times < most
    }

    fn add(&mut self, state: State, tuning: &Tuning) {
        for method in &state.0 {
            *self.behind.entry(*method).or_default() += 1;
        }
        if self.states.len() < tuning.failed_states || self.states.contains_key(&state) {
            *self.states.entry(state).or_default() += 1;
        }
    }
}

/// How often something happened that may happen always.
#[derive(Clone, Copy, Debug)]
enum Streak {
    Always(usize),
    Sometimes,
}

/// The methods that were called on an object, in no order: all that a test tells of its state. The
/// default is an object on which none was called.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(SmallVec<[MethodId; 8]>);

impl State {
    /// The state of an object before a statement. Calls whose result it is, as those of fluent methods,
    /// count for it as well.
    pub(super) fn of<'s>(
        object: Var,
        before: impl DoubleEndedIterator<Item = (usize, &'s Statement)>,
    ) -> Self {
        let (mut methods, mut object) = (SmallVec::<[MethodId; 8]>::new(), object);
        for (number, statement) in before.rev() {
            let Statement::Call { method, receiver: Some(receiver), .. } = statement else { continue };
            if number == usize::from(object.0) {
                object = *receiver;
            } else if *receiver != object {
                continue;
            }
            if !methods.contains(method) {
                methods.push(*method);
            }
        }
        methods.sort_unstable();
        Self(methods)
    }

    /// The state of the object that a statement calls a method of.
    pub(super) fn of_receiver(statements: &[Statement], number: usize) -> Self {
        match statements.get(number) {
            Some(Statement::Call { receiver: Some(receiver), .. }) => {
                Self::of(*receiver, statements.iter().enumerate().take(number))
            }
            _ => Self::default(),
        }
    }
}

impl Callees {
    /// Whether a callee had too many bad outcomes.
    pub(super) fn is_blacklisted(&self, method: MethodId, tuning: &Tuning) -> bool {
        self.bad_outcomes.get(method.index()).is_some_and(|it| *it >= tuning.blacklist_after)
    }

    /// Whether a callee threw all of many times, and on objects in a state as well, or in so many states
    /// that there is no hope for it.
    pub(super) fn always_fails_in(&self, method: MethodId, state: &State, tuning: &Tuning) -> bool {
        if !always_happens(&self.failures, method, tuning.give_up_after) {
            return false;
        }
        let known = self.in_states.get(&method);
        state.0.is_empty() || known.is_some_and(|it| !it.has_chance(state, tuning))
    }

    /// Whether a callee threw so often that there is no hope for it, whatever the state.
    pub(super) fn always_fails(&self, method: MethodId, tuning: &Tuning) -> bool {
        let times = match self.in_states.contains_key(&method) {
            true => tuning.failed_states.max(tuning.give_up_after),
            false => tuning.give_up_after,
        };
        always_happens(&self.failures, method, times)
    }

    /// How often a callee that never succeeded threw.
    pub(super) fn failures(&self, method: MethodId) -> usize {
        match self.failures.get(method.index()) {
            Some(Streak::Always(times)) => *times,
            _ => 0,
        }
    }

    /// Whether a callee has ever succeeded; none as long as it was not called.
    pub(super) fn has_succeeded(&self, method: MethodId) -> Option<bool> {
        let streak = self.failures.get(method.index());
        streak.map(|it| matches!(it, Streak::Sometimes))
    }

    /// Whether a method has yielded nothing but `null`, many times.
    pub(super) fn always_yields_null(&self, method: MethodId, tuning: &Tuning) -> bool {
        always_happens(&self.nulls, method, tuning.give_up_after)
    }

    /// Counts a bad outcome of a callee.
    pub(super) fn add_bad_outcome(&mut self, method: MethodId) {
        if let Some(count) = self.bad_outcomes.or_default(method.index()) {
            *count += 1;
        }
    }

    /// Forgets that some callees never succeeded: something is known now that they may have lacked.
    pub(super) fn forgive(&mut self, is_meant: impl Fn(MethodId) -> bool) {
        for (method, streak) in self.failures.iter_mut() {
            let method = u32::try_from(method).map(MethodId);
            if matches!(streak, Streak::Always(_)) && method.is_ok_and(&is_meant) {
                *streak = Streak::Always(0);
            }
        }
        self.in_states.retain(|method, _| !is_meant(*method));
    }

    /// Counts a call that succeeded.
    pub(super) fn add_success(&mut self, method: MethodId, is_null: bool) {
        count(&mut self.failures, method, false);
        count(&mut self.nulls, method, is_null);
    }

    /// Counts a call that threw on an object in a state.
    pub(super) fn add_failure(&mut self, method: MethodId, state: impl FnOnce() -> State, tuning: &Tuning) {
        count(&mut self.failures, method, true);
        if matches!(self.failures.get(method.index()), Some(Streak::Sometimes)) {
            return;
        }
        let state = state();
        if !state.0.is_empty() {
            self.in_states.entry(method).or_default().add(state, tuning);
        }
    }
}

fn count(streaks: &mut Memo<Streak>, method: MethodId, happened: bool) {
    let next = match streaks.get(method.index()) {
        Some(Streak::Sometimes) => return,
        _ if !happened => Streak::Sometimes,
        None => Streak::Always(1),
        Some(Streak::Always(times)) => Streak::Always(times.saturating_add(1)),
    };
    streaks.put(method.index(), next);
}

fn always_happens(streaks: &Memo<Streak>, method: MethodId, times: usize) -> bool {
    matches!(streaks.get(method.index()), Some(Streak::Always(so_often)) if *so_often >= times)
}

#[cfg(test)]
mod tests {
    use super::{Callees, State};
    use crate::workshop::Tuning;
    use crate::{Arguments, Literal, MethodId, Statement, Var};

    const START: MethodId = MethodId(1);

    fn call(method: u32, receiver: u16) -> Statement {
        Statement::Call {
            method: MethodId(method),
            receiver: Some(Var(receiver)),
            arguments: Arguments::new(),
        }
    }

    fn state(methods: &[u32]) -> State {
        let made = Statement::Literal(Literal::Int(0));
        let statements: Vec<Statement> =
            [made].into_iter().chain(methods.iter().map(|it| call(*it, 0))).chain([call(1, 0)]).collect();
        State::of_receiver(&statements, statements.len() - 1)
    }

    #[test]
    fn a_state_is_the_set_of_methods_that_were_called() {
        assert_eq!(state(&[]), State::default());
        assert_eq!(state(&[3, 5]), state(&[5, 3, 5]));
        assert_ne!(state(&[3]), state(&[5]));
        let made = Statement::Literal(Literal::Int(0));
        let chained = [made, call(3, 0), call(5, 1), call(1, 2)];
        assert_eq!(
            State::of_receiver(&chained, 3),
            state(&[3, 5]),
            "results of fluent methods are one object"
        );
        assert_eq!(State::of_receiver(&chained, 1), State::default());
    }

    #[test]
    fn one_success_outweighs_all_failures() {
        let (mut callees, tuning) = (Callees::default(), Tuning::default());
        assert_eq!(callees.has_succeeded(START), None, "it was not called");
        callees.add_failure(START, State::default, &tuning);
        assert_eq!(callees.has_succeeded(START), Some(false));
        callees.add_success(START, true);
        callees.add_failure(START, State::default, &tuning);
        assert_eq!(callees.has_succeeded(START), Some(true));
    }

    #[test]
    fn a_callee_that_failed_gets_another_chance_in_another_state() {
        let (mut callees, mut tuning) = (Callees::default(), Tuning::default());
        tuning.failed_states = 3;
        let fail = |callees: &mut Callees, state: &State, tuning: &Tuning| {
            callees.add_failure(START, || state.clone(), tuning);
        };
        let new = State::default();
        (0..tuning.give_up_after).for_each(|_| fail(&mut callees, &new, &tuning));
        assert!(callees.always_fails_in(START, &new, &tuning));
        for state in [state(&[3]), state(&[5]), state(&[3, 5])] {
            assert!(!callees.always_fails_in(START, &state, &tuning));
            (0..tuning.give_up_in_state).for_each(|_| fail(&mut callees, &state, &tuning));
            assert!(callees.always_fails_in(START, &state, &tuning));
        }
        assert!(!callees.always_fails_in(START, &state(&[3, 7]), &tuning), "one method is new");
        (0..tuning.give_up_in_state).for_each(|_| fail(&mut callees, &state(&[7]), &tuning));
        assert!(callees.always_fails_in(START, &state(&[3, 7]), &tuning), "the number of states is bounded");
        callees.add_success(START, false);
        assert!(!callees.always_fails_in(START, &state(&[3, 7]), &tuning));
    }
}
