//! From the attributes of a class or member to the sections of its extras.
//!
//! Malformed attributes are passed over: the class they belong to is still there, and a JVM ignores
//! most of them too.

use std::fmt::Write as _;

use crashback_classfile::{
    Annotation, Attribute, ClassFile, ConstantPool, ElementValue, Error, InnerClass, JavaStr, Location,
    RawAttribute,
};

use super::build::ClassProblem;
use super::extras::{ExtrasWriter, Tag};
use super::heap::{HeapBuilder, push_number};
use super::shard::{MARK_CODE, MARK_LINES, MARK_RECORD};

/// Writes what one class file says into a heap.
pub(super) struct Recorder<'b, 'a> {
    pub(super) pool: &'b ConstantPool<'a>,
    pub(super) this_name: JavaStr<'a>,
    pub(super) heap: &'b mut HeapBuilder,
    pub(super) scratch: &'b mut Scratch,
}

/// Memory kept from class to class.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each entry of the constant pool its text's place in the heap, 0 while unknown.
    texts: Vec<u32>,
    extras: ExtrasWriter,
    annotations: Vec<u8>,
    element: String,
}

/// What the attributes of an item add to its fixed part.
#[derive(Clone, Copy, Default)]
pub(super) struct Recorded {
    pub(super) extras: u32,
    pub(super) marks: u16,
    /// A `Synthetic` attribute means the flag of the same name.
    pub(super) synthetic: bool,
}

impl<'b, 'a> Recorder<'b, 'a> {
    pub(super) fn new(
        file: &'b ClassFile<'a>,
        heap: &'b mut HeapBuilder,
        scratch: &'b mut Scratch,
    ) -> Result<Self, ClassProblem> {
        scratch.texts.clear();
        scratch.texts.resize(usize::from(file.pool.count()), 0);
        Ok(Self { pool: &file.pool, this_name: file.name()?, heap, scratch })
    }

    /// Records the attributes of an item; `interfaces` is empty for members.
    pub(super) fn record(
        &mut self,
        attributes: &[RawAttribute<'a>],
        location: Location,
        interfaces: &[u16],
    ) -> Result<Recorded, ClassProblem> {
        self.scratch.extras.clear();
        self.scratch.annotations.clear();
        let mut recorded = Recorded::default();
        if !interfaces.is_empty() {
            self.class_list(Tag::Interfaces, interfaces.iter().copied())?;
        }
        for attribute in attributes {
            match self.attribute(attribute, location, &mut recorded) {
                Err(ClassProblem::Malformed(_)) | Ok(()) => {}
                Err(problem) => return Err(problem),
            }
        }
        let Scratch { extras, annotations, .. } = &mut *self.scratch;
        if !annotations.is_empty() {
            extras.section(Tag::Annotations, |section| section.extend_from_slice(annotations));
        }
        if !extras.bytes().is_empty() {
            recorded.extras = self.heap.intern(extras.bytes()).ok_or(ClassProblem::Full)?;
        }
        Ok(recorded)
    }

    /// The place of the text of a constant pool entry; the same entry is looked up once.
    pub(super) fn text(&mut self, index: u16) -> Result<u32, ClassProblem> {
        match self.scratch.texts.get(usize::from(index)) {
            Some(&known) if known != 0 => return Ok(known),
            _ => {}
        }
        let reference = self.intern(self.pool.utf8(index)?)?;
        if let Some(known) = self.scratch.texts.get_mut(usize::from(index)) {
            *known = reference;
        }
        Ok(reference)
    }

    /// The place of the name of a class; 0 for index 0.
    pub(super) fn class(&mut self, index: u16) -> Result<u32, ClassProblem> {
        self.pool.optional_class_name(index)?.map_or(Ok(0), |name| self.intern(name))
    }

    pub(super) fn intern(&mut self, text: JavaStr<'_>) -> Result<u32, ClassProblem> {
        self.heap.intern(text.to_str().as_bytes()).ok_or(ClassProblem::Full)
    }

    fn attribute(
        &mut self,
        attribute: &RawAttribute<'a>,
        location: Location,
        recorded: &mut Recorded,
    ) -> Result<(), ClassProblem> {
        // Most bytes of a class are in attributes that the index does not need.
        if !is_indexed(attribute.name(self.pool)?) {
            return Ok(());
        }
        match attribute.decode(self.pool, location)? {
            Attribute::Code(code) => {
                let has_lines = code.attribute(self.pool, "LineNumberTable").is_some();
                recorded.marks |= MARK_CODE | if has_lines { MARK_LINES } else { 0 };
            }
            Attribute::Record(_) => recorded.marks |= MARK_RECORD,
            Attribute::Synthetic => recorded.synthetic = true,
            Attribute::Signature(index) => self.text_section(Tag::Signature, index)?,
            Attribute::SourceFile(index) => self.text_section(Tag::SourceFile, index)?,
            Attribute::NestHost(index) => self.class_list(Tag::NestHost, [index].into_iter())?,
            Attribute::Exceptions(classes) => self.class_list(Tag::Exceptions, classes.iter())?,
            Attribute::PermittedSubclasses(classes) => {
                self.class_list(Tag::PermittedSubclasses, classes.iter())?
            }
            Attribute::ConstantValue(index) => self.constant(index)?,
            Attribute::InnerClasses(classes) => self.inner_class(classes.iter())?,
            Attribute::EnclosingMethod(place) => {
                self.enclosing_method(place.class_index, place.method_index)?
            }
            Attribute::RuntimeVisibleAnnotations(annotations) => self.annotations(&annotations, true)?,
            Attribute::RuntimeInvisibleAnnotations(annotations) => self.annotations(&annotations, false)?,
            _ => {}
        }
        Ok(())
    }

    fn text_section(&mut self, tag: Tag, index: u16) -> Result<(), ClassProblem> {
        let text = self.text(index)?;
        self.scratch.extras.numbers(tag, &[u64::from(text)]);
        Ok(())
    }

    fn class_list(&mut self, tag: Tag, classes: impl Iterator<Item = u16>) -> Result<(), ClassProblem> {
        let names = classes.map(|index| Ok(u64::from(self.class(index)?)));
        let names = names.collect::<Result<Vec<u64>, ClassProblem>>()?;
        self.scratch.extras.numbers(tag, &names);
        Ok(())
    }

    /// The entry of `InnerClasses` about this very class, if there is one; the others are about
    /// classes it mentions.
    fn inner_class(&mut self, mut classes: impl Iterator<Item = InnerClass>) -> Result<(), ClassProblem> {
        let is_this = |class: &InnerClass| {
            self.pool.class_name(class.inner_class_index).is_ok_and(|name| name == self.this_name)
        };
        let Some(class) = classes.find(is_this) else { return Ok(()) };
        let outer = self.class(class.outer_class_index)?;
        let name = if class.inner_name_index == 0 { 0 } else { self.text(class.inner_name_index)? };
        let numbers = [u64::from(outer), u64::from(name), u64::from(class.access.0)];
        self.scratch.extras.numbers(Tag::InnerClass, &numbers);
        Ok(())
    }

    fn enclosing_method(&mut self, class: u16, method: u16) -> Result<(), ClassProblem> {
        let class = self.class(class)?;
        let (name, descriptor) = if method == 0 {
            (0, 0)
        } else {
            let method = self.pool.name_and_type(method)?;
            (self.intern(method.name)?, self.intern(method.descriptor)?)
        };
        let numbers = [class, name, descriptor].map(u64::from);
        self.scratch.extras.numbers(Tag::EnclosingMethod, &numbers);
        Ok(())
    }

    /// A kind (0 to 4, see [`super::view::Constant`]) and the bits of the value.
    fn constant(&mut self, index: u16) -> Result<(), ClassProblem> {
        use crashback_classfile::Constant::{Double, Float, Integer, Long, String};
        let (kind, value) = match self.pool.get(index)? {
            Integer(value) => (0, u64::from(value.cast_unsigned())),
            Long(value) => (1, value.cast_unsigned()),
            Float(bits) => (2, u64::from(bits)),
            Double(bits) => (3, bits),
            String { utf8_index } => (4, u64::from(self.text(utf8_index)?)),
            _ => return Err(Error::WrongConstant { index, expected: "constant value" }.into()),
        };
        self.scratch.extras.numbers(Tag::Constant, &[kind, value]);
        Ok(())
    }

    fn annotations(&mut self, annotations: &[Annotation], visible: bool) -> Result<(), ClassProblem> {
        for annotation in annotations {
            let mut numbers = vec![u64::from(visible), u64::from(self.text(annotation.type_index)?)];
            numbers.push(annotation.elements.len() as u64);
            for element in &annotation.elements {
                numbers.push(u64::from(self.text(element.name_index)?));
                let mut text = std::mem::take(&mut self.scratch.element);
                text.clear();
                let written = write_value(self.pool, &element.value, &mut text);
                let reference = self.heap.intern(text.as_bytes());
                self.scratch.element = text;
                written?;
                numbers.push(u64::from(reference.ok_or(ClassProblem::Full)?));
            }
            numbers.iter().for_each(|&number| push_number(&mut self.scratch.annotations, number));
        }
        Ok(())
    }
}

/// Whether [`Recorder`] looks into attributes of that name.
fn is_indexed(name: JavaStr<'_>) -> bool {
    matches!(
        name.as_bytes(),
        b"Code"
            | b"Signature"
            | b"Exceptions"
            | b"ConstantValue"
            | b"RuntimeVisibleAnnotations"
            | b"RuntimeInvisibleAnnotations"
            | b"Synthetic"
            | b"SourceFile"
            | b"InnerClasses"
            | b"EnclosingMethod"
            | b"NestHost"
            | b"PermittedSubclasses"
            | b"Record"
    )
}

/// The text of an annotation's element, as [`super::AnnotationView::elements`] describes it.
fn write_value(pool: &ConstantPool<'_>, value: &ElementValue, text: &mut String) -> Result<(), Error> {
    // Writing to a string cannot fail.
    match value {
        ElementValue::Constant { tag, index } => write_constant(pool, *tag, *index, text)?,
        ElementValue::Enum { name_index, .. } => text.push_str(&pool.utf8(*name_index)?.to_str()),
        ElementValue::Class(index) => text.push_str(&pool.utf8(*index)?.to_str()),
        ElementValue::Annotation(annotation) => {
            _ = write!(text, "@{}(", annotation.descriptor(pool)?);
            for (number, element) in annotation.elements.iter().enumerate() {
                let separator = if number == 0 { "" } else { ", " };
                _ = write!(text, "{separator}{}=", pool.utf8(element.name_index)?);
                write_value(pool, &element.value, text)?;
            }
            text.push(')');
        }
        ElementValue::Array(values) => {
            text.push('{');
            for (number, value) in values.iter().enumerate() {
                text.push_str(if number == 0 { "" } else { ", " });
                write_value(pool, value, text)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

fn write_constant(pool: &ConstantPool<'_>, tag: u8, index: u16, text: &mut String) -> Result<(), Error> {
    _ = match tag {
        b's' => write!(text, "{}", pool.utf8(index)?),
        b'Z' => write!(text, "{}", pool.int(index)? != 0),
        b'C' => {
            let unit = u32::try_from(pool.int(index)?).ok().and_then(char::from_u32);
            write!(text, "{}", unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        b'J' => write!(text, "{}", pool.long(index)?),
        b'F' => write!(text, "{}", pool.float(index)?),
        b'D' => write!(text, "{}", pool.double(index)?),
        _ => write!(text, "{}", pool.int(index)?),
    };
    Ok(())
}
