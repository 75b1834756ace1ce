//! Verdicts in words.

use std::collections::BTreeSet;

use crashback_classfile::{JavaStr, MethodDescriptor};

use super::ability::Evidence;
use super::audit::FrameAudit;
use super::entry::EntryPoint;
use super::resolve::Status;
use super::shape::{Nesting, Shape, Visibility};
use crate::classes::Classes;
use crate::index::ClassIndex;
use crashback_trace::Relaxation;

pub(super) use crate::names::simple_name;

/// The internal name of the class that a log means by an exception's name. Logs that print simple
/// names mean a class of `java.lang`, else the only throwable of that name; none if there are
/// several.
pub(super) fn exception_class(classes: &Classes<'_>, name: &str) -> Option<String> {
    let internal = name.replace('.', "/");
    if classes.index().contains(&internal) {
        return Some(internal);
    }
    if name.contains('.') {
        return None;
    }
    let in_java_lang = format!("java/lang/{name}");
    if classes.index().contains(&in_java_lang) {
        return Some(in_java_lang);
    }
    // Nested classes have simple names too.
    let is_named =
        |it: &&str| it.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '$']));
    let found: BTreeSet<&str> = classes
        .index()
        .iter()
        .map(|it| it.name())
        .filter(is_named)
        .filter(|it| classes.hierarchy().is_subtype(it, "java/lang/Throwable") == Some(true))
        .collect();
    match found.len() {
        1 => found.first().map(|&it| it.to_owned()),
        _ => None,
    }
}

/// A method or field as people write it: `Depot.receive(List)`, `Depot.COUNT`.
pub(super) fn entry_name(index: &ClassIndex, entry: EntryPoint) -> Option<String> {
    match entry {
        EntryPoint::Method(method) => {
            let view = method.view(index)?;
            Some(signature(view.class().name(), view.name(), view.descriptor()))
        }
        EntryPoint::Field { class, number } => {
            let view = index.view(class)?.fields().nth(usize::from(number))?;
            Some(format!("{}.{}", simple_name(view.class().name()), view.name()))
        }
    }
}

/// `Outer.Inner.method(int, String)` from internal names; constructors read as `new
/// Outer.Inner(int)`.
pub(super) fn signature(class: &str, method: &str, descriptor: &str) -> String {
    let class = simple_name(class);
    let encoded = JavaStr::encode(descriptor);
    let parameters = match MethodDescriptor::parse(JavaStr::new(&encoded)) {
        Ok(parsed) => {
            let simple = |name: String| name.rsplit(['.', '$']).next().map(str::to_owned).unwrap_or_default();
            parsed.parameters().map(|it| simple(it.java_name())).collect::<Vec<_>>().join(", ")
        }
        Err(_) => "…".to_owned(),
    };
    match method {
        "<init>" => format!("new {class}({parameters})"),
        "<clinit>" => format!("static initialiser of {class}"),
        _ => format!("{class}.{method}({parameters})"),
    }
}

/// How a frame disagrees with the class path, if it does.
pub(super) fn mismatch(audit: &FrameAudit) -> Result<(), String> {
    let entry = audit.entry.as_deref().unwrap_or("the class path");
    let FrameAudit { class, method, .. } = audit;
    match audit.status {
        _ if audit.relaxation == Some(Relaxation::MovedLines) => Ok(()),
        Status::Ok => Ok(()),
        Status::NoLine => match audit.line {
            None => Ok(()),
            Some(line) => Err(format!(
                "{class} in {entry} was compiled without line numbers: no run of it can show line {line}"
            )),
        },
        Status::ClassMissing => Err(format!("class {class} is not on the class path")),
        Status::MethodMissing => Err(format!("{class} in {entry} has no method {method}: another version?")),
        Status::LineAbsent => {
            let line = audit.line.unwrap_or_default();
            Err(format!("{method} of {class} in {entry} has no line {line}: another version?"))
        }
    }
}

/// Why the code of a frame's line speaks against the trace, if it does.
pub(super) fn refuted(audit: &FrameAudit, exception: &str) -> Result<(), String> {
    let Some(check) = audit.line_check.as_ref().filter(|it| !it.able) else { return Ok(()) };
    debug_assert!(check.evidence.is_none());
    let line = audit.line.unwrap_or_default();
    let what = if audit.level == 1 {
        format!("throw {exception}")
    } else {
        format!("call frame {}", audit.level - 1)
    };
    Err(format!("line {line} of {} cannot {what}: another version?", audit.method))
}

/// Why a test cannot call a method.
pub(super) fn inaccessible(audit: &FrameAudit) -> &'static str {
    match (audit.shape, audit.nesting, audit.visibility) {
        (Shape::StaticInitializer, ..) => "a static initialiser",
        (Shape::Lambda, ..) => "the body of a lambda",
        (Shape::Accessor, ..) => "an accessor for nested classes",
        (Shape::Synthetic, ..) => "a method made by the compiler",
        (_, Some(Nesting::Anonymous), _) => "in an anonymous class",
        (_, Some(Nesting::Local), _) => "in a local class",
        (_, _, Some(Visibility::Private)) => "private",
        _ => "in a private class",
    }
}

/// Why a frame is worth targeting, and by which way.
pub(super) fn target(audit: &FrameAudit) -> String {
    let mut parts = Vec::new();
    if audit.shape == Shape::Bridge {
        parts.push("a bridge method, called through a supertype".to_owned());
    }
    if audit.accessible == Some(false) {
        parts.push(format!("{}, entered through {}", inaccessible(audit), first_of(&audit.entry_points)));
    }
    parts.extend(line_words(audit));
    if audit.status == Status::NoLine {
        parts.push("no line to check".to_owned());
    }
    if !audit.candidates.is_empty() {
        parts.push(format!("one of {} overloads, the code does not tell which", audit.candidates.len()));
    }
    parts.extend(audit.handling.clone());
    parts.join("; ")
}

fn line_words(audit: &FrameAudit) -> Option<String> {
    if let (Some(Relaxation::MovedLines), Some(line)) = (audit.relaxation, audit.line) {
        let lines: Vec<String> = audit.other_lines.iter().map(u32::to_string).collect();
        return Some(match lines.as_slice() {
            [] => format!("line {line} is of another version, any line stands for it"),
            lines => format!("line {line} is of another version, line {} stands for it", lines.join(" or ")),
        });
    }
    let check = audit.line_check.as_ref()?;
    let what = evidence_words(check.evidence.as_ref()?);
    Some(match (check.shifted_line, audit.line) {
        (Some(shifted), Some(line)) => {
            format!("line {line} cannot do it, line {shifted} stands for it: {what}")
        }
        _ => what,
    })
}

fn evidence_words(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Constructs => "constructs the exception".to_owned(),
        Evidence::ThrowsImplicitly { instruction } => format!("{instruction} can throw it"),
        Evidence::ExhaustsStack => "entering the method can exhaust the stack".to_owned(),
        Evidence::Calls { callee } => format!("calls {callee}"),
        Evidence::Initialises { class } => format!("initialises {class}"),
        Evidence::ThroughJdk { callee } => format!("calls {callee}, whose own frames the log does not show"),
        Evidence::Indirectly { callee } => format!("may lead on through {callee}"),
    }
}

fn first_of(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} (or {} more)", rest.len()),
    }
}
