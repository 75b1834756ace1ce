//! Local variables as the source names them.

use std::ops::Range;

use crashback_classfile::{Attribute, ClassFile, JavaStr, Location, Member};

use super::Result;

/// The local variables of a method, as its compiler noted them (JVMS 4.7.13). There are none in code
/// that was compiled without them.
#[derive(Clone, Debug, Default)]
pub struct LocalVariables<'a> {
    variables: Vec<LocalVariable<'a>>,
}

/// A local variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable<'a> {
    /// Its slot.
    pub slot: u16,
    /// Offsets at which it has a value.
    pub alive: Range<u32>,
    /// Its name.
    pub name: JavaStr<'a>,
    /// Descriptor of its type.
    pub descriptor: JavaStr<'a>,
}

impl<'a> LocalVariables<'a> {
    /// Reads the variables of a method.
    pub fn of(class: &'a ClassFile<'a>, method: &Member<'a>) -> Result<Self> {
        let mut variables = Vec::new();
        let Some(code) = method.code(&class.pool)? else { return Ok(Self::default()) };
        for attribute in &code.attributes {
            if class.pool.utf8(attribute.name_index)? != "LocalVariableTable" {
                continue;
            }
            let Attribute::LocalVariableTable(table) = attribute.decode(&class.pool, Location::Code)? else {
                continue;
            };
            for row in table.iter() {
                let start = u32::from(row.start_pc);
                variables.push(LocalVariable {
                    slot: row.slot,
                    alive: start..start + u32::from(row.length),
                    name: class.pool.utf8(row.name_index)?,
                    descriptor: class.pool.utf8(row.descriptor_index)?,
                });
            }
        }
        Ok(Self { variables })
    }

    /// The variable that a slot holds at an offset of the code.
    pub fn at(&self, slot: u16, offset: u32) -> Option<&LocalVariable<'a>> {
        self.variables.iter().find(|it| it.slot == slot && it.alive.contains(&offset))
    }
}
