//! Conditions on which instructions depend, as Java writes them.

use std::collections::BTreeMap;

use crashback_classfile::JavaStr;
use serde::Serialize;

use super::body::MethodBody;
use super::cfg::{BlockId, Cfg, Edge, EdgeKind};
use super::dominance::{ControlDependence, Flow};
use super::operation::{Comparison, Condition, Invoke, Literal, Operation, Operator};
use super::provenance::{Definition, Provenance, Value};
use super::variables::LocalVariables;
use crate::names::simple_name;

/// A condition that decides whether an execution reaches some instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Guard {
    /// The line on which it is decided.
    pub line: Option<u32>,
    /// How it must turn out: `separator >= 0`. An ellipsis stands for what the bytecode does not tell
    /// simply.
    pub condition: String,
}

/// How deep expressions are written out.
const MAX_DEPTH: usize = 4;
/// How much of a string literal is shown.
const MAX_TEXT: usize = 60;

/// The conditions that decide whether an execution of a method reaches one of some instructions, in code
/// order. Of conditions on different ways to them any may do.
pub fn guards(body: &MethodBody<'_>, variables: &LocalVariables<'_>, targets: &[usize]) -> Vec<Guard> {
    let cfg = Cfg::of(body);
    let Ok(provenance) = Provenance::of(body, &cfg) else { return Vec::new() };
    let control = ControlDependence::of(&cfg, Flow::Normal);
    let levels = control.approach(&cfg, targets.iter().filter_map(|it| cfg.block_at(*it)));
    let mut decisions: BTreeMap<BlockId, Vec<&Edge>> = BTreeMap::new();
    for edge in levels.edges().filter_map(|(id, _)| cfg.edge(id)) {
        decisions.entry(edge.from).or_default().push(edge);
    }
    let speaker = Speaker { body, provenance: &provenance, variables };
    decisions
        .iter()
        .filter_map(|(block, edges)| speaker.guard(cfg.block(*block)?.instructions.end, edges))
        .collect()
}

/// Writes values as expressions.
struct Speaker<'s, 'b, 'a> {
    body: &'s MethodBody<'a>,
    provenance: &'s Provenance<'b, 'a>,
    variables: &'s LocalVariables<'a>,
}

impl<'a> Speaker<'_, '_, 'a> {
    /// The decision at the end of a block, which must take one of some edges.
    fn guard(&self, end: usize, edges: &[&Edge]) -> Option<Guard> {
        let at = end.checked_sub(1)?;
        let kinds: Vec<EdgeKind> = edges.iter().map(|it| it.kind).collect();
        let condition = match (self.body.operation(at)?, kinds.as_slice()) {
            (Operation::Branch { condition, .. }, [kind]) if !kind.is_exception() => {
                self.condition(at, *condition, *kind == EdgeKind::Taken)
            }
            (Operation::Switch(switch), kinds) => {
                let keys: Vec<i32> = switch.cases.iter().map(|(key, _)| *key).collect();
                self.case(at, &keys, kinds)?
            }
            (_, [EdgeKind::Exception(handler), ..]) => {
                let handler = self.body.handlers().get(*handler)?;
                let class = handler.catch_type.map_or_else(|| "an exception".to_owned(), class_name);
                format!("{class} is thrown and caught")
            }
            // Both sides lead on, by different ways.
            _ => return None,
        };
        Some(Guard { line: self.body.line_of(at), condition })
    }

    fn condition(&self, jump: usize, condition: Condition, holds: bool) -> String {
        let operands: Vec<Value> = self.provenance.operands(jump).collect();
        let text = |place: usize| operands.get(place).map_or_else(ellipsis, |it| self.value(it, MAX_DEPTH));
        let equality = |is_equal: bool| if is_equal == holds { "==" } else { "!=" };
        match condition {
            Condition::Null(is_null) => format!("{} {} null", text(0), equality(is_null)),
            Condition::Same(is_same) => format!("{} {} {}", text(0), equality(is_same), text(1)),
            Condition::Ints(comparison) => self.relation(&operands, symbol(comparison, holds)),
            Condition::Zero(comparison) => self.with_zero(operands.first(), symbol(comparison, holds)),
        }
    }

    /// A value against zero: a truth value, the result of a compare instruction, or a number.
    fn with_zero(&self, value: Option<&Value>, symbol: &str) -> String {
        let Some(value) = value else { return ellipsis() };
        let pushed = value.pushed_by.and_then(|it| Some((it, self.body.operation(it)?)));
        if let Some((at, Operation::Compute { operator: Operator::Compare, .. })) = pushed {
            let operands: Vec<Value> = self.provenance.operands(at).collect();
            return self.relation(&operands, symbol);
        }
        let text = self.value(value, MAX_DEPTH);
        match (self.type_of(value).as_deref(), symbol) {
            (Some("Z"), "!=") => text,
            (Some("Z"), "==") if text.contains(' ') => format!("!({text})"),
            (Some("Z"), "==") => format!("!{text}"),
            _ => format!("{text} {symbol} 0"),
        }
    }

    /// Two values, of which a number beside a character is written as one.
    fn relation(&self, operands: &[Value], symbol: &str) -> String {
        let is_char = |it: &&Value| self.type_of(it).as_deref() == Some("C");
        let has_char = operands.iter().any(|it| is_char(&it));
        let text = |value: &Value| match self.number(value).filter(|_| has_char) {
            Some(code) => format!("{code:?}"),
            None => self.value(value, MAX_DEPTH),
        };
        match operands {
            [first, second] => format!("{} {symbol} {}", text(first), text(second)),
            _ => ellipsis(),
        }
    }

    /// The character whose code a value is a constant of.
    fn number(&self, value: &Value) -> Option<char> {
        match self.body.operation(value.pushed_by?)? {
            Operation::Push(Literal::Int(code)) => char::from_u32(u32::try_from(*code).ok()?),
            _ => None,
        }
    }

    fn case(&self, at: usize, keys: &[i32], kinds: &[EdgeKind]) -> Option<String> {
        let value =
            self.provenance.operands(at).next().map_or_else(ellipsis, |it| self.value(&it, MAX_DEPTH));
        let wanted: Vec<String> = kinds
            .iter()
            .filter_map(|it| match it {
                EdgeKind::Case(key) => Some(key.to_string()),
                _ => None,
            })
            .collect();
        if !kinds.contains(&EdgeKind::Default) {
            return (!wanted.is_empty()).then(|| format!("{value} is {}", wanted.join(" or ")));
        }
        let others = keys.iter().filter(|it| !kinds.contains(&EdgeKind::Case(**it)));
        let others: Vec<String> = others.map(i32::to_string).collect();
        (!others.is_empty()).then(|| format!("{value} is none of {}", others.join(", ")))
    }

    fn value(&self, value: &Value, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return ellipsis() };
        let pushed = value.pushed_by.and_then(|it| Some((it, self.body.operation(it)?)));
        let by_definition = || match value.definitions.as_slice() {
            [Definition::This] => "this".to_owned(),
            [Definition::Parameter(number)] => format!("argument {}", number + 1),
            _ => ellipsis(),
        };
        let Some((at, operation)) = pushed else { return by_definition() };
        if let Operation::Load { slot, .. } = operation {
            let offset = self.body.instructions().get(at).map(|it| it.offset);
            let variable = offset.and_then(|it| self.variables.at(*slot, it));
            return variable.map_or_else(by_definition, |it| it.name.to_str().into_owned());
        }
        self.expression(at, operation, depth)
    }

    fn expression(&self, at: usize, operation: &Operation<'a>, depth: usize) -> String {
        let operands: Vec<String> = self.provenance.operands(at).map(|it| self.value(&it, depth)).collect();
        match (operation, operands.as_slice()) {
            (Operation::Push(literal), _) => literal_text(literal),
            (Operation::GetStatic(field), _) => {
                format!("{}.{}", class_name(field.member.owner), field.member.name.to_str())
            }
            (Operation::GetField(field), [object]) => member(object, &field.member.name.to_str()),
            (Operation::ArrayLength, [array]) => format!("{array}.length"),
            (Operation::LoadElement(_), [array, index]) => format!("{array}[{index}]"),
            (Operation::InstanceOf(class), [object]) => format!("{object} instanceof {}", class_name(*class)),
            (Operation::CheckCast(_), [object]) => object.clone(),
            (Operation::Compute { operator, .. }, operands) => computed(*operator, operands),
            (Operation::Invoke(invoke), operands) => called(invoke, operands),
            (Operation::New(class), _) => format!("new {}(…)", class_name(*class)),
            _ => ellipsis(),
        }
    }

    /// Descriptor of the type of a value, where the code tells it.
    fn type_of(&self, value: &Value) -> Option<String> {
        if let Some(at) = value.pushed_by {
            let declared = match self.body.operation(at)? {
                Operation::Invoke(invoke) => invoke.signature.result().map(|it| it.to_string()),
                Operation::GetField(field) | Operation::GetStatic(field) => {
                    Some(field.field_type.to_string())
                }
                Operation::InstanceOf(_) => Some("Z".to_owned()),
                Operation::Load { slot, .. } => {
                    let offset = self.body.instructions().get(at)?.offset;
                    self.variables.at(*slot, offset).map(|it| it.descriptor.to_str().into_owned())
                }
                _ => None,
            };
            if declared.is_some() {
                return declared;
            }
        }
        match value.definitions.as_slice() {
            [Definition::Parameter(number)] => {
                self.body.signature().parameters().nth(*number).map(|it| it.to_string())
            }
            _ => None,
        }
    }
}

fn ellipsis() -> String {
    "…".to_owned()
}

/// A member of an object; those of `this` go without it.
fn member(object: &str, name: &str) -> String {
    if object == "this" { name.to_owned() } else { format!("{object}.{name}") }
}

fn called(invoke: &Invoke<'_>, operands: &[String]) -> String {
    let name = invoke.method.name.to_str();
    match operands {
        [receiver, arguments @ ..] if invoke.kind.has_receiver() => {
            format!("{}({})", member(receiver, &name), arguments.join(", "))
        }
        arguments => format!("{}.{name}({})", class_name(invoke.method.owner), arguments.join(", ")),
    }
}

fn computed(operator: Operator, operands: &[String]) -> String {
    let symbol = match operator {
        Operator::Add => "+",
        Operator::Subtract | Operator::Negate => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
        Operator::ShiftRightUnsigned => ">>>",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
        Operator::Convert => "",
        Operator::Compare => return ellipsis(),
    };
    match operands {
        [only] => format!("{symbol}{only}"),
        [first, second] => format!("({first} {symbol} {second})"),
        _ => ellipsis(),
    }
}

fn literal_text(literal: &Literal<'_>) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Int(number) => number.to_string(),
        Literal::Long(number) => format!("{number}L"),
        Literal::Float(bits) => format!("{}f", f32::from_bits(*bits)),
        Literal::Double(bits) => f64::from_bits(*bits).to_string(),
        Literal::String(text) => {
            let text = text.to_str();
            let shown: String = text.chars().take(MAX_TEXT).collect();
            let rest = if shown.len() < text.len() { "…" } else { "" };
            format!("{shown:?}{rest}")
        }
        Literal::Class(name) => format!("{}.class", class_name(*name)),
        _ => ellipsis(),
    }
}

/// The symbol of a comparison, or of its opposite if it must not hold.
fn symbol(comparison: Comparison, holds: bool) -> &'static str {
    match (comparison, holds) {
        (Comparison::Equal, true) | (Comparison::NotEqual, false) => "==",
        (Comparison::NotEqual, true) | (Comparison::Equal, false) => "!=",
        (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => "<",
        (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => ">=",
        (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => ">",
        (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => "<=",
    }
}

/// The name of a class as people write it.
fn class_name(class: JavaStr<'_>) -> String {
    simple_name(&class.to_str())
}
