//! What the code around the crash mentions.

use crashback_classfile::{ElementType, FieldType, JavaStr};
use crashback_program::ClassView;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, Mentioned, MethodBody, mentions};
use crashback_testcase::Text;

use crate::collect::Offers;

/// Constant texts of the methods on the trace, of which the message may be made.
#[derive(Default)]
pub(crate) struct TextsOfFrames(pub(crate) Vec<String>);

/// Everything that a method of the trace mentions.
pub(crate) fn of_method(
    classes: &Classes<'_>,
    method: MethodId,
    offers: &mut Offers<'_>,
    texts: &mut TextsOfFrames,
) {
    classes.with_body(method, |body| {
        for mention in mentions(body) {
            match &mention.what {
                Mentioned::Constant(literal) | Mentioned::BootstrapConstant(literal) => {
                    if let Literal::String(text) = literal {
                        texts.0.push(text.to_str().into_owned());
                    }
                    add_constant(offers, literal);
                }
                Mentioned::ConcatPart(text) => texts.0.push(text.clone()),
                Mentioned::SwitchKey(key) => offers.add_integer(i64::from(*key)),
                Mentioned::Cast(of) | Mentioned::InstanceOf(of) => {
                    if let Some(class) = class_of(*of) {
                        offers.add_type(&class.to_str());
                        offers.add_mentioned(&class.to_str());
                    }
                }
                Mentioned::New(class)
                | Mentioned::MethodOwner(class)
                | Mentioned::FieldOwner(class)
                | Mentioned::Signature(class) => offers.add_mentioned(&class.to_str()),
                Mentioned::NewArray(_) | Mentioned::Caught(_) => {}
            }
        }
    });
}

/// The constants of all methods of a class.
pub(crate) fn of_class(classes: &Classes<'_>, class: ClassView<'_>, offers: &mut Offers<'_>) {
    classes.for_each_body(class, |_, body: &MethodBody<'_>| {
        for mention in mentions(body) {
            match &mention.what {
                Mentioned::Constant(literal) => add_constant(offers, literal),
                Mentioned::SwitchKey(key) => offers.add_integer(i64::from(*key)),
                _ => {}
            }
        }
    });
}

fn class_of(of: FieldType<'_>) -> Option<JavaStr<'_>> {
    match of.element {
        ElementType::Class(name) => Some(name),
        ElementType::Primitive(_) => None,
    }
}

fn add_constant(offers: &mut Offers<'_>, literal: &Literal<'_>) {
    match literal {
        Literal::Int(value) => offers.add_integer(i64::from(*value)),
        Literal::Long(value) => offers.add_integer(*value),
        Literal::Float(bits) => offers.add_float(f64::from(f32::from_bits(*bits))),
        Literal::Double(bits) => offers.add_float(f64::from_bits(*bits)),
        Literal::String(text) => offers.add_text(Text::from(&*text.to_str())),
        Literal::Class(name) => offers.add_mentioned(&name.to_str()),
        _ => {}
    }
}
