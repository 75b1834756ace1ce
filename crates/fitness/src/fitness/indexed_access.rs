use crashback_protocol::{Access, Facts, TargetChain};

use super::{Execution, Function, call_chain};
use crate::accesses::Accesses;
use crate::assessment::{Assessment, Stage, normalise};
use crate::target::Target;

/// [`call_chain`] with an exception distance by the index of the access that shall throw, one objective.
pub(super) struct IndexedAccess {
    accesses: Accesses,
    chain: TargetChain,
    /// The exception distance of one access by its bounds.
    distance: fn(&[Access]) -> f64,
}

impl IndexedAccess {
    /// The form of the paper: [`indexed_access`].
    pub(super) fn relative(target: &Target<'_>) -> Self {
        Self::new(target, |bounds| {
            let distances = bounds.iter().map(|it| indexed_access(it.index, it.length));
            distances.fold(1.0, f64::min)
        })
    }

    /// The form that counts steps: [`indexed_access_steps`].
    pub(super) fn steps(target: &Target<'_>) -> Self {
        Self::new(target, |bounds| indexed_access_steps(bounds.iter().map(|it| (it.index, it.length))))
    }

    fn new(target: &Target<'_>, distance: fn(&[Access]) -> f64) -> Self {
        Self { accesses: target.accesses.clone(), chain: target.chain().clone(), distance }
    }

    /// The distance of the nearest access from throwing; 1 where none was made.
    fn exception_distance(&self, facts: &Facts) -> f64 {
        self.accesses.made(facts, &self.chain).map(self.distance).fold(1.0, f64::min)
    }
}

impl Function for IndexedAccess {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        let Execution { assessment, observation, .. } = execution;
        if counts_accesses(assessment) {
            0.5 + self.exception_distance(&observation.facts) / 2.0
        } else {
            call_chain(assessment)
        }
    }
}

/// Whether all lines were reached and nothing was thrown.
fn counts_accesses(assessment: &Assessment) -> bool {
    assessment.stage != Stage::Reproduced && assessment.frames_left == 0 && !assessment.thrown
}

/// The exception distance for indexed access of Fit2Crash (definitions 11 and 12): for an index within
/// bounds 1 − |index − mid| / (length − mid) with mid = (length − 1) / 2, and 0 for any other. It takes
/// the place of the exception distance of [`call_chain`] once all lines are reached. Of several bounds
/// and accesses the nearest counts, each as it was the last time.
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
