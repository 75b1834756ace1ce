use crate::attribute::LineNumber;
use crate::bytes::Reader;
use crate::{ConstantPool, Error, RawAttribute, Table};

/// The line numbers of a method, merged over all its `LineNumberTable` attributes (JVMS 4.7.12) and
/// ordered by offset.
///
/// The file may list lines in any order and an offset several times; answers are those of a JVM
/// filling in a stack trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    entries: Vec<LineNumber>,
}

impl LineTable {
    /// The entries, ordered by offset; those with equal offsets in file order.
    pub fn entries(&self) -> &[LineNumber] {
        &self.entries
    }

    /// Whether nothing is known about lines.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The line of the instruction at an offset.
    ///
    /// Among entries for the same offset the first counts for the instruction right there and the
    /// last for those after it, as in HotSpot.
    pub fn line_at(&self, offset: u32) -> Option<u16> {
        let before = |entry: &LineNumber| u32::from(entry.start_pc) < offset;
        let next = self.entries.partition_point(before);
        match self.entries.get(next) {
            Some(entry) if u32::from(entry.start_pc) == offset => Some(entry.line),
            _ => self.entries.get(next.checked_sub(1)?).map(|entry| entry.line),
        }
    }

    pub(super) fn merge(attributes: &[RawAttribute<'_>], pool: &ConstantPool<'_>) -> Result<Self, Error> {
        let mut entries = Vec::new();
        for attribute in attributes {
            if pool.utf8(attribute.name_index)?.as_bytes() == b"LineNumberTable" {
                let mut reader = Reader::new(&attribute.info, "LineNumberTable attribute");
                let table = Table::<LineNumber>::read_counted(&mut reader)?;
                reader.finish()?;
                entries.extend(table.iter());
            }
        }
        // Compilers write sorted tables, which a stable sort leaves in linear time.
        entries.sort_by_key(|entry| entry.start_pc);
        Ok(Self { entries })
    }
}
