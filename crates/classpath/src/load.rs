//! Loading class-path entries: from the cache where possible, else by indexing, all in parallel, in
//! waves because manifests name further entries.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::archive::{Archive, ArchiveError, Fingerprint};
use crate::cache::{Cache, CacheKey};
use crate::container::Container;
use crate::image::{self, ImageError, JdkImage};
use crate::part::Part;
use crate::problem::{Problem, ProblemKind};
use crate::{directory, expand, jar, symbols};

/// A class-path entry on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Jar(PathBuf),
    /// A jar of a JDK, with the list of its classes that programs may name.
    Listed {
        jar: PathBuf,
        list: PathBuf,
    },
    Directory(PathBuf),
    Image(PathBuf),
}

/// A class-path entry after loading.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    /// The parts that were found, each with the container that gives the bytes of its classes.
    pub(crate) parts: Vec<(Part, Container)>,
    /// Problems of the entry as a whole.
    pub(crate) problems: Vec<Problem>,
    /// The entries its manifest adds, as numbers in the list of all.
    pub(crate) follows: Vec<usize>,
    /// Whether its index was put into the cache.
    stored: bool,
}

impl Source {
    /// The kind of entry at a path; none when it does not exist.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let data = fs::metadata(path).ok()?;
        let path = path.to_owned();
        Some(if data.is_dir() { Self::Directory(path) } else { Self::Jar(path) })
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Jar(path) | Self::Directory(path) | Self::Image(path) => path,
            Self::Listed { jar, .. } => jar,
        }
    }

    /// Large ones are loaded first, so that no processor ends up waiting for a last large one.
    fn weight(&self) -> u64 {
        match self {
            Self::Directory(_) => u64::MAX,
            Self::Jar(_) | Self::Listed { .. } | Self::Image(_) => {
                fs::metadata(self.path()).map_or(0, |data| data.len())
            }
        }
    }
}

/// Loads entries.
pub(crate) struct Loader<'a> {
    pub(crate) cache: Option<&'a Cache>,
    /// The release of the JDK, for multi-release jars.
    pub(crate) feature: u16,
}

impl Loader<'_> {
    /// Loads `sources` and everything their manifests lead to. The result begins with the sources,
    /// in their order.
    pub(crate) fn load_all(&self, sources: Vec<Source>) -> Vec<Loaded> {
        let mut numbers: HashMap<PathBuf, usize> = HashMap::new();
        for (number, source) in sources.iter().enumerate() {
            numbers.entry(identity(source.path())).or_insert(number);
        }
        let mut loaded: Vec<Loaded> = Vec::new();
        let mut wave = sources;
        while !wave.is_empty() {
            let start = loaded.len();
            loaded.extend(self.load_wave(wave));
            wave = follow_manifests(&mut loaded, start, &mut numbers);
        }
        loaded
    }

    fn load_wave(&self, wave: Vec<Source>) -> Vec<Loaded> {
        let mut order: Vec<(u64, usize, Source)> =
            wave.into_iter().enumerate().map(|(number, source)| (source.weight(), number, source)).collect();
        order.sort_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
        // A unit of work is one entry, so that the large ones at the front are spread over the
        // processors.
        let mut loaded: Vec<(usize, Loaded)> = order
            .into_par_iter()
            .with_max_len(1)
            .map(|(_, number, source)| (number, self.load(source)))
            .collect();
        loaded.sort_by_key(|(number, _)| *number);
        loaded.into_iter().map(|(_, loaded)| loaded).collect()
    }

    fn load(&self, source: Source) -> Loaded {
        let mut loaded =
            Loaded { source, parts: Vec::new(), problems: Vec::new(), follows: Vec::new(), stored: false };
        let path = loaded.source.path().to_owned();
        let result = match loaded.source.clone() {
            Source::Directory(_) => {
                loaded.parts.push((directory::index(&path), Container::Directory(path.clone())));
                Ok(())
            }
            Source::Jar(_) => self.load_jar(&path, None, &mut loaded).map_err(|error| error.to_string()),
            Source::Listed { list, .. } => {
                self.load_jar(&path, Some(&list), &mut loaded).map_err(|error| error.to_string())
            }
            Source::Image(_) => self.load_image(&path, &mut loaded).map_err(|error| error.to_string()),
        };
        if let Err(reason) = result {
            let message = match &loaded.source {
                Source::Image(_) => format!("cannot read the classes of this JDK: {reason}"),
                _ => format!("cannot be used: {reason}; replace it or take it off the class path"),
            };
            let subject = path.display().to_string();
            loaded.problems.push(Problem::new(ProblemKind::UnreadableEntry, subject, message));
        }
        loaded
    }

    fn load_jar(&self, path: &Path, list: Option<&Path>, loaded: &mut Loaded) -> Result<(), ArchiveError> {
        // A damaged list hides nothing; the compiler says what is wrong with it.
        let list = list.and_then(|it| Archive::open(it).ok());
        let of_list = list.as_ref().and_then(|it| it.fingerprint().ok());
        let key = |fingerprint: Fingerprint| {
            let feature = fingerprint.versioned.then_some(self.feature);
            match of_list {
                None => CacheKey::new("jar", fingerprint.hash, feature),
                Some(list) => CacheKey::new("listed", fingerprint.hash ^ list.hash, feature),
            }
        };
        if let Some(cache) = self.cache {
            let fingerprint = Archive::open(path)?.fingerprint()?;
            if let Some(parts) = cache.load(key(fingerprint)) {
                loaded.parts = with_containers(parts, path, fingerprint);
                return Ok(());
            }
        }
        let archive = Archive::from_bytes(fs::read(path)?)?;
        // Taken again, of the very bytes that are indexed: the file may have changed since.
        let fingerprint = archive.fingerprint()?;
        let listed = list.as_ref().and_then(|it| symbols::read(it).ok());
        let parts = jar::index(&archive, self.feature, listed.as_ref())?;
        self.store(key(fingerprint), &parts, loaded);
        loaded.parts = with_containers(parts, path, fingerprint);
        Ok(())
    }

    fn load_image(&self, path: &Path, loaded: &mut Loaded) -> Result<(), ImageError> {
        let key = CacheKey::new("image", image::fingerprint(path)?, None);
        let (part, image) = match self.cache.and_then(|cache| cache.load(key)?.pop()) {
            Some(part) => (part, OnceLock::new()),
            None => {
                let image = JdkImage::open(path)?;
                let parts = vec![image.index()?];
                self.store(key, &parts, loaded);
                (parts.into_iter().next().ok_or(ImageError::Damaged)?, OnceLock::from(Ok(image)))
            }
        };
        let container =
            Container::Image { path: path.to_owned(), image, modules: part.facts.modules.clone() };
        loaded.parts.push((part, container));
        Ok(())
    }

    fn store(&self, key: CacheKey, parts: &[Part], loaded: &mut Loaded) {
        let Some(cache) = self.cache else { return };
        match cache.store(key, parts) {
            Ok(()) => loaded.stored = true,
            Err(error) => loaded.problems.push(cache.problem(&error)),
        }
    }
}

fn with_containers(parts: Vec<Part>, path: &Path, fingerprint: Fingerprint) -> Vec<(Part, Container)> {
    let container = |part: Part| {
        let container = Container::jar(path.to_owned(), part.facts.inner.as_ref(), fingerprint);
        (part, container)
    };
    parts.into_iter().map(container).collect()
}

/// The entries that the manifests of `loaded[start..]` name and that are not known yet.
fn follow_manifests(
    loaded: &mut [Loaded],
    start: usize,
    numbers: &mut HashMap<PathBuf, usize>,
) -> Vec<Source> {
    let total = loaded.len();
    let mut next: Vec<Source> = Vec::new();
    for entry in loaded.get_mut(start..).unwrap_or_default() {
        let jar = entry.source.path().to_owned();
        let addresses =
            entry.parts.first().map(|(part, _)| part.facts.class_path.clone()).unwrap_or_default();
        let mut missing = Vec::new();
        for address in addresses {
            let Some(file) = expand::manifest_file(&jar, &address) else { continue };
            let Some(source) = Source::at(&file) else {
                missing.push(address);
                continue;
            };
            let number = *numbers.entry(identity(&file)).or_insert_with(|| {
                next.push(source);
                total + next.len() - 1
            });
            entry.follows.push(number);
        }
        if !missing.is_empty() {
            let message = format!(
                "its manifest adds {} to the class path, which cannot be found; a JVM ignores that too",
                missing.join(", ")
            );
            let subject = jar.display().to_string();
            entry.problems.push(Problem::new(ProblemKind::MissingManifestEntry, subject, message));
        }
    }
    next
}

/// Two paths with the same identity are the same file.
pub(crate) fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Whether any index was put into the cache, so that its size must be looked at.
pub(crate) fn any_stored(loaded: &[Loaded]) -> bool {
    loaded.iter().any(|entry| entry.stored)
}

/// The order in which a JVM searches: each entry, then the entries that its manifest names, each
/// only once.
pub(crate) fn search_order(loaded: &[Loaded], given: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; loaded.len()];
    let mut stack: Vec<usize> = (0..given).rev().collect();
    while let Some(number) = stack.pop() {
        let Some(seen) = seen.get_mut(number).filter(|seen| !**seen) else { continue };
        *seen = true;
        order.push(number);
        if let Some(entry) = loaded.get(number) {
            stack.extend(entry.follows.iter().rev());
        }
    }
    order
}
