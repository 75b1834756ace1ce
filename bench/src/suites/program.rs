use std::borrow::Cow;
use std::collections::BTreeMap;

use crashback_instrument::{ClassPlan, Kinds, ProbeKind, ProbePlan, instrument, number_probes};
use crashback_jvm::Surroundings;
use crashback_reproduce::everywhere;

use super::{Library, Result};

/// Class files by internal name.
pub type Classes = BTreeMap<String, Vec<u8>>;

/// The classes of a library, as they are or instrumented.
#[derive(Clone, Debug)]
pub struct Program {
    /// All classes, instrumented or not.
    pub classes: Classes,
    /// What its probes are; none when it has none.
    pub probing: Option<Probing>,
    /// How many methods keep their code although probes were asked for.
    pub untouched: usize,
}

/// What the runtime must know about the probes of a program.
#[derive(Clone, Debug)]
pub struct Probing {
    /// How many loops and entered methods end a test.
    pub budget: i32,
    /// Numbers of the frame probes of the observed call chain, outermost first.
    pub chain: Vec<i32>,
    /// How each probe compares its operands.
    pub jump_codes: Vec<u8>,
}

impl Program {
    /// The classes as they are.
    pub fn plain(classes: &Classes) -> Self {
        Self { classes: classes.clone(), probing: None, untouched: 0 }
    }

    /// The same kinds of probes in all methods.
    pub fn everywhere(classes: &Classes, kinds: Kinds) -> Result<Self> {
        let mut plan = ProbePlan::everywhere(kinds);
        plan.classes = classes.keys().map(|name| (name.clone(), ClassPlan::default())).collect();
        Self::instrumented(classes, &plan, &[])
    }

    /// What a search asks for: everywhere what limits and repeats a test, and all facts in the
    /// methods of a call chain.
    pub fn for_search(classes: &Classes, library: &Library) -> Result<Self> {
        let observing = Kinds::JUMPS
            | Kinds::SWITCHES
            | Kinds::LINES
            | Kinds::BLOCKS
            | Kinds::FRAMES
            | Kinds::CALLS
            | Kinds::CAUGHT;
        let mut plan = ProbePlan::everywhere(everywhere());
        for (class, method) in library.chain {
            let bytes = classes.get(*class).ok_or_else(|| format!("{class} is missing"))?;
            let wanted = plan.classes.entry((*class).to_owned()).or_default();
            let every = ProbePlan::everywhere(Kinds::FRAMES);
            for found in instrument(bytes, &every, &mut |_| 0)?.methods {
                if found.method.name == *method {
                    let name = format!("{}{}", found.method.name, found.method.descriptor);
                    wanted.methods.insert(name, observing);
                }
            }
            if wanted.methods.is_empty() {
                return Err(format!("{class} has no method {method}").into());
            }
        }
        Self::instrumented(classes, &plan, library.chain)
    }

    fn instrumented(classes: &Classes, plan: &ProbePlan, chain: &[(&str, &str)]) -> Result<Self> {
        let (plan, table) =
            number_probes(plan, |name| classes.get(name).map(|bytes| Cow::from(bytes.as_slice())));
        if let Some((class, reason)) = table.uncounted.first() {
            return Err(format!("{class} cannot be instrumented: {reason}").into());
        }
        let mut numbers = BTreeMap::new();
        let mut class_number = |name: &str| {
            let next = numbers.len() as i32;
            *numbers.entry(name.to_owned()).or_insert(next)
        };
        let mut program = Self::plain(classes);
        for bytes in program.classes.values_mut() {
            let result = instrument(bytes, &plan, &mut class_number)?;
            program.untouched += result.untouched.len();
            if let Some(new) = result.bytes {
                *bytes = new;
            }
        }
        let frame = |(class, method): &(&str, &str)| {
            let mut frames = table.iter().filter(|it| it.probe.kind == ProbeKind::Frame);
            Some(frames.find(|it| it.class == *class && it.method.name == *method)?.probe.id)
        };
        let chain = chain.iter().filter_map(frame).collect();
        program.probing = Some(Probing { budget: i32::MAX, chain, jump_codes: table.jump_codes() });
        Ok(program)
    }
}

impl Probing {
    /// As `Observation.java` reads it.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Surroundings { clock, seed, .. } = Surroundings::default();
        let mut bytes = Vec::new();
        bytes.extend(self.budget.to_be_bytes());
        bytes.extend(clock.to_be_bytes());
        bytes.extend(seed.to_be_bytes());
        bytes.extend((self.chain.len() as u32).to_be_bytes());
        bytes.extend(self.chain.iter().flat_map(|frame| frame.to_be_bytes()));
        bytes.extend((self.jump_codes.len() as u32).to_be_bytes());
        bytes.extend(&self.jump_codes);
        bytes
    }
}
