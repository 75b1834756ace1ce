//! Fitness functions by their names: a new one is a file in this folder, its `mod` line and its row in
//! the table.

mod block_coverage;
mod call_chain;
mod diversity;
mod graded;
mod helpers;
mod indexed_access;
mod integration_testing;
mod published;
mod simple_sum;
mod weighted_sum;

use std::fmt;
use std::str::FromStr;

use crashback_protocol::Observation;
use crashback_testcase::TestCase;
use serde::{Serialize, Serializer};
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::assessment::Assessment;
use crate::flags::grades;
use crate::target::Target;
use crate::variables::BranchVariable;

pub use call_chain::call_chain;
pub(crate) use graded::crash_distance;
pub use indexed_access::{indexed_access, indexed_access_steps};
pub use weighted_sum::graded_weighted_sum;

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

    /// Whether tests that end before they come to the target frame are told apart by the share of
    /// their statements that ran. Published definitions do not look at that.
    fn grades_unfinished(&self) -> bool {
        true
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
    Graded, "graded", |target| Box::new(graded::Graded::new(target)),
        "`call-chain` with a distance to the exception, by its kind; one objective.";
    IntegrationTesting, "integration-testing",
        |target| Box::new(integration_testing::IntegrationTesting::new(target)),
        "Botsing's integration testing to the letter, one objective.";
    WeightedSum, "weighted-sum", |target| Box::new(weighted_sum::WeightedSum::new(target)),
        "EvoCrash's weighted sum to the letter, one objective.";
    GradedWeightedSum, "graded-weighted-sum", |_| Box::new(weighted_sum::GradedWeightedSum),
        "[`graded_weighted_sum`], one objective.";
    SimpleSum, "simple-sum", |target| Box::new(simple_sum::SimpleSum::new(target)),
        "The sum of line, exception and trace distance, one objective.";
    Decomposed, "decomposed", |target| Box::new(simple_sum::Decomposed::new(target)),
        "Line, exception and trace distance, three objectives.";
    Helpers, "helpers", |target| Box::new(helpers::Helpers::new(target)),
        "The weighted sum with the length and the calls of tests as helpers, three objectives.";
    BlockCoverage, "bbc", |target| Box::new(block_coverage::BlockCoverage::new(target)),
        "Integration testing with basic-block coverage as secondary objective, one objective.";
    IndexedAccess, "indexed-access", |target| Box::new(indexed_access::IndexedAccess::relative(target)),
        "Integration testing with [`indexed_access`](crate::indexed_access), one objective.";
    IndexedAccessSteps, "indexed-access-steps",
        |target| Box::new(indexed_access::IndexedAccess::steps(target)),
        "[`call_chain`](crate::call_chain) with [`indexed_access_steps`], one \
         objective.";
    Diversity, "diversity", |target| Box::new(diversity::Diversity::of_branches(target)),
        "Integration testing, and a helper objective for each goal of the local variables that decide on \
         branches.";
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
    /// Whether it knows more of exceptions of a class, given by its binary name, than other functions.
    pub fn suits(self, exception: &str) -> bool {
        match self {
            Self::Graded => grades(exception),
            Self::IndexedAccess | Self::IndexedAccessSteps => {
                exception.ends_with("IndexOutOfBoundsException")
            }
            _ => true,
        }
    }

    /// Whether the function looks at the origins of values that make an instruction throw. Their
    /// methods need probes: see [`FlagSources::with_values`](crate::FlagSources::with_values).
    pub fn grades_exceptions(self) -> bool {
        self == Self::Graded
    }

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
