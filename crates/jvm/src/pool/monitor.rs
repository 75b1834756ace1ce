//! The thread that watches all workers from outside: the last net against tests that hang, and the
//! only one against those that take what the kernel does not count.
//!
//! Whatever it finds, it kills; the rest is the business of the slot that waits for the worker's
//! reply.

use std::fs;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::param::clock_ticks_per_second;

use super::process::{Expectation, Process};
use super::shared::Shared;
use crate::heartbeat::Beat;
use crate::sandbox::usage;
use crate::worker::LOADING;

/// Runs until the other end of `until` is closed.
pub(super) fn run(shared: &Shared, until: &OwnedFd) {
    let mut watches: Vec<Watch> = Vec::new();
    loop {
        let processes = shared.processes();
        watches.retain(|watch| processes.iter().any(|process| Arc::ptr_eq(process, &watch.process)));
        for process in processes {
            if !watches.iter().any(|watch| Arc::ptr_eq(&process, &watch.process)) {
                watches.push(Watch::new(process));
            }
        }
        watches.iter_mut().for_each(|watch| watch.look(shared));
        if !rest(&mut watches, until) {
            return;
        }
    }
}

/// How often workers are looked at that have something to do. One that has been at the same test
/// since the last look shares the requests that wait behind it.
const TICK: Duration = Duration::from_millis(100);

/// How often they are looked at when none has, and how often those are that have nothing to do. Files
/// that are open without a name are counted as seldom, since a program of many jars has hundreds open.
const LONG_TICK: Duration = Duration::from_secs(1);

/// How long standard error is left alone after it was read.
const SHORT_TICK: Duration = Duration::from_millis(5);

/// How much longer than a test may take, stopping and loading classes included, the pool waits for
/// a sign of life.
const SLACK: Duration = Duration::from_secs(1).saturating_add(LOADING);

/// How long a worker may be busy without running a test: reading a request, making a loader,
/// writing a reply.
const BETWEEN_TESTS: Duration = Duration::from_secs(10);

/// One process under watch.
struct Watch {
    process: Arc<Process>,
    /// What it was doing, and for how long.
    seen: (Beat, Expectation),
    spent: Duration,
    /// When it was looked at, and how long it had computed by then.
    looked: Instant,
    computed: Duration,
    /// When all of its resources were last counted.
    counted: Option<Instant>,
    /// Whether standard error is still open.
    speaks: bool,
}

/// A process that computed less than this part of the time between two looks was blocked.
const BLOCKED: u32 = 50;

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "a hanging worker is found by the clock")]
    fn new(process: Arc<Process>) -> Self {
        let seen = (process.beat(), process.expectation());
        let (spent, computed) = (Duration::ZERO, computed(process.id()));
        Self { process, seen, spent, looked: Instant::now(), computed, counted: None, speaks: true }
    }

    fn look(&mut self, shared: &Shared) {
        if self.speaks {
            self.speaks = self.process.drain_errors();
        }
        if self.process.is_doomed() {
            return;
        }
        if let Some(why) = self.hangs(shared).or_else(|| self.takes_too_much(shared)) {
            self.process.kill(&why);
            shared.wake();
        } else if self.process.look_for_end() {
            shared.wake();
        } else if self.spent >= TICK && matches!(self.seen.1, Expectation::Reply(_)) {
            shared.relieve(&self.process);
        }
    }

    fn hangs(&mut self, shared: &Shared) -> Option<String> {
        if self.process.expectation() == Expectation::Nothing {
            self.seen = (self.process.beat(), Expectation::Nothing);
            return None;
        }
        self.measure();
        let limits = &shared.settings.worker.limits;
        let patience = match self.seen {
            (_, Expectation::Nothing) => return None,
            (_, Expectation::Start) => shared.settings.start,
            (beat, Expectation::Reply(_)) if beat.running().is_some() => limits.time + limits.grace + SLACK,
            (_, Expectation::Reply(_)) => (limits.time + limits.grace + SLACK).max(BETWEEN_TESTS),
        };
        let doing = if self.seen.1 == Expectation::Start { "to get ready" } else { "without a sign of life" };
        (self.spent > patience).then(|| format!("it took more than {patience:?} {doing}"))
    }

    /// Adds up the time in which a process computed or was blocked. The time in which it waited for
    /// a processor does not count: a machine that is busy with other things must not change
    /// results.
    #[expect(clippy::disallowed_methods, reason = "a hanging worker is found by the clock")]
    fn measure(&mut self) {
        let (now, total) = (Instant::now(), computed(self.process.id()));
        let passed = now.saturating_duration_since(self.looked);
        let step = total.saturating_sub(self.computed);
        (self.looked, self.computed) = (now, total);
        let seen = (self.process.beat(), self.process.expectation());
        if seen == self.seen {
            self.spent += if step * BLOCKED < passed { passed } else { step.min(passed) };
        } else {
            (self.seen, self.spent) = (seen, Duration::ZERO);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "what is dear to count is counted less often")]
    fn takes_too_much(&mut self, shared: &Shared) -> Option<String> {
        let now = Instant::now();
        let counts_all = self.counted.is_none_or(|it| now.saturating_duration_since(it) >= LONG_TICK);
        if counts_all {
            self.counted = Some(now);
        } else if self.seen.1 == Expectation::Nothing {
            return None;
        }
        let allowance = &shared.settings.allowance;
        let used = usage::of_process(self.process.id()).ok()?;
        let folder = usage::of_folder(self.process.scratch(), allowance.scratch_entries.saturating_add(1));
        let nameless = if counts_all { usage::of_deleted_files(self.process.id()).unwrap_or(0) } else { 0 };
        [
            ("threads", used.threads, allowance.threads),
            ("bytes of memory", used.memory_bytes, allowance.memory_bytes),
            ("bytes in its scratch folder", folder.bytes.saturating_add(nameless), allowance.scratch_bytes),
            ("files in its scratch folder", folder.entries, allowance.scratch_entries),
        ]
        .into_iter()
        .find(|(_, count, allowed)| count > allowed)
        .map(|(what, count, allowed)| format!("it had {count} {what}, where {allowed} are allowed"))
    }
}

/// How long all threads of a process have computed: the 14th and 15th field of `/proc/<pid>/stat`
/// (`proc_pid_stat(5)`), in ticks.
fn computed(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field, the name in parentheses, may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second().max(1))
}

/// Waits for the next look, reading what workers say on standard error meanwhile. False when there
/// shall be none.
#[expect(clippy::disallowed_methods, reason = "workers are looked at regularly")]
fn rest(watches: &mut [Watch], until: &OwnedFd) -> bool {
    let idle = watches.iter().all(|watch| watch.seen.1 == Expectation::Nothing);
    let end = Instant::now() + if idle { LONG_TICK } else { TICK };
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let pipes: Vec<BorrowedFd<'_>> =
            watches.iter().filter(|watch| watch.speaks).filter_map(|watch| watch.process.errors()).collect();
        let spoken = match wait_for(until, &pipes, left) {
            Waited::Over => return false,
            Waited::Nothing => return true,
            Waited::Something => watches.iter_mut().filter(|watch| watch.speaks),
        };
        spoken.for_each(|watch| watch.speaks = watch.process.drain_errors());
        // Somebody who speaks without end shall not keep us busy.
        if matches!(wait_for(until, &[], SHORT_TICK), Waited::Over) {
            return false;
        }
    }
}

enum Waited {
    Over,
    Something,
    Nothing,
}

fn wait_for(until: &OwnedFd, pipes: &[BorrowedFd<'_>], time: Duration) -> Waited {
    let mut places = vec![PollFd::new(until, PollFlags::IN)];
    places.extend(pipes.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    let time = Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: time.subsec_nanos().into() };
    let count = poll(&mut places, Some(&time));
    match (places.first().map(PollFd::revents), count) {
        (Some(events), _) if !events.is_empty() => Waited::Over,
        (_, Ok(1..)) => Waited::Something,
        _ => Waited::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test computes for some time")]
    fn computing_is_measured() {
        let own = std::process::id();
        let (before, start) = (computed(own), Instant::now());
        while computed(own) < before + Duration::from_millis(50) {
            assert!(start.elapsed() < Duration::from_secs(60));
        }
        assert_eq!(computed(u32::MAX), Duration::ZERO);
    }
}
