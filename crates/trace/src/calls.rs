//! Calls that failed, with the arguments that an agent recorded: reports of stacktale, as text (`st/1`) or as
//! JSON (`st-json/1`), inside a log or in a file of their own.

use memchr::memmem;
use serde_json::Value;

use crate::bytes;
use crate::wrappers;

/// How many calls are read.
const MOST_CALLS: usize = 200;
/// How deep records may lie inside each other.
const DEEPEST: usize = 4;
/// Marks of values that were cut, or replaced because they are secret.
const INCOMPLETE: [&str; 3] = ["…", "███", "<toString failed>"];

/// A call that ended with an exception, and its arguments as they were written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCall {
    /// The class, with its package or without.
    pub class: String,
    /// The method.
    pub method: String,
    /// The texts of its arguments; none for those that were cut or hidden.
    pub arguments: Vec<Option<String>>,
}

impl RecordedCall {
    /// Whether it is a call of a method of a class, given by its binary name.
    pub fn is_of(&self, class: &str, method: &str) -> bool {
        let simple = || class.rsplit('.').next().unwrap_or(class);
        self.method == method && (self.class == class || self.class == simple())
    }
}

/// The calls that a log records, in its order. Calls that are there twice count once.
pub fn recorded_calls(log: &[u8]) -> Vec<RecordedCall> {
    let decoded = bytes::decode_utf16(log);
    let log = decoded.as_deref().unwrap_or(log);
    if [&b"captured"[..], b"repro ("].iter().all(|it| memmem::find(log, it).is_none()) {
        return Vec::new();
    }
    let mut reader = Reader::default();
    let is_json = matches!(bytes::trim_start_lines(log).first(), Some(b'{' | b'['));
    if is_json {
        let values = serde_json::Deserializer::from_slice(log).into_iter::<Value>();
        values.map_while(Result::ok).for_each(|it| reader.value(&it, DEEPEST));
    }
    for line in log.split(|b| *b == b'\n') {
        reader.line(line);
    }
    reader.calls
}

/// The part of a report that is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Other,
    Captured,
    Reproduction,
}

#[derive(Default)]
struct Reader {
    calls: Vec<RecordedCall>,
    section: Section,
    /// The call whose arguments are being read, and their names.
    open: Option<(RecordedCall, Vec<String>)>,
}

impl Reader {
    fn line(&mut self, line: &[u8]) {
        let line = wrappers::without_prefixes(line);
        if line.first() == Some(&b'{') {
            if memmem::find(&line, b"captured").is_some()
                && let Ok(value) = serde_json::from_slice(&line)
            {
                self.value(&value, DEEPEST);
            }
            return;
        }
        let text = bytes::text(&line);
        let text = text.trim_end();
        match text.strip_prefix("  ") {
            Some(inside) if self.section == Section::Captured => self.add(captured(inside.trim())),
            Some(inside) if self.section == Section::Reproduction => self.reproduction(inside),
            _ => {
                self.section = match text {
                    _ if text.starts_with("captured (") => Section::Captured,
                    _ if text.starts_with("repro (") => Section::Reproduction,
                    _ => Section::Other,
                };
                self.open = None;
            }
        }
    }

    /// A line of the section that has each argument on a line of its own.
    fn reproduction(&mut self, line: &str) {
        if let Some(argument) = line.strip_prefix("  ") {
            let Some((call, names)) = &mut self.open else { return };
            let Some((name, value)) = argument.split_once(" = ") else { return };
            if names.get(call.arguments.len()).is_some_and(|it| it == name) {
                // The format writes the ends of lines like this.
                call.arguments.push(complete(value).map(|it| it.replace("\\n", "\n")));
            }
            if call.arguments.len() == names.len() {
                let call = self.open.take().map(|(call, _)| call);
                self.add(call);
            }
            return;
        }
        self.open = None;
        let Some((class, rest)) = line.split_once('#') else { return };
        let Some((method, parameters)) = rest.split_once('(') else { return };
        let parameters = parameters.trim_end().trim_end_matches(')');
        let names = parameters.split(", ").filter_map(|it| it.rsplit(' ').next()).map(str::to_owned);
        let call = RecordedCall { class: class.to_owned(), method: method.to_owned(), arguments: Vec::new() };
        self.open = Some((call, names.filter(|it| !it.is_empty()).collect()));
    }

    /// A JSON record, or one inside it.
    fn value(&mut self, value: &Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Object(object) => {
                if let Some(lines) = object.get("captured").and_then(Value::as_array) {
                    lines.iter().filter_map(Value::as_str).for_each(|it| self.add(captured(it)));
                    return;
                }
                object.values().for_each(|it| self.value(it, depth));
            }
            Value::Array(items) => items.iter().for_each(|it| self.value(it, depth)),
            Value::String(text) if text.starts_with('{') && text.contains("captured") => {
                if let Ok(value) = serde_json::from_str(text) {
                    self.value(&value, depth);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, call: Option<RecordedCall>) {
        if let Some(call) = call
            && self.calls.len() < MOST_CALLS
            && !self.calls.contains(&call)
        {
            self.calls.push(call);
        }
    }
}

/// A call on one line: `Till.charge(order=889, amount=149.90)`.
fn captured(line: &str) -> Option<RecordedCall> {
    let (name, rest) = line.split_once('(')?;
    let (class, method) = name.rsplit_once('.')?;
    let inside = rest.strip_suffix(')')?;
    let arguments = arguments(inside).into_iter().map(complete).collect();
    Some(RecordedCall { class: class.to_owned(), method: method.to_owned(), arguments })
}

/// The values of `name=value, name=value`. A value may hold commas itself: only a name with an equals sign
/// behind a comma begins another argument, and only outside of brackets, if these are balanced.
fn arguments(text: &str) -> Vec<&str> {
    let mut starts = names(text, true);
    if starts.is_empty() {
        starts = names(text, false);
    }
    let ends = starts.iter().skip(1).map(|(name, _)| name.saturating_sub(2)).chain([text.len()]);
    starts.iter().zip(ends).filter_map(|((_, value), end)| text.get(*value..end)).collect()
}

/// Where the names of arguments begin, and where their values do. None if brackets count and do not match.
fn names(text: &str, brackets_count: bool) -> Vec<(usize, usize)> {
    let (mut found, mut depth) = (Vec::new(), 0_i64);
    for (position, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        let is_start = position == 0 || text.get(..position).is_some_and(|it| it.ends_with(", "));
        if is_start && (depth == 0 || position == 0 || !brackets_count) {
            let rest = text.get(position..).unwrap_or_default();
            let is_other = |it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$'));
            let end = rest.find(is_other).unwrap_or(rest.len());
            if end > 0 && rest.get(end..).is_some_and(|it| it.starts_with('=')) {
                found.push((position, position + end + 1));
            }
        }
    }
    if brackets_count && depth != 0 { Vec::new() } else { found }
}

/// A value that was neither cut nor hidden.
fn complete(value: &str) -> Option<String> {
    let is_whole = !INCOMPLETE.iter().any(|it| value.contains(it));
    is_whole.then(|| value.to_owned())
}
