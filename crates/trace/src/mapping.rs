//! Undoes the renaming of ProGuard and R8 by the mapping file that they write.

use proguard::{ProguardMapper, ProguardMapping, StackFrame, StackTrace};

use crate::model::{Crash, Frame, Location, Log, Throwable};

/// The mapping file of an obfuscated program: original names, lines, and the calls that were inlined.
#[derive(Clone, Debug)]
pub struct Mapping {
    text: Vec<u8>,
}

impl Mapping {
    /// Reads a mapping file; None if the text has no class with a member, as any mapping has near its
    /// beginning.
    pub fn read(text: Vec<u8>) -> Option<Self> {
        ProguardMapping::new(&text).is_valid().then_some(Self { text })
    }

    /// Puts original names, files and lines into the crashes of a log. A frame of inlined code becomes
    /// the frames of the calls that it stands for. Names that the mapping lacks stay.
    pub fn apply(&self, log: &mut Log) {
        let mapper = ProguardMapper::new(ProguardMapping::new(&self.text));
        for crash in &mut log.crashes {
            apply_to(&mapper, crash);
        }
    }
}

fn apply_to(mapper: &ProguardMapper<'_>, crash: &mut Crash) {
    for throwable in &mut crash.throwables {
        if let Some(class) = mapper.remap_class(&throwable.class) {
            throwable.class = class.to_owned();
        }
        let frames = std::mem::take(&mut throwable.frames);
        let common = frames.len().saturating_sub(throwable.expanded);
        let mut pending = Vec::new();
        throwable.expanded = 0;
        for (index, frame) in frames.into_iter().enumerate() {
            let mapped = mapped(mapper, throwable, index == 0, &mut pending, frame);
            if index >= common {
                throwable.expanded += mapped.len();
            }
            throwable.frames.extend(mapped);
        }
    }
}

/// The frames for which one stands. A frame of an outlined method stands for none: it only tells where
/// in its caller the code was, so it waits in `pending` for the next frame.
fn mapped(
    mapper: &ProguardMapper<'_>,
    throwable: &Throwable,
    is_first: bool,
    pending: &mut Vec<String>,
    frame: Frame,
) -> Vec<Frame> {
    let location =
        Frame { loader: None, module: None, module_version: None, artifact: None, ..frame.clone() };
    pending.push(format!("    at {}", Frame { omitted_after: 0, ..location }));
    let read: Option<Vec<StackFrame<'_>>> =
        pending.iter().map(|it| StackFrame::try_parse(it.as_bytes())).collect();
    let Some(read) = read else {
        pending.clear();
        return vec![frame];
    };
    // Rules about the exception concern the innermost frame alone.
    let exception = is_first.then(|| proguard::Throwable::new(&throwable.class));
    let before = read.last().cloned();
    let trace = StackTrace::new(exception, read);
    let result = mapper.remap_stacktrace_typed(&trace);
    let frames: Vec<Frame> = match result.frames() {
        [] => return Vec::new(),
        [only] if Some(only) == before.as_ref() => vec![frame],
        several => several.iter().map(|it| original(it, &frame)).collect(),
    };
    pending.clear();
    frames
}

/// A frame of the mapping in the place of an obfuscated one.
fn original(mapped: &StackFrame<'_>, frame: &Frame) -> Frame {
    let line = mapped.line().and_then(|it| u32::try_from(it).ok()).filter(|it| *it > 0);
    let location = match mapped.file() {
        Some(name) => Location::File { name: name.to_owned(), line },
        None => Location::Unknown { line },
    };
    Frame { class: mapped.class().to_owned(), method: mapped.method().to_owned(), location, ..frame.clone() }
}
