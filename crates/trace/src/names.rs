//! Names of frames for people: names that compilers mangled are put back as they were written.

use crate::kind::{FrameKind, written_class};
use crate::model::Frame;

impl Frame {
    /// The frame's class and method as its author would name them. For display only: several frames
    /// may share one.
    pub fn display_name(&self) -> String {
        let class = class_name(self.enclosing_class());
        let (method, note) = method_name(self);
        let name = match method.as_str() {
            "<init>" => format!("new {class}"),
            "<clinit>" => format!("static initialiser of {class}"),
            "" => class,
            method => format!("{class}.{method}"),
        };
        match note {
            Some(note) => format!("{name} ({note})"),
            None => name,
        }
    }
}

/// Nested classes with dots, without the marks of Scala objects and of classes made at run time.
fn class_name(class: &str) -> String {
    let class = written_class(class);
    let (package, simple) = class.rsplit_once('.').unwrap_or(("", class));
    let simple = match simple.strip_prefix('$') {
        Some(_) => simple.to_owned(),
        None => simple.split('$').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("."),
    };
    let dot = if package.is_empty() { "" } else { "." };
    decode_operators(&format!("{package}{dot}{simple}"))
}

fn method_name(frame: &Frame) -> (String, Option<&'static str>) {
    let method = frame.enclosing_method();
    let note = match frame.kind() {
        FrameKind::Lambda if frame.method == "invokeSuspend" => "coroutine",
        FrameKind::Lambda => "lambda",
        FrameKind::HiddenLambda => "lambda class",
        FrameKind::Mock => "mock",
        FrameKind::Generated => "generated class",
        FrameKind::Accessor => "accessor of a private member",
        _ => {
            return match method.strip_suffix("$default") {
                Some(name) => (name.to_owned(), Some("default arguments")),
                None => (decode_operators(method), None),
            };
        }
    };
    (decode_operators(method), Some(note))
}

/// Puts the characters back that Scala spells out, such as `$plus` for `+`.
fn decode_operators(name: &str) -> String {
    const OPERATORS: [(&str, &str); 18] = [
        ("$tilde", "~"),
        ("$eq", "="),
        ("$less", "<"),
        ("$greater", ">"),
        ("$bang", "!"),
        ("$hash", "#"),
        ("$percent", "%"),
        ("$up", "^"),
        ("$amp", "&"),
        ("$bar", "|"),
        ("$times", "*"),
        ("$div", "/"),
        ("$plus", "+"),
        ("$minus", "-"),
        ("$colon", ":"),
        ("$bslash", "\\"),
        ("$qmark", "?"),
        ("$at", "@"),
    ];
    if !name.contains('$') {
        return name.to_owned();
    }
    OPERATORS.iter().fold(name.to_owned(), |name, (spelled, sign)| name.replace(spelled, sign))
}
