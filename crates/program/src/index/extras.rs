//! What only some classes and members have, as sections of one byte string in the heap.
//!
//! A section is a tag, the length of its content, its content; numbers are LEB128, texts are heap
//! references.

use super::heap::{push_number, take_number};

/// What a section is about. The numbers are part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    Interfaces = 1,
    Signature = 2,
    SourceFile = 3,
    InnerClass = 4,
    EnclosingMethod = 5,
    NestHost = 6,
    PermittedSubclasses = 7,
    Annotations = 8,
    Exceptions = 9,
    Constant = 10,
}

/// Builds the sections of one class or member.
#[derive(Default)]
pub(super) struct ExtrasWriter {
    bytes: Vec<u8>,
    section: Vec<u8>,
}

impl ExtrasWriter {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a section of a fixed number of numbers.
    pub(super) fn numbers(&mut self, tag: Tag, numbers: &[u64]) {
        self.section(tag, |section| numbers.iter().for_each(|&number| push_number(section, number)));
    }

    /// Adds a section whose content `fill` appends.
    pub(super) fn section(&mut self, tag: Tag, fill: impl FnOnce(&mut Vec<u8>)) {
        self.section.clear();
        fill(&mut self.section);
        self.bytes.push(tag as u8);
        push_number(&mut self.bytes, self.section.len() as u64);
        self.bytes.extend_from_slice(&self.section);
    }
}

/// The content of the section with that tag, if there is one.
pub(super) fn section(mut extras: &[u8], tag: Tag) -> Option<&[u8]> {
    while let Some((&found, mut rest)) = extras.split_first() {
        let length = usize::try_from(take_number(&mut rest)).ok()?;
        let (content, next) = rest.split_at_checked(length)?;
        if found == tag as u8 {
            return Some(content);
        }
        extras = next;
    }
    None
}

/// The numbers of a section, one after the other.
#[derive(Clone)]
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Numbers<'_> {
    pub(super) fn reference(&mut self) -> u32 {
        u32::try_from(take_number(&mut self.0)).unwrap_or(0)
    }

    pub(super) fn number(&mut self) -> u64 {
        take_number(&mut self.0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
