//! Arguments of failing calls, as an agent recorded them.

use crashback_classfile::{ElementType, FieldType, JavaStr, MethodDescriptor, Primitive};
use crashback_program::classes::Classes;
use crashback_program::frames::CrashAudit;
use crashback_testcase::{Literal, Text};
use crashback_trace::{RecordedCall, values_of_line};

use super::Collected;

/// Types of parameters for which a text can be written.
const OF_TEXTS: [&str; 2] = ["java/lang/String", "java/lang/CharSequence"];

/// For each parameter of a frame's method the recorded arguments that can be written as literals. Empty where
/// nothing was recorded.
pub fn recorded_arguments(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    calls: &[RecordedCall],
    level: u32,
) -> Vec<Vec<Literal>> {
    let Some(frame) = audit.frames.iter().find(|it| it.level == level) else { return Vec::new() };
    let Some(method) = frame.resolved.and_then(|it| it.view(classes.index())) else { return Vec::new() };
    let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(method.descriptor().as_bytes())) else {
        return Vec::new();
    };
    let parameters: Vec<FieldType<'_>> = descriptor.parameters().collect();
    let mut all: Vec<Vec<Literal>> = vec![Vec::new(); parameters.len()];
    let fits =
        |it: &&RecordedCall| it.arguments.len() == parameters.len() && it.is_of(&frame.class, &frame.method);
    for call in calls.iter().filter(fits) {
        for ((known, of), argument) in all.iter_mut().zip(&parameters).zip(&call.arguments) {
            let literal = argument.as_deref().and_then(|it| literal(it, *of));
            if let Some(literal) = literal.filter(|it| !known.contains(it)) {
                known.push(literal);
            }
        }
    }
    all
}

/// Adds the arguments of calls of methods on the trace: the texts themselves, and the values in them, as
/// objects tell of their fields.
pub(super) fn add(audit: &CrashAudit, calls: &[RecordedCall], found: &mut Collected) {
    let is_traced =
        |it: &&RecordedCall| audit.frames.iter().any(|frame| it.is_of(&frame.class, &frame.method));
    let arguments = || calls.iter().filter(is_traced).flat_map(|it| it.arguments.iter().flatten());
    arguments().filter(|it| *it != "null").for_each(|it| found.add_word(it));
    arguments().flat_map(|it| values_of_line(it)).for_each(|it| found.add_word(&it));
}

/// A value as a literal of a parameter's type. The text of `null` may be that of a text, too, so it is none.
fn literal(text: &str, of: FieldType<'_>) -> Option<Literal> {
    if of.dimensions > 0 {
        return None;
    }
    Some(match of.element {
        ElementType::Primitive(Primitive::Boolean) => Literal::Boolean(text.parse().ok()?),
        ElementType::Primitive(Primitive::Byte) => Literal::Byte(text.parse().ok()?),
        ElementType::Primitive(Primitive::Short) => Literal::Short(text.parse().ok()?),
        ElementType::Primitive(Primitive::Int) => Literal::Int(text.parse().ok()?),
        ElementType::Primitive(Primitive::Long) => Literal::Long(text.parse().ok()?),
        ElementType::Primitive(Primitive::Float) => Literal::Float(text.parse().ok()?),
        ElementType::Primitive(Primitive::Double) => Literal::Double(text.parse().ok()?),
        ElementType::Primitive(Primitive::Char) => {
            let mut units = text.encode_utf16();
            let unit = units.next()?;
            units.next().is_none().then_some(Literal::Char(unit))?
        }
        ElementType::Class(name) if text != "null" && OF_TEXTS.contains(&&*name.to_str()) => {
            Literal::Text(Text::from(text))
        }
        ElementType::Class(_) => return None,
    })
}
