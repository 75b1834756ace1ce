//! The classes that belong to tests: a class file for each, with its fields, their accessors and annotations.
//!
//! All members are public or private, so that the package does not matter to anybody who uses them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crashback_classfile::{AccessFlags, ClassFile, Error, Member, Opcode, PoolExtension, RawAttribute};
use crashback_testcase::{ElementValue, GivenAnnotation, Initial, Literal, Nested, NestedField};

use super::members::{Source, malformed};
use super::mock_class::{Code, EMPTY, load_all, member, put, return_of, slots};
use crate::java::{Env, Object, Thrown};

/// The classes that one loader has defined, by what they are made of.
#[derive(Default)]
pub(super) struct NestedClasses(BTreeMap<u64, Object>);

impl NestedClasses {
    /// Forgets all classes.
    pub(super) fn clear(&mut self, env: Env) {
        for class in std::mem::take(&mut self.0).into_values() {
            env.delete_global(class);
        }
    }

    /// The class, defined when it is first asked for.
    pub(super) fn class(&mut self, source: Source<'_>, nested: &Nested) -> Result<Object, Thrown> {
        let key = fingerprint(nested);
        if let Some(known) = self.0.get(&key) {
            return Ok(*known);
        }
        let Source { env, program, .. } = source;
        let name = format!("{PREFIX}{key:016x}");
        let bytes = class_file(&name, nested).ok_or_else(|| malformed(env, "nested class"))?;
        let class = env.global(program.define(env, &name, &bytes)?);
        self.0.insert(key, class);
        Ok(class)
    }

    /// A new object of the class.
    pub(super) fn object(&mut self, source: Source<'_>, nested: &Nested) -> Result<Object, Thrown> {
        let class = self.class(source, nested)?;
        let constructor = source.env.method(class, c"<init>", c"()V", false)?;
        source.env.construct(class, constructor, &[])
    }
}

/// What the names of the classes begin with.
const PREFIX: &str = "nested/Nested";

/// A number that follows from what a class is made of (FNV-1a).
fn fingerprint(nested: &Nested) -> u64 {
    let text = format!("{:?}", nested.class());
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The class file. None if no class can have as much.
fn class_file(name: &str, nested: &Nested) -> Option<Vec<u8>> {
    let empty = ClassFile::parse(EMPTY).ok()?;
    let mut pool = PoolExtension::new(&empty.pool);
    let (this_class, super_class) = (pool.add_class(name).ok()?, pool.add_class(OBJECT).ok()?);
    let mut writer = Writer { name, pool };
    let mut methods = vec![writer.constructor(nested).ok()?];
    let mut fields = Vec::new();
    for (field, name) in nested.class().fields.iter().zip(nested.names()) {
        fields.push(writer.field(field, &name).ok()?);
        methods.extend(writer.accessors(field, &name).ok()?);
    }
    let attributes = writer.annotations(&nested.class().annotations).ok()?;
    let class = ClassFile { this_class, super_class, fields, methods, attributes, ..empty };
    class.write_extended(&writer.pool).ok()
}

const OBJECT: &str = "java/lang/Object";

struct Writer<'a> {
    /// Internal name of the class.
    name: &'a str,
    pool: PoolExtension<'static>,
}

impl Writer<'_> {
    /// Calls that of `Object` and gives fields the values that they have from the start.
    fn constructor(&mut self, nested: &Nested) -> Result<Member<'static>, Error> {
        let above = self.pool.add_method_ref(OBJECT, "<init>", "()V")?;
        let mut code = Code { bytes: vec![Opcode::Aload0 as u8], locals: 1, ..Code::default() };
        put(&mut code.bytes, Opcode::Invokespecial, above);
        for (field, name) in nested.class().fields.iter().zip(nested.names()).filter(|(it, _)| it.is_set) {
            let Some(initial) = Initial::of(field.of.view()) else { continue };
            let place = self.pool.add_field_ref(self.name, &name, field.of.descriptor())?;
            code.bytes.push(Opcode::Aload0 as u8);
            self.initial(&mut code.bytes, initial, field)?;
            put(&mut code.bytes, Opcode::Putfield, place);
        }
        code.bytes.push(Opcode::Return as u8);
        member(&mut self.pool, "<init>", "()V", &code)
    }

    fn initial(&mut self, bytes: &mut Vec<u8>, initial: Initial, field: &NestedField) -> Result<(), Error> {
        match (initial, field.of.descriptor()) {
            (Initial::Text, _) => put(bytes, Opcode::LdcW, self.pool.add_string("a")?),
            (Initial::New(class), _) => {
                put(bytes, Opcode::New, self.pool.add_class(class)?);
                bytes.push(Opcode::Dup as u8);
                put(bytes, Opcode::Invokespecial, self.pool.add_method_ref(class, "<init>", "()V")?);
            }
            (Initial::One, "C") => bytes.extend([Opcode::Bipush as u8, b'a']),
            (Initial::One, "J") => bytes.push(Opcode::Lconst1 as u8),
            (Initial::One, "F") => bytes.push(Opcode::Fconst1 as u8),
            (Initial::One, "D") => bytes.push(Opcode::Dconst1 as u8),
            (Initial::One, _) => bytes.push(Opcode::Iconst1 as u8),
        }
        Ok(())
    }

    fn field(&mut self, field: &NestedField, name: &str) -> Result<Member<'static>, Error> {
        let visibility = if field.is_private { AccessFlags::PRIVATE } else { AccessFlags::PUBLIC };
        let access = if field.is_static { visibility | AccessFlags::STATIC } else { visibility };
        let mut attributes = self.annotations(&field.annotations)?;
        if let Some(signature) = signature(field) {
            attributes.push(self.signature(&signature)?);
        }
        let name_index = self.pool.add_utf8(name)?;
        let descriptor_index = self.pool.add_utf8(field.of.descriptor())?;
        Ok(Member { access, name_index, descriptor_index, attributes })
    }

    /// The getter and setter of a field, as far as it has them.
    fn accessors(&mut self, field: &NestedField, name: &str) -> Result<Vec<Member<'static>>, Error> {
        let of = field.of.descriptor();
        let kind = of.bytes().next().unwrap_or_default();
        let place = self.pool.add_field_ref(self.name, name, of)?;
        let mut members = Vec::new();
        if field.has_getter {
            let mut code = Code { bytes: vec![Opcode::Aload0 as u8], locals: 1, ..Code::default() };
            put(&mut code.bytes, Opcode::Getfield, place);
            code.bytes.push(return_of(kind) as u8);
            let mut getter = member(&mut self.pool, &field.getter(name), &format!("(){of}"), &code)?;
            if let Some(signature) = signature(field) {
                getter.attributes.push(self.signature(&format!("(){signature}"))?);
            }
            members.push(getter);
        }
        if field.has_setter {
            let mut code = Code { locals: 1 + slots(kind), ..Code::default() };
            load_all(&mut code.bytes, [kind].into_iter());
            put(&mut code.bytes, Opcode::Putfield, place);
            code.bytes.push(Opcode::Return as u8);
            let mut setter = member(&mut self.pool, &NestedField::setter(name), &format!("({of})V"), &code)?;
            if let Some(signature) = signature(field) {
                setter.attributes.push(self.signature(&format!("({signature})V"))?);
            }
            setter.attributes.extend(self.annotations(&field.setter_annotations)?);
            members.push(setter);
        }
        Ok(members)
    }

    fn signature(&mut self, text: &str) -> Result<RawAttribute<'static>, Error> {
        let info = self.pool.add_utf8(text)?.to_be_bytes().to_vec();
        Ok(RawAttribute { name_index: self.pool.add_utf8("Signature")?, info: Cow::Owned(info) })
    }

    /// The attribute with annotations (JVMS 4.7.16), if there are any.
    fn annotations(&mut self, given: &[GivenAnnotation]) -> Result<Vec<RawAttribute<'static>>, Error> {
        if given.is_empty() {
            return Ok(Vec::new());
        }
        let mut info = Vec::new();
        put_count(&mut info, given.len());
        for annotation in given {
            info.extend(self.pool.add_utf8(annotation.of.descriptor())?.to_be_bytes());
            put_count(&mut info, annotation.elements.len());
            for element in &annotation.elements {
                info.extend(self.pool.add_utf8(&element.name)?.to_be_bytes());
                self.value(&mut info, &element.value)?;
            }
        }
        let name_index = self.pool.add_utf8("RuntimeVisibleAnnotations")?;
        Ok(vec![RawAttribute { name_index, info: Cow::Owned(info) }])
    }

    /// The value of an element (JVMS 4.7.16.1).
    fn value(&mut self, info: &mut Vec<u8>, value: &ElementValue) -> Result<(), Error> {
        match value {
            ElementValue::Plain(literal) => {
                let (tag, index) = self.constant(literal)?;
                info.push(tag);
                info.extend(index.to_be_bytes());
            }
            ElementValue::Class(of) => {
                info.push(b'c');
                info.extend(self.pool.add_utf8(of.descriptor())?.to_be_bytes());
            }
            ElementValue::Constant { of, name } => {
                info.push(b'e');
                info.extend(self.pool.add_utf8(of.descriptor())?.to_be_bytes());
                info.extend(self.pool.add_utf8(name)?.to_be_bytes());
            }
            ElementValue::Array(values) => {
                info.push(b'[');
                put_count(info, values.len());
                values.iter().try_for_each(|it| self.value(info, it))?;
            }
        }
        Ok(())
    }

    fn constant(&mut self, literal: &Literal) -> Result<(u8, u16), Error> {
        Ok(match literal {
            Literal::Boolean(it) => (b'Z', self.pool.add_int((*it).into())?),
            Literal::Byte(it) => (b'B', self.pool.add_int((*it).into())?),
            Literal::Short(it) => (b'S', self.pool.add_int((*it).into())?),
            Literal::Char(it) => (b'C', self.pool.add_int((*it).into())?),
            Literal::Int(it) => (b'I', self.pool.add_int(*it)?),
            Literal::Long(it) => (b'J', self.pool.add_long(*it)?),
            Literal::Float(it) => (b'F', self.pool.add_float(*it)?),
            Literal::Double(it) => (b'D', self.pool.add_double(*it)?),
            Literal::Text(it) => (b's', self.pool.add_utf8(&String::from_utf16_lossy(it.units()))?),
            _ => (b's', self.pool.add_utf8("")?),
        })
    }
}

fn put_count(info: &mut Vec<u8>, count: usize) {
    // Classes of tests are far smaller than that; a JVM refuses the others.
    info.extend(u16::try_from(count).unwrap_or(u16::MAX).to_be_bytes());
}

/// The generic signature of a field, if its type has arguments.
fn signature(field: &NestedField) -> Option<String> {
    let class = field.of.class_name().filter(|_| !field.arguments.is_empty())?;
    let arguments: String = field.arguments.iter().map(|it| it.descriptor()).collect();
    Some(format!("L{class}<{arguments}>;"))
}
