//! Crashes and frames as text, as `printStackTrace` prints them, and names for people.

use std::fmt::{self, Display, Formatter};

use crate::model::{Artifact, Crash, Frame, Location, Throwable, ThrowableId};

/// The crash as `Throwable.printStackTrace` prints it, common frames shortened to `... n more`
/// where they were so in the log. Parsing the text gives the crash back.
impl Display for Crash {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(thread) = &self.thread {
            write!(f, "Exception in thread \"{thread}\" ")?;
        }
        let mut waiting = vec![(ThrowableId(0), 0, "")];
        while let Some((id, depth, label)) = waiting.pop() {
            let Some(throwable) = self.get(id) else { continue };
            write_throwable(f, throwable, depth, label)?;
            // Causes only lead forward in a log that was parsed; other references would not end.
            waiting.extend(
                throwable.cause.filter(|cause| *cause > id).map(|cause| (cause, depth, "Caused by: ")),
            );
            let suppressed = throwable.suppressed.iter().rev().filter(|inner| **inner > id);
            waiting.extend(suppressed.map(|inner| (*inner, depth + 1, "Suppressed: ")));
        }
        Ok(())
    }
}

fn write_throwable(f: &mut Formatter<'_>, throwable: &Throwable, depth: usize, label: &str) -> fmt::Result {
    indent(f, depth)?;
    f.write_str(label)?;
    if throwable.circular {
        return writeln!(f, "[CIRCULAR REFERENCE: {throwable}]");
    }
    writeln!(f, "{throwable}")?;
    let own = throwable.frames.len().saturating_sub(throwable.expanded);
    for frame in throwable.frames.iter().take(own) {
        indent(f, depth + 1)?;
        writeln!(f, "at {frame}")?;
    }
    if throwable.expanded > 0 {
        indent(f, depth + 1)?;
        let omitted = |frame: &Frame| usize::try_from(frame.omitted_after).unwrap_or(usize::MAX);
        let common = throwable.frames.iter().skip(own).map(omitted);
        let count = common.fold(throwable.expanded, usize::saturating_add);
        writeln!(f, "... {count} more")?;
    }
    Ok(())
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("\t"))
}

/// The throwable as `Throwable.toString` gives it.
impl Display for Throwable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        match &self.message {
            Some(message) => write!(f, ": {message}"),
            None if self.printed_null => f.write_str(": null"),
            None => Ok(()),
        }
    }
}

/// The frame as `StackTraceElement.toString` gives it, with the suffix that logging frameworks add.
impl Display for Frame {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(loader) = &self.loader {
            write!(f, "{loader}/")?;
        }
        if let Some(module) = &self.module {
            f.write_str(module)?;
        }
        if let Some(version) = &self.module_version {
            write!(f, "@{version}")?;
        }
        if self.loader.is_some() || self.module.is_some() || self.module_version.is_some() {
            f.write_str("/")?;
        }
        write!(f, "{}.{}({})", self.class, self.method, self.location)?;
        if let Some(artifact) = &self.artifact {
            write!(f, " {artifact}")?;
        }
        if self.omitted_after > 0 {
            write!(f, " [{} skipped]", self.omitted_after)?;
        }
        Ok(())
    }
}

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Location::File { name, line: Some(line) } => write!(f, "{name}:{line}"),
            Location::File { name, line: None } => f.write_str(name),
            Location::Native => f.write_str("Native Method"),
            Location::Unknown { line: Some(line) } => write!(f, "Unknown Source:{line}"),
            Location::Unknown { line: None } => f.write_str("Unknown Source"),
            Location::Absent => Ok(()),
        }
    }
}

impl Display for Artifact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "na".to_owned());
        let sign = if self.exact { "" } else { "~" };
        write!(f, "{sign}[{}:{}]", part(&self.jar), part(&self.version))
    }
}
