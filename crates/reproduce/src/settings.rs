use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crashback_fitness::Fitness;
use crashback_model::Models;
use crashback_search::AlgorithmKind;
use crashback_testcase::workshop::Tuning;

use crate::Preset;

/// What a user may choose about a reproduction.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The frame to reproduce, 1 for the innermost; none looks for the highest that can be.
    pub frame: Option<u32>,
    /// Bounds everything: search, minimising and verification, counted from when the clock started.
    pub time: Duration,
    /// Bounds the search by the number of executed tests; then time bounds nothing but a hang, and
    /// equal seeds give equal results.
    pub evaluations: Option<u64>,
    /// Where all chance comes from.
    pub seed: u64,
    /// Which searches pursue the crash.
    pub preset: Preset,
    /// How executions get scores; none leaves it to the preset.
    pub fitness: Option<Fitness>,
    /// How tests are bred; none leaves it to the preset.
    pub algorithm: Option<AlgorithmKind>,
    /// Tests in a generation; none leaves the choice to the search.
    pub population: Option<usize>,
    /// Whether the test is to pass while the crash is there, instead of failing with it.
    pub expect: bool,
    /// The numbers by which tests are made and changed.
    pub tuning: Tuning,
    /// Models of how objects are used, beside those that are learnt from class files near the trace.
    pub models: Option<Arc<Models>>,
    /// Java sources of tests to begin with, and folders of such. The host compiles them.
    pub seed_tests: Vec<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frame: None,
            time: Duration::from_secs(20),
            evaluations: None,
            seed: 0,
            preset: Preset::default(),
            fitness: None,
            algorithm: None,
            population: None,
            expect: false,
            tuning: Tuning::default(),
            models: None,
            seed_tests: Vec::new(),
        }
    }
}
