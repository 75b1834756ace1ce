//! Names in the messages of exceptions with which programs refuse something.
//!
//! "path.home is not configured" says which key was missing, better than any list of keys that were looked
//! up.

use super::Tuning;
use super::experience::{Experience, callee_of, is_part_in_any_case};
use crate::{Literal, Statement, TestCase, Text};

/// Names in messages of exceptions of the program that ended tests.
#[derive(Default)]
pub(super) struct Complaints {
    names: Vec<Text>,
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

    /// Whether the message of an exception that ended a test is worth a look: the first ones are, and some
    /// of the others.
    pub(super) fn is_due(&mut self, tuning: &Tuning) -> bool {
        self.tests = self.tests.saturating_add(1);
        let is_due = self.looks < tuning.first_complaints
            || self.looks.saturating_mul(tuning.complaints_looked_at.max(1)) < self.tests;
        self.looks += usize::from(is_due);
        is_due && self.names.len() < tuning.complaints
    }

    /// Adds names in the message of the exception that ended a test, as far as the test does not have them.
    /// Whether one is new.
    pub(super) fn add(&mut self, names: &[&str], test: &TestCase, tuning: &Tuning) -> bool {
        let known = self.names.len();
        for name in names {
            let name = Text::from(*name);
            let is_own = |it: &Statement| match it {
                Statement::Literal(Literal::Text(text)) => is_part_in_any_case(&name, text),
                _ => false,
            };
            let has_room = self.names.len() < tuning.complaints;
            if has_room && !self.names.contains(&name) && !test.statements().iter().any(is_own) {
                self.names.push(name);
            }
        }
        self.names.len() > known
    }
}

impl Experience<'_> {
    /// Notes names in the message of the exception that ended a test. The callee that tells a new one gets
    /// another chance.
    pub(super) fn add_complaint(
        &mut self,
        words: &[&str],
        test: &TestCase,
        completed: usize,
        tuning: &Tuning,
    ) {
        if self.complaints.add(words, test, tuning)
            && let Some(callee) = test.statements().get(completed).and_then(callee_of)
        {
            self.callees.here_mut().forgive(|it| it == callee);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Complaints;
    use crate::workshop::Tuning;
    use crate::{Literal, Statement, TestCase, Text};

    #[test]
    fn names_that_a_test_has_itself_are_none() {
        let (mut complaints, tuning) = (Complaints::default(), Tuning::default());
        let test = TestCase::new([Statement::Literal(Literal::Text(Text::from("a.Key of mine")))]);
        assert!(complaints.add(&["a.key", "other.key"], &test, &tuning));
        assert!(!complaints.add(&["other.key"], &test, &tuning), "it is known");
        assert_eq!(complaints.names(), &[Text::from("other.key")]);
    }

    #[test]
    fn of_very_many_messages_only_some_are_looked_at() {
        let (mut complaints, mut tuning) = (Complaints::default(), Tuning::default());
        (tuning.first_complaints, tuning.complaints_looked_at) = (10, 4);
        let looks = (0..100).filter(|_| complaints.is_due(&tuning)).count();
        assert!((20..30).contains(&looks), "{looks}");
    }
}
