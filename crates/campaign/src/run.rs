use crashback::Reproduction;

use crate::{Error, Job, Plan, Record, Store};

/// Makes single runs.
pub trait Runner {
    /// Reproduces one crash with one seed.
    fn run(&mut self, job: &Job<'_>) -> Result<Reproduction, RunError>;
}

/// Why there was no search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// Something is wrong with this run; it is recorded, and the campaign goes on.
    Failed(RunFailure),
    /// The user wants the campaign to end.
    Interrupted,
}

/// What was wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// Its kind, as exit codes tell them apart: `disagreement`, `environment`, …
    pub kind: String,
    /// In words.
    pub message: String,
}

/// What happens during a campaign.
#[derive(Clone, Debug)]
pub enum Event<'r> {
    /// A run is in the store already.
    Skipped {
        /// The run.
        job: &'r Job<'r>,
    },
    /// A run begins.
    Started {
        /// The run.
        job: &'r Job<'r>,
        /// Its number among those to be made now, from 1.
        number: usize,
        /// How many are to be made now.
        of: usize,
    },
    /// A run is in the store now.
    Finished {
        /// Its result.
        record: &'r Record,
        /// Its number among those to be made now, from 1.
        number: usize,
        /// How many are to be made now.
        of: usize,
    },
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All runs of the plan are in the store.
    Complete,
    /// It was interrupted; the same plan goes on where it ended.
    Interrupted,
}

/// Makes all runs of a plan that the store does not have, one after the other; each is stored as
/// soon as it is over. An interrupted run is not stored. `now` gives seconds since 1970, `stop`
/// tells whether the user wants the campaign to end.
pub fn run(
    plan: &Plan,
    store: &mut Store,
    runner: &mut dyn Runner,
    crashback: &str,
    now: &dyn Fn() -> u64,
    stop: &dyn Fn() -> bool,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Ended, Error> {
    store.admit(&plan.configuration)?;
    let mut open = Vec::new();
    for job in plan.jobs() {
        if store.contains(&job, plan.retry_errors)? {
            on_event(Event::Skipped { job: &job });
        } else {
            open.push(job);
        }
    }
    let of = open.len();
    for (number, job) in (1..).zip(&open) {
        if stop() {
            return Ok(Ended::Interrupted);
        }
        on_event(Event::Started { job, number, of });
        let started_at = now();
        let result = match runner.run(job) {
            Ok(reproduction) if reproduction.interrupted => return Ok(Ended::Interrupted),
            Ok(reproduction) => Ok(reproduction),
            Err(RunError::Interrupted) => return Ok(Ended::Interrupted),
            Err(RunError::Failed(failure)) => Err(failure),
        };
        let record = Record::new(job, result, crashback, started_at);
        store.add(&record)?;
        on_event(Event::Finished { record: &record, number, of });
    }
    Ok(Ended::Complete)
}
