//! Values that the code of a test works with, and arithmetic on those that are known.

use std::cmp::Ordering;

use crashback_classfile::Opcode;
use crashback_program::code::operation::{Comparison, Kind, Literal as CodeLiteral, Operator};
use crashback_testcase::{Text, Type, Var};

/// A value on the stack, in a variable or in a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing is known of it, and no statement yields it.
    Unknown,
    /// `int` and the smaller types.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(Text),
    Null,
    /// A class literal.
    Class(Type),
    /// The result of a statement.
    Made(Var),
    /// An object that is looked after here, by its number.
    Object(usize),
    /// The folder that a test is given.
    Folder,
}

impl Value {
    /// A constant that code pushes.
    pub(super) fn of(literal: &CodeLiteral<'_>) -> Self {
        match literal {
            CodeLiteral::Null => Self::Null,
            CodeLiteral::Int(value) => Self::Int(*value),
            CodeLiteral::Long(value) => Self::Long(*value),
            CodeLiteral::Float(bits) => Self::Float(f32::from_bits(*bits)),
            CodeLiteral::Double(bits) => Self::Double(f64::from_bits(*bits)),
            CodeLiteral::String(text) => {
                Self::Text(Text::from(text.code_units().collect::<Vec<u16>>().as_slice()))
            }
            CodeLiteral::Class(name) => Self::Class(Type::of_class_constant(&name.to_str())),
            _ => Self::Unknown,
        }
    }

    /// The value of a field or element of a type before anything is assigned to it.
    pub(super) fn zero(descriptor: &str) -> Self {
        match descriptor {
            "J" => Self::Long(0),
            "F" => Self::Float(0.0),
            "D" => Self::Double(0.0),
            _ if descriptor.starts_with(['L', '[']) => Self::Null,
            _ => Self::Int(0),
        }
    }

    /// The only argument of a method with a descriptor, from its text; none if it has another type.
    pub(super) fn read(text: &str, descriptor: &str) -> Option<Self> {
        let parameter = descriptor.strip_prefix('(')?.split(')').next()?;
        Some(match parameter {
            "Z" => Self::Int(i32::from(text == "true")),
            "C" => Self::Int(i32::from(text.encode_utf16().next()?)),
            "B" | "S" | "I" => Self::Int(text.parse().ok()?),
            "J" => Self::Long(text.parse().ok()?),
            "F" => Self::Float(text.parse().ok()?),
            "D" => Self::Double(text.parse().ok()?),
            "Ljava/lang/String;" => Self::Text(Text::from(text)),
            _ => return None,
        })
    }

    /// Whether it is what [`zero`](Self::zero) gives for some type.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Int(value) => *value == 0,
            Self::Long(value) => *value == 0,
            Self::Float(value) => value.to_bits() == 0,
            Self::Double(value) => value.to_bits() == 0,
            Self::Null => true,
            _ => false,
        }
    }
}

/// The result of a computation; unknown if an operand is, or if it throws.
pub(super) fn compute(operator: Operator, opcode: Opcode, result: Kind, operands: &[Value]) -> Value {
    let computed = match (operator, operands) {
        (Operator::Convert, [value]) => convert(opcode, result, value),
        (Operator::Compare, [left, right]) => compare(opcode, left, right).map(Value::Int),
        (Operator::Negate, [Value::Int(value)]) => Some(Value::Int(value.wrapping_neg())),
        (Operator::Negate, [Value::Long(value)]) => Some(Value::Long(value.wrapping_neg())),
        (Operator::Negate, [Value::Float(value)]) => Some(Value::Float(-value)),
        (Operator::Negate, [Value::Double(value)]) => Some(Value::Double(-value)),
        (_, [Value::Int(left), Value::Int(right)]) => int(operator, *left, *right).map(Value::Int),
        (_, [Value::Long(left), Value::Int(right)]) => {
            long(operator, *left, i64::from(*right)).map(Value::Long)
        }
        (_, [Value::Long(left), Value::Long(right)]) => long(operator, *left, *right).map(Value::Long),
        (_, [Value::Float(left), Value::Float(right)]) => {
            floating(operator, f64::from(*left), f64::from(*right)).map(|it| Value::Float(it as f32))
        }
        (_, [Value::Double(left), Value::Double(right)]) => {
            floating(operator, *left, *right).map(Value::Double)
        }
        _ => None,
    };
    computed.unwrap_or(Value::Unknown)
}

fn int(operator: Operator, left: i32, right: i32) -> Option<i32> {
    // The low bits of the distance count (JVMS 6.5, `ishl`).
    let distance = right.cast_unsigned();
    Some(match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide => (right != 0).then(|| left.wrapping_div(right))?,
        Operator::Remainder => (right != 0).then(|| left.wrapping_rem(right))?,
        Operator::ShiftLeft => left.wrapping_shl(distance),
        Operator::ShiftRight => left.wrapping_shr(distance),
        Operator::ShiftRightUnsigned => left.cast_unsigned().wrapping_shr(distance).cast_signed(),
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
        Operator::Negate | Operator::Convert | Operator::Compare => return None,
    })
}

fn long(operator: Operator, left: i64, right: i64) -> Option<i64> {
    let distance = (right & 63) as u32;
    Some(match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide => (right != 0).then(|| left.wrapping_div(right))?,
        Operator::Remainder => (right != 0).then(|| left.wrapping_rem(right))?,
        Operator::ShiftLeft => left.wrapping_shl(distance),
        Operator::ShiftRight => left.wrapping_shr(distance),
        Operator::ShiftRightUnsigned => left.cast_unsigned().wrapping_shr(distance).cast_signed(),
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
        Operator::Negate | Operator::Convert | Operator::Compare => return None,
    })
}

/// Results of `float` are the same when they are computed as `double` and rounded.
fn floating(operator: Operator, left: f64, right: f64) -> Option<f64> {
    Some(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
        _ => return None,
    })
}

/// Rust's casts saturate and turn NaN into 0 as Java's do (JLS 5.1.3).
fn convert(opcode: Opcode, result: Kind, value: &Value) -> Option<Value> {
    Some(match (value, opcode) {
        (Value::Int(value), Opcode::I2b) => Value::Int(i32::from(*value as i8)),
        (Value::Int(value), Opcode::I2c) => Value::Int(i32::from(*value as u16)),
        (Value::Int(value), Opcode::I2s) => Value::Int(i32::from(*value as i16)),
        (Value::Int(value), _) => match result {
            Kind::Long => Value::Long(i64::from(*value)),
            Kind::Float => Value::Float(*value as f32),
            _ => Value::Double(f64::from(*value)),
        },
        (Value::Long(value), _) => match result {
            Kind::Int => Value::Int(*value as i32),
            Kind::Float => Value::Float(*value as f32),
            _ => Value::Double(*value as f64),
        },
        (Value::Float(value), _) => match result {
            Kind::Int => Value::Int(*value as i32),
            Kind::Long => Value::Long(*value as i64),
            _ => Value::Double(f64::from(*value)),
        },
        (Value::Double(value), _) => match result {
            Kind::Int => Value::Int(*value as i32),
            Kind::Long => Value::Long(*value as i64),
            _ => Value::Float(*value as f32),
        },
        _ => return None,
    })
}

fn compare(opcode: Opcode, left: &Value, right: &Value) -> Option<i32> {
    let order = match (left, right) {
        (Value::Long(left), Value::Long(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        _ => return None,
    };
    Some(match order {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        // NaN: the two forms of the instruction differ in this alone.
        None if matches!(opcode, Opcode::Fcmpg | Opcode::Dcmpg) => 1,
        None => -1,
    })
}

/// Whether a comparison holds.
pub(super) fn holds(comparison: Comparison, left: i32, right: i32) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Greater => left > right,
        Comparison::LessOrEqual => left <= right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_java() {
        let int = |operator, left, right| {
            compute(operator, Opcode::Iadd, Kind::Int, &[Value::Int(left), Value::Int(right)])
        };
        assert_eq!(int(Operator::Add, i32::MAX, 1), Value::Int(i32::MIN));
        assert_eq!(int(Operator::Divide, 1, 0), Value::Unknown);
        assert_eq!(int(Operator::ShiftRightUnsigned, -1, 28), Value::Int(15));
        assert_eq!(int(Operator::ShiftLeft, 1, 33), Value::Int(2));
        let narrowed = compute(Operator::Convert, Opcode::I2b, Kind::Int, &[Value::Int(200)]);
        assert_eq!(narrowed, Value::Int(-56));
        let longs = [Value::Long(i64::from(u32::MAX)), Value::Int(65)];
        assert_eq!(
            compute(Operator::ShiftLeft, Opcode::Lshl, Kind::Long, &longs),
            Value::Long(8_589_934_590)
        );
        let nan = [Value::Double(f64::NAN), Value::Double(0.0)];
        assert_eq!(compute(Operator::Compare, Opcode::Dcmpg, Kind::Int, &nan), Value::Int(1));
        assert_eq!(compute(Operator::Compare, Opcode::Dcmpl, Kind::Int, &nan), Value::Int(-1));
        assert_eq!(
            compute(Operator::Add, Opcode::Iadd, Kind::Int, &[Value::Unknown, Value::Int(1)]),
            Value::Unknown
        );
    }
}
