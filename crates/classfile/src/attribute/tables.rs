use crate::bytes::{Reader, Write};
use crate::content::{Content, content};
use crate::table::record;
use crate::{AccessFlags, Error, RawAttribute, Table};

record! {
    /// From `start_pc` on, the code belongs to a line of the source (JVMS 4.7.12).
    pub struct LineNumber {
        /// First offset of the line.
        pub start_pc: u16,
        /// Number of the line.
        pub line: u16,
    }
}

record! {
    /// A local variable with its name and descriptor (JVMS 4.7.13).
    pub struct LocalVariable {
        /// First offset at which the variable has a value.
        pub start_pc: u16,
        /// Length of the range in which it has one.
        pub length: u16,
        /// Index of the name.
        pub name_index: u16,
        /// Index of the field descriptor.
        pub descriptor_index: u16,
        /// Number of the first local variable slot.
        pub slot: u16,
    }
}

record! {
    /// A local variable with its name and generic signature (JVMS 4.7.14).
    pub struct LocalVariableType {
        /// First offset at which the variable has a value.
        pub start_pc: u16,
        /// Length of the range in which it has one.
        pub length: u16,
        /// Index of the name.
        pub name_index: u16,
        /// Index of the signature.
        pub signature_index: u16,
        /// Number of the first local variable slot.
        pub slot: u16,
    }
}

record! {
    /// A class that is not a member of a package (JVMS 4.7.6).
    pub struct InnerClass {
        /// Index of the class.
        pub inner_class_index: u16,
        /// Index of the class it is a member of, 0 for local and anonymous classes.
        pub outer_class_index: u16,
        /// Index of its simple name, 0 for anonymous classes.
        pub inner_name_index: u16,
        /// Its flags as declared in the source.
        pub access: AccessFlags,
    }
}

record! {
    /// A parameter of a method (JVMS 4.7.24).
    pub struct MethodParameter {
        /// Index of the name, 0 when it has none.
        pub name_index: u16,
        /// Whether it is final, synthetic or mandated.
        pub access: AccessFlags,
    }
}

content! {
    /// The place where a local or anonymous class is declared (JVMS 4.7.7).
    pub struct EnclosingMethod {
        /// Index of the class around it.
        pub class_index: u16,
        /// Index of name and type of the method around it, 0 when there is none.
        pub method_index: u16,
    }
}

content! {
    /// A bootstrap method with its static arguments (JVMS 4.7.23).
    pub struct BootstrapMethod<'a> {
        /// Index of the method handle.
        pub method_index: u16,
        /// Indices of loadable constants.
        pub arguments: Table<'a, u16>,
    }
}

content! {
    /// A component of a record (JVMS 4.7.30).
    pub struct RecordComponent<'a> {
        /// Index of the name.
        pub name_index: u16,
        /// Index of the field descriptor.
        pub descriptor_index: u16,
        /// Its attributes.
        pub attributes: Vec<RawAttribute<'a>>,
    }
}

/// Names and flags of the parameters of a method (JVMS 4.7.24).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodParameters<'a> {
    /// The parameters in order; a JVM does not check that there are as many as the descriptor has.
    pub parameters: Table<'a, MethodParameter>,
}

impl<'a> Content<'a> for MethodParameters<'a> {
    const SMALLEST: usize = 1;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = usize::from(reader.u8()?);
        Ok(Self { parameters: Table::read(reader, count)? })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_count_u8(self.parameters.len(), "number of parameters")?;
        out.extend_from_slice(self.parameters.as_bytes());
        Ok(())
    }
}
