//! Logged traces of crashes, read from a folder of logs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind};
use crashback_campaign::Record;
use crashback_report::{Trace, TraceFrame};
use crashback_trace::{Frame, Throwable, parse};

/// Folders below the named one: enough for `crashes/APPLICATION/ID`, and links in circles end.
const DEPTH: usize = 5;

/// Traces by the names of crashes. The log of a crash is the file `CRASH.log`, in whichever folder.
pub(super) fn traces(folder: &Path, records: &[Record]) -> Result<BTreeMap<String, Trace>, Error> {
    let unreadable = |error| {
        let message = format!("cannot read the logs in {}: {error}; check --logs", folder.display());
        Error::new(ErrorKind::Usage, message)
    };
    fs::read_dir(folder).map_err(unreadable)?;
    let mut logs = BTreeMap::new();
    find(folder, DEPTH, &mut logs);
    let mut traces = BTreeMap::new();
    // The run with the most target frames tells best which exception of the log is meant.
    let mut runs: BTreeMap<&str, &Record> = BTreeMap::new();
    for record in records {
        let known = runs.entry(&record.crash).or_insert(record);
        if record.frames.len() > known.frames.len() {
            *known = record;
        }
    }
    for (crash, record) in runs {
        let log = logs.get(crash).and_then(|path| fs::read(path).ok());
        traces.extend(log.and_then(|it| trace(&it, record)).map(|it| (crash.to_owned(), it)));
    }
    Ok(traces)
}

fn find(folder: &Path, depth: usize, logs: &mut BTreeMap<String, PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let is_log = path.extension().is_some_and(|it| it == "log");
        match path.file_stem().and_then(|it| it.to_str()) {
            Some(name) if is_log && path.is_file() => {
                logs.entry(name.to_owned()).or_insert(path);
            }
            _ if depth > 0 && path.is_dir() => find(&path, depth - 1, logs),
            _ => {}
        }
    }
}

/// The exception of a log whose frames are those of the run; the root cause of the first crash if the
/// run has none.
fn trace(log: &[u8], record: &Record) -> Option<Trace> {
    let crashes: Vec<_> = parse(log).crashes.into_iter().map(|it| it.folded()).collect();
    let all = crashes.iter().flat_map(|it| &it.throwables);
    let found = all.filter(|_| !record.frames.is_empty()).find(|it| is_of(it, record));
    let throwable = found.or_else(|| crashes.first()?.root_cause().filter(|_| record.frames.is_empty()))?;
    let frame = |it: &Frame| TraceFrame { frame: text(it), reason: None };
    Some(Trace {
        exception: throwable.class.clone(),
        message: throwable.message.clone(),
        frames: throwable.frames.iter().map(frame).collect(),
    })
}

/// Whether every target frame of a run stands at its level.
fn is_of(throwable: &Throwable, record: &Record) -> bool {
    record.frames.iter().all(|it| {
        let index = usize::try_from(it.level).ok().and_then(|level| level.checked_sub(1));
        index.and_then(|index| throwable.frames.get(index)).is_some_and(|frame| text(frame) == it.frame)
    })
}

/// A frame as results write it.
fn text(frame: &Frame) -> String {
    let line = frame.line().map_or(String::new(), |line| format!(":{line}"));
    format!("{}.{}{line}", frame.class, frame.method)
}
