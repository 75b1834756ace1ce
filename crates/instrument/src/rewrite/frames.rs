//! The `StackMapTable` (JVMS 4.7.4) of the new code.
//!
//! Inserted code is straight, so each frame only moves. Where detours add frames, all frames of the
//! method are written in full, since the short forms speak of the frame before.

use crashback_classfile::{
    AccessFlags, Attribute, ClassFile, ElementType, FieldType, JavaStr, Location, MethodDescriptor,
    PoolExtension, Primitive, RawAttribute, StackMapFrame, VerificationType,
};

use super::body::Body;
use super::layout::Layout;
use crate::Refusal;

/// A frame of the new code, its `offset_delta` not yet meaning anything.
struct Placed {
    offset: u32,
    frame: StackMapFrame,
}

/// Frames of the new code in order.
pub(super) struct Frames(Vec<Placed>);

/// What decides the types that a method begins with.
#[derive(Clone, Copy)]
pub(super) struct Entry<'s> {
    pub(super) this_class: u16,
    pub(super) access: AccessFlags,
    /// Whether `this` begins uninitialised.
    pub(super) constructor: bool,
    pub(super) descriptor: JavaStr<'s>,
}

impl Frames {
    /// The frames of the attribute, moved, and those of detours.
    pub(super) fn moved<'a>(
        attribute: &RawAttribute<'a>,
        class: &ClassFile<'a>,
        body: &Body<'_>,
        layout: &Layout,
        entry: Entry<'_>,
        pool: &mut PoolExtension<'a>,
    ) -> Result<Self, Refusal> {
        let Attribute::StackMapTable(frames) = attribute.decode(&class.pool, Location::Code)? else {
            return Ok(Self(Vec::new()));
        };
        let mut placed = place(frames, body, layout)?;
        if layout.stops().next().is_some() {
            expand(&mut placed, initial_locals(entry, pool)?);
            add_detours(&mut placed, body, layout)?;
        }
        Ok(Self(placed))
    }

    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// Adds the frame of a handler at the end of the code: no locals, and one throwable on the
    /// stack.
    pub(super) fn add_handler(&mut self, offset: u32, throwable: u16) {
        let stack = vec![VerificationType::Object(throwable)];
        let frame = StackMapFrame::Full { offset_delta: 0, locals: Vec::new(), stack };
        self.0.push(Placed { offset, frame });
    }

    /// Content of the attribute.
    pub(super) fn encode(self) -> Result<Vec<u8>, Refusal> {
        let mut frames = Vec::with_capacity(self.0.len());
        let mut next = 0;
        for Placed { offset, frame } in self.0 {
            let delta = offset.checked_sub(next).and_then(|delta| u16::try_from(delta).ok());
            frames.push(with_delta(frame, delta.ok_or(Refusal::NoInstruction { offset })?));
            next = offset + 1;
        }
        let mut info = Vec::new();
        Attribute::StackMapTable(frames).encode_into(&mut info)?;
        Ok(info)
    }
}

fn place(frames: Vec<StackMapFrame>, body: &Body<'_>, layout: &Layout) -> Result<Vec<Placed>, Refusal> {
    let mut placed = Vec::with_capacity(frames.len());
    let mut next = 0;
    for mut frame in frames {
        let offset = next + u32::from(frame.offset_delta());
        next = offset + 1;
        for value in types_mut(&mut frame) {
            if let VerificationType::Uninitialized(new) = value {
                *new = layout.at(body.position(u32::from(*new))?) as u16;
            }
        }
        placed.push(Placed { offset: layout.label(body.position(offset)?), frame });
    }
    Ok(placed)
}

fn types_mut(frame: &mut StackMapFrame) -> impl Iterator<Item = &mut VerificationType> {
    use StackMapFrame as Frame;
    let (locals, stack): (&mut [_], &mut [_]) = match frame {
        Frame::Same { .. } | Frame::SameExtended { .. } | Frame::Chop { .. } => (&mut [], &mut []),
        Frame::SameLocals1StackItem { stack, .. } | Frame::SameLocals1StackItemExtended { stack, .. } => {
            (&mut [], std::slice::from_mut(stack))
        }
        Frame::Append { locals, .. } => (locals, &mut []),
        Frame::Full { locals, stack, .. } => (locals, stack),
    };
    locals.iter_mut().chain(stack)
}

fn with_delta(frame: StackMapFrame, delta: u16) -> StackMapFrame {
    use StackMapFrame as Frame;
    let short = u8::try_from(delta).ok().filter(|short| *short < 64);
    match frame {
        Frame::Same { .. } | Frame::SameExtended { .. } => match short {
            Some(offset_delta) => Frame::Same { offset_delta },
            None => Frame::SameExtended { offset_delta: delta },
        },
        Frame::SameLocals1StackItem { stack, .. } | Frame::SameLocals1StackItemExtended { stack, .. } => {
            match short {
                Some(offset_delta) => Frame::SameLocals1StackItem { offset_delta, stack },
                None => Frame::SameLocals1StackItemExtended { offset_delta: delta, stack },
            }
        }
        Frame::Chop { count, .. } => Frame::Chop { offset_delta: delta, count },
        Frame::Append { locals, .. } => Frame::Append { offset_delta: delta, locals },
        Frame::Full { locals, stack, .. } => Frame::Full { offset_delta: delta, locals, stack },
    }
}

/// Writes all frames in full.
fn expand(placed: &mut [Placed], mut locals: Vec<VerificationType>) {
    use StackMapFrame as Frame;
    for Placed { frame, .. } in placed {
        let mut stack = Vec::new();
        match frame {
            Frame::Same { .. } | Frame::SameExtended { .. } => {}
            Frame::SameLocals1StackItem { stack: top, .. }
            | Frame::SameLocals1StackItemExtended { stack: top, .. } => stack.push(*top),
            Frame::Chop { count, .. } => {
                locals.truncate(locals.len().saturating_sub(usize::from(*count)));
            }
            Frame::Append { locals: more, .. } => locals.append(more),
            Frame::Full { locals: all, stack: whole, .. } => {
                locals = std::mem::take(all);
                stack = std::mem::take(whole);
            }
        }
        *frame = Frame::Full { offset_delta: 0, locals: locals.clone(), stack };
    }
}

/// A detour has the frame of the target it leads to.
fn add_detours(placed: &mut Vec<Placed>, body: &Body<'_>, layout: &Layout) -> Result<(), Refusal> {
    let mut detours = Vec::new();
    for (detour, offset) in layout.stops() {
        let label = layout.label(detour.target);
        let target = placed
            .binary_search_by_key(&label, |placed| placed.offset)
            .ok()
            .and_then(|found| placed.get(found))
            .ok_or(Refusal::NoFrame { offset: body.offset(detour.target) })?;
        detours.push(Placed { offset, frame: target.frame.clone() });
    }
    placed.append(&mut detours);
    placed.sort_by_key(|placed| placed.offset);
    Ok(())
}

/// The locals that a method begins with (JVMS 4.10.1.6).
fn initial_locals(entry: Entry<'_>, pool: &mut PoolExtension<'_>) -> Result<Vec<VerificationType>, Refusal> {
    let mut locals = Vec::new();
    if entry.constructor {
        locals.push(VerificationType::UninitializedThis);
    } else if !entry.access.is_static() {
        locals.push(VerificationType::Object(entry.this_class));
    }
    for parameter in MethodDescriptor::parse(entry.descriptor)?.parameters() {
        locals.push(verification_type(parameter, pool)?);
    }
    Ok(locals)
}

fn verification_type(
    field: FieldType<'_>,
    pool: &mut PoolExtension<'_>,
) -> Result<VerificationType, Refusal> {
    Ok(match field {
        FieldType { dimensions: 0, element: ElementType::Primitive(primitive) } => match primitive {
            Primitive::Long => VerificationType::Long,
            Primitive::Float => VerificationType::Float,
            Primitive::Double => VerificationType::Double,
            _ => VerificationType::Integer,
        },
        FieldType { dimensions: 0, element: ElementType::Class(name) } => {
            VerificationType::Object(pool.add_class(&name.to_str())?)
        }
        array => VerificationType::Object(pool.add_class(&array.to_string())?),
    })
}
