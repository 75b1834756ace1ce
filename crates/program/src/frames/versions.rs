//! The jars that a log names against those on the class path.

use std::collections::BTreeSet;

use crashback_trace::Throwable;
use serde::Serialize;

use super::resolve::ResolvedFrame;
use crate::classes::Classes;
use crate::source::EntryKind;

/// A jar that the log names in another version than the class path holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct VersionMismatch {
    /// The jar and version in the log, as printed behind a frame.
    pub logged: String,
    /// The jar and version on the class path instead.
    pub found: String,
    /// A class of the trace that shows it.
    pub class: String,
    /// The same in a sentence.
    pub words: String,
}

/// Compares the suffixes of the frames (`~[shop-1.2.jar:1.2]`) with the entries that hold the
/// classes. The file name decides; a version alone counts only where both sides know one.
pub(super) fn version_mismatches(
    classes: &Classes<'_>,
    throwable: &Throwable,
    resolved: &[ResolvedFrame],
) -> Vec<VersionMismatch> {
    let mut found = BTreeSet::new();
    for (frame, resolved) in throwable.frames.iter().zip(resolved) {
        let entry = resolved.place.and_then(|it| classes.entry(it));
        let (Some(artifact), Some(entry)) = (&frame.artifact, entry) else { continue };
        if entry.kind != EntryKind::Jar {
            continue;
        }
        let jar_name = artifact.jar.as_deref().filter(|it| it.ends_with(".jar"));
        let agrees = match (jar_name, &artifact.version, &entry.version) {
            (Some(jar), ..) if jar == entry.display => true,
            (_, Some(logged), Some(found)) => logged == found,
            (Some(_), _, _) => false,
            _ => true,
        };
        if !agrees {
            let logged = match (&artifact.jar, &artifact.version) {
                (Some(jar), Some(version)) => format!("{jar} (version {version})"),
                (Some(jar), None) => jar.clone(),
                (None, version) => format!("version {}", version.as_deref().unwrap_or("?")),
            };
            let holds = match &entry.version {
                Some(version) => format!("{} (version {version})", entry.display),
                None => entry.display.clone(),
            };
            let words = format!("the trace comes from {logged}, the class path has {holds}");
            let already = found.iter().any(|it: &VersionMismatch| it.words == words);
            if !already {
                found.insert(VersionMismatch { logged, found: holds, class: frame.class.clone(), words });
            }
        }
    }
    found.into_iter().collect()
}
