//! The pursuits of one arm: searches for the same crash that share their nearest tests.

use std::time::Duration;

use crashback_search::{Algorithm, Member, Operators, Rng, Score, build};
use crashback_testcase::TestCase;

use crate::Fitness;
use crate::schedule::Bandit;
use crate::strategy::Pursuit;

/// Number of a pursuit of an arm.
pub(crate) type PursuitId = usize;

/// A pursuit whose last so many tests came no nearer by its own measure is stuck.
const STUCK: u64 = 500;

/// The pursuits of one arm.
pub(crate) struct Pursuits {
    all: Vec<Pursuing>,
    bandit: Bandit,
    at: PursuitId,
}

/// A pursuit under way.
struct Pursuing {
    /// Its name in results.
    name: String,
    /// Place of its fitness function among those of the arm.
    function: usize,
    algorithm: Box<dyn Algorithm<TestCase>>,
    tests: u64,
    /// How often one of its tests came nearer than all before it.
    steps: u64,
}

/// A pursuit in figures.
#[derive(Clone, Debug)]
pub(crate) struct Share<'a> {
    pub(crate) name: &'a str,
    /// Tests executed for it.
    pub(crate) tests: u64,
    /// How often one of its tests came nearer to the crash than all of the arm before it.
    pub(crate) steps: u64,
}

impl Pursuits {
    /// The pursuits, none of which has begun, and the fitness functions that they need.
    pub(crate) fn new(pursuits: &[Pursuit], rng: &mut Rng, is_timed: bool) -> (Self, Vec<Fitness>) {
        let mut functions: Vec<Fitness> = Vec::new();
        let mut all = Vec::new();
        for pursuit in pursuits {
            let known = functions.iter().position(|it| *it == pursuit.fitness);
            let function = known.unwrap_or(functions.len());
            if known.is_none() {
                functions.push(pursuit.fitness);
            }
            let algorithm = build(pursuit.algorithm, &pursuit.settings, rng.fork(), Vec::new());
            all.push(Pursuing { name: pursuit.name(), function, algorithm, tests: 0, steps: 0 });
        }
        (Self { bandit: Bandit::new(all.len(), is_timed), all, at: 0 }, functions)
    }

    /// Decides which pursuit runs now.
    pub(crate) fn choose(&mut self, elapsed: Duration) -> PursuitId {
        self.at = self.bandit.choose(elapsed);
        self.at
    }

    /// Lets the chosen pursuit ask for tests.
    pub(crate) fn ask(
        &mut self,
        operators: &mut dyn Operators<Individual = TestCase>,
        most: usize,
        asked: &mut Vec<TestCase>,
    ) {
        if let Some(pursuing) = self.all.get_mut(self.at) {
            pursuing.algorithm.ask(operators, most, asked);
        }
        self.bandit.asked(asked.len());
    }

    /// Tells a pursuit of its tests. `share` is the share of the crash distance that they removed.
    pub(crate) fn tell(
        &mut self,
        pursuit: PursuitId,
        scored: &mut dyn ExactSizeIterator<Item = (TestCase, Score)>,
        share: f64,
    ) {
        let Some(pursuing) = self.all.get_mut(pursuit) else { return };
        pursuing.tests += scored.len() as u64;
        pursuing.steps += u64::from(share > 0.0);
        pursuing.algorithm.tell(scored);
        self.bandit.reward(pursuit, share);
    }

    /// Adds tests that the chosen pursuit asks for next.
    pub(crate) fn inject(&mut self, tests: Vec<TestCase>) {
        if let Some(pursuing) = self.all.get_mut(self.at) {
            pursuing.algorithm.inject(tests);
        }
    }

    /// Offers a test to all pursuits but one. `score` gives its score by a fitness function.
    pub(crate) fn offer(
        &mut self,
        test: &TestCase,
        except: Option<PursuitId>,
        mut score: impl FnMut(usize) -> Score,
    ) {
        for (number, pursuing) in self.all.iter_mut().enumerate() {
            if Some(number) != except {
                let score = score(pursuing.function);
                pursuing.algorithm.offer(Member { individual: test.clone(), score });
            }
        }
    }

    /// Forgets tests.
    pub(crate) fn discard(&mut self, mut is_discarded: impl FnMut(&Member<TestCase>) -> bool) {
        for pursuing in &mut self.all {
            pursuing.algorithm.discard(&mut is_discarded);
        }
    }

    /// Lets the chosen pursuit begin anew, unless it came nearer by its own measure lately.
    pub(crate) fn restart(&mut self) {
        let is_stuck = |it: &&mut Pursuing| it.algorithm.progress().stagnant >= STUCK;
        if let Some(pursuing) = self.all.get_mut(self.at).filter(is_stuck) {
            pursuing.algorithm.restart();
        }
    }

    /// A test that is a solution, if any pursuit knows one.
    pub(crate) fn solution(&self) -> Option<(PursuitId, &TestCase)> {
        let best = self.all.iter().map(|it| it.algorithm.best()).enumerate();
        let mut solved =
            best.filter_map(|(number, it)| Some((number, it.filter(|it| it.score.is_solved())?)));
        solved.next().map(|(number, it)| (number, &it.individual))
    }

    /// Good tests to learn from, best first: those of the first pursuit, to which the others' are offered.
    pub(crate) fn elite(&self) -> &[Member<TestCase>] {
        self.all.first().map_or(&[], |it| it.algorithm.elite())
    }

    /// How many tests the population of the chosen pursuit has; 0 if it has none.
    pub(crate) fn population(&self) -> usize {
        self.all.get(self.at).map_or(0, |it| it.algorithm.progress().population)
    }

    /// Place of the fitness function of a pursuit.
    pub(crate) fn function(&self, pursuit: PursuitId) -> usize {
        self.all.get(pursuit).map_or(0, |it| it.function)
    }

    /// All of them in figures.
    pub(crate) fn shares(&self) -> impl Iterator<Item = Share<'_>> {
        self.all.iter().map(|it| Share { name: &it.name, tests: it.tests, steps: it.steps })
    }

    /// The name of a pursuit in results.
    pub(crate) fn name(&self, pursuit: PursuitId) -> Option<&str> {
        self.all.get(pursuit).map(|it| it.name.as_str())
    }
}
