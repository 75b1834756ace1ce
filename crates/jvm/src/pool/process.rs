//! One worker process from start to burial.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read as _};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};

use super::scratch::Scratch;
use super::{WorkerCommand, lock};
use crate::heartbeat::{Beat, Pulse};

/// A process that was started as a worker. The thread that started it also ends it; others look at
/// it, and may kill it.
#[derive(Debug)]
pub(super) struct Process {
    id: u32,
    /// None once the process has been waited for: then its number may be another's.
    child: Mutex<Option<Child>>,
    stream: UnixStream,
    pulse: Pulse,
    /// Standard error, and the last that was read from it.
    errors: Option<ChildStderr>,
    tail: Mutex<VecDeque<u8>>,
    scratch: Scratch,
    started: Instant,
    /// What the pool expects of it: [`STARTING`], or a count of changes and, in the lowest bit,
    /// whether a reply is outstanding.
    expected: AtomicU64,
    /// Whether nothing is to be expected of it any more.
    doomed: AtomicBool,
    /// Why the pool killed it.
    verdict: Mutex<Option<String>>,
}

/// What the pool waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expectation {
    /// The process is starting.
    Start,
    /// Nothing: the process waits for us.
    Nothing,
    /// A reply; the number tells it from others.
    Reply(u64),
}

/// How a process ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Death {
    /// In words, with the last that it said.
    pub(super) how: String,
    /// Whether it was killed, and not for a reason of ours.
    pub(super) by_others: bool,
}

impl Process {
    /// Starts a worker. The stream is the pool's end of the connection.
    ///
    /// A worker gets its end as standard input and the memory of the heartbeat as standard output,
    /// so that no descriptor needs to be inherited in another way, and none that another thread has
    /// just opened can be. Its environment is empty but for the encoding of file names and the time
    /// zone, since tests could see it.
    #[expect(clippy::disallowed_methods, reason = "the pool is where workers are started and timed")]
    pub(super) fn start(command: &WorkerCommand, scratch: Scratch) -> io::Result<(Self, UnixStream)> {
        let (ours, theirs) = UnixStream::pair()?;
        let stream = ours.try_clone()?;
        let (pulse, memory) = Pulse::new()?;
        let started = Instant::now();
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .envs(command.time_zone.iter().map(|it| ("TZ", it)))
            .current_dir(scratch.path())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(memory))
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let process = Self {
            id: child.id(),
            // A pipe that could block is not read at all.
            errors: child.stderr.take().filter(|pipe| ioctl_fionbio(pipe, true).is_ok()),
            child: Mutex::new(Some(child)),
            stream,
            pulse,
            tail: Mutex::default(),
            scratch,
            started,
            expected: AtomicU64::new(STARTING),
            doomed: AtomicBool::new(false),
            verdict: Mutex::default(),
        };
        Ok((process, ours))
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    pub(super) fn beat(&self) -> Beat {
        self.pulse.last()
    }

    /// For the thread that talks to the process: says whether it waits for a reply now.
    pub(super) fn expect_reply(&self, outstanding: bool) {
        let count = (self.expected.load(Ordering::Relaxed) >> 1) + 1;
        self.expected.store(count << 1 | u64::from(outstanding), Ordering::Release);
    }

    pub(super) fn expectation(&self) -> Expectation {
        match self.expected.load(Ordering::Acquire) {
            STARTING => Expectation::Start,
            count if count & 1 == 1 => Expectation::Reply(count),
            _ => Expectation::Nothing,
        }
    }

    /// Kills the process and all of its group, now. The first reason given is kept. Whoever waits
    /// for its reply sees the connection end, even if something else still holds the other side of
    /// it.
    pub(super) fn kill(&self, why: &str) {
        self.doomed.store(true, Ordering::Release);
        let child = lock(&self.child);
        if child.is_some() {
            lock(&self.verdict).get_or_insert_with(|| why.to_owned());
            kill_group(self.id);
            // Fails only if the connection has ended already.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Whether it was killed or has been seen to have ended.
    pub(super) fn is_doomed(&self) -> bool {
        self.doomed.load(Ordering::Acquire)
    }

    /// Looks whether the process has ended by itself. If so, its connection ends as well, even if a
    /// child of it still holds the other side. It is not yet waited for.
    pub(super) fn look_for_end(&self) -> bool {
        let child = lock(&self.child);
        let ended = child.is_some() && has_exited(self.id);
        if ended {
            self.doomed.store(true, Ordering::Release);
            kill_group(self.id);
            let _ = self.stream.shutdown(Shutdown::Read);
        }
        ended
    }

    /// Gives a process that has hung up the moment that it needs to end by itself: how it ends says
    /// why.
    pub(super) fn let_end(&self) {
        let child = lock(&self.child);
        let id = process_id(self.id).filter(|_| child.is_some());
        if let Some(Ok(handle)) = id.map(|id| pidfd_open(id, PidfdFlags::empty())) {
            let moment = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
            // Without a handle, or interrupted, it is killed at once.
            let _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&moment));
        }
    }

    /// Ends the process if need be, waits for it and tells how it ended. The second time there is
    /// nothing to tell.
    pub(super) fn end(&self) -> Death {
        let mut child = lock(&self.child);
        let Some(mut ended) = child.take() else { return Death::default() };
        let by_itself = has_exited(self.id);
        kill_group(self.id);
        let status = ended.wait();
        drop(child);
        let verdict = lock(&self.verdict).take();
        let killed = status.as_ref().is_ok_and(|status| status.signal() == Some(SIGKILL));
        let by_others = killed && by_itself && verdict.is_none();
        let how = match (verdict, status) {
            (Some(why), _) => format!("killed because {why}"),
            (None, Ok(status)) => status.to_string(),
            (None, Err(error)) => error.to_string(),
        };
        let mut words = vec![how];
        words.extend(crash_report(self.scratch()));
        words.extend(self.last_words());
        Death { how: words.join("\n"), by_others }
    }

    /// Standard error, to wait for.
    pub(super) fn errors(&self) -> Option<BorrowedFd<'_>> {
        self.errors.as_ref().map(AsFd::as_fd)
    }

    /// Reads what the process has written to standard error and says whether there may be more to
    /// come.
    pub(super) fn drain_errors(&self) -> bool {
        let mut tail = lock(&self.tail);
        let mut buffer = [0; 4096];
        // A bounded number of rounds: somebody may write without end.
        for _ in 0..64 {
            let Some(pipe) = &self.errors else { return false };
            match rustix::io::read(pipe, &mut buffer) {
                Ok(count @ 1..) => tail.extend(buffer.iter().take(count)),
                Err(Errno::AGAIN | Errno::INTR) => return true,
                Ok(0) | Err(_) => return false,
            }
            let excess = tail.len().saturating_sub(TAIL);
            tail.drain(..excess);
        }
        true
    }

    fn last_words(&self) -> Option<String> {
        self.drain_errors();
        let bytes: Vec<u8> = lock(&self.tail).iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

const SIGKILL: i32 = Signal::KILL.as_raw();

/// So much of standard error is kept.
const TAIL: usize = 16 << 10;

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Stands for a process that has not said that it is ready.
const STARTING: u64 = 0;

fn process_id(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Whether a process waits to be waited for.
fn has_exited(id: u32) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    process_id(id).is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_))))
}

/// To be called only before the process is waited for. A group whose processes have all ended is no
/// error.
fn kill_group(id: u32) {
    if let Some(id) = process_id(id) {
        let _ = kill_process_group(id, Signal::KILL);
    }
}

/// The beginning of what a crashing JVM writes about itself.
fn crash_report(scratch: &Path) -> Option<String> {
    let entries = fs::read_dir(scratch).ok()?.take(1000).flatten();
    let reports = entries.filter(|it| {
        it.file_name().to_string_lossy().starts_with("hs_err")
            && it.file_type().is_ok_and(|kind| kind.is_file())
    });
    let report = reports.min_by_key(|it| it.path())?;
    let mut bytes = Vec::new();
    fs::File::open(report.path()).ok()?.take(2048).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text.lines().map(|line| line.trim_start_matches('#').trim()).filter(|line| !line.is_empty());
    Some(lines.take(8).collect::<Vec<_>>().join("\n"))
}
