//! The part of a batch that goes to a worker in one request.

use std::borrow::Cow;
use std::ops::Range;

use crashback_protocol::Observation;
use crashback_testcase::TestCase;

/// Neighbouring tests of a batch, some of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    range: Range<usize>,
    /// Tests of the range that are no longer in the piece, in order: they killed a worker.
    left_out: Vec<usize>,
    /// Whether it needs a worker that has run nothing yet, and that gets nothing else meanwhile.
    pub(super) alone: bool,
    /// What deaths of workers say against the piece: see [`WorkerDeath`](super::work::WorkerDeath).
    pub(super) suspicion: u8,
}

impl Piece {
    pub(super) fn new(range: Range<usize>) -> Self {
        Self { range, left_out: Vec::new(), alone: false, suspicion: 0 }
    }

    /// A single test for a worker that has run nothing.
    pub(super) fn alone(test: usize, suspicion: u8) -> Self {
        Self { alone: true, suspicion, ..Self::new(test..test + 1) }
    }

    /// The place of the first test, be it left out: no two pieces of a batch have the same.
    pub(super) fn start(&self) -> usize {
        self.range.start
    }

    /// How many tests it has.
    pub(super) fn len(&self) -> usize {
        self.range.len() - self.left_out.len()
    }

    /// The places of its tests, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.range.clone().filter(|place| self.left_out.binary_search(place).is_err())
    }

    /// Its tests among all those of the batch.
    pub(super) fn tests<'t>(&self, all: &'t [TestCase]) -> Cow<'t, [TestCase]> {
        let range = all.get(self.range.clone()).unwrap_or_default();
        if self.left_out.is_empty() {
            return Cow::Borrowed(range);
        }
        self.places().filter_map(|place| all.get(place).cloned()).collect()
    }

    /// The piece but for its first tests, so many of them, with a suspicion of its own.
    pub(super) fn after(&self, count: usize) -> Self {
        self.within(self.places().nth(count).unwrap_or(self.range.end)..self.range.end)
    }

    /// The tests before a place.
    pub(super) fn before(&self, place: usize) -> Self {
        self.within(self.range.start..place)
    }

    /// The tests behind a place.
    pub(super) fn behind(&self, place: usize) -> Self {
        self.within(place + 1..self.range.end)
    }

    /// The two halves of the piece.
    pub(super) fn halves(&self) -> [Self; 2] {
        let middle = self.places().nth(self.len() / 2).unwrap_or(self.range.end);
        [self.before(middle), self.within(middle..self.range.end)]
    }

    fn within(&self, range: Range<usize>) -> Self {
        let left_out = self.left_out.iter().copied().filter(|place| range.contains(place)).collect();
        Self { left_out, ..Self::new(range) }
    }

    /// The piece with one more test left out.
    pub(super) fn without(mut self, place: usize) -> Self {
        if let Err(at) = self.left_out.binary_search(&place) {
            self.left_out.insert(at, place);
        }
        self.suspicion = 0;
        self
    }

    /// Divides the observations of its first tests where tests are left out. Gives each part with
    /// the place of its first test. The frames that a part names are numbered as in the whole, so
    /// each part introduces those of the parts before it once more.
    pub(super) fn divide(&self, observations: Vec<Observation>) -> Vec<(usize, Vec<Observation>)> {
        let mut parts: Vec<(usize, Vec<Observation>)> = Vec::new();
        let mut introduced = Vec::new();
        for (place, mut observation) in self.places().zip(observations) {
            let new = observation.facts.new_frames.clone();
            match parts.last_mut() {
                Some((start, part)) if *start + part.len() == place => part.push(observation),
                _ => {
                    observation.facts.new_frames.splice(0..0, introduced.iter().cloned());
                    parts.push((place, vec![observation]));
                }
            }
            if !self.left_out.is_empty() {
                introduced.extend(new);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Facts, Outcome, Results, StackFrame, Throwable};

    use super::*;

    #[test]
    fn tests_that_are_left_out_leave_a_gap() {
        let piece = Piece::new(10..20).without(13).without(10).without(13);
        assert_eq!((piece.start(), piece.len()), (10, 8));
        assert_eq!(piece.places().collect::<Vec<_>>(), [11, 12, 14, 15, 16, 17, 18, 19]);
        assert_eq!(piece.before(14).places().collect::<Vec<_>>(), [11, 12]);
        assert_eq!(piece.after(2).places().collect::<Vec<_>>(), [14, 15, 16, 17, 18, 19]);
        assert_eq!(piece.after(8).len(), 0);
        let [first, second] = piece.halves().map(|half| half.places().collect::<Vec<_>>());
        assert_eq!((first, second), (vec![11, 12, 14, 15], vec![16, 17, 18, 19]));
        let all: Vec<_> = (0..30).map(|_| TestCase::new([])).collect();
        assert_eq!(piece.tests(&all).len(), 8);
    }

    /// An observation with frames, of which it introduces some.
    fn observation(frames: &[u32], new: &[u32]) -> Observation {
        let frame = |line: &u32| StackFrame {
            loader: None,
            module: None,
            module_version: None,
            class: "C".to_owned(),
            method: "m".to_owned(),
            file: Some("C.java".to_owned()),
            line: i32::try_from(*line).unwrap(),
        };
        let throwable = Throwable {
            class: "E".to_owned(),
            message: None,
            frames: frames.to_vec(),
            cause: None,
            suppressed: Vec::new(),
        };
        let new_frames = new.iter().map(frame).collect();
        let facts = Facts { throwables: vec![throwable], new_frames, ..Facts::default() };
        Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() }
    }

    #[test]
    fn parts_of_a_reply_name_the_same_frames_as_the_whole() {
        let reply = || {
            vec![observation(&[0, 1], &[10, 11]), observation(&[1, 2], &[12]), observation(&[0, 2, 3], &[13])]
        };
        let mut whole = Results::default();
        whole.append(reply());
        let parts = Piece::new(5..10).without(6).without(8).divide(reply());
        assert_eq!(parts.iter().map(|(start, _)| *start).collect::<Vec<_>>(), [5, 7, 9]);
        let mut results = Results::default();
        parts.into_iter().for_each(|(_, part)| results.append(part));
        assert!(results == whole);
        let plain = Piece::new(5..10).divide(reply());
        assert_eq!(plain, [(5, reply())]);
    }
}
