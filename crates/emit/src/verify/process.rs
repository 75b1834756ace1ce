//! One process from start to end: bounded in time and output, and never alone in the world
//! afterwards.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Launch;
use crate::{Error, Result};

/// When a process is killed.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// How long it may compute or be blocked.
    pub time: Duration,
    /// Asked again and again while the process runs.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// How a process ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// None if it was killed because its time was up.
    pub status: Option<ExitStatus>,
    /// The end of its output, as far as it is kept.
    pub output: Vec<u8>,
    /// The same for standard error.
    pub errors: Vec<u8>,
}

impl Ended {
    /// The end of both outputs as text, for messages.
    pub fn said(&self) -> String {
        let texts = [&self.errors, &self.output].map(|it| String::from_utf8_lossy(it).trim().to_owned());
        let text = texts.iter().filter(|it| !it.is_empty()).cloned().collect::<Vec<_>>().join("\n");
        let skipped = text.chars().count().saturating_sub(LONGEST_MESSAGE);
        text.chars().skip(skipped).collect()
    }
}

const LONGEST_MESSAGE: usize = 4000;
/// Of each output this much is kept, the end of it.
pub(super) const KEPT: usize = 4 << 20;
/// Time between two looks at a process.
pub(super) const PAUSE: Duration = Duration::from_millis(3);
/// How long to wait for the end of the outputs of a group that was killed: a process that left the
/// group may hold them.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Variables that change how JVMs and compilers behave.
const UNWANTED: [&str; 5] =
    ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH"];

/// Runs a program to its end in a process group of its own, and kills the rest of the group. Fails
/// with [`Error::Cancelled`] soon after it was cancelled.
pub fn run(
    launch: Launch<'_>,
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    limits: Limits<'_>,
) -> Result<Ended> {
    Running::start(launch, program, arguments, folder, Stdio::null())?.end(limits)
}

/// A process whose outputs are read. It is killed with its group when this is dropped.
pub(super) struct Running {
    group: Group,
    output: Option<Receiver<Vec<u8>>>,
    errors: Option<Receiver<Vec<u8>>>,
}

impl Running {
    pub(super) fn start(
        launch: Launch<'_>,
        program: &Path,
        arguments: &[OsString],
        folder: &Path,
        input: Stdio,
    ) -> Result<Self> {
        let mut group = Group::start(launch, program, arguments, folder, input, Stdio::piped())?;
        let output = group.child.stdout.take().map(keep_end);
        let errors = group.child.stderr.take().map(keep_end);
        Ok(Self { group, output, errors })
    }

    /// Its standard input, if that is a pipe and was not taken before.
    pub(super) fn input(&mut self) -> Option<ChildStdin> {
        self.group.child.stdin.take()
    }

    pub(super) fn has_exited(&self) -> bool {
        has_exited(&self.group.child)
    }

    /// Waits for its end, and kills the rest of the group.
    pub(super) fn end(mut self, limits: Limits<'_>) -> Result<Ended> {
        let in_time = wait(&self.group.child, limits);
        let status = self.group.end();
        if !in_time && (limits.is_cancelled)() {
            return Err(Error::Cancelled);
        }
        let status = status.map_err(|source| Error::Start { program: self.group.program.clone(), source })?;
        let kept = |pipe: Option<Receiver<Vec<u8>>>| pipe.map_or_else(Vec::new, |it| last_words(&it));
        let (output, errors) = (self.output.take(), self.errors.take());
        Ok(Ended { status: in_time.then_some(status), output: kept(output), errors: kept(errors) })
    }
}

/// A process with its group, which is killed when this is dropped.
pub(super) struct Group {
    pub(super) child: Child,
    program: PathBuf,
    has_ended: bool,
}

impl Group {
    pub(super) fn start(
        launch: Launch<'_>,
        program: &Path,
        arguments: &[OsString],
        folder: &Path,
        input: Stdio,
        errors: Stdio,
    ) -> Result<Self> {
        let mut command = launch(program, arguments);
        for name in UNWANTED {
            command.env_remove(name);
        }
        command.current_dir(folder).stdin(input).stdout(Stdio::piped()).stderr(errors).process_group(0);
        let failed = |source: io::Error| Error::Start { program: program.to_owned(), source };
        let child = command.spawn().map_err(failed)?;
        Ok(Self { child, program: program.to_owned(), has_ended: false })
    }

    /// Kills what still runs of the group.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if !std::mem::replace(&mut self.has_ended, true) {
            kill_group(&self.child);
        }
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A process that was killed ends, and whether it did so well is of no interest any more.
        let _ = self.end();
    }
}

/// Reads a pipe to its end in a thread, which sends the bytes in pieces that add up to the end of
/// it.
fn keep_end(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut piece = [0; 1 << 14];
        while let Ok(length @ 1..) = pipe.read(&mut piece) {
            kept.extend_from_slice(piece.get(..length).unwrap_or_default());
            if kept.len() > 2 * KEPT {
                kept.drain(..kept.len() - KEPT);
            }
        }
        // The receiver is gone if the pipe stayed open too long.
        let _ = sender.send(kept);
    });
    receiver
}

fn last_words(pipe: &Receiver<Vec<u8>>) -> Vec<u8> {
    pipe.recv_timeout(LAST_WORDS).unwrap_or_default()
}

/// Waits for the end of a process, but leaves it to be waited for, so that its group is still its
/// own. False if time was up before.
fn wait(child: &Child, limits: Limits<'_>) -> bool {
    let mut time = Spent::new(child.id());
    loop {
        if has_exited(child) {
            return true;
        }
        if time.look() >= limits.time || (limits.is_cancelled)() {
            return false;
        }
        thread::sleep(PAUSE);
    }
}

/// The time that a process has computed since a moment, or was seen blocked. The time in which it
/// waited for a processor does not count: a machine that is busy with other things must not change
/// results.
pub(super) struct Spent {
    process: u32,
    time: Duration,
    looked: Instant,
    computed: Duration,
}

/// Time between two looks at the processor time of a process, which the kernel counts in hundredths
/// of a second.
const LOOK: Duration = Duration::from_millis(100);

impl Spent {
    #[expect(clippy::disallowed_methods, reason = "runs are bounded in time")]
    pub(super) fn new(process: u32) -> Self {
        Self { process, time: Duration::ZERO, looked: Instant::now(), computed: computed(process) }
    }

    #[expect(clippy::disallowed_methods, reason = "runs are bounded in time")]
    pub(super) fn look(&mut self) -> Duration {
        let passed = self.looked.elapsed();
        if passed >= LOOK {
            let computed = computed(self.process);
            let step = computed.saturating_sub(self.computed);
            self.time += if wants_processor(self.process) { step } else { passed.max(step) };
            (self.looked, self.computed) = (Instant::now(), computed);
        }
        self.time
    }
}

/// Whether a thread of a process runs or waits for a processor.
fn wants_processor(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads.into_iter().any(|it| status(&it.path()).first().is_some_and(|state| state == "R"))
}

/// How long all threads of a process have computed.
fn computed(process: u32) -> Duration {
    let fields = status(Path::new(&format!("/proc/{process}")));
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second().max(1))
}

/// The kernel's numbers about a process or thread from its state on (`proc_pid_stat(5)`). The name
/// before that, in brackets, may hold anything.
fn status(of: &Path) -> Vec<String> {
    let text = fs::read(of.join("stat")).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.map(str::to_owned).collect()
}

fn has_exited(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    id(child).is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_))))
}

/// To be called before the process is waited for. A group whose processes have all ended is no
/// error.
fn kill_group(child: &Child) {
    if let Some(id) = id(child) {
        let _ = kill_process_group(id, Signal::KILL);
    }
}

fn id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
