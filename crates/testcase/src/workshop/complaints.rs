//! Names of what programs miss: those in messages of exceptions with which they refuse something, and those
//! that they looked up in vain before an exception.
//!
//! "path.home is not configured" says which key was missing, better than any list of keys that were looked
//! up. Where the message does not say so, the latest look-ups do.

use super::Tuning;
use super::experience::{Experience, callee_of, is_part_in_any_case};
use crate::{Literal, MethodId, Statement, TestCase, Text};

/// Names that the program missed in tests which it ended with an exception.
#[derive(Default)]
pub(super) struct Complaints {
    names: Vec<Text>,
    /// The names that each callee missed, in the order of the callees' first complaints.
    of_callees: Vec<(MethodId, Vec<Text>)>,
    /// Tests that ended with an exception.
    tests: usize,
    /// Messages that were looked at.
    looks: usize,
}

impl Complaints {
    /// The names, the earliest first.
    pub(super) fn names(&self) -> &[Text] {
        &self.names
    }

    /// Callees with the names that each of them missed, the earliest first.
    pub(super) fn of_callees(&self) -> &[(MethodId, Vec<Text>)] {
        &self.of_callees
    }

    /// Whether an exception that ended a test is worth a look: the first ones are, and some of the others.
    pub(super) fn is_due(&mut self, tuning: &Tuning) -> bool {
        self.tests = self.tests.saturating_add(1);
        let is_due = self.looks < tuning.first_complaints
            || self.looks.saturating_mul(tuning.complaints_looked_at.max(1)) < self.tests;
        self.looks += usize::from(is_due);
        is_due && self.names.len() < tuning.complaints
    }

    /// Adds names that a callee missed, as far as the test does not have them. Whether one is new to it.
    pub(super) fn add(
        &mut self,
        names: &[&str],
        callee: Option<MethodId>,
        test: &TestCase,
        tuning: &Tuning,
    ) -> bool {
        let mut is_new = false;
        for name in names {
            let name = Text::from(*name);
            let is_own = |it: &Statement| match it {
                Statement::Literal(Literal::Text(text)) => is_part_in_any_case(&name, text),
                _ => false,
            };
            if test.statements().iter().any(is_own) {
                continue;
            }
            if self.names.len() < tuning.complaints && !self.names.contains(&name) {
                self.names.push(name.clone());
                is_new = true;
            }
            is_new |= callee.is_some_and(|it| self.add_of_callee(it, name, tuning));
        }
        is_new
    }

    /// Whether the name is new to the callee.
    fn add_of_callee(&mut self, callee: MethodId, name: Text, tuning: &Tuning) -> bool {
        let place = self.of_callees.iter().position(|(it, _)| *it == callee);
        let Some((_, known)) = place.and_then(|it| self.of_callees.get_mut(it)) else {
            let has_room = self.of_callees.len() < tuning.complaints;
            self.of_callees.extend(has_room.then(|| (callee, vec![name])));
            return has_room;
        };
        let is_new = known.len() < tuning.names_of_callee && !known.contains(&name);
        known.extend(is_new.then_some(name));
        is_new
    }
}

impl Experience<'_> {
    /// Notes names that the program missed in a test that ended. The callee that tells a new one gets
    /// another chance.
    pub(super) fn add_complaint(
        &mut self,
        names: &[&str],
        test: &TestCase,
        completed: usize,
        tuning: &Tuning,
    ) {
        let callee = test.statements().get(completed).and_then(callee_of);
        if self.complaints.add(names, callee, test, tuning)
            && let Some(callee) = callee
        {
            self.callees.here_mut().forgive(|it| it == callee);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Complaints;
    use crate::workshop::Tuning;
    use crate::{Literal, MethodId, Statement, TestCase, Text};

    #[test]
    fn names_that_a_test_has_itself_are_none() {
        let (mut complaints, tuning) = (Complaints::default(), Tuning::default());
        let test = TestCase::new([Statement::Literal(Literal::Text(Text::from("a.Key of mine")))]);
        assert!(complaints.add(&["a.key", "other.key"], None, &test, &tuning));
        assert!(!complaints.add(&["other.key"], None, &test, &tuning), "it is known");
        assert_eq!(complaints.names(), &[Text::from("other.key")]);
    }

    #[test]
    fn names_belong_to_the_callees_that_missed_them() {
        let (mut complaints, mut tuning) = (Complaints::default(), Tuning::default());
        tuning.names_of_callee = 2;
        let test = TestCase::new([]);
        for (callee, name, is_new) in
            [(1, "a", true), (2, "b", true), (1, "b", true), (1, "b", false), (1, "c", true), (1, "c", false)]
        {
            let callee = Some(MethodId(callee));
            assert_eq!(complaints.add(&[name], callee, &test, &tuning), is_new, "{callee:?} {name}");
        }
        let text = |it: &str| Text::from(it);
        let (first, second) = (vec![text("a"), text("b")], vec![text("b")]);
        assert_eq!(complaints.of_callees(), &[(MethodId(1), first), (MethodId(2), second)]);
    }

    #[test]
    fn of_very_many_messages_only_some_are_looked_at() {
        let (mut complaints, mut tuning) = (Complaints::default(), Tuning::default());
        (tuning.first_complaints, tuning.complaints_looked_at) = (10, 4);
        let looks = (0..100).filter(|_| complaints.is_due(&tuning)).count();
        assert!((20..30).contains(&looks), "{looks}");
    }
}
