//! Reading the bytes of single classes again, after they were indexed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crashback_program::index::ClassView;

use crate::archive::{Archive, EntryReader, Fingerprint};
use crate::directory;
use crate::image::JdkImage;
use crate::jar::{self, JarReader};
use crate::part::InnerJar;

/// The place that holds the class files of a part.
pub(crate) enum Container {
    Jar {
        path: PathBuf,
        reader: JarReader,
    },
    /// A jar inside a jar: read into memory at the first class.
    InnerJar {
        path: PathBuf,
        outer: JarReader,
        number: u32,
        opened: OnceLock<Result<OpenedJar, String>>,
    },
    Directory(PathBuf),
    Image {
        path: PathBuf,
        image: OnceLock<Result<JdkImage, String>>,
        modules: Vec<String>,
    },
}

pub(crate) struct OpenedJar {
    archive: Archive<Vec<u8>>,
    reader: JarReader,
}

impl Container {
    pub(crate) fn jar(path: PathBuf, inner: Option<&InnerJar>, fingerprint: Fingerprint) -> Self {
        match inner {
            None => Self::Jar { path, reader: JarReader::new(fingerprint) },
            Some(inner) => Self::InnerJar {
                path,
                outer: JarReader::new(fingerprint),
                number: inner.number,
                opened: OnceLock::new(),
            },
        }
    }

    /// The class file, or why it cannot be had.
    pub(crate) fn read(&self, class: ClassView<'_>) -> Result<Vec<u8>, String> {
        match self {
            Self::Jar { path, reader } => {
                let archive = Archive::open(path).map_err(|error| error.to_string())?;
                reader.read(&archive, class.location())
            }
            Self::InnerJar { path, outer, number, opened } => {
                let opened = opened.get_or_init(|| open_inner(path, outer, *number));
                let opened = opened.as_ref().map_err(Clone::clone)?;
                opened.reader.read(&opened.archive, class.location())
            }
            Self::Directory(root) => directory::read(root, class.name()).map_err(|error| error.to_string()),
            Self::Image { path, image, modules } => {
                let image = image.get_or_init(|| JdkImage::open(path).map_err(|error| error.to_string()));
                let module = modules.get(class.location() as usize).map_or("", String::as_str);
                image
                    .as_ref()
                    .map_err(Clone::clone)?
                    .read(module, class.name())
                    .map_err(|error| error.to_string())
            }
        }
    }
}

impl Container {
    /// Names the content; none for a folder, whose files may change at any time.
    pub(crate) fn fingerprint(&self) -> Option<u128> {
        match self {
            Self::Jar { reader, .. } => Some(reader.fingerprint()),
            Self::InnerJar { outer, number, .. } => Some(outer.fingerprint() ^ u128::from(*number)),
            Self::Directory(_) | Self::Image { .. } => None,
        }
    }

    /// Gives the class files of some classes to a function, and opens a jar once for all of them. False if
    /// some could not be read, which are passed over.
    pub(crate) fn read_each<'v>(
        &self,
        classes: impl Iterator<Item = ClassView<'v>>,
        look: &mut dyn FnMut(&[u8]),
    ) -> bool {
        let mut is_whole = true;
        if let Self::Jar { path, reader } = self {
            let Ok(archive) = Archive::open(path) else { return false };
            let mut entry_reader = EntryReader::new();
            for class in classes {
                match reader.read_with(&archive, class.location(), &mut entry_reader) {
                    Ok(bytes) => look(bytes),
                    Err(_) => is_whole = false,
                }
            }
            return is_whole;
        }
        for class in classes {
            match self.read(class) {
                Ok(bytes) => look(&bytes),
                Err(_) => is_whole = false,
            }
        }
        is_whole
    }

    /// Paths of files that are no classes; those that cannot be listed are none.
    pub(crate) fn resources(&self, most: usize) -> Vec<String> {
        match self {
            Self::Jar { path, .. } => {
                Archive::open(path).map(|it| jar::resources(&it, most)).unwrap_or_default()
            }
            Self::InnerJar { path, outer, number, opened } => {
                let opened = opened.get_or_init(|| open_inner(path, outer, *number));
                opened.as_ref().map(|it| jar::resources(&it.archive, most)).unwrap_or_default()
            }
            Self::Directory(root) => directory::resources(root, most),
            // Resources of the JDK are not offered to tests.
            Self::Image { .. } => Vec::new(),
        }
    }
}

fn open_inner(path: &Path, outer: &JarReader, number: u32) -> Result<OpenedJar, String> {
    let archive = Archive::open(path).map_err(|error| error.to_string())?;
    let archive = Archive::from_bytes(outer.read(&archive, number)?).map_err(|error| error.to_string())?;
    // The outer jar is known to be the one that was indexed, so the inner one is too.
    let fingerprint = archive.fingerprint().map_err(|error| error.to_string())?;
    Ok(OpenedJar { archive, reader: JarReader::new(fingerprint) })
}
