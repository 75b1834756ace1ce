//! Jars: the entries that are classes for a given JDK, and the facts of their manifests.

use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::archive::{Archive, ArchiveEntry, ArchiveError, EntryReader, Fingerprint, VERSIONS_PREFIX};
use crate::identity::Identity;
use crate::manifest::Manifest;
use crate::part::{BuiltShard, Facts, InnerJar, Part, PartBuilder, split_by_size};
use crate::problem::{Problem, ProblemKind};
use crate::symbols::Listed;

/// Folders that containers use as the root of classes.
const CLASS_ROOTS: [&str; 2] = ["WEB-INF/classes/", "BOOT-INF/classes/"];
/// Folders in which containers look for jars.
const JAR_FOLDERS: [&str; 2] = ["WEB-INF/lib/", "BOOT-INF/lib/"];

const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// Indexes a jar as a JDK of the given feature version sees it: first its own classes, then the
/// jars inside it. Where its classes that programs may name are listed, the others count as unexported.
pub(crate) fn index(
    archive: &Archive<Vec<u8>>,
    feature: u16,
    listed: Option<&Listed>,
) -> Result<Vec<Part>, ArchiveError> {
    let contents = Contents::read(archive)?;
    let mut parts = vec![index_classes(archive, &contents, feature, listed)];
    let inner: Vec<Part> = contents
        .inner_jars
        .par_iter()
        .map(|(inner, entry)| {
            let mut part = index_inner(archive, entry, feature).unwrap_or_else(|error| {
                let message = format!("cannot read this jar inside the jar: {error}");
                let problem = Problem::new(ProblemKind::UnreadableEntry, "", message);
                Part { facts: Facts { problems: vec![problem], ..Facts::default() }, shards: Vec::new() }
            });
            part.facts.inner = Some(inner.clone());
            part
        })
        .collect();
    parts.extend(inner);
    Ok(parts)
}

fn index_inner(outer: &Archive<Vec<u8>>, entry: &ArchiveEntry, feature: u16) -> Result<Part, ArchiveError> {
    let archive = Archive::from_bytes(EntryReader::new().read(outer, entry)?.to_vec())?;
    // Jars two levels down are in no class path that any container makes.
    Ok(index_classes(&archive, &Contents::read(&archive)?, feature, None))
}

fn index_classes(
    archive: &Archive<Vec<u8>>,
    contents: &Contents,
    feature: u16,
    listed: Option<&Listed>,
) -> Part {
    let mut reader = EntryReader::new();
    let mut text = |entry: &Option<ArchiveEntry>| {
        entry.as_ref().and_then(|entry| reader.read(archive, entry).ok().map(<[u8]>::to_vec))
    };
    let manifest = Manifest::parse(&text(&contents.manifest).unwrap_or_default());
    let properties = if contents.pom_count == 1 { text(&contents.pom_properties) } else { None };
    let (classes, problems) = select(&contents.classes, manifest.is_multi_release().then_some(feature));
    let runs = split_by_size(&classes, |class| class.entry.size);
    let facts = Facts {
        identity: Identity::of_jar(&manifest, properties.as_deref()),
        signed: contents.signed,
        class_path: manifest.class_path().map(str::to_owned).collect(),
        problems,
        ..Facts::default()
    };
    Part::new(facts, runs.into_par_iter().map(|run| index_run(archive, run, listed)).collect())
}

fn index_run(archive: &Archive<Vec<u8>>, run: &[&ClassEntry], listed: Option<&Listed>) -> BuiltShard {
    let mut reader = EntryReader::new();
    let mut builder = PartBuilder::default();
    for class in run {
        let bytes = reader.read(archive, &class.entry);
        if listed.is_none_or(|it| it.contains(&class.path)) {
            builder.add(&class.path, class.number, bytes);
        } else {
            builder.add_unexported(&class.path, class.number, bytes);
        }
    }
    builder.finish()
}

/// The entries of a jar that matter.
#[derive(Default)]
struct Contents {
    classes: Vec<ClassEntry>,
    inner_jars: Vec<(InnerJar, ArchiveEntry)>,
    manifest: Option<ArchiveEntry>,
    pom_properties: Option<ArchiveEntry>,
    /// A jar made of several has several; then none of them is its own.
    pom_count: usize,
    signed: bool,
}

/// A class file in a jar.
struct ClassEntry {
    /// The path a class loader would ask for: without the release's folder or the container's root.
    path: String,
    /// The Java release it is for; 0 for all.
    release: u16,
    number: u32,
    entry: ArchiveEntry,
}

impl Contents {
    fn read(archive: &Archive<Vec<u8>>) -> Result<Self, ArchiveError> {
        let mut contents = Self::default();
        archive.visit(|number, path, entry| contents.add(number, &String::from_utf8_lossy(path), entry))?;
        Ok(contents)
    }

    fn add(&mut self, number: u32, path: &str, entry: ArchiveEntry) {
        if path.ends_with(".class") {
            let (release, path) = split_release(path);
            let root = CLASS_ROOTS.iter().find_map(|root| path.strip_prefix(root));
            let path = root.unwrap_or(path).to_owned();
            // A module descriptor is no class, and no loader gives it out as one.
            if path != "module-info.class" {
                self.classes.push(ClassEntry { path, release, number, entry });
            }
        } else if path.eq_ignore_ascii_case(MANIFEST) {
            self.manifest.get_or_insert(entry);
        } else if let Some(meta) = path.strip_prefix("META-INF/") {
            self.signed |= !meta.contains('/') && meta.to_ascii_uppercase().ends_with(".SF");
            if meta.starts_with("maven/") && meta.ends_with("/pom.properties") {
                self.pom_count += 1;
                self.pom_properties = Some(entry);
            }
        } else if JAR_FOLDERS.iter().any(|folder| path.starts_with(folder)) && path.ends_with(".jar") {
            self.inner_jars.push((InnerJar { path: path.to_owned(), number }, entry));
        }
    }
}

/// The manifest of a jar, if it can be read.
pub(crate) fn manifest(jar: &Path) -> Option<Manifest> {
    let archive = Archive::open(jar).ok()?;
    let mut found = None;
    let visited = archive.visit(|_, path, entry| {
        if path.eq_ignore_ascii_case(MANIFEST.as_bytes()) {
            found.get_or_insert(entry);
        }
    });
    let entry = found.filter(|_| visited.is_ok())?;
    EntryReader::new().read(&archive, &entry).ok().map(Manifest::parse)
}

/// Paths of the files in a jar that are no classes, as a class loader would be asked for them, in
/// the order of the jar.
pub(crate) fn resources<R: rawzip::ReaderAt>(archive: &Archive<R>, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    // Records before a damaged one are used all the same.
    let _ = archive.visit(|_, path, _| {
        let path = String::from_utf8_lossy(path);
        let root = CLASS_ROOTS.iter().find_map(|root| path.strip_prefix(root));
        if found.len() < most && !path.ends_with(".class") {
            found.push(root.unwrap_or(&path).to_owned());
        }
    });
    found
}

/// The release and the path inside its folder, for paths as in multi-release jars.
fn split_release(path: &str) -> (u16, &str) {
    let split = path.strip_prefix(VERSIONS_PREFIX).and_then(|rest| rest.split_once('/'));
    match split.map(|(release, inside)| (release.parse(), inside)) {
        Some((Ok(release), inside)) if release > 0 => (release, inside),
        _ => (0, path),
    }
}

/// The classes a class loader finds, sorted by path. With a feature version the newest release up
/// to it counts, and none below 9; without one the jar is not multi-release. Of entries with the
/// same path the last counts, as in the JDK.
fn select(classes: &[ClassEntry], feature: Option<u16>) -> (Vec<&ClassEntry>, Vec<Problem>) {
    let applies = |class: &&ClassEntry| {
        class.release == 0 || feature.is_some_and(|feature| (9..=feature).contains(&class.release))
    };
    let mut chosen: Vec<&ClassEntry> = classes.iter().filter(applies).collect();
    chosen.sort_by(|a, b| (&a.path, b.release, b.number).cmp(&(&b.path, a.release, a.number)));
    let mut problems = Vec::new();
    chosen.dedup_by(|later, kept| {
        let same = later.path == kept.path;
        if same && later.release == kept.release {
            let message =
                "the jar holds this class more than once; the last copy counts, as it does for a JVM";
            problems.push(Problem::new(ProblemKind::RepeatedClass, &*kept.path, message));
        }
        same
    });
    (chosen, problems)
}

/// A jar whose classes can be read again: where its entries are is found out at the first class.
pub(crate) struct JarReader {
    entries: OnceLock<Result<Vec<Option<ArchiveEntry>>, String>>,
    fingerprint: Fingerprint,
}

impl JarReader {
    /// `fingerprint` is that of the jar that was indexed; a jar that has another one now is
    /// refused.
    pub(crate) fn new(fingerprint: Fingerprint) -> Self {
        Self { entries: OnceLock::new(), fingerprint }
    }

    pub(crate) fn read<R: rawzip::ReaderAt>(
        &self,
        archive: &Archive<R>,
        number: u32,
    ) -> Result<Vec<u8>, String> {
        self.read_with(archive, number, &mut EntryReader::new()).map(<[u8]>::to_vec)
    }

    /// The same for many entries, one after the other.
    pub(crate) fn read_with<'r, R: rawzip::ReaderAt>(
        &self,
        archive: &Archive<R>,
        number: u32,
        reader: &'r mut EntryReader,
    ) -> Result<&'r [u8], String> {
        let entries =
            self.entries.get_or_init(|| self.find_entries(archive).map_err(|error| error.to_string()));
        let entries = entries.as_ref().map_err(Clone::clone)?;
        let entry = entries.get(number as usize).and_then(Option::as_ref);
        let entry = entry.ok_or_else(|| ArchiveError::Changed.to_string())?;
        reader.read(archive, entry).map_err(|error| error.to_string())
    }

    /// Names the content of the jar that was indexed.
    pub(crate) fn fingerprint(&self) -> u128 {
        self.fingerprint.hash
    }

    fn find_entries<R: rawzip::ReaderAt>(
        &self,
        archive: &Archive<R>,
    ) -> Result<Vec<Option<ArchiveEntry>>, ArchiveError> {
        if archive.fingerprint()? != self.fingerprint {
            return Err(ArchiveError::Changed);
        }
        let mut entries = Vec::new();
        archive.visit(|number, _, entry| {
            entries.resize(number as usize, None);
            entries.push(Some(entry));
        })?;
        Ok(entries)
    }
}
