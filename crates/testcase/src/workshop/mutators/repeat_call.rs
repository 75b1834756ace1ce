use crate::workshop::builder::{Builder, Original};
use crate::{Literal, Statement, Text, Var};

/// Whether a call is to be repeated rather than a new one inserted.
pub(super) fn is_wanted(builder: &mut Builder<'_, '_>) -> bool {
    builder.tuning.mutator_repeat_call && builder.random.chance(builder.tuning.repeat_call)
}

/// Repeats a call of the test, or a new one, as a loop would: so often as code mentions or compares
/// with, or twice. Test cases have no loops, so the calls are written one by one.
pub(super) fn repeat(builder: &mut Builder<'_, '_>, receiver: Option<Var>, original: Original<'_>) {
    let Some(statement) = repeated_call(builder, receiver, original) else { return };
    let Statement::Call { method, receiver, arguments } = statement else { return };
    let known = builder.draft.statements().filter(|it| is_same_call(it, method, receiver)).count();
    let most = builder.tuning.longest_repetition;
    let Some(wanted) = builder.greater_length(known.max(1), most) else { return };
    let counted = counted_argument(builder, &arguments);
    for number in known..wanted {
        if builder.draft.len() + 2 > builder.tuning.longest_repeating_test {
            return;
        }
        let mut arguments = arguments.clone();
        if let Some((place, literal)) = &counted
            && let Some(next) = counted_up(literal, number)
            && let Some(next) = builder.push_literal(next)
            && let Some(argument) = arguments.get_mut(*place)
        {
            *argument = next;
        }
        if builder.push_call(method, receiver, arguments).is_none() {
            return;
        }
    }
}

/// A call of an object that the test has already, or else a new one.
fn repeated_call(
    builder: &mut Builder<'_, '_>,
    receiver: Option<Var>,
    original: Original<'_>,
) -> Option<Statement> {
    let is_call = |it: &&Statement| matches!(it, Statement::Call { receiver: Some(_), .. });
    let count = builder.draft.statements().filter(is_call).count();
    if count > 0 && builder.random.coin() {
        let place = builder.random.place(count);
        return builder.draft.statements().filter(is_call).nth(place).cloned();
    }
    let length = builder.draft.len();
    builder.insert_call(receiver, Some(original));
    let last = builder.draft.statements().last().filter(|_| builder.draft.len() > length);
    last.filter(is_call).cloned()
}

fn is_same_call(statement: &Statement, of: crate::MethodId, on: Option<Var>) -> bool {
    matches!(statement, Statement::Call { method, receiver, .. } if *method == of && *receiver == on)
}

/// The first argument that can count up, by chance, and its literal.
fn counted_argument(builder: &mut Builder<'_, '_>, arguments: &[Var]) -> Option<(usize, Literal)> {
    if !builder.random.chance(builder.tuning.repeat_counting) {
        return None;
    }
    arguments.iter().enumerate().find_map(|(place, argument)| match builder.draft.statement(*argument)? {
        Statement::Literal(literal) => counted_up(literal, 1).map(|_| (place, literal.clone())),
        _ => None,
    })
}

/// The literal that stands so many steps behind another; none for types that do not count.
fn counted_up(literal: &Literal, steps: usize) -> Option<Literal> {
    let step = i64::try_from(steps).ok()?;
    Some(match literal {
        Literal::Byte(it) => Literal::Byte(it.wrapping_add(step as i8)),
        Literal::Short(it) => Literal::Short(it.wrapping_add(step as i16)),
        Literal::Char(it) => Literal::Char(it.wrapping_add(step as u16)),
        Literal::Int(it) => Literal::Int(it.wrapping_add(step as i32)),
        Literal::Long(it) => Literal::Long(it.wrapping_add(step)),
        Literal::Float(it) => Literal::Float(it + step as f32),
        Literal::Double(it) => Literal::Double(it + step as f64),
        Literal::Text(it) => {
            let digits = steps.to_string();
            let units: Vec<u16> = it.units().iter().copied().chain(digits.encode_utf16()).collect();
            Literal::Text(Text::from(units.as_slice()))
        }
        _ => return None,
    })
}
