use crashback_program::frames::Degree;
use crashback_protocol::{Facts, Observation, Outcome, Receiver, Throwable};
use crashback_trace::{Frame, Relaxations};

use crate::assessment::{Assessment, Stage};
use crate::hindrance::Hindered;
use crate::target::Target;
use crate::traces::{Comparison, Memo};

/// Goes over observations with a target. Judgements depend on nothing but target, degree,
/// observation and the frames that it names; what is kept from one to the next only saves time.
pub struct Judge<'g> {
    target: Target<'g>,
    /// Where the exception is looked for.
    degree: Degree,
    memo: Memo,
    /// Meanings of the frames of a batch, as far as they were asked for.
    meanings: Vec<Option<usize>>,
    /// For each observed frame, what an execution left.
    marks: Vec<u8>,
}

/// A batch of observations, which share numbers for frames.
pub struct Batch<'j, 'g> {
    judge: &'j mut Judge<'g>,
    frames: &'j [Frame],
}

impl<'g> Judge<'g> {
    /// A judge for a target.
    pub fn new(target: Target<'g>, degree: Degree) -> Self {
        let marks = vec![0; target.lines.len()];
        Self { target, degree, memo: Memo::default(), meanings: Vec::new(), marks }
    }

    /// What is judged against.
    pub fn target(&self) -> &Target<'g> {
        &self.target
    }

    /// Begins a batch, of whose observations these are the frames:
    /// [`Results::frames`](crashback_protocol::Results::frames).
    pub fn batch<'j>(&'j mut self, frames: &'j [Frame]) -> Batch<'j, 'g> {
        self.meanings.clear();
        self.meanings.resize(frames.len(), None);
        Batch { judge: self, frames }
    }

    /// The first frame from outside that an execution did not run through; none if it ran through
    /// all that are observed.
    pub fn hindered(&mut self, facts: &Facts) -> Option<Hindered> {
        let Self { target, marks, .. } = self;
        let seen = target.see(facts);
        let diverging = target.lines.diverging(&seen, marks);
        let (goal, marks) = target.lines.get(diverging).zip(marks.get(diverging))?;
        let by = goal.hindrance(&seen, *marks, &target.flags);
        Some(Hindered { frame: goal.frame, line: goal.line, by })
    }
}

impl Batch<'_, '_> {
    /// The first frame from outside that an execution did not run through.
    pub fn hindered(&mut self, facts: &Facts) -> Option<Hindered> {
        self.judge.hindered(facts)
    }

    /// How far an execution was from the crash.
    pub fn assess(&mut self, observation: &Observation) -> Assessment {
        let Judge { target, marks, .. } = &mut *self.judge;
        let seen = target.see(&observation.facts);
        let diverging = target.lines.diverging(&seen, marks);
        let frames_left = target.lines.len() - diverging;
        let line = target.line_distance(diverging, &seen, marks);
        let is_outside = frames_left > 0 && diverging == 0 && line.is_infinite();
        let approach = if is_outside { target.approach(&seen) } else { 0.0 };
        let target_line = if diverging == 0 { target.target_line_distance(&seen) } else { 0.0 };
        let throwing = if frames_left == 0 { target.throwing_distance(&seen) } else { f64::INFINITY };
        let value = if frames_left == 0 { target.value_distance(&seen) } else { f64::INFINITY };
        let found = self.nearest_trace(observation);
        let reproduced = found.is_some_and(|it| it.agreed >= self.judge.target.trace.level);
        let stage = match found {
            _ if reproduced => Stage::Reproduced,
            _ if target_line > 0.0 => Stage::LineNotReached,
            Some(_) => Stage::ExceptionThrown,
            None => Stage::LineReached,
        };
        Assessment {
            stage,
            frames_left: u32::try_from(frames_left).unwrap_or(u32::MAX),
            approach,
            line,
            target_line,
            throwing,
            value,
            thrown: found.is_some(),
            trace: found.map_or(f64::INFINITY, |it| it.distance),
            agreed: found.map_or(0, |it| it.agreed),
            relaxations: found.map_or_else(Relaxations::default, |it| it.relaxations),
            receiver: found.and_then(|it| it.receiver),
        }
    }

    /// The comparison of the exception of the crash's class that comes nearest, if there is one.
    fn nearest_trace(&mut self, observation: &Observation) -> Option<Comparison> {
        let all = &observation.facts.throwables;
        match self.judge.degree {
            Degree::Escapes => self.nearest_of(observation.thrown()),
            Degree::Cause => self.nearest_of(chain(observation.thrown(), all)),
            Degree::Caught if observation.outcome == Outcome::Returned => {
                self.nearest_received(&observation.facts)
            }
            Degree::Caught => {
                let found = self.nearest_of(chain(observation.thrown(), all));
                found.or_else(|| self.nearest_received(&observation.facts).map(|it| self.too_early(it)))
            }
        }
    }

    /// The nearest of the exceptions that a receiver got, their causes included.
    fn nearest_received(&mut self, facts: &Facts) -> Option<Comparison> {
        let mut nearest: Option<Comparison> = None;
        for (receiver, received) in received(facts) {
            let found = self.nearest_of(chain(Some(received), &facts.throwables));
            let found = found.map(|it| Comparison { receiver: Some(receiver), ..it });
            nearest = match (nearest, found) {
                (Some(nearest), Some(found)) if is_nearer(&found, &nearest) => Some(found),
                (nearest, found) => nearest.or(found),
            };
        }
        nearest
    }

    /// What was seen before something else ended the test: near, but not there.
    fn too_early(&self, seen: Comparison) -> Comparison {
        let level = self.judge.target.trace.level;
        Comparison {
            agreed: seen.agreed.min(level.saturating_sub(1)),
            distance: seen.distance.max(1.0),
            ..seen
        }
    }

    fn nearest_of<'o>(&mut self, throwables: impl IntoIterator<Item = &'o Throwable>) -> Option<Comparison> {
        let mut nearest: Option<Comparison> = None;
        for throwable in throwables {
            if !self.judge.target.trace.is_exception(&throwable.class) {
                continue;
            }
            let found = self.compare(throwable);
            if nearest.as_ref().is_none_or(|it| is_nearer(&found, it)) {
                nearest = Some(found);
            }
        }
        nearest
    }

    fn compare(&mut self, throwable: &Throwable) -> Comparison {
        let Judge { target, memo, meanings, .. } = &mut *self.judge;
        for &number in &throwable.frames {
            let number = number as usize;
            if let (Some(meaning @ None), Some(frame)) = (meanings.get_mut(number), self.frames.get(number)) {
                *meaning = Some(memo.meaning(&target.trace, frame));
            }
        }
        let frames = throwable.frames.iter();
        let known = frames.filter_map(|&number| meanings.get(number as usize).copied().flatten());
        target.trace.compare(memo, known)
    }
}

/// A throwable and its causes.
fn chain<'o>(
    first: Option<&'o Throwable>,
    all: &'o [Throwable],
) -> impl Iterator<Item = &'o Throwable> + use<'o> {
    let cause = |it: &&Throwable| it.cause.and_then(|cause| all.get(cause as usize));
    // Chains may be circles.
    std::iter::successors(first, cause).take(all.len())
}

/// Whether one trace is nearer than another.
fn is_nearer(one: &Comparison, other: &Comparison) -> bool {
    (other.distance, one.agreed) > (one.distance, other.agreed)
}

/// The exceptions that receivers got where a test can see them, mocks first.
fn received(facts: &Facts) -> Vec<(Receiver, &Throwable)> {
    let received = facts
        .caught
        .iter()
        .filter_map(|it| Some((it.receiver()?, facts.throwables.get(it.throwable as usize)?)));
    let mut received: Vec<_> = received.collect();
    received.sort_by_key(|(receiver, _)| *receiver);
    received
}
