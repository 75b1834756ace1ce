//! Zip files as far as jars need them: the central directory, its fingerprint, and single entries
//! inflated.
//!
//! Invariant: sizes that a zip file claims are never believed before the bytes are there, so a
//! false size costs no memory.

use std::fs::File;
use std::io;
use std::path::Path;

use flate2::{Decompress, FlushDecompress, Status};
use rawzip::{CompressionMethod, FileReader, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3Default;

/// Larger entries are refused: a class file cannot be that large, nor is any sensible nested jar.
const MAX_ENTRY_SIZE: u64 = 1 << 30;
/// How much of the end of a file is read at once to find the central directory.
const TAIL_SIZE: usize = 16 * 1024;
/// Entries below this folder of a multi-release jar are for a certain Java release.
pub(crate) const VERSIONS_PREFIX: &str = "META-INF/versions/";

/// The common end of the folders of `jar::JAR_FOLDERS`.
const JAR_FOLDER: &str = "-INF/lib/";

/// Why a zip file, or an entry of one, cannot be read.
#[derive(Debug, Error)]
pub(crate) enum ArchiveError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("not a whole zip file ({0})")]
    Zip(#[from] rawzip::Error),
    #[error("its data does not decompress")]
    Inflate,
    #[error("it is compressed with method {0}, which a JVM cannot read either")]
    Method(CompressionMethod),
    #[error("it is encrypted")]
    Encrypted,
    #[error("it claims to be {0} bytes large")]
    TooLarge(u64),
    #[error("the jar was changed after it was indexed")]
    Changed,
}

/// Identifies the content of a zip file: its length and its central directory with all names, sizes
/// and CRC-32s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub(crate) hash: u128,
    /// Whether it has entries for certain Java releases, or jars inside that may have, so that what
    /// it holds depends on the JDK.
    pub(crate) versioned: bool,
}

/// One entry of a central directory.
#[derive(Clone, Debug)]
pub(crate) struct ArchiveEntry {
    wayfinder: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    encrypted: bool,
    pub(crate) size: u64,
}

/// A zip file: something to read from, and where in it the central directory is.
pub(crate) struct Archive<R> {
    zip: ZipArchive<R>,
    length: u64,
}

impl Archive<FileReader> {
    pub(crate) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Self::new(FileReader::from(file), length)
    }
}

impl Archive<Vec<u8>> {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, ArchiveError> {
        let length = bytes.len() as u64;
        Self::new(bytes, length)
    }
}

impl<R: ReaderAt> Archive<R> {
    fn new(reader: R, length: u64) -> Result<Self, ArchiveError> {
        let mut buffer = vec![0; TAIL_SIZE];
        let located = ZipLocator::new().locate_in_reader(reader, &mut buffer, length);
        Ok(Self { zip: located.map_err(|(_, error)| error)?, length })
    }

    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, ArchiveError> {
        let directory = self.directory()?;
        let mut hash = Xxh3Default::new();
        hash.update(&self.length.to_le_bytes());
        hash.update(&directory);
        let names = [VERSIONS_PREFIX, JAR_FOLDER];
        let versioned = names.iter().any(|name| memchr::memmem::find(&directory, name.as_bytes()).is_some());
        Ok(Fingerprint { hash: hash.digest128(), versioned })
    }

    /// Whether any of these texts is in its list of entries, which is quicker to tell than where.
    pub(crate) fn mentions(&self, texts: &[&str]) -> bool {
        let finds = |directory: &[u8], text: &str| memchr::memmem::find(directory, text.as_bytes()).is_some();
        self.directory().is_ok_and(|it| texts.iter().any(|text| finds(&it, text)))
    }

    /// Calls `visit` with number, path and description of every entry that is no folder, in the
    /// order of the central directory. Records before a damaged one are visited.
    pub(crate) fn visit(&self, mut visit: impl FnMut(u32, &[u8], ArchiveEntry)) -> Result<(), ArchiveError> {
        let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
        let mut entries = self.zip.entries(&mut buffer);
        let mut number = 0;
        while let Some(record) = entries.next_entry()? {
            let entry = ArchiveEntry {
                wayfinder: record.wayfinder(),
                method: record.compression_method(),
                encrypted: record.flags().is_encrypted(),
                size: record.uncompressed_size_hint(),
            };
            if !record.is_dir() {
                visit(number, record.file_path().as_bytes(), entry);
            }
            number += 1;
        }
        Ok(())
    }

    /// The bytes from the central directory up to the record that ends the file.
    fn directory(&self) -> Result<Vec<u8>, ArchiveError> {
        let start = self.zip.directory_offset();
        let length = self.zip.eocd_offset().saturating_sub(start).min(self.length);
        let mut bytes = Vec::new();
        read_range(self.zip.get_ref(), start, length, &mut bytes)?;
        Ok(bytes)
    }
}

fn read_range(reader: &impl ReaderAt, mut offset: u64, length: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
    let mut rest = bytes.as_mut_slice();
    while !rest.is_empty() {
        let read = reader.read_at(rest, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        rest = rest.get_mut(read..).unwrap_or_default();
    }
    Ok(())
}

/// Reads entries, keeping the memory it needs from one to the next.
pub(crate) struct EntryReader {
    inflater: Decompress,
    packed: Vec<u8>,
    content: Vec<u8>,
}

impl EntryReader {
    pub(crate) fn new() -> Self {
        Self { inflater: Decompress::new(false), packed: Vec::new(), content: Vec::new() }
    }

    /// The content of an entry. Its checksum is not compared, as class loaders do not.
    pub(crate) fn read<R: ReaderAt>(
        &mut self,
        archive: &Archive<R>,
        entry: &ArchiveEntry,
    ) -> Result<&[u8], ArchiveError> {
        if entry.encrypted {
            return Err(ArchiveError::Encrypted);
        }
        let (start, end) = archive.zip.get_entry(entry.wayfinder)?.compressed_data_range();
        let packed = end.saturating_sub(start);
        // Deflate shrinks to no less than 1/1032, so a larger claim is false.
        if entry.size > MAX_ENTRY_SIZE || packed > archive.length || entry.size / 1100 > packed {
            return Err(ArchiveError::TooLarge(entry.size.max(packed)));
        }
        read_range(archive.zip.get_ref(), start, packed, &mut self.packed)?;
        match entry.method {
            CompressionMethod::STORE => Ok(&self.packed),
            CompressionMethod::DEFLATE => self.inflate(usize::try_from(entry.size).unwrap_or(usize::MAX)),
            other => Err(ArchiveError::Method(other)),
        }
    }

    fn inflate(&mut self, size: usize) -> Result<&[u8], ArchiveError> {
        self.inflater.reset(false);
        self.content.clear();
        // With no room left the inflater would stop before it has seen the end of the stream.
        self.content.reserve(size.saturating_add(8));
        let done = self.inflater.decompress_vec(&self.packed, &mut self.content, FlushDecompress::Finish);
        match done {
            Ok(Status::StreamEnd) if self.content.len() == size => Ok(&self.content),
            _ => Err(ArchiveError::Inflate),
        }
    }
}
