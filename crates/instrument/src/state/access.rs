//! Where a method touches fields that may carry state.

use std::collections::BTreeSet;

use crashback_classfile::{
    ClassFile, ConstantPool, Error, FieldType, Flow, Instruction, JavaStr, Member, MethodDescriptor, Opcode,
    is_jdk_name,
};

use super::types::{Types, is_collection};
use crate::Refusal;
use crate::flow::{Frame, Labels, follow};
use crate::rewrite::Body;

/// An instruction that reads a field which may hold mutable objects, or writes a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access<'a> {
    /// Position of the instruction.
    pub(crate) position: usize,
    /// Internal name of the class through which the field is named.
    pub(crate) owner: JavaStr<'a>,
    /// Name of the field, or of the method that gives its value.
    pub(crate) name: JavaStr<'a>,
    /// Type of the value.
    pub(crate) descriptor: JavaStr<'a>,
    pub(crate) kind: AccessKind,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// A static field is written.
    Write,
    /// A static field is read, or a method called that a compiler made to read one for another
    /// class.
    Read {
        /// Whether the value that was read may be changed: it is called, stored, passed on or
        /// written to. Otherwise only elements of an array or collection are looked at.
        escapes: bool,
    },
    /// An array of an instance of the class itself is read.
    ReadInstance {
        /// As above.
        escapes: bool,
    },
    /// A field of an instance of the class itself is written.
    WriteInstance,
}

/// The accesses of a method in order.
///
/// Fields of the JDK's classes are left out, and reads of immutable values.
pub(crate) fn accesses<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    types: Types<'_>,
) -> Result<Vec<Access<'a>>, Refusal> {
    let Some(code) = method.code(&class.pool)? else { return Ok(Vec::new()) };
    let body = Body::decode(&code.code)?;
    let mut found = Vec::new();
    let mut sources = Vec::new();
    for (position, (_, instruction)) in body.instructions().iter().enumerate() {
        let Some(access) = access(class, instruction, position, types)? else { continue };
        let field = FieldType::parse(access.descriptor)?;
        let readable = field.dimensions > 0 || is_collection(field);
        let reads = matches!(access.kind, AccessKind::Read { .. } | AccessKind::ReadInstance { .. });
        if reads && readable {
            sources.push(Source { position, field });
        }
        found.push(access);
    }
    let subroutines = body.instructions().iter().any(|(_, it)| it.opcode.flow() == Flow::Subroutine);
    if sources.is_empty() || subroutines {
        return Ok(found);
    }
    let mut labels = Reads { pool: &class.pool, types, sources: &sources, escaped: BTreeSet::new() };
    let entry = Frame { locals: vec![None; usize::from(code.max_locals)], stack: Vec::new() };
    follow(&mut labels, entry, &code, &body, &class.pool)?;
    for access in &mut found {
        let known = sources.binary_search_by_key(&access.position, |source| source.position);
        if let (Ok(source), AccessKind::Read { escapes } | AccessKind::ReadInstance { escapes }) =
            (known, &mut access.kind)
        {
            *escapes = labels.escaped.contains(&source);
        }
    }
    Ok(found)
}

/// Whether a method only gives the value of a static field to other classes of its nest, as
/// compilers before Java 11 need it. It is the caller that counts then.
pub(crate) fn is_accessor(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Refusal> {
    if !method.access.is_static() || !is_accessor_name(method.name(&class.pool)?) {
        return Ok(false);
    }
    let Some(code) = method.code(&class.pool)? else { return Ok(false) };
    let body = Body::decode(&code.code)?;
    let mut opcodes = body.instructions().iter().map(|(_, instruction)| instruction.opcode);
    Ok(opcodes.next() == Some(Opcode::Getstatic) && opcodes.next() == Some(Opcode::Areturn))
}

fn is_accessor_name(name: JavaStr<'_>) -> bool {
    name.as_bytes().starts_with(b"access$")
}

/// The access that an instruction makes; values that it reads are taken to escape.
fn access<'a>(
    class: &ClassFile<'a>,
    instruction: &Instruction<'_>,
    position: usize,
    types: Types<'_>,
) -> Result<Option<Access<'a>>, Refusal> {
    let escapes = true;
    let index = instruction.constant_index().unwrap_or(0);
    let (member, kind) = match instruction.opcode {
        Opcode::Putstatic => (class.pool.field_ref(index)?, AccessKind::Write),
        Opcode::Getstatic => (class.pool.field_ref(index)?, AccessKind::Read { escapes }),
        Opcode::Getfield => (class.pool.field_ref(index)?, AccessKind::ReadInstance { escapes }),
        Opcode::Putfield => (class.pool.field_ref(index)?, AccessKind::WriteInstance),
        Opcode::Invokestatic => (class.pool.method_ref(index)?, AccessKind::Read { escapes }),
        _ => return Ok(None),
    };
    let mut descriptor = member.descriptor;
    if instruction.opcode == Opcode::Invokestatic {
        let bytes = descriptor.as_bytes().strip_prefix(b"()").filter(|_| is_accessor_name(member.name));
        match bytes {
            Some([_, _, ..]) => descriptor = bytes.unwrap_or_default().into(),
            // No result but a primitive or none at all.
            _ => return Ok(None),
        }
    }
    let field = FieldType::parse(descriptor)?;
    let relevant = match kind {
        AccessKind::Write => true,
        AccessKind::Read { .. } => !types.is_immutable(field),
        AccessKind::WriteInstance => member.owner == types.own(),
        AccessKind::ReadInstance { .. } => field.dimensions > 0 && member.owner == types.own(),
    };
    let access = Access { position, owner: member.owner, name: member.name, descriptor, kind };
    // No reset touches the state of the JDK.
    Ok(Some(access).filter(|_| relevant && !is_jdk_name(&member.owner.to_str())))
}

/// Where an array or collection comes from.
struct Source<'a> {
    position: usize,
    field: FieldType<'a>,
}

/// A value that was read from a source, or from within such a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Read {
    source: usize,
    /// Dimensions of the array; 0 for anything else.
    dimensions: u8,
}

/// Follows the values of sources, and notes those of which a part may be changed.
struct Reads<'m, 'a> {
    pool: &'m ConstantPool<'a>,
    types: Types<'m>,
    sources: &'m [Source<'a>],
    escaped: BTreeSet<usize>,
}

impl Labels for Reads<'_, '_> {
    type Label = Read;

    fn run(
        &mut self,
        position: usize,
        instruction: &Instruction<'_>,
        operands: &[Option<Read>],
        _frame: &mut Frame<Read>,
    ) -> Result<Option<Read>, Error> {
        if let Ok(source) = self.sources.binary_search_by_key(&position, |source| source.position) {
            let dimensions = self.sources.get(source).map_or(0, |source| source.field.dimensions);
            self.escape(operands);
            return Ok(Some(Read { source, dimensions }));
        }
        if operands.iter().all(Option::is_none) {
            return Ok(None);
        }
        match self.looks(instruction, operands)? {
            Some(result) => Ok(result),
            None => {
                self.escape(operands);
                Ok(None)
            }
        }
    }

    fn merge(&mut self, known: Read, other: Read) -> Read {
        self.escape(&[Some(known), Some(other)]);
        known
    }
}

impl Reads<'_, '_> {
    fn escape(&mut self, operands: &[Option<Read>]) {
        self.escaped.extend(operands.iter().flatten().map(|read| read.source));
    }

    /// The label of the result, if all the instruction does to the values is to look at them.
    fn looks(
        &self,
        instruction: &Instruction<'_>,
        operands: &[Option<Read>],
    ) -> Result<Option<Option<Read>>, Error> {
        use Opcode as Op;
        let first = operands.first().copied().flatten();
        Ok(match instruction.opcode {
            Op::Arraylength | Op::Instanceof | Op::Monitorenter | Op::Monitorexit => Some(None),
            Op::Ifnull | Op::Ifnonnull | Op::IfAcmpeq | Op::IfAcmpne => Some(None),
            Op::Aaload => first.and_then(|array| self.element(array)),
            opcode if (Op::Iaload..=Op::Saload).contains(&opcode) => Some(None),
            Op::Checkcast => {
                let name = self.pool.class_name(instruction.constant_index().unwrap_or(0))?;
                let target = FieldType::from_class_constant(name)?;
                Some(first.filter(|_| !self.types.is_immutable(target)))
            }
            opcode if opcode.is_invoke() && opcode != Op::Invokedynamic => {
                self.call(instruction, first, operands)?
            }
            _ => None,
        })
    }

    /// The elements of an array.
    fn element(&self, array: Read) -> Option<Option<Read>> {
        let dimensions = array.dimensions.checked_sub(1)?;
        let whole = dimensions == 0 && self.holds_immutable(array);
        Some(Some(Read { dimensions, ..array }).filter(|_| !whole))
    }

    fn holds_immutable(&self, array: Read) -> bool {
        self.sources
            .get(array.source)
            .is_some_and(|source| self.types.is_immutable(FieldType { dimensions: 0, ..source.field }))
    }

    /// Calls that look at their receiver or first argument only.
    fn call(
        &self,
        instruction: &Instruction<'_>,
        first: Option<Read>,
        operands: &[Option<Read>],
    ) -> Result<Option<Option<Read>>, Error> {
        let method = self.pool.method_ref(instruction.constant_index().unwrap_or(0))?;
        let Some(read) = first.filter(|_| operands.iter().flatten().count() == 1) else { return Ok(None) };
        let flat = read.dimensions == 1 && self.holds_immutable(read);
        let (owner, name) = (method.owner.to_str(), method.name.to_str());
        Ok(match (&*owner, &*name) {
            (owner, "clone") if owner.starts_with('[') => Some(Some(read).filter(|_| !flat)),
            ("java/lang/System", "arraycopy") if flat => Some(None),
            ("java/util/Arrays", name) if flat && LOOKING_AT_ARRAYS.contains(&name) => Some(None),
            (owner, name)
                if read.dimensions == 0
                    && owner.starts_with("java/util/")
                    && instruction.opcode != Opcode::Invokestatic
                    && LOOKING_AT_COLLECTIONS.contains(&name) =>
            {
                let result = MethodDescriptor::parse(method.descriptor)?.result();
                Some(Some(read).filter(|_| result.is_some_and(FieldType::is_reference)))
            }
            _ => None,
        })
    }
}

const LOOKING_AT_ARRAYS: &[&str] =
    &["binarySearch", "copyOf", "copyOfRange", "equals", "hashCode", "toString"];
const LOOKING_AT_COLLECTIONS: &[&str] =
    &["contains", "containsKey", "containsValue", "get", "getOrDefault", "indexOf", "isEmpty", "size"];
