use crashback_testcase::{Logging, MockId, Text};
use serde::{Deserialize, Serialize};

use crate::{List, Position};

/// What one execution of a test case did.
#[derive(Clone, Debug)]
pub struct Observation {
    /// How it ended.
    pub outcome: Outcome,
    /// How many statements completed.
    pub completed: u16,
    /// What was recorded on the way. Empty where the outcome says that the execution was cut short
    /// by the JVM rather than by the program: what was seen until then depends on timing and stack
    /// depth.
    pub facts: Facts,
    /// Calls that took long, in order. Told only with
    /// [`Isolation::Bounded`](crate::Isolation::Bounded): searches that count tests must not depend on
    /// time.
    pub slow: Vec<SlowCall>,
}

/// A statement that took long. Time in which classes were loaded or initialised does not count, since
/// that happens once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowCall {
    /// Number of the statement.
    pub statement: u16,
    /// How long it took.
    pub microseconds: u32,
}

/// Equal observations tell the same of the program. Times are not compared, since they differ from run
/// to run.
impl PartialEq for Observation {
    fn eq(&self, other: &Self) -> bool {
        let Self { outcome, completed, facts, slow: _ } = self;
        *outcome == other.outcome && *completed == other.completed && *facts == other.facts
    }
}

impl Observation {
    /// An execution of which nothing but its end is known.
    pub fn bare(outcome: Outcome, completed: u16) -> Self {
        Self { outcome, completed, facts: Facts::default(), slow: Vec::new() }
    }

    /// The time of all calls that took long, in microseconds.
    pub fn slow_time(&self) -> u64 {
        self.slow.iter().map(|it| u64::from(it.microseconds)).sum()
    }

    /// What left the last statement.
    pub fn thrown(&self) -> Option<&Throwable> {
        match self.outcome {
            Outcome::Threw => self.facts.throwables.first(),
            _ => None,
        }
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// All statements completed.
    Returned,
    /// A statement threw: the first of [`Facts::throwables`].
    Threw,
    /// Too many loop rounds and method entries.
    BudgetSpent,
    /// It ran longer than its time and was stopped.
    Stopped,
    /// It asked the JVM to exit, with this status.
    Exited(i32),
    /// The worker died, twice: once with others before it, once alone.
    WorkerDied,
}

/// What was recorded during an execution, by the probes that the plan asked for, in the order of
/// first occurrence.
///
/// Facts of the same probe are told apart by the [`Position`] in the target call chain where they
/// were recorded. Positions serve all frames of the chain alike: [`TargetChain`](crate::TargetChain)
/// tells what they mean to one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Positions in the target call chain that were entered, each once.
    pub entered: List<Position>,
    /// Conditional jumps executed.
    pub branches: List<Branch>,
    /// Lines and blocks reached.
    pub reached: List<Reached>,
    /// Switches executed.
    pub switches: Vec<SwitchKeys>,
    /// Operands of comparisons, a bounded number of them.
    pub operands: Vec<Operands>,
    /// Exceptions that arrived at handlers, and those that somebody outside of the program
    /// received: see [`Caught::receiver`].
    pub caught: Vec<Caught>,
    /// Calls that mocks answered without having been told what to answer, each method of a mock
    /// once for each class that it was asked for, a bounded number of them.
    pub asked: Vec<Asked>,
    /// Bounds of accesses by index. Told only where the plan asks for them.
    pub accesses: Vec<Access>,
    /// Variables that jumps compared. Told only where the plan asks for them.
    pub variables: Vec<Variable>,
    /// Short texts that code of the project compared or looked up and that no test before it in the same
    /// request has told. Told only where the plan asks for them.
    pub words: Vec<Text>,
    /// Arguments that methods of the call chain were entered with, a bounded number of them. Told only where
    /// the plan asks for them.
    pub arguments: Vec<Argument>,
    /// Where the test ended with an exception, texts that code of the project looked up last and that were
    /// not there, a few, the latest first. Told only where the plan asks for words.
    pub missed: Vec<Text>,
    /// The calls among the first 64 statements that yielded `null`, a bit each.
    pub nulls: u64,
    /// How many methods of the call chain were running one inside the other at most, up to a bound. Told
    /// only where a method comes several times in the chain, and 0 otherwise.
    pub depth: u32,
    /// Throwables that the other facts name, with their causes.
    pub throwables: Vec<Throwable>,
    /// Frames that no earlier observation of the same batch has introduced.
    pub new_frames: Vec<StackFrame>,
}

impl Facts {
    /// Whether all numbers stand for something, given how many frames have been introduced so far.
    pub(crate) fn names_what_exists(&self, frames: usize) -> bool {
        let throwable = |number: u32| (number as usize) < self.throwables.len();
        self.caught.iter().all(|caught| throwable(caught.throwable))
            && self.throwables.iter().all(|it| {
                it.cause.is_none_or(throwable)
                    && it.suppressed.iter().copied().all(throwable)
                    && it.frames.iter().all(|&frame| (frame as usize) < frames)
            })
    }
}

/// A conditional jump: how near it came to going either way, 0 where it went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Branch {
    /// Number of the probe.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
    /// Smallest distance to jumping.
    pub to_jump: f64,
    /// Smallest distance to falling through.
    pub to_fall: f64,
}

/// A line or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Number of the probe.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchKeys {
    /// Number of the probe.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
    /// Distinct keys it looked at, a bounded number of them.
    pub keys: Vec<i32>,
}

/// A bound that an access by index must keep, as it was the last time: the access throws if the index
/// is negative or not below the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Number of the probe. An access with several bounds has as many numbers, one after the other.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
    /// The index.
    pub index: i32,
    /// The length; it is negative where no index would do.
    pub length: i32,
}

/// A variable that a conditional jump compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// Number of the probe.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
    /// How near its values came to each of its goals, which follow from the sort of variable that the
    /// probe watches; infinite beyond them. A goal of which nothing is known is `f64::MAX` away.
    pub distances: [f64; Variable::GOALS],
}

impl Variable {
    /// The most goals that a variable has.
    pub const GOALS: usize = 6;
}

/// A text or number that a method of the target call chain was entered with. Of each parameter at each
/// position the latest comes last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Argument {
    /// Where in the call chain: the method is at its last place.
    pub position: Position,
    /// Place of the parameter.
    pub parameter: u8,
    /// The argument.
    pub value: Value,
}

/// The two sides of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operands {
    /// Number of the probe.
    pub probe: u32,
    /// The left operand, or the receiver.
    pub left: Value,
    /// The right operand, or the argument. It is [`Value::Null`] where a switch over a text looked at
    /// `left`: its cases stand in the code.
    pub right: Value,
}

/// A value that was compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `null`.
    Null,
    /// Any integral number, also a `char` or `boolean`.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A string, maybe cut.
    Text(Text),
    /// Another object, by the binary name of its class.
    Object(String),
}

/// An exception at a handler of the program, or one that somebody received where a test can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caught {
    /// Number of the probe.
    pub probe: u32,
    /// Where in the call chain.
    pub position: Position,
    /// Place in [`Facts::throwables`].
    pub throwable: u32,
}

/// Where a test can see an exception that does not leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Receiver {
    /// A mock was given it, as an argument of a call that it was told nothing about.
    Mock,
    /// A call or field of the test yielded it.
    Test,
    /// It was logged.
    Logger(Logging),
}

impl Caught {
    /// Stands for the probe where a mock was given the exception.
    pub const BY_MOCK: u32 = i32::MAX as u32;
    /// Stands for the probe where a statement of the test yielded it.
    pub const BY_TEST: u32 = Self::BY_MOCK - 1;
    /// Stands for the probe where it was logged with the first of [`Logging::ALL`]; the others
    /// follow below it.
    pub const BY_LOGGER: u32 = Self::BY_MOCK - 2;

    /// Who has received the exception; none if it is at a handler of the program.
    pub fn receiver(&self) -> Option<Receiver> {
        match self.probe {
            Self::BY_MOCK => Some(Receiver::Mock),
            Self::BY_TEST => Some(Receiver::Test),
            probe => {
                let number = usize::try_from(Self::BY_LOGGER.checked_sub(probe)?).ok()?;
                Logging::ALL.get(number).copied().map(Receiver::Logger)
            }
        }
    }
}

/// A call that no test said anything about: the mock gave zero, `null` or something empty, and ran
/// no code of its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Asked {
    /// The mock.
    pub mock: MockId,
    /// Place of the method in [`Mock::methods`](crashback_testcase::Mock::methods).
    pub method: u16,
    /// Binary name of a class among the arguments, the last one.
    pub class: Option<String>,
    /// An object of the program among the arguments, the last one.
    pub object: Option<GivenObject>,
}

/// An object of the program that a mock was given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GivenObject {
    /// Place of the parameter that it stood for.
    pub parameter: u8,
    /// Binary name of its own class, or of the interface of a lambda.
    pub class: String,
}

/// A throwable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throwable {
    /// Binary name of its class, with dots.
    pub class: String,
    /// Its message, maybe cut.
    pub message: Option<String>,
    /// Its frames, innermost first, without those of the worker: numbers that count the frames
    /// introduced by the batch.
    pub frames: Vec<u32>,
    /// Its cause, as a place in [`Facts::throwables`]. Chains may be circles.
    pub cause: Option<u32>,
    /// What it suppressed, likewise.
    pub suppressed: Vec<u32>,
}

/// A frame of a stack trace, as `java.lang.StackTraceElement` has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StackFrame {
    /// Name of the class loader, where it has one.
    pub loader: Option<String>,
    /// Name of the module, where it has one.
    pub module: Option<String>,
    /// Version of the module, where it has one.
    pub module_version: Option<String>,
    /// Binary name of the class, with dots.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Name of the source file, where the class says so.
    pub file: Option<String>,
    /// Line, negative where unknown; -2 stands for a native method.
    pub line: i32,
}
