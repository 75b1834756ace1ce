//! Rewriting the code of a method at byte level.
//!
//! Only `Code` attributes change and the constant pool only grows; every other byte of the class
//! stays. A method is either rewritten completely or refused, and then it keeps its code.

mod body;
mod emit;
mod frames;
mod layout;
mod tables;

pub(crate) use body::Body;

use crashback_classfile::{ClassFile, Code, Member, Opcode, PoolExtension, RawAttribute};

use crate::uninitialised::Uninitialised;
use crate::{MethodEdits, Refusal};
use body::Insertions;
use frames::{Entry, Frames};
use layout::Layout;
use tables::{Handlers, Offsets};

/// The longest code a method can have (JVMS 4.7.3).
const MAX_CODE: usize = 65535;
/// Since this version methods have stack maps.
const FIRST_WITH_STACK_MAPS: u16 = 50;

/// A method of `class` with `edits` made to its code, to be put in place of the old one. Entries
/// that it needs are added to `pool`, with which the class is to be written.
///
/// A method without code stays as it is.
pub fn rewrite_method<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    edits: &MethodEdits,
    pool: &mut PoolExtension<'a>,
) -> Result<Member<'a>, Refusal> {
    let Some(code) = method.code(&class.pool)? else { return Ok(method.clone()) };
    if code.attribute(&class.pool, "StackMap").is_some() {
        return Err(Refusal::DeviceStackMap);
    }
    let body = Body::decode(&code.code)?;
    let insertions = Insertions::resolve(edits, &body, &class.pool)?;
    let layout = Layout::compute(&body, &insertions)?;
    let handler = handler_code(edits)?;
    let length = layout.end() as usize + handler.len();
    if length > MAX_CODE {
        return Err(Refusal::TooLong(length));
    }
    let mut bytes = emit::code(&body, &insertions, &layout)?;
    bytes.extend_from_slice(&handler);

    let moved = Rewriting { class, method, code: &code, body: &body, layout: &layout };
    let (handlers, frames) = moved.handlers_and_frames(edits, pool)?;
    let attributes = moved.attributes(&handlers, frames, pool)?;
    let mut rewritten = code.clone();
    rewritten.max_stack = max_stack(&code, edits, &insertions)?;
    let max_locals = code.max_locals.checked_add(edits.scratch_locals);
    rewritten.max_locals = max_locals.ok_or(Refusal::Overflow("number of locals"))?;
    rewritten.code = bytes.into();
    rewritten.exception_table = handlers.table.into_iter().collect();
    rewritten.attributes = attributes;
    with_code(class, method, &rewritten)
}

fn with_code<'a>(class: &ClassFile<'a>, method: &Member<'a>, code: &Code<'_>) -> Result<Member<'a>, Refusal> {
    let mut info = Vec::new();
    code.encode_into(&mut info)?;
    let mut method = method.clone();
    let is_code = |it: &&mut RawAttribute<'_>| it.name(&class.pool).is_ok_and(|name| name == "Code");
    if let Some(attribute) = method.attributes.iter_mut().find(is_code) {
        attribute.info = info.into();
    }
    Ok(method)
}

/// Code of the catch-all handler: what was asked for, then the rethrow.
fn handler_code(edits: &MethodEdits) -> Result<Vec<u8>, Refusal> {
    match &edits.catch_all {
        Some(snippet) if !snippet.is_balanced() => Err(Refusal::Unbalanced { offset: 0 }),
        Some(snippet) => Ok([snippet.code(), &[Opcode::Athrow as u8]].concat()),
        None => Ok(Vec::new()),
    }
}

fn max_stack(code: &Code<'_>, edits: &MethodEdits, insertions: &Insertions) -> Result<u16, Refusal> {
    // How deep the stack is where code was inserted is not worth finding out: the bound costs a few
    // words a frame.
    let body = code.max_stack.checked_add(insertions.peak);
    let handler = edits.catch_all.as_ref().map_or(Some(0), |snippet| snippet.peak().checked_add(1));
    body.zip(handler).map(|(body, handler)| body.max(handler)).ok_or(Refusal::Overflow("operand stack"))
}

struct Rewriting<'m, 'a, 'c> {
    class: &'m ClassFile<'a>,
    method: &'m Member<'a>,
    code: &'m Code<'a>,
    body: &'m Body<'c>,
    layout: &'m Layout,
}

impl<'a> Rewriting<'_, 'a, '_> {
    fn offsets(&self) -> Offsets<'_, '_> {
        Offsets { body: self.body, layout: self.layout }
    }

    fn handlers_and_frames(
        &self,
        edits: &MethodEdits,
        pool: &mut PoolExtension<'a>,
    ) -> Result<(Handlers, Frames), Refusal> {
        let constructor = is_constructor(self.class, self.method)?;
        let mut handlers = Handlers::moved(self.code, &self.offsets())?;
        let mut frames = match self.code.attribute(&self.class.pool, STACK_MAP_TABLE) {
            Some(attribute) => {
                let descriptor = self.method.descriptor(&self.class.pool)?;
                let this_class = self.class.this_class;
                let entry = Entry { this_class, access: self.method.access, constructor, descriptor };
                Frames::moved(attribute, self.class, self.body, self.layout, entry, pool)?
            }
            None => Frames::none(),
        };
        if edits.catch_all.is_some() {
            let handler = self.layout.end();
            for range in self.covered(constructor)? {
                handlers.cover(self.layout, range, handler, 0);
            }
            frames.add_handler(handler, pool.add_class("java/lang/Throwable")?);
        }
        Ok((handlers, frames))
    }

    /// Ranges of the new code in which `this`, if there is one, is initialised; without the code at
    /// entry.
    fn covered(&self, constructor: bool) -> Result<Vec<std::ops::Range<u32>>, Refusal> {
        let whole = self.layout.label(0)..self.layout.end();
        if !constructor {
            return Ok(vec![whole]);
        }
        let values = Uninitialised::find(self.class, self.code, self.body, true)?;
        let mut ranges: Vec<std::ops::Range<u32>> = Vec::new();
        for position in (0..self.body.len()).filter(|position| values.this_is_ready(*position)) {
            let (start, end) = (self.layout.begin(position), self.layout.begin(position + 1));
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => ranges.push(start..end),
            }
        }
        Ok(ranges)
    }

    fn attributes(
        &self,
        handlers: &Handlers,
        frames: Frames,
        pool: &mut PoolExtension<'a>,
    ) -> Result<Vec<RawAttribute<'a>>, Refusal> {
        let mut frames = Some(frames.encode()?);
        let mut attributes = Vec::with_capacity(self.code.attributes.len() + 1);
        for attribute in &self.code.attributes {
            let name = attribute.name(&self.class.pool)?;
            if name == CHARACTER_RANGES {
                continue;
            }
            if name != STACK_MAP_TABLE {
                let moved = tables::attribute(attribute, &self.class.pool, &self.offsets(), handlers)?;
                attributes.push(moved);
            } else if let Some(info) = frames.take() {
                attributes.push(RawAttribute { name_index: attribute.name_index, info: info.into() });
            }
        }
        // A count of zero is all that an attribute without frames holds.
        let new = frames.filter(|info| *info != [0, 0]);
        if let Some(info) = new.filter(|_| self.class.major_version >= FIRST_WITH_STACK_MAPS) {
            let name_index = pool.add_utf8(STACK_MAP_TABLE)?;
            attributes.push(RawAttribute { name_index, info: info.into() });
        }
        Ok(attributes)
    }
}

const STACK_MAP_TABLE: &str = "StackMapTable";
/// Columns of the source, which `javac` writes for coverage tools when asked. It speaks of offsets
/// and no JVM reads it, so that a rewritten method goes without.
const CHARACTER_RANGES: &str = "CharacterRangeTable";

/// Whether `this` begins uninitialised, as in all constructors but that of `Object`.
pub(crate) fn is_constructor(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Refusal> {
    Ok(class.super_class != 0 && method.name(&class.pool)? == "<init>")
}
