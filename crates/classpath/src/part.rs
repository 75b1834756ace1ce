//! The result of indexing a class-path entry, which the cache keeps.

use std::collections::BTreeMap;

use crashback_program::index::{ClassInput, ClassProblem, Shard, ShardBuilder};
use serde::{Deserialize, Serialize};

use crate::identity::Identity;
use crate::problem::{Problem, ProblemKind};

/// About this many bytes of class files make one shard; large entries are indexed in parallel as
/// several.
const SHARD_CLASS_BYTES: u64 = 4 << 20;

/// So many problems of one kind are listed for an entry.
const MAX_PROBLEMS: usize = 20;

/// The classes of a class-path entry, or of a jar inside one, and the facts about it.
pub(crate) struct Part {
    pub(crate) facts: Facts,
    pub(crate) shards: Vec<Shard>,
}

/// Facts about a class-path entry besides its classes. Nothing here depends on where the entry
/// lies, because equal jars share a cache file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Set for a jar inside a jar.
    pub(crate) inner: Option<InnerJar>,
    pub(crate) identity: Identity,
    pub(crate) signed: bool,
    /// The entries its manifest adds to the class path, relative.
    pub(crate) class_path: Vec<String>,
    /// The modules of a JDK image; the location of a class is the number of its module.
    pub(crate) modules: Vec<String>,
    /// Subjects are paths inside the entry.
    pub(crate) problems: Vec<Problem>,
}

/// One shard, and the defects of the class files it was built from.
pub(crate) type BuiltShard = (Shard, Vec<Problem>);

impl Part {
    /// Joins facts and shards. Of many problems of one kind only the first are kept, and their
    /// number.
    pub(crate) fn new(mut facts: Facts, built: Vec<BuiltShard>) -> Self {
        let mut shards = Vec::new();
        for (shard, problems) in built {
            facts.problems.extend(problems);
            shards.push(shard);
        }
        let mut counts: BTreeMap<ProblemKind, usize> = BTreeMap::new();
        facts.problems.retain(|problem| {
            let count = counts.entry(problem.kind).or_default();
            *count += 1;
            *count <= MAX_PROBLEMS
        });
        for (kind, count) in counts {
            if let Some(more) = count.checked_sub(MAX_PROBLEMS).filter(|more| *more > 0) {
                facts.problems.push(Problem::new(kind, "", format!("{more} more problems of this kind")));
            }
        }
        Self { facts, shards }
    }
}

/// A jar inside a jar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InnerJar {
    /// Its path inside the outer jar.
    pub(crate) path: String,
    /// Its number in the outer jar's central directory.
    pub(crate) number: u32,
}

/// Splits a list into runs of about [`SHARD_CLASS_BYTES`] each; the same list always splits in the
/// same way.
pub(crate) fn split_by_size<T>(mut items: &[T], size: impl Fn(&T) -> u64) -> Vec<&[T]> {
    let mut runs = Vec::new();
    while !items.is_empty() {
        let mut total = 0u64;
        let fits = |item: &&T| {
            let room = total < SHARD_CLASS_BYTES;
            total = total.saturating_add(size(item));
            room
        };
        let (run, rest) = items.split_at(items.iter().take_while(fits).count().max(1));
        runs.push(run);
        items = rest;
    }
    runs
}

/// Builds one shard from class files that come one by one, and lists their defects.
#[derive(Default)]
pub(crate) struct PartBuilder {
    shard: ShardBuilder,
    problems: Vec<Problem>,
}

impl PartBuilder {
    /// Adds the class file at `path`, which a class loader would find under the name `path` has
    /// without its suffix.
    pub(crate) fn add(&mut self, path: &str, location: u32, bytes: Result<&[u8], impl std::fmt::Display>) {
        self.add_to_shard(path, location, bytes, ShardBuilder::add);
    }

    /// The same for a class that its JDK keeps to itself.
    pub(crate) fn add_unexported(
        &mut self,
        path: &str,
        location: u32,
        bytes: Result<&[u8], impl std::fmt::Display>,
    ) {
        self.add_to_shard(path, location, bytes, ShardBuilder::add_unexported);
    }

    fn add_to_shard(
        &mut self,
        path: &str,
        location: u32,
        bytes: Result<&[u8], impl std::fmt::Display>,
        add: fn(&mut ShardBuilder, ClassInput<'_>) -> Result<(), ClassProblem>,
    ) {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return self.unreadable(path, &error.to_string()),
        };
        let expected_name = path.strip_suffix(".class");
        match add(&mut self.shard, ClassInput { location, expected_name, bytes }) {
            Ok(()) => {}
            Err(ClassProblem::OtherName { found }) => self.problems.push(Problem::new(
                ProblemKind::MisplacedClass,
                path,
                format!("the file holds class {found}, so no class loader finds it there; it is left out"),
            )),
            Err(problem) => self.unreadable(path, &problem.to_string()),
        }
    }

    pub(crate) fn finish(self) -> BuiltShard {
        (self.shard.finish(), self.problems)
    }

    fn unreadable(&mut self, path: &str, reason: &str) {
        let message = format!(
            "unreadable class file: {reason}; it is left out, rebuild or fetch the jar again if it is needed"
        );
        self.problems.push(Problem::new(ProblemKind::UnreadableClass, path, message));
    }
}
