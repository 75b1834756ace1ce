use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

/// How good an individual is; lower is better, and a distance of 0 means solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// How far it is from a solution. Algorithms with one objective look at nothing else.
    pub distance: f64,
    /// What algorithms with several objectives compare: the distance alone, the distance with others
    /// that help to find the way, or parts of it that are pursued side by side.
    pub objectives: Values,
    /// Decides which of several individuals with equal objectives is the best, such as a length. It
    /// does not decide which survive, unless it grows large.
    pub secondary: f64,
    /// How much dearer than usual the evaluation was, coarsely: 0 for most. Of individuals with equal
    /// objectives the cheaper survive.
    pub cost: u32,
}

/// Values of objectives; lower is better.
pub type Values = SmallVec<[f64; 4]>;

impl Score {
    /// A score that no other is worse than.
    pub fn worst() -> Self {
        Self { distance: f64::INFINITY, objectives: Values::new(), secondary: f64::INFINITY, cost: 0 }
    }

    /// A score with one objective.
    pub fn new(distance: f64, secondary: f64) -> Self {
        Self { distance, objectives: smallvec![distance], secondary, cost: 0 }
    }

    /// The distance as all algorithms see it: infinite if it is NaN.
    pub fn primary(&self) -> f64 {
        number(self.distance)
    }

    /// Whether the distance is 0.
    pub fn is_solved(&self) -> bool {
        self.primary() <= 0.0
    }

    /// The total order of algorithms with one objective: by the distance, then by the cost, then
    /// by the secondary score; better is less.
    pub fn rank(&self, other: &Self) -> Ordering {
        let by_cost = self.primary().total_cmp(&other.primary()).then(self.cost.cmp(&other.cost));
        by_cost.then_with(|| number(self.secondary).total_cmp(&number(other.secondary)))
    }
}

/// The objectives.
impl AsRef<[f64]> for Score {
    fn as_ref(&self) -> &[f64] {
        &self.objectives
    }
}

/// One objective of a vector, as all algorithms see it: infinite if it is missing or NaN.
pub(crate) fn objective(objectives: &[f64], place: usize) -> f64 {
    number(objectives.get(place).copied().unwrap_or(f64::INFINITY))
}

/// The value without NaN and negative zero, which `total_cmp` would tell apart from their equals.
pub(crate) fn number(value: f64) -> f64 {
    if value.is_nan() { f64::INFINITY } else { value + 0.0 }
}
