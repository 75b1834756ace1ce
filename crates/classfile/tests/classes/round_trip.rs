//! Everything in a class decoded, encoded again and compared.

use std::fmt::Display;

use crashback_classfile::{
    Attribute, ClassFile, ClassSignature, Code, Constant, ConstantPool, Error, FieldType, Instructions,
    JavaStr, Location, MethodDescriptor, MethodSignature, RawAttribute, TypeSignature,
};

/// What a class held, and what of it could not be decoded.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Attributes at all levels.
    pub(crate) attributes: usize,
    /// Attributes that the format does not define.
    pub(crate) unknown_attributes: usize,
    /// Instructions of all methods.
    pub(crate) instructions: usize,
    /// Generic signatures.
    pub(crate) signatures: usize,
    /// Parts that are malformed, each with the reason.
    pub(crate) malformed: Vec<String>,
}

/// Takes a class apart and puts it together again at every level. The error names the part that
/// came out different; a class that cannot be parsed is none.
pub(crate) fn round_trip(bytes: &[u8]) -> Result<Option<Survey>, String> {
    let Ok(class) = ClassFile::parse(bytes) else { return Ok(None) };
    same("class", &write(|out| class.write_into(out))?, bytes)?;
    let mut walk = Walk { pool: &class.pool, survey: Survey::default() };
    walk.constants();
    walk.attributes(&class.attributes, Location::Class)?;
    for field in &class.fields {
        if let Some(descriptor) = walk.keep("field descriptor", field.descriptor(&class.pool)) {
            walk.text("field descriptor", descriptor, FieldType::parse)?;
        }
        walk.attributes(&field.attributes, Location::Field)?;
    }
    for method in &class.methods {
        if let Some(descriptor) = walk.keep("method descriptor", method.descriptor(&class.pool)) {
            walk.text("method descriptor", descriptor, MethodDescriptor::parse)?;
        }
        walk.attributes(&method.attributes, Location::Method)?;
    }
    Ok(Some(walk.survey))
}

struct Walk<'p, 'a> {
    pool: &'p ConstantPool<'a>,
    survey: Survey,
}

impl Walk<'_, '_> {
    /// Follows every index of the pool.
    fn constants(&mut self) {
        let pool = self.pool;
        for (index, constant) in pool.iter() {
            let followed = match constant {
                Constant::Class { .. } => pool.class_name(index).map(drop),
                Constant::String { .. } => pool.string(index).map(drop),
                Constant::FieldRef { .. }
                | Constant::MethodRef { .. }
                | Constant::InterfaceMethodRef { .. } => pool.member_ref(index).map(drop),
                Constant::NameAndType { .. } => pool.name_and_type(index).map(drop),
                Constant::MethodHandle { .. } => pool.method_handle(index).map(drop),
                Constant::MethodType { .. } => pool.method_type(index).map(drop),
                Constant::Dynamic { .. } => pool.dynamic(index).map(drop),
                Constant::InvokeDynamic { .. } => pool.invoke_dynamic(index).map(drop),
                Constant::Module { .. } => pool.module(index).map(drop),
                Constant::Package { .. } => pool.package(index).map(drop),
                Constant::Utf8(_)
                | Constant::Integer(_)
                | Constant::Float(_)
                | Constant::Long(_)
                | Constant::Double(_) => Ok(()),
            };
            self.keep("constant", followed);
        }
    }

    fn attributes(&mut self, attributes: &[RawAttribute<'_>], location: Location) -> Result<(), String> {
        for raw in attributes {
            self.survey.attributes += 1;
            let decoded = raw.decode(self.pool, location);
            let Some(attribute) = self.keep("attribute", decoded) else { continue };
            let name = attribute.name().unwrap_or("unknown attribute");
            same(name, &write(|out| attribute.encode_into(out))?, &raw.info)?;
            self.attribute(&attribute, location)?;
        }
        Ok(())
    }

    fn attribute(&mut self, attribute: &Attribute<'_>, location: Location) -> Result<(), String> {
        match attribute {
            Attribute::Code(code) => self.code(code),
            Attribute::Record(components) => components
                .iter()
                .try_for_each(|component| self.attributes(&component.attributes, Location::RecordComponent)),
            Attribute::Signature(index) => self.signature(*index, location),
            Attribute::LocalVariableTypeTable(variables) => variables
                .iter()
                .try_for_each(|variable| self.signature(variable.signature_index, Location::Code)),
            Attribute::Unknown(_) => {
                self.survey.unknown_attributes += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn signature(&mut self, index: u16, location: Location) -> Result<(), String> {
        self.survey.signatures += 1;
        let Some(text) = self.keep("signature", self.pool.utf8(index)) else { return Ok(()) };
        match location {
            Location::Class => self.text("class signature", text, ClassSignature::parse),
            Location::Method => self.text("method signature", text, MethodSignature::parse),
            _ => self.text("type signature", text, TypeSignature::parse),
        }
    }

    fn code(&mut self, code: &Code<'_>) -> Result<(), String> {
        let mut encoded = Vec::new();
        let mut complete = true;
        for step in Instructions::new(&code.code) {
            let Some((offset, instruction)) = self.keep("instruction", step) else {
                complete = false;
                break;
            };
            self.survey.instructions += 1;
            let known = instruction.opcode.mnemonic();
            same(known, &offset.to_be_bytes(), &(encoded.len() as u32).to_be_bytes())?;
            instruction.encode_into(offset, &mut encoded).map_err(|error| error.to_string())?;
            self.keep(known, instruction.stack_effect(self.pool));
        }
        if complete {
            same("instructions", &encoded, &code.code)?;
        }
        self.keep("line table", code.lines(self.pool));
        self.attributes(&code.attributes, Location::Code)
    }

    /// Parses a text and compares what it prints. Texts that Rust strings cannot hold are printed
    /// differently.
    fn text<'t, T: Display>(
        &mut self,
        what: &str,
        text: JavaStr<'t>,
        parse: impl Fn(JavaStr<'t>) -> Result<T, Error>,
    ) -> Result<(), String> {
        match self.keep(what, parse(text)) {
            Some(parsed) if text == *text.to_str() => {
                same(what, parsed.to_string().as_bytes(), text.to_str().as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn keep<T>(&mut self, what: &str, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.survey.malformed.push(format!("{what}: {error}"))).ok()
    }
}

fn write(encode: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    encode(&mut out).map_err(|error| error.to_string())?;
    Ok(out)
}

fn same(what: &str, written: &[u8], read: &[u8]) -> Result<(), String> {
    if written == read {
        Ok(())
    } else {
        Err(format!("{what} came out different: {written:?} instead of {read:?}"))
    }
}
