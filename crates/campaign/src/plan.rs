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

/// How runs are made. Runs of one configuration can be compared.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name in the store.
    pub name: String,
    /// Settings of the search, with the first of the seeds.
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
    /// Seed of all random choices.
    pub seed: u64,
}

impl Plan {
    /// All runs: every crash once before any is repeated, so that a campaign that is cut short has
    /// results for all.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        let Self { benchmark, configuration, repeats, .. } = self;
        (0..u64::from(*repeats)).flat_map(move |repeat| {
            let seed = configuration.settings.seed.wrapping_add(repeat);
            benchmark.subjects.iter().map(move |subject| Job { subject, configuration, seed })
        })
    }
}

impl Configuration {
    /// Everything that must be equal for runs to be compared, in words.
    ///
    /// Stores keep it, so a change of the words needs a change of their format.
    pub fn conditions(&self) -> String {
        let Settings { frame, time, evaluations, population, expect, fitness, algorithm, tuning, seed: _ } =
            &self.settings;
        let mut parts = vec![format!("{} of time", in_words(*time)), format!("{} workers", self.workers)];
        parts.extend(evaluations.map(|it| format!("{it} evaluations")));
        parts.extend(population.map(|it| format!("population {it}")));
        parts.extend(frame.map(|it| format!("frame {it}")));
        parts.extend(expect.then(|| "tests that expect the crash".to_owned()));
        parts.extend(self.assertions.then(|| "assertions enabled".to_owned()));
        parts.push(format!("fitness {fitness}"));
        parts.push(format!("algorithm {algorithm}"));
        parts.extend(tuning.changed().map(|it| format!("{}={}", it.name, it.value)));
        parts.join(", ")
    }

    /// A name for runs with these settings, equal only for equal algorithm, fitness and tuning:
    /// `guided-ga`, `guided-ga+weighted-sum`, `random+reuse-object=0.3`.
    pub fn default_name(settings: &Settings) -> String {
        let fitness = Some(settings.fitness).filter(|it| *it != Settings::default().fitness);
        let mut parts = vec![settings.algorithm.name().to_owned()];
        parts.extend(fitness.map(|it| it.name().to_owned()));
        parts.extend(settings.tuning.changed().map(|it| format!("{}={}", it.name, it.value)));
        parts.join("+")
    }
}

fn in_words(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl Job<'_> {
    /// Settings of the search for this run.
    pub fn settings(&self) -> Settings {
        Settings { seed: self.seed, ..self.configuration.settings.clone() }
    }
}
