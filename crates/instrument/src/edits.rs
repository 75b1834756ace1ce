use std::collections::BTreeMap;

use crate::Snippet;

/// What is to be inserted into one method, or replaced in it. Offsets are those of the original
/// code.
///
/// Code *before* an instruction belongs to it: every way to the instruction, jumps and handlers
/// included, runs it. Code *after* an instruction belongs to the edge to the next one: it runs when
/// the instruction completes and execution falls through, and a jump to the next instruction passes
/// it by. Code *at entry* belongs to the edge into the method, so that a loop back to the first
/// instruction does not run it again. In tables (lines, exception ranges, variables) all inserted
/// code counts as part of the instruction that follows it. Several snippets at one place run in the
/// order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodEdits {
    pub(crate) entry: Vec<Snippet>,
    pub(crate) before: BTreeMap<u32, Vec<Snippet>>,
    pub(crate) after: BTreeMap<u32, Vec<Snippet>>,
    pub(crate) instead: BTreeMap<u32, Snippet>,
    pub(crate) catch_all: Option<Snippet>,
    pub(crate) scratch_locals: u16,
}

impl MethodEdits {
    /// No edits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.entry.is_empty()
            && self.before.is_empty()
            && self.after.is_empty()
            && self.instead.is_empty()
            && self.catch_all.is_none()
    }

    /// Inserts code that runs once when the method is called.
    pub fn at_entry(&mut self, snippet: Snippet) {
        self.entry.push(snippet);
    }

    /// Inserts code that runs whenever the instruction at an offset is about to run.
    pub fn before(&mut self, offset: u32, snippet: Snippet) {
        self.before.entry(offset).or_default().push(snippet);
    }

    /// Inserts code that runs when the instruction at an offset completes and execution goes on at
    /// the next one. There is no such moment after returns, throws, `goto` and switches, where
    /// nothing is inserted.
    pub fn after(&mut self, offset: u32, snippet: Snippet) {
        self.after.entry(offset).or_default().push(snippet);
    }

    /// Puts code in the place of the instruction at an offset, which must be one that always goes
    /// on to the next. The code must take from the stack and put there what the instruction does.
    pub fn replace(&mut self, offset: u32, snippet: Snippet) {
        self.instead.insert(offset, snippet);
    }

    /// Sets the code of a handler over the whole method, which finds the throwable on the stack and
    /// leaves it there to be rethrown. The method's own handlers go first. Code at entry is not
    /// covered, and of a constructor only what runs after `super()` or `this()` has returned:
    /// before, a handler would have to know `this` as uninitialised.
    pub fn catch_all(&mut self, snippet: Snippet) {
        self.catch_all = Some(snippet);
    }

    /// Asks for at least this many local variable slots beyond those of the method. Inserted code
    /// may use them within one snippet; they hold nothing afterwards.
    pub fn need_scratch_locals(&mut self, slots: u16) {
        self.scratch_locals = self.scratch_locals.max(slots);
    }
}
