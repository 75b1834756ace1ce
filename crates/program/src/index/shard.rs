//! One shard: the classes of a class-path entry (or of a part of a large one) as one block of
//! bytes.
//!
//! Invariants: a shard is immutable and position independent; a damaged or foreign block is refused
//! by [`Shard::from_bytes`]; whatever the bytes, no accessor panics (a reference that leads nowhere
//! reads as empty).
//!
//! Layout, all numbers little endian:
//!
//! ```text
//! header   magic[8] version:u32 classes:u32 members:u32 heap:u32 checksum:u64 classes  CLASS_SIZE
//! bytes each, sorted by name members  MEMBER_SIZE bytes each: the fields, then the methods of a
//! class, in class-file order heap     byte strings, each once, with their length (LEB128) before
//! them; references are offsets, 0 is none
//! ```
//!
//! Names, descriptors and what [`super::extras`] encodes are all byte strings of the heap.

use std::cmp::Ordering;
use std::mem::offset_of;

use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::heap;

/// The version of the layout. It changes with every change of what is stored or how.
pub const FORMAT_VERSION: u32 = 2;

pub(super) const MAGIC: [u8; 8] = *b"CBshard\n";
pub(super) const HEADER_SIZE: usize = 32;
pub(super) const CLASS_SIZE: usize = ClassFields::SIZE;
pub(super) const MEMBER_SIZE: usize = MemberFields::SIZE;

/// The classes of one class-path entry, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    bytes: Vec<u8>,
    classes: u32,
    members: u32,
}

/// Why a block of bytes is no shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShardError {
    /// The block does not start as a shard does.
    #[error("not a class index")]
    Foreign,
    /// The block was written by another version.
    #[error("class index of format {found}, expected {FORMAT_VERSION}")]
    Version {
        /// The version it names.
        found: u32,
    },
    /// The block is shorter or longer than it says, or its checksum differs.
    #[error("class index is damaged")]
    Damaged,
}

impl Shard {
    /// Takes over a block of bytes that [`Shard::as_bytes`] gave, after checking that it is whole.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ShardError> {
        let header = Header::read(&bytes).ok_or(ShardError::Foreign)?;
        if header.magic != MAGIC {
            return Err(ShardError::Foreign);
        }
        if header.version != FORMAT_VERSION {
            return Err(ShardError::Version { found: header.version });
        }
        let body = bytes.get(HEADER_SIZE..).unwrap_or_default();
        if header.body_size() != Some(body.len() as u64) || xxh3_64(body) != header.checksum {
            return Err(ShardError::Damaged);
        }
        Ok(Self { classes: header.classes, members: header.members, bytes })
    }

    /// Puts the parts together. `classes` and `members` hold whole records.
    pub(super) fn assemble(classes: &[u8], members: &[u8], heap: &[u8]) -> Self {
        let count = |bytes: &[u8], size: usize| u32::try_from(bytes.len() / size).unwrap_or(u32::MAX);
        let mut checksum = Xxh3Default::new();
        for part in [classes, members, heap] {
            checksum.update(part);
        }
        let header = Header {
            magic: MAGIC,
            version: FORMAT_VERSION,
            classes: count(classes, CLASS_SIZE),
            members: count(members, MEMBER_SIZE),
            heap: count(heap, 1),
            checksum: checksum.digest(),
        };
        let mut bytes = Vec::with_capacity(HEADER_SIZE + classes.len() + members.len() + heap.len());
        header.write(&mut bytes);
        for part in [classes, members, heap] {
            bytes.extend_from_slice(part);
        }
        Self { bytes, classes: header.classes, members: header.members }
    }

    /// The block of bytes, to be kept somewhere.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many classes it holds.
    pub fn len(&self) -> u32 {
        self.classes
    }

    /// Whether it holds no class.
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    /// The number of the class of that name (internal form), if the shard holds it.
    pub fn find(&self, name: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.classes);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.text(self.class(middle).name()).cmp(name) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    pub(super) fn class(&self, class: u32) -> ClassRecord<'_> {
        ClassRecord(self.slice(HEADER_SIZE, class, CLASS_SIZE))
    }

    pub(super) fn member(&self, member: u32) -> MemberRecord<'_> {
        let start = HEADER_SIZE + self.classes as usize * CLASS_SIZE;
        MemberRecord(if member < self.members { self.slice(start, member, MEMBER_SIZE) } else { &[] })
    }

    pub(super) fn blob(&self, reference: u32) -> &[u8] {
        let start = HEADER_SIZE + self.classes as usize * CLASS_SIZE + self.members as usize * MEMBER_SIZE;
        heap::get(self.bytes.get(start..).unwrap_or_default(), reference)
    }

    pub(super) fn text(&self, reference: u32) -> &str {
        std::str::from_utf8(self.blob(reference)).unwrap_or_default()
    }

    /// Whether the text at a reference is this one. Costs less than [`Self::text`], which looks at
    /// every byte to see whether it is well formed.
    pub(super) fn is_text(&self, reference: u32, text: &str) -> bool {
        self.blob(reference) == text.as_bytes()
    }

    pub(super) fn optional_text(&self, reference: u32) -> Option<&str> {
        (reference != 0).then(|| self.text(reference))
    }

    fn slice(&self, start: usize, index: u32, size: usize) -> &[u8] {
        let from = start.saturating_add((index as usize).saturating_mul(size));
        self.bytes.get(from..from.saturating_add(size)).unwrap_or_default()
    }
}

struct Header {
    magic: [u8; 8],
    version: u32,
    classes: u32,
    members: u32,
    heap: u32,
    checksum: u64,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        bytes.get(..HEADER_SIZE)?;
        Some(Self {
            magic: array_at(bytes, 0),
            version: u32_at(bytes, 8),
            classes: u32_at(bytes, 12),
            members: u32_at(bytes, 16),
            heap: u32_at(bytes, 20),
            checksum: u64::from_le_bytes(array_at(bytes, 24)),
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.magic);
        for number in [self.version, self.classes, self.members, self.heap] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.checksum.to_le_bytes());
    }

    fn body_size(&self) -> Option<u64> {
        let classes = u64::from(self.classes).checked_mul(CLASS_SIZE as u64)?;
        let members = u64::from(self.members).checked_mul(MEMBER_SIZE as u64)?;
        classes.checked_add(members)?.checked_add(u64::from(self.heap))
    }
}

/// Declares the fixed part of a class or member once: a struct with the fields, which writes them
/// one after the other, and a view of the bytes that reads each field where it was written.
macro_rules! fixed_part {
    ($(#[$of:meta])* $fields:ident, $record:ident { $($name:ident: $kind:ty,)+ }) => {
        $(#[$of])*
        ///
        /// To be written.
        #[repr(C)]
        pub(super) struct $fields {
            $(pub(super) $name: $kind,)+
        }

        impl $fields {
            pub(super) const SIZE: usize = size_of::<Self>();

            pub(super) fn write(&self, bytes: &mut Vec<u8>) {
                $(bytes.extend_from_slice(&self.$name.to_le_bytes());)+
            }
        }

        // Without gaps between the fields, their offsets in memory are those in the bytes written.
        const _: () = assert!($fields::SIZE == 0 $(+ size_of::<$kind>())+);

        $(#[$of])*
        ///
        /// To be read in place.
        #[derive(Clone, Copy)]
        pub(super) struct $record<'a>(&'a [u8]);

        impl $record<'_> {
            $(pub(super) fn $name(self) -> $kind {
                <$kind>::from_le_bytes(array_at(self.0, offset_of!($fields, $name)))
            })+
        }
    };
}

fixed_part! {
    /// The fixed part of a class.
    ClassFields, ClassRecord {
        name_hash: u64,
        name: u32,
        super_name: u32,
        location: u32,
        first_member: u32,
        extras: u32,
        field_count: u16,
        method_count: u16,
        access: u16,
        major: u16,
        minor: u16,
        marks: u16,
    }
}

fixed_part! {
    /// The fixed part of a field or method.
    MemberFields, MemberRecord {
        name: u32,
        descriptor: u32,
        extras: u32,
        access: u16,
        marks: u16,
    }
}

/// The class has a `Record` attribute.
pub(super) const MARK_RECORD: u16 = 1;
/// The class lies in a package that its module does not export to everybody.
pub(super) const MARK_UNEXPORTED: u16 = 2;
/// The method has a `Code` attribute.
pub(super) const MARK_CODE: u16 = 1;
/// The method's code has a `LineNumberTable`.
pub(super) const MARK_LINES: u16 = 2;

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}
