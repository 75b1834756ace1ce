//! The trace of a crash against those of produced exceptions.

use std::hash::{DefaultHasher, Hash, Hasher};

use crashback_program::classes::Classes;
use crashback_program::frames::Goal;
use crashback_protocol::Receiver;
use crashback_trace::compare::{
    Lines, Logged, Standing, TargetFrame, same_class, same_exception, same_method, same_place,
};
use crashback_trace::{Frame, Relaxations};
use hashbrown::HashTable;

use crate::assessment::normalise;

/// The distance of a trace that has all frames and is another one all the same, because of their
/// order or of frames in between: that of one frame that is one line off.
const OTHER_ORDER: f64 = 0.5;

/// The trace that is to be produced.
pub(crate) struct TraceGoal<'g> {
    goal: &'g Goal<'g>,
    /// The highest level up to the target frame that counts.
    pub(crate) level: u32,
    /// The frames that count, innermost first.
    logged: Logged<'g>,
    /// Which of the places each of them is.
    numbers: Vec<usize>,
    /// The distinct ones among them. Recursion makes traces in which few places come often.
    places: Vec<TargetFrame<'g>>,
    /// How often each place comes up to the target frame.
    weights: Vec<u32>,
}

/// How a produced trace compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    /// The highest level up to which it agrees.
    pub(crate) agreed: u32,
    /// What was relaxed for that.
    pub(crate) relaxations: Relaxations,
    /// Its distance; 0 if and only if it agrees up to the target frame.
    pub(crate) distance: f64,
    /// Who received the exception, if it did not leave the test.
    pub(crate) receiver: Option<Receiver>,
}

impl<'g> TraceGoal<'g> {
    /// The goal of agreeing up to a level; none if no frame up to it counts.
    pub(crate) fn new(goal: &'g Goal<'g>, level: u32) -> Option<Self> {
        let logged = goal.logged();
        let (numbers, places, weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut this = Self { goal, level: 0, logged, numbers, places, weights };
        for frame in &this.logged.frames {
            let known = this.places.iter().position(|it| is_same(it, &frame.target));
            let place = known.unwrap_or(this.places.len());
            if known.is_none() {
                this.places.push(frame.target);
                this.weights.push(0);
            }
            let number = u32::try_from(frame.level).unwrap_or(u32::MAX);
            this.numbers.push(place);
            if number <= level {
                this.level = number;
                this.weights.iter_mut().skip(place).take(1).for_each(|weight| *weight += 1);
            }
        }
        (this.level > 0).then_some(this)
    }

    /// The classes of the program.
    pub(crate) fn classes(&self) -> &'g Classes<'g> {
        self.goal.classes()
    }

    /// The message of the crash.
    pub(crate) fn message(&self) -> Option<&'g str> {
        self.goal.message()
    }

    /// Binary name of the exception's class.
    pub(crate) fn exception(&self) -> &'g str {
        self.goal.exception()
    }

    /// Whether the stack overflowed in a cycle of calls.
    pub(crate) fn is_cycle(&self) -> bool {
        self.goal.is_cycle()
    }

    /// Whether an exception class is the crash's.
    pub(crate) fn is_exception(&self, class: &str) -> bool {
        same_exception(self.goal.exception(), class)
    }

    /// Compares a produced trace. `meanings` are those of its frames that exist, innermost first.
    pub(crate) fn compare(&self, memo: &mut Memo, meanings: impl Iterator<Item = usize>) -> Comparison {
        let Memo { rows, nearest, .. } = memo;
        nearest.clear();
        nearest.resize(self.places.len(), DIFFERENT_CLASS);
        let rows: Vec<&Row> =
            meanings.filter_map(|meaning| rows.get(meaning)).filter(|row| !row.is_empty()).collect();
        for row in &rows {
            for (nearest, difference) in nearest.iter_mut().zip(&row.differences) {
                *nearest = nearest.min(difference.distance);
            }
        }
        let agrees = |row: &&Row, next: usize| {
            let place = self.numbers.get(next)?;
            row.differences.get(*place).and_then(|it| it.agrees)
        };
        let walk = self.logged.walk(&rows, agrees, |row| row.may_stand_between);
        let agreed = u32::try_from(walk.level).unwrap_or(u32::MAX);
        let sum: f64 = nearest.iter().zip(&self.weights).map(|(it, &weight)| it * f64::from(weight)).sum();
        let distance = if agreed >= self.level { 0.0 } else { sum.max(OTHER_ORDER) };
        Comparison { agreed, relaxations: walk.relaxations, distance, receiver: None }
    }

    /// What a frame of a produced trace is to each place; empty if the comparison looks past it.
    fn row(&self, frame: &Frame) -> Row {
        let standing = self.goal.standing(frame);
        if matches!(standing, Standing::Dropped | Standing::PassedOver) {
            return Row::default();
        }
        let differences = self.places.iter().map(|target| Difference::between(target, frame)).collect();
        Row { differences, may_stand_between: standing == Standing::MayStandBetween }
    }
}

fn is_same(left: &TargetFrame<'_>, right: &TargetFrame<'_>) -> bool {
    let names = left.frame.class == right.frame.class && left.frame.method == right.frame.method;
    names && left.frame.line() == right.frame.line() && left.lines == right.lines
}

/// A frame of a produced trace, compared.
#[derive(Debug, Default)]
struct Row {
    /// The differences to all places, in their order.
    differences: Vec<Difference>,
    may_stand_between: bool,
}

impl Row {
    fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }
}

/// How a produced frame differs from one of the crash (EvoCrash, equation 4).
#[derive(Clone, Copy, Debug)]
struct Difference {
    /// 0 if and only if they agree.
    distance: f64,
    /// What was relaxed, if they agree.
    agrees: Option<Relaxations>,
}

const DIFFERENT_CLASS: f64 = 3.0;
const DIFFERENT_METHOD: f64 = 2.0;

impl Difference {
    fn between(target: &TargetFrame<'_>, produced: &Frame) -> Self {
        let agrees = same_place(target, produced);
        let distance = match agrees {
            Some(_) => 0.0,
            None if !same_class(&target.frame.class, &produced.class) => DIFFERENT_CLASS,
            None if !same_method(target.frame, produced) => DIFFERENT_METHOD,
            None => {
                let replaced = match target.lines {
                    Lines::Replaced(_, lines) => lines,
                    Lines::Logged | Lines::Any(_) => &[],
                };
                let lines = target.frame.line().into_iter().chain(replaced.iter().copied());
                let apart = lines.filter_map(|line| Some(f64::from(line.abs_diff(produced.line()?))));
                normalise(apart.fold(f64::INFINITY, f64::min))
            }
        };
        Self { distance, agrees }
    }
}

/// What is known of frames that came up, so that each is looked at once: the same few come again in
/// every batch.
#[derive(Default)]
pub(crate) struct Memo {
    /// Numbers of frames, by their hash.
    numbers: HashTable<usize>,
    frames: Vec<Frame>,
    /// By number, what they are to the places.
    rows: Vec<Row>,
    /// The smallest difference to each place; used while a trace is compared.
    nearest: Vec<f64>,
}

impl Memo {
    /// The number of what a frame means to a goal, which is always the same goal.
    pub(crate) fn meaning(&mut self, goal: &TraceGoal<'_>, frame: &Frame) -> usize {
        let is_it = |&number: &usize| self.frames.get(number) == Some(frame);
        if let Some(&known) = self.numbers.find(hash(frame), is_it) {
            return known;
        }
        let next = self.frames.len();
        let hash_of = |&number: &usize| self.frames.get(number).map_or(0, hash);
        self.numbers.insert_unique(hash(frame), next, hash_of);
        self.frames.push(frame.clone());
        self.rows.push(goal.row(frame));
        next
    }
}

fn hash(frame: &Frame) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&frame.class, &frame.method, frame.line()).hash(&mut hasher);
    hasher.finish()
}
