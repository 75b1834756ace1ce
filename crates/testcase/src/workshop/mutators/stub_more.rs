use crate::workshop::builder::{Builder, Original};
use crate::{Statement, TestCase, Var};

/// Lets a mock of a test answer with objects where code relied on them.
pub(super) fn answer_relied_on(
    builder: &mut Builder<'_, '_>,
    original: Original<'_>,
    number: usize,
    new: Option<Var>,
) {
    if !builder.experience.relies_on_any() {
        return;
    }
    let test = original.test;
    let old = test.statements().get(number);
    let Some(new) = new.filter(|it| builder.draft.statement(*it) == old) else { return };
    let Some(Statement::Mock(mock) | Statement::Spy { mock, .. }) = old else { return };
    let known = stubs_of(test, number);
    builder.note_purpose(new, original);
    builder.answer_relied_on(new, *mock, &known, builder.tuning.depth_of_insertions);
}

/// Lets a mock of a test answer one more of the calls that mocks like it were asked. `new` is the
/// variable that stands for the statement with a number now.
pub(super) fn stub_more(
    builder: &mut Builder<'_, '_>,
    original: Original<'_>,
    number: usize,
    new: Option<Var>,
) {
    if !builder.tuning.mutator_stub_more {
        return;
    }
    let test = original.test;
    // A mock may have become another value.
    let old = test.statements().get(number);
    let Some(new) = new.filter(|it| builder.draft.statement(*it) == old) else { return };
    let Some(Statement::Mock(mock) | Statement::Spy { mock, .. }) = old else { return };
    if builder.random.chance(builder.tuning.stub_more) {
        let known = stubs_of(test, number);
        builder.note_purpose(new, original);
        builder.stub_more(new, *mock, &known, builder.tuning.depth_of_insertions);
    }
}

/// The answers of a mock that a test has.
fn stubs_of(test: &TestCase, number: usize) -> Vec<Statement> {
    let is_of = |it: &&Statement| matches!(it, Statement::Stub { mock, .. } if usize::from(mock.0) == number);
    test.statements().iter().filter(is_of).cloned().collect()
}
