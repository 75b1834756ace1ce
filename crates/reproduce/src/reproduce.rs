//! From searches to a verified test, and to the result.

use std::cmp::Reverse;
use std::time::Duration;

use crashback_fitness::Stage;
use crashback_program::frames::{FrameAudit, Goal};
use crashback_program::missing::MissingClass;
use crashback_protocol::Failure;
use crashback_trace::{Relaxation, Relaxations};

use crate::arm::Arm;
use crate::candidate::{Candidate, mocks, nulls};
use crate::obstacle::{Obstacle, Unfinished, missing_classes};
use crate::search::{Effort, Minimised, Search};
use crate::usefulness::Known;
use crate::verification::{Claim, Verified, Verifier};
use crate::{Case, FrameResult, Host, LibraryLines, ObstacleKind, Reproduction, Settings, Timing, timing};

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
        let mut doubtful: Option<Verified> = None;
        loop {
            let until = self.settings.time.saturating_sub(self.reserve()).min(self.improved_by);
            let begun = self.host.elapsed();
            let searched = self.search.run(self.host, until);
            timing::add(&mut self.timing.search, begun, self.host.elapsed());
            match searched {
                // Workers end with an interruption. What was found until then is not lost.
                Err(_) if self.host.is_interrupted() => {}
                searched => searched?,
            }
            let Some(candidate) = self.search.best().cloned() else {
                return Ok(self.result(doubtful));
            };
            let doubtful_level = doubtful.as_ref().map_or(0, |it| it.level);
            // Nothing better comes after it.
            if candidate.has_other_cause && doubtful.as_ref().is_some_and(|it| it.level >= candidate.level) {
                return Ok(self.result(doubtful));
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
                    return Ok(self.result(if is_best { Some(verified) } else { doubtful }));
                }
                Ok(None) => {}
                Err(_) if self.host.is_interrupted() => return Ok(self.result(doubtful)),
                Err(failure) => return Err(failure),
            }
            self.search.refute(candidate.arm, &candidate.found);
            if self.left().is_zero() {
                return Ok(self.result(doubtful));
            }
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
        let Candidate { level, degree, maker, .. } = *candidate;
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
        let package = self.search.arms().get(maker).map_or("", |it| it.package);
        let (receiver, is_minimised) = (*receiver, *is_minimised);
        let asked = asked.as_slice();
        let claim =
            Claim { test, vocabulary, package, level, degree, receiver, is_minimised, asked, rests_on_zero };
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

    fn result(self, verified: Option<Verified>) -> Reproduction {
        let audit = self.case.audit;
        let reproduced = verified.as_ref().map(|it| it.level);
        let frames = self.frames(reproduced.unwrap_or(0));
        let Effort { evaluations, searched, usage, workers } = self.search.effort();
        let timing = self.timing.clone().with_workers(&workers);
        let searched = searched.as_secs_f64();
        let outcome = frames.iter().map(|it| it.outcome).max().unwrap_or_default();
        let (obstacle, obstacle_kind) = main_obstacle(&frames);
        let missing_classes = self.missing_classes(reproduced.unwrap_or(0));
        let unavailable_types = self.search.unavailable_types();
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
            unverified_claims: u32::try_from(refusals.len()).unwrap_or(u32::MAX),
            unverified_reasons: refusals,
            obstacle,
            obstacle_kind,
            missing_classes,
            unavailable_types,
            interrupted: self.host.is_interrupted(),
        }
    }

    fn frames(&self, reproduced: u32) -> Vec<FrameResult> {
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
            FrameResult {
                level: frame.level,
                frame: format!("{}.{}{place}", frame.class, frame.method),
                outcome,
                evaluations: arms.map(|it| it.record.evaluations).sum(),
                obstacle_kind: obstacle.as_ref().map(|it| it.kind),
                obstacle: obstacle.map(|it| it.words),
            }
        });
        described.collect()
    }

    fn obstacle(&self, frame: &FrameAudit, arm: &Arm<'_>, reproduced: u32) -> Obstacle {
        let Case { classes, audit, .. } = self.case;
        let last_refusal = self.verifier.refusals.last().map(String::as_str);
        let (record, degree) = (&arm.record, arm.facts.degree);
        Unfinished { classes, audit, frame, record, degree, last_refusal, reproduced }.obstacle()
    }

    fn missing_classes(&self, reproduced: u32) -> Vec<MissingClass> {
        let Case { classes, audit, .. } = self.case;
        let frames = audit.frames.iter().filter(|it| it.target && it.level > reproduced);
        let arms = self.search.arms().iter().filter(|it| it.facts.level > reproduced);
        missing_classes(classes, frames, arms.map(|it| &it.record))
    }
}

/// Whether another line than the logged one was accepted.
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
