use std::borrow::Cow;

use crate::attribute::{Attribute, Location};
use crate::bytes::{Reader, Write};
use crate::code::Code;
use crate::{AccessFlags, ConstantPool, Error, JavaStr, PoolExtension, Version};

/// A class, interface, module or package descriptor (JVMS 4.1).
///
/// What was parsed is written back byte for byte. Attributes stay bytes until they are
/// [decoded](RawAttribute::decode), so nothing inside them can be lost or keep the class from being
/// read.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// Minor version.
    pub minor_version: u16,
    /// Major version; every value is accepted.
    pub major_version: u16,
    /// The constant pool.
    pub pool: ConstantPool<'a>,
    /// Flags of the class.
    pub access: AccessFlags,
    /// Constant pool index of the class itself.
    pub this_class: u16,
    /// Constant pool index of the superclass, 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    /// Constant pool indices of the direct superinterfaces.
    pub interfaces: Vec<u16>,
    /// The fields in file order.
    pub fields: Vec<Member<'a>>,
    /// The methods in file order.
    pub methods: Vec<Member<'a>>,
    /// The attributes of the class.
    pub attributes: Vec<RawAttribute<'a>>,
}

const MAGIC: u32 = 0xcafe_babe;

impl<'a> ClassFile<'a> {
    /// Reads a class of any version. Bytes after the class are an error, as they are for a JVM.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::TooLarge(bytes.len()));
        }
        let mut reader = Reader::new(bytes, "class file");
        match reader.u32()? {
            MAGIC => {}
            other => return Err(Error::Magic(other)),
        }
        let minor_version = reader.u16()?;
        let major_version = reader.u16()?;
        let pool = ConstantPool::parse(&mut reader, Version { major: major_version, minor: minor_version })?;
        let class = Self {
            minor_version,
            major_version,
            pool,
            access: AccessFlags(reader.u16()?),
            this_class: reader.u16()?,
            super_class: reader.u16()?,
            interfaces: read_vec(&mut reader, 2, Reader::u16)?,
            fields: read_vec(&mut reader, 8, Member::parse)?,
            methods: read_vec(&mut reader, 8, Member::parse)?,
            attributes: read_vec(&mut reader, 6, RawAttribute::parse)?,
        };
        reader.finish()?;
        Ok(class)
    }

    /// The class as bytes. An error means that a public field was given more items than a class can
    /// hold.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(self.pool.as_bytes().len() * 2);
        self.write_into(&mut out)?;
        Ok(out)
    }

    /// Appends the bytes of the class.
    pub fn write_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.write_parts(self.pool.count(), &[], out)
    }

    /// The class as bytes, with the entries that `extension` adds to its constant pool.
    pub fn write_extended(&self, extension: &PoolExtension<'a>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(self.pool.as_bytes().len() * 2 + extension.added_bytes().len());
        self.write_parts(extension.count(), extension.added_bytes(), &mut out)?;
        Ok(out)
    }

    /// Version of the class file.
    pub fn version(&self) -> Version {
        Version { major: self.major_version, minor: self.minor_version }
    }

    /// Internal name of the class, such as `java/util/Map$Entry`.
    pub fn name(&self) -> Result<JavaStr<'a>, Error> {
        self.pool.class_name(self.this_class)
    }

    /// Internal name of the superclass; none for `java/lang/Object` and modules.
    pub fn super_name(&self) -> Result<Option<JavaStr<'a>>, Error> {
        self.pool.optional_class_name(self.super_class)
    }

    /// Internal names of the direct superinterfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = Result<JavaStr<'a>, Error>> + '_ {
        self.interfaces.iter().map(|&index| self.pool.class_name(index))
    }

    /// The method with this name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Member<'a>> {
        find_member(&self.methods, &self.pool, name, descriptor)
    }

    /// The field with this name and descriptor.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<&Member<'a>> {
        find_member(&self.fields, &self.pool, name, descriptor)
    }

    /// The first attribute of the class with this name.
    pub fn attribute(&self, name: &str) -> Option<&RawAttribute<'a>> {
        find_attribute(&self.attributes, &self.pool, name)
    }

    fn write_parts(&self, pool_count: u16, added: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u32(MAGIC);
        out.put_u16(self.minor_version);
        out.put_u16(self.major_version);
        out.put_u16(pool_count);
        out.extend_from_slice(self.pool.as_bytes());
        out.extend_from_slice(added);
        out.put_u16(self.access.0);
        out.put_u16(self.this_class);
        out.put_u16(self.super_class);
        out.put_count_u16(self.interfaces.len(), "number of interfaces")?;
        self.interfaces.iter().for_each(|&index| out.put_u16(index));
        for (members, what) in [(&self.fields, "number of fields"), (&self.methods, "number of methods")] {
            out.put_count_u16(members.len(), what)?;
            members.iter().try_for_each(|member| member.write_into(out))?;
        }
        write_attributes(&self.attributes, out)
    }
}

/// A field or method (JVMS 4.5, 4.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Flags of the member.
    pub access: AccessFlags,
    /// Constant pool index of its name.
    pub name_index: u16,
    /// Constant pool index of its descriptor.
    pub descriptor_index: u16,
    /// Its attributes.
    pub attributes: Vec<RawAttribute<'a>>,
}

impl<'a> Member<'a> {
    /// Name of the member.
    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>, Error> {
        pool.utf8(self.name_index)
    }

    /// Descriptor of the member.
    pub fn descriptor(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>, Error> {
        pool.utf8(self.descriptor_index)
    }

    /// The first attribute with this name.
    pub fn attribute(&self, pool: &ConstantPool<'a>, name: &str) -> Option<&RawAttribute<'a>> {
        find_attribute(&self.attributes, pool, name)
    }

    /// The code of a method; none for native and abstract methods and for fields.
    pub fn code(&self, pool: &ConstantPool<'a>) -> Result<Option<Code<'a>>, Error> {
        match self.attribute(pool, "Code") {
            Some(RawAttribute { info: Cow::Borrowed(info), .. }) => {
                Code::decode(info, pool.version()).map(Some)
            }
            Some(RawAttribute { info: Cow::Owned(info), .. }) => {
                Code::decode(info, pool.version()).map(|code| Some(code.into_owned()))
            }
            None => Ok(None),
        }
    }

    fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self {
            access: AccessFlags(reader.u16()?),
            name_index: reader.u16()?,
            descriptor_index: reader.u16()?,
            attributes: read_vec(reader, 6, RawAttribute::parse)?,
        })
    }

    fn write_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u16(self.access.0);
        out.put_u16(self.name_index);
        out.put_u16(self.descriptor_index);
        write_attributes(&self.attributes, out)
    }
}

/// An attribute as bytes (JVMS 4.7): borrowed from the class, or owned once it was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawAttribute<'a> {
    /// Constant pool index of its name.
    pub name_index: u16,
    /// What follows the name and the length.
    pub info: Cow<'a, [u8]>,
}

impl<'a> RawAttribute<'a> {
    /// Name of the attribute.
    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>, Error> {
        pool.utf8(self.name_index)
    }

    /// The attribute with its standard meaning at this place, [`Attribute::Unknown`] when the
    /// format defines none of that name. Attributes at a wrong place are errors here although a JVM
    /// ignores them.
    pub fn decode<'s>(&'s self, pool: &ConstantPool<'a>, location: Location) -> Result<Attribute<'s>, Error> {
        Attribute::decode(self.name(pool)?, &self.info, pool.version(), location)
    }

    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let name_index = reader.u16()?;
        let length = reader.u32()?;
        // A length beyond the address space is beyond the data as well.
        let info = reader.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        Ok(Self { name_index, info: Cow::Borrowed(info) })
    }

    pub(crate) fn write_into(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u16(self.name_index);
        out.put_count_u32(self.info.len(), "length of an attribute")?;
        out.extend_from_slice(&self.info);
        Ok(())
    }

    pub(crate) fn into_owned<'b>(self) -> RawAttribute<'b> {
        RawAttribute { name_index: self.name_index, info: Cow::Owned(self.info.into_owned()) }
    }
}

/// The first attribute of that name in a list of attributes.
pub(crate) fn find_attribute<'s, 'a>(
    attributes: &'s [RawAttribute<'a>],
    pool: &ConstantPool<'a>,
    name: &str,
) -> Option<&'s RawAttribute<'a>> {
    attributes
        .iter()
        .find(|attribute| attribute.name(pool).is_ok_and(|found| found.as_bytes() == name.as_bytes()))
}

pub(crate) fn write_attributes(attributes: &[RawAttribute<'_>], out: &mut Vec<u8>) -> Result<(), Error> {
    out.put_count_u16(attributes.len(), "number of attributes")?;
    attributes.iter().try_for_each(|attribute| attribute.write_into(out))
}

/// Reads a `u2` count and that many items. `smallest` is the least size of one in bytes: it keeps a
/// false count from reserving more memory than the data can fill.
pub(crate) fn read_vec<'a, T>(
    reader: &mut Reader<'a>,
    smallest: usize,
    read: impl FnMut(&mut Reader<'a>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let count = usize::from(reader.u16()?);
    read_items(reader, count, smallest, read)
}

pub(crate) fn read_items<'a, T>(
    reader: &mut Reader<'a>,
    count: usize,
    smallest: usize,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut items = Vec::with_capacity(count.min(reader.rest().len() / smallest));
    for _ in 0..count {
        items.push(read(reader)?);
    }
    Ok(items)
}

fn find_member<'s, 'a>(
    members: &'s [Member<'a>],
    pool: &ConstantPool<'a>,
    name: &str,
    descriptor: &str,
) -> Option<&'s Member<'a>> {
    members.iter().find(|member| {
        member.name(pool).is_ok_and(|found| found == name)
            && member.descriptor(pool).is_ok_and(|found| found == descriptor)
    })
}
