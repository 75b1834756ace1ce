//! Probes that say where execution is: budget, lines, blocks, frames, handlers.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{
    AccessFlags, Code, ElementType, FieldType, Instruction, MethodDescriptor, Opcode, Primitive,
};

use super::Weaver;
use crate::probes::{ProbeKind, ProbeMethod};
use crate::rewrite::Body;
use crate::{Refusal, Snippet, ValueKind};

impl Weaver<'_, '_, '_> {
    /// At the entry of the method unless it is [bounded](Self::is_bounded), and wherever execution
    /// may go back: at jumps to earlier instructions or themselves, and at handlers that lie before
    /// code they cover. No endless loop avoids all of these. Handlers that would catch what ends
    /// the test throw it on.
    pub(super) fn budget(&mut self) -> Result<(), Refusal> {
        let entry = self.observation(ProbeMethod::Budget, &[], None)?;
        let rethrow = self.observation(ProbeMethod::Handler, &[ValueKind::Reference], None)?;
        for (offset, instruction) in self.body.instructions() {
            if instruction.targets(*offset).any(|target| target <= *offset) {
                self.edits.before(*offset, entry.clone());
            }
        }
        let mut handlers: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
        for handler in self.code.exception_table.iter() {
            let (catches_end, goes_back) = handlers.entry(u32::from(handler.handler_pc)).or_default();
            *catches_end |= self.catches_end(handler.catch_type)?;
            *goes_back |= handler.handler_pc < handler.end_pc;
        }
        handlers.retain(|offset, _| !self.releases.contains(offset));
        for (offset, (catches_end, goes_back)) in handlers {
            if catches_end {
                self.edits.before(offset, rethrow.clone());
            }
            if goes_back {
                self.edits.before(offset, entry.clone());
            }
        }
        if !self.is_bounded()? {
            self.edits.at_entry(entry);
        }
        Ok(())
    }

    /// Whether entering the method again and again takes a loop or a recursion of the program that
    /// has probes of its own: it calls nothing that could come back to it, and is not there for
    /// others to call. Many methods of this kind are so short that a probe would be most of them.
    fn is_bounded(&self) -> Result<bool, Refusal> {
        let access = self.method.access;
        let is_own = access.contains(AccessFlags::PRIVATE)
            || access.contains(AccessFlags::STATIC)
            || self.method.name(&self.class.pool)? == "<init>"
            || self.overrides_nothing()?;
        // The JDK calls bodies of lambda expressions, which are synthetic.
        Ok(is_own
            && !access.contains(AccessFlags::SYNTHETIC)
            && !self.body.instructions().iter().any(|(_, it)| self.may_come_back(it)))
    }

    fn overrides_nothing(&self) -> Result<bool, Refusal> {
        let above = self.class.pool.optional_class_name(self.class.super_class)?;
        Ok(self.class.interfaces.is_empty() && above.is_some_and(|name| name == "java/lang/Object"))
    }

    /// Whether an instruction is a call that may lead back to the program.
    fn may_come_back(&self, instruction: &Instruction<'_>) -> bool {
        let callee = instruction.constant_index().and_then(|index| self.class.pool.method_ref(index).ok());
        let is_trusted = callee.is_some_and(|it| {
            it.owner == "java/lang/Math" || it.owner == "java/lang/Object" && it.name == "<init>"
        });
        instruction.opcode.is_invoke() && !is_trusted
    }

    /// Whether a handler for a class, or 0 for all, is given the error that ends a test.
    fn catches_end(&self, catch_type: u16) -> Result<bool, Refusal> {
        let class = self.class.pool.optional_class_name(catch_type)?;
        Ok(class.is_none_or(|name| name == "java/lang/Throwable" || name == "java/lang/Error"))
    }

    /// Where the `LineNumberTable` begins a line. A line may begin at several places.
    pub(super) fn line_starts(&mut self) -> Result<(), Refusal> {
        let mut starts: Vec<_> = self.lines.entries().iter().map(|entry| u32::from(entry.start_pc)).collect();
        starts.dedup();
        for offset in starts {
            // Tables may lie; what begins inside an instruction is reached by nothing.
            if self.body.position(offset).is_ok() {
                self.place(offset, ProbeKind::Line, ProbeMethod::Line)?;
            }
        }
        Ok(())
    }

    /// Leaders of basic blocks: the first instruction, what jumps and exceptions lead to, and what
    /// follows a jump or an end.
    pub(super) fn blocks(&mut self) -> Result<(), Refusal> {
        let mut leaders = self.body.joins(self.code)?;
        leaders.insert(0);
        for (position, (_, instruction)) in self.body.instructions().iter().enumerate() {
            if instruction.opcode.is_branch() || !instruction.opcode.falls_through() {
                leaders.insert(position + 1);
            }
        }
        for position in leaders.into_iter().filter(|position| *position < self.body.len()) {
            self.place(self.body.offset(position), ProbeKind::Block, ProbeMethod::Block)?;
        }
        Ok(())
    }

    /// Entering and leaving. The entry comes after the budget's, so that a test which ends there
    /// has not entered.
    pub(super) fn frame(&mut self) -> Result<(), Refusal> {
        let id = self.register(0, ProbeKind::Frame)?;
        let enter = self.observation(ProbeMethod::Enter, &[], Some(id))?;
        self.edits.at_entry(enter);
        let leave = self.observation(ProbeMethod::Leave, &[], Some(id))?;
        for (offset, instruction) in self.body.instructions() {
            if instruction.opcode.is_return() {
                self.edits.before(*offset, leave.clone());
            }
        }
        let unwind = self.observation(ProbeMethod::Unwind, &[ValueKind::Reference], Some(id))?;
        self.edits.catch_all(unwind);
        Ok(())
    }

    /// What arrives at handlers, those that only release a lock apart.
    pub(super) fn caught(&mut self) -> Result<(), Refusal> {
        let mut handlers: BTreeMap<u32, bool> = BTreeMap::new();
        for handler in self.code.exception_table.iter() {
            *handlers.entry(u32::from(handler.handler_pc)).or_insert(true) &= handler.catch_type == 0;
        }
        handlers.retain(|offset, _| !self.releases.contains(offset));
        for (offset, everything) in handlers {
            let id = self.register(offset, ProbeKind::Caught { everything })?;
            let snippet = self.observation(ProbeMethod::Caught, &[ValueKind::Reference], Some(id))?;
            self.edits.before(offset, snippet);
        }
        Ok(())
    }

    /// The first argument at the entry of an instance method, if it is an object.
    pub(super) fn events(&mut self) -> Result<(), Refusal> {
        let descriptor = MethodDescriptor::parse(self.method.descriptor(&self.class.pool)?)?;
        let is_static = self.method.access.contains(AccessFlags::STATIC);
        let first = descriptor.parameters().next();
        if is_static || !first.is_some_and(|it| it.is_reference()) {
            return Ok(());
        }
        let mut snippet = Snippet::new();
        snippet.load(ValueKind::Reference, 1)?;
        self.call(&mut snippet, ProbeMethod::Logged)?;
        self.edits.at_entry(snippet);
        Ok(())
    }

    /// What a literal can stand for among the arguments, at the entry.
    pub(super) fn arguments(&mut self) -> Result<(), Refusal> {
        let descriptor = MethodDescriptor::parse(self.method.descriptor(&self.class.pool)?)?;
        let is_static = self.method.access.contains(AccessFlags::STATIC);
        let mut local = u16::from(!is_static);
        for (number, parameter) in (0..).zip(descriptor.parameters()) {
            let found = argument_probe(parameter);
            if let Some((method, kind)) = found {
                let mut snippet = Snippet::new();
                snippet.load(kind, local)?;
                snippet.push_int(number, self.pool)?;
                self.call(&mut snippet, method)?;
                self.edits.at_entry(snippet);
            }
            local = local.saturating_add(parameter.slots());
        }
        Ok(())
    }

    /// A probe that only says that an instruction is reached; none where a lock is released.
    fn place(&mut self, offset: u32, kind: ProbeKind, method: ProbeMethod) -> Result<(), Refusal> {
        if self.releases.contains(&offset) {
            return Ok(());
        }
        let id = self.register(offset, kind)?;
        let snippet = self.observation(method, &[], Some(id))?;
        self.edits.before(offset, snippet);
        Ok(())
    }
}

/// The probe that takes an argument, and how the argument lies in its local variables; none for truth
/// values, which any search tries, and for types whose objects no literal can stand for.
fn argument_probe(parameter: FieldType<'_>) -> Option<(ProbeMethod, ValueKind)> {
    let FieldType { dimensions, element } = parameter;
    Some(match (dimensions, element) {
        (0, ElementType::Primitive(Primitive::Boolean)) => return None,
        (0, ElementType::Primitive(Primitive::Long)) => (ProbeMethod::ArgumentLong, ValueKind::Long),
        (0, ElementType::Primitive(Primitive::Float)) => (ProbeMethod::ArgumentFloat, ValueKind::Float),
        (0, ElementType::Primitive(Primitive::Double)) => (ProbeMethod::ArgumentDouble, ValueKind::Double),
        (0, ElementType::Primitive(_)) => (ProbeMethod::ArgumentInt, ValueKind::Int),
        (1, ElementType::Primitive(Primitive::Char)) => (ProbeMethod::ArgumentObject, ValueKind::Reference),
        (0, ElementType::Class(name)) if LITERALS.iter().any(|it| name == *it) => {
            (ProbeMethod::ArgumentObject, ValueKind::Reference)
        }
        _ => return None,
    })
}

/// Types of the JDK whose objects may be texts or numbers.
const LITERALS: [&str; 13] = [
    "java/lang/String",
    "java/lang/CharSequence",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Object",
    "java/lang/Number",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
];

/// Offsets of all instructions in handlers that do nothing but release the lock of a `synchronized`
/// block and throw on.
///
/// There are no probes in them: what is thrown before the lock is released would leave it held, and
/// the JVM would make another exception of it (JVMS 2.11.10).
pub(super) fn releases(code: &Code<'_>, body: &Body<'_>) -> Result<BTreeSet<u32>, Refusal> {
    use Opcode as Op;
    let mut releases = BTreeSet::new();
    for handler in code.exception_table.iter() {
        let start = body.position(u32::from(handler.handler_pc))?;
        let moves_about = |opcode| {
            let load = matches!(opcode, Op::Aload | Op::Aload0 | Op::Aload1 | Op::Aload2 | Op::Aload3);
            load || matches!(opcode, Op::Astore | Op::Astore0 | Op::Astore1 | Op::Astore2 | Op::Astore3)
        };
        let rest = body.instructions().get(start..).unwrap_or_default();
        let straight =
            rest.iter().take_while(|(_, it)| moves_about(it.opcode) || it.opcode == Op::Monitorexit);
        let count = straight.clone().count();
        let releases_lock = straight.clone().any(|(_, it)| it.opcode == Op::Monitorexit);
        if releases_lock && rest.get(count).is_some_and(|(_, it)| it.opcode == Op::Athrow) {
            releases.extend(rest.iter().take(count + 1).map(|(offset, _)| *offset));
        }
    }
    Ok(releases)
}
