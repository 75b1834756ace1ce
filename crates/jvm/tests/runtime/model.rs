//! Random sequences of probes against what the documentation says they mean.

use std::collections::BTreeMap;

use crashback_protocol::{Branch, Facts, Position, Reached, SwitchKeys, TargetChain};

use crate::support::{Script, code, position};

/// Numbers of probes by kind: frames first, on the chain and not, then jumps, lines and switches.
const FRAMES: u32 = 6;
const JUMPS: u32 = 40;
const LINES: u32 = 60;

#[test]
fn probes_record_what_they_mean() {
    let mut random = Random(7);
    for _ in 0..6 {
        // Few frames, so that the chain repeats itself in interesting ways.
        let chain: Vec<i32> = (0..random.below(8)).map(|_| random.below(3) as i32).collect();
        let codes: Vec<u8> =
            (0..JUMPS).map(|probe| if probe < FRAMES { 0 } else { jump_code(&mut random) }).collect();
        let mut script = Script::new(&codes, &chain);
        let mut expected = Vec::new();
        for number in 0..100 {
            if number % 10 == 9 {
                script.line("newBatch ()V");
            }
            let mut model = Model { chain: &chain, ..Model::default() };
            let calls: Vec<_> =
                (0..random.below(80)).map(|_| step(&mut random, &codes, &mut model)).collect();
            script.test(&calls, "");
            expected.push((calls, model.into_facts()));
        }
        for (observed, (calls, facts)) in script.observe().iter().zip(&expected) {
            assert_eq!(&observed.facts, facts, "chain {chain:?}, codes {codes:x?}: {calls:#?}");
        }
    }
}

/// Any jump; those of the fifth kind are for references.
fn jump_code(random: &mut Random) -> u8 {
    let relation = random.below(6) as u8;
    match random.below(5) {
        0 => code::IFEQ + relation,
        1 => code::IF_ICMPEQ + relation,
        2 => (code::IFEQ + relation) | code::NAN_IS_GREATER,
        3 => code::IF_ACMPEQ + relation % 2,
        _ => code::IFNULL + relation % 2,
    }
}

/// A call of a probe, which the model takes in.
fn step(random: &mut Random, codes: &[u8], model: &mut Model<'_>) -> String {
    match random.below(10) {
        0..3 => {
            let frame = random.below(FRAMES.into()) as i32;
            model.enter(frame);
            format!("enter (I)V {frame}")
        }
        3 => {
            let frame = model.running.last().copied().unwrap_or(0);
            model.leave(frame);
            format!("leave (I)V {frame}")
        }
        4 => {
            let frame = random.below(FRAMES.into()) as i32;
            model.leave(frame);
            format!("unwind (Ljava/lang/Throwable;I)V null {frame}")
        }
        5 => {
            let probe = JUMPS + random.below(20) as u32;
            model.reach(probe);
            format!("line (I)V {probe}")
        }
        6 => {
            let (probe, key) = (LINES + random.below(3) as u32, random.integer(32) as i32);
            model.switch(probe, key);
            format!("switchKey (II)V {key} {probe}")
        }
        _ => {
            let probe = FRAMES + random.below((JUMPS - FRAMES).into()) as u32;
            jump(random, codes[probe as usize], probe, model)
        }
    }
}

fn jump(random: &mut Random, code: u8, probe: u32, model: &mut Model<'_>) -> String {
    match code {
        code::IF_ICMPEQ..code::IF_ACMPEQ => {
            let (left, right) = (random.integer(32), random.integer(32));
            model.branch(probe, code - code::IF_ICMPEQ, &Pair::Integers(left, right));
            format!("jump (III)V {left} {right} {probe}")
        }
        code::IF_ACMPEQ.. if code < 0xa7 => {
            let equal = random.below(2) == 0;
            model.branch(probe, code - code::IF_ACMPEQ, &Pair::references(equal));
            let right = if equal { "null" } else { "i:5" };
            format!("jump (Ljava/lang/Object;Ljava/lang/Object;I)V null {right} {probe}")
        }
        code::IFNULL..=code::IFNONNULL => {
            let null = random.below(2) == 0;
            model.branch(probe, code - code::IFNULL, &Pair::references(null));
            format!("jump (Ljava/lang/Object;I)V {} {probe}", if null { "null" } else { "i:5" })
        }
        _ => compare(random, code, probe, model),
    }
}

fn compare(random: &mut Random, code: u8, probe: u32, model: &mut Model<'_>) -> String {
    let (relation, nan_is_greater) =
        ((code & !code::NAN_IS_GREATER) - code::IFEQ, code & code::NAN_IS_GREATER != 0);
    match random.below(if nan_is_greater { 2 } else { 4 }) {
        0 => {
            let (left, right) = (random.float(), random.float());
            model.branch(probe, relation, &Pair::Floats { left, right, nan_is_greater });
            format!("jump (DDI)V {:x} {:x} {probe}", left.to_bits(), right.to_bits())
        }
        1 => {
            let (left, right) = (random.float() as f32, random.float() as f32);
            model.branch(
                probe,
                relation,
                &Pair::Floats { left: left.into(), right: right.into(), nan_is_greater },
            );
            format!("jump (FFI)V {:x} {:x} {probe}", left.to_bits(), right.to_bits())
        }
        2 => {
            let (left, right) = (random.integer(64), random.integer(64));
            model.branch(probe, relation, &Pair::Integers(left, right));
            format!("jump (JJI)V {left} {right} {probe}")
        }
        _ => {
            let value = random.integer(32);
            model.branch(probe, relation, &Pair::Integers(value, 0));
            format!("jump (II)V {value} {probe}")
        }
    }
}

/// What is compared.
enum Pair {
    Integers(i64, i64),
    Floats { left: f64, right: f64, nan_is_greater: bool },
    References { equal: bool },
}

impl Pair {
    fn references(equal: bool) -> Self {
        Self::References { equal }
    }

    /// How far it is from a relation, numbered as the opcodes are: McMinn, "Search-based software
    /// test data generation", 2004.
    fn distance(&self, relation: u8) -> f64 {
        match *self {
            Self::Integers(left, right) => {
                let difference = (i128::from(left) - i128::from(right)) as f64;
                distance(relation, difference)
            }
            Self::Floats { left, right, nan_is_greater } if left.is_nan() || right.is_nan() => {
                let sign = if nan_is_greater { 1.0 } else { -1.0 };
                if distance(relation, sign) == 0.0 { 0.0 } else { f64::MAX }
            }
            Self::Floats { left, right, .. } if left == right => distance(relation, 0.0),
            Self::Floats { left, right, .. } => distance(relation, (left - right).clamp(f64::MIN, f64::MAX)),
            Self::References { equal } => distance(relation, if equal { 0.0 } else { 1.0 }),
        }
    }
}

fn distance(relation: u8, difference: f64) -> f64 {
    let (holds, away) = match relation {
        0 => (difference == 0.0, difference.abs()),
        1 => (difference != 0.0, 1.0),
        2 => (difference < 0.0, difference + 1.0),
        3 => (difference >= 0.0, -difference),
        4 => (difference > 0.0, 1.0 - difference),
        _ => (difference <= 0.0, difference),
    };
    if holds { 0.0 } else { away }
}

/// What must have been recorded.
#[derive(Debug, Default)]
struct Model<'c> {
    chain: &'c [i32],
    /// Methods on the chain that are running, outermost first.
    running: Vec<i32>,
    facts: Facts,
    branches: Vec<Branch>,
    reached: Vec<Reached>,
    entered: Vec<Position>,
    /// Places of probes and positions in the lists of facts.
    places: BTreeMap<(u32, Position), usize>,
}

impl Model<'_> {
    fn into_facts(self) -> Facts {
        Facts {
            entered: self.entered.into(),
            branches: self.branches.into(),
            reached: self.reached.into(),
            ..self.facts
        }
    }

    /// Where the longest end of the running methods that occurs in the chain occurs first. To every
    /// frame it tells the longest part of the chain from there inwards that the running methods end
    /// with.
    fn position(&self) -> Position {
        let ends = (1..=self.running.len()).rev().map(|length| &self.running[self.running.len() - length..]);
        let mut longest = ends.filter_map(|end| {
            let first = self.chain.windows(end.len()).position(|it| it == end)?;
            Some(position(first as u16, (first + end.len() - 1) as u16))
        });
        let position = longest.next().unwrap_or_default();
        for target in 0..self.chain.len() {
            let mut places = (target..self.chain.len()).rev();
            let innermost = places.find(|last| self.running.ends_with(&self.chain[target..=*last]));
            let told = TargetChain::new(self.chain, target as u32).innermost(position);
            assert_eq!(told, innermost.map(|it| it as u32), "{self:?} at place {target}");
        }
        position
    }

    fn enter(&mut self, frame: i32) {
        if self.chain.contains(&frame) {
            self.running.push(frame);
            let repeats = (1..self.chain.len()).any(|it| self.chain[..it].contains(&self.chain[it]));
            let depth = if repeats { self.running.len() as u32 } else { 0 };
            self.facts.depth = self.facts.depth.max(depth);
            let position = self.position();
            if !self.entered.contains(&position) {
                self.entered.push(position);
            }
        }
    }

    fn leave(&mut self, frame: i32) {
        if let Some(position) = self.running.iter().rposition(|running| *running == frame) {
            self.running.truncate(position);
        }
    }

    fn reach(&mut self, probe: u32) {
        let reached = Reached { probe, position: self.position() };
        if !self.reached.contains(&reached) {
            self.reached.push(reached);
        }
    }

    fn switch(&mut self, probe: u32, key: i32) {
        let position = self.position();
        let switches = &mut self.facts.switches;
        let place = *self.places.entry((probe, position)).or_insert_with(|| {
            switches.push(SwitchKeys { probe, position, keys: Vec::new() });
            switches.len() - 1
        });
        let keys = &mut switches[place].keys;
        if !keys.contains(&key) && keys.len() < 16 {
            keys.push(key);
        }
    }

    fn branch(&mut self, probe: u32, relation: u8, pair: &Pair) {
        // The opposite of a relation is its neighbour: eq and ne, lt and ge, gt and le.
        let (to_jump, to_fall) = (pair.distance(relation), pair.distance(relation ^ 1));
        let position = self.position();
        let branches = &mut self.branches;
        let place = *self.places.entry((probe, position)).or_insert_with(|| {
            branches.push(Branch { probe, position, to_jump, to_fall });
            branches.len() - 1
        });
        let branch = &mut branches[place];
        branch.to_jump = branch.to_jump.min(to_jump);
        branch.to_fall = branch.to_fall.min(to_fall);
    }
}

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Small ones, any, and the ends of the range.
    pub(crate) fn integer(&mut self, bits: u32) -> i64 {
        let (least, most) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
        match self.below(4) {
            0 => *[least, least + 1, most, most - 1].get(self.below(4) as usize).unwrap(),
            1 => (self.next() as i64) >> (64 - bits),
            _ => self.below(9) as i64 - 4,
        }
    }

    pub(crate) fn float(&mut self) -> f64 {
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -0.0, 5e-324];
        match self.below(3) {
            0 => special[self.below(special.len() as u64) as usize],
            1 => self.integer(64) as f64,
            _ => self.below(9) as f64 / 4.0,
        }
    }
}
