//! Where a Java program lies: jars, directories, the JDK and Maven coordinates as one class source.
//!
//! Invariants: the order is the JVM's, with the JDK's own classes first because its loaders are
//! asked first, then the class path in its order, each jar followed at once by the entries that its
//! manifest names; the environment is never read here; defects of an entry are listed as
//! [`Problem`]s and never keep the others from being used.

mod archive;
mod cache;
mod container;
mod derived;
mod directory;
mod error;
mod expand;
mod file_tree;
mod identity;
mod image;
mod jar;
pub mod jdk;
mod load;
mod manifest;
pub mod maven;
mod part;
mod problem;
mod process;
pub mod project;
mod symbols;
pub mod unpack;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crashback_program::index::{ClassIndex, ClassRef, Shard};
use crashback_program::source::{ClassSource, EntryInfo, EntryKind, SourceError};

pub use derived::{ClassFiles, Derived};
pub use error::Error;
pub use expand::{expanded, split};
pub use file_tree::FileTree;
pub use jdk::{Jdk, JdkClasses};
pub use problem::{Problem, ProblemKind};

use cache::Cache;
use container::Container;
use identity::Identity;
use load::{Loaded, Loader, Source};
use part::Facts;

/// The request for a class path.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Jars, directories and wildcards `dir/*`, in order.
    pub entries: Vec<PathBuf>,
    /// Published artifacts; with their dependencies they follow `entries`.
    pub maven: Vec<maven::Coordinates>,
    /// How Maven is run, where `maven` is not empty.
    pub maven_settings: maven::Settings,
    /// The JDK whose classes come first and whose release decides about multi-release jars. None
    /// leaves both out.
    pub jdk: Option<Jdk>,
    /// Where indexes are kept. None keeps nothing.
    pub cache: Option<CacheSettings>,
}

/// Where indexes are kept, and how many.
#[derive(Clone, Debug)]
pub struct CacheSettings {
    /// The folder; it is made when it is missing.
    pub directory: PathBuf,
    /// The least recently used indexes are removed when all together are larger than this.
    pub max_bytes: u64,
}

impl CacheSettings {
    /// A cache of at most 1 GiB.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), max_bytes: 1 << 30 }
    }
}

/// The jars of published artifacts and of everything they need, by Maven; from the cache if they
/// were asked for before.
pub fn fetch(
    artifacts: &[maven::Coordinates],
    settings: &maven::Settings,
    cache: Option<&CacheSettings>,
) -> Result<Vec<PathBuf>, Error> {
    let cache = cache.map(|settings| Cache::new(settings.directory.clone()));
    maven::resolve(artifacts, settings, cache.as_ref())
}

/// What [`fetch`] would yield, if the cache knows.
pub fn fetched(artifacts: &[maven::Coordinates], cache: &CacheSettings) -> Option<Vec<PathBuf>> {
    maven::known(artifacts, &Cache::new(cache.directory.clone()))
}

/// Whether the manifest of a jar seals its packages: a JVM refuses classes from elsewhere in them.
pub fn is_sealed(jar: &Path) -> bool {
    let manifest = jar::manifest(jar);
    manifest.is_some_and(|it| it.get("Sealed").is_some_and(|value| value.eq_ignore_ascii_case("true")))
}

/// A class path, indexed.
pub struct ClassPath {
    index: ClassIndex,
    entries: Vec<Entry>,
    /// For each shard of the index the number of its entry.
    entry_of_shard: Vec<usize>,
    launch_path: Vec<PathBuf>,
    problems: Vec<Problem>,
}

struct Entry {
    info: EntryInfo,
    container: Container,
}

impl ClassPath {
    /// Finds, reads and indexes everything that `request` names. Errors are those of Maven alone;
    /// whatever else is missing or damaged is listed as a [problem](Self::problems).
    pub fn load(request: &Request) -> Result<Self, Error> {
        let mut problems = Vec::new();
        let mut launch_path = expand::expand_wildcards(&request.entries, &mut problems);
        let cache = request.cache.as_ref().map(|settings| Cache::new(settings.directory.clone()));
        launch_path.extend(maven::resolve(&request.maven, &request.maven_settings, cache.as_ref())?);

        let mut sources: Vec<Source> = request.jdk.iter().flat_map(jdk_sources).collect();
        let jdk_entries = sources.len();
        let mut seen = BTreeSet::new();
        for path in &launch_path {
            match Source::at(path) {
                Some(source) if seen.insert(load::identity(path)) => sources.push(source),
                Some(_) => {}
                None => problems.push(missing(path)),
            }
        }
        let given = sources.len();
        let feature = request.jdk.as_ref().map_or(8, |jdk| jdk.feature);
        let loaded = Loader { cache: cache.as_ref(), feature }.load_all(sources);
        if let Some((cache, settings)) = cache.zip(request.cache.as_ref())
            && load::any_stored(&loaded)
            && let Err(error) = cache.shrink(settings.max_bytes)
        {
            problems.push(cache.problem(&error));
        }
        let order = load::search_order(&loaded, given);
        let mut assembly =
            Assembly { jdk: request.jdk.as_ref(), jdk_entries, problems, ..Assembly::default() };
        assembly.add_all(loaded, &order);
        Ok(assembly.finish(launch_path))
    }

    /// Entries and classes that were missing, damaged or left out, in class-path order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The entries, the JDK's first, in the order in which they are searched.
    pub fn entries(&self) -> impl Iterator<Item = &EntryInfo> {
        self.entries.iter().map(|entry| &entry.info)
    }

    /// The class path to start a JVM with: the requested entries with wildcards expanded and
    /// coordinates resolved, without the JDK and without entries that manifests add.
    pub fn launch_path(&self) -> &[PathBuf] {
        &self.launch_path
    }

    fn find(&self, class: ClassRef) -> Option<&Entry> {
        self.entries.get(*self.entry_of_shard.get(class.shard as usize)?)
    }
}

impl ClassSource for ClassPath {
    fn index(&self) -> &ClassIndex {
        &self.index
    }

    fn bytes(&self, class: ClassRef) -> Result<Arc<[u8]>, SourceError> {
        let view = self.index.view(class).ok_or(SourceError::UnknownClass)?;
        let entry = self.find(class).ok_or(SourceError::UnknownClass)?;
        entry.container.read(view).map(Arc::from).map_err(|reason| SourceError::Unreadable {
            class: view.name().to_owned(),
            entry: entry.info.path.clone(),
            reason,
        })
    }

    fn entry(&self, class: ClassRef) -> Option<&EntryInfo> {
        self.find(class).map(|entry| &entry.info)
    }

    fn resources(&self, near: ClassRef) -> Vec<String> {
        let holds_classes: BTreeSet<usize> = self.entry_of_shard.iter().copied().collect();
        let own = self.entry_of_shard.get(near.shard as usize).copied();
        let entries = self.entries.iter().enumerate();
        let mut found = Vec::new();
        for (_, entry) in
            entries.filter(|(number, _)| Some(*number) == own || !holds_classes.contains(number))
        {
            found.extend(entry.container.resources(MOST_RESOURCES.saturating_sub(found.len())));
        }
        found
    }
}

/// How many files beside classes are listed.
const MOST_RESOURCES: usize = 4000;

fn jdk_sources(jdk: &Jdk) -> Vec<Source> {
    match &jdk.classes {
        JdkClasses::Image(image) => vec![Source::Image(image.clone())],
        JdkClasses::Jars(jars) => jars
            .iter()
            .cloned()
            .map(|jar| match symbols::list_for(jdk, &jar) {
                Some(list) => Source::Listed { jar, list },
                None => Source::Jar(jar),
            })
            .collect(),
    }
}

fn missing(path: &Path) -> Problem {
    let message = "there is no such file or directory; correct the class path or build what it should hold";
    Problem::new(ProblemKind::MissingEntry, path.display().to_string(), message)
}

/// Puts loaded entries together in search order.
#[derive(Default)]
struct Assembly<'a> {
    jdk: Option<&'a Jdk>,
    /// The first so many loaded entries are the JDK's.
    jdk_entries: usize,
    shards: Vec<Shard>,
    entries: Vec<Entry>,
    entry_of_shard: Vec<usize>,
    problems: Vec<Problem>,
}

impl Assembly<'_> {
    fn add_all(&mut self, loaded: Vec<Loaded>, order: &[usize]) {
        let mut loaded: Vec<Option<Loaded>> = loaded.into_iter().map(Some).collect();
        for &number in order {
            if let Some(entry) = loaded.get_mut(number).and_then(Option::take) {
                self.add(entry, number < self.jdk_entries);
            }
        }
        // A cache that cannot be written is one problem, however many entries it concerns.
        let mut cache_problems = 0;
        self.problems.retain(|problem| {
            cache_problems += usize::from(problem.kind == ProblemKind::Cache);
            problem.kind != ProblemKind::Cache || cache_problems == 1
        });
    }

    fn add(&mut self, loaded: Loaded, of_jdk: bool) {
        self.problems.extend(loaded.problems);
        for (part, container) in loaded.parts {
            let info = describe(&loaded.source, &part.facts, self.jdk.filter(|_| of_jdk));
            self.problems.extend(part.facts.problems.into_iter().map(|problem| Problem {
                subject: format!(
                    "{}{}{}",
                    info.path,
                    if problem.subject.is_empty() { "" } else { "!/" },
                    problem.subject
                ),
                ..problem
            }));
            for shard in part.shards.into_iter().filter(|shard| !shard.is_empty()) {
                self.shards.push(shard);
                self.entry_of_shard.push(self.entries.len());
            }
            self.entries.push(Entry { info, container });
        }
    }

    fn finish(self, launch_path: Vec<PathBuf>) -> ClassPath {
        ClassPath {
            index: ClassIndex::new(self.shards),
            entries: self.entries,
            entry_of_shard: self.entry_of_shard,
            launch_path,
            problems: self.problems,
        }
    }
}

fn describe(source: &Source, facts: &Facts, jdk: Option<&Jdk>) -> EntryInfo {
    let outer = source.path().display().to_string();
    let path = facts.inner.as_ref().map_or(outer.clone(), |inner| format!("{outer}!/{}", inner.path));
    if let Some(jdk) = jdk {
        return EntryInfo {
            path,
            display: format!("JDK {}", jdk.version),
            kind: EntryKind::Jdk,
            name: Some("jdk".to_owned()),
            version: Some(jdk.version.clone()),
            signed: false,
        };
    }
    if matches!(source, Source::Directory(_)) {
        return EntryInfo { display: path.clone(), path, kind: EntryKind::Directory, ..EntryInfo::default() };
    }
    let display = path.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or_default().to_owned();
    let Identity { name, version } = facts.identity.clone().or_file_name(&display);
    EntryInfo { path, display, kind: EntryKind::Jar, name, version, signed: facts.signed }
}
