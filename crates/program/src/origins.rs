//! Whose code a class is: the project's, a library's or the JDK's.
//!
//! This is the only place that decides it, once for each crash, from the user's [`Scope`] and the
//! class path. Everything else that prefers the project's classes, or passes over those of the JDK,
//! asks [`Origins`]; code that needs to know about the JDK alone may ask [`Classes::is_jdk`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use crashback_classfile::{binary_name, internal_name, is_jdk_name};
use crashback_trace::Throwable;
use serde::Serialize;

use crate::classes::Classes;
use crate::index::{ClassIndex, ClassRef};
use crate::source::{ClassSource, EntryInfo, EntryKind};

/// Whose code a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The program that crashed; its frames are the ones that a test should call.
    Project,
    /// Code that the program uses.
    Library,
    /// Part of the JDK.
    Jdk,
}

/// How the user tells the project from its libraries. No scope makes classes of the JDK the
/// project's.
pub enum Scope {
    /// Classes in these packages (binary names, with everything below them).
    Packages(Vec<String>),
    /// Classes whose binary name satisfies a predicate.
    Matching(Box<dyn Fn(&str) -> bool + Send + Sync>),
    /// Classes that lie in directories of the class path, as those of a build do.
    Directories,
    /// Classes that lie in directories of the class path with these paths, as those of a build's modules
    /// do beside the classes of their tests.
    Folders(BTreeSet<String>),
    /// Every class of the class path outside the JDK that may belong to the project. The user said
    /// nothing, and everything lies in jars; see [`Origins::of_crash`] for the jars that count.
    Everything,
}

/// The origin of every class, for one scope and, where given, one crash.
///
/// Questions are cheap: the answer for a class of the class path is looked up in the class index
/// and computed at most once.
pub struct Origins<'s> {
    source: &'s dyn ClassSource,
    scope: &'s Scope,
    /// Paths of the entries that hold classes of the crash's frames; none without a crash.
    crashed_entries: Option<BTreeSet<&'s str>>,
    /// For each class of each shard what was found, as [`Known`] encodes it.
    known: Vec<Box<[AtomicU8]>>,
}

impl<'s> Origins<'s> {
    /// The origins of all classes as far as the scope alone tells.
    pub fn new(classes: &Classes<'s>, scope: &'s Scope) -> Self {
        let source = classes.source();
        let shards = source.index().shards().iter();
        let known = shards.map(|shard| (0..shard.len()).map(|_| AtomicU8::default()).collect()).collect();
        Self { source, scope, crashed_entries: None, known }
    }

    /// The origins of all classes for a crash.
    ///
    /// The crash matters to [`Scope::Everything`] alone. Among many jars, those that hold classes
    /// of the crash's frames count as the project, and all others as libraries: a jar is built and
    /// versioned as a whole, so it belongs to the project with all its packages or not at all.
    /// Names of packages tell less. Projects share their first segments with others
    /// (`org.apache.commons`) and differ in how many of them name the project.
    pub fn of_crash(classes: &Classes<'s>, scope: &'s Scope, throwable: &Throwable) -> Self {
        let source = classes.source();
        let names: BTreeSet<&str> = throwable.frames.iter().map(|it| it.class.as_str()).collect();
        // All copies of a class count, since the crash may have come from any of them.
        let places = names.into_iter().flat_map(|it| places(source.index(), it));
        let entries = places.filter_map(|it| source.entry(it)).map(|it| it.path.as_str()).collect();
        Self { crashed_entries: Some(entries), ..Self::new(classes, scope) }
    }

    /// The origin of a class, given by its internal name. That of an array type is the origin of
    /// its elements.
    ///
    /// A class that the class path lacks is judged by its name: by the names of the JDK's packages
    /// and, if the scope is one of names, by the scope. Otherwise it counts as a library's.
    pub fn origin(&self, internal_name: &str) -> Origin {
        let Some(class) = element_class(internal_name) else { return Origin::Jdk };
        match self.source.index().get(class) {
            Some(view) => self.origin_at(view.reference()),
            None => self.decide(class, None),
        }
    }

    /// The origin of one copy of a class.
    pub fn origin_at(&self, class: ClassRef) -> Origin {
        let shard = self.known.get(class.shard as usize);
        let known = shard.and_then(|it| it.get(class.class as usize));
        if let Some(origin) = known.and_then(|it| Known::decode(it.load(Ordering::Relaxed))) {
            return origin;
        }
        let name = self.source.index().view(class).map_or("", |it| it.name());
        let origin = self.decide(name, self.source.entry(class));
        if let Some(known) = known {
            known.fetch_or(Known::encode(origin), Ordering::Relaxed);
        }
        origin
    }

    /// Whether a class, given by its internal name, is the project's.
    pub fn is_project(&self, internal_name: &str) -> bool {
        self.origin(internal_name) == Origin::Project
    }

    /// Whether a class, given by its internal name, belongs to the JDK.
    pub fn is_jdk(&self, internal_name: &str) -> bool {
        self.origin(internal_name) == Origin::Jdk
    }

    /// Whether a class, given by its internal name, lies among the tests of a program: in a jar or
    /// folder that build tools keep for them.
    pub fn is_of_tests(&self, internal_name: &str) -> bool {
        let class = element_class(internal_name).and_then(|it| self.source.index().places(it).next());
        let Some(class) = class else { return false };
        let known = self.known.get(class.shard as usize).and_then(|it| it.get(class.class as usize));
        match known.map_or(0, |it| it.load(Ordering::Relaxed)) & (Known::OF_TESTS | Known::NO_TESTS) {
            0 => {
                let answer = self.source.entry(class).is_some_and(holds_tests);
                let bit = if answer { Known::OF_TESTS } else { Known::NO_TESTS };
                if let Some(known) = known {
                    known.fetch_or(bit, Ordering::Relaxed);
                }
                answer
            }
            answer => answer == Known::OF_TESTS,
        }
    }

    /// The shortest list of names that covers the project's classes of the class path and no other
    /// of its classes: `a/b/` stands for all classes in the package `a/b` and below it, `a/b/C` for
    /// a single class. In order. For processes that do not have the class index.
    pub fn project_names(&self) -> Vec<String> {
        let mut packages: BTreeMap<&str, Mixture> = BTreeMap::new();
        for (package, classes) in self.source.index().packages() {
            let mixture = classes
                .iter()
                .map(|&it| Mixture::of(self.origin_at(it)))
                .fold(Mixture::default(), Mixture::join);
            for above in with_packages_above(package) {
                let known = packages.entry(above).or_default();
                *known = known.join(mixture);
            }
        }
        let is_project =
            |package: &str| !package.is_empty() && packages.get(package).is_some_and(|it| it.is_pure());
        let mut names = BTreeSet::new();
        for (package, classes) in self.source.index().packages() {
            match with_packages_above(package).filter(|it| is_project(it)).last() {
                Some(highest) => drop(names.insert(format!("{highest}/"))),
                None => {
                    let own = classes.iter().filter(|it| self.origin_at(**it) == Origin::Project);
                    let views = own.filter_map(|it| self.source.index().view(*it));
                    names.extend(views.map(|it| it.name().to_owned()));
                }
            }
        }
        names.into_iter().collect()
    }

    fn decide(&self, internal_name: &str, entry: Option<&EntryInfo>) -> Origin {
        if is_jdk(internal_name, entry) {
            return Origin::Jdk;
        }
        let is_project = match self.scope {
            Scope::Packages(packages) => {
                let name = binary_name(internal_name);
                packages.iter().any(|it| is_in_package(&name, it))
            }
            Scope::Matching(matches) => matches(&binary_name(internal_name)),
            Scope::Directories => entry.is_some_and(|it| it.kind == EntryKind::Directory),
            Scope::Folders(folders) => entry.is_some_and(|it| folders.contains(&it.path)),
            Scope::Everything => entry.is_some_and(|it| {
                self.crashed_entries.as_ref().is_none_or(|crashed| crashed.contains(it.path.as_str()))
            }),
        };
        if is_project { Origin::Project } else { Origin::Library }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packages(prefixes) => f.debug_tuple("Packages").field(prefixes).finish(),
            Self::Matching(_) => f.write_str("Matching"),
            Self::Directories => f.write_str("Directories"),
            Self::Folders(folders) => f.debug_tuple("Folders").field(folders).finish(),
            Self::Everything => f.write_str("Everything"),
        }
    }
}

/// Whether a class belongs to the JDK: by the class-path entry that holds it, else by its name.
pub(crate) fn is_jdk(internal_name: &str, entry: Option<&EntryInfo>) -> bool {
    entry.map_or_else(|| is_jdk_name(internal_name), |it| it.kind == EntryKind::Jdk)
}

/// Whether an entry is named as Maven and Gradle name the classes of tests.
fn holds_tests(entry: &EntryInfo) -> bool {
    let path = entry.path.trim_end_matches(['/', '\\']).replace('\\', "/");
    match entry.kind {
        EntryKind::Jar => path.ends_with("-tests.jar") || path.ends_with("-test.jar"),
        EntryKind::Directory => {
            let folder = path.rsplit('/').take(3).collect::<Vec<_>>();
            matches!(folder.as_slice(), ["test-classes", ..] | ["test", _, "classes"])
        }
        EntryKind::Jdk => false,
    }
}

/// All copies of a class, given by its binary name.
fn places(index: &ClassIndex, binary_name: &str) -> Vec<ClassRef> {
    index.places(&internal_name(binary_name)).collect()
}

/// The class of an array's innermost elements; none for those of primitive types.
fn element_class(internal_name: &str) -> Option<&str> {
    match internal_name.strip_prefix('[') {
        Some(component) => component.trim_start_matches('[').strip_prefix('L')?.strip_suffix(';'),
        None => Some(internal_name),
    }
}

/// A prefix ends at a dot, a `$` or the end of the name, so that `com.acme` does not take in
/// `com.acmeco`; a prefix that ends with a dot already says so.
fn is_in_package(binary_name: &str, prefix: &str) -> bool {
    let Some(rest) = binary_name.strip_prefix(prefix) else { return false };
    rest.is_empty() || prefix.ends_with('.') || rest.starts_with(['.', '$'])
}

/// A package and the packages above it, nearest first; the unnamed one alone has none.
fn with_packages_above(package: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(package), |it| it.rsplit_once('/').map(|(above, _)| above))
}

/// Whether packages hold classes of the project, and whether they hold others.
#[derive(Clone, Copy, Default)]
struct Mixture {
    project: bool,
    others: bool,
}

impl Mixture {
    fn of(origin: Origin) -> Self {
        let project = origin == Origin::Project;
        Self { project, others: !project }
    }

    fn join(self, other: Self) -> Self {
        Self { project: self.project || other.project, others: self.others || other.others }
    }

    fn is_pure(self) -> bool {
        self.project && !self.others
    }
}

/// Origins as bytes that can be shared between threads, with a bit for classes among the tests of a
/// program and one for all others. 0 stands for what was not asked for yet. Threads that ask at once
/// find the same, so no order between them is needed.
struct Known;

impl Known {
    const OF_TESTS: u8 = 4;
    const NO_TESTS: u8 = 8;

    fn encode(origin: Origin) -> u8 {
        match origin {
            Origin::Project => 1,
            Origin::Library => 2,
            Origin::Jdk => 3,
        }
    }

    fn decode(byte: u8) -> Option<Origin> {
        match byte & 3 {
            1 => Some(Origin::Project),
            2 => Some(Origin::Library),
            3 => Some(Origin::Jdk),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EntryInfo, EntryKind, element_class, holds_tests, is_in_package, with_packages_above};

    #[test]
    fn packages_end_at_a_dot() {
        assert!(is_in_package("com.acme.Shop", "com.acme"));
        assert!(is_in_package("com.acme.Shop", "com.acme."));
        assert!(is_in_package("com.acme.Shop$Till", "com.acme.Shop"));
        assert!(!is_in_package("com.acmeco.Shop", "com.acme"));
        assert!(!is_in_package("com.Acme", "com.acme"));
    }

    #[test]
    fn arrays_belong_where_their_elements_do() {
        assert_eq!(element_class("a/B"), Some("a/B"));
        assert_eq!(element_class("[La/B;"), Some("a/B"));
        assert_eq!(element_class("[[La/B;"), Some("a/B"));
        assert_eq!(element_class("[[I"), None);
    }

    #[test]
    fn packages_above_are_listed_nearest_first() {
        assert_eq!(with_packages_above("a/b/c").collect::<Vec<_>>(), ["a/b/c", "a/b", "a"]);
        assert_eq!(with_packages_above("").collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn classes_of_tests_lie_where_build_tools_put_them() {
        let is_of_tests = |path: &str, kind: EntryKind| {
            holds_tests(&EntryInfo { path: path.to_owned(), kind, ..EntryInfo::default() })
        };
        assert!(is_of_tests("lib/shop-1.0-tests.jar", EntryKind::Jar));
        assert!(is_of_tests("shop/target/test-classes/", EntryKind::Directory));
        assert!(is_of_tests("shop/build/classes/java/test", EntryKind::Directory));
        assert!(!is_of_tests("lib/test-tools-1.0.jar", EntryKind::Jar));
        assert!(!is_of_tests("shop/target/classes", EntryKind::Directory));
        assert!(!is_of_tests("test", EntryKind::Directory), "a folder may have any name");
    }
}
