use std::collections::BTreeSet;

use super::Run;

/// A test that ended in different ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The test.
    pub test: String,
    /// How it ended in the one run; none when it did not run.
    pub one: Option<String>,
    /// How it ended in the other.
    pub other: Option<String>,
}

/// All tests that ended in different ways in two runs, by name.
pub fn differences(one: &Run, other: &Run) -> Vec<Difference> {
    let tests: BTreeSet<_> = one.tests.keys().chain(other.tests.keys()).collect();
    let result = |run: &Run, test: &str| run.tests.get(test).map(|it| it.result.clone());
    let pairs = tests.into_iter().map(|test| Difference {
        test: test.clone(),
        one: result(one, test),
        other: result(other, test),
    });
    pairs.filter(|it| it.one != it.other).collect()
}

/// The names of the tests that do not always end in the same way.
pub fn unstable(runs: &[Run]) -> BTreeSet<String> {
    let Some((first, others)) = runs.split_first() else { return BTreeSet::new() };
    others.iter().flat_map(|other| differences(first, other)).map(|it| it.test).collect()
}
