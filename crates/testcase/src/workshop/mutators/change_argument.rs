use super::change_maker::is_possible;
use super::change_value::with_other_value;
use super::{Change, Mutator, Old, other_value, replacement};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Original, Request};
use crate::{Arguments, Kind, Statement, TypeId, Var};

/// Changes an argument of a call, or the value that is written to a field.
pub(super) struct ChangeArgument;

impl Mutator for ChangeArgument {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_change_argument
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        if !is_possible(old.statement) {
            return Change::Pass;
        }
        let Some(kept) = old.copy(builder) else { return Change::To(None) };
        match builder.random.one_in(builder.tuning.operand_not_maker) {
            true => Change::To(with_other_argument(builder, kept, &[], old.original)),
            false => Change::Pass,
        }
    }
}

/// Changes an argument of the target call.
pub(super) struct ChangeTargetArgument;

impl Mutator for ChangeTargetArgument {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.mutator_change_argument
    }

    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change {
        let Some(kept) = old.copy(builder) else { return Change::To(None) };
        let call = builder.target.find(old.statement);
        let narrower = call.map(|it| it.parameters.as_slice()).unwrap_or_default();
        Change::To(with_other_argument(builder, kept, narrower, old.original))
    }
}

/// The last statement again, with a new value for one of its arguments, which may be of narrower
/// types. The old one is taken away.
fn with_other_argument(
    builder: &mut Builder<'_, '_>,
    kept: Var,
    narrower: &[TypeId],
    original: Original<'_>,
) -> Option<Var> {
    let statement = builder.draft.statement(kept)?.clone();
    let (callee, receiver, old) = match &statement {
        Statement::Construct { constructor, arguments } => (*constructor, None, arguments.clone()),
        Statement::Call { method, receiver, arguments } => (*method, *receiver, arguments.clone()),
        Statement::WriteField { .. } => return with_other_value(builder, kept),
        _ => return Some(kept),
    };
    if old.is_empty() {
        return Some(kept);
    }
    builder.draft.take_last()?;
    let number = builder.random.place(old.len());
    let method = builder.catalogue.vocabulary.method(callee)?;
    let owner = method.owner;
    let parameter = *method.parameters.get(number)?;
    let is_constructor = method.kind == Kind::Constructor;
    let is_outer = number == 0 && is_constructor && builder.catalogue.has_outer_instance(owner);
    let bindings = builder.bindings_on(receiver, callee, Some(original));
    let bound = builder.catalogue.bound_parameter(callee, number, Some(&bindings));
    let bound_type = bound.as_ref().map(|it| it.of).filter(|it| builder.catalogue.fits(*it, parameter));
    let of = narrower.get(number).copied().or(bound_type).unwrap_or(parameter);
    let type_arguments = bound.map(|it| it.arguments).unwrap_or_default();
    let expected = builder.catalogue.expected(callee, number);
    let request = replacement(builder, of).with_type_arguments(&type_arguments);
    let request = request.with_expected(expected.as_deref());
    let new = other_value(builder, *old.get(number)?, &Request { nullable: !is_outer, ..request })?;
    let mut arguments: Arguments = old;
    *arguments.get_mut(number)? = new;
    match statement {
        Statement::Call { method, receiver, .. } => builder.push_call(method, receiver, arguments),
        _ => builder.draft.push(Statement::Construct { constructor: callee, arguments }, Some(owner)),
    }
}
