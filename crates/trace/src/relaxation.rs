//! In which ways the definition of agreement may be relaxed.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use serde::{Serialize, Serializer};

/// A way in which a produced trace may differ from the logged one and still agree with it.
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
}

impl Relaxation {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::ShiftedLine,
        Self::ConstructorLine,
        Self::LibraryLines,
        Self::LibraryFrames,
        Self::RuntimeFrames,
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
