use super::{Change, Mutator, Old, other_value, replacement};
use crate::workshop::Tuning;
use crate::workshop::builder::Builder;
use crate::{Answer, Random, Statement, TypeId, Var};

/// Changes the value that is written to an element, injected or answered.
pub(super) struct ChangeValue;

impl Mutator for ChangeValue {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_change_value
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        match old.statement {
            Statement::WriteElement { .. } | Statement::Stub { .. } | Statement::Inject { .. } => {
                let kept = old.copy(builder);
                if let Statement::Stub { mock, .. } = old.statement
                    && let Some(mock) = old.original.names.get(*mock)
                {
                    builder.note_purpose(mock, old.original);
                }
                Change::To(kept.and_then(|it| with_other_value(builder, it)))
            }
            _ => Change::Pass,
        }
    }
}

/// The last statement, a write, again with another value. The old one is taken away.
pub(super) fn with_other_value(builder: &mut Builder<'_, '_>, kept: Var) -> Option<Var> {
    let statement = builder.draft.statement(kept)?.clone();
    let Some((old, wanted)) = value_of(builder, &statement)? else { return Some(kept) };
    builder.draft.take_last()?;
    let expected = match &statement {
        Statement::WriteField { field, .. } | Statement::Inject { field, .. } => {
            builder.catalogue.expected_of_field(*field)
        }
        Statement::Stub { method, answer: Answer::Return(_) | Answer::Sequence { .. }, .. } => {
            builder.expected_answer(*method)
        }
        _ => None,
    };
    let request = replacement(builder, wanted).with_expected(expected.as_deref());
    let new = other_value(builder, old, &request)?;
    let changed = match statement {
        Statement::WriteField { field, receiver, .. } => {
            Statement::WriteField { field, receiver, value: new }
        }
        Statement::WriteElement { array, index, .. } => Statement::WriteElement { array, index, value: new },
        Statement::Inject { field, receiver, .. } => Statement::Inject { field, receiver, value: new },
        Statement::Stub { mock, method, given, answer } => {
            let answer = with_new(answer, new, builder.tuning, builder.random);
            builder.writable_answer(mock, method, given, answer)?
        }
        other => other,
    };
    builder.draft.push(changed, None)
}

/// The value that a statement writes or answers, and the type that another must have. The inner none
/// means that it has none that can be changed.
fn value_of(builder: &mut Builder<'_, '_>, statement: &Statement) -> Option<Option<(Var, TypeId)>> {
    let catalogue = &mut *builder.catalogue;
    Some(Some(match statement {
        Statement::WriteField { field, value, .. } | Statement::Inject { field, value, .. } => {
            (*value, catalogue.vocabulary.field(*field)?.of)
        }
        Statement::WriteElement { array, value, .. } => {
            let element = catalogue.vocabulary.type_of(builder.draft.value(*array).of?)?.element()?;
            (*value, catalogue.vocabulary.add_type(element))
        }
        Statement::Stub { method, given: Some(_), answer: Answer::Return(value), .. } => {
            (*value, builder.draft.value(*value).of.or_else(|| catalogue.result_of(*method))?)
        }
        Statement::Stub {
            mock,
            method,
            answer: Answer::Return(value) | Answer::Sequence { then: value, .. },
            ..
        } => {
            let result = catalogue.result_of(*method)?;
            let bound = builder.bound_answer(*mock, *method).map(|it| it.of);
            let bound =
                bound.filter(|it| *it != result && builder.random.chance(builder.tuning.answer_of_bound));
            (*value, bound.unwrap_or_else(|| builder.answer_type(result)))
        }
        Statement::Stub { answer: Answer::Call { callback, value }, .. } => {
            let called = catalogue.vocabulary.method(callback.method)?;
            match called.parameters.get(usize::from(callback.place)) {
                Some(wanted) => (*value, *wanted),
                None => return Some(None),
            }
        }
        _ => return Some(None),
    }))
}

/// An answer with another value: instead of the old one or, where the first call may get another
/// than those that follow, before or behind it.
fn with_new(answer: Answer, new: Var, tuning: &Tuning, random: &mut Random) -> Answer {
    match answer {
        Answer::Return(old) if random.chance(tuning.answer_sequence) => match random.coin() {
            true => Answer::Sequence { first: old, then: new },
            false => Answer::Sequence { first: new, then: old },
        },
        Answer::Sequence { first, .. } if random.chance(tuning.answer_sequence) => Answer::Return(first),
        Answer::Return(_) => Answer::Return(new),
        Answer::Sequence { first, .. } => Answer::Sequence { first, then: new },
        Answer::Nothing => Answer::Nothing,
        Answer::Throw(_) => Answer::Throw(new),
        Answer::Call { callback, .. } => Answer::Call { callback, value: new },
    }
}
