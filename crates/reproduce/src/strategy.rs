//! Which searches pursue a crash: one, as in the papers, or a portfolio.

use std::fmt;
use std::str::FromStr;

use crashback_search::{AlgorithmKind, Dependence, Settings as AlgorithmSettings};
use crashback_testcase::workshop::Tuning;
use thiserror::Error;

use crate::{Fitness, Settings};

/// One way to pursue a crash at a frame: a fitness function and an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Pursuit {
    /// How executions get scores.
    pub fitness: Fitness,
    /// How tests are bred.
    pub algorithm: AlgorithmKind,
    /// The numbers of the algorithm.
    pub settings: AlgorithmSettings,
}

impl Pursuit {
    fn new(fitness: Fitness, algorithm: AlgorithmKind) -> Self {
        Self { fitness, algorithm, settings: AlgorithmSettings::default() }
    }

    /// The same with the numbers that the algorithm was published with.
    fn published(fitness: Fitness, algorithm: AlgorithmKind) -> Self {
        Self { settings: AlgorithmSettings::published(algorithm), ..Self::new(fitness, algorithm) }
    }

    /// Its name in results: `guided-ga, call-chain`.
    pub fn name(&self) -> String {
        format!("{}, {}", self.algorithm, self.fitness)
    }
}

/// Defines everything that lists all presets. A row has the kind, its name, the pursuit that it stands
/// for, and the documentation.
macro_rules! presets {
    ($($kind:ident, $name:literal, $pursuits:expr, $doc:literal;)+) => {
        /// A set of choices by its name, mostly that of a paper.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Preset {
            /// A portfolio: several pursuits take turns, and those that come nearer get more of them.
            #[default]
            Ours,
            $(#[doc = $doc] $kind,)+
        }

        impl Preset {
            /// All of them.
            pub const ALL: &[Self] = &[Self::Ours, $(Self::$kind),+];

            /// The name that users write.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Ours => "ours",
                    $(Self::$kind => $name,)+
                }
            }

            fn pursuits(self, exception: &str) -> Vec<Pursuit> {
                match self {
                    Self::Ours => portfolio(exception),
                    $(Self::$kind => vec![$pursuits],)+
                }
            }
        }
    };
}

presets! {
    Single, "single", Pursuit::new(Fitness::CallChain, AlgorithmKind::GuidedGa),
        "The first pursuit of the portfolio alone.";
    Evocrash, "evocrash", Pursuit::published(Fitness::WeightedSum, AlgorithmKind::GuidedGa),
        "EvoCrash: the weighted sum and the guided genetic algorithm, with the first tests and the \
         populations of that paper.";
    Botsing, "botsing", Pursuit::new(Fitness::IntegrationTesting, AlgorithmKind::GuidedGa),
        "Botsing: its integration testing and the guided genetic algorithm with 100 members.";
    MoHo, "mo-ho", Pursuit::published(Fitness::Helpers, AlgorithmKind::Spea2),
        "MO-HO: the weighted sum with helper objectives, and SPEA2, the best of its algorithms.";
    Bbc, "bbc", Pursuit::new(Fitness::BlockCoverage, AlgorithmKind::GuidedGa),
        "BBC: basic-block coverage as secondary objective.";
    Fit2crashIa, "fit2crash-ia", Pursuit::new(Fitness::IndexedAccess, AlgorithmKind::GuidedGa),
        "Fit2Crash with distances of accesses by index.";
    Fit2crashBv, "fit2crash-bv", Pursuit::published(Fitness::Diversity, AlgorithmKind::Mosa),
        "Fit2Crash with diverse values of variables as helper objectives, and guided MOSA.";
}

/// There is no preset of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no preset {name:?}: choose one of {known}", known = Preset::names())]
pub struct NoSuchPreset {
    /// The name asked for.
    pub name: String,
}

impl Preset {
    fn names() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|it| it.name()).collect();
        names.join(", ")
    }
}

impl FromStr for Preset {
    type Err = NoSuchPreset;

    fn from_str(name: &str) -> Result<Self, NoSuchPreset> {
        let found = Self::ALL.iter().copied().find(|it| it.name() == name);
        found.ok_or_else(|| NoSuchPreset { name: name.to_owned() })
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The pursuits of the portfolio for an exception, the first to run first.
fn portfolio(exception: &str) -> Vec<Pursuit> {
    let pursuits = [
        Pursuit::new(Fitness::CallChain, AlgorithmKind::GuidedGa),
        Pursuit::new(Fitness::Graded, AlgorithmKind::GuidedGa),
        Pursuit::new(Fitness::IndexedAccessSteps, AlgorithmKind::GuidedGa),
        Pursuit::new(Fitness::Decomposed, AlgorithmKind::NsgaII),
        Pursuit::new(Fitness::CallChain, AlgorithmKind::HillClimbing),
    ];
    pursuits.into_iter().filter(|it| it.fitness.suits(exception)).collect()
}

/// Which objective of a fitness function becomes worth pursuing once another is reached.
fn dependence(fitness: Fitness) -> Dependence {
    match fitness {
        // No exception before the line, and no trace before the exception.
        Fitness::Decomposed => Dependence::new([(0, 1), (1, 2)]),
        _ => Dependence::default(),
    }
}

/// The word for settings that several pursuits do not share.
const SEVERAL: &str = "portfolio";

impl Settings {
    /// The pursuits of a crash with an exception of a class, given by its binary name. A fitness or an
    /// algorithm that the user names takes the place of the preset's, and makes a portfolio its first
    /// pursuit.
    pub fn pursuits(&self, exception: &str) -> Vec<Pursuit> {
        let mut pursuits = self.preset.pursuits(exception);
        if !self.is_portfolio() {
            pursuits.truncate(1);
        }
        for pursuit in &mut pursuits {
            pursuit.fitness = self.fitness.unwrap_or(pursuit.fitness);
            if let Some(algorithm) = self.algorithm.filter(|it| *it != pursuit.algorithm) {
                *pursuit = Pursuit::published(pursuit.fitness, algorithm);
            }
            pursuit.settings.population = self.population.unwrap_or(pursuit.settings.population);
            pursuit.settings.dependence = dependence(pursuit.fitness);
        }
        pursuits
    }

    /// The numbers by which tests are made: those that were set, and what the preset adds.
    pub fn tuning_in_force(&self) -> Tuning {
        let mut tuning = self.tuning.clone();
        tuning.tests_published |= self.preset == Preset::Evocrash;
        tuning
    }

    /// Whether several pursuits take turns.
    pub fn is_portfolio(&self) -> bool {
        self.preset == Preset::Ours && self.fitness.is_none() && self.algorithm.is_none()
    }

    /// The name of the fitness function; `portfolio` if there are several.
    pub fn fitness_name(&self) -> &'static str {
        self.only_pursuit().map_or(SEVERAL, |it| it.fitness.name())
    }

    /// The name of the algorithm; `portfolio` if there are several.
    pub fn algorithm_name(&self) -> &'static str {
        self.only_pursuit().map_or(SEVERAL, |it| it.algorithm.name())
    }

    fn only_pursuit(&self) -> Option<Pursuit> {
        self.pursuits("").into_iter().next().filter(|_| !self.is_portfolio())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_chosen_by_name() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(*preset));
            assert!(!preset.pursuits("java.lang.NullPointerException").is_empty());
        }
        let unknown = "theirs".parse::<Preset>().map_err(|it| it.to_string());
        assert!(unknown.is_err_and(|it| it.contains("ours, single")));
    }

    #[test]
    fn only_evocrash_makes_its_first_tests_by_its_own_algorithm() {
        for preset in Preset::ALL {
            let settings = Settings { preset: *preset, ..Settings::default() };
            assert_eq!(settings.tuning_in_force().tests_published, *preset == Preset::Evocrash, "{preset}");
        }
        let mut settings = Settings::default();
        settings.tuning.tests_published = true;
        assert!(settings.tuning_in_force().tests_published, "it can be had with any preset");
    }

    #[test]
    fn a_named_fitness_or_algorithm_makes_a_single_pursuit() {
        let settings = Settings::default();
        assert_eq!((settings.fitness_name(), settings.algorithm_name()), (SEVERAL, SEVERAL));
        assert!(settings.pursuits("").len() > 1);
        let settings = Settings { algorithm: Some(AlgorithmKind::Random), ..Settings::default() };
        assert_eq!((settings.fitness_name(), settings.algorithm_name()), ("call-chain", "random"));
        assert_eq!(settings.pursuits("").len(), 1);
        let settings = Settings { preset: Preset::Single, population: Some(7), ..Settings::default() };
        assert_eq!(settings.pursuits("").first().map(|it| it.settings.population), Some(7));
    }
}
