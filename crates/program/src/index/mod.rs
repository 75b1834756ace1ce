//! The class index: every class of a class path with its supertypes, flags and members, without its
//! code.
//!
//! Invariants: an index never changes; of several classes with one name the first in class-path
//! order is the one the program sees, and the others stay known as further
//! [places](ClassIndex::places); nothing depends on hash order.
//!
//! The index is a list of [shards](Shard), blocks of bytes that can be kept on disk and are read in
//! place, and a table from names to classes over all of them.

mod attributes;
mod build;
mod extras;
mod heap;
mod shard;
#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use xxhash_rust::xxh3::xxh3_64;

pub use build::{ClassInput, ClassProblem, ShardBuilder};
pub use shard::{FORMAT_VERSION, Shard, ShardError};
pub use view::{
    AnnotationView, Annotations, ClassKind, ClassView, Constant, Enclosing, MemberView, Members, Nesting,
    Texts,
};

/// One copy of one class: the shard it lies in and its number there. Orders as the class path does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassRef {
    /// The number of the shard in its index.
    pub shard: u32,
    /// The number of the class in its shard.
    pub class: u32,
}

/// All classes of a class path.
pub struct ClassIndex {
    shards: Shards,
    /// The position of the first copy of each name.
    names: HashTable<u32>,
    /// For each position that of the next copy of the same name, or [`NO_POSITION`].
    next_copy: Vec<u32>,
    /// The visible classes, those that are the first of their name.
    visible: Vec<ClassRef>,
    /// For each position the classes directly above it, once they were asked for.
    above: Vec<OnceLock<Box<[Option<ClassRef>]>>>,
    subtypes: OnceLock<HashMap<Box<str>, Vec<ClassRef>>>,
    packages: OnceLock<BTreeMap<Box<str>, Vec<ClassRef>>>,
}

impl ClassIndex {
    /// Joins shards, given in class-path order.
    pub fn new(shards: Vec<Shard>) -> Self {
        let shards = Shards::new(shards);
        let (names, next_copy) = link_copies(&shards);
        let mut is_first = vec![true; next_copy.len()];
        for &copy in &next_copy {
            if let Some(first) = is_first.get_mut(copy as usize) {
                *first = false;
            }
        }
        let visible = shards.references().zip(is_first).filter_map(|(class, first)| first.then_some(class));
        Self {
            visible: visible.collect(),
            above: std::iter::repeat_with(OnceLock::new).take(next_copy.len()).collect(),
            shards,
            names,
            next_copy,
            subtypes: OnceLock::new(),
            packages: OnceLock::new(),
        }
    }

    /// The class of that name (internal form, `java/lang/String`) that the program sees.
    pub fn get(&self, name: &str) -> Option<ClassView<'_>> {
        self.view(self.places(name).next()?)
    }

    /// Whether a class of that name is known.
    pub fn contains(&self, name: &str) -> bool {
        self.places(name).next().is_some()
    }

    /// All copies of the class of that name, in class-path order.
    pub fn places(&self, name: &str) -> impl Iterator<Item = ClassRef> {
        let first = self.names.find(xxh3_64(name.as_bytes()), |&position| self.shards.is_at(position, name));
        let copy_after = |&position: &u32| self.next_copy.get(position as usize).copied();
        std::iter::successors(first.copied(), copy_after)
            .map_while(|position| self.shards.reference_at(position))
    }

    /// The class at a place; none when the reference belongs to another index.
    pub fn view(&self, class: ClassRef) -> Option<ClassView<'_>> {
        ClassView::at(&self.shards.list, class)
    }

    /// The classes that the program sees, in class-path order and by name within a shard.
    pub fn iter(&self) -> impl Iterator<Item = ClassView<'_>> + Clone {
        self.visible.iter().filter_map(|&class| self.view(class))
    }

    /// All copies of all classes, in the same order.
    pub fn all(&self) -> impl Iterator<Item = ClassView<'_>> {
        self.shards.references().filter_map(|class| self.view(class))
    }

    /// How many classes the program sees.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// Whether there is no class at all.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    /// The shards, in class-path order.
    pub fn shards(&self) -> &[Shard] {
        &self.shards.list
    }

    /// The visible classes that name `name` as their superclass or one of their interfaces, in
    /// index order. The class of that name need not be known itself.
    pub fn direct_subtypes(&self, name: &str) -> &[ClassRef] {
        let subtypes = self.subtypes.get_or_init(|| {
            let mut subtypes: HashMap<Box<str>, Vec<ClassRef>> = HashMap::new();
            for class in self.iter() {
                for supertype in class.direct_supertypes() {
                    match subtypes.get_mut(supertype) {
                        Some(known) => known.push(class.reference()),
                        None => drop(subtypes.insert(supertype.into(), vec![class.reference()])),
                    }
                }
            }
            subtypes
        });
        subtypes.get(name).map_or(&[], Vec::as_slice)
    }

    /// The classes that [`ClassView::direct_supertypes`] names, as the program sees them; none for those
    /// that are missing. Looked up once for each class, because types are compared all the time.
    pub(crate) fn above(&self, class: ClassView<'_>) -> &[Option<ClassRef>] {
        let place = self.shards.position_of(class.reference()) as usize;
        let find = || class.direct_supertypes().map(|it| self.places(it).next()).collect();
        self.above.get(place).map_or(&[], |it| it.get_or_init(find))
    }

    /// The superclass as the program sees it, if it is known.
    pub(crate) fn superclass(&self, class: ClassView<'_>) -> Option<ClassView<'_>> {
        let first = if class.has_superclass() { self.above(class).first() } else { None };
        first.copied().flatten().and_then(|it| self.view(it))
    }

    /// The packages (internal form, `java/util`; empty for the unnamed one) with their visible
    /// classes, by name.
    pub fn packages(&self) -> impl Iterator<Item = (&str, &[ClassRef])> {
        self.package_map().iter().map(|(name, classes)| (name.as_ref(), classes.as_slice()))
    }

    /// The visible classes of a package, in index order.
    pub fn package(&self, name: &str) -> &[ClassRef] {
        self.package_map().get(name).map_or(&[], Vec::as_slice)
    }

    fn package_map(&self) -> &BTreeMap<Box<str>, Vec<ClassRef>> {
        self.packages.get_or_init(|| {
            let mut packages: BTreeMap<Box<str>, Vec<ClassRef>> = BTreeMap::new();
            for class in self.iter() {
                match packages.get_mut(class.package()) {
                    Some(known) => known.push(class.reference()),
                    None => drop(packages.insert(class.package().into(), vec![class.reference()])),
                }
            }
            packages
        })
    }
}

/// The position after the last copy of a name.
const NO_POSITION: u32 = u32::MAX;

/// The shards of an index. A class's position is its number among the classes of all shards.
struct Shards {
    list: Vec<Shard>,
    /// For each shard the number of classes before it.
    starts: Vec<u32>,
    /// For each position the class there: found more often than a search in `starts` should be made.
    references: Vec<ClassRef>,
}

impl Shards {
    fn new(list: Vec<Shard>) -> Self {
        let starts = list.iter().scan(0u32, |total, shard| {
            let start = *total;
            *total = total.saturating_add(shard.len());
            Some(start)
        });
        let references = list.iter().enumerate().flat_map(|(number, shard)| {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            (0..shard.len()).map(move |class| ClassRef { shard: number, class })
        });
        Self { starts: starts.collect(), references: references.collect(), list }
    }

    fn references(&self) -> impl DoubleEndedIterator<Item = ClassRef> {
        self.references.iter().copied()
    }

    fn reference_at(&self, position: u32) -> Option<ClassRef> {
        self.references.get(position as usize).copied()
    }

    fn position_of(&self, class: ClassRef) -> u32 {
        self.starts.get(class.shard as usize).map_or(NO_POSITION, |start| start.saturating_add(class.class))
    }

    /// The hash and the name of a class.
    fn key(&self, class: ClassRef) -> (u64, &str) {
        self.list.get(class.shard as usize).map_or((0, ""), |shard| {
            let record = shard.class(class.class);
            (record.name_hash(), shard.text(record.name()))
        })
    }

    fn is_at(&self, position: u32, name: &str) -> bool {
        let class = self.reference_at(position).and_then(|it| ClassView::at(&self.list, it));
        class.is_some_and(|it| it.is_called(name))
    }

    fn name_at(&self, position: u32) -> &str {
        self.reference_at(position).map_or("", |class| self.key(class).1)
    }

    fn hash_at(&self, position: u32) -> u64 {
        self.reference_at(position).map_or(0, |class| self.key(class).0)
    }
}

/// The first position of each name, and for each position the next one of the same name. Classes
/// are entered from the last to the first, so that each finds the copies after it in the table and
/// takes their place there.
fn link_copies(shards: &Shards) -> (HashTable<u32>, Vec<u32>) {
    let total = shards.list.iter().map(|shard| shard.len() as usize).sum();
    let mut names = HashTable::with_capacity(total);
    let mut next_copy = vec![NO_POSITION; total];
    for class in shards.references().rev() {
        let (hash, name) = shards.key(class);
        let position = shards.position_of(class);
        let entry = names.entry(hash, |&other| shards.name_at(other) == name, |&other| shards.hash_at(other));
        match entry {
            Entry::Occupied(mut known) => {
                let after = std::mem::replace(known.get_mut(), position);
                if let Some(next) = next_copy.get_mut(position as usize) {
                    *next = after;
                }
            }
            Entry::Vacant(free) => drop(free.insert(position)),
        }
    }
    (names, next_copy)
}
