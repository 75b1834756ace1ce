use smallvec::smallvec;

use super::published::{Distances, Parts};
use super::{Execution, Function, ObjectiveValues};
use crate::target::Target;

/// The simple sum (Soltani and others: Single-objective versus Multi-Objectivized Optimization for
/// Evolutionary Crash Reproduction, 2018, equation 2), one objective: φ(line distance) + exception
/// distance + φ(trace distance), whether the one before is 0 or not. At most 3, and 0 if and only
/// if the crash is reproduced.
pub(super) struct SimpleSum(Distances);

impl SimpleSum {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self(Distances::new(target))
    }
}

impl Function for SimpleSum {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        let Parts { line, exception, trace } = self.0.of(execution);
        line + exception + trace
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}

/// The three parts of the simple sum as objectives (equation 3 of the same paper): φ(line
/// distance), the exception distance wherever it is thrown, and φ(trace distance), which is 1 if it
/// is not thrown. Their sum is the distance.
pub(super) struct Decomposed(SimpleSum);

impl Decomposed {
    pub(super) fn new(target: &Target<'_>) -> Self {
        Self(SimpleSum::new(target))
    }
}

impl Function for Decomposed {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        self.0.distance(execution)
    }

    fn objectives(&self, _: f64, execution: &Execution<'_>) -> ObjectiveValues {
        let Parts { line, exception, trace } = self.0.0.of(execution);
        smallvec![line, exception, trace]
    }

    fn grades_unfinished(&self) -> bool {
        false
    }
}
