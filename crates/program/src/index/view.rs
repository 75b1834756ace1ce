//! Views: a class, field or method of the index as the class file declares it.

use std::fmt;

use crashback_classfile::AccessFlags;

use super::ClassRef;
use super::extras::{Numbers, Tag, section};
use super::shard::{ClassRecord, MARK_CODE, MARK_LINES, MARK_RECORD, MARK_UNEXPORTED, MemberRecord, Shard};

/// A class of the index. All names are in internal form (`java/util/Map$Entry`).
#[derive(Clone, Copy)]
pub struct ClassView<'a> {
    shard: &'a Shard,
    record: ClassRecord<'a>,
    reference: ClassRef,
}

/// What a class file declares by its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClassKind {
    /// A class that is none of the others.
    Class,
    /// An interface.
    Interface,
    /// An annotation interface.
    Annotation,
    /// An enum class, or the body of one of its constants.
    Enum,
    /// A record class.
    Record,
}

/// Where a class is declared (JVMS §4.7.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting<'a> {
    /// A class of its own.
    TopLevel,
    /// A member of another class.
    Member {
        /// The class that declares it.
        outer: &'a str,
        /// Its name in the source.
        name: &'a str,
    },
    /// A class with a name, declared in a block.
    Local {
        /// Its name in the source.
        name: &'a str,
    },
    /// A class without a name.
    Anonymous,
}

/// The class and, if it lies in a method or constructor, the method that encloses a local or
/// anonymous class (JVMS §4.7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosing<'a> {
    /// The enclosing class.
    pub class: &'a str,
    /// Name and descriptor of the enclosing method; none in an initialiser.
    pub method: Option<(&'a str, &'a str)>,
}

impl<'a> ClassView<'a> {
    /// The class at a place of a list of shards.
    pub(super) fn at(shards: &'a [Shard], reference: ClassRef) -> Option<Self> {
        let shard = shards.get(reference.shard as usize).filter(|it| reference.class < it.len())?;
        Some(Self { shard, record: shard.class(reference.class), reference })
    }

    /// Where this copy of the class stands in the index.
    pub fn reference(self) -> ClassRef {
        self.reference
    }

    /// The name in internal form.
    pub fn name(self) -> &'a str {
        self.shard.text(self.record.name())
    }

    pub(crate) fn is_called(self, name: &str) -> bool {
        self.shard.is_text(self.record.name(), name)
    }

    /// The package in internal form, empty for the unnamed one.
    pub fn package(self) -> &'a str {
        self.name().rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// The superclass; none for `java/lang/Object`.
    pub fn super_name(self) -> Option<&'a str> {
        self.shard.optional_text(self.record.super_name())
    }

    /// Whether it has a superclass, as every class but `java/lang/Object`.
    pub(super) fn has_superclass(self) -> bool {
        self.record.super_name() != 0
    }

    /// The interfaces it implements or extends directly, in order.
    pub fn interfaces(self) -> Texts<'a> {
        self.texts(Tag::Interfaces)
    }

    /// The superclass, then the interfaces.
    pub fn direct_supertypes(self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.super_name().into_iter().chain(self.interfaces())
    }

    /// The `access_flags` of the class file (JVMS table 4.1-B). See [`Self::declared_access`] for
    /// nested classes.
    pub fn access(self) -> AccessFlags {
        AccessFlags(self.record.access())
    }

    /// Whether code outside its module may name the class at all: its package is exported to
    /// everybody (JLS 7.7.2), or it lies in no module and the compiler of its JDK knows it.
    pub fn is_exported(self) -> bool {
        self.record.marks() & MARK_UNEXPORTED == 0
    }

    /// The flags as declared in the source: for nested classes those of `InnerClasses` (JVMS table
    /// 4.7.6-A), which know `private`, `protected` and `static`.
    pub fn declared_access(self) -> AccessFlags {
        self.section(Tag::InnerClass).map_or(self.access(), |mut numbers| {
            numbers.reference();
            numbers.reference();
            AccessFlags(u16::try_from(numbers.number()).unwrap_or(0))
        })
    }

    /// Class, interface, annotation, enum or record.
    pub fn kind(self) -> ClassKind {
        let access = self.access();
        if access.is_annotation() {
            ClassKind::Annotation
        } else if access.is_interface() {
            ClassKind::Interface
        } else if access.is_enum() {
            ClassKind::Enum
        } else if self.record.marks() & MARK_RECORD != 0 {
            ClassKind::Record
        } else {
            ClassKind::Class
        }
    }

    /// Whether it is an interface or an annotation interface.
    pub fn is_interface(self) -> bool {
        self.access().is_interface()
    }

    /// Whether it is declared abstract; interfaces are.
    pub fn is_abstract(self) -> bool {
        self.access().is_abstract()
    }

    /// Whether it is declared static, that is a nested class without an enclosing instance.
    pub fn is_static(self) -> bool {
        self.declared_access().is_static()
    }

    /// Whether a compiler made it without a counterpart in the source.
    pub fn is_synthetic(self) -> bool {
        self.access().is_synthetic()
    }

    /// Where it is declared.
    pub fn nesting(self) -> Nesting<'a> {
        let Some(mut numbers) = self.section(Tag::InnerClass) else { return Nesting::TopLevel };
        let outer = self.shard.optional_text(numbers.reference());
        let name = self.shard.optional_text(numbers.reference());
        match (outer, name) {
            (_, None) => Nesting::Anonymous,
            (Some(outer), Some(name)) => Nesting::Member { outer, name },
            (None, Some(name)) => Nesting::Local { name },
        }
    }

    /// What encloses it, if it is local or anonymous and its compiler said so.
    pub fn enclosing(self) -> Option<Enclosing<'a>> {
        let mut numbers = self.section(Tag::EnclosingMethod)?;
        let class = self.shard.text(numbers.reference());
        let name = self.shard.optional_text(numbers.reference());
        let descriptor = self.shard.optional_text(numbers.reference());
        Some(Enclosing { class, method: name.zip(descriptor) })
    }

    /// The host of its nest, if that is another class (JVMS §4.7.28).
    pub fn nest_host(self) -> Option<&'a str> {
        self.text(Tag::NestHost)
    }

    /// The subclasses a sealed class permits; empty for others.
    pub fn permitted_subclasses(self) -> Texts<'a> {
        self.texts(Tag::PermittedSubclasses)
    }

    /// Major and minor version of the class file.
    pub fn version(self) -> (u16, u16) {
        (self.record.major(), self.record.minor())
    }

    /// The first release of Java whose JVM loads the class: 8 for version 52 (JVMS table 4.1-A).
    pub fn java_release(self) -> u16 {
        self.record.major().saturating_sub(44)
    }

    /// The generic signature (JVMS §4.7.9.1).
    pub fn signature(self) -> Option<&'a str> {
        self.text(Tag::Signature)
    }

    /// The name of the source file.
    pub fn source_file(self) -> Option<&'a str> {
        self.text(Tag::SourceFile)
    }

    /// The annotations kept in the class file.
    pub fn annotations(self) -> Annotations<'a> {
        Annotations::new(self.shard, self.section(Tag::Annotations))
    }

    /// The fields it declares, in the order of the class file.
    pub fn fields(self) -> Members<'a> {
        Members::new(self, 0, self.record.field_count())
    }

    /// The methods it declares, constructors and `<clinit>` among them, in the order of the class
    /// file.
    pub fn methods(self) -> Members<'a> {
        Members::new(self, u32::from(self.record.field_count()), self.record.method_count())
    }

    /// The field of that name and descriptor, if this class declares it.
    pub fn field(self, name: &str, descriptor: &str) -> Option<MemberView<'a>> {
        self.fields().find(|field| field.is_called(name, descriptor))
    }

    /// The method of that name and descriptor, if this class declares it.
    pub fn method(self, name: &str, descriptor: &str) -> Option<MemberView<'a>> {
        self.methods().find(|method| method.is_called(name, descriptor))
    }

    /// The methods of that name this class declares.
    pub fn methods_named(self, name: &str) -> impl Iterator<Item = MemberView<'a>> {
        self.methods().filter(move |method| method.name() == name)
    }

    /// The number by which the class source finds the bytes within the entry.
    pub fn location(self) -> u32 {
        self.record.location()
    }

    fn section(self, tag: Tag) -> Option<Numbers<'a>> {
        section(self.shard.blob(self.record.extras()), tag).map(Numbers)
    }

    fn text(self, tag: Tag) -> Option<&'a str> {
        self.shard.optional_text(self.section(tag)?.reference())
    }

    fn texts(self, tag: Tag) -> Texts<'a> {
        Texts { shard: self.shard, numbers: self.section(tag).unwrap_or(Numbers(&[])) }
    }
}

impl fmt::Debug for ClassView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ClassView({} {:?})", self.name(), self.reference)
    }
}

/// A field or method as its class declares it.
#[derive(Clone, Copy)]
pub struct MemberView<'a> {
    class: ClassView<'a>,
    record: MemberRecord<'a>,
    number: u16,
}

/// The value of a `ConstantValue` attribute; `int` stands for all smaller types too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant<'a> {
    /// `int`, `short`, `char`, `byte` or `boolean`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// A string; unpaired surrogates were replaced.
    String(&'a str),
}

impl<'a> MemberView<'a> {
    /// The class that declares it.
    pub fn class(self) -> ClassView<'a> {
        self.class
    }

    /// Its number among the fields, or among the methods, of its class, in the order of the class
    /// file.
    pub fn number(self) -> u16 {
        self.number
    }

    /// The name, `<init>` and `<clinit>` for initialisers.
    pub fn name(self) -> &'a str {
        self.class.shard.text(self.record.name())
    }

    /// The descriptor (JVMS §4.3).
    pub fn descriptor(self) -> &'a str {
        self.class.shard.text(self.record.descriptor())
    }

    fn is_called(self, name: &str, descriptor: &str) -> bool {
        let (shard, record) = (self.class.shard, self.record);
        shard.is_text(record.name(), name) && shard.is_text(record.descriptor(), descriptor)
    }

    /// Internal name of the class that a field's type is; none for primitive types, arrays and
    /// methods.
    pub fn type_class(self) -> Option<&'a str> {
        self.element_class().filter(|_| !self.descriptor().starts_with('['))
    }

    /// The same for a field, or for the elements of the array in it.
    pub fn element_class(self) -> Option<&'a str> {
        self.descriptor().trim_start_matches('[').strip_prefix('L')?.strip_suffix(';')
    }

    /// The access flags (JVMS tables 4.5-A and 4.6-A); a `Synthetic` attribute of old compilers
    /// sets the flag too.
    pub fn access(self) -> AccessFlags {
        AccessFlags(self.record.access())
    }

    /// Whether it is declared static.
    pub fn is_static(self) -> bool {
        self.access().is_static()
    }

    /// Whether it is private.
    pub fn is_private(self) -> bool {
        self.access().is_private()
    }

    /// Whether it is public.
    pub fn is_public(self) -> bool {
        self.access().is_public()
    }

    /// Whether it is an abstract method.
    pub fn is_abstract(self) -> bool {
        self.access().is_abstract()
    }

    /// Whether a compiler made it without a counterpart in the source.
    pub fn is_synthetic(self) -> bool {
        self.access().is_synthetic()
    }

    /// Whether it is a bridge method.
    pub fn is_bridge(self) -> bool {
        self.access().is_bridge()
    }

    /// The generic signature (JVMS §4.7.9.1).
    pub fn signature(self) -> Option<&'a str> {
        self.class.shard.optional_text(self.section(Tag::Signature)?.reference())
    }

    /// The annotations kept in the class file.
    pub fn annotations(self) -> Annotations<'a> {
        Annotations::new(self.class.shard, self.section(Tag::Annotations))
    }

    /// The exceptions a method declares with `throws`.
    pub fn exceptions(self) -> Texts<'a> {
        Texts { shard: self.class.shard, numbers: self.section(Tag::Exceptions).unwrap_or(Numbers(&[])) }
    }

    /// The constant a field is initialised with.
    pub fn constant(self) -> Option<Constant<'a>> {
        let mut numbers = self.section(Tag::Constant)?;
        let (kind, value) = (numbers.number(), numbers.number());
        let low = value as u32;
        Some(match kind {
            0 => Constant::Int(low.cast_signed()),
            1 => Constant::Long(value.cast_signed()),
            2 => Constant::Float(f32::from_bits(low)),
            3 => Constant::Double(f64::from_bits(value)),
            _ => Constant::String(self.class.shard.text(low)),
        })
    }

    /// Whether a method has code.
    pub fn has_code(self) -> bool {
        self.record.marks() & MARK_CODE != 0
    }

    /// Whether a method's code has line numbers.
    pub fn has_lines(self) -> bool {
        self.record.marks() & MARK_LINES != 0
    }

    fn section(self, tag: Tag) -> Option<Numbers<'a>> {
        section(self.class.shard.blob(self.record.extras()), tag).map(Numbers)
    }
}

impl fmt::Debug for MemberView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MemberView({}.{}{})", self.class.name(), self.name(), self.descriptor())
    }
}

/// The fields or the methods of a class.
#[derive(Clone)]
pub struct Members<'a> {
    class: ClassView<'a>,
    start: u32,
    next: u16,
    count: u16,
}

impl<'a> Members<'a> {
    fn new(class: ClassView<'a>, skip: u32, count: u16) -> Self {
        Self { class, start: class.record.first_member().saturating_add(skip), next: 0, count }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = MemberView<'a>;

    fn next(&mut self) -> Option<MemberView<'a>> {
        let number = self.next;
        if number >= self.count {
            return None;
        }
        self.next += 1;
        let record = self.class.shard.member(self.start.saturating_add(u32::from(number)));
        Some(MemberView { class: self.class, record, number })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.count.saturating_sub(self.next));
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

/// Names, one after the other.
#[derive(Clone)]
pub struct Texts<'a> {
    shard: &'a Shard,
    numbers: Numbers<'a>,
}

impl<'a> Iterator for Texts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        (!self.numbers.is_empty()).then(|| self.shard.text(self.numbers.reference()))
    }
}

/// The annotations of a class or member.
#[derive(Clone)]
pub struct Annotations<'a> {
    shard: &'a Shard,
    numbers: Numbers<'a>,
}

impl<'a> Annotations<'a> {
    fn new(shard: &'a Shard, section: Option<Numbers<'a>>) -> Self {
        Self { shard, numbers: section.unwrap_or(Numbers(&[])) }
    }
}

impl<'a> Iterator for Annotations<'a> {
    type Item = AnnotationView<'a>;

    fn next(&mut self) -> Option<AnnotationView<'a>> {
        if self.numbers.is_empty() {
            return None;
        }
        let visible = self.numbers.number() != 0;
        let descriptor = self.shard.text(self.numbers.reference());
        let count = self.numbers.number();
        let elements = self.numbers.clone();
        for _ in 0..count.saturating_mul(2) {
            if self.numbers.is_empty() {
                break;
            }
            self.numbers.number();
        }
        Some(AnnotationView { shard: self.shard, visible, descriptor, count, elements })
    }
}

/// An annotation and what it was given.
#[derive(Clone)]
pub struct AnnotationView<'a> {
    shard: &'a Shard,
    visible: bool,
    descriptor: &'a str,
    count: u64,
    elements: Numbers<'a>,
}

impl<'a> AnnotationView<'a> {
    /// Whether reflection sees it.
    pub fn is_visible(&self) -> bool {
        self.visible
    }

    /// The descriptor of its type, such as `Ljavax/inject/Named;`.
    pub fn descriptor(&self) -> &'a str {
        self.descriptor
    }

    /// Its elements as name and text. Strings, characters and numbers are given as they are, enum
    /// constants by name, classes by descriptor, arrays as `{a, b}`, nested annotations as
    /// `@Lsome/Type;(name=value)`.
    pub fn elements(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let (shard, mut numbers, mut left) = (self.shard, self.elements.clone(), self.count);
        std::iter::from_fn(move || {
            if left == 0 || numbers.is_empty() {
                return None;
            }
            left -= 1;
            let name = shard.text(numbers.reference());
            Some((name, shard.text(numbers.reference())))
        })
    }

    /// The text of one element.
    pub fn element(&self, name: &str) -> Option<&'a str> {
        self.elements().find(|(element, _)| *element == name).map(|(_, text)| text)
    }
}
