//! Fitness functions by their names: a new one is a file in this folder, its `mod` line and its row in
//! the table.

mod call_chain;
mod diversity;
mod indexed_access;
mod weighted_sum;

use std::fmt;
use std::str::FromStr;

use crashback_protocol::Observation;
use crashback_testcase::TestCase;
use serde::{Serialize, Serializer};
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::assessment::Assessment;
use crate::target::Target;
use crate::variables::BranchVariable;

pub use call_chain::call_chain;
pub use indexed_access::{indexed_access, indexed_access_steps};
pub use weighted_sum::weighted_sum;

/// Values of objectives; smaller is better.
pub type ObjectiveValues = SmallVec<[f64; 4]>;

/// One execution, as fitness functions see it.
#[derive(Clone, Copy)]
pub struct Execution<'a> {
    /// The distances from the crash.
    pub assessment: &'a Assessment,
    /// The observation that they come from.
    pub observation: &'a Observation,
    /// The test that was executed.
    pub test: &'a TestCase,
}

/// A fitness function, prepared for one target.
pub trait Function {
    /// How far the execution was from the crash: 0 if and only if it was reproduced.
    fn distance(&self, execution: &Execution<'_>) -> f64;

    /// The values that algorithms with several objectives compare, always equally many. `distance` is the
    /// distance as it counts in the end.
    fn objectives(&self, distance: f64, _execution: &Execution<'_>) -> ObjectiveValues {
        smallvec![distance]
    }
}

/// Defines everything that lists all fitness functions. A row has the kind, its name, an expression that
/// prepares the function for a target, and the documentation.
macro_rules! functions {
    ($($kind:ident, $name:literal, $prepare:expr, $doc:literal;)+) => {
        /// How distances become objectives. Each is named after its definition.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fitness {
            $(#[doc = $doc] $kind,)+
        }

        impl Fitness {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Its name on the command line, in plans and in results.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }

            /// The function for a target.
            pub fn prepare(self, target: &Target<'_>) -> Box<dyn Function> {
                match self {
                    $(Self::$kind => {
                        let prepare: fn(&Target<'_>) -> Box<dyn Function> = $prepare;
                        prepare(target)
                    })+
                }
            }
        }
    };
}

functions! {
    CallChain, "call-chain", |_| Box::new(call_chain::CallChain),
        "[`call_chain`](crate::call_chain), one objective.";
    WeightedSum, "weighted-sum", |_| Box::new(weighted_sum::WeightedSum),
        "[`weighted_sum`](crate::weighted_sum), one objective.";
    IndexedAccess, "indexed-access", |target| Box::new(indexed_access::IndexedAccess::relative(target)),
        "[`call_chain`](crate::call_chain) with [`indexed_access`](crate::indexed_access), one objective.";
    IndexedAccessSteps, "indexed-access-steps",
        |target| Box::new(indexed_access::IndexedAccess::steps(target)),
        "[`call_chain`](crate::call_chain) with [`indexed_access_steps`](crate::indexed_access_steps), one \
         objective.";
    Diversity, "diversity", |target| Box::new(diversity::Diversity::of_branches(target)),
        "[`call_chain`](crate::call_chain), and a helper objective for each goal of the local variables \
         that decide on branches.";
    DiversitySlice, "diversity-slice", |target| Box::new(diversity::Diversity::of_slice(target)),
        "[`call_chain`](crate::call_chain), and a helper objective for each goal of the values that decide \
         on the branches nearest to the crash.";
}

#[expect(clippy::derivable_impls, reason = "the variants come from a table")]
impl Default for Fitness {
    fn default() -> Self {
        Self::CallChain
    }
}

/// There is no fitness of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no fitness {name:?}: choose one of {known}", known = Fitness::names())]
pub struct NoSuchFitness {
    /// The name asked for.
    pub name: String,
}

impl Fitness {
    /// Whether it looks at accesses by index, which only probes of their own tell.
    pub fn needs_accesses(self) -> bool {
        matches!(self, Self::IndexedAccess | Self::IndexedAccessSteps)
    }

    /// Whether it looks at a variable of a branch, which only a probe of its own tells.
    pub fn needs_variable(self, variable: &BranchVariable) -> bool {
        match self {
            Self::Diversity => variable.is_local,
            Self::DiversitySlice => variable.steps.is_some(),
            _ => false,
        }
    }

    /// Whether it looks at any variables of branches.
    pub fn needs_variables(self) -> bool {
        matches!(self, Self::Diversity | Self::DiversitySlice)
    }

    fn names() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|it| it.name()).collect();
        names.join(", ")
    }
}

impl FromStr for Fitness {
    type Err = NoSuchFitness;

    fn from_str(name: &str) -> Result<Self, NoSuchFitness> {
        let found = Self::ALL.iter().copied().find(|it| it.name() == name);
        found.ok_or_else(|| NoSuchFitness { name: name.to_owned() })
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Fitness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
