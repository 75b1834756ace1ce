//! From frame to frame: which search goes on when, and what becomes of what it finds.

use std::sync::Arc;
use std::time::Duration;

use crashback_fitness::{Judge, Stage, Target};
use crashback_program::frames::{FrameAudit, Goal};
use crashback_protocol::{Evaluator, Failure, Isolation, Outcome, Receiver};
use crashback_search::{GuidedGa, Rng, Settings as GaSettings};
use crashback_testcase::workshop::{TargetCalls, Workshop};
use crashback_testcase::{Context, Random, TestCase, Vocabulary};

use crate::chain::Observed;
use crate::entries::{aim, package_of};
use crate::obstacle::{Obstacle, ObstacleKind};
use crate::problem::{FrameProblem, Record, is_twin};
use crate::{Case, Degree, Event, Host, Settings};

/// Evaluations that each frame gets in the first round; each further round gives twice as many.
const FIRST_SLICE: u64 = 3_000;

/// Where time bounds the search, a frame gets this part of what is left in a turn, so that the
/// lowest open frame gets most, and at least so much time.
const SHARE_OF_TURN: u32 = 4;
const SHORTEST_TURN: Duration = Duration::from_secs(1);

/// As long as no frame is found, only so many of the lowest take turns, and the lowest that a test
/// can call: a test for one above them would be one for them too.
const MOST_AT_FIRST: u32 = 3;

/// How many tests of another frame a search starts with.
const SEEDS: usize = 12;

/// The search for one frame.
pub(crate) struct FrameSearch<'g> {
    pub(crate) level: u32,
    pub(crate) package: &'g str,
    pub(crate) aim: TargetCalls,
    /// Where the exception is looked for.
    pub(crate) degree: Degree,
    /// Whether it looks where others would rather not, and so comes after them.
    is_fallback: bool,
    /// Whether a test can call the frame's own method.
    is_called: bool,
    judge: Judge<'g>,
    outermost: u16,
    ga: GuidedGa<TestCase>,
    pub(crate) record: Record,
    /// Why there is nothing to search.
    pub(crate) obstacle: Option<Obstacle>,
}

/// A test that crashes as wanted in the worker.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Place of its search.
    pub(crate) search: usize,
    pub(crate) level: u32,
    pub(crate) degree: Degree,
    /// Who receives the exception, if it does not leave the test.
    pub(crate) receiver: Option<Receiver>,
    pub(crate) test: TestCase,
    /// The same as the search has it, without a look at what keeps the exception, and maybe with
    /// statements that are never reached.
    pub(crate) found: TestCase,
    /// Whether its exception has another cause than the crash, as the message tells.
    pub(crate) is_twin: bool,
}

/// How a test crashed as wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// How many of its statements completed.
    completed: usize,
    outcome: Outcome,
    /// Who received the exception, if it did not leave the test.
    pub(crate) receiver: Option<Receiver>,
    /// Whether its exception has another cause than the crash, as the message tells.
    pub(crate) is_twin: bool,
}

/// All searches of a crash.
pub(crate) struct Engine<'h, 'g> {
    pub(crate) case: Case<'g>,
    settings: &'h Settings,
    pub(crate) host: &'h mut dyn Host,
    pub(crate) workshop: Workshop<'g>,
    evaluator: Box<dyn Evaluator>,
    pub(crate) searches: Vec<FrameSearch<'g>>,
    /// The best of each frame, in the order in which they were found.
    pub(crate) candidates: Vec<Candidate>,
    random: Random,
    /// Evaluations of searches; others do not count against the budget.
    pub(crate) evaluations: u64,
    /// When the last search step ended.
    pub(crate) searched: Duration,
}

impl<'h, 'g> Engine<'h, 'g> {
    /// Prepares the searches for all frames that are worth it.
    pub(crate) fn new(
        case: Case<'g>,
        goal: &'g Goal<'g>,
        settings: &'h Settings,
        host: &'h mut dyn Host,
    ) -> Result<Self, Failure> {
        let Case { classes, origins, audit, .. } = case;
        let wanted: Vec<&FrameAudit> = audit
            .frames
            .iter()
            .filter(|it| it.target && settings.frame.is_none_or(|frame| frame == it.level))
            .collect();
        let highest = wanted.last().map_or(0, |it| it.level);
        let package = wanted.last().and_then(|it| package_of(classes, it)).unwrap_or_default();
        let observed = Observed::new(classes, origins, audit, highest);
        let flags = Arc::new(observed.flags(classes));
        let evaluator = host.evaluator(&observed.recording, &package.replace('/', "."))?;
        let pools = crashback_seeding::pools(classes, audit, &settings.tuning);
        let context = Context::new(classes.index(), package);
        let mut workshop = Workshop::new(context, Vocabulary::default(), pools, settings.tuning.clone());
        let mut rng = Rng::new(settings.seed);
        let mut searches = Vec::new();
        for frame in wanted {
            let package = package_of(classes, frame).unwrap_or_default();
            let context = Context::new(classes.index(), package);
            let aim = aim(classes, audit, frame, context, workshop.vocabulary_mut());
            for (degree, is_fallback) in degrees(frame) {
                let probes = |it: &FrameAudit| observed.probes(it, frame.level);
                let Ok(target) = Target::new(classes, goal, audit, frame.level, probes) else { continue };
                let target = target.guided(classes, &frame.guides, |it| observed.probes_on_way(classes, it));
                let target = target.flagged(Arc::clone(&flags));
                let mut ga = GaSettings::default();
                ga.population = settings.population.unwrap_or(ga.population);
                searches.push(FrameSearch {
                    level: frame.level,
                    package,
                    obstacle: aim.calls.is_empty().then(Obstacle::no_entry),
                    aim: aim.clone(),
                    degree,
                    is_fallback,
                    is_called: frame.accessible == Some(true),
                    judge: Judge::new(target, degree),
                    outermost: observed.outermost(frame.level),
                    ga: GuidedGa::new(ga, rng.fork(), Vec::new()),
                    record: Record::default(),
                });
            }
        }
        let random = Random::new(rng.word());
        Ok(Self {
            case,
            settings,
            host,
            workshop,
            evaluator,
            searches,
            candidates: Vec::new(),
            random,
            evaluations: 0,
            searched: Duration::ZERO,
        })
    }

    /// Searches until the highest frame is found, or time or evaluations are used up. Frames take
    /// turns from the lowest up; a frame that is found makes those below it needless and gives
    /// those above it a start.
    pub(crate) fn search(&mut self, until: Duration) -> Result<(), Failure> {
        let mut slice = FIRST_SLICE;
        for round in 0.. {
            let (mut active, mut has_called) = (0, false);
            for number in 0..self.searches.len() {
                if !self.is_open(number) || round == 0 && self.can_wait(number) {
                    continue;
                }
                if self.must_stop(until) {
                    return Ok(());
                }
                let is_called = self.searches.get(number).is_some_and(|it| it.is_called);
                if active >= MOST_AT_FIRST && self.candidates.is_empty() && (has_called || !is_called) {
                    continue;
                }
                active += 1;
                has_called |= is_called;
                let turn = self.turn(until);
                self.search_frame(number, slice, turn)?;
            }
            if active == 0 {
                return Ok(());
            }
            slice = slice.saturating_mul(2);
        }
        Ok(())
    }

    /// Whether others come first: an exception that the program swallows is worth less than any
    /// that can be seen to leave it.
    fn can_wait(&self, number: usize) -> bool {
        self.searches.get(number).is_some_and(|it| it.is_fallback)
            && self.searches.iter().any(|it| !it.is_fallback && it.obstacle.is_none())
    }

    /// When the next turn ends at the latest. Slow programs must not spend all the time on the
    /// lowest frames; where tests are counted, time has no say.
    fn turn(&self, until: Duration) -> Duration {
        if self.settings.evaluations.is_some() {
            return until;
        }
        let elapsed = self.host.elapsed();
        let share = until.saturating_sub(elapsed) / SHARE_OF_TURN;
        until.min(elapsed + share.max(SHORTEST_TURN))
    }

    /// The best test so far: any before one for another cause, then one whose exception escapes,
    /// then that of the highest frame.
    pub(crate) fn best(&self) -> Option<&Candidate> {
        self.candidates.iter().max_by_key(|it| (!it.is_twin, std::cmp::Reverse(it.degree), it.level))
    }

    fn is_open(&self, number: usize) -> bool {
        let Some(search) = self.searches.get(number).filter(|it| it.obstacle.is_none()) else { return false };
        self.best().filter(|it| !it.is_twin).is_none_or(|best| {
            // What is looked for where the program puts it may still leave the test as a cause.
            let is_alike = search.degree == best.degree
                || self.searches.get(best.search).is_some_and(|it| it.degree == search.degree);
            search.degree < best.degree || is_alike && search.level > best.level
        })
    }

    fn must_stop(&self, until: Duration) -> bool {
        self.host.is_interrupted()
            || self.settings.evaluations.is_some_and(|it| self.evaluations >= it)
            || self.host.elapsed() >= until
    }

    fn search_frame(&mut self, number: usize, slice: u64, until: Duration) -> Result<(), Failure> {
        let Some(level) = self.aim_at(number) else { return Ok(()) };
        self.host.tell(Event::Searching { frame: level });
        self.begin(number);
        let mut left = slice;
        while left > 0 && self.is_open(number) && !self.must_stop(until) {
            let allowed = self.settings.evaluations.map_or(left, |it| left.min(it - self.evaluations));
            let Some((search, mut problem)) = self.problem(number) else { return Ok(()) };
            let step = search.step(&mut problem, allowed)?;
            self.evaluations += step.evaluated;
            left = left.saturating_sub(step.evaluated.max(1));
            if step.solved {
                self.confirm(number)?;
            }
            self.searched = self.host.elapsed();
            self.tell_progress(number);
        }
        Ok(())
    }

    /// The search with its problem, which borrow different parts.
    fn problem<'p>(
        &'p mut self,
        number: usize,
    ) -> Option<(&'p mut GuidedGa<TestCase>, FrameProblem<'p, 'g, 'g>)> {
        let FrameSearch { ga, judge, record, outermost, degree, .. } = self.searches.get_mut(number)?;
        let (workshop, evaluator) = (&mut self.workshop, &mut *self.evaluator);
        let (outermost, listens) = (*outermost, *degree == Degree::Caught);
        let (crash, classes) = (self.case.throwable, self.case.classes);
        Some((ga, FrameProblem { workshop, evaluator, judge, outermost, listens, record, classes, crash }))
    }

    /// Lets the workshop make tests for a frame.
    pub(crate) fn aim_at(&mut self, number: usize) -> Option<u32> {
        let search = self.searches.get(number)?;
        self.workshop.set_target(search.package, search.aim.clone());
        Some(search.level)
    }

    /// Gives a search that has not begun its first tests: new ones, and the best of the nearest
    /// frame below.
    fn begin(&mut self, number: usize) {
        let Some(search) = self.searches.get(number).filter(|it| it.record.evaluations == 0) else { return };
        let first = (0..8).find_map(|_| self.workshop.random(0.5, &mut self.random));
        let level = search.level;
        let below = self.searches.iter().filter(|it| it.level < level && it.record.evaluations > 0);
        let below = below.max_by_key(|it| it.level);
        let seeds: Vec<TestCase> = below
            .into_iter()
            .flat_map(|it| it.ga.population().iter().take(SEEDS / 2))
            .map(|it| it.individual.clone())
            .collect();
        let seeds: Vec<TestCase> =
            seeds.iter().filter_map(|it| self.workshop.continued(it, &mut self.random)).collect();
        let unavailable = self.unavailable();
        let Some(search) = self.searches.get_mut(number) else { return };
        match first {
            None => search.obstacle = Some(unavailable),
            Some(first) => search.record.first = Some(first),
        }
        search.ga.inject(seeds);
    }

    /// Why no test could be made.
    fn unavailable(&self) -> Obstacle {
        let mut words = String::from("no test that enters the frame could be made");
        for (of, reason) in self.workshop.unavailable().iter().take(3) {
            if let Some(of) = self.workshop.vocabulary().type_of(*of) {
                words.push_str(&format!("; {}: {reason}", of.view()));
            }
        }
        Obstacle::new(ObstacleKind::TypesUnavailable, words)
    }

    /// Runs a test that crashed as wanted once more, with everything loaded anew, before it counts.
    fn confirm(&mut self, number: usize) -> Result<(), Failure> {
        let Some(test) =
            self.searches.get(number).and_then(|it| it.ga.best()).map(|it| it.individual.clone())
        else {
            return Ok(());
        };
        let looking = self.looking(number, &test)?;
        let is_choosy = self.searches.get(number).is_some_and(|it| it.record.is_choosy);
        match self.seen(number, &looking)?.filter(|it| !(is_choosy && it.is_twin)) {
            Some(seen) => self.accept(number, up_to(&looking, seen.completed), test, seen),
            None => self.refute(number, &test),
        }
        Ok(())
    }

    /// The test with a look at what keeps the exception, where it needs one.
    fn looking(&mut self, number: usize, test: &TestCase) -> Result<TestCase, Failure> {
        if self.searches.get(number).is_none_or(|it| it.degree != Degree::Caught) {
            return Ok(test.clone());
        }
        let looking = self.workshop.with_single_exception_getters(test);
        // One that leaves the test as a cause before one that only somebody receives.
        let mut ranks = Vec::new();
        if let Some((_, mut problem)) = self.problem(number) {
            problem.assess(&looking, Isolation::FreshLoader, |_, assessment, observation| {
                let rank = (observation.outcome == Outcome::Returned, assessment.receiver);
                ranks.push(Some(rank).filter(|_| assessment.stage == Stage::Reproduced));
            })?;
        }
        let ranked = looking.iter().zip(ranks).filter_map(|(it, rank)| Some((it, rank?)));
        let best = ranked.min_by_key(|(_, rank)| *rank).map(|(it, _)| it);
        Ok(best.unwrap_or(test).clone())
    }

    /// How a test that has a JVM of its own ends, if it crashes as wanted.
    pub(crate) fn seen(&mut self, number: usize, test: &TestCase) -> Result<Option<Seen>, Failure> {
        let mut seen = None;
        if let Some((_, mut problem)) = self.problem(number) {
            let tests = std::slice::from_ref(test);
            problem.assess(tests, Isolation::FreshJvm, |problem, assessment, observation| {
                if assessment.stage == Stage::Reproduced {
                    seen = Some(Seen {
                        completed: usize::from(observation.completed),
                        outcome: observation.outcome,
                        receiver: assessment.receiver,
                        is_twin: is_twin(problem.crash, observation),
                    });
                }
            })?;
        }
        Ok(seen)
    }

    /// Which tests crash as wanted for the frame of a candidate, for no other cause unless its own
    /// is another already.
    pub(crate) fn reproduces(
        &mut self,
        candidate: &Candidate,
        tests: &[TestCase],
        isolation: Isolation,
    ) -> Result<Vec<bool>, Failure> {
        let mut verdicts = Vec::with_capacity(tests.len());
        if let Some((_, mut problem)) = self.problem(candidate.search) {
            problem.assess(tests, isolation, |problem, assessment, observation| {
                let is_same = candidate.is_twin || !is_twin(problem.crash, observation);
                verdicts.push(assessment.stage == Stage::Reproduced && is_same);
            })?;
        }
        Ok(verdicts)
    }

    fn accept(&mut self, number: usize, test: TestCase, found: TestCase, seen: Seen) {
        let Some(search) = self.searches.get(number) else { return };
        let (level, mut degree) = (search.level, search.degree);
        if degree == Degree::Caught && seen.outcome == Outcome::Threw {
            degree = Degree::Cause;
        }
        let entering = up_to(&found, seen.completed);
        let Seen { receiver, is_twin, .. } = seen;
        if is_twin && let Some(search) = self.searches.get_mut(number) {
            search.record.is_choosy = true;
            // Others that were scored until now may be like it.
            search.ga.discard(|it| it.score.is_solved());
        }
        self.candidates.push(Candidate { search: number, level, degree, receiver, test, found, is_twin });
        for above in 0..self.searches.len() {
            if self.searches.get(above).is_none_or(|it| it.level <= level || it.obstacle.is_some()) {
                continue;
            }
            self.aim_at(above);
            let seeds: Vec<TestCase> =
                (0..SEEDS).filter_map(|_| self.workshop.continued(&entering, &mut self.random)).collect();
            if let Some(search) = self.searches.get_mut(above) {
                search.ga.inject(seeds);
            }
        }
    }

    /// A test that does not do what it seemed to do.
    pub(crate) fn refute(&mut self, number: usize, test: &TestCase) {
        self.candidates.retain(|it| it.search != number || it.found != *test);
        if let Some(search) = self.searches.get_mut(number) {
            search.record.refuted.push(test.clone());
            search.ga.discard(|it| it.individual == *test);
        }
    }

    fn tell_progress(&mut self, number: usize) {
        if let Some(search) = self.searches.get(number) {
            let event = Event::Progress {
                frame: search.level,
                outcome: search.record.stage.unverified(),
                distance: search.record.distance,
                evaluations: self.evaluations,
                elapsed: self.searched,
            };
            self.host.tell(event);
        }
    }

    pub(crate) fn workshop_and_random(&mut self) -> (&mut Workshop<'g>, &mut Random) {
        (&mut self.workshop, &mut self.random)
    }
}

/// The test case up to the statement that crashes: what comes after it never runs.
fn up_to(test: &TestCase, last: usize) -> TestCase {
    match test.statements().get(..=last) {
        Some(run) if run.len() < test.statements().len() => TestCase::new(run.to_vec()),
        _ => test.clone(),
    }
}

/// What a test can see of the exception, and whether it comes to that only when nothing else does:
/// a frame that is entered through others may show what those make of it.
fn degrees(frame: &FrameAudit) -> Vec<(Degree, bool)> {
    match frame.propagation {
        Degree::Caught => vec![(Degree::Caught, true)],
        Degree::Cause => vec![(Degree::Cause, false)],
        Degree::Escapes if frame.entries.is_empty() => vec![(Degree::Escapes, false)],
        Degree::Escapes => vec![(Degree::Escapes, false), (Degree::Caught, true)],
    }
}
