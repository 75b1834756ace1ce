//! The second net against hanging: stops a test that runs too long, and ends the process if that
//! does not help.
//!
//! What counts is the time that the test's thread has computed, or was seen blocked: a machine that
//! is busy with other things must not change results. Nor must it matter who is the first to use a
//! class: while classes are loaded, the clock stands still for a while. A thread that waits for
//! another to wake it, where the test has started none, waits in vain and is stopped early.
//!
//! A test's start and end are a few atomic operations; the watchdog looks a few times within the
//! limit. Before it stops the test's thread it claims the test: only a test that is still running
//! can be claimed, and the end of a claimed test waits until the stop has been sent. So a late stop
//! never reaches the next test.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use super::loading::Loading;
use crate::java::{Machine, Object, Tools};
use crate::settings::Limits;

/// How often the watchdog looks within one limit.
const LOOKS: u32 = 16;

/// How much longer a test may take that loads classes all the time. The first test of a big program
/// loads thousands.
pub(crate) const LOADING: Duration = Duration::from_millis(1500);

/// A thread that computed less than this part of the time between two looks was blocked, or waited
/// for a processor.
const BLOCKED: u32 = 50;

/// A thread that waits in vain is stopped when it was seen to do so this often. Threads of the JDK, which
/// are there before a test, may still wake it.
const IN_VAIN: u32 = 3;

/// What a worker exits with when a test could not be stopped.
pub(crate) const STUCK: i32 = 99;

/// The side of the thread that runs tests.
pub(super) struct Watchdog {
    state: Arc<AtomicU64>,
    number: u64,
    tools: Tools,
    /// How many threads had been started when the test began.
    threads: Arc<AtomicU64>,
    /// How long a test may take, in nanoseconds.
    limit: Arc<AtomicU64>,
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Changes whenever a thread is started.
fn started(tools: Tools) -> u64 {
    tools.threads_started().wrapping_add(tools.virtual_threads())
}

const IDLE: u64 = 0;
const RUNNING: u64 = 1;
const CLAIMED: u64 = 2;
const STOPPED: u64 = 3;
const STATES: u64 = 4;

/// A global reference that another thread may use.
#[derive(Clone, Copy)]
pub(super) struct Shared(pub(super) Object);

// SAFETY: global references are valid in all threads (JNI specification, "Global and Local
// References").
#[expect(unsafe_code, reason = "the compiler does not know what JNI promises")]
unsafe impl Send for Shared {}

impl Shared {
    /// The whole of it, so that a closure takes over what may be sent and not the part that may
    /// not.
    pub(super) fn itself(self) -> Self {
        self
    }
}

impl Watchdog {
    /// Starts watching tests of the current thread, which the JVM knows as `thread`, and returns
    /// when the JVM knows the watchdog. `before_stop` runs on the watchdog's thread right before a
    /// test is stopped.
    pub(super) fn start(
        machine: Machine,
        tools: Tools,
        thread: Shared,
        thrown: Shared,
        limits: Limits,
        loading: Arc<Loading>,
        before_stop: impl Fn(crate::java::Env) + Send + 'static,
    ) -> std::io::Result<Self> {
        let state = Arc::new(AtomicU64::new(IDLE));
        let watched = Arc::clone(&state);
        let threads = Arc::new(AtomicU64::new(0));
        let before = Arc::clone(&threads);
        let limit = Arc::new(AtomicU64::new(nanoseconds(limits.time)));
        let current = Arc::clone(&limit);
        let clock = ThreadClock::of_this_thread();
        let (attached, wait) = mpsc::channel::<()>();
        let watch = move || {
            let Some(env) = machine.attach_daemon() else { super::leave(STUCK) };
            drop(attached);
            let (Shared(thread), Shared(thrown)) = (thread.itself(), thrown.itself());
            let stop = || {
                before_stop(env);
                tools.stop(thread, thrown);
            };
            let waits_in_vain =
                || before.load(Ordering::Relaxed) == started(tools) && tools.waits_for_good(thread);
            let test = Watched {
                state: &watched,
                clock: &clock,
                loading: &loading,
                limit: &current,
                waits_in_vain: &waits_in_vain,
            };
            watch(&test, limits, stop);
        };
        thread::Builder::new().name("crashback-watchdog".to_owned()).spawn(watch)?;
        // The other end is dropped, not used.
        wait.recv().unwrap_or(());
        Ok(Self { state, number: 0, tools, threads, limit })
    }

    /// From now on a test may take so long.
    pub(super) fn set_limit(&self, limit: Duration) {
        self.limit.store(nanoseconds(limit), Ordering::Relaxed);
    }

    /// A test begins.
    pub(super) fn begin(&mut self) {
        self.number += 1;
        self.threads.store(started(self.tools), Ordering::Relaxed);
        self.state.store(self.number * STATES + RUNNING, Ordering::Release);
    }

    /// The test has ended. Tells whether it was stopped; the stop may then still be on its way to
    /// this thread.
    pub(super) fn end(&self) -> bool {
        let running = self.number * STATES + RUNNING;
        let idle = self.number * STATES + IDLE;
        if self.state.compare_exchange(running, idle, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            return false;
        }
        while self.state.load(Ordering::Acquire) % STATES != STOPPED {
            thread::yield_now();
        }
        self.state.store(idle, Ordering::Release);
        true
    }
}

/// What can be seen of the test that runs.
struct Watched<'w> {
    state: &'w AtomicU64,
    clock: &'w ThreadClock,
    loading: &'w Loading,
    /// How long it may take, in nanoseconds.
    limit: &'w AtomicU64,
    /// Whether the test's thread waits for another to wake it, and has started none.
    waits_in_vain: &'w dyn Fn() -> bool,
}

fn watch(test: &Watched<'_>, limits: Limits, stop: impl Fn()) {
    let Watched { state, clock, loading: loads, limit, waits_in_vain } = *test;
    let pause = (limits.time / LOOKS).max(Duration::from_millis(1));
    let (mut seen, mut spent, mut computed) = (IDLE, Duration::ZERO, clock.now());
    let (mut loading, mut classes) = (Duration::ZERO, 0);
    let mut in_vain = 0;
    loop {
        thread::sleep(pause);
        let (now, total) = (state.load(Ordering::Acquire), clock.now());
        let step = total.saturating_sub(computed);
        computed = total;
        if now != seen {
            (seen, spent, loading, in_vain) = (now, Duration::ZERO, Duration::ZERO, 0);
            continue;
        }
        let so_far = loads.classes();
        if so_far != classes && loading < LOADING {
            (classes, loading) = (so_far, loading + step);
            continue;
        }
        let is_blocked = step * BLOCKED < pause && clock.is_blocked();
        spent += if is_blocked { pause } else { step };
        let is_running = now % STATES == RUNNING;
        in_vain = if is_running && is_blocked && waits_in_vain() { in_vain + 1 } else { 0 };
        if in_vain >= IN_VAIN {
            spent = spent.max(limits.time);
        }
        let limit = Duration::from_nanos(limit.load(Ordering::Relaxed));
        match now % STATES {
            RUNNING if spent >= limit => {
                let claimed = now - RUNNING + CLAIMED;
                if state.compare_exchange(now, claimed, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                    stop();
                    state.store(now - RUNNING + STOPPED, Ordering::Release);
                }
            }
            STOPPED if spent >= limits.grace => super::leave(STUCK),
            _ => {}
        }
    }
}

/// The time that one thread has computed.
struct ThreadClock {
    clock: libc::clockid_t,
    /// Where the kernel tells what the thread is doing (`proc_pid_stat(5)`).
    status: PathBuf,
}

#[expect(unsafe_code, reason = "clocks of single threads are to be had from the C library only")]
impl ThreadClock {
    /// The clock of the current thread, for others to read (`pthread_getcpuclockid(3)`).
    fn of_this_thread() -> Self {
        let mut clock = libc::CLOCK_MONOTONIC;
        // SAFETY: the thread is the current one and lives. On failure the clock stays that of all
        // time.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
        // SAFETY: the function asks for nothing and cannot fail (`gettid(2)`).
        let thread = unsafe { libc::gettid() };
        Self { clock, status: format!("/proc/self/task/{thread}/stat").into() }
    }

    /// Whether the thread waits for something other than a processor. If nobody tells, it does.
    fn is_blocked(&self) -> bool {
        let status = fs::read(&self.status).unwrap_or_default();
        // The state comes after the name, which is in brackets and may hold anything.
        let name_ends = status.iter().rposition(|byte| *byte == b')').unwrap_or(0);
        status.get(name_ends + 2) != Some(&b'R')
    }

    fn now(&self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the thread that runs tests lives as long as the process. On failure the time is
        // zero.
        unsafe { libc::clock_gettime(self.clock, &raw mut time) };
        let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
        Duration::new(seconds.unwrap_or(0), nanoseconds.unwrap_or(0))
    }
}
