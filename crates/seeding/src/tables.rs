//! Arrays of constant bytes and characters that code makes, such as the signature with which files of
//! a format begin. Code of the JDK compares them as a whole, which no branch distance shows.

use std::collections::BTreeSet;

use crashback_classfile::{ElementType, FieldType, Primitive};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Kind, Literal, MethodBody, Operation};
use crashback_testcase::workshop::Tuning;
use crashback_testcase::{Bytes, Text};

use crate::collect::Offers;

/// Notes the arrays that methods make element by element, as initialisers of static fields do.
pub(crate) fn add(classes: &Classes<'_>, visited: &BTreeSet<MethodId>, offers: &mut Offers<'_>) {
    let mut found = Vec::new();
    for method in visited {
        classes.with_body(*method, |body| tables(body, offers.tuning, &mut found));
    }
    for table in found {
        let Offers { pools, tuning } = offers;
        if table.of == Primitive::Char {
            let units: Vec<u16> = table.values.iter().map(|it| *it as u16).collect();
            let token = Text::from(units.as_slice());
            let is_short = units.len() <= tuning.longest_token && pools.tokens.len() < tuning.tokens;
            if is_short && !pools.tokens.contains(&token) {
                pools.tokens.push(token);
            }
        } else if let Some(bytes) = table.bytes() {
            let has_room = pools.tables.len() < tuning.byte_tables;
            if has_room && !pools.tables.contains(&bytes) {
                pools.tables.push(bytes);
            }
        }
    }
}

/// An array whose elements are constants.
struct Table {
    of: Primitive,
    values: Vec<i32>,
}

impl Table {
    /// An array with room for so many elements, if it may be a signature: longer ones are tables of
    /// another kind.
    fn new(array: FieldType<'_>, length: i32, tuning: &Tuning) -> Option<Self> {
        let ElementType::Primitive(of @ (Primitive::Byte | Primitive::Char | Primitive::Int)) = array.element
        else {
            return None;
        };
        let length = usize::try_from(length).ok()?;
        let is_possible = array.dimensions == 1 && (2..=tuning.longest_byte_table).contains(&length);
        is_possible.then(|| Self { of, values: vec![0; length] })
    }

    /// The elements as bytes; none if one of them is no byte.
    fn bytes(&self) -> Option<Bytes> {
        let byte = |it: &i32| u8::try_from(*it).or_else(|_| i8::try_from(*it).map(|it| it as u8)).ok();
        let bytes: Vec<u8> = self.values.iter().map(byte).collect::<Option<_>>()?;
        bytes.iter().any(|it| *it != 0).then(|| Bytes::from(bytes.as_slice()))
    }
}

/// Adds the arrays of a method: a length, the array, and for each element its index and value.
fn tables(body: &MethodBody<'_>, tuning: &Tuning, found: &mut Vec<Table>) {
    let mut open: Option<Table> = None;
    let mut pushed: Vec<i32> = Vec::new();
    for (_, operation) in body.operations() {
        match operation {
            Operation::Push(Literal::Int(value)) => pushed.push(*value),
            Operation::NewArray { array, .. } => {
                found.extend(open.take().filter(is_filled));
                open = pushed.last().and_then(|it| Table::new(*array, *it, tuning));
                pushed.clear();
            }
            Operation::StoreElement(Kind::Int) => {
                let index = |it: i32| usize::try_from(it).ok();
                match (&mut open, pushed.as_slice()) {
                    (Some(table), [place, value]) => {
                        let element = index(*place).and_then(|it| table.values.get_mut(it));
                        element.into_iter().for_each(|it| *it = *value);
                    }
                    // An element that is computed.
                    _ => open = None,
                }
                pushed.clear();
            }
            Operation::Shuffle(_) => pushed.clear(),
            _ => {
                found.extend(open.take().filter(is_filled));
                pushed.clear();
            }
        }
    }
}

/// Whether an array has an element that is not zero: one that is only made is a buffer.
fn is_filled(table: &Table) -> bool {
    table.values.iter().any(|it| *it != 0)
}
