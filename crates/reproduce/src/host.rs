use std::time::Duration;

use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::Verification;
use crashback_instrument::Recording;
use crashback_program::Origins;
use crashback_program::classes::Classes;
use crashback_program::frames::CrashAudit;
use crashback_protocol::{Evaluator, Failure};
use crashback_seeding::{Records, TestClasses};
use crashback_trace::Throwable;

use crate::Event;

/// A crash of a program.
#[derive(Clone, Copy)]
pub struct Case<'s> {
    /// The program.
    pub classes: &'s Classes<'s>,
    /// Whose code its classes are.
    pub origins: &'s Origins<'s>,
    /// The exception to reproduce.
    pub throwable: &'s Throwable,
    /// What it points at in the program.
    pub audit: &'s CrashAudit,
    /// Values that were recorded outside of the program.
    pub records: &'s Records,
}

/// Everything outside that a reproduction needs.
pub trait Host {
    /// Starts workers that record executions. Tests lie in `test_package` (with dots) unless they
    /// say otherwise.
    fn evaluator(&mut self, recording: &Recording, test_package: &str)
    -> Result<Box<dyn Evaluator>, Failure>;

    /// Classes of tests that lie beside the program: given ones, and those of the class path for tests.
    fn test_classes(&mut self) -> TestClasses {
        TestClasses::default()
    }

    /// Time since the command began, without that for what is fetched once and for all.
    fn elapsed(&self) -> Duration;

    /// Whether the user wants it to end.
    fn is_interrupted(&self) -> bool;

    /// Takes note of what happens.
    fn tell(&mut self, event: Event);

    /// For which JUnit tests are written.
    fn junit(&self) -> JUnit;

    /// A test that will be verified, with mocks or without, may be there soon: whatever takes long can
    /// be started.
    fn expect_test(&mut self, _has_mocks: bool) {}

    /// Compiles a test and runs it with JUnit in plain JVMs, twice. If so much time has elapsed
    /// before it is known how the test ends, [`Verification::Cut`] is the result. An interruption
    /// may let it fail.
    fn verify(&mut self, test: &TestSource, until: Option<Duration>) -> Result<Verification, Failure>;

    /// How much of the time of all verifications the compiler took.
    fn compiling(&self) -> Duration;
}
