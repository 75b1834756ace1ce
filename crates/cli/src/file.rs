//! Files that are written completely or not at all.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Whether a file can be made at this path, before the work for it is done.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    tempfile::tempfile_in(folder(path)).map(drop)
}

/// Writes a file in place of an earlier one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    beside(path, bytes)?.persist(path).map(drop).map_err(|it| it.error)
}

/// Writes a file that must not exist.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    beside(path, bytes)?.persist_noclobber(path).map(drop).map_err(|it| it.error)
}

/// The bytes in a file beside the final one.
fn beside(path: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    // Readable as other documents are; the default is for secrets.
    let permissions = Permissions::from_mode(0o666);
    let builder = tempfile::Builder::new().prefix(".crashback").permissions(permissions).to_owned();
    let mut file = builder.tempfile_in(folder(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
