//! Individuals without content, whose scores tests make up.

use crashback_search::{Algorithm, Operators, Rng, Score};

/// Makes individuals that are numbered in the order of their making.
#[derive(Default)]
pub(crate) struct Scripted(usize);

impl Scripted {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }
}

impl Operators for Scripted {
    type Individual = usize;

    fn random(&mut self, _: &mut Rng, _: f64) -> usize {
        self.next()
    }

    fn mutate(&mut self, _: &usize, _: &mut Rng) -> usize {
        self.next()
    }

    fn cross_over(&mut self, first: &usize, second: &usize, _: &mut Rng) -> (usize, usize) {
        (*first, *second)
    }
}

/// A score with objectives that do not contain the distance.
pub(crate) fn score(distance: f64, objectives: &[f64]) -> Score {
    Score { objectives: objectives.iter().copied().collect(), ..Score::new(distance, 0.0) }
}

/// Asks for as many individuals as there are scores, and tells them.
pub(crate) fn tell(search: &mut dyn Algorithm<usize>, scores: &[Score]) {
    let mut asked = Vec::new();
    let mut operators = Scripted::default();
    while asked.len() < scores.len() {
        search.ask(&mut operators, scores.len() - asked.len(), &mut asked);
    }
    search.tell(&mut asked.into_iter().zip(scores.iter().cloned()));
}

/// The objectives of the elite, sorted.
pub(crate) fn elite(search: &dyn Algorithm<usize>) -> Vec<Vec<f64>> {
    let mut elite: Vec<Vec<f64>> = search.elite().iter().map(|it| it.score.objectives.to_vec()).collect();
    elite.sort_by(|left, right| left.partial_cmp(right).unwrap());
    elite
}
