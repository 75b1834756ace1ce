//! Switches over texts.
//!
//! The JVM switches over numbers only. Compilers switch over the hash code of a text, compare the text with
//! the constants of that hash code, and go on either to the code of the case (ECJ) or, through a number that
//! stands for the case, to a second switch which has it (javac).

use super::body::MethodBody;
use super::operation::{Comparison, Condition, Invoke, Literal, Operation, Switch};

/// A switch over a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSwitch {
    /// The call of `hashCode`, whose receiver is the text.
    pub hash: usize,
    /// The cases, by their hash codes.
    pub cases: Vec<TextCase>,
}

/// A case of a switch over a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCase {
    /// The constant.
    pub text: String,
    /// The instruction that decides for the case last: a switch, or a jump.
    pub decided_at: usize,
    /// The first instruction of its code.
    pub target: usize,
}

/// All switches over texts of a method, in code order.
pub fn text_switches(body: &MethodBody<'_>) -> Vec<TextSwitch> {
    let found = body.operations().filter(|(_, it)| is_hash_code(it)).filter_map(|(hash, _)| {
        let Operation::Switch(switch) = body.operation(hash + 1)? else { return None };
        let cases = switch.cases.iter().flat_map(|(_, target)| cases_at(body, *target)).collect();
        Some(TextSwitch { hash, cases })
    });
    found.collect()
}

fn is_hash_code(operation: &Operation<'_>) -> bool {
    matches!(operation, Operation::Invoke(it) if is_of_string(it, "hashCode"))
}

fn is_of_string(call: &Invoke<'_>, name: &str) -> bool {
    call.method.owner == "java/lang/String" && call.method.name == name
}

/// The cases whose texts have one hash code: comparisons, one after the other.
fn cases_at(body: &MethodBody<'_>, start: usize) -> Vec<TextCase> {
    let mut cases = Vec::new();
    let mut at = start;
    while let Some((text, jump)) = comparison_at(body, at) {
        let Some(Operation::Branch { condition, target }) = body.operation(jump) else { break };
        let (equal, other) = match condition {
            Condition::Zero(Comparison::Equal) => (jump + 1, *target),
            Condition::Zero(Comparison::NotEqual) => (*target, jump + 1),
            _ => break,
        };
        let (decided_at, target) = numbered(body, equal).unwrap_or((jump, equal));
        cases.push(TextCase { text, decided_at, target });
        if other <= at {
            break;
        }
        at = other;
    }
    cases
}

/// A comparison of a variable with a constant text, and the place of the jump behind it.
fn comparison_at(body: &MethodBody<'_>, at: usize) -> Option<(String, usize)> {
    let Operation::Load { .. } = body.operation(at)? else { return None };
    let Operation::Push(Literal::String(text)) = body.operation(at + 1)? else { return None };
    match body.operation(at + 2)? {
        Operation::Invoke(it) if is_of_string(it, "equals") => Some((text.to_str().into_owned(), at + 3)),
        _ => None,
    }
}

/// The second switch, and where it goes, if a number is stored for it.
fn numbered(body: &MethodBody<'_>, at: usize) -> Option<(usize, usize)> {
    let Operation::Push(Literal::Int(number)) = body.operation(at)? else { return None };
    let Operation::Store { slot, .. } = body.operation(at + 1)? else { return None };
    let next = match body.operation(at + 2)? {
        Operation::Goto { target } => *target,
        _ => at + 2,
    };
    let is_loaded = matches!(body.operation(next)?, Operation::Load { slot: loaded, .. } if loaded == slot);
    match body.operation(next + 1)? {
        Operation::Switch(switch) if is_loaded => Some((next + 1, target_of(switch, *number))),
        _ => None,
    }
}

fn target_of(switch: &Switch, number: i32) -> usize {
    let case = switch.cases.iter().find(|(key, _)| *key == number);
    case.map_or(switch.default, |(_, target)| *target)
}
