//! The content of a log, as plain data.

use serde::Serialize;

use crate::cycle::Cycle;

/// The crashes of a log in the order of their first lines, and its problems.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Log {
    /// One entry for each stack trace, in log order.
    pub crashes: Vec<Crash>,
    /// Lines that could not be read, or only by an assumption, in log order.
    pub problems: Vec<Problem>,
}

/// Something about the log that its reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The line of the log, from 1.
    pub line: usize,
    /// The sort of problem.
    pub kind: ProblemKind,
    /// The problem in words for the user.
    pub text: String,
}

/// The sorts of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// An exception without any frame: nothing to reproduce from.
    NoFrames,
    /// Frames that no exception line precedes, such as those of a thread dump.
    FramesWithoutException,
    /// A line inside a trace begins like a frame but cannot be read as one.
    UnreadableFrame,
    /// `... n more` refers to frames that the log does not hold.
    MissingFrames,
    /// `... n more` was left unexpanded because the log asks for more frames than a real one could.
    ExpansionLimit,
    /// Frames were filtered out by the logging framework before the log was written.
    FramesFiltered,
    /// Without indentation it is open whose cause or suppressed exception this is.
    AmbiguousNesting,
    /// Lines of another log record stand inside the trace.
    Interleaved,
    /// The log holds no stack trace at all.
    NoTrace,
}

/// The place of a throwable in [`Crash::throwables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ThrowableId(pub usize);

/// One logged exception with everything printed below it.
///
/// The throwables form a tree whose root is the first: every other one is the cause of, or
/// suppressed in, exactly one that stands before it. So walking along [`Throwable::cause`] always
/// ends, also where the log shows a circle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crash {
    /// The thread, where the line says `Exception in thread "…"`.
    pub thread: Option<String>,
    /// The time of the log record, as it is written; that of the last record before the crash if its
    /// own lines have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The line of the log on which the crash begins, from 1.
    pub first_line: usize,
    /// The last line that belongs to the crash.
    pub last_line: usize,
    /// Whether the log shows the root cause first ("Wrapped by"); the throwables below are in usual
    /// order all the same.
    pub root_cause_first: bool,
    /// All throwables; the first is the outermost.
    pub throwables: Vec<Throwable>,
}

impl Crash {
    /// The throwable that was caught and logged. None only for a value that did not come from the
    /// parser.
    pub fn outermost(&self) -> Option<&Throwable> {
        self.throwables.first()
    }

    /// The throwable at a place.
    pub fn get(&self, id: ThrowableId) -> Option<&Throwable> {
        self.throwables.get(id.0)
    }

    /// The throwables from the outermost to its root cause. Ends for any contents, as causes only
    /// lead forward.
    pub fn cause_chain(&self) -> impl Iterator<Item = (ThrowableId, &Throwable)> {
        let first = self.throwables.first().map(|throwable| (ThrowableId(0), throwable));
        std::iter::successors(first, |(id, throwable)| {
            let next = throwable.cause.filter(|cause| cause > id)?;
            Some((next, self.get(next)?))
        })
    }

    /// The last throwable of the cause chain.
    pub fn root_cause(&self) -> Option<&Throwable> {
        self.cause_chain().last().map(|(_, throwable)| throwable)
    }
}

/// An exception or error as the log shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Throwable {
    /// The class as printed, normally the binary name; some logs give the simple name only.
    pub class: String,
    /// The message. None also where nothing but a colon was printed, and where the text is `null`:
    /// logging frameworks print that for no message (see [`Throwable::printed_null`]).
    pub message: Option<String>,
    /// Whether the log printed `null` in the place of the message.
    pub printed_null: bool,
    /// The line of the log that names this throwable, from 1.
    pub line: usize,
    /// The frames, innermost first, with `... n more` expanded.
    pub frames: Vec<Frame>,
    /// How many of the frames, at the outer end, came from expanding `... n more`.
    pub expanded: usize,
    /// The cause, if one is printed.
    pub cause: Option<ThrowableId>,
    /// The suppressed exceptions, in order.
    pub suppressed: Vec<ThrowableId>,
    /// Whether the log stops here with `[CIRCULAR REFERENCE: …]`: the same exception stands further
    /// up.
    pub circular: bool,
    /// The cycle of a stack overflow, if the frames were folded: see [`Throwable::fold`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
}

/// One line `at class.method(location)` of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The binary name of the class with dots, nested classes with `$`.
    pub class: String,
    /// The name of the method; constructors are `<init>`, static initialisers `<clinit>`.
    pub method: String,
    /// Where in the source, as far as printed.
    pub location: Location,
    /// The name of the class loader, as in `app//com.example.Main`.
    pub loader: Option<String>,
    /// The name of the module, as in `java.base/java.lang.String`.
    pub module: Option<String>,
    /// The version of the module, as in `java.base@17.0.1/java.lang.String`.
    pub module_version: Option<String>,
    /// The jar and version that logback and log4j print behind the frame.
    pub artifact: Option<Artifact>,
    /// How many frames between this one and the next outer one the logging framework left out.
    pub omitted_after: u32,
    /// Whether the log marks the frame as the project's, as events of error trackers do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_app: Option<bool>,
}

impl Frame {
    /// The line of the source file, if printed.
    pub fn line(&self) -> Option<u32> {
        match self.location {
            Location::File { line, .. } | Location::Unknown { line } => line,
            Location::Native | Location::Absent => None,
        }
    }

    /// The name of the source file, if printed.
    pub fn file(&self) -> Option<&str> {
        match &self.location {
            Location::File { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// The content of a frame's brackets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Location {
    /// `File.java:12` or `File.java`.
    File {
        /// The name of the source file.
        name: String,
        /// The line in it.
        line: Option<u32>,
    },
    /// `Native Method`.
    Native,
    /// `Unknown Source`, `Unknown Source:12` (obfuscated Android code), or only a line.
    Unknown {
        /// The line, which without its file may be an artificial one.
        line: Option<u32>,
    },
    /// Empty brackets.
    #[default]
    Absent,
}

/// The suffix `~[jar:version]` that logback and log4j print behind a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Artifact {
    /// The jar or directory; None where `na` or `?` is printed.
    pub jar: Option<String>,
    /// The implementation version of the package; None where `na` or `?` is printed.
    pub version: Option<String>,
    /// Whether the framework took it from the very class (`[…]`) and did not look it up by name
    /// (`~[…]`).
    pub exact: bool,
}
