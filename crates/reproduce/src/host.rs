use std::time::Duration;

use crashback_program::classes::Classes;
use crashback_program::frames::CrashAudit;
use crashback_protocol::{Evaluator, Failure};
use crashback_trace::Throwable;

use crate::{Event, Recording, WrittenTest};

/// A crash of a program.
#[derive(Clone, Copy)]
pub struct Case<'s> {
    /// The program.
    pub classes: &'s Classes<'s>,
    /// The exception to reproduce.
    pub throwable: &'s Throwable,
    /// What it points at in the program.
    pub audit: &'s CrashAudit,
}

/// Everything outside that a reproduction needs.
pub trait Host {
    /// Starts workers that record what the plan says.
    fn evaluator(&mut self, recording: &Recording) -> Result<Box<dyn Evaluator>, Failure>;

    /// Time since the command began.
    fn elapsed(&self) -> Duration;

    /// Whether the user wants it to end.
    fn is_interrupted(&self) -> bool;

    /// Takes note of what happens.
    fn tell(&mut self, event: Event);

    /// Compiles a test and runs it with JUnit in plain JVMs, once for each result.
    fn verify(&mut self, test: &WrittenTest, time: Duration) -> Result<Verification, Failure>;
}

/// What became of a test in plain JVMs.
#[derive(Clone, Debug)]
pub enum Verification {
    /// It does not compile, and what the compiler said.
    NotCompiled(String),
    /// It ran, each time with this end: what it threw, or what happened instead in words.
    Ran(Vec<Result<Throwable, String>>),
}
