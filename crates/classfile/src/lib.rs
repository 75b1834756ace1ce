//! Bytes to class files and back: a lossless reader and writer for every Java class-file version.
//!
//! What [`ClassFile::parse`] accepts, [`ClassFile::write`] gives back byte for byte, whatever the
//! version and whatever attributes the class has. Nothing here panics or recurses without bound on
//! any input; what is malformed is an [`Error`] at the moment it is looked at. Section numbers
//! refer to the Java Virtual Machine Specification (JVMS), Java SE 25.

mod attribute;
mod bytes;
mod class;
mod code;
mod content;
mod descriptor;
mod error;
mod flags;
mod java_str;
mod jdk;
mod pool;
mod pool_extension;
mod signature;
mod table;

pub use attribute::{
    Annotation, Attribute, BootstrapMethod, ElementPair, ElementValue, EnclosingMethod, InnerClass,
    LineNumber, LocalVariable, LocalVariableRange, LocalVariableType, Location, MethodParameter,
    MethodParameters, Module, ModuleExports, ModuleOpens, ModuleProvides, ModuleRequires,
    ParameterAnnotations, PathStep, RecordComponent, StackMapFrame, TargetInfo, TypeAnnotation,
    VerificationType,
};
pub use class::{ClassFile, Member, RawAttribute};
pub use code::{
    Code, ExceptionHandler, Flow, Instruction, Instructions, LineTable, LookupSwitch, Opcode, Operand,
    OperandKind, TableSwitch, array_type,
};
pub use descriptor::{ElementType, FieldType, MethodDescriptor, Primitive, binary_name, internal_name};
pub use error::Error;
pub use flags::AccessFlags;
pub use java_str::JavaStr;
pub use jdk::is_jdk_name;
pub use pool::{Constant, ConstantPool, Dynamic, MemberRef, MethodHandle, NameAndType, Version};
pub use pool_extension::PoolExtension;
pub use signature::{
    ClassSignature, ClassType, MemberType, MethodSignature, SignatureElement, TypeArgument, TypeParameter,
    TypeSignature,
};
pub use table::{Record, Table};
