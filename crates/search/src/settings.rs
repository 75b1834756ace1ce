/// How algorithms go about their search. Each reads the settings that it has a use for.
///
/// Values that make no sense are taken for the nearest that do: a population has at least two
/// members, a tournament at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Members of the first population: 100, as later work on crash reproduction uses (EvoCrash
    /// began with 50).
    pub population: usize,
    /// Probability that two parents are crossed over: 0.75 (EvoCrash).
    pub crossover: f64,
    /// How parents are chosen.
    pub selection: Selection,
    /// Share of each generation that is made anew rather than bred: 0.05. These individuals keep a
    /// search that is stuck in one place looking elsewhere.
    pub fresh: f64,
    /// Number of generations without a better best member after which the search begins anew: 100.
    pub stagnation: usize,
    /// Factor by which the population grows with each new beginning: 1.5 (Auger and Hansen: A
    /// Restart CMA Evolution Strategy With Increasing Population Size; EvoCrash adds 25 to 50).
    pub growth: f64,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 100,
            crossover: 0.75,
            selection: Selection::default(),
            fresh: 0.05,
            stagnation: 100,
            growth: 1.5,
            largest_population: 600,
            bloat: 3.0,
            carried: 0,
            seeded: 0.5,
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
