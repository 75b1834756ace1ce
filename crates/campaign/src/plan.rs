use std::time::Duration;

use crashback_reproduce::Settings;

use crate::{Benchmark, Subject};

/// Which runs a campaign consists of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The crashes.
    pub benchmark: Benchmark,
    /// How each is run.
    pub configuration: Configuration,
    /// Runs of each crash; the seeds count up from that of the configuration's settings.
    pub repeats: u32,
    /// Whether runs that could not search are made again.
    pub retry_errors: bool,
}

/// How runs are made: those of one configuration can be compared.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name in the store.
    pub name: String,
    /// What the search is told, with the first of the seeds.
    pub settings: Settings,
    /// Worker processes of each run.
    pub workers: usize,
    /// Whether assertions are enabled in the program.
    pub assertions: bool,
}

/// One run: a crash and a seed.
#[derive(Clone, Debug)]
pub struct Job<'p> {
    /// The crash.
    pub subject: &'p Subject,
    /// How it is run.
    pub configuration: &'p Configuration,
    /// Where its chance comes from.
    pub seed: u64,
}

impl Plan {
    /// All runs: every crash once before any is repeated, so that a campaign that is cut short
    /// tells something of all.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        let Self { benchmark, configuration, repeats, .. } = self;
        (0..u64::from(*repeats)).flat_map(move |repeat| {
            let seed = configuration.settings.seed.wrapping_add(repeat);
            benchmark.subjects.iter().map(move |subject| Job { subject, configuration, seed })
        })
    }
}

impl Configuration {
    /// What must be equal for runs to be compared, in words.
    pub fn conditions(&self) -> String {
        let Settings { frame, time, evaluations, population, expect, .. } = &self.settings;
        let Settings { fitness, algorithm, tuning, .. } = &self.settings;
        let mut parts = vec![format!("{} of time", in_words(*time)), format!("{} workers", self.workers)];
        parts.extend(evaluations.map(|it| format!("{it} evaluations")));
        parts.extend(population.map(|it| format!("population {it}")));
        parts.extend(frame.map(|it| format!("frame {it}")));
        parts.extend(expect.then(|| "tests that expect the crash".to_owned()));
        parts.push(format!("{algorithm} on {fitness}"));
        parts.extend(tuning.changed().map(|it| format!("{} {}", it.name, it.value)));
        parts.extend(self.assertions.then(|| "assertions enabled".to_owned()));
        parts.join(", ")
    }
}

fn in_words(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl Job<'_> {
    /// What the search is told for this run.
    pub fn settings(&self) -> Settings {
        Settings { seed: self.seed, ..self.configuration.settings.clone() }
    }
}
