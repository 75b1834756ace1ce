//! Results that are worked out from class files and kept beside the indexes.

use std::io;
use std::sync::Mutex;

use crashback_program::ClassSource as _;
use crashback_program::index::{ClassRef, ClassView};
use crashback_program::source::EntryKind;
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3Default;

use crate::cache::{Cache, CacheKey};
use crate::container::Container;
use crate::problem::Problem;
use crate::{CacheSettings, ClassPath};

/// The results for the class files of a class path, those of the JDK left out.
#[derive(Debug, Default)]
pub struct Derived {
    /// One result for each run of some megabytes of class files, in class-path order.
    pub results: Vec<Vec<u8>>,
    /// How many class files were looked at, now or earlier.
    pub classes: usize,
    /// How many of the results came from the cache.
    pub cached: usize,
    /// A cache that could not be written.
    pub problem: Option<Problem>,
}

/// The class files of a run, in order.
pub type ClassFiles<'r> = dyn FnMut(&mut dyn FnMut(&[u8])) + 'r;

impl ClassPath {
    /// Works something out from all class files outside the JDK, on all processors, and keeps the results.
    /// A jar that changed is read again, and no other.
    ///
    /// `name` stands for the function, its version and its settings: equal names and class files mean equal
    /// results. The function gets the class files of one run, and yields its result.
    pub fn derive(
        &self,
        name: &str,
        cache: Option<&CacheSettings>,
        derive: impl Fn(&mut ClassFiles<'_>) -> Vec<u8> + Sync,
    ) -> Derived {
        let settings = cache;
        let cache = cache.map(|it| Cache::new(it.directory.clone()));
        let failure: Mutex<Option<io::Error>> = Mutex::default();
        let is_stored = Mutex::new(false);
        // A unit of work is one run, so that large entries are spread over the processors.
        let runs: Vec<Run<'_>> = self.runs().collect();
        let found: Vec<(Vec<u8>, bool)> = runs
            .par_iter()
            .with_max_len(1)
            .map(|run| {
                let key = cache.as_ref().and_then(|_| run.key(name));
                let kept = cache.as_ref().zip(key).and_then(|(cache, key)| cache.load_bytes(key));
                if let Some(kept) = kept {
                    return (kept, true);
                }
                let mut is_whole = true;
                let result = derive(&mut |look| is_whole = run.for_each(look));
                if let Some((cache, key)) = cache.as_ref().zip(key).filter(|_| is_whole) {
                    match cache.store_bytes(key, &result) {
                        Ok(()) => put(&is_stored, true),
                        Err(error) => put(&failure, Some(error)),
                    }
                }
                (result, false)
            })
            .collect();
        let failure = failure.into_inner().unwrap_or_default();
        let is_stored = is_stored.into_inner().unwrap_or_default();
        let shrunk = match cache.as_ref().zip(settings).filter(|_| is_stored) {
            Some((cache, settings)) => cache.shrink(settings.max_bytes).err(),
            None => None,
        };
        Derived {
            classes: runs.iter().map(|it| it.count as usize).sum(),
            cached: found.iter().filter(|(_, is_cached)| *is_cached).count(),
            problem: cache.zip(failure.or(shrunk)).map(|(cache, error)| cache.problem(&error)),
            results: found.into_iter().map(|(result, _)| result).collect(),
        }
    }

    /// The shards outside the JDK.
    fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        let shards = (0u32..).zip(self.index.shards()).zip(&self.entry_of_shard);
        shards.filter_map(|((number, shard), entry)| {
            let entry = self.entries.get(*entry).filter(|it| it.info.kind != EntryKind::Jdk)?;
            Some(Run { class_path: self, container: &entry.container, shard: number, count: shard.len() })
        })
    }
}

/// The class files of one shard.
struct Run<'p> {
    class_path: &'p ClassPath,
    container: &'p Container,
    shard: u32,
    count: u32,
}

impl<'p> Run<'p> {
    /// Names the result for the content of its class files; none if that cannot be read.
    fn key(&self, name: &str) -> Option<CacheKey> {
        let mut hash = Xxh3Default::new();
        hash.update(self.class_path.index.shards().get(self.shard as usize)?.as_bytes());
        match self.container.fingerprint() {
            Some(fingerprint) => hash.update(&fingerprint.to_le_bytes()),
            // Files of a folder may change at any time, so that only their content tells.
            None if !self.for_each(&mut |bytes| hash.update(bytes)) => return None,
            None => {}
        }
        Some(CacheKey::new(name, hash.digest128(), None))
    }

    /// Gives all class files to a function; false if some could not be read, which are passed over.
    fn for_each(&self, look: &mut dyn FnMut(&[u8])) -> bool {
        self.container.read_each(self.classes(), look)
    }

    fn classes(&self) -> impl Iterator<Item = ClassView<'p>> + use<'p> {
        let (shard, index) = (self.shard, self.class_path.index());
        (0..self.count).filter_map(move |class| index.view(ClassRef { shard, class }))
    }
}

/// A poisoned lock only means that another thread died between two complete values.
fn put<T>(place: &Mutex<T>, value: T) {
    *place.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = value;
}
