//! Choices about a search that are recorded with it: fitness and algorithm.

use std::fmt;
use std::str::FromStr;

/// How the distance of a test from a crash is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fitness {
    /// Frames not yet reached, then the line in the first diverging frame, then the exception.
    #[default]
    CallChain,
    /// Weighted distances of line, exception and stack trace.
    WeightedSum,
}

/// An algorithm by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlgorithmKind {
    /// The guided genetic algorithm of EvoCrash.
    #[default]
    GuidedGa,
}

/// Defines names of an enum's variants.
macro_rules! names {
    ($type:ident, $what:literal, $($variant:ident = $name:literal),+) => {
        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that users write.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                let known = Self::ALL.iter().find(|it| it.name() == name).copied();
                known.ok_or_else(|| UnknownName(format!("there is no {} {name:?}", $what)))
            }
        }
    };
}

names!(Fitness, "fitness", CallChain = "call-chain", WeightedSum = "weighted-sum");
names!(AlgorithmKind, "algorithm", GuidedGa = "guided-ga");

/// A name that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(String);

impl fmt::Display for UnknownName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}
