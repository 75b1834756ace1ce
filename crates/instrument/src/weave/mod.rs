//! From a plan to edits.

mod calls;
mod jumps;
mod places;
mod state;

use crashback_classfile::{ClassFile, Code, LineTable, Member, MethodDescriptor, PoolExtension};

use crate::probes::{Probe, ProbeKind, ProbeMethod};
use crate::rewrite::Body;
use crate::{Kinds, MethodEdits, ProbePlan, Refusal, Snippet, ValueKind, rewrite_method};

/// A class after [`instrument`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// Internal name of the class.
    pub name: String,
    /// The new class file; none when no probe was asked for or possible.
    pub bytes: Option<Vec<u8>>,
    /// The methods that have probes with numbers, in file order.
    pub methods: Vec<MethodProbes>,
    /// The methods for which probes were asked but that keep their code, and why.
    pub untouched: Vec<(MethodName, Refusal)>,
}

/// A method of an instrumented class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// The probes of one method, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodProbes {
    /// The method.
    pub method: MethodName,
    /// Its probes; probes without number are not listed.
    pub probes: Vec<Probe>,
}

impl Instrumented {
    /// All probes with numbers, in the order of these.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.methods.iter().flat_map(|method| &method.probes)
    }
}

/// Puts the probes of a plan into a class. Probes are numbered without gaps from the first number that the plan gives the class.
///
/// Fails when the class cannot be read or written, or is not the one that the plan was numbered by; it is then best left as it is. What
/// is wrong with single methods is reported in the result.
pub fn instrument(class: &[u8], plan: &ProbePlan) -> Result<Instrumented, Refusal> {
    let class = ClassFile::parse(class)?;
    let name = class.name()?.to_str().into_owned();
    let mut result = Instrumented { name, bytes: None, methods: Vec::new(), untouched: Vec::new() };
    let mut pool = PoolExtension::new(&class.pool);
    let mut methods = Vec::with_capacity(class.methods.len());
    let class_plan = plan.classes.get(&result.name);
    let mut next_id = class_plan.map_or(0, |plan| plan.first_id);
    let mut changed = false;
    for method in &class.methods {
        let name = MethodName {
            name: method.name(&class.pool)?.to_str().into_owned(),
            descriptor: method.descriptor(&class.pool)?.to_str().into_owned(),
        };
        let kinds = plan.kinds(&result.name, &format!("{}{}", name.name, name.descriptor));
        let woven = match kinds {
            Kinds::NONE => Ok(None),
            kinds => weave(&class, method, kinds, &plan.runtime, &mut pool, next_id),
        };
        let new = match woven {
            Ok(Some(Woven { method, probes })) => {
                changed = true;
                if let Some(last) = probes.last() {
                    next_id = last.id + 1;
                    result.methods.push(MethodProbes { method: name, probes });
                }
                Some(method)
            }
            Ok(None) => None,
            Err(refusal) => {
                result.untouched.push((name, refusal));
                None
            }
        };
        methods.push(new.unwrap_or_else(|| method.clone()));
    }
    let found = result.probes().count();
    if let Some(expected) = class_plan.and_then(|plan| plan.probes).filter(|count| *count as usize != found) {
        return Err(Refusal::OtherCopy { expected, found });
    }
    if changed {
        result.bytes = Some(ClassFile { methods, ..class }.write_extended(&pool)?);
    }
    Ok(result)
}

struct Woven<'a> {
    method: Member<'a>,
    probes: Vec<Probe>,
}

fn weave<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    kinds: Kinds,
    runtime: &str,
    pool: &mut PoolExtension<'a>,
    first_id: i32,
) -> Result<Option<Woven<'a>>, Refusal> {
    let Some(code) = method.code(&class.pool)? else { return Ok(None) };
    let body = Body::decode(&code.code)?;
    let lines = code.lines(&class.pool)?;
    let edits = MethodEdits::new();
    let mut weaver = Weaver {
        class,
        method,
        code: &code,
        body: &body,
        lines,
        runtime,
        pool,
        edits,
        probes: Vec::new(),
        next_id: first_id,
    };
    weaver.weave(kinds)?;
    let Weaver { edits, probes, pool, .. } = weaver;
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(Woven { method: rewrite_method(class, method, &edits, pool)?, probes }))
}

/// A method on its way to its probes.
struct Weaver<'m, 'a, 'c> {
    class: &'m ClassFile<'a>,
    method: &'m Member<'a>,
    code: &'m Code<'a>,
    body: &'m Body<'c>,
    lines: LineTable,
    runtime: &'m str,
    pool: &'m mut PoolExtension<'a>,
    edits: MethodEdits,
    probes: Vec<Probe>,
    next_id: i32,
}

impl Weaver<'_, '_, '_> {
    /// At one instruction probes run in this order: what may end the test first, what reports a fact after it.
    fn weave(&mut self, kinds: Kinds) -> Result<(), Refusal> {
        let asked = |kind| kinds.contains(kind);
        asked(Kinds::CAUGHT).then(|| self.caught()).transpose()?;
        asked(Kinds::BUDGET).then(|| self.budget()).transpose()?;
        asked(Kinds::STATE).then(|| self.state()).transpose()?;
        asked(Kinds::BLOCKS).then(|| self.blocks()).transpose()?;
        asked(Kinds::LINES).then(|| self.line_starts()).transpose()?;
        asked(Kinds::JUMPS).then(|| self.jumps()).transpose()?;
        asked(Kinds::SWITCHES).then(|| self.switches()).transpose()?;
        asked(Kinds::CALLS).then(|| self.calls()).transpose()?;
        asked(Kinds::FRAMES).then(|| self.frame()).transpose()?;
        Ok(())
    }

    /// Enters a probe into the table.
    fn register(&mut self, offset: u32, kind: ProbeKind) -> Result<i32, Refusal> {
        let id = self.next_id;
        self.next_id = id.checked_add(1).ok_or(Refusal::Overflow("number of probes"))?;
        self.probes.push(Probe { id, offset, line: self.lines.line_at(offset), kind });
        Ok(id)
    }

    /// A call with the topmost values of the stack, which stay there, and the number of the probe.
    ///
    /// Where the instructions of the stack cannot copy the values, all but the lowest go through scratch locals. These lie beyond the
    /// method's own, where no frame expects anything.
    fn observation(
        &mut self,
        method: ProbeMethod,
        operands: &[ValueKind],
        id: Option<i32>,
    ) -> Result<Snippet, Refusal> {
        let mut snippet = Snippet::new();
        let slots: u16 = operands.iter().map(|kind| kind.slots()).sum();
        let mut spilled = Vec::new();
        match operands {
            [] => {}
            _ if slots <= 2 => snippet.duplicate(slots)?,
            [lowest, above @ ..] => {
                let mut local = self.code.max_locals;
                for kind in above {
                    spilled.push((*kind, local));
                    let next = local.checked_add(kind.slots());
                    local = next.ok_or(Refusal::Overflow("number of locals"))?;
                }
                self.edits.need_scratch_locals(local - self.code.max_locals);
                for (kind, local) in spilled.iter().rev() {
                    snippet.store(*kind, *local)?;
                }
                snippet.duplicate(lowest.slots())?;
            }
        }
        for (kind, local) in &spilled {
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
        let descriptor = method.descriptor();
        let index = self.pool.add_method_ref(self.runtime, method.name(), descriptor)?;
        let slots = MethodDescriptor::parse(descriptor.as_bytes().into())?.parameter_slots();
        Ok(snippet.call_static(index, slots)?)
    }
}
