//! The worker: a process that embeds the JVM, instruments the program as it loads, and runs batches
//! of test cases.
//!
//! The sandbox is entered before the second thread exists, and the JVM is started inside it.

mod account;
mod caller;
mod exceptions;
mod folder;
mod hook;
mod literals;
mod loading;
mod members;
mod mock_class;
mod mocks;
mod nested;
mod options;
mod pinned;
mod pins;
mod program;
mod reply;
mod requests;
mod reset;
mod runner;
mod runtime;
mod session;
mod stopwatch;
mod subclass;
mod tamper;
mod threads;
mod thrift;
mod watchdog;
mod watched;

use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use crashback_protocol::{Request, WireError};
use rustix::event::{PollFd, PollFlags, poll};
use thiserror::Error;

use crate::handshake::{self, Inherited, Report, Started};
use crate::heartbeat::Heartbeat;
use crate::java::BootError;
use crate::sandbox::{self, Confinement, DiesWith, Rules};
use crate::settings::{Machine, WorkerSettings};
use reply::Replies;
use requests::Requests;
use session::Session;
pub use tamper::Tamper;
pub(crate) use watchdog::LOADING;

/// Why a worker cannot work.
#[derive(Debug, Error)]
enum StartError {
    #[error(transparent)]
    Boot(#[from] BootError),
    #[error("the JVM did not accept Crashback's own classes: {0}")]
    Java(String),
    #[error("{0} could not be instrumented, so that tests could end the worker or leave threads behind")]
    Watched(&'static str),
    #[error("no thread could be started: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Sandbox(#[from] sandbox::Error),
    #[error("the scratch folder cannot be entered: {0}")]
    Scratch(io::Error),
    #[error("a batch names members that were never announced")]
    Vocabulary,
    #[error("a reply cannot be written: {0}")]
    Reply(WireError),
}

/// Runs a worker whose pool has started this process for it. Returns when the pool is gone.
pub fn main() -> ExitCode {
    run(None)
}

/// The same worker with instrumented classes spoiled: for tests that show that a check of workers
/// can fail.
pub fn main_tampering(tamper: Tamper) -> ExitCode {
    run(Some(tamper))
}

fn run(tamper: Option<Tamper>) -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the report says how long the start took")]
    let begun = Instant::now();
    let Ok(Inherited { mut stream, heartbeat }) = Inherited::take() else { return ExitCode::FAILURE };
    let Ok(settings) = handshake::accept(&mut stream) else { return ExitCode::FAILURE };
    // The confinement holds what must stay open as long as the process lives; this function does
    // not return after it.
    let confinement = match confine(&settings, &stream) {
        Ok(confinement) => confinement,
        Err(error) => return refuse(&mut stream, &error),
    };
    let Ok(connection) = stream.try_clone() else { return ExitCode::FAILURE };
    // The main thread's stack is as large as the system likes, and a StackOverflowError costs time
    // in proportion.
    let stack = settings.machine.stack as usize * 1024;
    let sandbox = confinement.to_string();
    let serve = move || leave(serve(stream, heartbeat, &settings, tamper, sandbox, begun));
    match thread::Builder::new().name("main".to_owned()).stack_size(stack).spawn(serve) {
        Ok(_) => wait_for_end(&connection),
        Err(_) => leave(1),
    }
}

fn confine(settings: &WorkerSettings, stream: &UnixStream) -> Result<Confinement, StartError> {
    std::env::set_current_dir(&settings.scratch).map_err(StartError::Scratch)?;
    let Machine { home, .. } = &settings.machine;
    let rules = Rules {
        keep_open: vec![stream.as_raw_fd()],
        // The main thread watches the connection, which ends with the pool's process whichever
        // thread has started this one.
        dies_with: DiesWith::Nobody,
        accept_weaker: settings.without_sandbox,
        ..Rules::for_jvm(home, &settings.program.class_path, settings.scratch.clone())
    };
    Ok(sandbox::enter(&rules)?)
}

/// Waits until the pool is gone, whatever the other threads are doing, and ends the process.
fn wait_for_end(connection: &UnixStream) -> ! {
    let mut watched = [PollFd::new(connection, PollFlags::RDHUP)];
    while poll(&mut watched, None).is_err() {}
    leave(0)
}

fn refuse(stream: &mut UnixStream, error: &StartError) -> ExitCode {
    drop(handshake::answer(stream, &Started::Failed(error.to_string())));
    ExitCode::FAILURE
}

/// Starts the JVM on this thread and answers requests until the pool is gone or a test has left
/// something behind.
fn serve(
    mut stream: UnixStream,
    heartbeat: Heartbeat,
    settings: &WorkerSettings,
    tamper: Option<Tamper>,
    sandbox: String,
    begun: Instant,
) -> i32 {
    let mut session = match Session::start(settings, heartbeat, tamper) {
        Ok(session) => session,
        Err(error) => {
            refuse(&mut stream, &error);
            return 1;
        }
    };
    let milliseconds = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
    let report = Report { jvm: session.version(), sandbox, milliseconds };
    if handshake::answer(&mut stream, &Started::Ready(report)).is_err() {
        return 0;
    }
    let (mut requests, mut request, mut replies) =
        (Requests::new(stream), Request::default(), Replies::default());
    while requests.next(&mut request).is_ok() {
        match session.evaluate(&mut request, &mut replies) {
            Ok((reply, last)) => {
                if requests.answer(reply).is_err() || last {
                    return 0;
                }
            }
            Err(error) => {
                // The pool reads standard error of a worker that dies.
                drop(writeln!(io::stderr(), "{error}"));
                return 1;
            }
        }
    }
    0
}

/// Leaves the process without the exit handlers of the JVM, which would wait for its threads.
#[expect(unsafe_code, reason = "the C library's way out without exit handlers")]
fn leave(code: i32) -> ! {
    // SAFETY: the function does not return and runs nothing of this process.
    unsafe { libc::_exit(code) }
}
