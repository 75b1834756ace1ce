use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use crashback_reproduce::Settings;

use crate::configuration::identity;
use crate::{Benchmark, Configuration, Record, Subject};

/// Which runs a campaign consists of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The crashes.
    pub benchmark: Benchmark,
    /// How each is run.
    pub configurations: Vec<Configuration>,
    /// Which frames of each are looked for.
    pub frames: Frames,
    /// Runs of each crash and frame with each configuration.
    pub repeats: u32,
    /// The first seed; others count up from it.
    pub seed: u64,
    /// Whether a crash that as many runs reproduced as did not gets one run more.
    pub tie_break: bool,
    /// Whether runs that could not search are made again.
    pub retry_errors: bool,
    /// The part of the runs that this campaign makes.
    pub shard: Option<Shard>,
}

/// Which frames of a crash runs look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// One run looks for the highest frame that can be reproduced.
    #[default]
    Auto,
    /// One run for each target frame.
    All,
    /// One run for each of these that is a target frame of the crash.
    These(Vec<u32>),
}

/// One of several equal parts of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// The target frames of crashes by their names.
pub type TargetFrames = BTreeMap<String, Vec<u32>>;

/// One run: a crash, a configuration, a frame and a seed.
#[derive(Clone, Debug)]
pub struct Job {
    /// The crash.
    pub subject: Arc<Subject>,
    /// How it is run.
    pub configuration: Arc<Configuration>,
    /// The frame to reproduce; none looks for the highest.
    pub frame: Option<u32>,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Plan {
    /// All runs: every crash once before any is repeated, so that a campaign that is cut short has
    /// results for all. `targets` are the target frames of crashes, which a plan of all frames needs.
    pub fn jobs(&self, targets: &TargetFrames) -> Vec<Job> {
        let subjects: Vec<Arc<Subject>> = self.benchmark.subjects.iter().cloned().map(Arc::new).collect();
        let configurations: Vec<Arc<Configuration>> =
            self.configurations.iter().cloned().map(Arc::new).collect();
        let mut jobs = Vec::new();
        for repeat in 0..u64::from(self.repeats) {
            let seed = self.seed.wrapping_add(repeat);
            for subject in &subjects {
                for frame in self.frames.of(targets.get(&subject.id)) {
                    let job = |configuration: &Arc<Configuration>| Job {
                        subject: Arc::clone(subject),
                        configuration: Arc::clone(configuration),
                        frame,
                        seed,
                    };
                    jobs.extend(configurations.iter().map(job));
                }
            }
        }
        match self.shard {
            Some(shard) => shard.of(jobs),
            None => jobs,
        }
    }

    /// One run more for each crash, configuration and frame that as many runs of a plan reproduced as did
    /// not, with the seed behind those of the plan.
    pub fn tie_breakers(&self, jobs: &[Job], records: &[Record]) -> Vec<Job> {
        let mut counts: BTreeMap<(&str, &str, Option<u32>), (usize, usize)> = BTreeMap::new();
        let last = self.seed.wrapping_add(u64::from(self.repeats));
        let is_planned = |seed: u64| seed.wrapping_sub(self.seed) <= u64::from(self.repeats);
        for record in records.iter().filter(|it| is_planned(it.seed)) {
            let key = (record.crash.as_str(), record.configuration.as_str(), record.target_frame);
            let (runs, reproduced) = counts.entry(key).or_default();
            *runs += 1;
            *reproduced += usize::from(record.is_reproduced());
        }
        let first = jobs.iter().filter(|it| it.seed == self.seed);
        let undecided = first.filter(|job| {
            let key = (job.subject.id.as_str(), job.configuration.name.as_str(), job.frame);
            counts.get(&key).is_some_and(|(runs, reproduced)| reproduced * 2 == *runs)
        });
        undecided.map(|it| Job { seed: last, ..it.clone() }).collect()
    }
}

impl Frames {
    /// Whether target frames must be known before runs can be planned.
    pub fn need_targets(&self) -> bool {
        *self != Self::Auto
    }

    fn of(&self, targets: Option<&Vec<u32>>) -> Vec<Option<u32>> {
        let targets = targets.map_or(&[][..], Vec::as_slice).iter().copied();
        match self {
            Self::Auto => vec![None],
            Self::All => targets.map(Some).collect(),
            Self::These(frames) => targets.filter(|it| frames.contains(it)).map(Some).collect(),
        }
    }
}

impl FromStr for Frames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |it: &str| it.trim().parse().ok().filter(|it: &u32| *it > 0);
        match text {
            "auto" => Ok(Self::Auto),
            "all" => Ok(Self::All),
            list => list.split(',').map(number).collect::<Option<_>>().map(Self::These).ok_or_else(|| {
                format!("`{text}` is neither `auto` nor `all` nor a list of frames such as `1,3`")
            }),
        }
    }
}

impl Shard {
    /// The runs of this part. Parts have runs of all crashes.
    fn of(self, jobs: Vec<Job>) -> Vec<Job> {
        let is_own = |place: usize| place % self.of.max(1) + 1 == self.number;
        jobs.into_iter().enumerate().filter(|(place, _)| is_own(*place)).map(|(_, it)| it).collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("`{text}` is no part such as `2/8`: its number, from 1, of so many")),
        }
    }
}

impl Job {
    /// Settings of the search for this run.
    pub fn settings(&self) -> Settings {
        let settings = self.configuration.settings.clone();
        Settings { seed: self.seed, frame: self.frame.or(settings.frame), ..settings }
    }

    /// A name for people: `LANG-9b frame 3 seed 7`.
    pub fn label(&self) -> String {
        let frame = self.frame.map(|it| format!(" frame {it}")).unwrap_or_default();
        format!("{}{frame} seed {}", self.subject.id, self.seed)
    }
}

/// A short name of a list of runs: equal lists have equal names.
pub(crate) fn plan_name(jobs: &[Job]) -> String {
    let mut text = String::new();
    for Job { subject, configuration, frame, seed } in jobs {
        text.push_str(&format!("{}\n{}\n{frame:?}\n{seed}\n", subject.id, configuration.name));
    }
    identity(&text)
}
