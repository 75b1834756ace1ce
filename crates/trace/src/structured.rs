//! Exceptions that logs hold as JSON objects with lists of frames: events of error trackers, and layouts
//! of logging frameworks.
//!
//! Two forms are known. A throwable object has a class, perhaps a message, a list of frames with the
//! innermost first, and its cause as an object inside. A list of exceptions, as Sentry has it, goes from
//! the root cause to the outermost one, and each has its frames with the innermost last.

use serde_json::{Map, Value};

use crate::finish::{Node, Open};
use crate::model::{Artifact, Frame, Location};
use crate::{frame, header};

type Object = Map<String, Value>;

/// A crash that a record holds as an object, yet to be completed.
pub(crate) struct Crash {
    pub(crate) open: Open,
    /// How many frames could not be read.
    pub(crate) unreadable: usize,
}

const CLASSES: [&str; 9] = [
    "class",
    "className",
    "exceptionClass",
    "exception_class",
    "errorClass",
    "name",
    "type",
    "typeName",
    "@class",
];
const MESSAGES: [&str; 6] =
    ["message", "localizedMessage", "exceptionMessage", "exception_message", "errorMessage", "value"];
const FRAMES: [&str; 8] = [
    "extendedStackTrace",
    "stackTrace",
    "stackTraceElements",
    "stepArray",
    "stacktrace",
    "stack_trace",
    "parsedStack",
    "frames",
];
const CAUSES: [&str; 3] = ["cause", "causedBy", "innerException"];
const SUPPRESSED: [&str; 2] = ["suppressed", "suppressedExceptions"];
const COMMON: [&str; 3] = ["commonElementCount", "commonFramesCount", "framesInCommon"];

/// Reads a value as an exception; None if it is none.
pub(crate) fn crash(value: &Value) -> Option<Crash> {
    let mut reader = Reader::default();
    let outermost = match value {
        Value::Array(items) => reader.list(items)?,
        Value::Object(object) => reader.throwable(object)?,
        _ => return None,
    };
    let has_frames = reader.nodes.iter().any(|node| !node.frames.is_empty());
    let Reader { nodes, unreadable } = reader;
    has_frames.then(|| Crash { open: Open::of_nodes(nodes, outermost), unreadable })
}

#[derive(Default)]
struct Reader {
    nodes: Vec<Node>,
    unreadable: usize,
}

impl Reader {
    /// A throwable object with its causes. Recursion is as deep as the value, which the parser bounds.
    fn throwable(&mut self, object: &Object) -> Option<usize> {
        let class = CLASSES
            .iter()
            .filter_map(|name| text(object, name))
            .find(|it| header::is_class(it.as_bytes()))?;
        let frames = FRAMES.iter().find_map(|name| object.get(*name)?.as_array());
        let cause = CAUSES.iter().find_map(|name| object.get(*name)?.as_object());
        let frames = frames.filter(|frames| frames.iter().any(|it| frame_of(it).is_some()));
        if frames.is_none() && cause.is_none() {
            return None;
        }
        let message = MESSAGES.iter().find_map(|name| text(object, name)).unwrap_or_default();
        let id = self.add(class, message, frames.map_or(&[], Vec::as_slice), false);
        let common = COMMON.iter().find_map(|name| object.get(*name)?.as_u64()).unwrap_or_default();
        let cause = cause.and_then(|it| self.throwable(it));
        let inner = SUPPRESSED.iter().find_map(|name| object.get(*name)?.as_array());
        let inner = inner.map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_object);
        let suppressed: Vec<usize> = inner.filter_map(|it| self.throwable(it)).collect();
        if let Some(node) = self.nodes.get_mut(id) {
            node.common = usize::try_from(common).unwrap_or(usize::MAX);
            (node.cause, node.suppressed) = (cause, suppressed);
        }
        Some(id)
    }

    /// A list of exceptions from the root cause to the outermost one.
    fn list(&mut self, items: &[Value]) -> Option<usize> {
        let objects: Vec<&Object> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
        let frames = |object: &Object| object.get("stacktrace")?.get("frames")?.as_array().cloned();
        let is_exception = |object: &&Object| class_of_listed(object).is_some();
        if !objects.iter().all(is_exception) || !objects.iter().any(|it| frames(it).is_some()) {
            return None;
        }
        let mut ids = Vec::with_capacity(objects.len());
        for object in &objects {
            let class = class_of_listed(object)?;
            let message = text(object, "value").unwrap_or_default();
            ids.push(self.add(&class, message, &frames(object).unwrap_or_default(), true));
        }
        self.link(&objects)
    }

    /// Makes each exception of a list the cause of, or suppressed in, the one that it names as its parent;
    /// without such names the cause of its successor.
    fn link(&mut self, objects: &[&Object]) -> Option<usize> {
        let last = objects.len().checked_sub(1)?;
        let number = |object: &Object, name: &str| object.get("mechanism")?.get(name)?.as_u64();
        let mut outermost = None;
        for id in (0..=last).rev() {
            let object = objects.get(id)?;
            let named = number(object, "parent_id")
                .and_then(|parent| objects.iter().position(|it| number(it, "exception_id") == Some(parent)));
            // Only a parent further out keeps the exceptions a tree.
            let parent = named.filter(|it| *it > id).or((id < last).then_some(id + 1));
            let Some(parent) = parent else {
                outermost = outermost.or(Some(id));
                continue;
            };
            let mechanism = object.get("mechanism").and_then(|it| it.get("type")).and_then(Value::as_str);
            let parent = self.nodes.get_mut(parent)?;
            match parent.cause {
                None if mechanism != Some("suppressed") => parent.cause = Some(id),
                _ => parent.suppressed.push(id),
            }
        }
        outermost
    }

    fn add(&mut self, class: &str, message: &str, frames: &[Value], is_innermost_last: bool) -> usize {
        let mut node = Node::new(1, class.as_bytes(), message.as_bytes(), 0);
        let read: Vec<Option<Frame>> = frames.iter().map(frame_of).collect();
        self.unreadable += read.iter().filter(|it| it.is_none()).count();
        node.frames = read.into_iter().flatten().collect();
        if is_innermost_last {
            node.frames.reverse();
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// The class of an exception of a list: its module, which is the package, and its type.
fn class_of_listed(object: &Object) -> Option<String> {
    let name = text(object, "type").or_else(|| text(object, "errorClass"))?;
    let class = match text(object, "module").filter(|it| !it.is_empty()) {
        Some(module) if !name.starts_with(module) => format!("{module}.{name}"),
        _ => name.to_owned(),
    };
    header::is_class(class.as_bytes()).then_some(class)
}

fn text<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    object.get(name)?.as_str()
}

/// Reads an object as a frame. Only names that the text of a trace can show are believed.
fn frame_of(value: &Value) -> Option<Frame> {
    let object = value.as_object()?;
    let first = |names: &[&str]| names.iter().find_map(|name| text(object, name));
    let method = first(&["method", "methodName", "function", "rawFunction"])?;
    let (class, method) = match first(&["class", "className", "declaringClass", "module", "class_name"]) {
        Some(class) => (class, method.rsplit('.').next()?),
        None => method.rsplit_once('.')?,
    };
    let line = ["line", "lineNumber", "lineno", "lineNo"].iter().find_map(|name| object.get(*name)?.as_i64());
    let file = first(&["file", "fileName", "filename"]).filter(|it| *it != "Unknown Source");
    let number = line.and_then(|it| u32::try_from(it).ok()).filter(|it| *it > 0);
    let is_native = line == Some(-2) || object.get("native").and_then(Value::as_bool) == Some(true);
    let location = match file {
        _ if is_native => Location::Native,
        Some("Native Method") => Location::Native,
        Some(file) => Location::File { name: file.to_owned(), line: number },
        None => Location::Unknown { line: number },
    };
    let plain = Frame { class: class.to_owned(), method: method.to_owned(), location, ..Frame::default() };
    let shown = frame::at_frame(format!("at {plain}").as_bytes())?;
    let in_app = object.get("in_app").or_else(|| object.get("inApp")).and_then(Value::as_bool);
    Some(Frame { in_app, artifact: artifact_of(object), ..shown })
}

/// Jar and version, which layouts of Log4j and Logback give behind each frame.
fn artifact_of(object: &Object) -> Option<Artifact> {
    let known = |names: [&str; 2]| {
        let part = names.iter().find_map(|name| text(object, name))?;
        let is_plain = part.bytes().all(|b| b.is_ascii_graphic() && !b"[]:".contains(&b));
        (is_plain && !matches!(part, "" | "?" | "na")).then(|| part.to_owned())
    };
    let (jar, version) = (known(["location", "codeLocation"]), known(["version", "implementationVersion"]));
    let exact = object.get("exact").and_then(Value::as_bool).unwrap_or_default();
    (jar.is_some() || version.is_some()).then_some(Artifact { jar, version, exact })
}
