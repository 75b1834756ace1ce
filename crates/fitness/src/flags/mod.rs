//! Branches on flags.
//!
//! Whether a `boolean` is 0 or 1 says nothing about how near it was to being the other. But the
//! decisions before it do, by which it became what it is (Baresel and Sthamer: Evolutionary Testing
//! of Flag Conditions, 2003). So the distance to the other side of such a branch is that to the
//! code which gives the flag the other value, be it in the same method, in one whose result is
//! looked at, or in one that writes the field where the flag is kept.
//!
//! A handler that must be entered is like a flag: an exception is thrown or not, and the decisions
//! before the code that throws tell how near it was.

mod sources;
mod throwers;
mod value_ways;
mod values;
mod wanted;

use std::collections::BTreeMap;

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Cfg, ControlDependence, EdgeKind, Flow, MethodBody};
use crashback_protocol::Branch;

use crate::assessment::normalise;
use crate::probes::{Probe, ProbeKind};
use crate::seen::Seen;

pub use sources::FlagSources;
use sources::{FieldKey, Source, Yield};
use throwers::{ThrowSource, Thrown};
pub(crate) use wanted::grades;

/// The distance to an exception of which nothing is known but that it was not thrown.
const NOT_THROWN: f64 = 1.0;

/// The distance to a value that makes an instruction throw where one of the same origin was seen
/// elsewhere. It is farther than one to which all decisions led, and nearer than all others.
const SEEN: f64 = 0.75;

/// How many flags are followed that hang on one another.
const DEEPEST: u8 = 3;

/// The branches that look at flags, by the number of their probes, with the ways to the code that
/// lets them go one way or the other. They are the same for all frames of a crash.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    branches: BTreeMap<u32, Sides>,
    /// The ways to code that throws what a handler catches, by the probe of the handler's block.
    handlers: BTreeMap<u32, Way>,
    /// The ways to values that make the innermost frame throw, with the levels of the frames in
    /// which they begin.
    throwing: Vec<(u32, Way)>,
    /// The jumps that test a value of the same origin, with the side that such a value takes.
    tests: Vec<(u32, bool)>,
}

/// The ways to the code that lets a branch go either way; none where nothing decides.
#[derive(Clone, Debug)]
struct Sides {
    jump: Option<Way>,
    fall: Option<Way>,
}

/// A way to a value of a flag.
#[derive(Clone, Debug, Default)]
struct Way {
    /// By the probes of jumps.
    decisions: BTreeMap<u32, Decision>,
    /// More than any approach level of these.
    depth: u32,
}

/// What a jump decides about a flag.
#[derive(Clone, Copy, Debug)]
struct Decision {
    /// Approach levels of the sides of the jump; infinite for one that does not lead to the value.
    jump: f64,
    fall: f64,
    /// Whether it counts wherever it is made, and not only at the place of the call chain where the
    /// flag is looked at: the method was called before.
    anywhere: bool,
}

impl Flags {
    /// The flags from these sources. `probes` tells what is observed of a method.
    pub fn new(
        classes: &Classes<'_>,
        sources: &FlagSources,
        probes: impl Fn(MethodId) -> Option<Vec<Probe>>,
    ) -> Self {
        let (jumps, known) = (BTreeMap::new(), BTreeMap::new());
        let mut ways = Ways { classes, sources, probes, jumps, known };
        let mut flags = Self::default();
        for branch in &sources.branches {
            let Some(probe) = ways.probe_at(branch.method, branch.at) else { continue };
            let mut way = |value| ways.to(branch.method, &branch.sources, value, false, DEEPEST);
            let (jump, fall) = (way(branch.jumps_at), way(!branch.jumps_at));
            let some = |it: Way| (!it.decisions.is_empty()).then_some(it);
            flags.branches.insert(probe, Sides { jump: some(jump), fall: some(fall) });
        }
        for handler in &sources.throwers.handlers {
            let Some(probe) = ways.block_probe(handler.method, handler.target) else { continue };
            let way = ways.way_to_throw(handler.method, &handler.sources, &handler.catches, false, DEEPEST);
            if let Some(way) = way.filter(|it| !it.decisions.is_empty()) {
                flags.handlers.entry(probe).or_default().join(way);
            }
        }
        flags.throwing = ways.ways_to_values();
        flags.tests = ways.value_tests();
        flags
    }

    /// How far the innermost frame was from getting a value that makes it throw; infinite where
    /// nothing tells. `place_of` gives the places of the frames that an execution was to run
    /// through, by their levels.
    pub(crate) fn to_throwing(&self, place_of: impl Fn(u32) -> Option<Option<u32>>, seen: &Seen<'_>) -> f64 {
        let distance = |(level, way): &(u32, Way)| {
            Some(self.to_value(way, NOT_THROWN, place_of(*level)?, seen, DEEPEST))
        };
        let nearest = self.throwing.iter().filter_map(distance).fold(f64::INFINITY, f64::min);
        let is_seen = |it: &Branch| {
            let distance = |is_jump: bool| if is_jump { it.to_jump } else { it.to_fall };
            self.tests.iter().any(|(probe, is_jump)| *probe == it.probe && distance(*is_jump) <= 0.0)
        };
        if nearest > SEEN && !self.tests.is_empty() && seen.facts.branches.iter().any(is_seen) {
            return SEEN;
        }
        nearest
    }

    /// The distance to an exception that enters a handler, given by the probe of its block, from
    /// code that the handler covers at a place of the call chain.
    pub(crate) fn to_handler(&self, handler: u32, place: Option<u32>, seen: &Seen<'_>) -> f64 {
        match self.handlers.get(&handler) {
            Some(way) => self.to_value(way, NOT_THROWN, place, seen, DEEPEST),
            None => NOT_THROWN,
        }
    }

    /// The distance to one side of a branch.
    pub(crate) fn graded(&self, branch: &Branch, is_jump: bool, seen: &Seen<'_>) -> f64 {
        self.graded_within(branch, is_jump, seen, DEEPEST)
    }

    fn graded_within(&self, branch: &Branch, is_jump: bool, seen: &Seen<'_>, deepest: u8) -> f64 {
        let distance = if is_jump { branch.to_jump } else { branch.to_fall };
        if distance <= 0.0 || self.branches.is_empty() {
            return distance;
        }
        let sides = self.branches.get(&branch.probe);
        let way = sides.and_then(|it| if is_jump { it.jump.as_ref() } else { it.fall.as_ref() });
        match (way, deepest.checked_sub(1)) {
            (Some(way), Some(deepest)) => {
                self.to_value(way, distance, seen.place(branch.position), seen, deepest)
            }
            _ => distance,
        }
    }

    /// The distance to a value of a flag that a branch at a place of the call chain looks at. Where
    /// decisions went another way it is 1 + approach level + φ(branch distance) of the nearest;
    /// where the last went the right way and the next was not reached, as much as the next could be
    /// at most. Where all went the right way, the distance of the branch itself is left.
    fn to_value(&self, way: &Way, distance: f64, place: Option<u32>, seen: &Seen<'_>, deepest: u8) -> f64 {
        let (mut open, mut passed) = (f64::INFINITY, f64::INFINITY);
        for branch in seen.facts.branches.iter() {
            let Some(decision) = way.decisions.get(&branch.probe) else { continue };
            if !decision.anywhere && seen.place(branch.position) != place {
                continue;
            }
            for (approach, is_jump) in [(decision.jump, true), (decision.fall, false)] {
                if approach.is_infinite() {
                    continue;
                }
                let distance = self.graded_within(branch, is_jump, seen, deepest);
                if distance <= 0.0 {
                    passed = passed.min(approach);
                } else {
                    open = open.min(approach + normalise(distance));
                }
            }
        }
        if passed <= 0.0 { normalise(distance) } else { 1.0 + open.min(passed).min(f64::from(way.depth)) }
    }
}

/// Makes ways.
struct Ways<'a, 's, F> {
    classes: &'a Classes<'s>,
    sources: &'a FlagSources,
    probes: F,
    jumps: BTreeMap<MethodId, Option<Jumps>>,
    /// The ways to exceptions of methods, by these, the type that is caught and the depth left.
    known: BTreeMap<(MethodId, String, u8), Option<Way>>,
}

/// What decides in a method.
struct Jumps {
    cfg: Cfg,
    control: ControlDependence,
    /// Numbers of the probes at jumps, by the indices of these.
    probes: BTreeMap<usize, u32>,
    /// The same for blocks, by their first instructions.
    blocks: BTreeMap<usize, u32>,
}

impl<F: Fn(MethodId) -> Option<Vec<Probe>>> Ways<'_, '_, F> {
    /// The way to one of the instructions of a method that yield a value; `anywhere` if the method
    /// was called before.
    fn to(&mut self, method: MethodId, from: &[Source], value: bool, anywhere: bool, deepest: u8) -> Way {
        let mut way = Way::default();
        for source in from {
            let before = match (&source.value, deepest.checked_sub(1)) {
                (Yield::Constant(constant), _) if *constant != value => continue,
                (Yield::Result(methods), Some(deepest)) => {
                    self.way_to_result(methods, value, anywhere, deepest)
                }
                (Yield::Field(field), Some(deepest)) => self.way_to_field(*field, value, deepest),
                _ => Way::default(),
            };
            // What decides on the source comes before what it hangs on.
            let behind = before.depth;
            way.join(before);
            self.add_decisions(&mut way, method, source.at, behind, anywhere);
        }
        way
    }

    fn way_to_result(&mut self, methods: &[MethodId], value: bool, anywhere: bool, deepest: u8) -> Way {
        let mut way = Way::default();
        for &method in methods {
            let Some(returned) = self.sources.returned.get(&method) else { continue };
            let anywhere = anywhere || self.sources.is_asked_for(method);
            way.join(self.to(method, returned, value, anywhere, deepest));
        }
        way
    }

    fn way_to_field(&mut self, field: FieldKey, value: bool, deepest: u8) -> Way {
        let mut way = Way::default();
        for (&method, written) in self.sources.written.get(&field).into_iter().flatten() {
            way.join(self.to(method, written, value, true, deepest));
        }
        way
    }

    /// The way to an instruction of a method that throws what a handler catches; none if there is
    /// no such instruction.
    fn way_to_throw(
        &mut self,
        method: MethodId,
        from: &[ThrowSource],
        catches: &str,
        anywhere: bool,
        deepest: u8,
    ) -> Option<Way> {
        let mut way: Option<Way> = None;
        for source in from {
            let before = match (&source.thrown, source.thrown.is_caught(self.classes, catches)) {
                (Thrown::By(methods), _) => self.way_to_exception(methods, catches, anywhere, deepest),
                (_, Some(true)) => Some(Way::default()),
                _ => None,
            };
            let Some(before) = before else { continue };
            let behind = before.depth;
            let way = way.get_or_insert_default();
            way.join(before);
            self.add_decisions(way, method, source.at, behind, anywhere);
        }
        way
    }

    fn way_to_exception(
        &mut self,
        methods: &[MethodId],
        catches: &str,
        anywhere: bool,
        deepest: u8,
    ) -> Option<Way> {
        let deepest = deepest.checked_sub(1)?;
        let mut all: Option<Way> = None;
        for &method in methods {
            let key = (method, catches.to_owned(), deepest);
            let way = match self.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let Some(thrown) = self.sources.throwers.thrown.get(&method) else { continue };
                    let anywhere = anywhere || self.sources.is_asked_for(method);
                    let way = self.way_to_throw(method, thrown, catches, anywhere, deepest);
                    self.known.insert(key, way.clone());
                    way
                }
            };
            if let Some(way) = way {
                all.get_or_insert_default().join(way);
            }
        }
        all
    }

    /// Adds the jumps of a method that decide on an instruction, which has decisions behind it.
    fn add_decisions(&mut self, way: &mut Way, method: MethodId, at: usize, behind: u32, anywhere: bool) {
        let Some(Jumps { cfg, control, probes, .. }) = self.jumps_of(method) else { return };
        let approach = control.approach(cfg, cfg.block_at(at));
        for (edge, level) in approach.edges() {
            let Some(edge) = cfg.edge(edge) else { continue };
            let last = cfg.block(edge.from).and_then(|it| it.instructions.end.checked_sub(1));
            if let Some(&probe) = last.and_then(|it| probes.get(&it)) {
                way.add(probe, edge.kind, level + behind, anywhere);
            }
        }
        way.depth = way.depth.max(approach.depth() + behind);
    }

    fn probe_at(&mut self, method: MethodId, instruction: usize) -> Option<u32> {
        self.jumps_of(method)?.probes.get(&instruction).copied()
    }

    /// The probe of the block that begins with an instruction.
    fn block_probe(&mut self, method: MethodId, instruction: usize) -> Option<u32> {
        self.jumps_of(method)?.blocks.get(&instruction).copied()
    }

    fn jumps_of(&mut self, method: MethodId) -> Option<&Jumps> {
        let Self { classes, probes, jumps, .. } = self;
        let jumps = jumps.entry(method).or_insert_with(|| {
            let observed = probes(method)?;
            classes.with_body(method, |body| Jumps::of(body, &observed))
        });
        jumps.as_ref()
    }
}

impl Jumps {
    fn of(body: &MethodBody<'_>, probes: &[Probe]) -> Self {
        let cfg = Cfg::of(body);
        let control = ControlDependence::of(&cfg, Flow::Normal);
        let of_kind = |kind: ProbeKind| {
            let probes = probes.iter().filter(|it| it.kind == kind);
            probes.filter_map(|it| Some((body.index_at(it.offset)?, it.number))).collect()
        };
        Self { cfg, control, probes: of_kind(ProbeKind::Jump), blocks: of_kind(ProbeKind::Block) }
    }
}

impl Way {
    fn add(&mut self, probe: u32, kind: EdgeKind, level: u32, anywhere: bool) {
        let none = Decision { jump: f64::INFINITY, fall: f64::INFINITY, anywhere };
        let decision = self.decisions.entry(probe).or_insert(none);
        match kind {
            EdgeKind::Taken => decision.jump = decision.jump.min(f64::from(level)),
            EdgeKind::Next => decision.fall = decision.fall.min(f64::from(level)),
            _ => {}
        }
    }

    /// Takes over another way to the value.
    fn join(&mut self, other: Self) {
        for (probe, it) in other.decisions {
            let known = self.decisions.entry(probe).or_insert(it);
            (known.jump, known.fall) = (known.jump.min(it.jump), known.fall.min(it.fall));
            known.anywhere |= it.anywhere;
        }
        self.depth = self.depth.max(other.depth);
    }
}
