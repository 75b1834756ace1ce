//! From class files to a shard.

use crashback_classfile::{AccessFlags, ClassFile, Error, Location};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::attributes::{Recorded, Recorder, Scratch};
use super::heap::HeapBuilder;
use super::shard::{CLASS_SIZE, ClassFields, MARK_UNEXPORTED, MEMBER_SIZE, MemberFields, Shard};

/// A class file to be indexed.
#[derive(Clone, Copy, Debug)]
pub struct ClassInput<'a> {
    /// A number by which the class source finds the bytes again.
    pub location: u32,
    /// The name a class loader would ask for, where it is known; a class of another name is refused
    /// as a JVM does.
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
    /// Builds a shard; classes that cannot be read are left out and listed by their place in
    /// `classes`.
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

impl ShardBuilder {
    /// Adds a class. After an error the shard is as it was before.
    pub fn add(&mut self, class: ClassInput<'_>) -> Result<(), ClassProblem> {
        self.add_marked(class, 0)
    }

    /// Adds a class that its JDK keeps to itself.
    pub fn add_unexported(&mut self, class: ClassInput<'_>) -> Result<(), ClassProblem> {
        self.add_marked(class, MARK_UNEXPORTED)
    }

    fn add_marked(&mut self, class: ClassInput<'_>, marks: u16) -> Result<(), ClassProblem> {
        let file = ClassFile::parse(class.bytes)?;
        let name = file.name()?;
        if class.expected_name.is_some_and(|expected| name != expected) {
            return Err(ClassProblem::OtherName { found: name.to_str().into_owned() });
        }
        let members = self.members.len();
        let added = self.add_parsed(&file, class.location, marks);
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

    fn add_parsed(&mut self, file: &ClassFile<'_>, location: u32, marks: u16) -> Result<(), ClassProblem> {
        let first_member = u32::try_from(self.members.len() / MEMBER_SIZE).map_err(|_| ClassProblem::Full)?;
        let mut recorder = Recorder::new(file, &mut self.heap, &mut self.scratch)?;
        for (members, place) in [(&file.fields, Location::Field), (&file.methods, Location::Method)] {
            for member in members {
                let recorded = recorder.record(&member.attributes, place, &[])?;
                let fields = MemberFields {
                    name: recorder.text(member.name_index)?,
                    descriptor: recorder.text(member.descriptor_index)?,
                    extras: recorded.extras,
                    access: flags(member.access, recorded),
                    marks: recorded.marks,
                };
                fields.write(&mut self.members);
            }
        }
        let recorded = recorder.record(&file.attributes, Location::Class, &file.interfaces)?;
        let name = recorder.class(file.this_class)?;
        let super_name = recorder.class(file.super_class)?;
        self.classes.push(ClassFields {
            name_hash: xxh3_64(self.heap.get(name)),
            name,
            super_name,
            location,
            first_member,
            extras: recorded.extras,
            field_count: u16::try_from(file.fields.len()).unwrap_or(u16::MAX),
            method_count: u16::try_from(file.methods.len()).unwrap_or(u16::MAX),
            access: flags(file.access, recorded),
            major: file.major_version,
            minor: file.minor_version,
            marks: recorded.marks | marks,
        });
        Ok(())
    }
}

fn flags(access: AccessFlags, recorded: Recorded) -> u16 {
    if recorded.synthetic { (access | AccessFlags::SYNTHETIC).0 } else { access.0 }
}
