//! Crosses test cases.

use super::Workshop;
use super::builder::{Builder, Renaming};
use crate::{Random, TestCase};

impl Workshop<'_> {
    /// Two test cases that each have the beginning of one parent and the end of the other, cut at
    /// random places, with values made anew where some are missing then (guided single-point
    /// crossover; EvoCrash, algorithm 3). The ends hold target calls, so both children are guided.
    pub fn cross_over(
        &mut self,
        one: &TestCase,
        other: &TestCase,
        random: &mut Random,
    ) -> (TestCase, TestCase) {
        let (a, b) = (random.unit(), random.unit());
        let first = joined(self.builder(random), (one, a), (other, b)).unwrap_or_else(|| one.clone());
        let second = joined(self.builder(random), (other, b), (one, a)).unwrap_or_else(|| other.clone());
        (first, second)
    }
}

/// The first part of one test case followed by the last part of another, which keeps at least its
/// last statement. Both are cut at a place from 0, the start, to 1, the end.
fn joined(mut builder: Builder<'_, '_>, head: (&TestCase, f64), tail: (&TestCase, f64)) -> Option<TestCase> {
    let place = |(test, cut): (&TestCase, f64)| {
        let length = test.statements().len().saturating_sub(1);
        (cut * (length + 1) as f64) as usize
    };
    let (head_length, skipped) = (place(head), place(tail));
    let (head, tail) = (head.0.statements(), tail.0.statements());
    let mut names = Renaming::of(head.len());
    for (number, statement) in head.iter().enumerate().take(head_length) {
        let new = builder.copy(statement, &names);
        names.set(number, new);
    }
    let mut names = Renaming::of(tail.len());
    let last = tail.len().checked_sub(1)?;
    for (number, statement) in tail.iter().enumerate().skip(skipped) {
        let new = builder.copy(statement, &names);
        names.set(number, new);
        if number == last && new.is_none() {
            return None;
        }
    }
    (builder.draft.len() <= builder.tuning.longest_test).then(|| builder.draft.finish())
}
