//! In which ways the definition of agreement, and the choice of what is searched for, may be relaxed.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use serde::{Serialize, Serializer};

/// A way in which a search, or the trace that it produces, may differ from the log to the letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relaxation {
    /// The logged line can neither throw the exception nor call the next frame; one of the next
    /// lines stands for it.
    ShiftedLine,
    /// The logged line is another one of the statement that constructs the exception: compilers
    /// differ in the line that they give its constructor.
    ConstructorLine,
    /// The log was written with another build of a library: its frames agree by class and method.
    LibraryLines,
    /// The library has frames that the log lacks.
    LibraryFrames,
    /// Frames of class loaders, agents and containers that the class path lacks do not count.
    RuntimeFrames,
    /// The log is of another version of the program: frames agree on any line of their method that
    /// can throw the exception or call the next frame. Only where nothing could be searched for
    /// otherwise.
    MovedLines,
    /// Another exception of the cause chain than usual is reproduced, because no frame of the usual
    /// one can be targeted.
    OtherException,
    /// The program runs with assertions enabled, because the log shows a failed one.
    Assertions,
    /// A class of the trace lies in several entries of the class path; the one whose copy fits the
    /// log was put first.
    ClassPathOrder,
    /// The stack overflowed in a cycle of calls: frames agree if they run through the same cycle,
    /// wherever in it the stack ran out.
    Cycle,
    /// Another release of an artifact than the given one was put on the class path, because it fits
    /// the log better.
    OtherRelease,
}

impl Relaxation {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::ShiftedLine,
        Self::ConstructorLine,
        Self::LibraryLines,
        Self::LibraryFrames,
        Self::RuntimeFrames,
        Self::MovedLines,
        Self::OtherException,
        Self::Assertions,
        Self::ClassPathOrder,
        Self::Cycle,
        Self::OtherRelease,
    ];

    /// The same in a sentence for users.
    pub fn words(self) -> &'static str {
        match self {
            Self::ShiftedLine => "A logged line cannot be right; the next one that can stands for it.",
            Self::ConstructorLine => {
                "Compilers differ in the line of an exception that is made over several lines; another \
                 line of that statement stands for the logged one."
            }
            Self::LibraryLines => {
                "The log is of another build of a library; its frames agree by class and method, their \
                 lines are ignored."
            }
            Self::LibraryFrames => "Frames of that library which the log lacks stand between its frames.",
            Self::RuntimeFrames => {
                "Frames of class loaders, agents or containers that are not on the class path do not count."
            }
            Self::MovedLines => {
                "The log is of another version of the program: lines that can do what the trace says stand \
                 for logged ones that cannot."
            }
            Self::OtherException => {
                "No frame of the innermost exception of the project can be targeted; another one of its \
                 cause chain is looked at."
            }
            Self::Assertions => "The log shows a failed assertion: assertions are enabled (java -ea).",
            Self::ClassPathOrder => {
                "A class of the trace lies in several places; the class path was ordered so that the copy \
                 that fits comes first."
            }
            Self::Cycle => {
                "The stack overflowed in a cycle of calls: traces agree if they run through the same cycle, \
                 wherever in it the stack ran out."
            }
            Self::OtherRelease => {
                "Another release of an artifact took the place of the given one, because it fits the log \
                 better."
            }
        }
    }
}

/// A set of relaxations; empty where traces agree to the letter.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Relaxations(u16);

impl Relaxations {
    /// Whether one of them is among these.
    pub fn contains(self, relaxation: Relaxation) -> bool {
        self.0 & Self::from(relaxation).0 != 0
    }

    /// Those in the set, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Relaxation> {
        Relaxation::ALL.into_iter().filter(move |it| self.contains(*it))
    }
}

impl From<Relaxation> for Relaxations {
    fn from(relaxation: Relaxation) -> Self {
        Self(1 << relaxation as u16)
    }
}

impl BitOr for Relaxations {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Relaxations {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl fmt::Debug for Relaxations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Relaxations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
