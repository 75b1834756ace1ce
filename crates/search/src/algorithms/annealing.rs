//! Simulated annealing (Kirkpatrick, Gelatt, Vecchi: Optimization by Simulated Annealing, 1983),
//! with the schedule of Johnson, Aragon, McGeoch, Schevon: Optimization by Simulated Annealing: An
//! Experimental Evaluation, part I, 1989.
//!
//! All steps of the first level are taken. Their mean worsening gives the first temperature, since
//! distances have no scale of their own.
//!
//! Parameters: population, which with `level` says how many individuals are told at one
//! temperature, and [the schedule](crate::AnnealingSettings).

use crate::walk::{Acceptance, Walk};
use crate::{AnnealingSettings, Rng, Settings};

/// A walk that goes to worse individuals, too, the less often the later.
pub(crate) type Annealing<I> = Walk<I, Cooling>;

/// A worse individual is accepted with probability exp(-increase / temperature).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cooling {
    settings: AnnealingSettings,
    /// How many individuals are told at one temperature.
    level: usize,
    /// How many are still to be told at this one.
    left: usize,
    /// The temperature as a share of the first one.
    share: f64,
    /// The first temperature, once it is known.
    first: Option<f64>,
    /// The sum and the number of the increases of the first level.
    increases: (f64, u32),
}

impl Cooling {
    /// Ends a level. The first one is prolonged as long as nothing worse was seen.
    fn cool(&mut self) {
        self.left = self.level;
        if self.first.is_some() {
            self.share *= self.settings.cooling.clamp(0.0, 1.0);
            return;
        }
        let (sum, count) = self.increases;
        let acceptance = self.settings.acceptance.clamp(1e-9, 1.0 - 1e-9);
        if count > 0 {
            self.first = Some(sum / f64::from(count) / -acceptance.ln());
        }
    }
}

impl Acceptance for Cooling {
    fn new(settings: &Settings) -> Self {
        let level = settings.population.max(1) as f64 * settings.annealing.level;
        let level = (level as usize).max(1);
        let settings = settings.annealing;
        Self { settings, level, left: level, share: 1.0, first: None, increases: (0.0, 0) }
    }

    fn begin(&mut self) {
        self.left = self.level;
        self.share = 1.0;
        self.first = None;
        self.increases = (0.0, 0);
    }

    fn accepts(&mut self, here: f64, there: f64, rng: &mut Rng) -> bool {
        let increase = there - here;
        let is_accepted = match self.first {
            Some(first) => increase > 0.0 && rng.chance((-increase / (first * self.share)).exp()),
            None => increase.is_finite(),
        };
        if self.first.is_none() && increase > 0.0 && increase.is_finite() {
            self.increases.0 += increase;
            self.increases.1 += 1;
        }
        self.left -= 1;
        if self.left == 0 {
            self.cool();
        }
        is_accepted
    }

    fn is_settled(&self) -> bool {
        self.first.is_none() || self.share <= self.settings.frozen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cooling() -> Cooling {
        Cooling::new(&Settings { population: 10, ..Settings::default() })
    }

    /// How many of a thousand steps that are worse by 2 are taken at one temperature.
    fn accepted(cooling: Cooling) -> usize {
        let mut rng = Rng::new(1);
        (0..1_000).filter(|_| cooling.clone().accepts(1.0, 3.0, &mut rng)).count()
    }

    #[test]
    fn temperatures_come_from_the_first_steps_and_fall() {
        let (mut cooling, mut rng) = (cooling(), Rng::new(1));
        // Nothing worse was seen yet.
        assert!((0..25).all(|_| cooling.accepts(3.0, 3.0, &mut rng)) && cooling.is_settled());
        assert!((0..5).all(|_| cooling.accepts(3.0, 5.0, &mut rng)));
        assert_eq!(cooling.first.map(|it| (it * 1e6).round()), Some((2.0 / -0.4_f64.ln() * 1e6).round()));
        assert!((350..450).contains(&accepted(cooling)), "{}", accepted(cooling));
        let mut levels = 0;
        while !cooling.is_settled() {
            assert!((0..10).all(|_| !cooling.accepts(1.0, 1.0, &mut rng)));
            levels += 1;
        }
        // 0.95 to the 135th is below a thousandth.
        assert_eq!((levels, accepted(cooling)), (135, 0));
        cooling.begin();
        assert_eq!(accepted(cooling), 1_000);
    }

    #[test]
    fn infinitely_worse_individuals_are_never_accepted() {
        let (mut cooling, mut rng) = (cooling(), Rng::new(1));
        assert!((0..30).all(|_| !cooling.accepts(1.0, f64::INFINITY, &mut rng)));
        assert!(!cooling.accepts(f64::INFINITY, f64::INFINITY, &mut rng));
    }
}
