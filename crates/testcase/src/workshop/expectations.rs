//! What the code around the crash expects of a value beyond its declared type.

use std::collections::BTreeMap;

use crate::{MemberName, Type};

/// Somewhere that a value passes on its way through the program. Members are named through the
/// classes that declare them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A parameter of a method or constructor, counted from 0 without the receiver.
    Parameter(MemberName, usize),
    /// The result of a method.
    Result(MemberName),
    /// A field.
    Field(MemberName),
}

/// What is expected of the values of a spot, and of the parts of values that are collections, maps
/// or arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The value itself.
    pub whole: Wanted,
    /// Elements of a collection or array.
    pub element: Wanted,
    /// Keys of a map.
    pub key: Wanted,
    /// Values of a map under keys that are not known.
    pub value: Wanted,
    /// Values of a map under keys that are constants of the code.
    pub entries: BTreeMap<String, Wanted>,
}

/// What is wanted of a value. Its declared type allows more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Types of casts and `instanceof`, the nearest to the crash first.
    pub types: Vec<Type>,
    /// Static fields with which it is compared.
    pub constants: Vec<MemberName>,
}

impl Wanted {
    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.constants.is_empty()
    }

    /// Adds what is wanted of another value, as long as there are fewer than `most` of a kind. Tells
    /// whether something was new.
    pub fn extend(&mut self, other: &Self, most: usize) -> bool {
        add_new(&mut self.types, &other.types, most) | add_new(&mut self.constants, &other.constants, most)
    }
}

impl Expectation {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        [&self.whole, &self.element, &self.key, &self.value].iter().all(|it| it.is_empty())
            && self.entries.is_empty()
    }

    /// Adds what is expected of another spot, as long as there are fewer than `most` of a kind.
    /// Tells whether something was new.
    pub fn extend(&mut self, other: &Self, most: usize) -> bool {
        let mut is_new = self.whole.extend(&other.whole, most);
        is_new |= self.element.extend(&other.element, most);
        is_new |= self.key.extend(&other.key, most);
        is_new |= self.value.extend(&other.value, most);
        for (key, wanted) in &other.entries {
            if let Some(known) = self.entries.get_mut(key) {
                is_new |= known.extend(wanted, most);
            } else if self.entries.len() < most {
                self.entries.insert(key.clone(), wanted.clone());
                is_new = true;
            }
        }
        is_new
    }
}

fn add_new<T: Clone + PartialEq>(known: &mut Vec<T>, new: &[T], most: usize) -> bool {
    let before = known.len();
    for it in new {
        if known.len() < most && !known.contains(it) {
            known.push(it.clone());
        }
    }
    known.len() > before
}
