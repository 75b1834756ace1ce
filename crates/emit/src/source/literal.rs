//! Values as people write them.

use crashback_testcase::{Literal, Text};

use super::imports::Imports;
use super::java_type::JavaType;

/// The text of a literal of exactly its type, as an argument needs it; `null` and classes included.
pub(crate) fn write(literal: &Literal, of: Option<&JavaType>, imports: &Imports<'_>) -> String {
    match literal {
        Literal::Null(_) => "null".to_owned(),
        Literal::Class(_) => format!("{}.class", of.map_or_else(String::new, |it| imports.type_name(it))),
        Literal::Text(text) => text_literal(text),
        other => match named_constant(other) {
            Some((class, constant)) => format!("{}.{constant}", imports.class_name(class)),
            None => plain(other, imports),
        },
    }
}

/// The text where the type of a variable or of an array's elements makes clear what is meant: `byte
/// b = 1`.
pub(crate) fn write_assigned(literal: &Literal, of: Option<&JavaType>, imports: &Imports<'_>) -> String {
    match literal {
        Literal::Byte(value) if named_constant(literal).is_none() => value.to_string(),
        Literal::Short(value) if named_constant(literal).is_none() => value.to_string(),
        other => write(other, of, imports),
    }
}

/// About how long the text is.
pub(crate) fn width(literal: &Literal) -> usize {
    match literal {
        Literal::Null(_) => 4,
        Literal::Class(_) | Literal::Folder | Literal::NestedClass(_) | Literal::NestedObject(_) => 16,
        Literal::Text(text) => text.units().len() + 2,
        other => other.to_java().map_or(4, |it| it.len()),
    }
}

/// Numbers that have a name in the class of their type.
fn named_constant(literal: &Literal) -> Option<(&'static str, &'static str)> {
    Some(match *literal {
        Literal::Byte(i8::MIN) => ("java/lang/Byte", "MIN_VALUE"),
        Literal::Byte(i8::MAX) => ("java/lang/Byte", "MAX_VALUE"),
        Literal::Short(i16::MIN) => ("java/lang/Short", "MIN_VALUE"),
        Literal::Short(i16::MAX) => ("java/lang/Short", "MAX_VALUE"),
        Literal::Int(i32::MIN) => ("java/lang/Integer", "MIN_VALUE"),
        Literal::Int(i32::MAX) => ("java/lang/Integer", "MAX_VALUE"),
        Literal::Long(i64::MIN) => ("java/lang/Long", "MIN_VALUE"),
        Literal::Long(i64::MAX) => ("java/lang/Long", "MAX_VALUE"),
        Literal::Float(value) => ("java/lang/Float", float_constant(value)?),
        Literal::Double(value) => ("java/lang/Double", double_constant(value)?),
        _ => return None,
    })
}

fn float_constant(value: f32) -> Option<&'static str> {
    // Of the many NaN, Java has a name for one.
    let is_nan = value.to_bits() == 0x7fc0_0000;
    let is_smallest = value.to_bits() == 1;
    constant(value == f32::INFINITY, value == f32::NEG_INFINITY, value == f32::MAX, is_nan, is_smallest)
}

fn double_constant(value: f64) -> Option<&'static str> {
    let is_nan = value.to_bits() == 0x7ff8_0000_0000_0000;
    let is_smallest = value.to_bits() == 1;
    constant(value == f64::INFINITY, value == f64::NEG_INFINITY, value == f64::MAX, is_nan, is_smallest)
}

fn constant(positive: bool, negative: bool, max: bool, nan: bool, smallest: bool) -> Option<&'static str> {
    let all = [
        (positive, "POSITIVE_INFINITY"),
        (negative, "NEGATIVE_INFINITY"),
        (max, "MAX_VALUE"),
        (nan, "NaN"),
        (smallest, "MIN_VALUE"),
    ];
    all.into_iter().find(|(holds, _)| *holds).map(|(_, name)| name)
}

fn plain(literal: &Literal, imports: &Imports<'_>) -> String {
    match literal {
        Literal::Float(value) if value.is_nan() => {
            format!("{}.intBitsToFloat({:#x})", imports.class_name("java/lang/Float"), value.to_bits())
        }
        Literal::Double(value) if value.is_nan() => {
            format!("{}.longBitsToDouble({:#x}L)", imports.class_name("java/lang/Double"), value.to_bits())
        }
        other => other.to_java().unwrap_or_default(),
    }
}

/// Longer texts are put together from pieces; for a compiler that is one constant all the same (JLS
/// 15.29).
const LONGEST_PIECE: usize = 80;

fn text_literal(text: &Text) -> String {
    if text.units().len() <= LONGEST_PIECE + LONGEST_PIECE / 4 {
        return text.to_java();
    }
    let mut pieces = Vec::new();
    let mut rest = text.units();
    while !rest.is_empty() {
        let mut length = rest.len().min(LONGEST_PIECE);
        // A pair stays together.
        let is_low = |unit: Option<&u16>| unit.is_some_and(|it| (0xdc00..0xe000).contains(it));
        if is_low(rest.get(length)) {
            length += 1;
        }
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        pieces.push(Text::from(piece).to_java());
        rest = after;
    }
    pieces.join(" + ")
}

/// Whether the text of a literal is more than one operand.
pub(crate) fn is_sum(literal: &Literal) -> bool {
    matches!(literal, Literal::Text(text) if text.units().len() > LONGEST_PIECE + LONGEST_PIECE / 4)
}
