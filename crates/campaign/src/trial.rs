use std::collections::BTreeMap;

use crate::Record;

/// What statistics count as one run of a crash: a run that looks for the highest frame, or the runs with
/// one seed that look for one frame each.
///
/// The papers make one search for each frame and repeat all of them (Soltani et al., 2020): a crash is
/// reproduced by a repetition in which any of its frames is.
#[derive(Clone, Debug)]
pub struct Trial<'r> {
    /// At least one, by target frame.
    runs: Vec<&'r Record>,
}

impl<'r> Trial<'r> {
    /// The trial of one run.
    pub fn single(run: &'r Record) -> Self {
        Self { runs: vec![run] }
    }

    /// The trials of the runs of one crash under one configuration, by seed.
    pub fn group(runs: impl IntoIterator<Item = &'r Record>) -> Vec<Self> {
        // A run that looks for the highest frame is a trial of its own beside those with the same seed.
        let mut by_seed: BTreeMap<(u64, bool), Vec<&'r Record>> = BTreeMap::new();
        for run in runs {
            by_seed.entry((run.seed, run.target_frame.is_some())).or_default().push(run);
        }
        by_seed.into_values().map(|runs| Self { runs }).collect()
    }

    /// Its runs.
    pub fn runs(&self) -> &[&'r Record] {
        &self.runs
    }

    /// Whether any of its runs reproduced the crash, see [`Record::is_reproduced`].
    pub fn is_reproduced(&self) -> bool {
        self.runs.iter().any(|it| it.is_reproduced())
    }

    /// Whether any of its runs has a verified test.
    pub fn is_verified(&self) -> bool {
        self.runs.iter().any(|it| it.verified)
    }

    /// Whether none of its runs could search.
    pub fn is_error(&self) -> bool {
        self.runs.iter().all(|it| it.error.is_some())
    }

    /// The highest frame that is reproduced.
    pub fn frame(&self) -> Option<u32> {
        self.runs.iter().filter(|it| it.is_reproduced()).filter_map(|it| it.frame).max()
    }

    /// Tests executed by all of its runs.
    pub fn evaluations(&self) -> u64 {
        self.runs.iter().map(|it| it.evaluations).sum()
    }

    /// Time of all of its runs, one after the other.
    pub fn seconds(&self) -> f64 {
        self.runs.iter().map(|it| it.seconds).filter(|it| it.is_finite()).sum()
    }
}
