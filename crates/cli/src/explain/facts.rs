//! What a message states, in words.

use crashback_trace::message::{Fact, NullAction, NullValue};

pub(super) fn words(fact: &Fact) -> String {
    let of_length = |length: &Option<i64>| length.map(|it| format!(" of length {it}")).unwrap_or_default();
    let or_unknown = |number: &Option<i64>| number.map_or_else(|| "?".to_owned(), |it| it.to_string());
    match fact {
        Fact::Index { index, length } => format!("index {index}{}", of_length(length)),
        Fact::Range { begin, end, length } => {
            format!("range from {} to {}{}", or_unknown(begin), or_unknown(end), of_length(length))
        }
        Fact::Span { offset, count, length } => format!("{count} from {offset} on{}", of_length(length)),
        Fact::NegativeSize { size } => format!("array size {size}"),
        Fact::Cast { from, to } => format!("a {from} where a {to} is expected"),
        Fact::Null { action, what } => null(action, what.as_ref()),
        Fact::NumberText { text: Some(text), radix: None } => format!("the text \"{text}\" is no number"),
        Fact::NumberText { text: Some(text), radix: Some(radix) } => {
            format!("the text \"{text}\" is no number in base {radix}")
        }
        Fact::NumberText { text: None, .. } => "null was to be read as a number".to_owned(),
        Fact::EnumConstant { class, name } => format!("{class} has no constant {name}"),
        Fact::StoredElement { class } => format!("an element of type {class}"),
        Fact::MissingKey { key } => format!("no value for the key {key}"),
        Fact::DivisionByZero => "a division by zero".to_owned(),
        Fact::Number { text, .. } => format!("number {text}"),
        Fact::Quoted { text } => format!("text \"{text}\""),
        Fact::ClassName { name } => format!("class {name}"),
    }
}

fn null(action: &NullAction, what: Option<&NullValue>) -> String {
    let subject = what.map_or_else(|| "something".to_owned(), value);
    let purpose = match action {
        NullAction::Invoke { class, method, .. } => format!("to call {class}.{method}"),
        NullAction::ReadField { field } => format!("to read its field {field}"),
        NullAction::AssignField { field } => format!("to set its field {field}"),
        NullAction::LoadElement { .. } => "to read an element".to_owned(),
        NullAction::StoreElement { .. } => "to set an element".to_owned(),
        NullAction::ReadLength => "to read its length".to_owned(),
        NullAction::Throw => "to throw it".to_owned(),
        NullAction::Synchronize => "to lock it".to_owned(),
    };
    format!("{subject} was null, needed {purpose}")
}

fn value(value: &NullValue) -> String {
    match value {
        NullValue::Local { slot } => format!("the local variable in slot {slot}"),
        NullValue::Parameter { number } => format!("parameter {number}"),
        NullValue::Variable { name } => name.clone(),
        NullValue::Field { owner, name } => format!("field {owner}.{name}"),
        NullValue::Element { array, index } => format!("element {array}[{index}]"),
        NullValue::Returned { class, method, .. } => format!("what {class}.{method} returned"),
    }
}
