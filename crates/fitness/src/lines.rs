//! The way to the line of one frame.

use std::collections::{BTreeMap, BTreeSet};

use crashback_program::code::{
    ApproachLevels, BlockId, Cfg, ControlDependence, Dominators, EdgeKind, Flow, MethodBody, Operation,
};
use crashback_protocol::{Reached, SwitchKeys};

use crate::assessment::normalise;
use crate::flags::Flags;
use crate::hindrance::Hindrance;
use crate::probes::{Probe, ProbeKind};
use crate::seen::Seen;

/// What a frame asks of an execution, and what each probe of its method says about it.
#[derive(Clone, Debug)]
pub(crate) struct LineGoal {
    /// The place of the frame in the call chain; none for a method that leads to the target frame.
    pub(crate) place: Option<u32>,
    /// Number of the probe that the first rule is for.
    first: u32,
    rules: Vec<Rule>,
    switches: Vec<SwitchRule>,
    /// The marks that make the goal reached.
    required: u8,
    /// The distance where nothing that decides on the goal was executed.
    depth: f64,
    /// How many probes lie on every way to the goal.
    on_the_way: u32,
    /// The lines of the probes that say something.
    probe_lines: BTreeMap<u32, u32>,
    /// Which frame of the trace it is.
    pub(crate) frame: u32,
    /// The line to reach.
    pub(crate) line: Option<u32>,
}

/// A probe of the frame's method fired.
const ENTERED: u8 = 1;
/// The line was reached.
const LINE: u8 = 2;
/// A block was reached that can do what the trace says.
const ABLE: u8 = 4;

/// No method has as many probes; what numbers lie further apart are not of one.
const MOST_PROBES: usize = 1 << 20;

/// What is left when all decisions have gone the right way and the goal was not reached all the
/// same: something on the way was left by an exception, or did not end. It is smaller than any
/// distance that matters.
const NEAR: f64 = 1.0 / (1_u64 << 30) as f64;

/// What a probe says.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Nothing.
    Nothing,
    /// The approach levels of the two sides of a jump; infinite for a side that does not lead on.
    Jump { jump: f64, fall: f64 },
    /// Place among the rules for switches.
    Switch(usize),
    /// A place that was reached.
    Place(Place),
}

#[derive(Clone, Copy, Debug)]
struct Place {
    marks: u8,
    /// Whether every way to the goal passes here.
    on_the_way: bool,
    /// The approach level of what is decided here, infinite if nothing is, and the distance of
    /// coming here from the right way.
    level: f64,
    distance: f64,
    /// The probe of the handler that must be entered from here, if that is what is decided.
    handler: Option<u32>,
}

impl Default for Place {
    fn default() -> Self {
        let (level, distance) = (f64::INFINITY, f64::INFINITY);
        Self { marks: ENTERED, on_the_way: false, level, distance, handler: None }
    }
}

#[derive(Clone, Debug, Default)]
struct SwitchRule {
    /// The keys that lead on, with their approach levels.
    wanted: Vec<(i32, f64)>,
    /// The approach level of the default; infinite if it does not lead on.
    default: f64,
    /// All keys that have a case.
    cases: Vec<i32>,
}

impl LineGoal {
    /// The goal of reaching a line and one of the instructions, where some are given: a line such
    /// as `if (n < 0) throw …` is reached long before the instruction that matters. Without either
    /// it is the whole method.
    pub(crate) fn new(
        body: &MethodBody<'_>,
        line: Option<u32>,
        instructions: &[usize],
        place: Option<u32>,
        probes: &[Probe],
    ) -> Self {
        let cfg = Cfg::of(body);
        let wanted = Wanted::find(body, &cfg, line, instructions);
        let approach =
            ControlDependence::of(&cfg, Flow::Normal).approach(&cfg, wanted.blocks.iter().copied());
        let first = probes.iter().map(|it| it.number).min().unwrap_or(0);
        let mut goal = Self {
            place,
            first,
            rules: Vec::new(),
            switches: Vec::new(),
            required: 0,
            depth: f64::from(approach.depth()),
            on_the_way: 0,
            probe_lines: BTreeMap::new(),
            frame: 0,
            line,
        };
        let places = Places { body, cfg: &cfg, probes };
        goal.add_marks(&places, &wanted);
        goal.add_decisions(&places, &approach);
        let line_of = |it: &Probe| Some((it.number, body.line_of(body.index_at(it.offset)?)?));
        goal.probe_lines = probes.iter().filter_map(line_of).collect();
        goal
    }

    /// The same without what is not decided: how far an execution came between decisions makes no
    /// difference to its distance, as published definitions have it.
    pub(crate) fn by_decisions(self) -> Self {
        Self { on_the_way: 0, ..self }
    }

    /// More than the distance of any execution that entered the frame.
    pub(crate) fn farthest(&self) -> f64 {
        self.depth + 1.0
    }

    /// The marks that reaching a probe leaves. Those of an execution are all of them together.
    pub(crate) fn marks(&self, probe: u32) -> u8 {
        match self.rule(probe) {
            Some(Rule::Place(place)) => place.marks,
            _ => 0,
        }
    }

    /// All marks that an execution left.
    pub(crate) fn all_marks(&self, seen: &Seen<'_>) -> u8 {
        self.reached(seen).fold(0, |marks, it| marks | self.marks(it.probe))
    }

    /// Lines and blocks that were reached where the frame runs.
    fn reached<'f>(&self, seen: &Seen<'f>) -> impl Iterator<Item = &'f Reached> {
        seen.facts.reached.iter().filter(|it| seen.place(it.position) == self.place)
    }

    /// Whether the frame was entered.
    fn is_entered(&self, seen: &Seen<'_>, marks: u8) -> bool {
        self.place.map_or(marks != 0, |place| seen.has_entered(place))
    }

    /// Whether the goal was reached. Where no probe can tell, entering the frame has to do.
    pub(crate) fn is_reached(&self, seen: &Seen<'_>, marks: u8) -> bool {
        self.is_entered(seen, marks) && marks & self.required == self.required
    }

    /// Approach level + φ(branch distance) to the nearest block of the goal (McMinn: Search-Based
    /// Software Test Data Generation), for an execution that did not reach it; infinite if it did
    /// not enter the frame. It is never 0.
    pub(crate) fn distance(&self, seen: &Seen<'_>, marks: u8, flags: &Flags) -> f64 {
        if !self.is_entered(seen, marks) {
            return f64::INFINITY;
        }
        let nearest = self.nearest(seen, flags);
        if nearest.open <= nearest.passed {
            return nearest.open;
        }
        // The last decision went the right way, but neither the next one nor the goal was reached.
        // Each place that lies on every way and was passed is a step nearer.
        let missing = self.on_the_way.saturating_sub(self.passed(seen));
        nearest.passed + NEAR * f64::from(missing + 1) / f64::from(self.on_the_way + 1)
    }

    /// What kept an execution from reaching the goal, which it did not.
    pub(crate) fn hindrance(&self, seen: &Seen<'_>, marks: u8, flags: &Flags) -> Hindrance {
        if !self.is_entered(seen, marks) {
            return Hindrance::NotEntered;
        }
        let nearest = self.nearest(seen, flags);
        if nearest.open > nearest.passed {
            return Hindrance::Left;
        }
        let line = self.probe_lines.get(&nearest.open_at).copied();
        match self.rule(nearest.open_at) {
            Some(Rule::Jump { .. }) => Hindrance::Condition { line },
            Some(Rule::Switch(_)) => Hindrance::Switch { line },
            _ => Hindrance::NothingThrown { line },
        }
    }

    /// The decisions nearest to the goal. Those of one jump may come several times, from different
    /// positions at the place of the frame; that makes no difference, as the least counts.
    fn nearest(&self, seen: &Seen<'_>, flags: &Flags) -> Nearest {
        let mut nearest = Nearest { open: f64::INFINITY, open_at: 0, passed: self.depth };
        for branch in seen.facts.branches.iter().filter(|it| seen.place(it.position) == self.place) {
            if let Some(&Rule::Jump { jump, fall }) = self.rule(branch.probe) {
                for (level, is_jump) in [(jump, true), (fall, false)] {
                    if level.is_finite() {
                        nearest.add(level, flags.graded(branch, is_jump, seen), branch.probe);
                    }
                }
            }
        }
        for switch in seen.facts.switches.iter().filter(|it| seen.place(it.position) == self.place) {
            if let Some(&Rule::Switch(place)) = self.rule(switch.probe)
                && let Some(rule) = self.switches.get(place)
            {
                rule.add_to(&mut nearest, switch);
            }
        }
        for reached in self.reached(seen) {
            if let Some(Rule::Place(place)) = self.rule(reached.probe) {
                let graded = place.handler.filter(|_| place.level < nearest.open);
                let distance = graded.map_or(place.distance, |it| flags.to_handler(it, self.place, seen));
                nearest.add(place.level, distance, reached.probe);
            }
        }
        nearest
    }

    /// How many places on every way to the goal were passed. Each counts once, at however many
    /// positions it was.
    fn passed(&self, seen: &Seen<'_>) -> u32 {
        let is_on_the_way =
            |it: &&Reached| matches!(self.rule(it.probe), Some(Rule::Place(place)) if place.on_the_way);
        let passed = || self.reached(seen).filter(is_on_the_way);
        let first = passed().next().map(|it| it.position);
        let count = if passed().all(|it| Some(it.position) == first) {
            passed().count()
        } else {
            passed().map(|it| it.probe).collect::<BTreeSet<u32>>().len()
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn rule(&self, probe: u32) -> Option<&Rule> {
        self.rules.get(probe.checked_sub(self.first)? as usize)
    }

    fn rule_mut(&mut self, probe: u32) -> Option<&mut Rule> {
        let place = probe.checked_sub(self.first)? as usize;
        if place >= MOST_PROBES {
            return None;
        }
        if place >= self.rules.len() {
            self.rules.resize(place + 1, Rule::Nothing);
        }
        self.rules.get_mut(place)
    }

    fn place_mut(&mut self, probe: u32) -> Option<&mut Place> {
        let rule = self.rule_mut(probe)?;
        if !matches!(rule, Rule::Place(_)) {
            *rule = Rule::Place(Place::default());
        }
        match rule {
            Rule::Place(place) => Some(place),
            _ => None,
        }
    }

    /// What reaching lines and blocks tells about the goal itself.
    fn add_marks(&mut self, places: &Places<'_, '_>, wanted: &Wanted) {
        for (probe, instruction) in places.all() {
            let Some(place) = self.place_mut(probe.number) else { continue };
            if wanted.line.is_some() && places.body.line_of(instruction) == wanted.line {
                place.marks |= LINE;
                self.required |= LINE;
            } else if wanted.lies_behind(places, instruction) {
                place.on_the_way = true;
                self.on_the_way += 1;
            }
        }
        if wanted.narrowed {
            for number in wanted.blocks.iter().filter_map(|&block| places.block_probe(block)) {
                if let Some(place) = self.place_mut(number) {
                    place.marks |= ABLE;
                    self.required |= ABLE;
                }
            }
        }
    }

    /// What the edges that decide on the goal say, where their ends are observed.
    fn add_decisions(&mut self, places: &Places<'_, '_>, approach: &ApproachLevels) {
        for (edge, level) in approach.edges() {
            let Some(edge) = places.cfg.edge(edge) else { continue };
            let level = f64::from(level);
            let decided = match edge.kind {
                EdgeKind::Taken | EdgeKind::Next => {
                    let probe = places.at_end(edge.from, ProbeKind::Jump);
                    probe.is_some_and(|number| self.add_side(number, edge.kind, level))
                }
                EdgeKind::Case(_) | EdgeKind::Default => {
                    let probe = places.at_end(edge.from, ProbeKind::Switch);
                    probe.is_some_and(|number| self.add_case(places, edge.from, number, edge.kind, level))
                }
                _ => false,
            };
            if !decided {
                // Flags may grade an exception. A jump without a probe happens or not.
                let handler = edge.kind.is_exception().then(|| places.block_probe(edge.to)).flatten();
                self.add_place(places.block_probe(edge.from), level, 1.0, handler);
                self.add_place(handler, level, 0.0, None);
            }
        }
    }

    fn add_side(&mut self, number: u32, kind: EdgeKind, level: f64) -> bool {
        let Some(rule) = self.rule_mut(number) else { return false };
        if !matches!(rule, Rule::Jump { .. }) {
            *rule = Rule::Jump { jump: f64::INFINITY, fall: f64::INFINITY };
        }
        if let Rule::Jump { jump, fall } = rule {
            let side = if kind == EdgeKind::Taken { jump } else { fall };
            *side = side.min(level);
        }
        true
    }

    fn add_case(
        &mut self,
        places: &Places<'_, '_>,
        block: BlockId,
        number: u32,
        kind: EdgeKind,
        level: f64,
    ) -> bool {
        let next = self.switches.len();
        let Some(rule) = self.rule_mut(number) else { return false };
        let place = match *rule {
            Rule::Switch(place) => place,
            _ => {
                *rule = Rule::Switch(next);
                self.switches.push(SwitchRule {
                    default: f64::INFINITY,
                    cases: places.cases(block),
                    ..SwitchRule::default()
                });
                next
            }
        };
        let Some(switch) = self.switches.get_mut(place) else { return false };
        match kind {
            EdgeKind::Case(key) => switch.wanted.push((key, level)),
            _ => switch.default = switch.default.min(level),
        }
        true
    }

    fn add_place(&mut self, probe: Option<u32>, level: f64, distance: f64, handler: Option<u32>) {
        if let Some(place) = probe.and_then(|number| self.place_mut(number))
            && level + normalise(distance) < place.level + normalise(place.distance)
        {
            (place.level, place.distance, place.handler) = (level, distance, handler);
        }
    }
}

impl SwitchRule {
    /// How near keys came to one that leads on. The default is left, or met, by one step.
    fn add_to(&self, nearest: &mut Nearest, SwitchKeys { keys, probe, .. }: &SwitchKeys) {
        for &(wanted, level) in &self.wanted {
            let apart = keys.iter().map(|&key| i64::from(key).abs_diff(i64::from(wanted)));
            nearest.add(level, apart.min().map_or(f64::INFINITY, |it| it as f64), *probe);
        }
        let meets_default = keys.iter().any(|key| !self.cases.contains(key));
        nearest.add(self.default, if meets_default { 0.0 } else { 1.0 }, *probe);
    }
}

/// The decisions nearest to the goal.
struct Nearest {
    /// Of those that went another way, the least approach level + φ(branch distance).
    open: f64,
    /// The probe at that.
    open_at: u32,
    /// Of those that went the right way, the least approach level.
    passed: f64,
}

impl Nearest {
    /// Takes account of a decision at an approach level, which is infinite where it does not
    /// matter. Most decisions are not the nearest.
    fn add(&mut self, level: f64, distance: f64, probe: u32) {
        if distance <= 0.0 {
            self.passed = self.passed.min(level);
        } else if level < self.open {
            let open = level + normalise(distance);
            if open < self.open {
                (self.open, self.open_at) = (open, probe);
            }
        }
    }
}

/// What is to be reached.
struct Wanted {
    line: Option<u32>,
    /// The blocks of the instructions that matter, or of the line.
    blocks: BTreeSet<BlockId>,
    /// Whether they are the former.
    narrowed: bool,
    dominators: Dominators,
}

impl Wanted {
    fn find(body: &MethodBody<'_>, cfg: &Cfg, line: Option<u32>, instructions: &[usize]) -> Self {
        let blocks = if !instructions.is_empty() {
            instructions.iter().filter_map(|&it| cfg.block_at(it)).collect()
        } else if let Some(line) = line {
            body.instructions_at_line(line).into_iter().flatten().filter_map(|it| cfg.block_at(it)).collect()
        } else {
            BTreeSet::from([cfg.entry()])
        };
        let dominators = Dominators::of(cfg, Flow::WithExceptions);
        Self { line, blocks, narrowed: !instructions.is_empty(), dominators }
    }

    /// Whether an instruction lies on every way to the goal.
    fn lies_behind(&self, places: &Places<'_, '_>, instruction: usize) -> bool {
        let Some(block) = places.cfg.block_at(instruction) else { return false };
        self.blocks.iter().all(|&wanted| {
            let before = || {
                let start = places.cfg.block(wanted).map(|it| it.instructions.clone()).unwrap_or_default();
                let mut of_goal =
                    start.filter(|&it| self.line.is_none() || places.body.line_of(it) == self.line);
                of_goal.next().is_some_and(|first| instruction < first)
            };
            if wanted == block { before() } else { self.dominators.dominates(block, wanted) }
        })
    }
}

/// Where the probes of a method are.
pub(crate) struct Places<'p, 'a> {
    pub(crate) body: &'p MethodBody<'a>,
    pub(crate) cfg: &'p Cfg,
    pub(crate) probes: &'p [Probe],
}

impl Places<'_, '_> {
    /// The probes at lines and blocks, with their instructions.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Probe, usize)> {
        let places = self.probes.iter().filter(|it| matches!(it.kind, ProbeKind::Line | ProbeKind::Block));
        places.filter_map(|probe| Some((probe, self.body.index_at(probe.offset)?)))
    }

    /// The probe of a kind at the last instruction of a block.
    fn at_end(&self, block: BlockId, kind: ProbeKind) -> Option<u32> {
        self.at(self.cfg.block(block)?.instructions.end.checked_sub(1)?, kind)
    }

    /// The probe of a kind at an instruction.
    fn at(&self, instruction: usize, kind: ProbeKind) -> Option<u32> {
        let offset = self.body.instructions().get(instruction)?.offset;
        self.probes.iter().find(|it| it.kind == kind && it.offset == offset).map(|it| it.number)
    }

    /// The probe that tells of a block. Blocks are also cut where the cover of a handler begins or
    /// ends, and then the probe is at the beginning of the whole.
    pub(crate) fn block_probe(&self, block: BlockId) -> Option<u32> {
        let start = self.cfg.block(block)?.instructions.start;
        let offset = self.body.instructions().get(start)?.offset;
        let blocks = self.probes.iter().filter(|it| it.kind == ProbeKind::Block && it.offset <= offset);
        blocks.max_by_key(|it| it.offset).map(|it| it.number)
    }

    /// The keys of the switch that ends a block.
    fn cases(&self, block: BlockId) -> Vec<i32> {
        let last = self.cfg.block(block).and_then(|it| it.instructions.end.checked_sub(1));
        match last.and_then(|it| self.body.operation(it)) {
            Some(Operation::Switch(switch)) => switch.cases.iter().map(|&(key, _)| key).collect(),
            _ => Vec::new(),
        }
    }
}
