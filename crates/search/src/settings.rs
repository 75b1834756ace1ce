use crate::{AlgorithmKind, Dependence};

/// How algorithms go about their search. Each reads the settings that it has a use for.
///
/// Values that make no sense are taken for the nearest that do: a population has at least two
/// members, a tournament at least one.
///
/// The default is Crashback's own. Settings by paper are [`evocrash`](Self::evocrash),
/// [`evosuite`](Self::evosuite), and those of [each algorithm](Self::published).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Members of the first population: 100, as later work on crash reproduction uses (EvoCrash
    /// began with 50).
    pub population: usize,
    /// Probability that two parents are crossed over: 0.75 (EvoCrash).
    pub crossover: f64,
    /// How parents are chosen; by default as published for each algorithm: by rank with a bias of
    /// 1.7 for the guided genetic algorithm, by tournaments of two for NSGA-II and SPEA2, of ten
    /// for MOSA and DynaMOSA. The others have rules of their own.
    pub selection: Option<Selection>,
    /// Share of each generation that is made anew rather than bred: 0.05. These individuals keep a
    /// search that is stuck in one place looking elsewhere.
    pub fresh: f64,
    /// Number of generations without a better best member after which the search begins anew: 100.
    pub stagnation: usize,
    /// How the population grows with each new beginning: by a factor of 1.5 (Auger and Hansen: A
    /// Restart CMA Evolution Strategy With Increasing Population Size; EvoCrash adds 25 to 50).
    pub growth: Growth,
    /// Size at which the population stops growing: 600.
    pub largest_population: usize,
    /// Largest secondary score, as a multiple of the mean at the beginning, that does not count as
    /// bloated: 3. Of individuals with equal objectives, bloated ones are the worse; below the
    /// limit, size does not matter.
    pub bloat: f64,
    /// How many of the best members are carried along into a new beginning: 0. The best of all
    /// stays known in any case, but does not breed.
    pub carried: usize,
    /// Largest share of a new population that seeds make up: 0.5. The other seeds wait for the next
    /// beginning.
    pub seeded: f64,
    /// Most members of the archives that PESA-II and FEMO breed from: 100 (PESA-II; FEMO, made for
    /// problems with small fronts, has no bound).
    pub archive: usize,
    /// Settings of MOSA and DynaMOSA.
    pub mosa: MosaSettings,
    /// Which objectives DynaMOSA pursues only once others are reached: none.
    pub dependence: Dependence,
    /// Settings of MOEA/D.
    pub moead: MoeadSettings,
    /// Settings of PESA-II.
    pub pesa: PesaSettings,
    /// Settings of simulated annealing.
    pub annealing: AnnealingSettings,
    /// Settings of the hybrid search.
    pub hybrid: HybridSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 100,
            crossover: 0.75,
            selection: None,
            fresh: 0.05,
            stagnation: 100,
            growth: Growth::Times(1.5),
            largest_population: 600,
            bloat: 3.0,
            carried: 0,
            seeded: 0.5,
            archive: 100,
            mosa: MosaSettings::default(),
            dependence: Dependence::default(),
            moead: MoeadSettings::default(),
            pesa: PesaSettings::default(),
            annealing: AnnealingSettings::default(),
            hybrid: HybridSettings::default(),
        }
    }
}

impl Settings {
    /// The settings of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic Algorithm for
    /// Automated Crash Reproduction, section IV C): 50 individuals, and 25 more for each new
    /// attempt up to 300. An attempt ends when its time is up, which is for the caller to
    /// [say](crate::Algorithm::restart).
    pub fn evocrash() -> Self {
        Self { growth: Growth::Plus(25), largest_population: 300, ..Self::evosuite() }
    }

    /// The settings that EvoSuite has by default, with which later studies ran guided NSGA-II
    /// (Soltani, Derakhshanfar, Panichella, Devroey, Zaidman, van Deursen: Single-objective versus
    /// Multi-Objectivized Optimization for Evolutionary Crash Reproduction, section 4.1) and guided
    /// MOSA: 50 individuals, no new ones after the first population and no new beginnings.
    pub fn evosuite() -> Self {
        Self {
            population: 50,
            fresh: 0.0,
            stagnation: usize::MAX,
            growth: Growth::Plus(0),
            bloat: f64::INFINITY,
            ..Self::default()
        }
    }

    /// The settings with which an algorithm was published. Those without a population keep the
    /// default.
    pub fn published(kind: AlgorithmKind) -> Self {
        let general = Self { population: 100, ..Self::evosuite() };
        match kind {
            AlgorithmKind::GuidedGa => Self::evocrash(),
            AlgorithmKind::NsgaII | AlgorithmKind::Mosa | AlgorithmKind::DynaMosa | AlgorithmKind::Hybrid => {
                Self::evosuite()
            }
            // Both crossed over always, with operators for vectors of real numbers.
            AlgorithmKind::Spea2 | AlgorithmKind::Moead => Self { crossover: 1.0, ..general },
            AlgorithmKind::PesaII => Self { population: 10, crossover: 0.7, ..general },
            AlgorithmKind::Femo
            | AlgorithmKind::Random
            | AlgorithmKind::HillClimbing
            | AlgorithmKind::Annealing => Self::default(),
        }
    }
}

/// How parents are chosen from a sorted population. Only ranks matter, never how far scores lie
/// apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// Linear ranking: the best is chosen `bias` times as often as the one in the middle, 1 < bias
    /// ≤ 2 (Whitley: The GENITOR Algorithm and Selection Pressure). EvoSuite, on which EvoCrash
    /// rests, uses 1.7.
    Rank {
        /// The pressure.
        bias: f64,
    },
    /// The best of some members that are drawn at random.
    Tournament {
        /// How many members are drawn.
        size: usize,
    },
}

impl Default for Selection {
    fn default() -> Self {
        Self::Rank { bias: 1.7 }
    }
}

/// How a population grows with a new beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// By a factor.
    Times(f64),
    /// By a number of members.
    Plus(usize),
}

impl Growth {
    /// The size after a new beginning; populations never shrink.
    pub(crate) fn grown(self, size: usize) -> usize {
        match self {
            Self::Times(factor) => (size as f64 * factor.max(1.0)) as usize,
            Self::Plus(members) => size.saturating_add(members),
        }
    }
}

/// Settings of MOSA and DynaMOSA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MosaSettings {
    /// How members of one front are told apart: by subvector dominance (Panichella, Kifetew,
    /// Tonella: Automated Test Case Generation as a Many-Objective Optimisation Problem, 2018).
    pub density: Density,
    /// Whether helper objectives stay in play once a member reached them: no, as published. With
    /// helpers that only matter together, such as the parts of one distance, they have to.
    pub keeps_reached: bool,
}

impl Default for MosaSettings {
    fn default() -> Self {
        Self { density: Density::SubvectorDominance, keeps_reached: false }
    }
}

/// The measure by which MOSA tells members of one front apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// The [crowding distance](crate::crowding) of NSGA-II, which says little with more than three
    /// objectives.
    Crowding,
    /// The least number of objectives in which a member is better than another (Köppen, Yoshida:
    /// Substitute Distance Assignments in NSGA-II for Handling Many-Objective Optimization
    /// Problems, 2007).
    SubvectorDominance,
}

/// Settings of MOEA/D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoeadSettings {
    /// How a weight vector makes one number of the objectives: Tchebycheff.
    pub decomposition: Decomposition,
    /// How many subproblems with similar weights are neighbours, each of itself, too: 20.
    pub neighbours: usize,
    /// Probability that parents are neighbours rather than any members: 1 (0.9 in MOEA/D-DE: Li,
    /// Zhang: Multiobjective Optimization Problems With Complicated Pareto Sets, 2009).
    pub mating: f64,
    /// The most subproblems for which one child takes its place: without bound (2 in MOEA/D-DE).
    pub replaced: usize,
    /// Whether objectives count as shares of their ranges in the population (section V D of the
    /// paper): no. Objectives of different kinds need it.
    pub is_scaled: bool,
}

impl Default for MoeadSettings {
    fn default() -> Self {
        Self {
            decomposition: Decomposition::Tchebycheff,
            neighbours: 20,
            mating: 1.0,
            replaced: usize::MAX,
            is_scaled: false,
        }
    }
}

/// How a weight vector makes one number of the objectives (Zhang, Li: MOEA/D, 2007, section II).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decomposition {
    /// The sum of the weighted objectives, which finds nothing in hollows of a front.
    WeightedSum,
    /// The largest weighted gap to the best known value of an objective.
    Tchebycheff,
    /// The way along the weight vector, plus a penalty for the distance from it.
    BoundaryIntersection {
        /// The factor of the penalty: 5 in the paper.
        penalty: f64,
    },
}

/// Settings of PESA-II.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PesaSettings {
    /// Into how many parts the grid divides the range of each objective: 32. With more than two
    /// objectives boxes of this size hold hardly more than one member each.
    pub divisions: u32,
    /// Boxes of the grid that are drawn for a tournament: 2.
    pub tournament: usize,
}

impl Default for PesaSettings {
    fn default() -> Self {
        Self { divisions: 32, tournament: 2 }
    }
}

/// Settings of simulated annealing (Johnson, Aragon, McGeoch, Schevon: Optimization by Simulated
/// Annealing: An Experimental Evaluation, part I, 1989).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnealingSettings {
    /// Probability with which the first temperature lets the mean step to something worse pass:
    /// 0.4.
    pub acceptance: f64,
    /// Factor by which the temperature falls with each level: 0.95.
    pub cooling: f64,
    /// Individuals told at one temperature, as a multiple of the population: 1.
    pub level: f64,
    /// Share of the first temperature below which the search counts as frozen: 0.001. It begins
    /// anew if it then finds nothing better for as long as hill climbing would wait.
    pub frozen: f64,
}

impl Default for AnnealingSettings {
    fn default() -> Self {
        Self { acceptance: 0.4, cooling: 0.95, level: 1.0, frozen: 0.001 }
    }
}

/// Settings of the hybrid search: when it turns from one objective to several. The paper says:
/// after 20 of 600 seconds, or if the line is not covered within the first few generations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridSettings {
    /// Individuals told without a smaller distance: 1,400. EvoCrash ran so many tests in 20
    /// seconds, 62,328 in 15 minutes.
    pub stagnant: u64,
    /// Generations within which some individual must reach the first objective: 5.
    pub generations: u64,
    /// Individuals that the whole search may be told, if that is known: no.
    pub budget: Option<u64>,
    /// Share of the budget after which the search turns in any case: 1/30.
    pub share: f64,
}

impl Default for HybridSettings {
    fn default() -> Self {
        Self { stagnant: 1_400, generations: 5, budget: None, share: 1.0 / 30.0 }
    }
}
