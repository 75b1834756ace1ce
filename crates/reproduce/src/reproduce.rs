use std::time::Duration;

use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::{Run as TestRun, Verification};
use crashback_program::frames::{CrashAudit, FrameAudit, Goal};
use crashback_program::missing::MissingClass;
use crashback_protocol::Failure;
use crashback_testcase::{Answer, Literal, Statement, TestCase, Var};
use crashback_trace::Throwable;

use crate::engine::{Candidate, Engine, FrameSearch};
use crate::minimise::{mocks, nulls};
use crate::obstacle::{Obstacle, Unfinished, missing_classes};
use crate::problem::has_other_cause;
use crate::write::{Expected, Style, write};
use crate::{
    Case, Degree, Doubt, Event, FrameResult, Host, ObstacleKind, Reproduction, Settings, Stage, WrittenTest,
};

/// The share of the time that is kept for minimising and verifying, and the most that is.
const RESERVE: f64 = 0.3;
const MOST_RESERVE: Duration = Duration::from_secs(5);

/// Looks for a test that crashes the program in the same way, at the highest frame that can be
/// reached, and verifies it.
///
/// Not to find one is a result. It fails where the host does: when workers cannot be started, or
/// tests cannot be verified.
pub fn reproduce(case: Case<'_>, settings: &Settings, host: &mut dyn Host) -> Result<Reproduction, Failure> {
    let goal = Goal::new(case.classes, case.throwable, case.audit);
    let engine = Engine::new(case, &goal, settings, host)?;
    Run { engine, goal: &goal, settings, claims: Vec::new() }.run()
}

struct Run<'h, 'g> {
    engine: Engine<'h, 'g>,
    goal: &'g Goal<'g>,
    settings: &'h Settings,
    /// Why tests that crashed as wanted in the worker were not believed.
    claims: Vec<String>,
}

/// A test that a plain JVM confirmed.
struct Verified {
    level: u32,
    test: TestCase,
    written: WrittenTest,
    degree: Degree,
    line_shifted: bool,
    /// Whether the crash is not that of the program in use, but one like it.
    doubt: Option<Doubt>,
}

/// What a plain JVM showed of a test that crashes as wanted.
struct Judged {
    line_shifted: bool,
    /// Class of what left the test.
    thrown: String,
    /// How many causes below it the exception is.
    cause: usize,
    /// Whether its message tells of another cause than that of the log.
    has_other_cause: bool,
}

impl Run<'_, '_> {
    fn run(mut self) -> Result<Reproduction, Failure> {
        let time = self.settings.time;
        let until = time.saturating_sub(time.mul_f64(RESERVE).min(MOST_RESERVE));
        let mut doubtful: Option<Verified> = None;
        loop {
            match self.engine.search(until) {
                // Workers end with an interruption. What was found until then is not lost.
                Err(_) if self.engine.host.is_interrupted() => {}
                searched => searched?,
            }
            let best = self.engine.best().cloned();
            let Some(candidate) = best else { return Ok(self.result(doubtful)) };
            let second_best = doubtful.as_ref().map_or(0, |it| it.level);
            // Nothing comes before it any more.
            if candidate.is_twin && candidate.level <= second_best {
                return Ok(self.result(doubtful));
            }
            match self.verify(&candidate, second_best) {
                // Whatever else is found within the time is better.
                Ok(Some(verified)) if verified.doubt.is_some() => doubtful = Some(verified),
                Ok(Some(verified)) => return Ok(self.result(Some(verified))),
                Ok(None) => {}
                Err(_) if self.engine.host.is_interrupted() => return Ok(self.result(doubtful)),
                Err(failure) => return Err(failure),
            }
            self.engine.refute(candidate.search, &candidate.found);
            if self.left().is_zero() {
                return Ok(self.result(doubtful));
            }
        }
    }

    /// Writes a candidate down and has it run. None if it does not crash as wanted, or is
    /// far-fetched and no better than one of level `second_best`.
    fn verify(&mut self, candidate: &Candidate, second_best: u32) -> Result<Option<Verified>, Failure> {
        let a_while = self.engine.host.elapsed() + self.left() / 4;
        let (test, receiver) = match self.engine.minimised(candidate, a_while) {
            // Workers end with an interruption; the test is as good as it was.
            Err(_) if self.engine.host.is_interrupted() => (candidate.test.clone(), candidate.receiver),
            minimised => minimised?,
        };
        let level = candidate.level;
        if level <= second_best && self.is_far_fetched(&test) {
            return Ok(None);
        }
        self.engine.host.tell(Event::Verifying { frame: level });
        let degree = candidate.degree;
        let fails = Style { degree, receiver, expects: None };
        let judged = match self.written(&test, level, fails) {
            Ok(source) => self.judge(&source, level, degree)?.map(|judged| (source, judged)),
            Err(reason) => Err(reason),
        };
        let (mut source, judged) = match judged {
            Ok(judged) => judged,
            Err(reason) => return Ok(self.not_confirmed(level, reason)),
        };
        if self.settings.expect {
            let expected = Expected { thrown: &judged.thrown, cause: judged.cause };
            let style = Style { degree, receiver, expects: Some(expected) };
            let passes = match self.written(&test, level, style) {
                Ok(expecting) => self.passes(&expecting)?.map(|()| expecting),
                Err(reason) => Err(reason),
            };
            match passes {
                Ok(expecting) => source = expecting,
                Err(reason) => return Ok(self.not_confirmed(level, reason)),
            }
        }
        self.engine.host.tell(Event::Reproduced { frame: level });
        let written = self.as_written(source);
        let doubt = match () {
            () if self.is_far_fetched(&test) => Some(Doubt::MadeUp),
            () if judged.has_other_cause => Some(Doubt::OtherCause),
            () => None,
        };
        Ok(Some(Verified { level, test, written, degree, line_shifted: judged.line_shifted, doubt }))
    }

    fn written(&self, test: &TestCase, level: u32, style: Style<'_>) -> Result<TestSource, String> {
        let (case, junit) = (self.engine.case, self.engine.host.junit());
        let vocabulary = self.engine.workshop.vocabulary();
        let package = self.engine.workshop.context().package();
        write(case, test, vocabulary, package, level, junit, style).map_err(|error| error.to_string())
    }

    fn as_written(&self, source: TestSource) -> WrittenTest {
        let junit = match self.engine.host.junit() {
            JUnit::Four { .. } => 4,
            JUnit::Five => 5,
            JUnit::Six => 6,
        };
        let TestSource { package, class, text, .. } = source;
        WrittenTest { package: package.replace('/', "."), class, source: text, junit }
    }

    /// How a test crashes if it does as wanted in every run; otherwise what happened instead.
    fn judge(
        &mut self,
        source: &TestSource,
        level: u32,
        degree: Degree,
    ) -> Result<Result<Judged, String>, Failure> {
        let runs = match self.engine.host.verify(source)? {
            Verification::NotCompiled { messages } => {
                return Ok(Err(format!("the test does not compile: {messages}")));
            }
            Verification::Ran(runs) => runs,
        };
        let counted = self.goal.counted_level(level);
        let mut judged: Option<Judged> = None;
        for run in &runs {
            let crash = match run {
                TestRun::Threw(crash) => crash,
                other => return Ok(Err(words_for(other))),
            };
            let mut difference = None;
            let seen = if degree == Degree::Escapes { 1 } else { usize::MAX };
            let found = crash.cause_chain().take(seen).enumerate().find_map(|(cause, (_, thrown))| {
                let agreement = self.goal.agreement(self.class_of(thrown), &thrown.frames);
                let agrees = agreement.reproduced_at(counted as usize);
                difference = agreement.difference;
                let has_other_cause = has_other_cause(self.engine.case.throwable, thrown.message.as_deref());
                agrees.then_some((cause, agreement.line_shifted, has_other_cause))
            });
            let Some((cause, line_shifted, has_other_cause)) = found else {
                return Ok(Err(difference.unwrap_or_else(|| "the frames differ".to_owned())));
            };
            let thrown = crash.cause_chain().next().map(|(_, it)| it.class.clone()).unwrap_or_default();
            let line_shifted = line_shifted || judged.is_some_and(|it| it.line_shifted);
            judged = Some(Judged { line_shifted, thrown, cause, has_other_cause });
        }
        Ok(judged.ok_or_else(|| "the test was not run".to_owned()))
    }

    /// The class of an exception in a printed trace. One that calls itself by its simple name, as
    /// some do, is taken for the crash's.
    fn class_of<'t>(&'t self, thrown: &'t Throwable) -> &'t str {
        let wanted = self.goal.exception();
        let is_simple = wanted.rsplit(['.', '$']).next() == Some(thrown.class.as_str());
        if is_simple { wanted } else { &thrown.class }
    }

    /// Whether every run of a test passes.
    fn passes(&mut self, source: &TestSource) -> Result<Result<(), String>, Failure> {
        Ok(match self.engine.host.verify(source)? {
            Verification::NotCompiled { messages } => {
                Err(format!("the test that expects the crash does not compile: {messages}"))
            }
            Verification::Ran(runs) => match runs.iter().find(|it| **it != TestRun::Passed) {
                None => Ok(()),
                Some(other) => Err(format!("the test that expects the crash fails: {}", words_for(other))),
            },
        })
    }

    fn not_confirmed(&mut self, frame: u32, reason: String) -> Option<Verified> {
        self.claims.push(reason.clone());
        self.engine.host.tell(Event::NotConfirmed { frame, reason });
        None
    }

    fn left(&self) -> Duration {
        self.settings.time.saturating_sub(self.engine.host.elapsed())
    }

    fn result(mut self, verified: Option<Verified>) -> Reproduction {
        let audit = self.engine.case.audit;
        let reproduced = verified.as_ref().map(|it| it.level);
        let frames = self.frames(audit, reproduced.unwrap_or(0));
        let searched = self.engine.searched.as_secs_f64();
        let outcome = frames.iter().map(|it| it.outcome).max().unwrap_or_default();
        let (obstacle, obstacle_kind) = main_obstacle(&frames);
        let missing_classes = self.missing_classes(reproduced.unwrap_or(0));
        let unavailable_types = self.unavailable_types();
        Reproduction {
            reproduced: verified.is_some(),
            verified: verified.is_some(),
            frame: reproduced,
            highest_target_frame: audit.highest_target_frame,
            outcome,
            degree: verified.as_ref().map(|it| it.degree),
            line_shifted: verified.as_ref().is_some_and(|it| it.line_shifted),
            frames,
            evaluations: self.engine.evaluations,
            seconds: self.engine.host.elapsed().as_secs_f64(),
            evaluations_per_second: if searched > 0.0 {
                self.engine.evaluations as f64 / searched
            } else {
                0.0
            },
            seed: self.settings.seed,
            nulls: verified.as_ref().map_or(0, |it| nulls(&it.test)),
            mocks: verified.as_ref().map_or(0, |it| mocks(&it.test)),
            satisfactory: verified.as_ref().is_some_and(|it| it.doubt.is_none()),
            doubt: verified.as_ref().and_then(|it| it.doubt),
            test: verified.map(|it| it.written),
            unverified_claims: u32::try_from(self.claims.len()).unwrap_or(u32::MAX),
            unverified_reasons: self.claims,
            obstacle,
            obstacle_kind,
            missing_classes,
            unavailable_types,
            interrupted: self.engine.host.is_interrupted(),
        }
    }

    fn frames(&self, audit: &CrashAudit, reproduced: u32) -> Vec<FrameResult> {
        let targets = audit.frames.iter().filter(|it| it.target);
        let described = targets.map(|frame| {
            let searches = self.engine.searches.iter().filter(|it| it.level == frame.level);
            let search = searches.clone().max_by_key(|it| (it.record.stage, std::cmp::Reverse(it.degree)));
            let outcome = match search {
                _ if frame.level <= reproduced => Stage::Reproduced,
                Some(search) => search.record.stage.unverified(),
                None => Stage::NotStarted,
            };
            let obstacle = search
                .filter(|_| outcome != Stage::Reproduced)
                .map(|it| it.obstacle.clone().unwrap_or_else(|| self.obstacle(frame, it)));
            let place = frame.line.map_or(String::new(), |line| format!(":{line}"));
            FrameResult {
                level: frame.level,
                frame: format!("{}.{}{place}", frame.class, frame.method),
                outcome,
                evaluations: searches.map(|it| it.record.evaluations).sum(),
                obstacle_kind: obstacle.as_ref().map(|it| it.kind),
                obstacle: obstacle.map(|it| it.words),
            }
        });
        described.collect()
    }

    /// Whether the crash rests on what a stub makes up: a number, `null` or the crash's own
    /// exception, which the code behind the mock may never yield (Botsing's thesis, section 5.3.1,
    /// on unsatisfactory reproductions). What minimising has left in a test is needed for its
    /// crash.
    fn is_far_fetched(&self, test: &TestCase) -> bool {
        let maker = |value: Var| test.statements().get(usize::from(value.0));
        let is_made_up = |value: Var| match maker(value) {
            Some(Statement::Literal(literal)) => {
                !matches!(literal, Literal::Boolean(_) | Literal::Text(_) | Literal::Class(_))
            }
            _ => false,
        };
        let is_the_crash = |value: Var| match maker(value) {
            Some(Statement::Construct { constructor, .. }) => {
                let vocabulary = self.engine.workshop.vocabulary();
                let made = vocabulary.method(*constructor).and_then(|it| vocabulary.type_of(it.owner));
                let class = made.and_then(|it| it.class_name()).unwrap_or_default();
                class.replace('/', ".") == self.goal.exception()
            }
            _ => true,
        };
        test.statements().iter().any(|it| match it {
            Statement::Stub { answer: Answer::Throw(value), .. } => is_the_crash(*value),
            Statement::Stub { answer: answer @ (Answer::Return(_) | Answer::Sequence { .. }), .. } => {
                answer.values().any(is_made_up)
            }
            _ => false,
        })
    }

    fn obstacle(&self, frame: &FrameAudit, search: &FrameSearch<'_>) -> Obstacle {
        let Case { classes, audit, .. } = self.engine.case;
        let last_claim = self.claims.last().map(String::as_str);
        let (record, degree) = (&search.record, search.degree);
        Unfinished { classes, audit, frame, record, degree, last_claim }.obstacle()
    }

    fn missing_classes(&self, reproduced: u32) -> Vec<MissingClass> {
        let Case { classes, audit, .. } = self.engine.case;
        let frames = audit.frames.iter().filter(|it| it.target && it.level > reproduced);
        let searches = self.engine.searches.iter().filter(|it| it.level > reproduced);
        missing_classes(classes, frames, searches.map(|it| &it.record))
    }

    fn unavailable_types(&mut self) -> Vec<(String, String)> {
        let workshop = &self.engine.workshop;
        let named = workshop.unavailable().iter().filter_map(|(of, reason)| {
            Some((workshop.vocabulary().type_of(*of)?.view().to_string(), (*reason).to_owned()))
        });
        named.collect()
    }
}

fn words_for(run: &TestRun) -> String {
    match run {
        TestRun::Passed => "the test passed".to_owned(),
        TestRun::Threw(crash) => {
            let class = crash.cause_chain().next().map(|(_, it)| it.class.clone());
            format!("{} was thrown", class.unwrap_or_else(|| "something".to_owned()))
        }
        TestRun::TimedOut => "the test took too long".to_owned(),
        TestRun::Died { how } => how.clone(),
    }
}

/// What kept all searches from going further: above what was reproduced the next frame's obstacle
/// counts, otherwise that of the frame that came furthest.
fn main_obstacle(frames: &[FrameResult]) -> (Option<String>, Option<ObstacleKind>) {
    let open = frames.iter().filter(|it| it.obstacle.is_some());
    let is_any_reproduced = frames.iter().any(|it| it.outcome == Stage::Reproduced);
    let main = if is_any_reproduced {
        open.min_by_key(|it| it.level)
    } else {
        open.max_by_key(|it| (it.outcome, std::cmp::Reverse(it.level)))
    };
    main.map_or((None, None), |it| (it.obstacle.clone(), it.obstacle_kind))
}
