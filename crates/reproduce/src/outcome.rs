use crashback_program::frames::Hint;
use crashback_program::missing::MissingClass;
use crashback_trace::{Relaxation, Relaxations};
use serde::Serialize;

use crashback_fitness::Stage;

use crate::candidate::{mocks, nulls};
use crate::verification::Verified;
use crate::{Degree, ObstacleKind, ProgressPoint, Timing};

/// What came of a reproduction. Every field is there on every exit, so that a program that reads it
/// need not guess.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reproduction {
    /// Whether a test crashes the program in the same way, at `frame`.
    pub reproduced: bool,
    /// Whether a plain JVM without anything of Crashback in it showed that. Never false when
    /// `reproduced` is true.
    pub verified: bool,
    /// The highest frame reproduced, 1 for the innermost.
    pub frame: Option<u32>,
    /// The highest frame that the audit found worth targeting.
    pub highest_target_frame: Option<u32>,
    /// How far the best frame came.
    pub outcome: Stage,
    /// Where the exception was seen.
    pub degree: Option<Degree>,
    /// Whether another line than the logged one was accepted for a frame whose logged line cannot
    /// be right.
    pub line_shifted: bool,
    /// Whether lines of library frames were compared.
    pub library_lines: LibraryLines,
    /// Everything that was relaxed for the test's trace to agree with the log; without a test,
    /// everything that would have been.
    pub relaxations: Relaxations,
    /// All target frames, innermost first.
    pub frames: Vec<FrameResult>,
    /// What each arm of the search did, if it ran any test.
    pub arms: Vec<ArmShare>,
    /// What came of given tests.
    pub given_tests: Vec<GivenTest>,
    /// The tests of the project that were used.
    pub test_pool: TestPool,
    /// Tests executed by the search.
    pub evaluations: u64,
    /// Wall-clock time of everything.
    pub seconds: f64,
    /// Tests executed in a second of search.
    pub evaluations_per_second: f64,
    /// The share of their time, from 0 to 1, that workers waited for tests while a search ran; none
    /// if no worker ran.
    pub waiting_share: Option<f64>,
    /// Where the time went.
    pub timing: Timing,
    /// The seed that chance came from.
    pub seed: u64,
    /// The test that was written down.
    pub test: Option<WrittenTest>,
    /// Jars of JUnit and Mockito behind the class path of the program, with which the test was verified.
    pub test_jars: Vec<String>,
    /// A second test, of a frame above, where the program wraps or catches the exception.
    pub outer: Option<OuterTest>,
    /// `null` values that the test uses.
    pub nulls: u32,
    /// Mocks that the test uses.
    pub mocks: u32,
    /// Whether a test was found and nothing suggests that its crash is another than the logged one.
    pub satisfactory: bool,
    /// What can be held against the test.
    pub doubts: Vec<Doubt>,
    /// Tests that crashed as wanted in the worker but not in a plain JVM.
    pub unverified_claims: u32,
    /// What happened to these instead.
    pub unverified_reasons: Vec<String>,
    /// What kept the search from going further, in words.
    pub obstacle: Option<String>,
    /// What kind of obstacle that is.
    pub obstacle_kind: Option<ObstacleKind>,
    /// Classes that are not on the class path and may have stood in the way of the frames that were
    /// not reproduced.
    pub missing_classes: Vec<MissingClass>,
    /// Types that no value could be made of, with the reason.
    pub unavailable_types: Vec<(String, String)>,
    /// For a test by hand: how the target frames that were not reproduced are called, and on which
    /// conditions their lines depend.
    pub hints: Vec<Hint>,
    /// Whether the user interrupted it.
    pub interrupted: bool,
}

/// Whether lines of library frames count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LibraryLines {
    /// They agree with the log.
    #[default]
    Compared,
    /// The log is of another build of a library, whose frames agree by class and method.
    Ignored,
}

impl LibraryLines {
    pub(crate) fn of(relaxations: Relaxations) -> Self {
        match relaxations.contains(Relaxation::LibraryLines) {
            true => Self::Ignored,
            false => Self::Compared,
        }
    }
}

/// Where a reproduction stands as a whole: what its exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A verified test was found.
    Reproduced,
    /// None was found within the budget.
    NotReproduced,
    /// The user ended it before one was found.
    Interrupted,
}

impl Reproduction {
    /// Where it stands as a whole.
    pub fn verdict(&self) -> Outcome {
        match (self.reproduced, self.interrupted) {
            (true, _) => Outcome::Reproduced,
            (false, true) => Outcome::Interrupted,
            (false, false) => Outcome::NotReproduced,
        }
    }
}

/// What can be held against a test with the right exception in the right frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Its message tells of another cause than the log's, such as another null on the same line.
    OtherCause,
    /// The crash rests on what a stub makes up: a number, `null` or the crash's own exception.
    MadeUp,
    /// The crash rests on the 0 or `false`, or may rest on the `null`, that a mock yields where the test says
    /// nothing.
    MockDefault,
    /// Objects are made or changed through members that the program keeps to itself.
    BrokenInvariant,
    /// The innermost method is called with plain values alone, or with a negative index, though the log
    /// tells who called it.
    LeafGuard,
    /// Minimising did not come to its end, or plain JVMs denied what it came to: the test may have
    /// statements that it does not need.
    NotMinimised,
}

impl Doubt {
    /// Whether the crash may be another than the logged one. Otherwise only the way to it is unusual.
    pub fn is_of_crash(self) -> bool {
        matches!(self, Self::OtherCause | Self::MadeUp)
    }
}

/// What came of one frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameResult {
    /// Its level, 1 for the innermost.
    pub level: u32,
    /// Class, method and line: `org.example.Shop.sell:17`.
    pub frame: String,
    /// How far its search came.
    pub outcome: Stage,
    /// Where the exception was seen, if the frame was reproduced.
    pub degree: Option<Degree>,
    /// Tests executed for it.
    pub evaluations: u64,
    /// What kept it from going further.
    pub obstacle: Option<String>,
    /// What kind of obstacle that is.
    pub obstacle_kind: Option<ObstacleKind>,
    /// The smallest crash distance that a test reached, 0 for a reproduced frame; none if no test
    /// was run.
    pub distance: Option<f64>,
    /// How the distance fell: a point for each test that came nearer than all before it. Of long
    /// curves some points are left out.
    pub curve: Vec<ProgressPoint>,
    /// The arm that made the test which reproduces the frame: `frame 3, escapes, guided-ga,
    /// call-chain`. None if it is not reproduced.
    pub found_by: Option<String>,
    /// Seconds after which that test was seen to crash as wanted for the first time.
    pub found_after: Option<f64>,
}

/// The part of one pursuit of a frame in the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmShare {
    /// The frame, 1 for the innermost.
    pub frame: u32,
    /// Where the exception was looked for.
    pub degree: Degree,
    /// Algorithm and fitness function: `guided-ga, call-chain`.
    pub pursuit: String,
    /// Tests executed for it.
    pub evaluations: u64,
    /// How many of its requests came nearer to the crash than all tests before them.
    pub steps: u64,
}

/// A test that was given to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GivenTest {
    /// Class and method, `post.DeskTest.opens`, or the file if it was refused.
    pub test: String,
    /// How many statements it was carved into.
    pub statements: usize,
    /// In words, what was left out, and why.
    pub left_out: Vec<String>,
    /// In words, how these statements ended when they were run; none if there are none.
    pub ended: Option<String>,
}

/// The project's own tests, and given ones, as the search used them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TestPool {
    /// Tests of the project that were looked at.
    pub looked_at: usize,
    /// Tests of which something was carved, given ones included.
    pub carved: usize,
    /// How each arm used them, as far as it ran tests.
    pub uses: Vec<PoolShare>,
}

/// A way to use carved tests, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolShare {
    /// The frame, 1 for the innermost.
    pub frame: u32,
    /// Where the exception was looked for.
    pub degree: Degree,
    /// `clones-and-objects`, `clones`, `objects` or `none`.
    pub used_for: &'static str,
    /// Tests executed so.
    pub evaluations: u64,
    /// How many requests came nearer to the crash than all tests before them.
    pub steps: u64,
}

/// A verified test that enters the program further up than the one that the exception leaves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OuterTest {
    /// The frame that it reproduces, 1 for the innermost.
    pub frame: u32,
    /// Where the exception was seen.
    pub degree: Degree,
    /// Everything that was relaxed for its trace to agree with the log.
    pub relaxations: Relaxations,
    /// What can be held against it.
    pub doubts: Vec<Doubt>,
    /// `null` values that it uses.
    pub nulls: u32,
    /// Mocks that it uses.
    pub mocks: u32,
    /// The test.
    pub test: WrittenTest,
}

impl From<Verified> for OuterTest {
    fn from(verified: Verified) -> Self {
        let Verified { level, test, written, degree, relaxations, doubts, origin: _ } = verified;
        let (nulls, mocks) = (nulls(&test), mocks(&test));
        Self { frame: level, degree, relaxations, doubts, nulls, mocks, test: written }
    }
}

/// A test as source text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrittenTest {
    /// Its package, with dots; empty for the unnamed one.
    pub package: String,
    /// Simple name of its class.
    pub class: String,
    /// The source.
    pub source: String,
    /// Which JUnit it is for: 4, 5 or 6.
    pub junit: u8,
    /// The module of a project whose class path it was verified with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
}
