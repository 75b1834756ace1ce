//! What the code around the crash mentions.

use crashback_classfile::{ElementType, FieldType, JavaStr};
use crashback_program::ClassView;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, Mentioned, MethodBody, mentions};
use crashback_testcase::Text;
use crashback_testcase::workshop::Pools;

use crate::collect::{add_float, add_integer, add_text, add_type};

/// How many classes are looked at for factories.
const MOST_MENTIONED: usize = 40;

/// Constant texts of the methods on the trace, of which the message may be made.
#[derive(Default)]
pub(crate) struct TextsOfFrames(pub(crate) Vec<String>);

/// Everything that a method of the trace mentions.
pub(crate) fn of_method(
    classes: &Classes<'_>,
    method: MethodId,
    pools: &mut Pools,
    texts: &mut TextsOfFrames,
) {
    classes.with_body(method, |body| {
        for mention in mentions(body) {
            match &mention.what {
                Mentioned::Constant(literal) | Mentioned::BootstrapConstant(literal) => {
                    if let Literal::String(text) = literal {
                        texts.0.push(text.to_str().into_owned());
                    }
                    add_constant(pools, literal);
                }
                Mentioned::ConcatPart(text) => texts.0.push(text.clone()),
                Mentioned::SwitchKey(key) => add_integer(pools, i64::from(*key)),
                Mentioned::Cast(of) | Mentioned::InstanceOf(of) => {
                    if let Some(class) = class_of(*of) {
                        add_type(pools, &class.to_str());
                        add_mentioned(pools, class);
                    }
                }
                Mentioned::New(class)
                | Mentioned::MethodOwner(class)
                | Mentioned::FieldOwner(class)
                | Mentioned::Signature(class) => add_mentioned(pools, *class),
                Mentioned::NewArray(_) | Mentioned::Caught(_) => {}
            }
        }
    });
}

/// The constants of all methods of a class.
pub(crate) fn of_class(classes: &Classes<'_>, class: ClassView<'_>, pools: &mut Pools) {
    classes.for_each_body(class, |_, body: &MethodBody<'_>| {
        for mention in mentions(body) {
            match &mention.what {
                Mentioned::Constant(literal) => add_constant(pools, literal),
                Mentioned::SwitchKey(key) => add_integer(pools, i64::from(*key)),
                _ => {}
            }
        }
    });
}

fn add_mentioned(pools: &mut Pools, class: JavaStr<'_>) {
    if pools.mentioned.len() < MOST_MENTIONED {
        pools.mentioned.insert(class.to_str().into_owned());
    }
}

fn class_of(of: FieldType<'_>) -> Option<JavaStr<'_>> {
    match of.element {
        ElementType::Class(name) => Some(name),
        ElementType::Primitive(_) => None,
    }
}

fn add_constant(pools: &mut Pools, literal: &Literal<'_>) {
    match literal {
        Literal::Int(value) => add_integer(pools, i64::from(*value)),
        Literal::Long(value) => add_integer(pools, *value),
        Literal::Float(bits) => add_float(pools, f64::from(f32::from_bits(*bits))),
        Literal::Double(bits) => add_float(pools, f64::from_bits(*bits)),
        Literal::String(text) => add_text(pools, Text::from(&*text.to_str())),
        Literal::Class(name) => add_mentioned(pools, *name),
        _ => {}
    }
}
