//! Probes at conditional jumps for the variables that they compare.

use super::Weaver;
use super::jumps::Comparison;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::variables::{VariableSort, WatchedVariable};
use crate::{Refusal, ValueKind};

impl Weaver<'_, '_, '_> {
    /// The variables that the plan means; without a word of it all operands of all jumps.
    pub(super) fn variables(&mut self) -> Result<(), Refusal> {
        let (class, method) = self.names()?;
        let plan = self.plan;
        let watched = plan.watched_variables(&class, &method);
        for comparison in self.comparisons()? {
            let Some(probe) = variable_method(comparison.operands) else { continue };
            let variables = match watched {
                Some(watched) => of_jump(watched, &comparison),
                None => all_of(&comparison),
            };
            for variable in variables {
                let id = self.register(comparison.offset, ProbeKind::Variable(variable))?;
                let snippet = self.observation(probe, comparison.operands, Some(id))?;
                self.edits.before(comparison.before, snippet);
            }
        }
        Ok(())
    }
}

/// The watched variables among the operands of a jump.
fn of_jump(watched: &[WatchedVariable], comparison: &Comparison) -> Vec<WatchedVariable> {
    let is_meant = |it: &&WatchedVariable| {
        it.offset == comparison.offset && (!it.is_second || comparison.operands.len() > 1)
    };
    watched.iter().filter(is_meant).copied().collect()
}

/// All operands of a jump, as their kinds say.
fn all_of(comparison: &Comparison) -> Vec<WatchedVariable> {
    let variable = |(place, kind): (usize, &ValueKind)| {
        let is_reference = *kind == ValueKind::Reference;
        let sort = if is_reference { VariableSort::Reference } else { VariableSort::Number };
        WatchedVariable { offset: comparison.offset, is_second: place > 0, sort, has_point: false }
    };
    comparison.operands.iter().enumerate().map(variable).collect()
}

/// The probe for a variable among such values.
fn variable_method(operands: &[ValueKind]) -> Option<ProbeMethod> {
    use ValueKind as Kind;
    Some(match operands {
        [Kind::Int] => ProbeMethod::VariableInt,
        [Kind::Int, _] => ProbeMethod::VariableInts,
        [Kind::Long, _] => ProbeMethod::VariableLongs,
        [Kind::Float, _] => ProbeMethod::VariableFloats,
        [Kind::Double, _] => ProbeMethod::VariableDoubles,
        [Kind::Reference] => ProbeMethod::VariableReference,
        [Kind::Reference, _] => ProbeMethod::VariableReferences,
        _ => return None,
    })
}
