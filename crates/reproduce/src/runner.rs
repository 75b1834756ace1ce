//! Tests on their way through the evaluator.
//!
//! Requests are in flight beside each other, and their results are handed out in the order of asking,
//! whichever is done first. Knows nothing of frames, algorithms or judgements.

use std::collections::VecDeque;
use std::time::Duration;

use crashback_protocol::{Batch, Evaluator, Failure, Isolation, Pins, Results, Ticket, Usage, Waited};
use crashback_testcase::{TestCase, Vocabulary};

/// Tests of one arm that go to the evaluator together.
pub(crate) struct Request<L> {
    /// What the caller wants to remember of it.
    pub(crate) label: L,
    /// Tests as they were bred, in the order of asking.
    pub(crate) tests: Vec<TestCase>,
    /// How they are run, where that is not how they were bred.
    pub(crate) run: Option<Vec<TestCase>>,
    /// The places of tests that get the program's classes anew, because what they do shows only then.
    pub(crate) fresh: Vec<usize>,
    /// The clock and the random numbers that they find.
    pub(crate) pins: Pins,
    /// Whether exceptions that do not leave a test are told, too.
    pub(crate) listens: bool,
}

/// What came of a request.
pub(crate) struct Answered<L> {
    pub(crate) label: L,
    pub(crate) tests: Vec<TestCase>,
    pub(crate) run: Option<Vec<TestCase>>,
    /// The batches that it was run as: the places of their tests in the request, and their results.
    pub(crate) parts: Vec<(Vec<usize>, Results)>,
    pub(crate) listens: bool,
}

impl<L> Answered<L> {
    /// The test at a place as it was run.
    pub(crate) fn run_at(&self, place: usize) -> Option<&TestCase> {
        self.run.as_ref().unwrap_or(&self.tests).get(place)
    }
}

/// The evaluator with what it works on.
pub(crate) struct Runner<L> {
    evaluator: Box<dyn Evaluator>,
    /// How tests of searches are kept apart.
    isolation: Isolation,
    queue: VecDeque<InFlight<L>>,
    in_flight: usize,
}

struct InFlight<L> {
    request: Request<L>,
    parts: Vec<(Vec<usize>, Ticket)>,
}

impl<L> Runner<L> {
    pub(crate) fn new(evaluator: Box<dyn Evaluator>, isolation: Isolation) -> Self {
        Self { evaluator, isolation, queue: VecDeque::new(), in_flight: 0 }
    }

    /// How many tests are on their way.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Sends a request on its way.
    pub(crate) fn submit(&mut self, vocabulary: &Vocabulary, request: Request<L>) -> Result<(), Failure> {
        let run = request.run.as_ref().unwrap_or(&request.tests);
        let is_fresh = |place: &usize| request.fresh.contains(place);
        let usual: Vec<usize> = (0..run.len()).filter(|it| !is_fresh(it)).collect();
        let mut parts = Vec::with_capacity(2);
        for (places, isolation) in [(usual, self.isolation), (request.fresh.clone(), Isolation::FreshLoader)]
        {
            if places.is_empty() {
                continue;
            }
            let chosen: Vec<TestCase>;
            let tests = if places.len() == run.len() {
                run.as_slice()
            } else {
                chosen = places.iter().filter_map(|it| run.get(*it).cloned()).collect();
                &chosen
            };
            let Request { pins, listens, .. } = request;
            let batch = Batch { vocabulary, tests, isolation, pins, listens };
            parts.push((places, self.evaluator.submit(batch)?));
        }
        self.in_flight += request.tests.len();
        self.queue.push_back(InFlight { request, parts });
        Ok(())
    }

    /// Waits for the oldest request to be answered, for fewer tests than some to wait for workers, or for
    /// the time to be over.
    pub(crate) fn wait(&mut self, few: usize, at_most: Duration) -> Waited {
        let parts = self.queue.front().map(|it| it.parts.as_slice()).unwrap_or_default();
        let waited = parts.iter().map(|(_, ticket)| self.evaluator.wait(ticket, few, at_most));
        let mut waited = waited.skip_while(|it| *it == Waited::Done);
        waited.next().unwrap_or(Waited::Done)
    }

    /// Waits for the oldest request; none if none is on its way.
    pub(crate) fn next(&mut self) -> Result<Option<Answered<L>>, Failure> {
        let Some(InFlight { request, parts }) = self.queue.pop_front() else { return Ok(None) };
        let Request { label, tests, run, listens, .. } = request;
        self.in_flight -= tests.len();
        let mut results = Vec::with_capacity(parts.len());
        for (places, ticket) in parts {
            results.push((places, self.evaluator.collect(ticket)?));
        }
        Ok(Some(Answered { label, tests, run, parts: results, listens }))
    }

    /// Runs tests and waits for them, however much is on its way.
    pub(crate) fn run(&mut self, batch: Batch<'_>) -> Result<Results, Failure> {
        self.evaluator.evaluate(batch)
    }

    /// How tests are kept apart that run among those of searches and are to count.
    pub(crate) fn strict_isolation(&self) -> Isolation {
        if self.isolation == Isolation::Bounded { Isolation::Reset } else { self.isolation }
    }

    /// Whether tests of searches may see what others left.
    pub(crate) fn is_thrifty(&self) -> bool {
        self.isolation == Isolation::Bounded
    }

    /// From now on tests of searches see nothing of each other.
    pub(crate) fn keep_apart(&mut self) {
        self.isolation = self.strict_isolation();
    }

    /// Lets tests run beside the requests of searches, to be collected later.
    pub(crate) fn start(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
        self.evaluator.submit(batch)
    }

    /// Whether all that was started is done.
    pub(crate) fn are_done(&self, tickets: &[Ticket]) -> bool {
        tickets.iter().all(|it| self.evaluator.is_done(it))
    }

    /// Waits for what was started.
    pub(crate) fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
        self.evaluator.collect(ticket)
    }

    /// How well each worker was used so far.
    pub(crate) fn workers(&self) -> Vec<Usage> {
        self.evaluator.workers()
    }

    /// How well all workers together were used so far.
    pub(crate) fn usage(&self) -> Usage {
        self.evaluator.usage()
    }

    /// Gives up what is on its way.
    pub(crate) fn abandon(&mut self) {
        self.queue.clear();
        self.in_flight = 0;
    }
}
