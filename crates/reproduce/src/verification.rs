//! Verification: a test is written down, compiled and run by JUnit in plain JVMs. Only what they show
//! is a reproduction.

use std::cmp::Reverse;
use std::time::Duration;

use crashback_emit::junit::JUnit;
use crashback_emit::source::TestSource;
use crashback_emit::verify::{Run, Verification};
use crashback_fitness::tells_of_other_cause;
use crashback_program::frames::Goal;
use crashback_protocol::{Asked, Failure, Receiver};
use crashback_testcase::{Answer, Literal, Statement, TestCase, Var, Vocabulary};
use crashback_trace::{Frame, FrameKind, Relaxations, Throwable};

use crate::candidate::mocks;
use crate::progress::Origin;
use crate::usefulness::Critic;
use crate::write::{Expected, Style, write};
use crate::{Case, Degree, Doubt, Event, Host, Settings, WrittenTest};

/// How long after the time of a reproduction a running verification is cut. Ending all processes takes
/// a moment too, and users are promised that at most two seconds are added.
const OVERTIME: Duration = Duration::from_millis(1600);

/// Why a test that was cut is not confirmed.
const CUT: &str = "time was up before the test was verified";

/// A test that is to be verified.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'c> {
    pub(crate) test: &'c TestCase,
    pub(crate) vocabulary: &'c Vocabulary,
    /// The package that it lies in, in internal form.
    pub(crate) package: &'c str,
    /// The frame that it is to reproduce, 1 for the innermost.
    pub(crate) level: u32,
    pub(crate) degree: Degree,
    /// The receiver of the exception, if it does not leave the test.
    pub(crate) receiver: Option<Receiver>,
    /// Whether nothing of it can be left out.
    pub(crate) is_minimised: bool,
    /// Calls that its mocks answered without having been told what to answer.
    pub(crate) asked: &'c [Asked],
    /// Whether the crash goes once one of them is answered by something else than 0 or `false`.
    pub(crate) rests_on_zero: bool,
    /// When it was found, and by which arm.
    pub(crate) origin: Origin,
}

/// A test that plain JVMs confirmed.
#[derive(Clone, Debug)]
pub(crate) struct Verified {
    pub(crate) level: u32,
    pub(crate) test: TestCase,
    pub(crate) written: WrittenTest,
    pub(crate) degree: Degree,
    pub(crate) relaxations: Relaxations,
    /// What can be held against it.
    pub(crate) doubts: Vec<Doubt>,
    /// When it was found, and by which arm.
    pub(crate) origin: Origin,
}

impl Verified {
    /// Whether nothing suggests that its crash is another than the logged one.
    pub(crate) fn is_satisfactory(&self) -> bool {
        !self.doubts.iter().any(|it| it.is_of_crash())
    }

    /// The better test has the greater rank.
    pub(crate) fn rank(&self) -> impl Ord + use<> {
        let doubts = self.doubts.len();
        (
            self.is_satisfactory(),
            Reverse(self.degree),
            self.level,
            Reverse(doubts),
            Reverse(mocks(&self.test)),
        )
    }
}

/// What plain JVMs showed of a test that crashes as wanted.
struct Shown {
    /// What was relaxed for the traces to agree.
    relaxations: Relaxations,
    /// Class of the exception that left the test.
    thrown: String,
    /// How many causes below it the crash is.
    cause: usize,
    has_other_cause: bool,
}

/// Verifies tests of one crash.
pub(crate) struct Verifier<'g> {
    case: Case<'g>,
    goal: &'g Goal<'g>,
    /// Whether tests are to pass while the bug is there.
    expect: bool,
    /// When a verification is cut.
    until: Option<Duration>,
    /// Package and class of a test that was written down before, and which another must not replace.
    beside: Option<(String, String)>,
    /// Why tests that crashed as wanted in the worker were not confirmed.
    pub(crate) refusals: Vec<String>,
}

impl<'g> Verifier<'g> {
    pub(crate) fn new(case: Case<'g>, goal: &'g Goal<'g>, settings: &Settings) -> Self {
        // Where tests are counted, results must not depend on time.
        let until = settings.evaluations.is_none().then(|| settings.time + OVERTIME);
        Self { case, goal, expect: settings.expect, until, beside: None, refusals: Vec::new() }
    }

    /// Further tests lie beside this one.
    pub(crate) fn beside(&mut self, test: &WrittenTest) {
        self.beside = Some((test.package.replace('.', "/"), test.class.clone()));
    }

    /// Has a test run. None if it does not crash as wanted.
    pub(crate) fn verify(
        &mut self,
        claim: Claim<'_>,
        host: &mut dyn Host,
    ) -> Result<Option<Verified>, Failure> {
        let Claim { test, vocabulary, package, level, degree, asked, .. } = claim;
        host.tell(Event::Verifying { frame: level });
        match self.show(claim, host)? {
            Ok((source, shown)) => {
                host.tell(Event::Reproduced { frame: level });
                let critic = Critic { case: self.case, vocabulary, package, level };
                let other_cause = shown.has_other_cause.then_some(Doubt::OtherCause);
                let made_up = self.is_made_up(test, vocabulary).then_some(Doubt::MadeUp);
                let rests_on_default = critic.rests_on_default(asked) || claim.rests_on_zero;
                let default = rests_on_default.then_some(Doubt::MockDefault);
                let doubts = other_cause.into_iter().chain(made_up).chain(default);
                let not_minimised = (!claim.is_minimised).then_some(Doubt::NotMinimised);
                let doubts = doubts.chain(critic.doubts(test)).chain(not_minimised).collect();
                let written = as_written(source, host.junit());
                let (test, relaxations) = (test.clone(), shown.relaxations);
                let origin = claim.origin;
                Ok(Some(Verified { level, test, written, degree, relaxations, doubts, origin }))
            }
            Err(reason) => {
                self.refusals.push(reason.clone());
                host.tell(Event::NotConfirmed { frame: level, reason });
                Ok(None)
            }
        }
    }

    /// The source of a test that plain JVMs confirmed; otherwise what happened instead.
    fn show(
        &self,
        claim: Claim<'_>,
        host: &mut dyn Host,
    ) -> Result<Result<(TestSource, Shown), String>, Failure> {
        let source = match self.written(claim, None, host.junit()) {
            Ok(source) => source,
            Err(reason) => return Ok(Err(reason)),
        };
        let shown = match self.judge(&source, claim, host)? {
            Ok(shown) => shown,
            Err(reason) => return Ok(Err(reason)),
        };
        if !self.expect {
            return Ok(Ok((source, shown)));
        }
        let expected = Expected { thrown: &shown.thrown, cause: shown.cause };
        Ok(match self.written(claim, Some(expected), host.junit()) {
            Ok(source) => passes(&source, self.until, host)?.map(|()| (source, shown)),
            Err(reason) => Err(reason),
        })
    }

    fn written(
        &self,
        claim: Claim<'_>,
        expects: Option<Expected<'_>>,
        junit: JUnit,
    ) -> Result<TestSource, String> {
        let Claim { test, vocabulary, package, level, degree, receiver, .. } = claim;
        let beside = self.beside.as_ref().filter(|(other, _)| other == package);
        let beside = beside.map(|(_, class)| class.as_str());
        let style = Style { degree, receiver, expects, beside };
        write(self.case, test, vocabulary, package, level, junit, style).map_err(|it| it.to_string())
    }

    /// How a test crashes if it does as wanted in every run; otherwise what happened instead.
    fn judge(
        &self,
        source: &TestSource,
        claim: Claim<'_>,
        host: &mut dyn Host,
    ) -> Result<Result<Shown, String>, Failure> {
        let runs = match host.verify(source, self.until)? {
            Verification::Cut => return Ok(Err(CUT.to_owned())),
            Verification::NotCompiled { messages } => {
                return Ok(Err(format!("the test does not compile: {messages}")));
            }
            Verification::Ran(runs) => runs,
        };
        let mut shown: Option<Shown> = None;
        for run in &runs {
            match self.judge_run(run, claim, source) {
                Ok(mut next) => {
                    next.relaxations |= shown.map_or_else(Relaxations::default, |it| it.relaxations);
                    shown = Some(next);
                }
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Ok(shown.ok_or_else(|| "the test was not run".to_owned()))
    }

    fn judge_run(&self, run: &Run, claim: Claim<'_>, source: &TestSource) -> Result<Shown, String> {
        let Run::Threw(crash) = run else { return Err(words_for(run)) };
        let counted = self.goal.counted_level(claim.level);
        let mut difference = None;
        let most = if claim.degree == Degree::Escapes { 1 } else { usize::MAX };
        let found = crash.cause_chain().take(most).enumerate().find_map(|(cause, (_, thrown))| {
            let frames = without_answers(&thrown.frames, source);
            let agreement = self.goal.agreement_up_to(counted, self.class_of(thrown), &frames);
            let agrees = agreement.reproduced_at(counted as usize);
            difference = agreement.difference;
            agrees.then_some((cause, agreement.relaxations, thrown))
        });
        let Some((cause, relaxations, crashed)) = found else {
            return Err(difference.unwrap_or_else(|| "the frames differ".to_owned()));
        };
        let has_other_cause = tells_of_other_cause(self.case.throwable, crashed.message.as_deref());
        let thrown = crash.cause_chain().next().map(|(_, it)| it.class.clone()).unwrap_or_default();
        Ok(Shown { relaxations, thrown, cause, has_other_cause })
    }

    /// The class of an exception in a printed trace. One that prints its simple name, as some do, is
    /// taken for the crash's.
    fn class_of<'t>(&'t self, thrown: &'t Throwable) -> &'t str {
        let wanted = self.goal.exception();
        let is_simple = wanted.rsplit(['.', '$']).next() == Some(thrown.class.as_str());
        if is_simple { wanted } else { &thrown.class }
    }

    /// Whether the crash rests on an answer that a stub makes up: a number, `null` or the crash's own
    /// exception, which the code behind the mock may never yield (Botsing's thesis, section 5.3.1, on
    /// unsatisfactory reproductions). Statements that minimising has left are needed for the crash.
    pub(crate) fn is_made_up(&self, test: &TestCase, vocabulary: &Vocabulary) -> bool {
        let maker = |value: Var| test.statements().get(usize::from(value.0));
        let is_made_up = |value: Var| match maker(value) {
            Some(Statement::Literal(literal)) => {
                !matches!(literal, Literal::Boolean(_) | Literal::Text(_) | Literal::Class(_))
            }
            _ => false,
        };
        let is_the_crash = |value: Var| match maker(value) {
            Some(Statement::Construct { constructor, .. }) => {
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
}

/// The frames without the answers of mocks, which a test writes as lambdas or in anonymous classes:
/// workers have no frames for them, and those of mocks are no part of the program's trace.
fn without_answers(frames: &[Frame], source: &TestSource) -> Vec<Frame> {
    let package = source.package.replace('/', ".");
    let class = if package.is_empty() { source.class.clone() } else { format!("{package}.{}", source.class) };
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let is_anonymous =
        |it: &Frame| it.class.strip_prefix(&class).and_then(|it| it.strip_prefix('$')).is_some_and(is_number);
    let is_answer = |it: &&Frame| it.class == class && it.kind() == FrameKind::Lambda || is_anonymous(it);
    frames.iter().filter(|it| !is_answer(it)).cloned().collect()
}

/// Whether every run of a test passes; otherwise what happened instead.
fn passes(
    source: &TestSource,
    until: Option<Duration>,
    host: &mut dyn Host,
) -> Result<Result<(), String>, Failure> {
    Ok(match host.verify(source, until)? {
        Verification::Cut => Err(CUT.to_owned()),
        Verification::NotCompiled { messages } => {
            Err(format!("the test that expects the crash does not compile: {messages}"))
        }
        Verification::Ran(runs) => match runs.iter().find(|it| **it != Run::Passed) {
            None => Ok(()),
            Some(other) => Err(format!("the test that expects the crash fails: {}", words_for(other))),
        },
    })
}

fn as_written(source: TestSource, junit: JUnit) -> WrittenTest {
    let junit = match junit {
        JUnit::Four { .. } => 4,
        JUnit::Five => 5,
        JUnit::Six => 6,
    };
    let TestSource { package, class, text, .. } = source;
    WrittenTest { package: package.replace('/', "."), class, source: text, junit, module: None }
}

fn words_for(run: &Run) -> String {
    match run {
        Run::Passed => "the test passed".to_owned(),
        Run::Threw(crash) => {
            let class = crash.cause_chain().next().map(|(_, it)| it.class.clone());
            format!("{} was thrown", class.unwrap_or_else(|| "something".to_owned()))
        }
        Run::TimedOut => "the test took too long".to_owned(),
        Run::Died { how } => how.clone(),
    }
}
