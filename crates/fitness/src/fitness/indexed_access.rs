use crashback_protocol::{Access, Facts, TargetChain};

use super::call_chain::CallChain;
use super::integration_testing::IntegrationTesting;
use super::{Execution, Function};
use crate::accesses::Accesses;
use crate::assessment::{Stage, normalise};
use crate::target::Target;

/// Another fitness function with an exception distance by the index of the access that shall throw, one
/// objective.
pub(super) struct IndexedAccess {
    /// The other function. It is more than 1 as long as a line is not reached.
    lines: Box<dyn Function>,
    accesses: Accesses,
    chain: TargetChain,
    /// The exception distance of one access by its bounds.
    exception: fn(&[Access]) -> f64,
    /// The smallest value and the range of values where all lines are reached and nothing is thrown.
    range: (f64, f64),
}

impl IndexedAccess {
    /// Fit2Crash to the letter: Botsing's integration testing with [`indexed_access`]. An access beyond
    /// its bounds whose exception the program catches is no reproduction, and so not quite 0.
    pub(super) fn relative(target: &Target<'_>) -> Self {
        let exception = |bounds: &[Access]| {
            let distances = bounds.iter().map(|it| indexed_access(it.index, it.length));
            distances.fold(1.0, f64::min)
        };
        Self::new(target, Box::new(IntegrationTesting::new(target)), exception, (f64::EPSILON, 1.0))
    }

    /// The form that counts steps: `call-chain` with [`indexed_access_steps`].
    pub(super) fn steps(target: &Target<'_>) -> Self {
        let exception =
            |bounds: &[Access]| indexed_access_steps(bounds.iter().map(|it| (it.index, it.length)));
        Self::new(target, Box::new(CallChain), exception, (0.5, 0.5))
    }

    fn new(
        target: &Target<'_>,
        lines: Box<dyn Function>,
        exception: fn(&[Access]) -> f64,
        range: (f64, f64),
    ) -> Self {
        Self { lines, accesses: target.accesses.clone(), chain: target.chain().clone(), exception, range }
    }

    /// The distance of the nearest access from throwing; 1 where none was made.
    fn exception_distance(&self, facts: &Facts) -> f64 {
        self.accesses.made(facts, &self.chain).map(self.exception).fold(1.0, f64::min)
    }
}

impl Function for IndexedAccess {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        let Execution { assessment, observation, .. } = execution;
        let distance = self.lines.distance(execution);
        if distance > 1.0 || assessment.thrown || assessment.stage == Stage::Reproduced {
            return distance;
        }
        let (least, range) = self.range;
        (least + range * self.exception_distance(&observation.facts)).min(1.0)
    }

    fn grades_unfinished(&self) -> bool {
        self.lines.grades_unfinished()
    }
}

/// The exception distance for indexed access of Fit2Crash (definitions 11 and 12): for an index within
/// bounds 1 − |index − mid| / (length − mid) with mid = (length − 1) / 2, and 0 for any other. It takes
/// the place of the exception distance 1 once all lines are reached. Of several bounds and accesses the
/// nearest counts, each as it was the last time.
///
/// It is relative to the length: the last index of a text of 6 characters is at 0.29, that of one of 12
/// at 0.15. Where a loop goes over a text, any longer text is nearer, although none throws.
pub fn indexed_access(index: i32, length: i32) -> f64 {
    if index < 0 || index >= length {
        return 0.0;
    }
    let (index, length) = (f64::from(index), f64::from(length));
    let mid = (length - 1.0) / 2.0;
    1.0 - (index - mid).abs() / (length - mid)
}

/// φ(steps) of an access that must keep some bounds, each an index and the length that it must stay
/// below; 0 if it keeps one of them not, 1 if it has none. The steps are 1 / Σ 1/s over the steps s to
/// both ends of each bound, of which there are index + 1 and length − index.
///
/// So an access is nearer if any of its ends is nearer, and a text that is longer by a character at no
/// cost to the nearest end is farther: with one end at 1 step, a text of n characters is n / (n + 1)
/// steps away. The last access counts, as in the paper, and not the first: a loop that runs past the
/// end of a text comes nearer with each round, and the first round tells nothing of that. With the
/// first access and relative distances a loop from index 0 would still reward longer texts, since
/// its first index is the nearer to −1 the longer the text is.
pub fn indexed_access_steps(bounds: impl IntoIterator<Item = (i32, i32)>) -> f64 {
    let mut sum = 0.0;
    for (index, length) in bounds {
        if index < 0 || index >= length {
            return 0.0;
        }
        sum += 1.0 / (f64::from(index) + 1.0) + 1.0 / (f64::from(length) - f64::from(index));
    }
    normalise(1.0 / sum)
}
