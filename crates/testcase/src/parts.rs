//! Parts of test cases that make sense by themselves.

use std::collections::BTreeSet;

use crate::{Context, Kind, Statement, TestCase, Var, Vocabulary, check};

/// The test case without the statements that are invalid in a context, and without those that use their
/// values. The result is valid.
pub fn salvaged(test: &TestCase, vocabulary: &Vocabulary, context: &Context<'_>) -> TestCase {
    let mut test = test.clone();
    // Each round leaves out at least one statement.
    while let Err(found) = check(&test, vocabulary, context) {
        let invalid: BTreeSet<usize> = found.iter().map(|it| it.statement).collect();
        let is_kept = |number: usize| !invalid.contains(&number);
        test = with_only(&test, is_kept).0;
    }
    test
}

/// The test case without a statement and without those that use its value.
pub fn without(test: &TestCase, statement: usize) -> TestCase {
    with_only(test, |it| it != statement).0
}

/// The test case without values that no statement uses and that cost nothing to make: those of dropped
/// assertions.
pub fn tidied(test: &TestCase, vocabulary: &Vocabulary) -> TestCase {
    let mut is_used = vec![false; test.statements().len()];
    for (number, statement) in test.statements().iter().enumerate().rev() {
        if is_used.get(number) == Some(&false) && is_plain(statement, vocabulary) {
            continue;
        }
        if let Some(used) = is_used.get_mut(number) {
            *used = true;
        }
        statement.for_each_operand(|it| {
            if let Some(used) = is_used.get_mut(usize::from(it.0)) {
                *used = true;
            }
        });
    }
    with_only(test, |it| is_used.get(it) == Some(&true)).0
}

/// Whether a statement does nothing but yield a value, boxes of numbers included.
fn is_plain(statement: &Statement, vocabulary: &Vocabulary) -> bool {
    match statement {
        Statement::ReadField { .. } | Statement::ReadElement { .. } | Statement::Cast { .. } => true,
        Statement::Call { method, receiver: None, .. } => vocabulary.method(*method).is_some_and(|it| {
            let owner = vocabulary.type_of(it.owner).and_then(|it| it.class_name());
            &*it.name == "valueOf" && owner.is_some_and(|it| it.starts_with("java/lang/"))
        }),
        other => other.is_pure(),
    }
}

/// The test case up to a statement, as far as that depends on what comes before: statements whose values it
/// uses, and those that changed objects among these or static state.
pub fn sliced(test: &TestCase, at: usize, vocabulary: &Vocabulary) -> TestCase {
    let is_needed = slice(test, at, None, vocabulary);
    with_only(test, |it| is_needed.contains(&it)).0
}

/// The numbers of the statements that a [slice](sliced) has, and those that a further value needs.
pub(crate) fn slice(
    test: &TestCase,
    at: usize,
    further: Option<usize>,
    vocabulary: &Vocabulary,
) -> BTreeSet<usize> {
    let mut needed: BTreeSet<usize> = further.into_iter().chain([at]).collect();
    let before: Vec<(usize, &Statement)> = test.statements().iter().enumerate().take(at + 1).collect();
    for (number, statement) in before.into_iter().rev() {
        let changes_needed = changed(statement).is_some_and(|it| needed.contains(&usize::from(it.0)));
        if needed.contains(&number) || changes_needed || changes_statics(statement, vocabulary) {
            needed.insert(number);
            statement.for_each_operand(|it| {
                needed.insert(usize::from(it.0));
            });
        }
    }
    needed
}

/// The object that a statement may change.
fn changed(statement: &Statement) -> Option<Var> {
    match statement {
        Statement::Call { receiver, .. } | Statement::WriteField { receiver, .. } => *receiver,
        Statement::WriteElement { array: object, .. }
        | Statement::Stub { mock: object, .. }
        | Statement::Inject { receiver: object, .. } => Some(*object),
        _ => None,
    }
}

/// Whether a statement does nothing but change static state.
fn changes_statics(statement: &Statement, vocabulary: &Vocabulary) -> bool {
    match statement {
        Statement::WriteField { receiver: None, .. } => true,
        Statement::Call { method, receiver: None, .. } => vocabulary.method(*method).is_some_and(|it| {
            let is_void = vocabulary.type_of(it.result).is_some_and(|it| it.view().is_void());
            it.kind == Kind::Static && is_void
        }),
        _ => false,
    }
}

/// The statements that are kept and use values of kept ones only, and the new names of all old variables.
pub(crate) fn with_only(test: &TestCase, is_kept: impl Fn(usize) -> bool) -> (TestCase, Vec<Option<Var>>) {
    let mut names: Vec<Option<Var>> = Vec::with_capacity(test.statements().len());
    let mut kept: Vec<Statement> = Vec::new();
    for (number, statement) in test.statements().iter().enumerate() {
        let new = |old: Var| names.get(usize::from(old.0)).copied().flatten();
        let mut has_all = true;
        statement.for_each_operand(|it| has_all &= new(it).is_some());
        let name = (is_kept(number) && has_all).then(|| u16::try_from(kept.len()).ok().map(Var)).flatten();
        if name.is_some() {
            kept.push(statement.clone().with_operands(|old| new(old).unwrap_or(old)));
        }
        names.push(name);
    }
    (TestCase::new(kept), names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Literal, MethodId};

    fn call(receiver: u16, arguments: &[u16]) -> Statement {
        let arguments: Arguments = arguments.iter().map(|it| Var(*it)).collect();
        Statement::Call { method: MethodId(0), receiver: Some(Var(receiver)), arguments }
    }

    fn make() -> Statement {
        Statement::Construct { constructor: MethodId(1), arguments: Arguments::new() }
    }

    #[test]
    fn statements_go_with_those_whose_values_they_use() {
        let number = |it| Statement::Literal(Literal::Int(it));
        let test = TestCase::new(vec![make(), number(1), call(0, &[1]), number(2), call(0, &[3])]);
        assert_eq!(without(&test, 1).statements(), [make(), number(2), call(0, &[1])]);
    }

    #[test]
    fn a_slice_has_what_changed_its_objects() {
        // Two objects: what happens to the other one does not matter.
        let test = TestCase::new(vec![make(), make(), call(0, &[]), call(1, &[]), call(0, &[])]);
        let slice = sliced(&test, 4, &Vocabulary::default());
        assert_eq!(slice.statements(), [make(), call(0, &[]), call(0, &[])]);
    }
}
