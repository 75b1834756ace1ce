//! Agreement with `cafebabe`, an independent reader.

use std::fmt::Debug;

use cafebabe::attributes::{AttributeData, AttributeInfo, CodeData};
use crashback_classfile::{
    Attribute, ClassFile, Code, ConstantPool, Error, FieldType, JavaStr, Location, MethodDescriptor,
    RawAttribute,
};

use crate::oracle_attributes;

/// What the oracle says about a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Both readers see the same.
    Agrees,
    /// The oracle cannot read the class, for example because a bootstrap argument is a dynamic
    /// constant.
    Silent,
}

/// Compares names, flags, members, handlers, lines and where instructions begin. The error names
/// the difference.
pub(crate) fn agrees(bytes: &[u8]) -> Result<Verdict, String> {
    let ours = ClassFile::parse(bytes).map_err(message)?;
    match cafebabe::parse_class(bytes) {
        Ok(theirs) => compare(&ours, &theirs).map(|()| Verdict::Agrees),
        Err(_) => Ok(Verdict::Silent),
    }
}

fn compare(ours: &ClassFile<'_>, theirs: &cafebabe::ClassFile<'_>) -> Result<(), String> {
    let pool = &ours.pool;
    equal("version", (ours.major_version, ours.minor_version), (theirs.major_version, theirs.minor_version))?;
    equal("name", plain(ours.name())?, theirs.this_class.to_string())?;
    let superclass = ours.super_name().map_err(message)?.map(|name| name.to_string());
    equal("superclass", superclass, theirs.super_class.as_ref().map(ToString::to_string))?;
    let interfaces = ours.interface_names().map(plain).collect::<Result<Vec<_>, _>>()?;
    equal("interfaces", interfaces, theirs.interfaces.iter().map(ToString::to_string).collect())?;
    let known = cafebabe::ClassAccessFlags::from_bits_truncate(ours.access.0);
    equal("class flags", known, theirs.access_flags)?;
    same_attributes(&ours.attributes, &theirs.attributes, pool, Location::Class)?;
    equal("number of fields", ours.fields.len(), theirs.fields.len())?;
    for (ours, theirs) in ours.fields.iter().zip(&theirs.fields) {
        equal("name of a field", plain(ours.name(pool))?, theirs.name.to_string())?;
        let descriptor = FieldType::parse(ours.descriptor(pool).map_err(message)?).map_err(message)?;
        equal("type of a field", descriptor.to_string(), theirs.descriptor.to_string())?;
        same_attributes(&ours.attributes, &theirs.attributes, pool, Location::Field)?;
        let known = cafebabe::FieldAccessFlags::from_bits_truncate(ours.access.0);
        equal("flags of a field", known, theirs.access_flags)?;
    }
    equal("number of methods", ours.methods.len(), theirs.methods.len())?;
    for (ours, theirs) in ours.methods.iter().zip(&theirs.methods) {
        equal("name of a method", plain(ours.name(pool))?, theirs.name.to_string())?;
        let descriptor = MethodDescriptor::parse(ours.descriptor(pool).map_err(message)?).map_err(message)?;
        equal("type of a method", descriptor.to_string(), theirs.descriptor.to_string())?;
        same_attributes(&ours.attributes, &theirs.attributes, pool, Location::Method)?;
        let known = cafebabe::MethodAccessFlags::from_bits_truncate(ours.access.0);
        equal("flags of a method", known, theirs.access_flags)?;
        same_body(ours.code(pool).map_err(message)?.as_ref(), &theirs.attributes, pool)?;
    }
    Ok(())
}

fn same_body(
    ours: Option<&Code<'_>>,
    theirs: &[AttributeInfo<'_>],
    pool: &ConstantPool<'_>,
) -> Result<(), String> {
    let theirs = theirs.iter().find_map(|attribute| match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    });
    equal("presence of code", ours.is_some(), theirs.is_some())?;
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return Ok(()) };
    equal("stack and locals", (ours.max_stack, ours.max_locals), (theirs.max_stack, theirs.max_locals))?;
    let starts = ours
        .instructions()
        .map(|step| step.map(|(offset, _)| offset as usize).map_err(message))
        .collect::<Result<Vec<_>, _>>()?;
    let opcodes = theirs.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes);
    equal("offsets of instructions", starts, opcodes.map(|(offset, _)| *offset).collect())?;
    same_handlers(ours, theirs, pool)?;
    same_attributes(&ours.attributes, &theirs.attributes, pool, Location::Code)?;
    let lines = ours.lines(pool).map_err(message)?;
    let lines = lines.entries().iter().map(|entry| (entry.start_pc, entry.line)).collect::<Vec<_>>();
    equal("lines", lines, oracle_lines(&theirs.attributes))
}

fn same_attributes(
    ours: &[RawAttribute<'_>],
    theirs: &[AttributeInfo<'_>],
    pool: &ConstantPool<'_>,
    location: Location,
) -> Result<(), String> {
    equal("number of attributes", ours.len(), theirs.len())?;
    for (ours, theirs) in ours.iter().zip(theirs) {
        equal("name of an attribute", plain(ours.name(pool))?, theirs.name.to_string())?;
        let attribute = ours.decode(pool, location).map_err(message)?;
        let described = oracle_attributes::ours(&attribute, pool).map_err(message)?;
        equal(&theirs.name, described, oracle_attributes::theirs(&theirs.data))?;
        if let (Attribute::Record(ours), AttributeData::Record(theirs)) = (&attribute, &theirs.data) {
            for (ours, theirs) in ours.iter().zip(theirs) {
                same_attributes(&ours.attributes, &theirs.attributes, pool, Location::RecordComponent)?;
            }
        }
    }
    Ok(())
}

fn same_handlers(ours: &Code<'_>, theirs: &CodeData<'_>, pool: &ConstantPool<'_>) -> Result<(), String> {
    equal("number of handlers", ours.exception_table.len(), theirs.exception_table.len())?;
    for (ours, theirs) in ours.exception_table.iter().zip(&theirs.exception_table) {
        let range = (ours.start_pc, ours.end_pc, ours.handler_pc);
        equal("range of a handler", range, (theirs.start_pc, theirs.end_pc, theirs.handler_pc))?;
        let caught = pool.optional_class_name(ours.catch_type).map_err(message)?;
        let caught = caught.map(|name| name.to_string());
        equal("class caught", caught, theirs.catch_type.as_ref().map(ToString::to_string))?;
    }
    Ok(())
}

fn oracle_lines(attributes: &[AttributeInfo<'_>]) -> Vec<(u16, u16)> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let AttributeData::LineNumberTable(table) = &attribute.data {
            lines.extend(table.iter().map(|entry| (entry.start_pc, entry.line_number)));
        }
    }
    lines.sort_by_key(|(start, _)| *start);
    lines
}

fn plain(name: Result<JavaStr<'_>, Error>) -> Result<String, String> {
    name.map(|name| name.to_string()).map_err(message)
}

fn message(error: Error) -> String {
    error.to_string()
}

fn equal<T: PartialEq + Debug>(what: &str, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: {ours:?}, but the oracle reads {theirs:?}")) }
}
