//! A search whose tests are kept, for benchmarks that run them once more.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crashback::LocalHost;
use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::Verification;
use crashback_jvm::pool::Pool;
use crashback_protocol::{Batch, Evaluator, Failure, Results, Ticket, Waited};
use crashback_reproduce::{Event, Host, Recording};
use crashback_testcase::{TestCase, Vocabulary};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Everything that a search has evaluated.
#[derive(Default)]
pub struct Taken {
    /// What was recorded, and the package of the tests.
    pub recording: Option<(Recording, String)>,
    /// The batches, in the order of asking.
    pub batches: Vec<Taking>,
    /// The vocabulary of the last batch: it only grows, and is copied when it has.
    vocabulary: Rc<Vocabulary>,
}

/// One batch, and when it had been evaluated.
pub struct Taking {
    /// What its tests name.
    pub vocabulary: Rc<Vocabulary>,
    /// Its tests.
    pub tests: Vec<TestCase>,
    ended: Instant,
}

impl Taken {
    /// Seconds from the end of the first batch to that of the last.
    pub fn searching(&self) -> Result<f64> {
        let (first, last) = (self.batches.first(), self.batches.last());
        let (first, last) = first.zip(last).ok_or("nothing was evaluated")?;
        Ok((last.ended - first.ended).as_secs_f64())
    }

    /// Microseconds for a test in each tenth of the search.
    pub fn tenths(&self) -> Vec<f64> {
        let size = (self.batches.len() / 10).max(1);
        let costs = self.batches.chunks(size + 1).filter_map(|part| {
            let (first, rest) = part.split_first()?;
            let tests: usize = rest.iter().map(|it| it.tests.len()).sum();
            let time = rest.last()?.ended - first.ended;
            Some(time.as_secs_f64() * 1e6 / tests as f64)
        });
        costs.collect()
    }
}

/// A pool that keeps the batches that it evaluates.
struct RecordingPool {
    pool: Pool,
    taken: Rc<RefCell<Taken>>,
}

impl Evaluator for RecordingPool {
    fn submit(&mut self, batch: Batch<'_>) -> std::result::Result<Ticket, Failure> {
        let ticket = self.pool.submit(batch)?;
        let mut taken = self.taken.borrow_mut();
        if taken.vocabulary.known() != batch.vocabulary.known() {
            taken.vocabulary = Rc::new(batch.vocabulary.clone());
        }
        let vocabulary = Rc::clone(&taken.vocabulary);
        let (tests, ended) = (batch.tests.to_vec(), Instant::now());
        taken.batches.push(Taking { vocabulary, tests, ended });
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> std::result::Result<Results, Failure> {
        let place = ticket.number().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        let results = self.pool.collect(ticket)?;
        let mut taken = self.taken.borrow_mut();
        if let Some(taking) = place.and_then(|place| taken.batches.get_mut(place)) {
            taking.ended = Instant::now();
        }
        Ok(results)
    }

    fn is_done(&self, ticket: &Ticket) -> bool {
        self.pool.is_done(ticket)
    }

    fn wait(&mut self, ticket: &Ticket, few: usize, at_most: Duration) -> Waited {
        self.pool.wait(ticket, few, at_most)
    }
}

/// This machine with a pool that keeps its batches.
pub struct RecordingHost<'b> {
    /// This machine.
    pub local: LocalHost<'b>,
    /// Everything that was evaluated.
    pub taken: Rc<RefCell<Taken>>,
}

impl Host for RecordingHost<'_> {
    fn evaluator(
        &mut self,
        recording: &Recording,
        test_package: &str,
    ) -> std::result::Result<Box<dyn Evaluator>, Failure> {
        self.taken.borrow_mut().recording = Some((recording.clone(), test_package.to_owned()));
        let pool = self.local.pool(recording, test_package)?;
        Ok(Box::new(RecordingPool { pool, taken: Rc::clone(&self.taken) }))
    }

    fn elapsed(&self) -> Duration {
        self.local.elapsed()
    }

    fn is_interrupted(&self) -> bool {
        self.local.is_interrupted()
    }

    fn tell(&mut self, event: Event) {
        self.local.tell(event);
    }

    fn junit(&self) -> JUnit {
        self.local.junit()
    }

    fn verify(
        &mut self,
        test: &TestSource,
        until: Option<Duration>,
    ) -> std::result::Result<Verification, Failure> {
        self.local.verify(test, until)
    }

    fn compiling(&self) -> Duration {
        self.local.compiling()
    }
}
