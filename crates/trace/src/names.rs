//! Names of frames for people: what compilers mangled is put back as it was written.

use crate::kind::FrameKind;
use crate::model::Frame;

impl Frame {
    /// The frame's class and method as its author would name them. For display only: several frames may share one.
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

/// Nested classes with dots, anonymous ones by their number, without the marks of Scala objects and hidden classes.
fn class_name(class: &str) -> String {
    let (class, hidden) = match class.split_once("$$Lambda") {
        Some((class, _)) => (class, " lambda"),
        None => (class.split_once('/').map_or(class, |(class, _)| class), ""),
    };
    let (package, simple) = class.rsplit_once('.').map_or(("", class), |(package, simple)| (package, simple));
    let parts: Vec<&str> = simple.split('$').filter(|part| !part.is_empty()).collect();
    let simple =
        if parts.is_empty() || simple.starts_with('$') { simple.to_owned() } else { parts.join(".") };
    let dot = if package.is_empty() { "" } else { "." };
    decode_operators(&format!("{package}{dot}{simple}{hidden}"))
}

fn method_name(frame: &Frame) -> (String, Option<&'static str>) {
    let method = frame.enclosing_method();
    if frame.kind() == FrameKind::Lambda {
        let note = if frame.method == "invokeSuspend" { "coroutine" } else { "lambda" };
        return (decode_operators(method), Some(note));
    }
    if frame.kind() == FrameKind::Accessor {
        return (method.to_owned(), Some("accessor of a private member"));
    }
    if let Some(name) = method.strip_suffix("$default") {
        return (name.to_owned(), Some("default arguments"));
    }
    (decode_operators(method), None)
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
