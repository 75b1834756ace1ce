//! Where everything lies in the new code.
//!
//! For each instruction: the code of the edge into it (`begin`), then the code that every way to it
//! runs (`label`), then the instruction itself (`at`). Jumps, handlers and frames go to `label`;
//! tables of ranges use `begin`; what names the instruction as such (`Uninitialized`, type
//! annotations) uses `at`.
//!
//! Jumps that no longer reach: `goto` and `jsr` become wide. A conditional jump has no wide form,
//! and inverting it around a `goto_w` would need a frame at its fall-through that nobody wrote
//! down. Instead it makes a *detour* over a `goto_w` that is put behind a nearby instruction which
//! never falls through. The state there is that of the edge to the target, so that the target's own
//! frame, which the class has, is right for the detour too.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{Flow, Opcode, OperandKind};

use super::body::{Body, Insertions};
use crate::Refusal;

pub(super) struct Layout {
    /// One for each instruction, and one for the end of the body.
    places: Vec<Place>,
    wide: BTreeSet<usize>,
    /// The detour that a conditional jump makes.
    detours: BTreeMap<usize, Detour>,
    /// Where the `goto_w` of each detour lies.
    stops: BTreeMap<Detour, u32>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    begin: u32,
    label: u32,
    at: u32,
}

/// A `goto_w` behind the instruction at position `behind`; both numbers are positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Detour {
    pub(super) behind: usize,
    pub(super) target: usize,
}

/// Length of `goto_w` and `jsr_w`.
pub(super) const WIDE_JUMP: u32 = 5;
/// Each round lengthens at least one jump; real methods need two or three rounds.
const ROUNDS: usize = 100;

impl Layout {
    pub(super) fn compute(body: &Body<'_>, insertions: &Insertions) -> Result<Self, Refusal> {
        let targets: Vec<_> =
            (0..body.len()).map(|position| body.jump_target(position)).collect::<Result<_, _>>()?;
        let mut layout = Self {
            places: Vec::new(),
            wide: BTreeSet::new(),
            detours: BTreeMap::new(),
            stops: BTreeMap::new(),
        };
        let mut far = 0;
        for _ in 0..ROUNDS {
            layout.place(body, insertions);
            match layout.lengthen(body, &targets)? {
                None => return Ok(layout),
                Some(offset) => far = offset,
            }
        }
        Err(Refusal::FarJump { offset: far })
    }

    /// Start of the code of the edge into an instruction.
    pub(super) fn begin(&self, position: usize) -> u32 {
        self.get(position).begin
    }

    /// Where jumps to an instruction go.
    pub(super) fn label(&self, position: usize) -> u32 {
        self.get(position).label
    }

    /// The instruction itself.
    pub(super) fn at(&self, position: usize) -> u32 {
        self.get(position).at
    }

    /// End of the body, detours included.
    pub(super) fn end(&self) -> u32 {
        self.places.last().map_or(0, |place| place.begin)
    }

    pub(super) fn is_wide(&self, position: usize) -> bool {
        self.wide.contains(&position)
    }

    /// Where a conditional jump goes instead of to its target.
    pub(super) fn detour_of(&self, position: usize) -> Option<u32> {
        self.detours.get(&position).and_then(|detour| self.stops.get(detour)).copied()
    }

    /// All detours with where they lie, in order.
    pub(super) fn stops(&self) -> impl Iterator<Item = (Detour, u32)> + '_ {
        self.stops.iter().map(|(detour, offset)| (*detour, *offset))
    }

    /// The detours behind an instruction.
    pub(super) fn stops_behind(&self, position: usize) -> impl Iterator<Item = (Detour, u32)> + '_ {
        self.stops.range(behind(position)).map(|(detour, offset)| (*detour, *offset))
    }

    fn get(&self, position: usize) -> Place {
        self.places.get(position).or(self.places.last()).copied().unwrap_or_default()
    }

    fn place(&mut self, body: &Body<'_>, insertions: &Insertions) {
        self.places.clear();
        let mut next = 0;
        for position in 0..body.len() {
            let begin = next;
            let label = begin + insertions.edge(position).len() as u32;
            let at = label + insertions.always(position).len() as u32;
            let replaced = insertions.instead(position).map(|code| code.len() as u32);
            next = at + replaced.unwrap_or_else(|| self.length(body, position, at));
            for (_, offset) in self.stops.range_mut(behind(position)) {
                *offset = next;
                next += WIDE_JUMP;
            }
            self.places.push(Place { begin, label, at });
        }
        self.places.push(Place { begin: next, label: next, at: next });
    }

    fn length(&self, body: &Body<'_>, position: usize, at: u32) -> u32 {
        let length = body.bytes(position).len() as u32;
        match body.instructions().get(position).map(|(offset, it)| (offset, it.opcode.operand_kind())) {
            Some((offset, OperandKind::TableSwitch | OperandKind::LookupSwitch)) => {
                length - padding(*offset) + padding(at)
            }
            _ if self.is_wide(position) => WIDE_JUMP,
            _ => length,
        }
    }

    /// Lengthens the jumps that do not reach, and tells the offset of one of them.
    fn lengthen(&mut self, body: &Body<'_>, targets: &[Option<usize>]) -> Result<Option<u32>, Refusal> {
        let mut lengthened = None;
        for ((position, (offset, instruction)), target) in body.instructions().iter().enumerate().zip(targets)
        {
            let Some(target) = *target else { continue };
            if instruction.opcode.operand_kind() != OperandKind::Branch || self.is_wide(position) {
                continue;
            }
            let goal = self.detour_of(position).unwrap_or(self.label(target));
            if reaches(self.at(position), goal) {
                continue;
            }
            lengthened = Some(*offset);
            if instruction.opcode.flow() == Flow::Conditional {
                let detour = Detour { behind: self.near(body, position, *offset)?, target };
                self.detours.insert(position, detour);
                self.stops.entry(detour).or_insert_with(|| goal);
            } else {
                self.wide.insert(position);
            }
        }
        let used: BTreeSet<_> = self.detours.values().copied().collect();
        self.stops.retain(|detour, _| used.contains(detour));
        Ok(lengthened)
    }

    /// The instruction nearest to a jump behind which code is not reached by falling through.
    fn near(&self, body: &Body<'_>, position: usize, offset: u32) -> Result<usize, Refusal> {
        let from = self.at(position);
        let ends_flow = |opcode: Opcode| !opcode.falls_through() && opcode.flow() != Flow::Subroutine;
        let all = body.instructions().iter().enumerate();
        all.filter(|(_, (_, instruction))| ends_flow(instruction.opcode))
            .map(|(candidate, _)| (self.begin(candidate + 1).abs_diff(from), candidate))
            .min()
            .filter(|(distance, _)| *distance <= i16::MAX as u32)
            .map(|(_, candidate)| candidate)
            .ok_or(Refusal::FarJump { offset })
    }
}

fn behind(position: usize) -> std::ops::RangeInclusive<Detour> {
    Detour { behind: position, target: 0 }..=Detour { behind: position, target: usize::MAX }
}

fn reaches(from: u32, to: u32) -> bool {
    i16::try_from(i64::from(to) - i64::from(from)).is_ok()
}

/// Bytes between the opcode of a switch and its operands.
fn padding(offset: u32) -> u32 {
    3 - offset % 4
}
