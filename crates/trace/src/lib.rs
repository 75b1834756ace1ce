//! Text of logs to crashes: a total parser for Java stack traces, and the comparison of traces.
//!
//! [`parse`] is total: any bytes give a [`Log`], in time linear in their number, without an error
//! and without recursion. Lines that could not be read, or only by an assumption, are listed as
//! [`Problem`]s beside the crashes, and nothing is invented to fill a gap. This crate knows text
//! only: no class files, no file system, no JVM.
//!
//! The way of a log through the crate: `markup` turns pages into lines, `lines` splits a log,
//! `wrappers` takes transport wrappers off (container logs, syslog, JSON records, folded lines),
//! `frame` and `header` read one line each, `structured` reads exceptions that are JSON objects,
//! `assemble` puts lines together and `finish` completes a crash. `cycle` folds the traces of stack
//! overflows, [`Mapping`] undoes obfuscation. [`message::facts`] reads exception messages,
//! [`values_around`] the lines around a crash, [`recorded_calls`] the reports of an agent;
//! [`compare`] holds the one definition of two traces agreeing.

mod assemble;
mod bytes;
mod calls;
pub mod compare;
mod cycle;
mod finish;
mod frame;
mod header;
mod java;
mod kind;
mod lines;
mod mapping;
mod markup;
pub mod message;
mod model;
mod names;
mod problems;
mod relaxation;
mod render;
mod structured;
mod surroundings;
mod time;
mod values;
mod wrappers;

pub use calls::{RecordedCall, recorded_calls};
pub use cycle::Cycle;
pub use java::{JavaReleases, java_releases};
pub use kind::FrameKind;
pub use mapping::Mapping;
pub use model::{Artifact, Crash, Frame, Location, Log, Problem, ProblemKind, Throwable, ThrowableId};
pub use relaxation::{Relaxation, Relaxations};
pub use surroundings::values_around;
pub use values::values_of_line;

/// Reads all crashes out of a log.
///
/// The bytes need not be UTF-8; other bytes are replaced in the texts of the result. A log in
/// UTF-16 with a byte order mark is read as such.
pub fn parse(bytes: &[u8]) -> Log {
    let decoded = bytes::decode_utf16(bytes);
    let text = decoded.as_deref().unwrap_or(bytes);
    if markup::is_markup(text) {
        let log = parse_markup(text);
        // A page whose traces are all in its scripts is better read as lines.
        if !log.crashes.is_empty() {
            return log;
        }
    }
    let mut assembler = assemble::Assembler::default();
    if !wrappers::read_document(text, &mut assembler) {
        lines::read(text, &mut assembler);
    }
    assembler.finish()
}

fn parse_markup(page: &[u8]) -> Log {
    let mut assembler = assemble::Assembler::default();
    let mut unwrapper = wrappers::Unwrapper::new(&mut assembler);
    markup::for_each_line(page, |number, text| unwrapper.line(number, text));
    unwrapper.finish();
    assembler.finish()
}
