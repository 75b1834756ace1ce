/// How a genetic algorithm goes about it.
///
/// Values that make no sense are taken for the nearest that do: a population has at least two
/// members, a tournament one.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Members of the first population: 100, as later work on crash reproduction uses (EvoCrash
    /// began with 50).
    pub population: usize,
    /// Probability that two parents are crossed over: 0.75 (EvoCrash).
    pub crossover: f64,
    /// How parents are chosen.
    pub selection: Selection,
    /// Share of each generation that is made anew rather than bred: 0.05. They keep a search that
    /// sits in one place looking elsewhere.
    pub fresh: f64,
    /// After how many generations without a better best the search begins anew: 100.
    pub stagnation: usize,
    /// How much larger the population is at each new beginning: 1.5 times (Auger and Hansen: A
    /// Restart CMA Evolution Strategy With Increasing Population Size; EvoCrash adds 25 to 50).
    pub growth: f64,
    /// Where it stops growing: 600.
    pub largest_population: usize,
    /// How many times as large as those of a new population secondary scores may grow: 3. Of
    /// individuals with equal objectives, those beyond are the worse; below, size does not matter.
    pub bloat: f64,
    /// How many of the best are taken along into a new beginning: 0. The best of all is known in
    /// any case, but does not breed.
    pub carried: usize,
    /// The largest share of a new population that seeds make up: 0.5. What is left of them waits
    /// for the next beginning.
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

/// How parents are chosen from a population that is sorted by score. Only ranks matter, never how
/// far scores lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// Linear ranking: the best is chosen `bias` times as often as the one in the middle, 1 < bias
    /// ≤ 2 (Whitley: The GENITOR Algorithm and Selection Pressure). EvoSuite, on which EvoCrash
    /// rests, uses 1.7.
    Rank {
        /// The pressure.
        bias: f64,
    },
    /// The best of some drawn at random.
    Tournament {
        /// How many are drawn.
        size: usize,
    },
}

impl Default for Selection {
    fn default() -> Self {
        Self::Rank { bias: 1.7 }
    }
}
