//! Indexes kept on disk, one file for each content.
//!
//! Invariants: a file appears whole or not at all (it is written under another name and renamed);
//! content is checked before it is used, and a file that is damaged or of another version counts as
//! absent; nothing here can fail more than "not cached"; processes share the folder without locks,
//! because equal names mean equal contents.
//!
//! A file is: magic, length and checksum of the description, the description (JSON), the shards one
//! after the other.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crashback_program::index::{FORMAT_VERSION, Shard};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use crate::part::{Facts, Part};
use crate::problem::{Problem, ProblemKind};

/// The version of the file format. It changes with every change of the format or of how facts are
/// found.
const CACHE_VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"CBindex\n";
const HEADER_SIZE: usize = 28;
const EXTENSION: &str = "cbindex";
/// Files in use are marked as such at most this often, because marking costs a write.
const TOUCH_INTERVAL: Duration = Duration::from_hours(12);
/// A half-written file this old is left over from a process that died.
const ABANDONED: Duration = Duration::from_hours(24);

/// Names the content of a class-path entry as a JDK sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CacheKey(u128);

impl CacheKey {
    /// `fingerprint` covers the content; `feature` is given when the index depends on the release
    /// of the JDK.
    pub(crate) fn new(kind: &str, fingerprint: u128, feature: Option<u16>) -> Self {
        let mut hash = Xxh3Default::new();
        hash.update(kind.as_bytes());
        hash.update(&fingerprint.to_le_bytes());
        hash.update(&CACHE_VERSION.to_le_bytes());
        hash.update(&FORMAT_VERSION.to_le_bytes());
        hash.update(&feature.unwrap_or(0).to_le_bytes());
        Self(hash.digest128())
    }
}

/// A folder of indexes.
pub(crate) struct Cache {
    directory: PathBuf,
    now: SystemTime,
}

/// The description of each part, which precedes its shards in a file.
#[derive(Serialize, Deserialize)]
struct DescribedPart {
    facts: Facts,
    shard_sizes: Vec<usize>,
}

impl Cache {
    #[expect(clippy::disallowed_methods, reason = "the clock decides only which files are old")]
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory, now: SystemTime::now() }
    }

    /// The number of the day, for keys of what is asked once a day.
    pub(crate) fn day(&self) -> u64 {
        let since = self.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        since.as_secs() / Duration::from_hours(24).as_secs()
    }

    /// The index of that content, if it is there and whole.
    pub(crate) fn load(&self, key: CacheKey) -> Option<Vec<Part>> {
        let mut file = File::open(self.path(key)).ok()?;
        let parts = read(&mut file)?;
        self.mark_used(key, &file)?;
        Some(parts)
    }

    fn mark_used(&self, key: CacheKey, file: &File) -> Option<()> {
        let modified = file.metadata().and_then(|data| data.modified()).ok()?;
        if self.now.duration_since(modified).is_ok_and(|age| age > TOUCH_INTERVAL) {
            // Only the order of removal depends on it, so a failure does not matter.
            drop(
                File::options()
                    .append(true)
                    .open(self.path(key))
                    .and_then(|file| file.set_modified(self.now)),
            );
        }
        Some(())
    }

    /// Keeps an index, replacing an older one.
    pub(crate) fn store(&self, key: CacheKey, parts: &[Part]) -> io::Result<()> {
        self.replace(key, |file| write(file, parts))
    }

    /// A text that was kept, if it is there and whole.
    pub(crate) fn load_text(&self, key: CacheKey) -> Option<String> {
        let text = fs::read_to_string(self.path(key)).ok()?;
        let (checksum, text) = text.split_once('\n')?;
        (checksum == text_checksum(text)).then(|| text.to_owned())
    }

    /// Keeps a text, replacing an older one.
    pub(crate) fn store_text(&self, key: CacheKey, text: &str) -> io::Result<()> {
        self.replace(key, |file| write!(file, "{}\n{text}", text_checksum(text)))
    }

    /// Bytes that were kept, if they are there and whole.
    pub(crate) fn load_bytes(&self, key: CacheKey) -> Option<Vec<u8>> {
        let mut file = File::open(self.path(key)).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let (checksum, content) = bytes.split_first_chunk()?;
        if u64::from_le_bytes(*checksum) != xxh3_64(content) {
            return None;
        }
        self.mark_used(key, &file)?;
        Some(content.to_vec())
    }

    /// Keeps bytes, replacing older ones.
    pub(crate) fn store_bytes(&self, key: CacheKey, bytes: &[u8]) -> io::Result<()> {
        self.replace(key, |file| {
            file.write_all(&xxh3_64(bytes).to_le_bytes())?;
            file.write_all(bytes)
        })
    }

    /// The problem to report when the cache cannot be written.
    pub(crate) fn problem(&self, error: &io::Error) -> Problem {
        let message = format!("cannot keep class indexes here: {error}; every run indexes all classes again");
        Problem::new(ProblemKind::Cache, self.directory.display().to_string(), message)
    }

    fn replace(&self, key: CacheKey, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(&self.directory)?;
        fill(file.as_file_mut())?;
        file.persist(self.path(key)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes the files that were not used for longest until at most `limit` bytes are left.
    pub(crate) fn shrink(&self, limit: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
            let modified = data.modified()?;
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                files.push((modified, path, data.len()));
            } else if entry.file_name().as_encoded_bytes().starts_with(b".new-")
                && self.now.duration_since(modified).is_ok_and(|age| age > ABANDONED)
            {
                remove(&path)?;
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, _, size)| size).sum();
        for (_, path, size) in files {
            if total <= limit {
                break;
            }
            remove(&path)?;
            total = total.saturating_sub(size);
        }
        Ok(())
    }

    fn path(&self, key: CacheKey) -> PathBuf {
        self.directory.join(format!("{:032x}.{EXTENSION}", key.0))
    }
}

fn text_checksum(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Another process may have removed the file first.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn write(file: &mut impl Write, parts: &[Part]) -> io::Result<()> {
    let describe = |part: &Part| DescribedPart {
        facts: part.facts.clone(),
        shard_sizes: part.shards.iter().map(|shard| shard.as_bytes().len()).collect(),
    };
    let description = serde_json::to_vec(&parts.iter().map(describe).collect::<Vec<_>>())?;
    file.write_all(&MAGIC)?;
    file.write_all(&CACHE_VERSION.to_le_bytes())?;
    file.write_all(&(description.len() as u64).to_le_bytes())?;
    file.write_all(&xxh3_64(&description).to_le_bytes())?;
    file.write_all(&description)?;
    for shard in parts.iter().flat_map(|part| &part.shards) {
        file.write_all(shard.as_bytes())?;
    }
    file.flush()
}

fn read(file: &mut File) -> Option<Vec<Part>> {
    let mut left = file.metadata().ok()?.len();
    let header = take(file, &mut left, HEADER_SIZE)?;
    let (magic, rest) = header.split_first_chunk()?;
    let (version, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let checksum = u64::from_le_bytes(*rest.first_chunk()?);
    if *magic != MAGIC || u32::from_le_bytes(*version) != CACHE_VERSION {
        return None;
    }
    let description = take(file, &mut left, usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    if xxh3_64(&description) != checksum {
        return None;
    }
    let description: Vec<DescribedPart> = serde_json::from_slice(&description).ok()?;
    let mut parts = Vec::new();
    for part in description {
        let mut shards = Vec::new();
        for size in part.shard_sizes {
            shards.push(Shard::from_bytes(take(file, &mut left, size)?).ok()?);
        }
        parts.push(Part { facts: part.facts, shards });
    }
    (left == 0).then_some(parts)
}

/// The next bytes of a file that has `left` bytes; a false length reserves no memory.
fn take(file: &mut File, left: &mut u64, length: usize) -> Option<Vec<u8>> {
    *left = left.checked_sub(length as u64)?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
