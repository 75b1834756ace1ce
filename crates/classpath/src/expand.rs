//! From the text of a class path to files: separators, wildcards, and the addresses in manifests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::problem::{Problem, ProblemKind};

/// Splits a class path at the platform's separator (`:`, on Windows `;`). As for a JVM, an empty
/// element means the current directory.
pub fn split(class_path: &OsStr) -> Vec<PathBuf> {
    let or_here = |path: PathBuf| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path };
    std::env::split_paths(class_path).map(or_here).collect()
}

/// Replaces `dir/*` by the jars in `dir`, in the order of their names. Other entries are kept as
/// they are; folders that cannot be listed hold nothing.
pub fn expanded(entries: &[PathBuf]) -> Vec<PathBuf> {
    expand_wildcards(entries, &mut Vec::new())
}

/// The same, with a problem for each folder that cannot be listed.
pub(crate) fn expand_wildcards(entries: &[PathBuf], problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let mut expanded = Vec::new();
    for entry in entries {
        // A JVM takes a file that is really called `*` as that file.
        if entry.file_name() != Some(OsStr::new("*")) || entry.exists() {
            expanded.push(entry.clone());
            continue;
        }
        let directory =
            entry.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match jars_in(directory) {
            Ok(jars) => expanded.extend(jars),
            Err(error) => problems.push(Problem::new(
                ProblemKind::MissingEntry,
                entry.display().to_string(),
                format!("cannot list the directory of this wildcard: {error}; check the class path"),
            )),
        }
    }
    expanded
}

/// The jars of a folder, by name.
pub(crate) fn jars_in(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut jars = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        // Exactly these two spellings count for a JVM.
        if path.extension().is_some_and(|extension| extension == "jar" || extension == "JAR")
            && path.is_file()
        {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

/// The file that an address in the `Class-Path` of a jar's manifest means: relative to the jar,
/// with escapes as in URLs. None for addresses that are no files.
pub(crate) fn manifest_file(jar: &Path, address: &str) -> Option<PathBuf> {
    let path = match address.split_once(':') {
        Some(("file", rest)) => rest.strip_prefix("//").filter(|rest| rest.starts_with('/')).unwrap_or(rest),
        // One letter before the colon is a Windows drive.
        Some((scheme, _)) if scheme.len() > 1 => return None,
        _ => address,
    };
    Some(jar.parent().unwrap_or(Path::new("")).join(unescape(path)))
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped =
            after.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_addresses_are_relative_urls() {
        let jar = Path::new("/app/lib/main.jar");
        let check = |address: &str, file: Option<&str>| {
            assert_eq!(manifest_file(jar, address).as_deref(), file.map(Path::new), "{address}");
        };
        check("a.jar", Some("/app/lib/a.jar"));
        check("../x%20y.jar", Some("/app/lib/../x y.jar"));
        check("100%.jar", Some("/app/lib/100%.jar"));
        check("file:/opt/b.jar", Some("/opt/b.jar"));
        check("file:///opt/b.jar", Some("/opt/b.jar"));
        check("http://host/c.jar", None);
        check("classes/", Some("/app/lib/classes/"));
    }

    #[test]
    #[cfg(unix)]
    fn empty_elements_mean_the_current_directory() {
        let paths = split(OsStr::new("a.jar::my lib/*"));
        assert_eq!(paths, [Path::new("a.jar"), Path::new("."), Path::new("my lib/*")]);
    }
}
