//! The attributes that the format defines (JVMS 4.7).

mod annotation;
mod module;
mod stack_map;
mod tables;
mod type_annotation;

pub use annotation::{Annotation, ElementPair, ElementValue, ParameterAnnotations};
pub use module::{Module, ModuleExports, ModuleOpens, ModuleProvides, ModuleRequires};
pub use stack_map::{StackMapFrame, VerificationType};
pub use tables::{
    BootstrapMethod, EnclosingMethod, InnerClass, LineNumber, LocalVariable, LocalVariableType,
    MethodParameter, MethodParameters, RecordComponent,
};
pub use type_annotation::{LocalVariableRange, PathStep, TargetInfo, TypeAnnotation};

use crate::bytes::Reader;
use crate::code::Code;
use crate::content::Content;
use crate::{Error, JavaStr, Table, Version};

/// What an attribute is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A class.
    Class,
    /// A field.
    Field,
    /// A method.
    Method,
    /// The code of a method.
    Code,
    /// A component of a record.
    RecordComponent,
}

/// Writes the enum and the ways from and to bytes from one list. Each row holds: name, content,
/// places where the format gives the attribute a meaning (JVMS 4.7-C). The order is that of the
/// search by name, frequent ones first.
macro_rules! attributes {
    ($($(#[$meta:meta])* $name:ident $(($content:ident: $kind:ty))? on $($place:ident)*;)*) => {
        /// An attribute with its meaning. Indices are those of the constant pool unless said
        /// otherwise.
        ///
        /// Encoding what was decoded gives the same bytes.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Attribute<'a> {
            /// Body of a method (JVMS 4.7.3).
            Code(Code<'a>),
            $($(#[$meta])* $name $(($kind))?,)*
            /// An attribute that the format does not define.
            Unknown(&'a [u8]),
        }

        impl<'a> Attribute<'a> {
            pub(crate) fn decode(
                name: JavaStr<'_>,
                info: &'a [u8],
                version: Version,
                location: Location,
            ) -> Result<Self, Error> {
                if name.as_bytes() == b"Code" {
                    expect_place("Code", location, &[Location::Method])?;
                    return Code::decode(info, version).map(Self::Code);
                }
                $(if name.as_bytes() == stringify!($name).as_bytes() {
                    expect_place(stringify!($name), location, &[$(Location::$place),*])?;
                    let reader = &mut Reader::new(info, concat!(stringify!($name), " attribute"));
                    let attribute = Self::$name $((<$kind as Content>::read(reader)?))?;
                    reader.finish()?;
                    return Ok(attribute);
                })*
                Ok(Self::Unknown(info))
            }

            /// Appends the content of the attribute: what follows its name and length.
            pub fn encode_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
                match self {
                    Self::Code(code) => code.encode_into(out),
                    $(Self::$name $(($content))? => {
                        $($content.write(out)?;)?
                        Ok(())
                    })*
                    Self::Unknown(info) => info.write(out),
                }
            }

            /// Name of the attribute, none for unknown ones.
            pub fn name(&self) -> Option<&'static str> {
                match self {
                    Self::Code(_) => Some("Code"),
                    $(Self::$name { .. } => Some(stringify!($name)),)*
                    Self::Unknown(_) => None,
                }
            }
        }
    };
}

attributes! {
    /// Lines of the source (JVMS 4.7.12). [`Code::lines`] merges several.
    LineNumberTable(lines: Table<'a, LineNumber>) on Code;
    /// Types at the targets of jumps (JVMS 4.7.4).
    StackMapTable(frames: Vec<StackMapFrame>) on Code;
    /// Names of local variables (JVMS 4.7.13).
    LocalVariableTable(variables: Table<'a, LocalVariable>) on Code;
    /// Generic signatures of local variables (JVMS 4.7.14).
    LocalVariableTypeTable(variables: Table<'a, LocalVariableType>) on Code;
    /// Text of a generic signature (JVMS 4.7.9).
    Signature(index: u16) on Class Field Method RecordComponent;
    /// Classes that a method declares to throw (JVMS 4.7.5).
    Exceptions(classes: Table<'a, u16>) on Method;
    /// Name of the source file (JVMS 4.7.10).
    SourceFile(index: u16) on Class;
    /// Initial value of a static field (JVMS 4.7.2).
    ConstantValue(index: u16) on Field;
    /// Member classes the class has, is, or mentions (JVMS 4.7.6).
    InnerClasses(classes: Table<'a, InnerClass>) on Class;
    /// Annotations kept for reflection (JVMS 4.7.16).
    RuntimeVisibleAnnotations(annotations: Vec<Annotation>) on Class Field Method RecordComponent;
    /// Class that stands for the nest (JVMS 4.7.28).
    NestHost(class: u16) on Class;
    /// Classes of the nest that the class stands for (JVMS 4.7.29).
    NestMembers(classes: Table<'a, u16>) on Class;
    /// Where a local or anonymous class is declared (JVMS 4.7.7).
    EnclosingMethod(place: EnclosingMethod) on Class;
    /// Marks deprecated items (JVMS 4.7.15).
    Deprecated on Class Field Method;
    /// Bootstrap methods of dynamic constants and call sites (JVMS 4.7.23).
    BootstrapMethods(methods: Vec<BootstrapMethod<'a>>) on Class;
    /// Names and flags of parameters (JVMS 4.7.24).
    MethodParameters(parameters: MethodParameters<'a>) on Method;
    /// Marks what the source does not contain (JVMS 4.7.8).
    Synthetic on Class Field Method;
    /// Components of a record class (JVMS 4.7.30).
    Record(components: Vec<RecordComponent<'a>>) on Class;
    /// Permitted direct subclasses of a sealed class (JVMS 4.7.31).
    PermittedSubclasses(classes: Table<'a, u16>) on Class;
    /// Annotations not kept for reflection (JVMS 4.7.17).
    RuntimeInvisibleAnnotations(annotations: Vec<Annotation>) on Class Field Method RecordComponent;
    /// Annotations of parameters kept for reflection (JVMS 4.7.18).
    RuntimeVisibleParameterAnnotations(annotations: ParameterAnnotations) on Method;
    /// Annotations of parameters not kept for reflection (JVMS 4.7.19).
    RuntimeInvisibleParameterAnnotations(annotations: ParameterAnnotations) on Method;
    /// Annotations of types kept for reflection (JVMS 4.7.20).
    RuntimeVisibleTypeAnnotations(annotations: Vec<TypeAnnotation<'a>>)
        on Class Field Method Code RecordComponent;
    /// Annotations of types not kept for reflection (JVMS 4.7.21).
    RuntimeInvisibleTypeAnnotations(annotations: Vec<TypeAnnotation<'a>>)
        on Class Field Method Code RecordComponent;
    /// Default value of an element of an annotation interface (JVMS 4.7.22).
    AnnotationDefault(value: ElementValue) on Method;
    /// Debug information of other languages, in modified UTF-8 (JVMS 4.7.11).
    SourceDebugExtension(text: &'a [u8]) on Class;
    /// Declaration of a module (JVMS 4.7.25).
    Module(module: Module<'a>) on Class;
    /// All packages of a module (JVMS 4.7.26).
    ModulePackages(packages: Table<'a, u16>) on Class;
    /// Main class of a module (JVMS 4.7.27).
    ModuleMainClass(class: u16) on Class;
}

fn expect_place(name: &'static str, location: Location, places: &[Location]) -> Result<(), Error> {
    if places.contains(&location) {
        return Ok(());
    }
    let location = match location {
        Location::Class => "class",
        Location::Field => "field",
        Location::Method => "method",
        Location::Code => "method's code",
        Location::RecordComponent => "record component",
    };
    Err(Error::Misplaced { name, location })
}
