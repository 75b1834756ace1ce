//! Threads that make calls: one for searches, which take all processors, and one for all others.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use crashback_mcp::{Call, JobId, ProtocolError, ToolResult, codes};

use super::{Event, calls, tools};
use crate::environment::Environment;
use crate::interrupt::Interrupts;

/// Calls of a lane that may wait, besides the one that is made.
const MAX_WAITING: usize = 32;

/// A call with the switch that ends it.
struct Job {
    call: Call,
    interrupts: Interrupts,
}

/// The lanes, and the calls that wait in them or are made.
pub(super) struct Lanes {
    searches: Sender<Job>,
    others: Sender<Job>,
    /// For each call its switch, and whether it is a search.
    open: BTreeMap<JobId, (Interrupts, bool)>,
    interrupts: Interrupts,
}

impl Lanes {
    /// Lanes whose calls end with a switch and tell of events.
    pub(super) fn new(
        environment: &Environment,
        interrupts: &Interrupts,
        events: &SyncSender<Event>,
    ) -> Self {
        let lane = || {
            let (sender, jobs) = channel();
            let (environment, events) = (environment.clone(), events.clone());
            thread::spawn(move || work(&jobs, &environment, &events));
            sender
        };
        let (searches, others) = (lane(), lane());
        Self { searches, others, open: BTreeMap::new(), interrupts: interrupts.clone() }
    }

    /// Lets a call be made as soon as those before it are done.
    ///
    /// # Errors
    ///
    /// If too many wait: the result that says so.
    pub(super) fn start(&mut self, call: Call) -> Result<(), ToolResult> {
        let is_search = tools::is_search(&call.tool);
        let waiting = self.open.values().filter(|(_, it)| *it == is_search).count();
        if waiting > MAX_WAITING {
            let text = format!("{MAX_WAITING} calls are waiting already; cancel some, or call again later");
            return Err(ToolResult { text, structured: None, is_error: true });
        }
        let (job, interrupts) = (call.job, self.interrupts.child());
        self.open.insert(job, (interrupts.clone(), is_search));
        let lane = if is_search { &self.searches } else { &self.others };
        // A lane ends only with the process.
        drop(lane.send(Job { call, interrupts }));
        Ok(())
    }

    /// Ends a call, whether it waits or is made.
    pub(super) fn cancel(&mut self, job: JobId) {
        if let Some((interrupts, _)) = self.open.get(&job) {
            interrupts.interruption.request();
            interrupts.interruption.give_up();
        }
    }

    /// A call has ended.
    pub(super) fn forget(&mut self, job: JobId) {
        self.open.remove(&job);
    }

    /// Whether no call waits or is made.
    pub(super) fn are_idle(&self) -> bool {
        self.open.is_empty()
    }
}

/// Makes calls one after the other.
fn work(jobs: &Receiver<Job>, environment: &Environment, events: &SyncSender<Event>) {
    for Job { call, interrupts } in jobs {
        let job = call.job;
        let mut tell = |progress| drop(events.send(Event::Progress(job, progress)));
        // The hook has said on standard error where it was; the server goes on.
        let made =
            panic::catch_unwind(AssertUnwindSafe(|| calls::make(&call, environment, &interrupts, &mut tell)));
        let result = made.map_err(|panic| defect(panic.as_ref()));
        if events.send(Event::Done(job, result)).is_err() {
            return;
        }
    }
}

fn defect(panic: &(dyn Any + Send)) -> ProtocolError {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    ProtocolError::new(
        codes::INTERNAL_ERROR,
        format!("an internal error of Crashback, please report it: {said}"),
    )
}
