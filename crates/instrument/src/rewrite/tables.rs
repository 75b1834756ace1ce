//! The tables of a `Code` attribute that speak of offsets.

use crashback_classfile::{
    Attribute, Code, ConstantPool, Error, ExceptionHandler, LineNumber, LocalVariable, LocalVariableRange,
    LocalVariableType, Location, RawAttribute, Table, TargetInfo, TypeAnnotation,
};

use super::body::Body;
use super::layout::{Layout, WIDE_JUMP};
use crate::Refusal;

/// From old offsets to new ones. The layout was checked to end within 16 bits.
pub(super) struct Offsets<'m, 'c> {
    pub(super) body: &'m Body<'c>,
    pub(super) layout: &'m Layout,
}

impl Offsets<'_, '_> {
    /// Offset of a range's edge in a debugging table.
    fn debug(&self, offset: u32) -> u16 {
        self.layout.begin(self.body.enclosing(offset)) as u16
    }

    /// Start and length of a range in a debugging table.
    fn debug_range(&self, start: u16, length: u16) -> (u16, u16) {
        let first = self.debug(u32::from(start));
        let end = self.debug(u32::from(start) + u32::from(length));
        (first, end.saturating_sub(first))
    }

    /// The instruction itself.
    fn instruction(&self, offset: u16) -> u16 {
        self.layout.at(self.body.enclosing(u32::from(offset))) as u16
    }
}

/// The exception table, and for each old entry the position of the first that came from it.
pub(super) struct Handlers {
    pub(super) table: Vec<ExceptionHandler>,
    first_of: Vec<u16>,
}

impl Handlers {
    /// Where a handler covers its own beginning, as that of a `synchronized` block does, code
    /// inserted there is left out: what it throws would come back to it for ever.
    pub(super) fn moved(code: &Code<'_>, offsets: &Offsets<'_, '_>) -> Result<Self, Refusal> {
        let mut handlers = Self { table: Vec::new(), first_of: Vec::new() };
        let Offsets { body, layout } = offsets;
        for handler in code.exception_table.iter() {
            let first =
                u16::try_from(handlers.table.len()).map_err(|_| Refusal::Overflow("exception table"))?;
            handlers.first_of.push(first);
            let start = layout.begin(body.position(u32::from(handler.start_pc))?);
            let end = layout.begin(body.position_or_end(u32::from(handler.end_pc))?);
            let position = body.position(u32::from(handler.handler_pc))?;
            let target = layout.label(position);
            let own = target..layout.at(position);
            let covers_itself = !own.is_empty() && (start..end).contains(&own.start);
            let hole = if covers_itself { own } else { end..end };
            for part in [start..hole.start, hole.end..end] {
                handlers.cover(layout, part, target, handler.catch_type);
            }
        }
        Ok(handlers)
    }

    /// Adds a handler for a range of the new code. The detours in it are left out: they throw
    /// nothing, and the types there are not those that the handler expects.
    pub(super) fn cover(
        &mut self,
        layout: &Layout,
        range: std::ops::Range<u32>,
        handler: u32,
        catch_type: u16,
    ) {
        let mut start = range.start;
        let inside = layout.stops().map(|(_, stop)| stop).filter(|stop| range.contains(stop));
        let cuts = inside.map(|stop| (stop, stop + WIDE_JUMP)).chain([(range.end, range.end)]);
        for (end, resume) in cuts {
            if start < end {
                let [start_pc, end_pc, handler_pc] = [start, end, handler].map(|offset| offset as u16);
                self.table.push(ExceptionHandler { start_pc, end_pc, handler_pc, catch_type });
            }
            start = resume;
        }
    }

    fn moved_index(&self, index: u16) -> u16 {
        self.first_of.get(usize::from(index)).copied().unwrap_or(index)
    }
}

/// An attribute of the code with its offsets moved. `StackMapTable` is not treated here. What the
/// format does not define is carried through as it is: a JVM does not read it.
pub(super) fn attribute<'a>(
    attribute: &RawAttribute<'a>,
    pool: &ConstantPool<'a>,
    offsets: &Offsets<'_, '_>,
    handlers: &Handlers,
) -> Result<RawAttribute<'a>, Refusal> {
    let decoded = match attribute.decode(pool, Location::Code) {
        Err(Error::Misplaced { .. }) => return Ok(attribute.clone()),
        other => other?,
    };
    let moved = match decoded {
        Attribute::LineNumberTable(lines) => {
            let moved = lines.iter().map(|LineNumber { start_pc, line }| LineNumber {
                start_pc: offsets.debug(u32::from(start_pc)),
                line,
            });
            Attribute::LineNumberTable(moved.collect())
        }
        Attribute::LocalVariableTable(variables) => {
            let moved = variables.iter().map(|variable| {
                let (start_pc, length) = offsets.debug_range(variable.start_pc, variable.length);
                LocalVariable { start_pc, length, ..variable }
            });
            Attribute::LocalVariableTable(moved.collect())
        }
        Attribute::LocalVariableTypeTable(variables) => {
            let moved = variables.iter().map(|variable| {
                let (start_pc, length) = offsets.debug_range(variable.start_pc, variable.length);
                LocalVariableType { start_pc, length, ..variable }
            });
            Attribute::LocalVariableTypeTable(moved.collect())
        }
        Attribute::RuntimeVisibleTypeAnnotations(annotations) => {
            Attribute::RuntimeVisibleTypeAnnotations(moved_annotations(annotations, offsets, handlers))
        }
        Attribute::RuntimeInvisibleTypeAnnotations(annotations) => {
            Attribute::RuntimeInvisibleTypeAnnotations(moved_annotations(annotations, offsets, handlers))
        }
        _ => return Ok(attribute.clone()),
    };
    let mut info = Vec::new();
    moved.encode_into(&mut info)?;
    Ok(RawAttribute { name_index: attribute.name_index, info: info.into() })
}

fn moved_annotations<'a>(
    mut annotations: Vec<TypeAnnotation<'a>>,
    offsets: &Offsets<'_, '_>,
    handlers: &Handlers,
) -> Vec<TypeAnnotation<'a>> {
    for annotation in &mut annotations {
        match &mut annotation.target {
            TargetInfo::LocalVariable(ranges) => {
                let moved: Table<'a, LocalVariableRange> = ranges
                    .iter()
                    .map(|LocalVariableRange { start_pc, length, slot }| {
                        let (start_pc, length) = offsets.debug_range(start_pc, length);
                        LocalVariableRange { start_pc, length, slot }
                    })
                    .collect();
                *ranges = moved;
            }
            TargetInfo::Catch { index } => *index = handlers.moved_index(*index),
            TargetInfo::Offset { offset } | TargetInfo::TypeArgument { offset, .. } => {
                *offset = offsets.instruction(*offset);
            }
            _ => {}
        }
    }
    annotations
}
