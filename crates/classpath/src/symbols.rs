//! The classes that the compiler of a JDK before 9 lets programs name.
//!
//! That compiler reads `lib/ct.sym` in the place of `rt.jar`. Classes that the list leaves out are
//! there at run time, but a test that names one does not compile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rawzip::ReaderAt;

use crate::Jdk;
use crate::archive::{Archive, ArchiveError};

/// Paths of class files, as in the jar that they are listed for.
pub(crate) type Listed = BTreeSet<String>;

/// The list of a JDK for one of its jars. The compiler has one for `rt.jar` alone.
pub(crate) fn list_for(jdk: &Jdk, jar: &Path) -> Option<PathBuf> {
    let list = jdk.home.join("lib/ct.sym");
    (jar.ends_with("rt.jar") && list.is_file()).then_some(list)
}

/// The classes of an opened list.
pub(crate) fn read<R: ReaderAt>(list: &Archive<R>) -> Result<Listed, ArchiveError> {
    let mut listed = Listed::new();
    list.visit(|_, path, _| {
        let path = String::from_utf8_lossy(path);
        listed.extend(path.strip_prefix("META-INF/sym/rt.jar/").map(str::to_owned));
    })?;
    Ok(listed)
}
