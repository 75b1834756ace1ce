//! Making runs: jobs are claimed, run in threads of their own, and their results written.
//!
//! One thread, the coordinator, talks to the store. A run that is late is told to end, then abandoned; a
//! server that is gone is waited for, while runs go on and their results are kept.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crashback::{Event as SearchEvent, Interruption, Reproduction};
use serde::Serialize;

use crate::plan::plan_name;
use crate::{Claim, Database, Error, EventLog, Job, Record};

/// How often the coordinator looks at clocks while nothing happens.
const TICK: Duration = Duration::from_millis(100);
/// How long it waits before it asks a store once more that had no job.
const POLL: Duration = Duration::from_millis(500);
/// How long it waits for a server that is gone: first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// After its deadline a run is told to end, then to give up verifying, then abandoned: each after this time
/// at most, or after as long as runs may be late.
const ENDING: Duration = Duration::from_secs(10);
/// A job that so many workers claimed and none finished is recorded as an error: it may be what ends them.
const MOST_ATTEMPTS: u32 = 5;
/// Leases are renewed so often before they end.
const RENEWALS: u32 = 3;

/// Makes single runs, several at the same time.
pub trait Runner: Send + Sync {
    /// Makes the run of a job. The switch ends it early; the sink is told what happens.
    fn run(
        &self,
        job: &Job,
        switch: &Interruption,
        sink: &mut dyn FnMut(&SearchEvent),
    ) -> Result<RunResult, RunError>;
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// The result of the search.
    pub reproduction: Reproduction,
    /// Class of the exception, as the log gives it.
    pub exception: Option<String>,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunFailure {
    /// Its kind, as exit codes tell them apart: `disagreement`, `environment`, …; `deadline` for a run
    /// that did not end in time.
    pub kind: String,
    /// In words.
    pub message: String,
}

/// What happens during a campaign. Runs at the same time have different slots, from 0.
#[derive(Debug)]
pub enum Event<'e> {
    /// A run begins.
    Started {
        /// Its slot.
        slot: usize,
        /// The job.
        job: &'e Job,
    },
    /// A search goes on.
    Progress {
        /// The slot of its run.
        slot: usize,
        /// What happened.
        event: &'e SearchEvent,
    },
    /// A run failed for reasons of the machine and begins again.
    Retried {
        /// Its slot.
        slot: usize,
        /// The job.
        job: &'e Job,
        /// Why.
        failure: &'e RunFailure,
    },
    /// A run is in the store now.
    Finished {
        /// Its result.
        record: &'e Record,
        /// Its number among those of this worker, from 1.
        number: usize,
    },
    /// A run ended and left its slot, whatever came of it.
    Ended {
        /// Its slot.
        slot: usize,
    },
    /// A run is another worker's: this one did not renew its claim in time.
    Lost {
        /// The job.
        job: &'e Job,
    },
    /// The server does not answer; it is asked again and again.
    ServerGone {
        /// Why, in words.
        reason: &'e str,
    },
    /// The server answers again.
    ServerBack,
    /// Time passes, for displays.
    Tick,
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No job is left.
    Complete,
    /// It was interrupted; the same command goes on where it ended.
    Interrupted,
}

/// Lets jobs wait in a store and gives the name of their plan. Configurations whose content is another than
/// that of their runs in the store are refused.
pub fn enqueue(store: &mut dyn Database, jobs: &[Job], retry_errors: bool) -> Result<String, Error> {
    let mut configurations = BTreeMap::new();
    for job in jobs {
        configurations.entry(job.configuration.name.as_str()).or_insert(&job.configuration);
    }
    for configuration in configurations.values() {
        store.admit(configuration)?;
    }
    let plan = plan_name(jobs);
    store.enqueue(jobs, &plan, retry_errors)?;
    Ok(plan)
}

/// A worker of campaigns.
pub struct Campaign<'c> {
    /// Makes the runs.
    pub runner: Arc<dyn Runner>,
    /// Ends the campaign.
    pub interruption: &'c Interruption,
    /// Its name, which no other worker has or had.
    pub worker: String,
    /// The plan whose jobs it makes; none makes all.
    pub plan: Option<String>,
    /// Runs at the same time.
    pub jobs: usize,
    /// How often a run that failed for reasons of the machine is made again.
    pub retries: u32,
    /// How long a run may take beyond the time of its search.
    pub grace: Duration,
    /// How long a claim lasts that is not renewed.
    pub lease: Duration,
    /// The version of Crashback.
    pub crashback: &'c str,
    /// Seconds since 1970. Nothing but the time that runs record depends on it.
    pub now: &'c dyn Fn() -> u64,
}

impl Campaign<'_> {
    /// Makes runs until no job is left or the user wants it to end. An interrupted run is not stored.
    pub fn work(
        &self,
        store: &mut dyn Database,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Ended, Error> {
        let (sender, receiver) = channel();
        let begun = instant();
        let mut work = Coordinator {
            campaign: self,
            store,
            on_event,
            sender,
            receiver,
            running: BTreeMap::new(),
            unwritten: Vec::new(),
            tickets: 0,
            written: 0,
            renewed: begun,
            claim_at: begun,
            pause: None,
        };
        let ended = work.run();
        if ended.is_err() {
            work.abort();
        }
        ended
    }
}

/// What a run's thread tells.
struct Message {
    ticket: u64,
    content: Content,
}

enum Content {
    /// An event, and how long after the beginning of the run.
    Progress(SearchEvent, Duration),
    Done(Box<Result<RunResult, RunError>>),
}

/// A run under way.
struct Running {
    ticket: u64,
    claim: Claim,
    switch: Interruption,
    started_at: u64,
    deadline: Instant,
    lateness: Lateness,
    events: EventLog,
    /// How often it was begun before.
    tries: u32,
    is_lost: bool,
}

/// What the coordinator knows of a run beside its result.
struct Begun {
    started_at: u64,
    events: EventLog,
}

/// What a run that is over its deadline was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lateness {
    InTime,
    ToldToEnd,
    ToldToGiveUp,
}

struct Coordinator<'w, 'c> {
    campaign: &'w Campaign<'c>,
    store: &'w mut dyn Database,
    on_event: &'w mut dyn FnMut(Event<'_>),
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// Runs by slot.
    running: BTreeMap<usize, Running>,
    /// Results that the store does not have yet.
    unwritten: Vec<(Claim, Record)>,
    tickets: u64,
    written: usize,
    renewed: Instant,
    /// When the store is asked for jobs next.
    claim_at: Instant,
    /// Until when a server that is gone is left alone, and how long that was.
    pause: Option<(Instant, Duration)>,
}

impl Coordinator<'_, '_> {
    fn run(&mut self) -> Result<Ended, Error> {
        loop {
            let is_stopped = self.campaign.interruption.is_requested();
            if self.can_ask() {
                let asked = self.ask_store(is_stopped);
                if let Some(ended) = self.waiting_for_server(asked, is_stopped)?.flatten() {
                    return Ok(ended);
                }
            }
            self.receive();
            self.end_late_runs();
        }
    }

    /// Writes results, renews claims and claims jobs. Some once there is nothing left to do.
    fn ask_store(&mut self, is_stopped: bool) -> Result<Option<Ended>, Error> {
        self.write()?;
        self.renew()?;
        if is_stopped {
            return Ok(self.running.is_empty().then_some(Ended::Interrupted));
        }
        self.claim()
    }

    fn can_ask(&self) -> bool {
        self.pause.is_none_or(|(until, _)| instant() >= until)
    }

    /// Turns a failure of a server that is gone into a pause; none then.
    fn waiting_for_server<T>(
        &mut self,
        asked: Result<T, Error>,
        is_stopped: bool,
    ) -> Result<Option<T>, Error> {
        match asked {
            Ok(asked) => {
                if self.pause.take().is_some() {
                    (self.on_event)(Event::ServerBack);
                }
                Ok(Some(asked))
            }
            Err(Error::ServerGone { reason, .. }) if !(is_stopped && self.running.is_empty()) => {
                let pause = match self.pause {
                    None => {
                        (self.on_event)(Event::ServerGone { reason: &reason });
                        FIRST_PAUSE
                    }
                    Some((_, pause)) => (pause * 2).min(LONGEST_PAUSE),
                };
                self.pause = Some((instant() + pause, pause));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn write(&mut self) -> Result<(), Error> {
        while let Some((claim, record)) = self.unwritten.last() {
            let is_ours = self.store.finish(&self.campaign.worker, claim, record)?;
            let Some((claim, record)) = self.unwritten.pop() else { return Ok(()) };
            if is_ours {
                self.written += 1;
                (self.on_event)(Event::Finished { record: &record, number: self.written });
            } else {
                (self.on_event)(Event::Lost { job: &claim.job });
            }
        }
        Ok(())
    }

    fn renew(&mut self) -> Result<(), Error> {
        let Campaign { worker, lease, .. } = self.campaign;
        if self.running.is_empty() || self.renewed.elapsed() < *lease / RENEWALS {
            return Ok(());
        }
        let held = self.store.renew(worker, *lease)?;
        self.renewed = instant();
        for running in self.running.values_mut().filter(|it| !held.contains(&it.claim.id)) {
            running.is_lost = true;
            running.switch.request();
            running.switch.give_up();
        }
        Ok(())
    }

    /// Claims jobs for free slots. Some if there is none left, neither here nor elsewhere.
    fn claim(&mut self) -> Result<Option<Ended>, Error> {
        let Campaign { worker, plan, lease, jobs, .. } = self.campaign;
        let free = jobs.saturating_sub(self.running.len());
        if free == 0 || instant() < self.claim_at {
            return Ok(None);
        }
        let claims = self.store.claim(worker, plan.as_deref(), *lease, free)?;
        if claims.len() < free {
            self.claim_at = instant() + POLL;
        }
        if claims.is_empty() {
            let status = self.store.status(plan.as_deref())?;
            let is_complete = self.running.is_empty() && status.open + status.running == 0;
            return Ok(is_complete.then_some(Ended::Complete));
        }
        for claim in claims {
            if claim.attempts > MOST_ATTEMPTS {
                self.record_dead_end(claim);
            } else {
                self.start(claim, 0);
            }
        }
        Ok(None)
    }

    /// A job that ended workers again and again is not tried once more.
    fn record_dead_end(&mut self, claim: Claim) {
        let message = format!("{} workers began it, and none of them came to its end", claim.attempts - 1);
        let failure = RunFailure { kind: "internal".to_owned(), message };
        let begun = Begun { started_at: (self.campaign.now)(), events: EventLog::default() };
        self.keep(claim, Err(failure), begun);
    }

    fn start(&mut self, claim: Claim, tries: u32) {
        let slots = 0..self.campaign.jobs;
        let slot = slots.into_iter().find(|it| !self.running.contains_key(it)).unwrap_or(self.campaign.jobs);
        self.tickets += 1;
        let (ticket, sender) = (self.tickets, self.sender.clone());
        let switch = self.campaign.interruption.child();
        (self.on_event)(Event::Started { slot, job: &claim.job });
        let (job, runner, its_switch) =
            (claim.job.clone(), Arc::clone(&self.campaign.runner), switch.clone());
        let run = move || {
            let begun = instant();
            let mut sink = |event: &SearchEvent| {
                let content = Content::Progress(event.clone(), begun.elapsed());
                drop(sender.send(Message { ticket, content }));
            };
            // A defect that shows in one crash must not cost the runs of the others.
            let run = || runner.run(&job, &its_switch, &mut sink);
            let result = panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
                let message = "an internal error; standard error had its message".to_owned();
                Err(RunError::Failed(RunFailure { kind: "internal".to_owned(), message }))
            });
            drop(sender.send(Message { ticket, content: Content::Done(Box::new(result)) }));
        };
        let settings_time = claim.job.configuration.settings.time;
        let running = Running {
            ticket,
            switch,
            started_at: (self.campaign.now)(),
            deadline: instant() + settings_time + self.campaign.grace,
            lateness: Lateness::InTime,
            events: EventLog::default(),
            tries,
            is_lost: false,
            claim,
        };
        self.running.insert(slot, running);
        if let Err(error) = thread::Builder::new().name(format!("run-{slot}")).spawn(run) {
            let message = format!("cannot start a thread: {error}");
            let failure = RunFailure { kind: "environment".to_owned(), message };
            self.finish(slot, Err(RunError::Failed(failure)));
        }
    }

    /// Takes what threads tell, for a moment at most.
    fn receive(&mut self) {
        let mut next = self.receiver.recv_timeout(TICK).ok();
        (self.on_event)(Event::Tick);
        while let Some(Message { ticket, content }) = next {
            // A run that was abandoned is not known any more.
            let known = self.running.iter_mut().find(|(_, it)| it.ticket == ticket);
            match (known, content) {
                (Some((slot, running)), Content::Progress(event, after)) => {
                    running.events.see(&event, after);
                    (self.on_event)(Event::Progress { slot: *slot, event: &event });
                }
                (Some((&slot, _)), Content::Done(result)) => self.finish(slot, *result),
                (None, _) => {}
            }
            next = self.receiver.try_recv().ok();
        }
    }

    /// A run is over.
    fn finish(&mut self, slot: usize, result: Result<RunResult, RunError>) {
        let Some(running) = self.running.remove(&slot) else { return };
        let Running { claim, started_at, tries, is_lost, lateness, events, .. } = running;
        let begun = Begun { started_at, events };
        (self.on_event)(Event::Ended { slot });
        self.claim_at = instant();
        if is_lost {
            return (self.on_event)(Event::Lost { job: &claim.job });
        }
        if lateness != Lateness::InTime {
            let failure = self.late(&claim);
            return self.keep(claim, Err(failure), begun);
        }
        let is_stopped = self.campaign.interruption.is_requested();
        match result {
            Ok(result) if result.reproduction.interrupted && is_stopped => self.release(&claim),
            Err(RunError::Interrupted) if is_stopped => self.release(&claim),
            Err(RunError::Failed(failure))
                if failure.kind == "environment" && tries < self.campaign.retries && !is_stopped =>
            {
                (self.on_event)(Event::Retried { slot, job: &claim.job, failure: &failure });
                self.start(claim, tries + 1);
            }
            Ok(result) => self.keep(claim, Ok(result), begun),
            Err(RunError::Failed(failure)) => self.keep(claim, Err(failure), begun),
            Err(RunError::Interrupted) => {
                let message = "it was interrupted though nobody asked for it".to_owned();
                let failure = RunFailure { kind: "internal".to_owned(), message };
                self.keep(claim, Err(failure), begun);
            }
        }
    }

    fn late(&self, claim: &Claim) -> RunFailure {
        let time = claim.job.configuration.settings.time.as_secs_f64();
        let grace = self.campaign.grace.as_secs_f64();
        let message = format!("it did not end within its time of {time} s and {grace} s more");
        RunFailure { kind: "deadline".to_owned(), message }
    }

    /// Keeps a result until the store has it.
    fn keep(&mut self, claim: Claim, result: Result<RunResult, RunFailure>, begun: Begun) {
        let record = Record::new(&claim.job, result, self.campaign.crashback, begun.started_at);
        let (worker, events) = (Some(self.campaign.worker.clone()), begun.events.into_records());
        self.unwritten.push((claim, Record { worker, events, ..record }));
    }

    /// An interrupted job waits again. Without a server its lease ends by itself.
    fn release(&mut self, claim: &Claim) {
        drop(self.store.release(&self.campaign.worker, claim));
    }

    /// Tells runs that are late to end, and abandons those that do not listen: their threads are left to
    /// themselves, and the processes that they started have ended.
    fn end_late_runs(&mut self) {
        let now = instant();
        let step = ENDING.min(self.campaign.grace);
        let mut abandoned = Vec::new();
        for (slot, running) in &mut self.running {
            let late_by = now.saturating_duration_since(running.deadline);
            match running.lateness {
                Lateness::InTime if now >= running.deadline => {
                    running.lateness = Lateness::ToldToEnd;
                    running.switch.request();
                }
                Lateness::ToldToEnd if late_by >= step => {
                    running.lateness = Lateness::ToldToGiveUp;
                    running.switch.give_up();
                }
                Lateness::ToldToGiveUp if late_by >= step * 2 => abandoned.push(*slot),
                _ => {}
            }
        }
        for slot in abandoned {
            self.finish(slot, Err(RunError::Interrupted));
        }
    }

    /// Ends all runs because the store cannot be used.
    fn abort(&mut self) {
        for running in self.running.values() {
            running.switch.request();
            running.switch.give_up();
        }
        let begun = instant();
        while !self.running.is_empty() && begun.elapsed() < ENDING {
            if let Ok(Message { ticket, content: Content::Done(_) }) = self.receiver.recv_timeout(TICK) {
                self.running.retain(|_, it| it.ticket != ticket);
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines and leases are spans of real time")]
fn instant() -> Instant {
    Instant::now()
}
