//! The ways to values that make an instruction throw.

use std::collections::BTreeSet;

use crashback_program::classes::MethodId;
use crashback_program::code::{Cfg, ControlDependence, EdgeId, EdgeKind};

use super::sources::Yield;
use super::values::{Use, ValueOrigin};
use super::{DEEPEST, Jumps, Probe, Way, Ways};

/// How many writes of a field are looked at.
const MOST_WRITES: usize = 16;

impl<F: Fn(MethodId) -> Option<Vec<Probe>>> Ways<'_, '_, F> {
    /// The ways to the values that make the innermost frame throw, each with the level of the frame
    /// in which it begins.
    pub(super) fn ways_to_values(&mut self) -> Vec<(u32, Way)> {
        let sources = self.sources;
        let mut ways = Vec::new();
        for (level, it) in &sources.values.in_frames {
            ways.extend(self.way_to_use(it, true, false, DEEPEST).map(|way| (*level, way)));
        }
        ways.retain(|(_, way)| !way.decisions.is_empty());
        ways
    }

    /// The probes of the jumps that test a value of the same origin, with the side that such a
    /// value takes.
    pub(super) fn value_tests(&mut self) -> Vec<(u32, bool)> {
        let tests = &self.sources.values.tests;
        tests.iter().filter_map(|it| Some((self.probe_at(it.method, it.at)?, it.jumps))).collect()
    }

    /// The way to such a value at an instruction that takes it; none if it cannot be one.
    fn way_to_use(&mut self, used: &Use, is_reached: bool, anywhere: bool, deepest: u8) -> Option<Way> {
        let mut way: Option<Way> = None;
        let mut unwanted = Vec::new();
        // The depth behind origins that nothing in the method decides on but what replaces them.
        let mut undecided: Option<u32> = None;
        for origin in &used.origins {
            let Some(before) = self.way_to_origin(origin, anywhere, deepest) else {
                unwanted.extend(origin.at);
                continue;
            };
            let behind = before.depth;
            let way = way.get_or_insert_default();
            way.join(before);
            if !origin.at.is_some_and(|at| self.add_choice(way, used, at, behind, anywhere)) {
                undecided = undecided.max(Some(behind));
            }
        }
        let mut way = way?;
        if let Some(behind) = undecided {
            self.add_detours(&mut way, used.method, &unwanted, Some(used.at), behind, anywhere);
        }
        if !is_reached {
            let behind = way.depth;
            self.add_decisions(&mut way, used.method, used.at, behind, anywhere);
        }
        Some(way)
    }

    /// The way to such a value of an origin; none if the origin never yields one.
    fn way_to_origin(&mut self, origin: &ValueOrigin, anywhere: bool, deepest: u8) -> Option<Way> {
        let values = &self.sources.values;
        match (&origin.value, deepest.checked_sub(1)) {
            (Yield::Constant(is_wanted), _) => is_wanted.then(Way::default),
            (Yield::Result(methods), Some(deepest)) => {
                let mut all: Option<Way> = None;
                for method in methods {
                    let anywhere = anywhere || self.sources.is_asked_for(*method);
                    let Some(returned) = values.returned.get(method) else {
                        all.get_or_insert_default();
                        continue;
                    };
                    for it in returned {
                        if let Some(way) = self.way_to_use(it, false, anywhere, deepest) {
                            all.get_or_insert_default().join(way);
                        }
                    }
                }
                all
            }
            (Yield::Field(field), Some(deepest)) => {
                // The field may also never be written.
                let mut all = Way::default();
                for it in values.written.get(field).into_iter().flatten().take(MOST_WRITES) {
                    match self.way_to_use(it, false, true, deepest) {
                        Some(way) => all.join(way),
                        None => self.add_detours(&mut all, it.method, &[it.at], None, 0, true),
                    }
                }
                Some(all)
            }
            (Yield::Result(_) | Yield::Field(_) | Yield::Any, _) => Some(Way::default()),
        }
    }

    /// Adds the jumps that decide on an origin of a value and not on the instruction that takes it.
    /// Tells whether anything does.
    fn add_choice(&mut self, way: &mut Way, used: &Use, origin: usize, behind: u32, anywhere: bool) -> bool {
        let Some(Jumps { cfg, control, probes, .. }) = self.jumps_of(used.method) else { return false };
        let shared = controllers(cfg, control, used.at);
        let approach = control.approach(cfg, cfg.block_at(origin));
        let mut is_decided = false;
        for (edge, level) in approach.edges().filter(|(edge, _)| !shared.contains(edge)) {
            is_decided = true;
            way.depth = way.depth.max(behind + level + 1);
            let Some(edge) = cfg.edge(edge) else { continue };
            let last = cfg.block(edge.from).and_then(|it| it.instructions.end.checked_sub(1));
            if let Some(&probe) = last.and_then(|it| probes.get(&it)) {
                way.add(probe, edge.kind, level + behind, anywhere);
            }
        }
        is_decided
    }

    /// Adds the other sides of the jumps that lead to instructions, as far as they lead to none of
    /// them and do not decide on the instruction that takes the value.
    fn add_detours(
        &mut self,
        way: &mut Way,
        method: MethodId,
        instructions: &[usize],
        used: Option<usize>,
        behind: u32,
        anywhere: bool,
    ) {
        let Some(Jumps { cfg, control, probes, .. }) = self.jumps_of(method) else { return };
        let shared = used.map(|it| controllers(cfg, control, it)).unwrap_or_default();
        let leading: BTreeSet<EdgeId> =
            instructions.iter().flat_map(|it| controllers(cfg, control, *it)).collect();
        let leads =
            |from, kind| cfg.outgoing(from).iter().any(|it| it.kind == kind && leading.contains(&it.id));
        for edge in leading.iter().filter(|it| !shared.contains(it)).filter_map(|it| cfg.edge(*it)) {
            let other = match edge.kind {
                EdgeKind::Taken => EdgeKind::Next,
                EdgeKind::Next => EdgeKind::Taken,
                _ => continue,
            };
            let last = cfg.block(edge.from).and_then(|it| it.instructions.end.checked_sub(1));
            if let Some(&probe) = last.and_then(|it| probes.get(&it)).filter(|_| !leads(edge.from, other)) {
                way.add(probe, other, behind, anywhere);
                way.depth = way.depth.max(behind + 1);
            }
        }
    }
}

/// All edges that decide on an instruction.
fn controllers(cfg: &Cfg, control: &ControlDependence, instruction: usize) -> BTreeSet<EdgeId> {
    control.approach(cfg, cfg.block_at(instruction)).edges().map(|(edge, _)| edge).collect()
}
