use crashback_protocol::Receiver;
use crashback_trace::Relaxations;
use serde::Serialize;

/// How far an execution was from a crash at a frame, in distances that are not weighed yet. All are
/// 0 at best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// How far it came, for people.
    pub stage: Stage,
    /// How many of the observed frames, counted from the innermost, were not run through one inside
    /// the other. A frame is run through when its line is reached from inside the frames around it,
    /// and on the line an instruction that can throw the exception or call the next frame.
    pub frames_left: u32,
    /// How far the target frame was from being entered, where a test cannot call it: calls of the
    /// methods that lead there, and φ(line distance) in the nearest that was entered. 0 once it is.
    pub approach: f64,
    /// The line distance in the outermost of these: approach level + φ(branch distance) to the
    /// nearest such instruction; infinite if the frame was not entered, 0 if there is none.
    pub line: f64,
    /// The line distance in the target frame, to any instruction of the line.
    pub target_line: f64,
    /// How far an instruction of the innermost frame was from throwing by itself; infinite where nothing
    /// tells. 0 does not mean that the crash was reproduced.
    pub throwing: f64,
    /// How far the value that made the innermost frame throw was from being such a one, by the
    /// decisions that lead to its origins; infinite where nothing tells, and where no search asked
    /// for [these](crate::FlagSources::with_values).
    pub value: f64,
    /// Whether an exception of the crash's class was thrown.
    pub thrown: bool,
    /// The distance of its trace; infinite if there is none. It is 0 only if the crash was
    /// reproduced at the target frame.
    pub trace: f64,
    /// The level up to which its trace agrees with the crash's, whatever the target frame is; 0 for
    /// not at all.
    pub agreed: u32,
    /// What was relaxed for that.
    pub relaxations: Relaxations,
    /// Who received it, if it did not leave the test.
    pub receiver: Option<Receiver>,
}

/// How far an execution, or a whole search, came at a frame. Results name stages in kebab case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// No test was run.
    #[default]
    NotStarted,
    /// No test reached the line of the frame inside its call chain.
    LineNotReached,
    /// A test reached the line, but the exception was not thrown from there.
    LineReached,
    /// A test threw an exception of the crash's class, but other frames than the crash's led to it.
    ExceptionThrown,
    /// The exception and all frames up to this one agree. For a single execution that is what a
    /// worker observed. Results claim it only for a test that a plain JVM verified; for all others
    /// they have what [`Stage::unverified`] leaves.
    Reproduced,
}

impl Stage {
    /// The stage that may be claimed without verification: [`Stage::ExceptionThrown`] at most.
    pub fn unverified(self) -> Self {
        self.min(Self::ExceptionThrown)
    }

    /// The stage as users read it while they wait.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotStarted => "not started",
            Self::LineNotReached => "line not reached yet",
            Self::LineReached => "line reached, exception not yet",
            Self::ExceptionThrown => "exception thrown, stack trace not yet",
            Self::Reproduced => "reproduced",
        }
    }
}

/// φ(x) = x / (x + 1), from 0 to 1 for distances from 0 to infinity (Arcuri: It Does Matter How You
/// Normalise the Branch Distance in Search Based Software Testing). NaN counts as infinitely far.
pub fn normalise(distance: f64) -> f64 {
    match distance {
        _ if distance <= 0.0 => 0.0,
        _ if distance.is_finite() => distance / (distance + 1.0),
        _ => 1.0,
    }
}
