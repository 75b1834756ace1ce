//! The thread of a slot: starts a process, talks to it until it ends, starts the next.
//!
//! A process is started by the thread that ends it. The kernel can tie a process to the thread that
//! started it (`PR_SET_PDEATHSIG`), so that thread must live longer.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use crashback_protocol::{Reply, RequestRef, WireError, decode_reply};
use crashback_testcase::{Addition, Known};

use super::Ready;
use super::connection::Connection;
use super::process::{Death, Process};
use super::scratch::ScratchRoot;
use super::shared::{Assignment, Ending, Next, Shared};
use super::work::{Job, WorkerDeath};
use crate::WorkerSettings;
use crate::handshake;

/// Runs until the pool ends.
pub(super) fn run(shared: &Shared, scratch: &ScratchRoot, slot: usize) {
    while shared.may_start(slot) {
        match Worker::start(shared, scratch) {
            Ok((worker, ready)) => {
                shared.started(slot, &worker.process, ready);
                worker.serve(shared, slot);
            }
            Err(failure) => shared.start_failed(&failure),
        }
    }
}

/// Requests on their way to a worker at the same time: it finds the next when it has answered one.
const IN_FLIGHT: usize = 2;

/// A process that is ready.
struct Worker {
    process: Arc<Process>,
    connection: Connection,
    known: Known,
    in_flight: VecDeque<Sent>,
}

/// A request that was sent and not answered.
struct Sent {
    request: u64,
    /// How many tests it has.
    tests: usize,
    /// Whether nothing may be sent behind it.
    alone: bool,
}

/// Why a process did not get ready.
#[derive(Debug)]
pub(super) struct StartFailure {
    pub(super) why: String,
    /// Whether somebody else killed it.
    pub(super) by_others: bool,
}

/// Why a conversation ended.
enum End {
    /// The worker is gone, or what it says makes no sense.
    Died,
    /// The worker said so.
    Recycled,
    /// It is no longer needed.
    Retired,
}

impl Worker {
    fn start(shared: &Shared, scratch: &ScratchRoot) -> Result<(Self, Ready), StartFailure> {
        let settings = &shared.settings;
        let fail = |what: String| {
            move |error: io::Error| StartFailure { why: format!("{what}: {error}"), by_others: false }
        };
        let scratch = scratch.folder().map_err(fail("no scratch folder can be made".to_owned()))?;
        let worker = WorkerSettings { scratch: scratch.path().to_path_buf(), ..settings.worker.clone() };
        let program = settings.command.program.display().to_string();
        let (process, mut stream) = Process::start(&settings.command, scratch).map_err(fail(program))?;
        let process = Arc::new(process);
        shared.register(&process);
        let started = handshake::start(&mut stream, &worker).map_err(|error| error.to_string());
        let connected = started.and_then(|report| {
            let connection = Connection::new(stream).map_err(|error| error.to_string())?;
            process.expect_reply(false);
            Ok((connection, Ready { report, time: process.started().elapsed() }))
        });
        match connected {
            Ok((connection, ready)) => {
                Ok((Self { process, connection, known: Known::default(), in_flight: VecDeque::new() }, ready))
            }
            Err(why) => {
                process.let_end();
                let Death { how, by_others } = process.end();
                shared.forget(&process);
                Err(StartFailure { why: format!("{why} ({how})"), by_others })
            }
        }
    }

    /// Talks to the process until it ends, and sees to what it leaves behind.
    fn serve(mut self, shared: &Shared, slot: usize) {
        let ending = match self.converse(shared, slot) {
            End::Died => {
                self.process.let_end();
                let Death { how, by_others } = self.process.end();
                // Only a process that has stopped for sure says where it stopped.
                let running = self.process.beat().running();
                let request = self.in_flight.front().map(|it| it.request);
                Ending::Died { how, death: WorkerDeath { running, from_outside: by_others }, request }
            }
            End::Recycled => Ending::Recycled,
            End::Retired => Ending::Retired,
        };
        shared.ended(slot, ending);
        self.process.end();
        shared.forget(&self.process);
    }

    fn converse(&mut self, shared: &Shared, slot: usize) -> End {
        loop {
            if let Err(end) = self.fill(shared, slot, IN_FLIGHT) {
                return end;
            }
            let length = match self.connection.receive() {
                Ok(length) => length,
                Err(WireError::Io(_)) => return End::Died,
                Err(nonsense) => return self.refuse(&nonsense.to_string()),
            };
            // The next request goes out before this reply is looked at: the worker shall not wait
            // for that.
            if let Err(end) = self.fill(shared, slot, IN_FLIGHT + 1) {
                return end;
            }
            let reply = decode_reply(self.connection.first(length));
            self.connection.forget(length);
            let reply = match reply {
                Ok(reply) => reply,
                Err(nonsense) => return self.refuse(&nonsense.to_string()),
            };
            if let Err(end) = self.accept(shared, slot, reply) {
                return end;
            }
        }
    }

    /// Sends requests until so many are in flight, or there is nothing more to send. Waits only if
    /// none is in flight.
    fn fill(&mut self, shared: &Shared, slot: usize, most: usize) -> Result<(), End> {
        while self.in_flight.len() < most && self.in_flight.back().is_none_or(|last| !last.alone) {
            let assignment = match shared.next(slot, &self.process, self.in_flight.len(), self.known) {
                Next::Assignment(assignment) => assignment,
                Next::Nothing => return Ok(()),
                Next::Retire => return Err(End::Retired),
                Next::Gone => return Err(End::Died),
            };
            if self.in_flight.is_empty() && !self.connection.is_quiet() {
                // It died while it had nothing to do: no test is to blame.
                shared.give_back(slot, assignment.request);
                return Err(End::Died);
            }
            self.send(shared, assignment)?;
        }
        Ok(())
    }

    fn send(&mut self, shared: &Shared, assignment: Assignment) -> Result<(), End> {
        let Assignment { request, job, piece, additions, known } = assignment;
        let vocabulary = joined(self.known, &additions);
        let tests = piece.tests(&job.tests);
        self.in_flight.push_back(Sent { request, tests: tests.len(), alone: piece.alone });
        let Job { isolation, pins, listens, .. } = *job;
        let request = RequestRef { vocabulary: &vocabulary, isolation, pins, listens, tests: &tests };
        let sent = self.connection.send(request);
        self.known = known;
        self.process.expect_reply(true);
        sent.map_err(|error| {
            shared.give_up(&job, format!("a request could not be written: {error}"));
            End::Retired
        })
    }

    fn accept(&mut self, shared: &Shared, slot: usize, reply: Reply) -> Result<(), End> {
        let fits = self.in_flight.front().is_some_and(|it| reply.answers(it.tests));
        let Some(answered) = self.in_flight.pop_front_if(|_| fits) else {
            return Err(self.refuse("its answer is not one to what was asked"));
        };
        self.process.expect_reply(!self.in_flight.is_empty());
        let last = reply.last;
        let goes_on = shared.completed(slot, answered.request, reply);
        match () {
            () if last => Err(End::Recycled),
            () if !goes_on => Err(End::Retired),
            () => Ok(()),
        }
    }

    fn refuse(&self, nonsense: &str) -> End {
        self.process.kill(nonsense);
        End::Died
    }
}

/// All additions to the vocabulary that a worker knows, as one.
fn joined(known: Known, additions: &[Arc<Addition>]) -> Addition {
    let mut all = Addition { after: known, ..Addition::default() };
    for addition in additions {
        all.types.extend_from_slice(&addition.types);
        all.methods.extend_from_slice(&addition.methods);
        all.fields.extend_from_slice(&addition.fields);
        all.mocks.extend_from_slice(&addition.mocks);
    }
    all
}
