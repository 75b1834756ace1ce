use std::time::Duration;

/// How much processes and tests may use, and how often a test is run before it is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Loop rounds and method entries of one test. A test that crashes does so early; one that
    /// loops for long keeps many others from being tried.
    pub test_budget: u32,
    /// Time of one test in a search that time bounds, after which the test is stopped.
    pub test_time: Duration,
    /// The same in a search that the number of tests bounds, where equal seeds give equal results:
    /// whether a test ends in time must not depend on how warm the JVM is. So little is computed
    /// between two probes that tests either end long before this or never.
    pub counted_test_time: Duration,
    /// How long a stopped test may take to end before its process is killed.
    pub grace: Duration,
    /// How long a worker process may take to start.
    pub worker_start: Duration,
    /// Largest heap of a worker's JVM, in MiB.
    pub worker_heap: u32,
    /// Stack of the thread that runs tests, in KiB. A StackOverflowError costs time in proportion.
    pub worker_stack: u32,
    /// Started workers that wait to be the fresh JVM in which a test is confirmed. Where frames are
    /// found one after the other, one of them starts while another is in use.
    pub spare_workers: usize,
    /// How many times JUnit runs a test before it is believed.
    pub verification_runs: usize,
    /// How long the compiler, or one run of the test by JUnit, may take.
    pub verification_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            test_budget: 200_000,
            test_time: Duration::from_millis(300),
            counted_test_time: Duration::from_secs(3),
            grace: Duration::from_millis(250),
            worker_start: Duration::from_secs(60),
            worker_heap: 512,
            worker_stack: 1024,
            spare_workers: 2,
            verification_runs: 2,
            verification_time: Duration::from_secs(30),
        }
    }
}
