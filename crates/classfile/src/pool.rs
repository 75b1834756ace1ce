use crate::bytes::Reader;
use crate::{Error, JavaStr};

/// The constant pool (JVMS 4.4): typed access to its entries in constant time, straight from the
/// bytes.
///
/// Reading establishes just where each entry lies. An index that leads nowhere or to an entry of
/// the wrong kind is an error of the look-up. The pool also knows the class-file version, which
/// decides how a few items are laid out.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    bytes: &'a [u8],
    /// Where the entry of each index begins in `bytes`; [`UNUSABLE`] for index 0 and the second
    /// slots of long and double.
    offsets: Vec<u32>,
    version: Version,
}

const UNUSABLE: u32 = u32::MAX;

/// Version of a class file; 45.3 is Java 1.1, 52.0 is Java 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major version.
    pub major: u16,
    /// Minor version; 65535 marks preview features.
    pub minor: u16,
}

/// One entry of the constant pool, with the indices it holds not yet followed (JVMS 4.4.1–4.4.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named as in the JVMS tables of the entry kinds")]
pub enum Constant<'a> {
    /// Text.
    Utf8(JavaStr<'a>),
    /// `int`, also for the smaller types.
    Integer(i32),
    /// `float`, as its raw bits so that every NaN survives.
    Float(u32),
    /// `long`.
    Long(i64),
    /// `double`, as its raw bits.
    Double(u64),
    /// A class, interface or array type.
    Class { name_index: u16 },
    /// A string literal.
    String { utf8_index: u16 },
    /// A field.
    FieldRef { class_index: u16, name_and_type_index: u16 },
    /// A method of a class.
    MethodRef { class_index: u16, name_and_type_index: u16 },
    /// A method of an interface.
    InterfaceMethodRef { class_index: u16, name_and_type_index: u16 },
    /// A name and a descriptor.
    NameAndType { name_index: u16, descriptor_index: u16 },
    /// A method handle.
    MethodHandle { kind: u8, reference_index: u16 },
    /// A method type.
    MethodType { descriptor_index: u16 },
    /// A dynamically computed constant.
    Dynamic { bootstrap_index: u16, name_and_type_index: u16 },
    /// A dynamically computed call site.
    InvokeDynamic { bootstrap_index: u16, name_and_type_index: u16 },
    /// A module.
    Module { name_index: u16 },
    /// A package.
    Package { name_index: u16 },
}

/// A field or method that code refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberRef<'a> {
    /// Internal name or array descriptor of the class through which the member is named.
    pub owner: JavaStr<'a>,
    /// Name of the member.
    pub name: JavaStr<'a>,
    /// Its field or method descriptor.
    pub descriptor: JavaStr<'a>,
    /// Whether the reference says that the owner is an interface.
    pub interface: bool,
}

/// A name with its descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameAndType<'a> {
    /// The name.
    pub name: JavaStr<'a>,
    /// The field or method descriptor.
    pub descriptor: JavaStr<'a>,
}

/// A method handle constant with its member (JVMS 4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodHandle<'a> {
    /// `REF_getField` (1) to `REF_invokeInterface` (9).
    pub kind: u8,
    /// The field or method it reads, writes or calls.
    pub member: MemberRef<'a>,
}

/// A dynamically computed constant or call site (JVMS 4.4.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dynamic<'a> {
    /// Index into the `BootstrapMethods` attribute of the class.
    pub bootstrap_index: u16,
    /// Name handed to the bootstrap method.
    pub name: JavaStr<'a>,
    /// Field descriptor of the constant or method descriptor of the call site.
    pub descriptor: JavaStr<'a>,
}

impl<'a> ConstantPool<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>, version: Version) -> Result<Self, Error> {
        let count = reader.u16()?;
        let bytes = reader.rest();
        let start = reader.offset();
        let mut offsets = Vec::with_capacity(usize::from(count).max(1) + 1);
        offsets.push(UNUSABLE);
        while offsets.len() < usize::from(count) {
            // The offset fits: a class file of 4 GiB or more is refused before.
            offsets.push((reader.offset() - start) as u32);
            let tag = reader.u8()?;
            let length = match payload_length(tag) {
                Some(length) => length,
                None if tag == tag::UTF8 => usize::from(reader.u16()?),
                None => return Err(Error::UnknownTag { tag, index: (offsets.len() - 1) as u16 }),
            };
            reader.take(length)?;
            if matches!(tag, tag::LONG | tag::DOUBLE) {
                offsets.push(UNUSABLE);
            }
        }
        // A count of 0 is as good as 1, and a long in the last slot claims an index past the count.
        offsets.truncate(usize::from(count));
        let bytes = bytes.get(..reader.offset() - start).unwrap_or_default();
        Ok(Self { bytes, offsets, version })
    }

    /// Version of the class the pool belongs to.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The `constant_pool_count`: one more than the largest index.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// The entries as bytes, without the count.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All entries with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> + '_ {
        (1..self.count()).filter_map(|index| Some((index, self.get(index).ok()?)))
    }

    /// The entry at an index.
    pub fn get(&self, index: u16) -> Result<Constant<'a>, Error> {
        let (tag, bytes) = self.entry(index)?;
        constant(tag, bytes).ok_or(Error::NoConstant(index))
    }

    /// Text.
    pub fn utf8(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.entry(index)? {
            (tag::UTF8, bytes) => utf8(bytes).ok_or(Error::NoConstant(index)),
            _ => Err(Error::WrongConstant { index, expected: "text" }),
        }
    }

    /// Internal name of a class or interface, descriptor of an array type.
    pub fn class_name(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.get(index)? {
            Constant::Class { name_index } => self.utf8(name_index),
            _ => Err(Error::WrongConstant { index, expected: "class" }),
        }
    }

    /// Name of a class where index 0 means that there is none.
    pub fn optional_class_name(&self, index: u16) -> Result<Option<JavaStr<'a>>, Error> {
        if index == 0 { Ok(None) } else { self.class_name(index).map(Some) }
    }

    /// A name with its descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<NameAndType<'a>, Error> {
        match self.get(index)? {
            Constant::NameAndType { name_index, descriptor_index } => {
                Ok(NameAndType { name: self.utf8(name_index)?, descriptor: self.utf8(descriptor_index)? })
            }
            _ => Err(Error::WrongConstant { index, expected: "name and type" }),
        }
    }

    /// A field or method, whichever it is.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>, Error> {
        let (class_index, name_and_type_index, interface) = match self.get(index)? {
            Constant::FieldRef { class_index, name_and_type_index }
            | Constant::MethodRef { class_index, name_and_type_index } => {
                (class_index, name_and_type_index, false)
            }
            Constant::InterfaceMethodRef { class_index, name_and_type_index } => {
                (class_index, name_and_type_index, true)
            }
            _ => return Err(Error::WrongConstant { index, expected: "field or method reference" }),
        };
        let NameAndType { name, descriptor } = self.name_and_type(name_and_type_index)?;
        Ok(MemberRef { owner: self.class_name(class_index)?, name, descriptor, interface })
    }

    /// A field.
    pub fn field_ref(&self, index: u16) -> Result<MemberRef<'a>, Error> {
        match self.entry(index)? {
            (tag::FIELD_REF, _) => self.member_ref(index),
            _ => Err(Error::WrongConstant { index, expected: "field reference" }),
        }
    }

    /// A method of a class or interface.
    pub fn method_ref(&self, index: u16) -> Result<MemberRef<'a>, Error> {
        match self.entry(index)? {
            (tag::METHOD_REF | tag::INTERFACE_METHOD_REF, _) => self.member_ref(index),
            _ => Err(Error::WrongConstant { index, expected: "method reference" }),
        }
    }

    /// A string literal.
    pub fn string(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.get(index)? {
            Constant::String { utf8_index } => self.utf8(utf8_index),
            _ => Err(Error::WrongConstant { index, expected: "string" }),
        }
    }

    /// An `int`.
    pub fn int(&self, index: u16) -> Result<i32, Error> {
        match self.get(index)? {
            Constant::Integer(value) => Ok(value),
            _ => Err(Error::WrongConstant { index, expected: "int" }),
        }
    }

    /// A `long`.
    pub fn long(&self, index: u16) -> Result<i64, Error> {
        match self.get(index)? {
            Constant::Long(value) => Ok(value),
            _ => Err(Error::WrongConstant { index, expected: "long" }),
        }
    }

    /// A `float`.
    pub fn float(&self, index: u16) -> Result<f32, Error> {
        match self.get(index)? {
            Constant::Float(bits) => Ok(f32::from_bits(bits)),
            _ => Err(Error::WrongConstant { index, expected: "float" }),
        }
    }

    /// A `double`.
    pub fn double(&self, index: u16) -> Result<f64, Error> {
        match self.get(index)? {
            Constant::Double(bits) => Ok(f64::from_bits(bits)),
            _ => Err(Error::WrongConstant { index, expected: "double" }),
        }
    }

    /// A method handle.
    pub fn method_handle(&self, index: u16) -> Result<MethodHandle<'a>, Error> {
        match self.get(index)? {
            Constant::MethodHandle { kind, reference_index } => {
                Ok(MethodHandle { kind, member: self.member_ref(reference_index)? })
            }
            _ => Err(Error::WrongConstant { index, expected: "method handle" }),
        }
    }

    /// Descriptor of a method type.
    pub fn method_type(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.get(index)? {
            Constant::MethodType { descriptor_index } => self.utf8(descriptor_index),
            _ => Err(Error::WrongConstant { index, expected: "method type" }),
        }
    }

    /// A dynamically computed constant.
    pub fn dynamic(&self, index: u16) -> Result<Dynamic<'a>, Error> {
        match self.get(index)? {
            Constant::Dynamic { bootstrap_index, name_and_type_index } => {
                self.dynamic_parts(bootstrap_index, name_and_type_index)
            }
            _ => Err(Error::WrongConstant { index, expected: "dynamic constant" }),
        }
    }

    /// A dynamically computed call site.
    pub fn invoke_dynamic(&self, index: u16) -> Result<Dynamic<'a>, Error> {
        match self.get(index)? {
            Constant::InvokeDynamic { bootstrap_index, name_and_type_index } => {
                self.dynamic_parts(bootstrap_index, name_and_type_index)
            }
            _ => Err(Error::WrongConstant { index, expected: "dynamic call site" }),
        }
    }

    /// Name of a module.
    pub fn module(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.get(index)? {
            Constant::Module { name_index } => self.utf8(name_index),
            _ => Err(Error::WrongConstant { index, expected: "module" }),
        }
    }

    /// Internal name of a package.
    pub fn package(&self, index: u16) -> Result<JavaStr<'a>, Error> {
        match self.get(index)? {
            Constant::Package { name_index } => self.utf8(name_index),
            _ => Err(Error::WrongConstant { index, expected: "package" }),
        }
    }

    /// The bytes of the entry at an index, tag included.
    pub(crate) fn entry_bytes(&self, index: u16) -> Option<&'a [u8]> {
        let (tag, bytes) = self.entry(index).ok()?;
        let payload = match payload_length(tag) {
            Some(length) => length,
            None => 2 + utf8(bytes)?.len(),
        };
        let start = *self.offsets.get(usize::from(index))? as usize;
        self.bytes.get(start..)?.get(..1 + payload)
    }

    fn dynamic_parts(&self, bootstrap_index: u16, name_and_type_index: u16) -> Result<Dynamic<'a>, Error> {
        let NameAndType { name, descriptor } = self.name_and_type(name_and_type_index)?;
        Ok(Dynamic { bootstrap_index, name, descriptor })
    }

    /// Tag of an entry, and the bytes after it up to the end of the pool.
    fn entry(&self, index: u16) -> Result<(u8, &'a [u8]), Error> {
        self.offsets
            .get(usize::from(index))
            .and_then(|&offset| self.bytes.get(offset as usize..)?.split_first())
            .map(|(tag, bytes)| (*tag, bytes))
            .ok_or(Error::NoConstant(index))
    }
}

/// Tags of constant pool entries (JVMS 4.4-A).
pub(crate) mod tag {
    pub(crate) const UTF8: u8 = 1;
    pub(crate) const INTEGER: u8 = 3;
    pub(crate) const FLOAT: u8 = 4;
    pub(crate) const LONG: u8 = 5;
    pub(crate) const DOUBLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const STRING: u8 = 8;
    pub(crate) const FIELD_REF: u8 = 9;
    pub(crate) const METHOD_REF: u8 = 10;
    pub(crate) const INTERFACE_METHOD_REF: u8 = 11;
    pub(crate) const NAME_AND_TYPE: u8 = 12;
    pub(crate) const METHOD_HANDLE: u8 = 15;
    pub(crate) const METHOD_TYPE: u8 = 16;
    pub(crate) const DYNAMIC: u8 = 17;
    pub(crate) const INVOKE_DYNAMIC: u8 = 18;
    pub(crate) const MODULE: u8 = 19;
    pub(crate) const PACKAGE: u8 = 20;
}

/// Length of what follows the tag, for all kinds but text.
fn payload_length(tag: u8) -> Option<usize> {
    Some(match tag {
        tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 2,
        tag::METHOD_HANDLE => 3,
        tag::INTEGER | tag::FLOAT | tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF => 4,
        tag::NAME_AND_TYPE | tag::DYNAMIC | tag::INVOKE_DYNAMIC => 4,
        tag::LONG | tag::DOUBLE => 8,
        _ => return None,
    })
}

fn utf8(bytes: &[u8]) -> Option<JavaStr<'_>> {
    let (length, text) = bytes.split_first_chunk()?;
    text.get(..usize::from(u16::from_be_bytes(*length))).map(JavaStr::new)
}

fn constant(tag: u8, bytes: &[u8]) -> Option<Constant<'_>> {
    let one = || bytes.first_chunk().map(|pair| u16::from_be_bytes(*pair));
    let two = || {
        bytes.first_chunk().map(|[a, b, c, d]| (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])))
    };
    let four = || bytes.first_chunk().map(|chunk| u32::from_be_bytes(*chunk));
    let eight = || bytes.first_chunk().map(|chunk| u64::from_be_bytes(*chunk));
    Some(match tag {
        tag::UTF8 => Constant::Utf8(utf8(bytes)?),
        tag::INTEGER => Constant::Integer(four()? as i32),
        tag::FLOAT => Constant::Float(four()?),
        tag::LONG => Constant::Long(eight()? as i64),
        tag::DOUBLE => Constant::Double(eight()?),
        tag::CLASS => Constant::Class { name_index: one()? },
        tag::STRING => Constant::String { utf8_index: one()? },
        tag::FIELD_REF => two().map(|(class_index, name_and_type_index)| Constant::FieldRef {
            class_index,
            name_and_type_index,
        })?,
        tag::METHOD_REF => two().map(|(class_index, name_and_type_index)| Constant::MethodRef {
            class_index,
            name_and_type_index,
        })?,
        tag::INTERFACE_METHOD_REF => two().map(|(class_index, name_and_type_index)| {
            Constant::InterfaceMethodRef { class_index, name_and_type_index }
        })?,
        tag::NAME_AND_TYPE => two()
            .map(|(name_index, descriptor_index)| Constant::NameAndType { name_index, descriptor_index })?,
        tag::METHOD_HANDLE => match *bytes {
            [kind, a, b, ..] => Constant::MethodHandle { kind, reference_index: u16::from_be_bytes([a, b]) },
            _ => return None,
        },
        tag::METHOD_TYPE => Constant::MethodType { descriptor_index: one()? },
        tag::DYNAMIC => two().map(|(bootstrap_index, name_and_type_index)| Constant::Dynamic {
            bootstrap_index,
            name_and_type_index,
        })?,
        tag::INVOKE_DYNAMIC => two().map(|(bootstrap_index, name_and_type_index)| {
            Constant::InvokeDynamic { bootstrap_index, name_and_type_index }
        })?,
        tag::MODULE => Constant::Module { name_index: one()? },
        tag::PACKAGE => Constant::Package { name_index: one()? },
        _ => return None,
    })
}
