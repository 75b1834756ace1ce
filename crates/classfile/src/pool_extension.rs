use std::borrow::Cow;
use std::collections::HashMap;

use crate::bytes::Write;
use crate::pool::tag;
use crate::{ConstantPool, Error, JavaStr};

/// Entries to be appended to a constant pool, which itself stays as it is.
///
/// Adding what the pool or the extension already has gives the index it has there.
/// [`ClassFile::write_extended`](crate::ClassFile::write_extended) writes both.
#[derive(Clone, Debug)]
pub struct PoolExtension<'a> {
    added: Vec<u8>,
    count: u16,
    /// Index of every entry, by its bytes.
    indices: HashMap<Cow<'a, [u8]>, u16>,
}

impl<'a> PoolExtension<'a> {
    /// An extension of `pool` with nothing in it yet.
    pub fn new(pool: &ConstantPool<'a>) -> Self {
        let mut indices = HashMap::with_capacity(usize::from(pool.count()));
        for index in 1..pool.count() {
            if let Some(bytes) = pool.entry_bytes(index) {
                indices.entry(Cow::Borrowed(bytes)).or_insert(index);
            }
        }
        // Index 0 counts even in a pool that claims to have no entries at all.
        Self { added: Vec::new(), count: pool.count().max(1), indices }
    }

    /// The `constant_pool_count` of pool and extension together.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// The added entries as bytes.
    pub fn added_bytes(&self) -> &[u8] {
        &self.added
    }

    /// Text.
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, Error> {
        self.add_java_str(JavaStr::new(&JavaStr::encode(text)))
    }

    /// Text that is in modified UTF-8 already.
    pub fn add_java_str(&mut self, text: JavaStr<'_>) -> Result<u16, Error> {
        let mut entry = vec![tag::UTF8];
        entry.put_count_u16(text.len(), "length of a text in the constant pool")?;
        entry.extend_from_slice(text.as_bytes());
        self.add(entry, 1)
    }

    /// A class by its internal name, or an array type by its descriptor.
    pub fn add_class(&mut self, name: &str) -> Result<u16, Error> {
        let name = self.add_utf8(name)?;
        self.add_indices(tag::CLASS, &[name])
    }

    /// A string literal.
    pub fn add_string(&mut self, text: &str) -> Result<u16, Error> {
        let text = self.add_utf8(text)?;
        self.add_indices(tag::STRING, &[text])
    }

    /// An `int`.
    pub fn add_int(&mut self, value: i32) -> Result<u16, Error> {
        self.add_value(tag::INTEGER, &value.to_be_bytes(), 1)
    }

    /// A `long`.
    pub fn add_long(&mut self, value: i64) -> Result<u16, Error> {
        self.add_value(tag::LONG, &value.to_be_bytes(), 2)
    }

    /// A `float`, bit for bit.
    pub fn add_float(&mut self, value: f32) -> Result<u16, Error> {
        self.add_value(tag::FLOAT, &value.to_be_bytes(), 1)
    }

    /// A `double`, bit for bit.
    pub fn add_double(&mut self, value: f64) -> Result<u16, Error> {
        self.add_value(tag::DOUBLE, &value.to_be_bytes(), 2)
    }

    /// A name with its descriptor.
    pub fn add_name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, Error> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add_indices(tag::NAME_AND_TYPE, &[name, descriptor])
    }

    /// A field.
    pub fn add_field_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, Error> {
        self.add_member_ref(tag::FIELD_REF, owner, name, descriptor)
    }

    /// A method of a class.
    pub fn add_method_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, Error> {
        self.add_member_ref(tag::METHOD_REF, owner, name, descriptor)
    }

    /// A method of an interface.
    pub fn add_interface_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, Error> {
        self.add_member_ref(tag::INTERFACE_METHOD_REF, owner, name, descriptor)
    }

    /// A method handle for a member that was added before.
    pub fn add_method_handle(&mut self, kind: u8, member: u16) -> Result<u16, Error> {
        let [high, low] = member.to_be_bytes();
        self.add_value(tag::METHOD_HANDLE, &[kind, high, low], 1)
    }

    /// A method type.
    pub fn add_method_type(&mut self, descriptor: &str) -> Result<u16, Error> {
        let descriptor = self.add_utf8(descriptor)?;
        self.add_indices(tag::METHOD_TYPE, &[descriptor])
    }

    /// A dynamically computed constant.
    pub fn add_dynamic(&mut self, bootstrap_index: u16, name: &str, descriptor: &str) -> Result<u16, Error> {
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add_indices(tag::DYNAMIC, &[bootstrap_index, name_and_type])
    }

    /// A dynamically computed call site.
    pub fn add_invoke_dynamic(
        &mut self,
        bootstrap_index: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, Error> {
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add_indices(tag::INVOKE_DYNAMIC, &[bootstrap_index, name_and_type])
    }

    fn add_member_ref(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> Result<u16, Error> {
        let owner = self.add_class(owner)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add_indices(tag, &[owner, name_and_type])
    }

    fn add_indices(&mut self, tag: u8, indices: &[u16]) -> Result<u16, Error> {
        let mut entry = vec![tag];
        indices.iter().for_each(|&index| entry.put_u16(index));
        self.add(entry, 1)
    }

    fn add_value(&mut self, tag: u8, value: &[u8], slots: u16) -> Result<u16, Error> {
        let mut entry = vec![tag];
        entry.extend_from_slice(value);
        self.add(entry, slots)
    }

    fn add(&mut self, entry: Vec<u8>, slots: u16) -> Result<u16, Error> {
        if let Some(&index) = self.indices.get(entry.as_slice()) {
            return Ok(index);
        }
        let index = self.count;
        let full = Error::Overflow {
            what: "size of the constant pool",
            value: usize::from(index) + usize::from(slots),
        };
        self.count = index.checked_add(slots).ok_or(full)?;
        self.added.extend_from_slice(&entry);
        self.indices.insert(Cow::Owned(entry), index);
        Ok(index)
    }
}
