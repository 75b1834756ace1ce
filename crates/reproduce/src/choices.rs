//! Choices about a search that are recorded with it: fitness, algorithm, tuning.

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

/// Every probability, weight and limit of making and changing tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    placeholder: f64,
}

/// One setting of the tuning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heading under which it stands.
    pub section: &'static str,
    /// Its name, as in `--tune name=value`.
    pub name: &'static str,
    /// The values that are allowed, in words.
    pub range: &'static str,
    /// The value that it has unless it is set.
    pub default: String,
    /// The value that it has.
    pub value: String,
    /// Why it exists, in one line.
    pub reason: &'static str,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { placeholder: 0.5 }
    }
}

impl Tuning {
    /// Sets the setting of a name.
    ///
    /// # Errors
    ///
    /// If no setting has the name, or it cannot have the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), UnknownName> {
        if name != "placeholder" {
            return Err(UnknownName(format!("no setting is called `{name}`")));
        }
        let read = value.parse().ok().filter(|it| (0.0..=1.0).contains(it));
        let wrong = || UnknownName(format!("`{name}` cannot be `{value}`: it is a number from 0 to 1"));
        self.placeholder = read.ok_or_else(wrong)?;
        Ok(())
    }

    /// All settings with their values.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let reason = "it stands for the settings of making tests";
        std::iter::once(Entry {
            section: "placeholder",
            name: "placeholder",
            range: "a number from 0 to 1",
            default: "0.5".to_owned(),
            value: self.placeholder.to_string(),
            reason,
        })
    }

    /// The settings that differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = Entry> {
        self.entries().filter(|it| it.value != it.default)
    }
}
