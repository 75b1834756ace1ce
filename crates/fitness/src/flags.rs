//! Branches on flags.
//!
//! Whether a `boolean` is 0 or 1 says nothing about how near it was to being the other. But the decisions before it do, by which it became what it
//! is (Baresel and Sthamer: Evolutionary Testing of Flag Conditions, 2003). So the distance to the other side of such a branch is that to the
//! code which gives the flag the other value.

use std::collections::BTreeMap;

use crashback_program::code::{
    BlockId, Cfg, Comparison, Condition, ControlDependence, Definition, EdgeKind, Literal, MethodBody,
    Operation, Provenance,
};
use crashback_protocol::Facts;

use crate::assessment::normalise;

/// The branches of a method that look at flags which the method itself has set, by the number of their probes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    branches: BTreeMap<u32, Sides>,
}

/// The ways to the code that lets a branch go either way.
#[derive(Clone, Debug)]
struct Sides {
    jump: Way,
    fall: Way,
}

/// A way to a value of a flag: by the probes of jumps, the approach levels of their sides.
#[derive(Clone, Debug)]
struct Way {
    jumps: BTreeMap<u32, (f64, f64)>,
    depth: f64,
}

impl Flags {
    /// The flags of a method. `probe_at` gives the number of the probe at a jump.
    pub(crate) fn of(
        body: &MethodBody<'_>,
        cfg: &Cfg,
        control: &ControlDependence,
        probe_at: impl Fn(usize) -> Option<u32>,
    ) -> Self {
        let mut flags = Self::default();
        if body.operations().all(|(_, it)| jumps_at(it).is_none()) {
            return flags;
        }
        let Ok(provenance) = Provenance::of(body, cfg) else { return flags };
        for (place, value) in body.operations().filter_map(|(at, it)| Some((at, jumps_at(it)?))) {
            let Some((zeros, ones)) = constants(&provenance, place) else { continue };
            let way = |blocks: Vec<BlockId>| Way::to(body, cfg, control, blocks, &probe_at);
            let (zero, one) = (way(zeros), way(ones));
            let (jump, fall) = if value { (one, zero) } else { (zero, one) };
            if let Some(probe) = probe_at(place) {
                flags.branches.insert(probe, Sides { jump, fall });
            }
        }
        flags
    }

    /// The distance to one side of a branch, of which the probe says `distance`.
    pub(crate) fn graded(&self, probe: u32, is_jump: bool, distance: f64, facts: &Facts, level: u32) -> f64 {
        if distance <= 0.0 || self.branches.is_empty() {
            return distance;
        }
        let Some(sides) = self.branches.get(&probe) else { return distance };
        let way = if is_jump { &sides.jump } else { &sides.fall };
        way.distance(facts, level).unwrap_or(distance)
    }
}

/// The value of a flag at which an instruction jumps, if it may be one that looks at a flag.
fn jumps_at(operation: &Operation<'_>) -> Option<bool> {
    match operation {
        Operation::Branch { condition: Condition::Zero(Comparison::Equal), .. } => Some(false),
        Operation::Branch { condition: Condition::Zero(Comparison::NotEqual), .. } => Some(true),
        _ => None,
    }
}

/// The blocks in which the value that an instruction looks at becomes 0, and those in which it becomes 1; none if it is no such flag.
fn constants(provenance: &Provenance<'_, '_>, place: usize) -> Option<(Vec<BlockId>, Vec<BlockId>)> {
    let value = provenance.operands(place).next()?;
    let (mut zeros, mut ones) = (Vec::new(), Vec::new());
    for definition in &value.definitions {
        let Definition::Instruction(at) = *definition else { return None };
        let block = provenance.cfg().block_at(at)?;
        match provenance.body().operation(at)? {
            Operation::Push(Literal::Int(0)) => zeros.push(block),
            Operation::Push(Literal::Int(1)) => ones.push(block),
            _ => return None,
        }
    }
    (!zeros.is_empty() && !ones.is_empty()).then_some((zeros, ones))
}

impl Way {
    fn to(
        body: &MethodBody<'_>,
        cfg: &Cfg,
        control: &ControlDependence,
        blocks: Vec<BlockId>,
        probe_at: impl Fn(usize) -> Option<u32>,
    ) -> Self {
        let approach = control.approach(cfg, blocks);
        let mut jumps: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for (edge, level) in approach.edges() {
            let Some(edge) = cfg.edge(edge) else { continue };
            let last = cfg.block(edge.from).and_then(|it| it.instructions.end.checked_sub(1));
            let is_branch = |at: &usize| matches!(body.operation(*at), Some(Operation::Branch { .. }));
            let Some(probe) = last.filter(is_branch).and_then(&probe_at) else { continue };
            let sides = jumps.entry(probe).or_insert((f64::INFINITY, f64::INFINITY));
            match edge.kind {
                EdgeKind::Taken => sides.0 = sides.0.min(f64::from(level)),
                EdgeKind::Next => sides.1 = sides.1.min(f64::from(level)),
                _ => {}
            }
        }
        Self { jumps, depth: f64::from(approach.depth()) }
    }

    /// Approach level + φ(branch distance) to the code that sets the flag; none if no decision before it was observed.
    fn distance(&self, facts: &Facts, level: u32) -> Option<f64> {
        let mut nearest = f64::INFINITY;
        for branch in facts.branches.iter().filter(|it| it.level == level) {
            if let Some(&(jump, fall)) = self.jumps.get(&branch.probe) {
                for (level, distance) in [(jump, branch.to_jump), (fall, branch.to_fall)] {
                    // A decision that went the right way leads to the next one, or to the value.
                    if distance > 0.0 && level.is_finite() {
                        nearest = nearest.min(level + normalise(distance));
                    }
                }
            }
        }
        nearest.is_finite().then(|| nearest.min(self.depth + 1.0))
    }
}
