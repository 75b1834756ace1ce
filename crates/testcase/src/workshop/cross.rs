use super::Workshop;
use super::draft::Draft;
use super::replay::Renaming;
use crate::{Random, TestCase};

impl Workshop<'_> {
    /// Two test cases that each have the beginning of one parent and the end of the other, cut at
    /// random places, with what is then missing made anew (guided single-point crossover; EvoCrash,
    /// algorithm 3). The ends hold the entries, so both children are guided.
    pub fn cross_over(
        &mut self,
        one: &TestCase,
        other: &TestCase,
        random: &mut Random,
    ) -> (TestCase, TestCase) {
        let (a, b) = (random.unit(), random.unit());
        let first = self.joined(one, a, other, b, random).unwrap_or_else(|| one.clone());
        let second = self.joined(other, b, one, a, random).unwrap_or_else(|| other.clone());
        (first, second)
    }

    /// The first part of one test case followed by the last part of another, which keeps at least
    /// its last statement.
    fn joined(
        &mut self,
        head: &TestCase,
        head_cut: f64,
        tail: &TestCase,
        tail_cut: f64,
        random: &mut Random,
    ) -> Option<TestCase> {
        let place = |test: &TestCase, cut: f64| {
            let length = test.statements().len().saturating_sub(1);
            (cut * (length + 1) as f64) as usize
        };
        let (head_length, skipped) = (place(head, head_cut), place(tail, tail_cut));
        let mut draft = Draft::default();
        let mut names = Renaming::of(head.statements().len());
        for (number, statement) in head.statements().iter().enumerate().take(head_length) {
            let new = self.replay(&mut draft, statement, &names, random);
            names.set(number, new);
        }
        let mut names = Renaming::of(tail.statements().len());
        let last = tail.statements().len().checked_sub(1)?;
        for (number, statement) in tail.statements().iter().enumerate().skip(skipped) {
            let new = self.replay(&mut draft, statement, &names, random);
            names.set(number, new);
            if number == last && new.is_none() {
                return None;
            }
        }
        (draft.len() <= self.tuning.longest_test).then(|| draft.finish())
    }
}
