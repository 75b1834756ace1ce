//! From class files to a shard.

use crashback_classfile::{ClassFile, ConstantPool, Error, JavaStr, Member};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::extras::{ExtrasWriter, Tag};
use super::heap::HeapBuilder;
use super::shard::{CLASS_SIZE, ClassFields, MEMBER_SIZE, MemberFields, Shard};

/// A class file to be indexed.
#[derive(Clone, Copy, Debug)]
pub struct ClassInput<'a> {
    /// A number by which the class source finds the bytes again.
    pub location: u32,
    /// The name a class loader would ask for, where it is known; a class of another name is refused as a JVM does.
    pub expected_name: Option<&'a str>,
    /// The class file.
    pub bytes: &'a [u8],
}

/// Why a class was left out of a shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClassProblem {
    /// The bytes are no class file.
    #[error("malformed class file: {0}")]
    Malformed(#[from] Error),
    /// The class has another name than the place where it was found.
    #[error("the file holds class {found}")]
    OtherName {
        /// Its real name, in internal form.
        found: String,
    },
    /// A shard holds at most 4 GiB of names.
    #[error("the class index is full")]
    Full,
}

impl Shard {
    /// Builds a shard; classes that cannot be read are left out and listed by their place in `classes`.
    pub fn build<'a>(
        classes: impl IntoIterator<Item = ClassInput<'a>>,
    ) -> (Self, Vec<(usize, ClassProblem)>) {
        let mut builder = ShardBuilder::default();
        let mut problems = Vec::new();
        for (number, class) in classes.into_iter().enumerate() {
            if let Err(problem) = builder.add(class) {
                problems.push((number, problem));
            }
        }
        (builder.finish(), problems)
    }
}

/// Builds a shard from class files that come one by one.
#[derive(Default)]
pub struct ShardBuilder {
    heap: HeapBuilder,
    classes: Vec<ClassFields>,
    members: Vec<u8>,
    scratch: Scratch,
}

/// Memory kept from class to class.
#[derive(Default)]
struct Scratch {
    /// For each entry of the constant pool its text's place in the heap, 0 while unknown.
    texts: Vec<u32>,
    extras: ExtrasWriter,
}

impl ShardBuilder {
    /// Adds a class. After an error the shard is as it was before.
    pub fn add(&mut self, class: ClassInput<'_>) -> Result<(), ClassProblem> {
        let file = ClassFile::parse(class.bytes)?;
        let name = file.name()?;
        if class.expected_name.is_some_and(|expected| name != expected) {
            return Err(ClassProblem::OtherName { found: name.to_str().into_owned() });
        }
        let members = self.members.len();
        let added = self.add_parsed(&file, class.location);
        if added.is_err() {
            self.members.truncate(members);
        }
        added
    }

    /// The finished shard: classes sorted by name, copies of one name in the order they were added.
    pub fn finish(mut self) -> Shard {
        let Self { heap, classes, .. } = &mut self;
        classes.sort_by(|a, b| heap.get(a.name).cmp(heap.get(b.name)));
        let mut records = Vec::with_capacity(classes.len() * CLASS_SIZE);
        classes.iter().for_each(|class| class.write(&mut records));
        Shard::assemble(&records, &self.members, &self.heap.into_bytes())
    }

    fn add_parsed(&mut self, file: &ClassFile<'_>, location: u32) -> Result<(), ClassProblem> {
        let first_member = u32::try_from(self.members.len() / MEMBER_SIZE).map_err(|_| ClassProblem::Full)?;
        self.scratch.texts.clear();
        self.scratch.texts.resize(usize::from(file.pool.count()), 0);
        let name = self.intern(file.name()?)?;
        let super_name = file.super_name()?.map_or(Ok(0), |name| self.intern(name))?;
        for member in file.fields.iter().chain(&file.methods) {
            self.add_member(&file.pool, member)?;
        }
        let interfaces = file.interface_names().map(|name| Ok(u64::from(self.intern(name?)?)));
        let interfaces = interfaces.collect::<Result<Vec<u64>, ClassProblem>>()?;
        self.scratch.extras.clear();
        if !interfaces.is_empty() {
            self.scratch.extras.numbers(Tag::Interfaces, &interfaces);
        }
        let extras = self.extras()?;
        self.classes.push(ClassFields {
            name_hash: xxh3_64(self.heap.get(name)),
            name,
            super_name,
            location,
            first_member,
            extras,
            field_count: u16::try_from(file.fields.len()).unwrap_or(u16::MAX),
            method_count: u16::try_from(file.methods.len()).unwrap_or(u16::MAX),
            access: file.access.0,
            major: file.major_version,
            minor: file.minor_version,
            marks: 0,
        });
        Ok(())
    }

    fn add_member(&mut self, pool: &ConstantPool<'_>, member: &Member<'_>) -> Result<(), ClassProblem> {
        let name = self.intern_utf8(pool, member.name_index)?;
        let descriptor = self.intern_utf8(pool, member.descriptor_index)?;
        self.scratch.extras.clear();
        let extras = self.extras()?;
        MemberFields { name, descriptor, extras, access: member.access.0, marks: 0 }.write(&mut self.members);
        Ok(())
    }

    fn extras(&mut self) -> Result<u32, ClassProblem> {
        match self.scratch.extras.bytes() {
            [] => Ok(0),
            bytes => self.heap.intern(bytes).ok_or(ClassProblem::Full),
        }
    }

    fn intern(&mut self, text: JavaStr<'_>) -> Result<u32, ClassProblem> {
        self.heap.intern(text.to_str().as_bytes()).ok_or(ClassProblem::Full)
    }

    /// The text of a constant pool entry; the same entry is looked up once.
    fn intern_utf8(&mut self, pool: &ConstantPool<'_>, index: u16) -> Result<u32, ClassProblem> {
        match self.scratch.texts.get(usize::from(index)) {
            Some(&known) if known != 0 => return Ok(known),
            _ => {}
        }
        let reference = self.intern(pool.utf8(index)?)?;
        if let Some(known) = self.scratch.texts.get_mut(usize::from(index)) {
            *known = reference;
        }
        Ok(reference)
    }
}
