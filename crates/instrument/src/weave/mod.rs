//! From a plan to edits of a method.

mod calls;
mod indexed;
mod jumps;
mod pins;
mod places;
mod state;
mod throws;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{ClassFile, Code, LineTable, Member, MethodDescriptor, Opcode, PoolExtension};

use crate::pins::Redirect;
use crate::probes::{Probe, ProbeKind, ProbeMethod};
use crate::rewrite::Body;
use crate::state::Statics;
use crate::{Kinds, MethodEdits, ProbePlan, Refusal, Snippet, ValueKind, rewrite_method};
use places::releases;

/// What the methods of a class share while they get their probes.
pub(crate) struct Shared<'m, 'a> {
    pub(crate) class: &'m ClassFile<'a>,
    pub(crate) plan: &'m ProbePlan,
    /// Known where the plan asks for [`Kinds::STATE`].
    pub(crate) statics: Option<Statics<'a>>,
    /// Entries of the constant pool that name members whose calls are redirected, where the plan
    /// asks for [`Kinds::PINS`].
    pub(crate) redirected: BTreeMap<u16, &'static Redirect>,
    pub(crate) pool: PoolExtension<'a>,
    pub(crate) class_number: &'m mut dyn FnMut(&str) -> i32,
}

/// A method with its probes.
pub(crate) struct Woven<'a> {
    pub(crate) method: Member<'a>,
    pub(crate) probes: Vec<Probe>,
}

/// Puts probes of some kinds into a method, which is told by its place in the class; none when
/// there is nothing to insert.
pub(crate) fn weave<'a>(
    shared: &mut Shared<'_, 'a>,
    place: usize,
    kinds: Kinds,
    first_id: i32,
) -> Result<Option<Woven<'a>>, Refusal> {
    let Shared { class, plan, statics, redirected, pool, class_number } = shared;
    let Some(method) = class.methods.get(place) else { return Ok(None) };
    let Some(code) = method.code(&class.pool)? else { return Ok(None) };
    let body = Body::decode(&code.code)?;
    let mut weaver = Weaver {
        class,
        method,
        code: &code,
        body: &body,
        lines: code.lines(&class.pool)?,
        releases: releases(&code, &body)?,
        plan,
        pool,
        class_number,
        edits: MethodEdits::new(),
        probes: Vec::new(),
        next_id: first_id,
    };
    if kinds.contains(Kinds::PINS) {
        weaver.pins(redirected)?;
    }
    weaver.weave(kinds, statics.as_ref().map(|statics| (statics, place)))?;
    let Weaver { edits, probes, pool, .. } = weaver;
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(Woven { method: rewrite_method(class, method, &edits, pool)?, probes }))
}

/// An instruction that reads or writes an element of an array. Array and index lie on the stack, below the
/// value that is written.
struct ElementAccess {
    /// The value that is written.
    above: Option<ValueKind>,
}

impl ElementAccess {
    fn of(opcode: Opcode) -> Option<Self> {
        use Opcode as Op;
        use ValueKind::{Double, Float, Int, Long, Reference};
        let above = match opcode {
            Op::Iaload
            | Op::Laload
            | Op::Faload
            | Op::Daload
            | Op::Aaload
            | Op::Baload
            | Op::Caload
            | Op::Saload => None,
            Op::Iastore | Op::Bastore | Op::Castore | Op::Sastore => Some(Int),
            Op::Lastore => Some(Long),
            Op::Fastore => Some(Float),
            Op::Dastore => Some(Double),
            Op::Aastore => Some(Reference),
            _ => return None,
        };
        Some(Self { above })
    }
}

/// A method on its way to its probes.
struct Weaver<'m, 'a, 'c> {
    class: &'m ClassFile<'a>,
    method: &'m Member<'a>,
    code: &'m Code<'a>,
    body: &'m Body<'c>,
    lines: LineTable,
    releases: BTreeSet<u32>,
    plan: &'m ProbePlan,
    pool: &'m mut PoolExtension<'a>,
    class_number: &'m mut dyn FnMut(&str) -> i32,
    edits: MethodEdits,
    probes: Vec<Probe>,
    next_id: i32,
}

impl<'a> Weaver<'_, 'a, '_> {
    /// At one instruction probes run in this order: what may end the test first, what reports a
    /// fact after it.
    fn weave(&mut self, kinds: Kinds, statics: Option<(&Statics<'a>, usize)>) -> Result<(), Refusal> {
        let asked = |kind| kinds.contains(kind);
        asked(Kinds::BUDGET).then(|| self.budget()).transpose()?;
        asked(Kinds::CAUGHT).then(|| self.caught()).transpose()?;
        if let Some((statics, place)) = statics.filter(|_| asked(Kinds::STATE)) {
            self.state(statics, place)?;
        }
        asked(Kinds::BLOCKS).then(|| self.blocks()).transpose()?;
        asked(Kinds::LINES).then(|| self.line_starts()).transpose()?;
        asked(Kinds::JUMPS).then(|| self.jumps()).transpose()?;
        asked(Kinds::SWITCHES).then(|| self.switches()).transpose()?;
        asked(Kinds::CALLS).then(|| self.calls()).transpose()?;
        asked(Kinds::WORDS).then(|| self.words()).transpose()?;
        asked(Kinds::THROWS).then(|| self.throws()).transpose()?;
        asked(Kinds::INDEXED).then(|| self.indexed()).transpose()?;
        asked(Kinds::VARIABLES).then(|| self.variables()).transpose()?;
        asked(Kinds::EVENTS).then(|| self.events()).transpose()?;
        asked(Kinds::FRAMES).then(|| self.frame()).transpose()?;
        asked(Kinds::ARGUMENTS).then(|| self.arguments()).transpose()?;
        Ok(())
    }

    /// Enters a probe into the table.
    fn register(&mut self, offset: u32, kind: ProbeKind) -> Result<i32, Refusal> {
        let id = self.next_id;
        self.next_id = id.checked_add(1).ok_or(Refusal::Overflow("number of probes"))?;
        self.probes.push(Probe { id, offset, line: self.lines.line_at(offset), kind });
        Ok(id)
    }

    /// Internal name of the class, and name and descriptor of the method in one: as plans have them.
    fn names(&self) -> Result<(String, String), Refusal> {
        let name = self.method.name(&self.class.pool)?.to_str();
        let method = format!("{name}{}", self.method.descriptor(&self.class.pool)?.to_str());
        Ok((self.class.name()?.to_str().into_owned(), method))
    }

    /// A call with the topmost values of the stack, which stay there, and the number of the probe.
    fn observation(
        &mut self,
        method: ProbeMethod,
        operands: &[ValueKind],
        id: Option<i32>,
    ) -> Result<Snippet, Refusal> {
        self.observation_below(method, operands, None, id)
    }

    /// The same for values below another one, which stays there too.
    ///
    /// Where the instructions of the stack cannot copy the values, all but the lowest go through
    /// scratch locals, as does the one above them. These lie beyond the method's own, where no frame
    /// expects anything.
    fn observation_below(
        &mut self,
        method: ProbeMethod,
        operands: &[ValueKind],
        above: Option<ValueKind>,
        id: Option<i32>,
    ) -> Result<Snippet, Refusal> {
        let mut snippet = Snippet::new();
        let slots: u16 = operands.iter().map(|kind| kind.slots()).sum();
        let (copied, through_locals) = match operands {
            [lowest, rest @ ..] if slots > 2 => (lowest.slots(), rest),
            _ => (slots, &[][..]),
        };
        let mut spilled = Vec::new();
        let mut local = self.code.max_locals;
        for kind in through_locals.iter().copied().chain(above) {
            spilled.push((kind, local));
            let next = local.checked_add(kind.slots());
            local = next.ok_or(Refusal::Overflow("number of locals"))?;
        }
        self.edits.need_scratch_locals(local - self.code.max_locals);
        for (kind, local) in spilled.iter().rev() {
            snippet.store(*kind, *local)?;
        }
        if copied > 0 {
            snippet.duplicate(copied)?;
        }
        for (kind, local) in spilled.iter().take(through_locals.len()) {
            snippet.load(*kind, *local)?;
        }
        if let Some(id) = id {
            snippet.push_int(id, self.pool)?;
        }
        self.call(&mut snippet, method)?;
        for (kind, local) in &spilled {
            snippet.load(*kind, *local)?;
        }
        Ok(snippet)
    }

    fn call(&mut self, snippet: &mut Snippet, method: ProbeMethod) -> Result<(), Refusal> {
        let index = self.pool.add_method_ref(&self.plan.runtime, method.name(), method.descriptor())?;
        let descriptor = MethodDescriptor::parse(method.descriptor().as_bytes().into())?;
        Ok(snippet.call_static(index, descriptor)?)
    }
}
