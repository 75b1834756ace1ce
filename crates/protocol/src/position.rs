//! Where in the target call chain an execution is.
//!
//! The chain consists of the methods of a trace, outermost first; their *places* count from 0.
//! Recursion makes a method come at several places. One execution is judged against every frame of
//! the chain, so a position does not say how deep the execution is below one of them, but enough to
//! tell that for each.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A position in the target call chain.
///
/// Of the methods that are running, take those on the chain, outermost first. The position is the
/// longest end of this sequence that occurs in the chain, given as the places where it occurs
/// first. Without recursion these are the frames that are running one inside the other, down to
/// the innermost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub struct Position {
    /// How many places there are.
    length: u16,
    /// The last of them; 0 if there is none.
    last: u16,
}

impl Position {
    /// No method of the chain is running.
    pub const OUTSIDE: Self = Self { length: 0, last: 0 };

    /// The methods from one place of the chain to another are running. There is no such position if
    /// the last place comes before the first, or if there are more places than a `u16` counts.
    pub fn new(first: u16, last: u16) -> Option<Self> {
        let length = last.checked_sub(first)?.checked_add(1)?;
        Some(Self { length, last })
    }

    /// A position as messages have it: how many places there are, and the last of them.
    pub(crate) fn from_wire(length: u32, last: u32) -> Option<Self> {
        let (length, last) = (u16::try_from(length).ok()?, u16::try_from(last).ok()?);
        match length.checked_sub(1) {
            Some(before) => Self::new(last.checked_sub(before)?, last),
            None => (last == 0).then_some(Self::OUTSIDE),
        }
    }

    /// The two numbers that messages have.
    pub(crate) fn to_wire(self) -> [u32; 2] {
        [self.length.into(), self.last.into()]
    }

    /// The places, outermost first.
    pub fn places(self) -> Range<u32> {
        let end = if self.length == 0 { 0 } else { u32::from(self.last) + 1 };
        end - u32::from(self.length)..end
    }
}

/// The two numbers of a message that stand for a position, or for none.
#[derive(Serialize, Deserialize)]
struct Wire(u32, u32);

impl TryFrom<Wire> for Position {
    type Error = &'static str;

    fn try_from(Wire(length, last): Wire) -> Result<Self, Self::Error> {
        Self::from_wire(length, last).ok_or("no position in a call chain")
    }
}

impl From<Position> for Wire {
    fn from(position: Position) -> Self {
        let [length, last] = position.to_wire();
        Self(length, last)
    }
}

/// The target call chain from one of its frames inwards: what positions mean to that frame, the
/// *target frame*.
#[derive(Clone, Debug, Default)]
pub struct TargetChain {
    /// Place of the target frame.
    target: u32,
    /// By place: how many methods, counted from the target frame inwards, the chain up to this
    /// place ends with, at most.
    depths: Vec<u32>,
    /// By such a number of methods: the next smaller one that the same sequence ends with.
    shorter: Vec<u32>,
}

impl TargetChain {
    /// The chain of these methods, outermost first, from the one at the place `target` inwards.
    /// Methods are told apart by their numbers, which can be any.
    pub fn new(chain: &[i32], target: u32) -> Self {
        let inwards = chain.get(target as usize..).unwrap_or_default();
        let mut this = Self { target, depths: Vec::with_capacity(chain.len()), shorter: vec![0, 0] };
        // Knuth, Morris, Pratt (1977): the failure function, then the chain as the text to search.
        for method in inwards.iter().skip(1) {
            let before = this.shorter.last().copied().unwrap_or(0);
            let depth = this.next_depth(inwards, before, *method);
            this.shorter.push(depth);
        }
        for method in chain {
            let before = this.depths.last().copied().unwrap_or(0);
            let depth = this.next_depth(inwards, before, *method);
            this.depths.push(depth);
        }
        this
    }

    /// The place of the innermost running method of which all methods from the target frame down to
    /// it are running, one inside the other; none while the target frame is not running so.
    #[inline]
    pub fn innermost(&self, position: Position) -> Option<u32> {
        let mut depth = self.depths.get(usize::from(position.last)).copied().unwrap_or(0);
        while depth > u32::from(position.length) {
            depth = self.shorter.get(depth as usize).copied().unwrap_or(0);
        }
        depth.checked_sub(1).map(|below| self.target + below)
    }

    /// The depth behind another one when a method is entered.
    fn next_depth(&self, inwards: &[i32], mut depth: u32, method: i32) -> u32 {
        while depth > 0 && inwards.get(depth as usize) != Some(&method) {
            depth = self.shorter.get(depth as usize).copied().unwrap_or(0);
        }
        depth + u32::from(inwards.get(depth as usize) == Some(&method))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Where the longest end of the running methods that occurs in the chain occurs first.
    fn position(chain: &[i32], running: &[i32]) -> Position {
        let longest = (1..=running.len()).rev().find_map(|length| {
            let end = &running[running.len() - length..];
            chain.windows(length).position(|it| it == end).map(|first| (first, first + length - 1))
        });
        let place = |index| u16::try_from(index).unwrap();
        longest.map_or(Position::OUTSIDE, |(first, last)| Position::new(place(first), place(last)).unwrap())
    }

    /// The last place of the longest part of the chain from the target inwards that the running
    /// methods end with.
    fn innermost(chain: &[i32], running: &[i32], target: usize) -> Option<u32> {
        let last = (target..chain.len()).rev().find(|last| running.ends_with(&chain[target..=*last]));
        last.map(|it| u32::try_from(it).unwrap())
    }

    proptest! {
        /// Few methods, so that chains and running methods repeat themselves in many ways.
        #[test]
        fn a_position_tells_every_frame_how_deep_the_execution_is(
            chain in proptest::collection::vec(0_i32..3, 1..9),
            running in proptest::collection::vec(0_i32..3, 0..12),
        ) {
            let running: Vec<i32> = running.into_iter().filter(|it| chain.contains(it)).collect();
            let position = position(&chain, &running);
            prop_assert_eq!(position == Position::OUTSIDE, running.is_empty());
            for target in 0..chain.len() {
                let seen = TargetChain::new(&chain, u32::try_from(target).unwrap()).innermost(position);
                prop_assert_eq!(seen, innermost(&chain, &running, target), "target {}", target);
            }
        }

        #[test]
        fn positions_are_read_as_they_were_written(first in 0_u16..400, more in 0_u16..400) {
            let position = Position::new(first, first + more).unwrap();
            prop_assert_eq!(position.places(), u32::from(first)..u32::from(first + more) + 1);
            let [length, last] = position.to_wire();
            prop_assert_eq!(Position::from_wire(length, last), Some(position));
            let bytes = postcard::to_stdvec(&position).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Position>(&bytes), Ok(position));
        }

        #[test]
        fn any_position_can_be_asked_about_any_chain(
            chain in proptest::collection::vec(0_i32..3, 0..9),
            target in 0_u32..12,
            (first, last) in any::<(u16, u16)>(),
        ) {
            let seen = TargetChain::new(&chain, target);
            let place = Position::new(first, last).and_then(|it| seen.innermost(it));
            prop_assert!(place.is_none_or(|it| (target..chain.len() as u32).contains(&it)));
        }
    }

    #[test]
    fn a_frame_sees_what_runs_inside_it_alone() {
        let chain = [7, 8, 9];
        let innermost = |target, first, last| {
            TargetChain::new(&chain, target).innermost(Position::new(first, last).unwrap())
        };
        assert_eq!([0, 1, 2].map(|target| innermost(target, 0, 2)), [Some(2), Some(2), Some(2)]);
        assert_eq!([0, 1, 2].map(|target| innermost(target, 1, 2)), [None, Some(2), Some(2)]);
        assert_eq!([0, 1, 2].map(|target| innermost(target, 0, 1)), [Some(1), Some(1), None]);
        assert_eq!(TargetChain::new(&chain, 0).innermost(Position::OUTSIDE), None);
    }

    #[test]
    fn impossible_positions_are_refused() {
        assert_eq!(Position::new(3, 2), None);
        assert_eq!(Position::new(0, u16::MAX), None);
        for (length, last) in [(2, 0), (0, 1), (1 << 16, 1 << 16), (1, 1 << 16), (9, 7)] {
            assert_eq!(Position::from_wire(length, last), None, "{length} places up to {last}");
        }
        assert!(postcard::from_bytes::<Position>(&[2, 0]).is_err());
        assert_eq!(postcard::from_bytes(&[0, 0]), Ok(Position::OUTSIDE));
    }
}
