//! The values that conditional jumps compare.

use crashback_classfile::{FieldType, Opcode};

use super::operation::{Condition, Kind, Literal, Operation, Operator};
use super::provenance::{Definition, Provenance, Value};
use super::variables::LocalVariables;

/// A value, but no constant, that a conditional jump compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchOperand {
    /// Index of the jump.
    pub jump: usize,
    /// Whether it is the second of two operands.
    pub is_second: bool,
    /// Line of the jump.
    pub line: Option<u32>,
    /// The expression that it comes from. Equal expressions of a line have equal names, but calls and
    /// computations have names of their own.
    pub name: String,
    /// Whether the expression is a local variable.
    pub is_local: bool,
    /// Its type on the stack.
    pub kind: Kind,
    /// Descriptor of its type, as far as it is known.
    pub descriptor: Option<String>,
    /// Whether it is compared with a number other than 0.
    pub has_point: bool,
}

/// The values that the conditional jumps of a method compare, in code order. Where a jump looks at the
/// result of a compare instruction, these are the operands of the compare.
pub fn branch_operands(
    provenance: &Provenance<'_, '_>,
    variables: &LocalVariables<'_>,
) -> Vec<BranchOperand> {
    let finder = Finder { provenance, variables };
    let jumps = provenance.body().operations().filter_map(|(jump, operation)| match operation {
        Operation::Branch { condition, .. } => Some((jump, *condition)),
        _ => None,
    });
    jumps.flat_map(|(jump, condition)| finder.of_jump(jump, condition)).collect()
}

struct Finder<'f, 'b, 'a> {
    provenance: &'f Provenance<'b, 'a>,
    variables: &'f LocalVariables<'a>,
}

impl<'a> Finder<'_, '_, 'a> {
    fn of_jump(&self, jump: usize, condition: Condition) -> Vec<BranchOperand> {
        let Some((instruction, kind)) = self.compared(jump, condition) else { return Vec::new() };
        let operands: Vec<Value> = self.provenance.operands(instruction).collect();
        let points: Vec<bool> = operands.iter().map(|it| self.constant(it).is_some_and(is_point)).collect();
        let operand = |(place, value): (usize, &Value)| {
            if self.constant(value).is_some() {
                return None;
            }
            let (name, is_local) = self.name(value)?;
            Some(BranchOperand {
                jump,
                is_second: place > 0,
                line: self.provenance.body().line_of(jump),
                name,
                is_local,
                kind,
                descriptor: self.descriptor(value),
                has_point: points.iter().enumerate().any(|(other, point)| other != place && *point),
            })
        };
        operands.iter().enumerate().filter_map(operand).collect()
    }

    /// The instruction that compares the operands, and their type; none where the result of a compare
    /// comes from farther away.
    fn compared(&self, jump: usize, condition: Condition) -> Option<(usize, Kind)> {
        let compares = |it: usize| match self.provenance.body().operation(it) {
            Some(Operation::Compute { operator: Operator::Compare, operand, .. }) => Some(*operand),
            _ => None,
        };
        match condition {
            Condition::Ints(_) => Some((jump, Kind::Int)),
            Condition::Same(_) | Condition::Null(_) => Some((jump, Kind::Reference)),
            Condition::Zero(_) => {
                let value = self.provenance.operands(jump).next()?;
                let is_compare =
                    |it: &Definition| matches!(it, Definition::Instruction(at) if compares(*at).is_some());
                match value.definitions.as_slice() {
                    [Definition::Instruction(before)] if jump.checked_sub(1) == Some(*before) => {
                        Some(compares(*before).map_or((jump, Kind::Int), |kind| (*before, kind)))
                    }
                    definitions if definitions.iter().any(is_compare) => None,
                    _ => Some((jump, Kind::Int)),
                }
            }
        }
    }

    /// The constant that a value always is.
    fn constant(&self, value: &Value) -> Option<&Literal<'a>> {
        match value.definitions.as_slice() {
            [Definition::Instruction(at)] => match self.provenance.body().operation(*at)? {
                Operation::Push(literal) => Some(literal),
                _ => None,
            },
            _ => None,
        }
    }

    /// A name for the expression that puts a value on the stack, and whether that is a local variable.
    fn name(&self, value: &Value) -> Option<(String, bool)> {
        let body = self.provenance.body();
        let at = value.pushed_by?;
        Some(match body.operation(at)? {
            Operation::Load { slot, .. } => {
                let offset = body.instructions().get(at)?.offset;
                let named = self.variables.at(*slot, offset).map(|it| it.name.to_str().into_owned());
                (named.unwrap_or_else(|| format!("#{slot}")), true)
            }
            Operation::GetField(field) | Operation::GetStatic(field) => {
                (format!("{}.{}", field.member.owner.to_str(), field.member.name.to_str()), false)
            }
            Operation::Invoke(invoke) => (format!("{}()#{at}", invoke.method.name.to_str()), false),
            _ => (format!("#{at}"), false),
        })
    }

    fn descriptor(&self, value: &Value) -> Option<String> {
        self.declared(value).or_else(|| {
            let mut types = value.definitions.iter().map(|it| self.type_of(it));
            let first = types.next()??;
            types.all(|it| it.as_ref() == Some(&first)).then_some(first)
        })
    }

    /// The type of the local variable that a value is loaded from.
    fn declared(&self, value: &Value) -> Option<String> {
        let (body, at) = (self.provenance.body(), value.pushed_by?);
        match body.operation(at)? {
            Operation::Load { slot, .. } => {
                let variable = self.variables.at(*slot, body.instructions().get(at)?.offset)?;
                Some(variable.descriptor.to_str().into_owned())
            }
            _ => None,
        }
    }

    fn type_of(&self, definition: &Definition) -> Option<String> {
        let body = self.provenance.body();
        let described = |it: FieldType<'_>| it.to_string();
        match *definition {
            Definition::This => Some(format!("L{};", body.owner().to_str())),
            Definition::Parameter(number) => body.signature().parameters().nth(number).map(described),
            Definition::Caught(_) => None,
            Definition::Instruction(at) => match body.operation(at)? {
                Operation::Invoke(invoke) => invoke.signature.result().map(described),
                Operation::InvokeDynamic(call) => call.signature.result().map(described),
                Operation::GetField(field) | Operation::GetStatic(field) => Some(described(field.field_type)),
                Operation::NewArray { array, .. } => Some(described(*array)),
                Operation::New(class) => Some(format!("L{};", class.to_str())),
                Operation::InstanceOf(_) => Some("Z".to_owned()),
                Operation::ArrayLength => Some("I".to_owned()),
                Operation::Compute { .. } | Operation::LoadElement(_) => {
                    let opcode = body.instructions().get(at)?.opcode;
                    matches!(opcode, Opcode::I2c | Opcode::Caload).then(|| "C".to_owned())
                }
                _ => None,
            },
        }
    }
}

/// Whether a constant is a number other than 0.
fn is_point(literal: &Literal<'_>) -> bool {
    match literal {
        Literal::Int(number) => *number != 0,
        Literal::Long(number) => *number != 0,
        Literal::Float(bits) => f32::from_bits(*bits) != 0.0,
        Literal::Double(bits) => f64::from_bits(*bits) != 0.0,
        _ => false,
    }
}
