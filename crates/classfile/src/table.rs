use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use crate::Error;
use crate::bytes::{Reader, Write};

/// A sequence of records of one fixed size, kept as the bytes of the class file and read on the
/// way.
#[derive(Clone, PartialEq, Eq)]
pub struct Table<'a, T> {
    bytes: Cow<'a, [u8]>,
    record: PhantomData<T>,
}

/// A record of a [`Table`]: a fixed number of bytes.
pub trait Record: Copy {
    /// Number of bytes.
    const SIZE: usize;

    /// Reads the record from at least [`SIZE`](Self::SIZE) bytes.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// Appends exactly [`SIZE`](Self::SIZE) bytes.
    fn write(self, out: &mut Vec<u8>);
}

impl<'a, T: Record> Table<'a, T> {
    /// Number of records.
    pub fn len(&self) -> usize {
        self.bytes.len() / T::SIZE
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The record at a position.
    pub fn get(&self, position: usize) -> Option<T> {
        T::read(self.bytes.get(position.checked_mul(T::SIZE)?..)?)
    }

    /// The records in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + Clone + '_ {
        self.bytes.chunks_exact(T::SIZE).filter_map(T::read)
    }

    /// The records as they lie in the class file, without a count.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn read(reader: &mut Reader<'a>, count: usize) -> Result<Self, Error> {
        // Counts are at most 16 bits wide, so the product cannot overflow.
        Ok(Self { bytes: Cow::Borrowed(reader.take(count * T::SIZE)?), record: PhantomData })
    }

    /// Reads a `u2` count and the records.
    pub(crate) fn read_counted(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = usize::from(reader.u16()?);
        Self::read(reader, count)
    }

    /// Writes a `u2` count and the records.
    pub(crate) fn write_counted(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.put_count_u16(self.len(), "number of records in a table")?;
        out.extend_from_slice(&self.bytes);
        Ok(())
    }

    pub(crate) fn into_owned<'b>(self) -> Table<'b, T> {
        Table { bytes: Cow::Owned(self.bytes.into_owned()), record: PhantomData }
    }
}

impl<T: Record> FromIterator<T> for Table<'_, T> {
    fn from_iter<I: IntoIterator<Item = T>>(records: I) -> Self {
        let mut bytes = Vec::new();
        records.into_iter().for_each(|record| record.write(&mut bytes));
        Self { bytes: Cow::Owned(bytes), record: PhantomData }
    }
}

impl<T: Record + fmt::Debug> fmt::Debug for Table<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

macro_rules! integer_records {
    ($($integer:ty),*) => {$(
        impl Record for $integer {
            const SIZE: usize = size_of::<$integer>();

            fn read(bytes: &[u8]) -> Option<Self> {
                bytes.first_chunk().map(|chunk| <$integer>::from_be_bytes(*chunk))
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }
        }
    )*};
}

integer_records!(u8, u16, i32);

impl Record for crate::AccessFlags {
    const SIZE: usize = 2;

    fn read(bytes: &[u8]) -> Option<Self> {
        u16::read(bytes).map(Self)
    }

    fn write(self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
}

/// Declares a struct whose fields, each a [`Record`] itself, lie one after the other in a class
/// file.
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $kind:ty,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name { $($(#[$field_meta])* pub $field: $kind,)* }

        impl $crate::table::Record for $name {
            const SIZE: usize = 0 $(+ <$kind as $crate::table::Record>::SIZE)*;

            fn read(bytes: &[u8]) -> Option<Self> {
                let rest = bytes;
                $(
                    let $field = <$kind as $crate::table::Record>::read(rest)?;
                    let rest = rest.get(<$kind as $crate::table::Record>::SIZE..)?;
                )*
                let _ = rest;
                Some(Self { $($field,)* })
            }

            fn write(self, out: &mut Vec<u8>) {
                $($crate::table::Record::write(self.$field, out);)*
            }
        }
    };
}
pub(crate) use record;
