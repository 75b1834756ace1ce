//! Helpful NullPointerException messages (JEP 358): the operation, and the value that was null.
//!
//! ```text
//! Cannot invoke "String.length()" because the return value of "a.B.name(int)" is null
//! ```

use serde::Serialize;

use super::Fact;
use super::generic::between;

/// The operation that a null made fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NullAction {
    /// A method was to be called on it.
    Invoke {
        /// The static class of the call.
        class: String,
        /// The method.
        method: String,
        /// The types of its parameters in source form.
        parameters: Vec<String>,
    },
    /// One of its fields was to be read.
    ReadField {
        /// The field.
        field: String,
    },
    /// One of its fields was to be set.
    AssignField {
        /// The field.
        field: String,
    },
    /// An element was to be read.
    LoadElement {
        /// The type of elements: a primitive type or `object`.
        element: String,
    },
    /// An element was to be set.
    StoreElement {
        /// The type of elements: a primitive type or `object`.
        element: String,
    },
    /// The length of the array was to be read.
    ReadLength,
    /// It was to be thrown.
    Throw,
    /// Its monitor was to be entered or left.
    Synchronize,
}

/// The value that was null, as precise as the wording allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NullValue {
    /// A local variable of a class without names of locals (`<local4>`).
    Local {
        /// The slot (JVMS 2.6.1).
        slot: u32,
    },
    /// A parameter of a class without names of locals (`<parameter1>`).
    Parameter {
        /// The parameter, from 1.
        number: u32,
    },
    /// A local variable or parameter.
    Variable {
        /// Its name.
        name: String,
    },
    /// A field.
    Field {
        /// The text before the last dot: an expression for the object, or the class for a static
        /// field.
        owner: String,
        /// The field.
        name: String,
    },
    /// An element of an array.
    Element {
        /// The expression for the array.
        array: String,
        /// The expression for the index.
        index: String,
    },
    /// The result of a method.
    Returned {
        /// The static class of the call.
        class: String,
        /// The method.
        method: String,
        /// The types of its parameters in source form.
        parameters: Vec<String>,
    },
}

/// Reads a helpful message.
pub(super) fn parse(message: &str) -> Option<Fact> {
    let (tried, reason) = match message.split_once(" because ") {
        Some((tried, reason)) => (tried, Some(reason)),
        None => (message, None),
    };
    let action = action(tried)?;
    let what = match reason {
        Some(reason) => Some(value(reason.strip_suffix(" is null")?)?),
        None => None,
    };
    Some(Fact::Null { action, what })
}

fn action(tried: &str) -> Option<NullAction> {
    let owned = |text: &str| text.to_owned();
    if let Some(call) = between(tried, "Cannot invoke \"", "\"") {
        let (class, method, parameters) = call_parts(call)?;
        return Some(NullAction::Invoke { class, method, parameters });
    }
    if let Some(field) = between(tried, "Cannot read field \"", "\"") {
        return Some(NullAction::ReadField { field: owned(field) });
    }
    if let Some(field) = between(tried, "Cannot assign field \"", "\"") {
        return Some(NullAction::AssignField { field: owned(field) });
    }
    if let Some(element) = between(tried, "Cannot load from ", " array") {
        return Some(NullAction::LoadElement { element: owned(element) });
    }
    if let Some(element) = between(tried, "Cannot store to ", " array") {
        return Some(NullAction::StoreElement { element: owned(element) });
    }
    match tried {
        "Cannot read the array length" => Some(NullAction::ReadLength),
        "Cannot throw exception" => Some(NullAction::Throw),
        "Cannot enter synchronized block" | "Cannot exit synchronized block" => Some(NullAction::Synchronize),
        _ => None,
    }
}

fn value(text: &str) -> Option<NullValue> {
    if let Some(call) = between(text, "the return value of \"", "\"") {
        let (class, method, parameters) = call_parts(call)?;
        return Some(NullValue::Returned { class, method, parameters });
    }
    let expression = between(text, "\"", "\"")?;
    if let Some(rest) = expression.strip_suffix(']') {
        let open = matching_bracket(rest)?;
        let (array, index) = (rest.get(..open)?, rest.get(open + 1..)?);
        return Some(NullValue::Element { array: array.to_owned(), index: index.to_owned() });
    }
    if let Some(slot) = between(expression, "<local", ">").and_then(|slot| slot.parse().ok()) {
        return Some(NullValue::Local { slot });
    }
    if let Some(number) = between(expression, "<parameter", ">").and_then(|number| number.parse().ok()) {
        return Some(NullValue::Parameter { number });
    }
    match expression.rsplit_once('.') {
        Some((owner, name)) => Some(NullValue::Field { owner: owner.to_owned(), name: name.to_owned() }),
        None => Some(NullValue::Variable { name: expression.to_owned() }),
    }
}

/// The position of the bracket that the one cut off at the end closes; indices may hold brackets of
/// their own.
fn matching_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (position, c) in text.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(position),
            '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits `a.B.name(int, java.lang.String)`.
fn call_parts(call: &str) -> Option<(String, String, Vec<String>)> {
    let (name, parameters) = call.strip_suffix(')')?.split_once('(')?;
    let (class, method) = name.rsplit_once('.')?;
    let parameters = parameters.split(", ").filter(|parameter| !parameter.is_empty()).map(str::to_owned);
    Some((class.to_owned(), method.to_owned(), parameters.collect()))
}
