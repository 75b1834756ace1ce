//! What attributes are made of: values that know how they lie in a class file.

use crate::bytes::{Reader, Write};
use crate::class::{RawAttribute, read_vec};
use crate::table::{Record, Table};
use crate::{AccessFlags, Error};

/// A part of an attribute. Writing what was read gives the bytes it was read from.
pub(crate) trait Content<'a>: Sized {
    /// The fewest bytes a value takes.
    const SMALLEST: usize;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error>;

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error>;
}

impl Content<'_> for u16 {
    const SMALLEST: usize = 2;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        reader.u16()
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u16(*self);
        Ok(())
    }
}

impl Content<'_> for AccessFlags {
    const SMALLEST: usize = 2;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        reader.u16().map(Self)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_u16(self.0);
        Ok(())
    }
}

/// All bytes up to the end of the attribute.
impl<'a> Content<'a> for &'a [u8] {
    const SMALLEST: usize = 0;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        reader.take(reader.rest().len())
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(self);
        Ok(())
    }
}

/// A `u2` count and the records.
impl<'a, T: Record> Content<'a> for Table<'a, T> {
    const SMALLEST: usize = 2;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Table::read_counted(reader)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.write_counted(out)
    }
}

/// A `u2` count and the items.
impl<'a, T: Content<'a>> Content<'a> for Vec<T> {
    const SMALLEST: usize = 2;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        read_vec(reader, T::SMALLEST, T::read)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_count_u16(self.len(), "number of items in an attribute")?;
        self.iter().try_for_each(|item| item.write(out))
    }
}

impl<'a> Content<'a> for RawAttribute<'a> {
    const SMALLEST: usize = 6;

    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        RawAttribute::parse(reader)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.write_into(out)
    }
}

/// Declares a struct whose fields, each a [`Content`], lie one after the other in a class file.
macro_rules! content {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$life:lifetime>)? {
            $($(#[$field_meta:meta])* pub $field:ident: $kind:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name $(<$life>)? { $($(#[$field_meta])* pub $field: $kind,)* }

        impl<'a> $crate::content::Content<'a> for $name $(<$life>)? {
            const SMALLEST: usize = 0 $(+ <$kind as $crate::content::Content<'a>>::SMALLEST)*;

            fn read(reader: &mut $crate::bytes::Reader<'a>) -> Result<Self, $crate::Error> {
                Ok(Self { $($field: $crate::content::Content::read(reader)?,)* })
            }

            fn write(&self, out: &mut Vec<u8>) -> Result<(), $crate::Error> {
                $($crate::content::Content::write(&self.$field, out)?;)*
                Ok(())
            }
        }
    };
}
pub(crate) use content;
