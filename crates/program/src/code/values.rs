//! Abstract values of the stack simulation: small sets of places where a value may have come into
//! being.

use std::collections::HashMap;

/// Where a value comes into being. Moving it between stack and local variables and casting it does
/// not make it another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// The receiver of the method.
    This,
    /// A parameter of the method, counted from 0 without the receiver.
    Parameter(usize),
    /// What the instruction at this index pushes or, for `iinc`, stores.
    Instruction(usize),
    /// The exception with which the handler that begins at this instruction was entered.
    Caught(usize),
}

/// An interned set of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ValueId(u32);

impl ValueId {
    /// A value of which nothing is known; joining it with another gives it again.
    pub(super) const UNKNOWN: Self = Self(0);
}

/// A value that would have more definitions becomes unknown. This bounds how often a state can
/// change.
const MAX_DEFINITIONS: usize = 4;

/// All values that occur in one simulation.
#[derive(Clone, Debug)]
pub(super) struct Values {
    sets: Vec<Vec<Definition>>,
    ids: HashMap<Vec<Definition>, ValueId>,
    /// The values that single instructions define, by their indices, and unknown ones in between: nearly
    /// all values are such, and asked for again and again.
    of_instructions: Vec<ValueId>,
}

impl Values {
    pub(super) fn new() -> Self {
        let ids = HashMap::from([(Vec::new(), ValueId::UNKNOWN)]);
        Self { sets: vec![Vec::new()], ids, of_instructions: Vec::new() }
    }

    /// The value that has just this definition.
    pub(super) fn defined_by(&mut self, definition: Definition) -> ValueId {
        let Definition::Instruction(index) = definition else { return self.intern(vec![definition]) };
        if let Some(known) = self.of_instructions.get(index).filter(|it| **it != ValueId::UNKNOWN) {
            return *known;
        }
        let value = self.intern(vec![definition]);
        if self.of_instructions.len() <= index {
            self.of_instructions.resize(index + 1, ValueId::UNKNOWN);
        }
        if let Some(place) = self.of_instructions.get_mut(index) {
            *place = value;
        }
        value
    }

    /// The definitions of a value in order; none of the unknown one.
    pub(super) fn definitions(&self, value: ValueId) -> &[Definition] {
        self.sets.get(value.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The value that may be either of two.
    pub(super) fn join(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if a == b || a == ValueId::UNKNOWN {
            return a;
        }
        if b == ValueId::UNKNOWN {
            return b;
        }
        let mut set = [self.definitions(a), self.definitions(b)].concat();
        set.sort_unstable();
        set.dedup();
        if set.len() > MAX_DEFINITIONS { ValueId::UNKNOWN } else { self.intern(set) }
    }

    fn intern(&mut self, set: Vec<Definition>) -> ValueId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = ValueId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }
}
