use crashback_reproduce::{Degree, FrameResult, OuterTest, ProgressPoint, Stage, Timing};
use serde::Serialize;

use crate::{EventRecord, Job, RunFailure, RunResult};

/// One run in the store.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Record {
    /// The crash.
    pub crash: String,
    /// The program that crashed.
    pub application: String,
    /// The version that crashed.
    pub application_version: String,
    /// How it was run.
    pub configuration: String,
    /// The frame that was asked for; none looked for the highest.
    pub target_frame: Option<u32>,
    /// Seed of all random choices.
    pub seed: u64,
    /// How the distance of tests from the crash was measured.
    pub fitness: String,
    /// The search algorithm.
    pub algorithm: String,
    /// Tuning that was not the default: `name=value`, separated by blanks.
    pub tuning: String,
    /// The highest frame reproduced.
    pub frame: Option<u32>,
    /// The highest frame worth targeting.
    pub highest_target_frame: Option<u32>,
    /// How far it came, in the words of `crashback reproduce --json`.
    pub outcome: String,
    /// Whether a plain JVM showed the crash.
    pub verified: bool,
    /// Where the exception was seen: `escapes`, `cause`, `caught`.
    pub degree: Option<String>,
    /// Whether the crash comes from the program rather than from a stub.
    pub satisfactory: bool,
    /// Whether another line than the logged one was accepted.
    pub line_shifted: bool,
    /// Tests executed by the search.
    pub evaluations: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The share of their time, from 0 to 1, that workers waited for tests while the search ran;
    /// none if no worker ran, and for runs of versions that did not measure it.
    pub waiting_share: Option<f64>,
    /// Where the time went; none for runs without a search, and of versions that did not tell.
    pub timing: Option<Timing>,
    /// `null` values in the test.
    pub nulls: u32,
    /// Mocks in the test.
    pub mocks: u32,
    /// What can be held against the test, in the words of `crashback reproduce --json`; none for runs
    /// without a test, and of versions that did not tell.
    pub doubts: Option<Vec<String>>,
    /// What was relaxed for its trace to agree with the log; none as above.
    pub relaxations: Option<Vec<String>>,
    /// Tests that crashed in the worker but not in a plain JVM.
    pub unverified_claims: u32,
    /// What kept the search from going further.
    pub obstacle: Option<String>,
    /// What kind of obstacle that is, in the words of `crashback reproduce --json`.
    pub obstacle_kind: Option<String>,
    /// Name of the test's class, with its package.
    pub test_class: Option<String>,
    /// The test.
    pub test_source: Option<String>,
    /// Why there was no search at all.
    pub error: Option<RunFailure>,
    /// The version of Crashback.
    pub crashback: String,
    /// When it began, in seconds since 1970.
    pub started_at: u64,
    /// Class of the exception, as the log gives it; none where it is not known.
    pub exception: Option<String>,
    /// The time that the run was given, in seconds; none for runs of versions that did not tell.
    pub time_limit: Option<f64>,
    /// Tests in a generation; none if the search decided.
    pub population: Option<u32>,
    /// The worker that made the run.
    pub worker: Option<String>,
    /// The test of a frame above, where the program wraps or catches the exception.
    pub outer: Option<OuterRecord>,
    /// What happened, in order; empty for runs of versions that did not tell.
    pub events: Vec<EventRecord>,
    /// Results of all target frames, innermost first.
    pub frames: Vec<FrameRecord>,
    /// What happened instead when a plain JVM did not confirm a test.
    pub unverified_reasons: Vec<String>,
}

/// The test of a frame above in the store. It does not count in comparisons, since the exception does not
/// leave it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OuterRecord {
    /// The frame that it reproduces.
    pub frame: u32,
    /// Where the exception was seen: `cause`, `caught`.
    pub degree: String,
    /// What can be held against it, in the words of `crashback reproduce --json`.
    pub doubts: Vec<String>,
    /// The test.
    pub test_source: String,
}

impl From<OuterTest> for OuterRecord {
    fn from(outer: OuterTest) -> Self {
        let OuterTest { frame, degree, doubts, test, .. } = outer;
        let doubts = doubts.iter().map(word).collect();
        Self { frame, degree: word(&degree), doubts, test_source: test.source }
    }
}

/// One target frame of a run in the store.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FrameRecord {
    /// Its level, 1 for the innermost.
    pub level: u32,
    /// The frame: `org.example.Shop.sell:17`.
    pub frame: String,
    /// How far its search came.
    pub outcome: String,
    /// Tests executed for it.
    pub evaluations: u64,
    /// What kept it from going further.
    pub obstacle: Option<String>,
    /// What kind of obstacle that is.
    pub obstacle_kind: Option<String>,
    /// The smallest crash distance; none if no test was run, and for runs of versions that did not
    /// tell.
    pub distance: Option<f64>,
    /// How the distance fell; empty as above.
    pub curve: Vec<ProgressPoint>,
    /// The arm that made the test which reproduces the frame, in the words of
    /// `crashback reproduce --json`.
    pub found_by: Option<String>,
    /// Seconds after which that test was found.
    pub found_after: Option<f64>,
    /// Where the exception was seen, if the frame was reproduced.
    pub degree: Option<String>,
}

impl Record {
    /// The record of a run that is over.
    pub fn new(job: &Job, result: Result<RunResult, RunFailure>, crashback: &str, started_at: u64) -> Self {
        let (RunResult { reproduction, exception }, error) = match result {
            Ok(result) => (result, None),
            Err(failure) => (RunResult::default(), Some(failure)),
        };
        let settings = &job.configuration.settings;
        let tuning: Vec<String> =
            settings.tuning.changed().map(|it| format!("{}={}", it.name, it.value)).collect();
        let is_tool = job.configuration.tool.is_some();
        let test = reproduction.test;
        let test_class = test.as_ref().map(|it| match it.package.as_str() {
            "" => it.class.clone(),
            package => format!("{package}.{}", it.class),
        });
        Self {
            crash: job.subject.id.clone(),
            application: job.subject.application.clone(),
            application_version: job.subject.version.clone(),
            configuration: job.configuration.name.clone(),
            target_frame: job.frame,
            seed: job.seed,
            fitness: if is_tool { String::new() } else { settings.fitness_name().to_owned() },
            algorithm: if is_tool { "tool".to_owned() } else { settings.algorithm_name().to_owned() },
            tuning: tuning.join(" "),
            frame: reproduction.frame,
            highest_target_frame: reproduction.highest_target_frame,
            outcome: word(&reproduction.outcome),
            verified: reproduction.verified,
            degree: reproduction.degree.as_ref().map(word),
            satisfactory: reproduction.satisfactory,
            line_shifted: reproduction.line_shifted,
            evaluations: reproduction.evaluations,
            seconds: Some(reproduction.seconds).filter(|it| it.is_finite()).unwrap_or_default(),
            waiting_share: reproduction.waiting_share.filter(|it| it.is_finite()),
            timing: (error.is_none() && !is_tool).then_some(reproduction.timing),
            nulls: reproduction.nulls,
            mocks: reproduction.mocks,
            doubts: test.as_ref().map(|_| reproduction.doubts.iter().map(word).collect()),
            relaxations: test.as_ref().map(|_| reproduction.relaxations.iter().map(|it| word(&it)).collect()),
            unverified_claims: reproduction.unverified_claims,
            obstacle: reproduction.obstacle,
            obstacle_kind: reproduction.obstacle_kind.as_ref().map(word),
            test_class,
            test_source: test.map(|it| it.source),
            error,
            crashback: crashback.to_owned(),
            started_at,
            exception,
            time_limit: Some(settings.time.as_secs_f64()),
            population: settings.population.and_then(|it| u32::try_from(it).ok()),
            worker: None,
            outer: reproduction.outer.map(OuterRecord::from),
            events: Vec::new(),
            frames: reproduction.frames.into_iter().map(FrameRecord::from).collect(),
            unverified_reasons: reproduction.unverified_reasons,
        }
    }

    /// Whether the run counts as a success in comparisons: a verified test that the exception
    /// leaves.
    pub fn is_reproduced(&self) -> bool {
        self.verified
            && self.outcome == word(&Stage::Reproduced)
            && self.degree.as_deref() == Some(&word(&Degree::Escapes))
    }

    /// Whether nothing can be held against its verified test; none where there is no such test, and
    /// where its version did not tell.
    pub fn is_undoubted(&self) -> Option<bool> {
        self.doubts.as_ref().filter(|_| self.verified).map(Vec::is_empty)
    }
}

impl From<FrameResult> for FrameRecord {
    fn from(result: FrameResult) -> Self {
        Self {
            level: result.level,
            frame: result.frame,
            outcome: word(&result.outcome),
            evaluations: result.evaluations,
            obstacle: result.obstacle,
            obstacle_kind: result.obstacle_kind.as_ref().map(word),
            distance: result.distance,
            curve: result.curve,
            found_by: result.found_by,
            found_after: result.found_after,
            degree: result.degree.as_ref().map(word),
        }
    }
}

/// The name of an enum's variant, as everything that is serialised calls it.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).ok();
    value.as_ref().and_then(|it| it.as_str()).unwrap_or_default().to_owned()
}
