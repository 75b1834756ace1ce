use crashback_campaign::{CrashSummary, Record};

/// How far the runs of a crash under one configuration came, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    InMost,
    AtLeastOnce,
    Inside,
    ExceptionThrown,
    LineReached,
    LineNotReached,
    NotStarted,
}

impl State {
    pub(crate) const ALL: [Self; 7] = [
        Self::InMost,
        Self::AtLeastOnce,
        Self::Inside,
        Self::ExceptionThrown,
        Self::LineReached,
        Self::LineNotReached,
        Self::NotStarted,
    ];

    pub(crate) fn of(summary: &CrashSummary, runs: &[&Record]) -> Self {
        if summary.is_reproduced_in_most() {
            return Self::InMost;
        }
        if summary.reproduced > 0 {
            return Self::AtLeastOnce;
        }
        runs.iter().map(|it| Self::of_failed(it)).min().unwrap_or(Self::NotStarted)
    }

    /// The state of a run that did not reproduce the crash.
    fn of_failed(run: &Record) -> Self {
        match run.outcome.as_str() {
            _ if run.error.is_some() => Self::NotStarted,
            "reproduced" if run.verified => Self::Inside,
            "reproduced" | "exception-thrown" => Self::ExceptionThrown,
            "line-reached" => Self::LineReached,
            "line-not-reached" => Self::LineNotReached,
            _ => Self::NotStarted,
        }
    }

    /// In words. `repeated` tells whether crashes were run more than once.
    pub(crate) fn label(self, repeated: bool) -> &'static str {
        match self {
            Self::InMost if repeated => "Reproduced in most runs",
            Self::InMost => "Reproduced",
            Self::AtLeastOnce => "Reproduced in some runs",
            Self::Inside => "Only caught or wrapped",
            Self::ExceptionThrown => "Exception thrown",
            Self::LineReached => "Line reached",
            Self::LineNotReached => "Line not reached",
            Self::NotStarted => "Not started",
        }
    }

    /// What the words mean.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::InMost => "more than half of the runs have a verified test that the exception leaves",
            Self::AtLeastOnce => "at least one run has such a test, but not more than half of them",
            Self::Inside => "a verified test shows the crash, but the program catches or wraps the exception",
            Self::ExceptionThrown => "the exception was thrown, with other frames or not in a plain JVM",
            Self::LineReached => "the line of a frame was run, and the exception was not thrown",
            Self::LineNotReached => "no test came to the line of a frame",
            Self::NotStarted => "no test was run for a frame: nothing to search for, no time, or an error",
        }
    }

    /// The name of its colour in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::InMost => "s0",
            Self::AtLeastOnce => "s1",
            Self::Inside => "s2",
            Self::ExceptionThrown => "s3",
            Self::LineReached => "s4",
            Self::LineNotReached => "s5",
            Self::NotStarted => "s6",
        }
    }
}
