//! The heap of a shard: byte strings, each stored once, referred to by offset.
//!
//! Invariant: reference 0 means "none" and never names a string, not even the empty one.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// Collects byte strings.
pub(super) struct HeapBuilder {
    bytes: Vec<u8>,
    known: HashTable<u32>,
}

impl Default for HeapBuilder {
    fn default() -> Self {
        Self { bytes: vec![0], known: HashTable::new() }
    }
}

impl HeapBuilder {
    /// The reference of `content`, stored now if it is new. None when 4 GiB are full.
    pub(super) fn intern(&mut self, content: &[u8]) -> Option<u32> {
        let hash = xxh3_64(content);
        if let Some(known) = self.known.find(hash, |&reference| get(&self.bytes, reference) == content) {
            return Some(*known);
        }
        let reference = u32::try_from(self.bytes.len()).ok()?;
        u32::try_from(self.bytes.len() + content.len() + 10).ok()?;
        push_number(&mut self.bytes, content.len() as u64);
        self.bytes.extend_from_slice(content);
        let bytes = &self.bytes;
        self.known.insert_unique(hash, reference, |&reference| xxh3_64(get(bytes, reference)));
        Some(reference)
    }

    pub(super) fn get(&self, reference: u32) -> &[u8] {
        get(&self.bytes, reference)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The byte string at a reference; empty for none and for references that lead nowhere.
pub(super) fn get(heap: &[u8], reference: u32) -> &[u8] {
    let mut rest = heap.get(reference as usize..).unwrap_or_default();
    let length = usize::try_from(take_number(&mut rest)).unwrap_or(usize::MAX);
    rest.get(..length).unwrap_or_default()
}

/// Appends a number as LEB128: seven bits a byte, lowest first, the top bit says that more follow.
pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front of `bytes`; 0 when they are at an end.
pub(super) fn take_number(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else { return number };
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}
