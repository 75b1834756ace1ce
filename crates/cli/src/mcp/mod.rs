//! `crashback mcp`: tools for coding agents, by the Model Context Protocol on standard input and output.
//!
//! One thread reads lines, two make calls, and the main one owns the state of the protocol and is the only
//! one that writes. Searches are made one after the other; quick calls do not wait for them. The server
//! ends when standard input does, and ends all that is going on.

mod calls;
mod inputs;
mod lanes;
mod schemas;
mod tools;
mod verdict;

use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crashback_mcp::{Action, Identity, JobId, Line, Lines, Progress, ProtocolError, Server, ToolResult};
use serde_json::Value;

use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::{campaign, output};
use lanes::Lanes;

/// The longest message that is read: a log of this size is read in a moment, and longer ones can be given
/// as files.
const LONGEST_LINE: usize = 64 << 20;
/// Events that may wait before those who tell them do.
const BACKLOG: usize = 8;
/// How often signals are looked for.
const MOMENT: Duration = Duration::from_millis(100);
/// Moments that calls get to end when the server does.
const PATIENCE: u32 = 100;

/// Something that the main thread is told.
enum Event {
    /// The client sent a line.
    Line(Line),
    /// The client sends no more.
    Closed,
    /// A call has come further.
    Progress(JobId, Progress),
    /// A call has ended.
    Done(JobId, Result<ToolResult, ProtocolError>),
}

/// Serves until standard input ends.
pub(crate) fn run(environment: &Environment, interrupts: &Interrupts) -> ExitCode {
    let (sender, events) = sync_channel(BACKLOG);
    let lines = sender.clone();
    thread::spawn(move || read(&lines));
    // The end of the client is no interruption by the user.
    let calls = interrupts.child();
    let mut lanes = Lanes::new(environment, &calls, &sender);
    let identity = Identity {
        name: "crashback".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: tools::INSTRUCTIONS.to_owned(),
    };
    let mut server = Server::new(identity, tools::all(), Box::new(task_name));
    while !interrupts.happened() {
        match events.recv_timeout(MOMENT) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(event) => {
                if !handle(event, &mut server, &mut lanes) {
                    break;
                }
            }
        }
    }
    calls.interruption.request();
    calls.interruption.give_up();
    wait_for_calls(&events, &mut lanes);
    calls.interruption.remove_folders();
    ExitCode::SUCCESS
}

/// Reads lines until there are no more, or the main thread is gone.
fn read(events: &SyncSender<Event>) {
    let mut lines = Lines::new(BufReader::new(io::stdin()), LONGEST_LINE);
    loop {
        let event = match lines.read() {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::Closed,
            Err(error) => {
                output::tell(&format!("crashback: cannot read standard input: {error}"));
                Event::Closed
            }
        };
        let is_last = matches!(event, Event::Closed);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Does what follows from an event. False if the client is gone.
fn handle(event: Event, server: &mut Server, lanes: &mut Lanes) -> bool {
    let now = campaign::now();
    let actions = match event {
        Event::Line(Line::Whole(line)) => server.receive(&line, now),
        Event::Line(Line::TooLong) => vec![Action::Send(server.refuse_long_line(LONGEST_LINE))],
        Event::Closed => return false,
        Event::Progress(job, progress) => {
            server.progress(job, &progress, now).into_iter().map(Action::Send).collect()
        }
        Event::Done(job, result) => {
            lanes.forget(job);
            server.finish(job, result, now).into_iter().map(Action::Send).collect()
        }
    };
    actions.into_iter().all(|action| match action {
        Action::Send(message) => send(&message),
        Action::Cancel(job) => {
            lanes.cancel(job);
            true
        }
        Action::Start(call) => {
            let job = call.job;
            match lanes.start(call) {
                Ok(()) => true,
                Err(refused) => server.finish(job, Ok(refused), now).is_none_or(|it| send(&it)),
            }
        }
    })
}

/// Writes a message, the only thing that standard output carries. False if the client is gone.
fn send(message: &Value) -> bool {
    let mut out = io::stdout().lock();
    let sent = out.write_all(format!("{message}\n").as_bytes()).and_then(|()| out.flush());
    if let Err(error) = &sent
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        output::tell(&format!("crashback: cannot write to standard output: {error}"));
    }
    sent.is_ok()
}

/// Lets calls that are told to end do so. Where one does not, its workers notice that this process is gone.
fn wait_for_calls(events: &Receiver<Event>, lanes: &mut Lanes) {
    for _ in 0..PATIENCE {
        if lanes.are_idle() {
            return;
        }
        if let Ok(Event::Done(job, _)) = events.recv_timeout(MOMENT) {
            lanes.forget(job);
        }
    }
}

/// A name that cannot be guessed.
fn task_name() -> String {
    let mut bytes = [0_u8; 16];
    let read = File::open("/dev/urandom").and_then(|mut it| it.read_exact(&mut bytes));
    // Without the system's chance the time must do: the client is the only one that could guess.
    if read.is_err() {
        bytes = campaign::now().as_nanos().to_be_bytes();
    }
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}
