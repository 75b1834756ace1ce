//! From searches to a verified test, and to the result.

use std::cmp::Reverse;
use std::time::Duration;

use crashback_fitness::Stage;
use crashback_program::frames::{FrameAudit, Goal, Hint};
use crashback_program::missing::MissingClass;
use crashback_protocol::Failure;
use crashback_trace::{Relaxation, Relaxations};

use crate::arm::Arm;
use crate::candidate::{Candidate, Inner, mocks, nulls};
use crate::obstacle::{Obstacle, Unfinished, missing_classes};
use crate::progress::Origin;
use crate::schedule::ArmFacts;
use crate::search::{Effort, Minimised, Search};
use crate::usefulness::Known;
use crate::verification::{Claim, Verified, Verifier};
use crate::{
    ArmShare, Case, Degree, FrameResult, Host, LibraryLines, ObstacleKind, OuterTest, ProgressPoint,
    Reproduction, Settings, Timing, timing,
};

/// The share of the time that is kept for minimising and verifying before it is known how long they
/// take, and the most that is.
const RESERVE: f64 = 0.3;
const MOST_RESERVE: Duration = Duration::from_millis(2500);
/// The share that is kept at most, however long they took before.
const MOST_RESERVE_SHARE: f64 = 0.5;

/// The shortest time for which a better test than a good one is looked for.
const SHORTEST_IMPROVEMENT: Duration = Duration::from_secs(2);

/// The time that is kept for verifying a test alone.
const VERIFYING: Duration = Duration::from_millis(1200);

/// Looks for a test that crashes the program in the same way, at the highest frame that can be
/// reached, and verifies it.
///
/// Not to find one is a result. It fails where the host does: when workers cannot be started, or tests
/// cannot be verified.
pub fn reproduce(case: Case<'_>, settings: &Settings, host: &mut dyn Host) -> Result<Reproduction, Failure> {
    let begun = host.elapsed();
    let mut timing = Timing { index: begun.as_secs_f64(), ..Timing::default() };
    let goal = Goal::new(case.classes, case.throwable, case.audit);
    let search = Search::new(case, &goal, settings, host)?;
    let verifier = Verifier::new(case, &goal, settings);
    timing::add(&mut timing.prepare, begun, host.elapsed());
    Attempt {
        case,
        search,
        verifier,
        host,
        settings,
        timing,
        dearest: Duration::ZERO,
        improved_by: Duration::MAX,
    }
    .run()
}

struct Attempt<'h, 'g> {
    case: Case<'g>,
    search: Search<'g>,
    verifier: Verifier<'g>,
    host: &'h mut dyn Host,
    settings: &'h Settings,
    timing: Timing,
    /// The longest time that minimising and verifying a test has taken.
    dearest: Duration,
    /// When the search for a better test than a good one ends.
    improved_by: Duration,
}

impl Attempt<'_, '_> {
    fn run(mut self) -> Result<Reproduction, Failure> {
        let verified = self.best()?;
        let outer = match verified.as_ref().filter(|it| it.is_satisfactory()) {
            Some(inner) => self.outer(inner)?,
            None => None,
        };
        Ok(self.result(verified, outer))
    }

    /// The best test that is found and verified within the time.
    fn best(&mut self) -> Result<Option<Verified>, Failure> {
        let mut doubtful: Option<Verified> = None;
        loop {
            let until = self.settings.time.saturating_sub(self.reserve()).min(self.improved_by);
            self.search(until)?;
            let Some(candidate) = self.search.best().cloned() else { return Ok(doubtful) };
            let doubtful_level = doubtful.as_ref().map_or(0, |it| it.level);
            // Nothing better comes after it.
            if candidate.has_other_cause && doubtful.as_ref().is_some_and(|it| it.level >= candidate.level) {
                return Ok(doubtful);
            }
            let begun = self.host.elapsed();
            let verified = self.verify_or_rival(&candidate, doubtful_level);
            self.dearest = self.dearest.max(self.host.elapsed().saturating_sub(begun));
            match verified {
                // A test without doubt is better, if one is found within the time.
                Ok(Some(verified)) if !verified.doubts.is_empty() => {
                    if verified.is_satisfactory() && self.improved_by == Duration::MAX {
                        self.improve_on(&verified);
                    }
                    if doubtful.as_ref().is_none_or(|it| it.rank() < verified.rank()) {
                        doubtful = Some(verified);
                    }
                }
                Ok(Some(verified)) => {
                    let is_best = doubtful.as_ref().is_none_or(|it| it.rank() < verified.rank());
                    return Ok(if is_best { Some(verified) } else { doubtful });
                }
                Ok(None) => self.search.deny(&candidate),
                Err(_) if self.host.is_interrupted() => return Ok(doubtful),
                Err(failure) => return Err(failure),
            }
            self.search.refute(candidate.arm, &candidate.found);
            if self.left().is_zero() {
                return Ok(doubtful);
            }
        }
    }

    /// The best test of a frame above a verified one's, for as long again as that one took: where the
    /// program wraps or catches the exception on its way up, a test from there is nearer to the log, and one
    /// from below, which the exception leaves, is simpler. So both are told.
    fn outer(&mut self, inner: &Verified) -> Result<Option<Verified>, Failure> {
        let mut best: Option<Verified> = None;
        let mut above = Inner { level: inner.level, degree: inner.degree };
        self.verifier.beside(&inner.written);
        let elapsed = self.host.elapsed();
        let most = elapsed + elapsed.max(SHORTEST_IMPROVEMENT);
        while !self.host.is_interrupted() && !self.left().is_zero() && self.search.look_above(above)? {
            self.search(self.settings.time.saturating_sub(self.reserve()).min(most))?;
            let Some(candidate) = self.search.best().cloned() else { return Ok(best) };
            match self.verify(&candidate, u32::MAX) {
                Ok(Some(verified)) if verified.is_satisfactory() => {
                    above.level = verified.level;
                    best = Some(verified);
                }
                Ok(verified) => {
                    if verified.is_none() {
                        self.search.deny(&candidate);
                    }
                    self.search.refute(candidate.arm, &candidate.found);
                }
                Err(_) if self.host.is_interrupted() => return Ok(best),
                Err(failure) => return Err(failure),
            }
        }
        Ok(best)
    }

    fn search(&mut self, until: Duration) -> Result<(), Failure> {
        let begun = self.host.elapsed();
        let searched = self.search.run(self.host, until);
        timing::add(&mut self.timing.search, begun, self.host.elapsed());
        match searched {
            // Workers end with an interruption. What was found until then is not lost.
            Err(_) if self.host.is_interrupted() => Ok(()),
            searched => searched,
        }
    }

    /// Lets the search go on for a test that is better than one whose crash is the logged one: as long again
    /// as that one took.
    fn improve_on(&mut self, verified: &Verified) {
        let elapsed = self.host.elapsed();
        self.improved_by = elapsed + elapsed.max(SHORTEST_IMPROVEMENT);
        let Verified { level, degree, .. } = *verified;
        self.search.improve_on(Known { level, degree, mocks: mocks(&verified.test) });
    }

    /// Verifies the most useful rival of a candidate; the candidate itself if there is none, or if plain JVMs
    /// deny it.
    fn verify_or_rival(
        &mut self,
        candidate: &Candidate,
        doubtful_level: u32,
    ) -> Result<Option<Verified>, Failure> {
        if !self.host.is_interrupted()
            && let Some(rival) = self.search.rival(candidate)?
        {
            let verified = self.verify(&rival, doubtful_level)?;
            self.search.refute(rival.arm, &rival.found);
            if verified.is_some() || self.left().is_zero() {
                return Ok(verified);
            }
        }
        self.verify(candidate, doubtful_level)
    }

    /// Minimises a candidate and has it run in plain JVMs, as it was found if need be. None if it does not
    /// crash as wanted there, or rests on made-up answers and is no better than a doubtful test of a level.
    fn verify(&mut self, candidate: &Candidate, doubtful_level: u32) -> Result<Option<Verified>, Failure> {
        let begun = self.host.elapsed();
        // A test that is not quite simple is worse than one that is verified at the last moment.
        let left = self.left();
        let until = begun + left.saturating_sub(VERIFYING).max(left / 4);
        let minimised = self.search.minimise(candidate, self.host, until);
        timing::add(&mut self.timing.minimise, begun, self.host.elapsed());
        let minimised = match minimised {
            // Workers end with an interruption; the test is as good as it was.
            Err(_) if self.host.is_interrupted() => Minimised::not(candidate),
            minimised => minimised?,
        };
        let verified = self.verify_as(candidate, &minimised, doubtful_level)?;
        if verified.is_some() || minimised.test == candidate.test || self.left().is_zero() {
            return Ok(verified);
        }
        self.verify_as(candidate, &Minimised::not(candidate), doubtful_level)
    }

    /// Has a form of a candidate run in plain JVMs.
    fn verify_as(
        &mut self,
        candidate: &Candidate,
        minimised: &Minimised,
        doubtful_level: u32,
    ) -> Result<Option<Verified>, Failure> {
        let Minimised { test, receiver, is_done: is_minimised } = minimised;
        let Candidate { level, degree, origin, .. } = *candidate;
        let vocabulary = self.search.vocabulary();
        if level <= doubtful_level && self.verifier.is_made_up(test, vocabulary) {
            return Ok(None);
        }
        let asked = match self.host.is_interrupted() || mocks(test) == 0 {
            true => Vec::new(),
            false => self.search.asked(candidate, test)?,
        };
        let rests_on_zero = !asked.is_empty() && self.search.rests_on_zero(candidate, test, &asked)?;
        let vocabulary = self.search.vocabulary();
        let package = self.search.arms().get(origin.maker).map_or("", |it| it.package);
        let (receiver, is_minimised) = (*receiver, *is_minimised);
        let asked = asked.as_slice();
        let claim = Claim {
            test,
            vocabulary,
            package,
            level,
            degree,
            receiver,
            is_minimised,
            asked,
            rests_on_zero,
            origin,
        };
        let (begun, compiled) = (self.host.elapsed(), self.host.compiling());
        let verified = self.verifier.verify(claim, self.host);
        let compiling = self.host.compiling().saturating_sub(compiled);
        self.timing.compile += compiling.as_secs_f64();
        timing::add(&mut self.timing.verify, begun + compiling, self.host.elapsed());
        verified
    }

    /// The time that is kept for minimising and verifying: a guess, and what it took before if that is
    /// more.
    fn reserve(&self) -> Duration {
        let time = self.settings.time;
        let guess = time.mul_f64(RESERVE).min(MOST_RESERVE);
        guess.max(self.dearest).min(time.mul_f64(MOST_RESERVE_SHARE))
    }

    fn left(&self) -> Duration {
        self.settings.time.saturating_sub(self.host.elapsed())
    }

    fn result(self, verified: Option<Verified>, outer: Option<Verified>) -> Reproduction {
        let audit = self.case.audit;
        let reproduced = verified.as_ref().map(|it| it.level);
        let tests: Vec<&Verified> = verified.iter().chain(&outer).collect();
        let highest = tests.last().map_or(0, |it| it.level);
        let frames = self.frames(&tests);
        let arms = self.arms();
        let (given_tests, test_pool) = (self.search.seeds().given.clone(), self.search.test_pool());
        let Effort { evaluations, searched, usage, workers } = self.search.effort();
        let timing = self.timing.clone().with_workers(&workers);
        let searched = searched.as_secs_f64();
        let outcome = frames.iter().map(|it| it.outcome).max().unwrap_or_default();
        let (obstacle, obstacle_kind) = main_obstacle(&frames);
        let missing_classes = self.missing_classes(highest);
        let unavailable_types = self.search.unavailable_types();
        let hints = self.hints(highest);
        let refusals = self.verifier.refusals;
        let mut relaxations = verified.as_ref().map_or_else(|| audit.relaxations(), |it| it.relaxations);
        if audit.needs_assertions {
            relaxations |= Relaxation::Assertions.into();
        }
        Reproduction {
            reproduced: verified.is_some(),
            verified: verified.is_some(),
            frame: reproduced,
            highest_target_frame: audit.highest_target_frame,
            outcome,
            degree: verified.as_ref().map(|it| it.degree),
            line_shifted: verified.is_some() && moves_lines(relaxations),
            library_lines: LibraryLines::of(relaxations),
            relaxations,
            frames,
            arms,
            given_tests,
            test_pool,
            evaluations,
            seconds: self.host.elapsed().as_secs_f64(),
            evaluations_per_second: if searched > 0.0 { evaluations as f64 / searched } else { 0.0 },
            waiting_share: usage.share_waiting(),
            timing,
            seed: self.settings.seed,
            nulls: verified.as_ref().map_or(0, |it| nulls(&it.test)),
            mocks: verified.as_ref().map_or(0, |it| mocks(&it.test)),
            satisfactory: verified.as_ref().is_some_and(Verified::is_satisfactory),
            doubts: verified.as_ref().map(|it| it.doubts.clone()).unwrap_or_default(),
            test: verified.map(|it| it.written),
            test_jars: Vec::new(),
            outer: outer.map(OuterTest::from),
            unverified_claims: u32::try_from(refusals.len()).unwrap_or(u32::MAX),
            unverified_reasons: refusals,
            obstacle,
            obstacle_kind,
            missing_classes,
            unavailable_types,
            hints,
            interrupted: self.host.is_interrupted(),
        }
    }

    /// The results of all target frames, from verified tests, that of the lower frame first.
    fn frames(&self, tests: &[&Verified]) -> Vec<FrameResult> {
        let reproduced = tests.last().map_or(0, |it| it.level);
        let targets = self.case.audit.frames.iter().filter(|it| it.target);
        let described = targets.map(|frame| {
            let arms = self.search.arms().iter().filter(|it| it.facts.level == frame.level);
            let arm = arms.clone().max_by_key(|it| (it.record.stage, Reverse(it.facts.degree)));
            let outcome = match arm {
                _ if frame.level <= reproduced => Stage::Reproduced,
                Some(arm) => arm.record.stage.unverified(),
                None => Stage::NotStarted,
            };
            let obstacle = arm
                .filter(|_| outcome != Stage::Reproduced)
                .map(|it| it.obstacle.clone().unwrap_or_else(|| self.obstacle(frame, it, reproduced)));
            let place = frame.line.map_or(String::new(), |line| format!(":{line}"));
            let verified = tests.iter().find(|it| frame.level <= it.level);
            let found = verified.map(|it| self.found(frame.level, it));
            let curve = self.curve(frame.level, found);
            FrameResult {
                level: frame.level,
                frame: format!("{}.{}{place}", frame.class, frame.method),
                outcome,
                degree: verified.map(|it| it.degree),
                evaluations: arms.map(|it| it.record.evaluations).sum(),
                obstacle_kind: obstacle.as_ref().map(|it| it.kind),
                obstacle: obstacle.map(|it| it.words),
                distance: curve.last().map(|it| it.distance),
                curve,
                found_by: found.and_then(|it| self.arm_in_words(it)),
                found_after: found.map(|it| it.elapsed.as_secs_f64()),
            }
        });
        described.collect()
    }

    /// Where the test that reproduces a frame comes from: the verified one at its own frame, below it
    /// the first that was confirmed there.
    fn found(&self, level: u32, verified: &Verified) -> Origin {
        let first = self.search.progress().first_find(level).filter(|_| level < verified.level);
        first.unwrap_or(verified.origin)
    }

    /// How the distance of a frame fell. Arms of a frame do not look at tests of higher frames that
    /// reproduce it too, once these have made them needless.
    fn curve(&self, level: u32, found: Option<Origin>) -> Vec<ProgressPoint> {
        let mut curve = self.search.progress().curve(level).to_vec();
        let last = curve.last().copied();
        if let Some(found) = found.filter(|_| last.is_none_or(|it| it.distance > 0.0)) {
            let last = last.unwrap_or_default();
            curve.push(ProgressPoint {
                evaluations: found.evaluations.max(last.evaluations),
                seconds: found.elapsed.as_secs_f64().max(last.seconds),
                distance: 0.0,
            });
        }
        curve
    }

    /// The arm and the pursuit that made a test: `frame 3, escapes, guided-ga, call-chain`.
    fn arm_in_words(&self, origin: Origin) -> Option<String> {
        let arm = self.search.arms().get(origin.maker)?;
        let name = arm.pursuits.name(origin.pursuit)?;
        Some(format!("frame {}, {}, {name}", arm.facts.level, degree_in_words(arm.facts.degree)))
    }

    /// What each pursuit of each arm did.
    fn arms(&self) -> Vec<ArmShare> {
        let of_arm = |arm: &Arm<'_>| {
            let ArmFacts { level, degree, .. } = arm.facts;
            let shares = arm.pursuits.shares().filter(|it| it.tests > 0);
            let shares = shares.map(|it| ArmShare {
                frame: level,
                degree,
                pursuit: it.name.to_owned(),
                evaluations: it.tests,
                steps: it.steps,
            });
            shares.collect::<Vec<_>>()
        };
        self.search.arms().iter().flat_map(of_arm).collect()
    }

    fn obstacle(&self, frame: &FrameAudit, arm: &Arm<'_>, reproduced: u32) -> Obstacle {
        let Case { classes, audit, .. } = self.case;
        let last_refusal = self.verifier.refusals.last().map(String::as_str);
        let (record, degree) = (&arm.record, arm.facts.degree);
        Unfinished { classes, audit, frame, record, degree, last_refusal, reproduced }.obstacle()
    }

    /// How the target frames above the highest reproduced one are called.
    fn hints(&self, reproduced: u32) -> Vec<Hint> {
        self.open_frames(reproduced).map(|it| Hint::of(self.case.classes, it)).collect()
    }

    /// The target frames above the highest reproduced one.
    fn open_frames(&self, reproduced: u32) -> impl Iterator<Item = &FrameAudit> {
        self.case.audit.frames.iter().filter(move |it| it.target && it.level > reproduced)
    }

    fn missing_classes(&self, reproduced: u32) -> Vec<MissingClass> {
        let classes = self.case.classes;
        let frames = self.open_frames(reproduced);
        let arms = self.search.arms().iter().filter(|it| it.facts.level > reproduced);
        missing_classes(classes, frames, arms.map(|it| &it.record))
    }
}

/// Whether another line than the logged one was accepted.
fn degree_in_words(degree: Degree) -> &'static str {
    match degree {
        Degree::Escapes => "escapes",
        Degree::Cause => "cause",
        Degree::Caught => "caught",
    }
}

fn moves_lines(relaxations: Relaxations) -> bool {
    let moves = [Relaxation::ShiftedLine, Relaxation::ConstructorLine, Relaxation::MovedLines];
    moves.iter().any(|it| relaxations.contains(*it))
}

/// The obstacle of all searches: above a reproduced frame that of the next one, otherwise that of the
/// frame whose search came furthest.
fn main_obstacle(frames: &[FrameResult]) -> (Option<String>, Option<ObstacleKind>) {
    let open = frames.iter().filter(|it| it.obstacle.is_some());
    let is_any_reproduced = frames.iter().any(|it| it.outcome == Stage::Reproduced);
    let main = if is_any_reproduced {
        open.min_by_key(|it| it.level)
    } else {
        open.max_by_key(|it| (it.outcome, Reverse(it.level)))
    };
    main.map_or((None, None), |it| (it.obstacle.clone(), it.obstacle_kind))
}
