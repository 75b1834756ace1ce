//! The registry of algorithms: a new one is a file in this folder, its `mod` line and its row in
//! the table.

mod annealing;
mod dynamosa;
mod femo;
mod guided;
mod hill;
mod hybrid;
mod moead;
mod mosa;
mod nsga2;
mod pesa2;
mod random;
mod spea2;

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::{Algorithm, Rng, Settings};

/// Defines everything that lists all algorithms. A row has the kind, its name, the type, which has
/// `new(&Settings, Rng, Vec<I>)`, and the documentation.
macro_rules! algorithms {
    ($($kind:ident, $name:literal, $module:ident::$algorithm:ident, $doc:literal;)+) => {
        /// An algorithm by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AlgorithmKind {
            $(#[doc = $doc] $kind,)+
        }

        impl AlgorithmKind {
            /// All algorithms.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The name that users write.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }

        /// Makes an algorithm that has not begun. Each of its beginnings starts with some of the
        /// seeds.
        pub fn build<I: Clone + 'static>(
            kind: AlgorithmKind,
            settings: &Settings,
            rng: Rng,
            seeds: Vec<I>,
        ) -> Box<dyn Algorithm<I>> {
            match kind {
                $(AlgorithmKind::$kind => Box::new($module::$algorithm::new(settings, rng, seeds)),)+
            }
        }
    };
}

algorithms! {
    GuidedGa, "guided-ga", guided::GuidedGa, "The guided genetic algorithm of EvoCrash.";
    NsgaII, "nsga-ii", nsga2::NsgaII, "Guided NSGA-II: several objectives, by fronts and crowding.";
    Mosa, "mosa", mosa::Mosa, "Guided MOSA: the distance, and many objectives that help.";
    DynaMosa, "dynamosa", dynamosa::DynaMosa, "DynaMOSA: MOSA with objectives that wait for others.";
    Spea2, "spea2", spea2::Spea2, "SPEA2: several objectives, by strength and density.";
    Moead, "moead", moead::Moead, "MOEA/D: several objectives, by many weights of them.";
    PesaII, "pesa-ii", pesa2::PesaII, "PESA-II: several objectives, by boxes of a grid.";
    Femo, "femo", femo::Femo, "FEMO: several objectives, whose best have children in turn.";
    Random, "random", random::RandomSearch, "Random search, the baseline.";
    HillClimbing, "hill-climbing", hill::HillClimbing, "Hill climbing with restarts.";
    Annealing, "annealing", annealing::Annealing, "Simulated annealing.";
    Hybrid, "hybrid", hybrid::Hybrid, "The guided genetic algorithm, then guided NSGA-II.";
}

impl fmt::Display for AlgorithmKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for AlgorithmKind {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let kind = Self::ALL.iter().find(|kind| kind.name() == name);
        kind.copied().ok_or_else(|| UnknownAlgorithm { name: name.to_owned() })
    }
}

/// A name that is no algorithm's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm {
    name: String,
}

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = AlgorithmKind::ALL.iter().map(|kind| kind.name()).collect();
        write!(formatter, "unknown algorithm {:?}; known algorithms: {}", self.name, names.join(", "))
    }
}

impl Error for UnknownAlgorithm {}
