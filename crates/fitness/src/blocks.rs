//! How much of the blocks that lead to a line was covered.

use std::collections::{BTreeMap, VecDeque};

use crashback_program::code::{BlockId, Cfg, Flow, MethodBody};

use crate::lines::Places;
use crate::probes::{Probe, ProbeKind};
use crate::seen::Seen;

/// The blocks of a frame's method from which the line can be reached.
#[derive(Clone, Debug)]
pub(crate) struct FrameBlocks {
    /// The place of the frame in the call chain.
    place: u32,
    /// The blocks, the nearest to the line first.
    blocks: Vec<CoveredBlock>,
    /// Number of the probe that the first slot is for.
    first: u32,
    /// By probe, which block it tells of.
    slots: Vec<Option<Slot>>,
}

/// A block, as its probes show it.
#[derive(Clone, Copy, Debug, Default)]
struct CoveredBlock {
    /// How many of its lines have probes, up to the target line.
    lines: u32,
}

/// A probe in a block.
#[derive(Clone, Copy, Debug)]
struct Slot {
    block: usize,
    /// Whether it tells of a line rather than of the block's beginning.
    is_line: bool,
}

/// Space for one measurement, kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The probes that were seen: one comes several times, at different positions.
    seen: Vec<bool>,
    /// For each block whether it was begun, and how many of its lines were reached.
    reached: Vec<(bool, u32)>,
}

/// No method has as many probes; numbers further apart are not of one.
const MOST_PROBES: usize = 1 << 20;

impl FrameBlocks {
    /// The blocks that lead to a line of a body, or to its beginning without a line.
    pub(crate) fn new(body: &MethodBody<'_>, line: Option<u32>, place: u32, probes: &[Probe]) -> Self {
        let cfg = Cfg::of(body);
        let targets = line.map_or_else(|| vec![cfg.entry()], |line| cfg.blocks_of_line(body, line));
        let distances = distances(&cfg, targets);
        let places = Places { body, cfg: &cfg, probes };
        let first = probes.iter().map(|it| it.number).min().unwrap_or(0);
        let mut this = Self { place, blocks: Vec::new(), first, slots: Vec::new() };
        // Blocks are also cut where the cover of a handler begins; such parts share a probe.
        let mut known: BTreeMap<u32, usize> = BTreeMap::new();
        let mut nearest: Vec<(u32, BlockId)> = distances.into_iter().map(|(block, it)| (it, block)).collect();
        nearest.sort_unstable();
        for (_, block) in nearest {
            let Some(probe) = places.block_probe(block) else { continue };
            let number = *known.entry(probe).or_insert(this.blocks.len());
            if number == this.blocks.len() {
                this.blocks.push(CoveredBlock::default());
                this.add(probe, Slot { block: number, is_line: false });
            }
            let Some(range) = cfg.block(block).map(|it| it.instructions.clone()) else { continue };
            // What lies behind the beginning of the line is not on the way to it.
            let end = range.clone().find(|it| line.is_some() && body.line_of(*it) == line);
            let counts = |at: usize| range.contains(&at) && end.is_none_or(|end| at <= end);
            for (probe, _) in places.all().filter(|(it, at)| it.kind == ProbeKind::Line && counts(*at)) {
                this.add(probe.number, Slot { block: number, is_line: true });
            }
        }
        this
    }

    fn add(&mut self, probe: u32, slot: Slot) {
        let Some(place) = probe.checked_sub(self.first).map(|it| it as usize).filter(|it| *it < MOST_PROBES)
        else {
            return;
        };
        if place >= self.slots.len() {
            self.slots.resize(place + 1, None);
        }
        if let Some(known @ None) = self.slots.get_mut(place) {
            *known = Some(slot);
            if let Some(block) = self.blocks.get_mut(slot.block).filter(|_| slot.is_line) {
                block.lines += 1;
            }
        }
    }

    /// The share of the blocks that an execution did not cover, from 0 to 1. A block that was run
    /// to its last line, or to the target line, counts twice; one that was begun counts once; and
    /// the share of lines in the nearest of these decides between executions that covered the same
    /// blocks.
    pub(crate) fn uncovered(&self, seen: &Seen<'_>, scratch: &mut Scratch) -> f64 {
        scratch.seen.clear();
        scratch.seen.resize(self.slots.len(), false);
        scratch.reached.clear();
        scratch.reached.resize(self.blocks.len(), (false, 0));
        for reached in seen.facts.reached.iter().filter(|it| seen.place(it.position) == Some(self.place)) {
            let Some(number) = reached.probe.checked_sub(self.first).map(|it| it as usize) else { continue };
            let (Some(Some(slot)), Some(known @ false)) =
                (self.slots.get(number), scratch.seen.get_mut(number))
            else {
                continue;
            };
            *known = true;
            if let Some((is_begun, lines)) = scratch.reached.get_mut(slot.block) {
                *is_begun = true;
                *lines += u32::from(slot.is_line);
            }
        }
        let covered = self.blocks.iter().zip(&scratch.reached);
        let is_full = |(block, (_, lines)): (&CoveredBlock, &(bool, u32))| *lines >= block.lines;
        let begun = covered.filter(|(_, (is_begun, _))| *is_begun);
        let size: u32 = begun.clone().map(|it| 1 + u32::from(is_full(it))).sum();
        let nearest = begun.into_iter().find(|it| !is_full(*it));
        let share = nearest.map_or(0.0, |(block, (_, lines))| f64::from(*lines) / f64::from(block.lines));
        1.0 - (f64::from(size) + share) / (2.0 * self.blocks.len() as f64 + 1.0)
    }
}

/// The blocks from which targets can be reached, with the number of edges to the nearest of these.
fn distances(cfg: &Cfg, targets: Vec<BlockId>) -> BTreeMap<BlockId, u32> {
    let mut before: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for edge in cfg.edges_along(Flow::WithExceptions) {
        before.entry(edge.to).or_default().push(edge.from);
    }
    let mut distances: BTreeMap<BlockId, u32> = targets.iter().map(|it| (*it, 0)).collect();
    let mut open: VecDeque<(BlockId, u32)> = targets.into_iter().map(|it| (it, 0)).collect();
    while let Some((block, distance)) = open.pop_front() {
        for &from in before.get(&block).into_iter().flatten() {
            if let std::collections::btree_map::Entry::Vacant(entry) = distances.entry(from) {
                entry.insert(distance + 1);
                open.push_back((from, distance + 1));
            }
        }
    }
    distances
}
