//! A reply as it grows: most observations come encoded from Java, many at a time.

use crashback_protocol::{Observation, Outcome, ReplyWriter, SlowCall, Spent, Untouched, WireError};

use super::runtime::Runtime;
use crate::java::Env;

#[derive(Default)]
pub(super) struct Replies {
    count: u32,
    writer: ReplyWriter,
    /// So many bytes of observations are still in Java.
    waiting: usize,
}

/// Beyond this many bytes observations are fetched from Java.
const MOST_WAITING: usize = 24 << 10;

impl Replies {
    /// A reply begins; the one before is gone, and nothing waits in Java.
    pub(super) fn begin(&mut self) {
        self.count = 0;
        self.waiting = 0;
        self.writer.begin();
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// How many bytes wait in Java.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Java has encoded another observation, and has so many bytes now.
    pub(super) fn encoded(&mut self, env: Env, runtime: &Runtime, waiting: usize) {
        self.count += 1;
        self.waiting = waiting;
        if waiting > MOST_WAITING {
            self.fetch(env, runtime);
        }
    }

    /// Adds an observation without facts.
    pub(super) fn push(&mut self, env: Env, runtime: &Runtime, outcome: Outcome, completed: usize) {
        self.fetch(env, runtime);
        self.count += 1;
        let completed = u16::try_from(completed).unwrap_or(u16::MAX);
        // An outcome and a few numbers can be encoded, into memory without end.
        self.writer.push(&Observation::bare(outcome, completed)).unwrap_or_default();
    }

    /// Adds calls that took long to the last observation.
    pub(super) fn add_slow(&mut self, calls: &[SlowCall]) {
        let place = self.count.saturating_sub(1);
        calls.iter().for_each(|it| self.writer.add_slow(place, *it));
    }

    fn fetch(&mut self, env: Env, runtime: &Runtime) {
        if self.waiting > 0 {
            runtime.take_encoded(env, self.waiting, self.writer.encoded());
            self.waiting = 0;
        }
    }

    /// The whole message.
    pub(super) fn finish(
        &mut self,
        env: Env,
        runtime: &Runtime,
        last: bool,
        untouched: &[Untouched],
        spent: Spent,
    ) -> Result<&[u8], WireError> {
        self.fetch(env, runtime);
        self.writer.finish(self.count, last, untouched, spent)
    }
}
