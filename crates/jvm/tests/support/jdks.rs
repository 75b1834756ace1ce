//! The JDKs of this machine.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs themselves")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::PathBuf;

/// Homes of the JDKs at hand: `JAVA_HOME`, the one `java` on the path belongs to, and those in the
/// folders beside them.
pub(crate) fn jdk_homes() -> Vec<PathBuf> {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| {
        let programs = env::split_paths(&path).map(|folder| folder.join("java"));
        programs.filter_map(|java| fs::canonicalize(java).ok()).collect::<Vec<_>>()
    });
    let of_java = on_path.filter_map(|java| Some(java.parent()?.parent()?.to_path_buf()));
    let known: Vec<_> = env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().chain(of_java).collect();
    let beside = known.iter().filter_map(|home| fs::read_dir(home.parent()?).ok()).flatten();
    let beside = beside.filter_map(|entry| Some(entry.ok()?.path()));
    let all = known.iter().cloned().chain(beside).filter_map(|home| fs::canonicalize(home).ok());
    let homes: BTreeSet<_> = all.filter(|home| home.join("bin/javac").is_file()).collect();
    assert!(!homes.is_empty(), "a JDK is needed: set JAVA_HOME or put java on the PATH");
    homes.into_iter().collect()
}
