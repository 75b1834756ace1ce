use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use crate::Rng;

/// What is searched. Lower scores are better, and a first objective of 0 means solved.
///
/// The operators are the problem's own: whatever must hold of every individual (a guided operator
/// keeps a call that leads to the target in every test) is theirs to keep. Chance comes from the
/// generator they are given and from nowhere else.
pub trait Problem {
    /// What is bred; cheap to clone.
    type Individual: Clone;
    /// Why nothing can be scored any more. The search ends with it.
    type Failure;

    /// A new individual. `progress`, from 0 to 1, says how far an initial population is filled, for
    /// problems that begin with simple or guided individuals and go on to others; individuals made
    /// later get a random one.
    fn random(&mut self, rng: &mut Rng, progress: f64) -> Self::Individual;

    /// A changed copy.
    fn mutate(&mut self, individual: &Self::Individual, rng: &mut Rng) -> Self::Individual;

    /// Two children. The first takes after the first parent where the parents cannot be mixed, the
    /// second after the second.
    fn cross_over(
        &mut self,
        first: &Self::Individual,
        second: &Self::Individual,
        rng: &mut Rng,
    ) -> (Self::Individual, Self::Individual);

    /// Appends the score of each individual of a generation to `scores`, which is empty, in order.
    /// Whoever gets no score counts as [worst](Score::worst).
    fn evaluate(
        &mut self,
        generation: &[Self::Individual],
        scores: &mut Vec<Score>,
    ) -> Result<(), Self::Failure>;
}

/// How good an individual is; lower is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The objectives, the one that tells solved individuals first. Algorithms with one objective
    /// look at no other.
    pub objectives: SmallVec<[f64; 2]>,
    /// Decides which of individuals with equal objectives is the best, such as a length; not which
    /// survive, unless it grows large.
    pub secondary: f64,
}

impl Score {
    /// Nothing is worse.
    pub fn worst() -> Self {
        Self { objectives: SmallVec::new(), secondary: f64::INFINITY }
    }

    /// A score with one objective.
    pub fn new(objective: f64, secondary: f64) -> Self {
        Self { objectives: smallvec![objective], secondary }
    }

    /// The first objective. What is no number, or missing, is infinitely bad.
    pub fn primary(&self) -> f64 {
        number(self.objectives.first().copied().unwrap_or(f64::INFINITY))
    }

    /// Whether the first objective is reached.
    pub fn is_solved(&self) -> bool {
        self.primary() <= 0.0
    }

    /// The order of algorithms with one objective: by that objective, then by what is secondary;
    /// better is less. It is total.
    pub fn rank(&self, other: &Self) -> Ordering {
        let by_objective = self.primary().total_cmp(&other.primary());
        by_objective.then_with(|| number(self.secondary).total_cmp(&number(other.secondary)))
    }
}

/// Without NaN and without negative zero, both of which `total_cmp` would tell apart from their
/// equals.
fn number(value: f64) -> f64 {
    if value.is_nan() { f64::INFINITY } else { value + 0.0 }
}
