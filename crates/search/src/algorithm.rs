use crate::{Rng, Score};

/// Makes and changes individuals; all chance comes from the generator given.
///
/// A condition that every individual must meet (a test keeps a call that leads to its target) is
/// for the operators to keep: algorithms cannot see it.
pub trait Operators {
    /// A candidate solution; cheap to clone.
    type Individual: Clone;

    /// Makes a new individual. `progress`, from 0 to 1, is how far an initial population is filled,
    /// for operators that begin with simple individuals and go on to others; individuals made after
    /// that get a random number.
    fn random(&mut self, rng: &mut Rng, progress: f64) -> Self::Individual;

    /// Makes a changed copy.
    fn mutate(&mut self, individual: &Self::Individual, rng: &mut Rng) -> Self::Individual;

    /// Makes two children. Where the parents cannot be mixed, the first child takes after the first
    /// parent and the second after the second.
    fn cross_over(
        &mut self,
        first: &Self::Individual,
        second: &Self::Individual,
        rng: &mut Rng,
    ) -> (Self::Individual, Self::Individual);
}

/// Proposes individuals and is told their scores; never evaluates anything and knows no batches.
///
/// What an algorithm does depends on the order of calls and of individuals alone: to tell ten
/// individuals at once or one by one is the same.
pub trait Algorithm<I> {
    /// Appends the next individuals to run: at least one unless `most` is 0, and no more than
    /// `most`, which may be huge; a generation is asked at a time where there are generations. It
    /// may be called again before the individuals of earlier calls were told.
    fn ask(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>);

    /// Takes back asked individuals with their scores, in the order of asking, any number at a
    /// time. An individual that could not be run is told with the [worst](Score::worst) score:
    /// none may be left out.
    fn tell(&mut self, scored: &mut dyn Iterator<Item = (I, Score)>);

    /// Adds individuals from elsewhere that are not scored yet: they are the next to be asked.
    fn inject(&mut self, individuals: Vec<I>);

    /// Adds an individual that another search scored. It takes part as if it had been told, but
    /// does not count as told.
    fn offer(&mut self, member: Member<I>);

    /// Forgets individuals, such as refuted solutions; the best of those left is the new best. The
    /// caller must from now on give the same individuals other scores.
    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool);

    /// Begins anew: with the seeds again, and with a larger population where there is one. The best
    /// of all stays known.
    fn restart(&mut self);

    /// The best of all that were told or offered, by [rank](Score::rank).
    fn best(&self) -> Option<&Member<I>>;

    /// Good individuals to learn from, best first. Individuals told since the last question may be
    /// missing.
    fn elite(&self) -> &[Member<I>];

    /// How far the search has come.
    fn progress(&self) -> Progress;
}

/// An individual with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<I> {
    /// The individual.
    pub individual: I,
    /// Its score.
    pub score: Score,
}

/// The objectives of the score, so that members can be compared by dominance.
impl<I> AsRef<[f64]> for Member<I> {
    fn as_ref(&self) -> &[f64] {
        self.score.as_ref()
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Individuals told so far.
    pub told: u64,
    /// Generations that ended so far, over all beginnings; 0 for algorithms without generations.
    pub generations: u64,
    /// How often the search began anew.
    pub restarts: u64,
    /// Individuals told since the best of all came nearer, or since the search
    /// last began anew.
    pub stagnant: u64,
    /// How many members the population is to have; 0 for algorithms without one.
    pub population: usize,
}
