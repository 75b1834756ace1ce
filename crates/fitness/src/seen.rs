//! One execution as a target frame sees it.

use crashback_protocol::{Facts, Position, TargetChain};

/// What an execution recorded, with positions in the call chain as they look from a target frame.
///
/// From there, a fact lies at the *place* of the innermost frame that was running, if the frames
/// from the target frame down to it were running one inside the other. Everything that happened
/// while the target frame was not running has no place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) facts: &'a Facts,
    chain: &'a TargetChain,
    /// The innermost place that was entered.
    deepest: Option<u32>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(facts: &'a Facts, chain: &'a TargetChain) -> Self {
        let deepest = facts.entered.iter().filter_map(|position| chain.innermost(*position)).max();
        Self { facts, chain, deepest }
    }

    /// The place at which something was recorded.
    #[inline]
    pub(crate) fn place(&self, position: Position) -> Option<u32> {
        self.chain.innermost(position)
    }

    /// Whether the frame at a place was entered from inside the frames around it.
    pub(crate) fn has_entered(&self, place: u32) -> bool {
        self.deepest >= Some(place)
    }
}
