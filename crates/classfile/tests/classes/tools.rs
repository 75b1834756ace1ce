//! The JDKs of the machine the tests run on.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs themselves and start their compilers")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::subjects::{self, Subject};

/// Homes of the JDKs at hand: `JAVA_HOME`, the one `java` on the path belongs to, and those in the
/// folders beside them.
pub(crate) fn jdk_homes() -> Vec<PathBuf> {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| {
        env::split_paths(&path)
            .map(|folder| folder.join("java"))
            .filter(|java| java.exists())
            .collect::<Vec<_>>()
    });
    let of_java =
        on_path.filter_map(|java| Some(fs::canonicalize(java).ok()?.parent()?.parent()?.to_path_buf()));
    let known: Vec<_> = env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().chain(of_java).collect();
    let beside = known.iter().filter_map(|home| fs::read_dir(home.parent()?).ok()).flatten();
    let beside = beside.filter_map(|entry| Some(entry.ok()?.path()));
    let homes: BTreeSet<_> = known
        .iter()
        .cloned()
        .chain(beside)
        .filter_map(|home| fs::canonicalize(home).ok())
        .filter(|home| has_classes(home))
        .collect();
    homes.into_iter().collect()
}

fn has_classes(home: &Path) -> bool {
    ["lib/modules", "jre/lib/rt.jar", "lib/rt.jar"].iter().any(|classes| home.join(classes).is_file())
}

/// Compiles sources with the `javac` of a JDK; an error holds the compiler's messages.
pub(crate) fn compile(
    home: &Path,
    sources: &[(&str, &str)],
    options: &[&str],
) -> Result<Vec<Subject>, String> {
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    let mut command = Command::new(home.join("bin/javac"));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.args(options).args(["-proc:none", "-g", "-parameters", "-encoding", "UTF-8", "-d"]).arg(&classes);
    for (name, source) in sources {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, source).unwrap();
        command.arg(file);
    }
    let output = command.output().map_err(|error| format!("{}: {error}", home.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(subjects::from_path(&classes).unwrap())
}

/// The newest of the JDKs at hand that has a compiler.
pub(crate) fn newest_jdk() -> PathBuf {
    jdk_homes()
        .into_iter()
        .filter(|home| home.join("bin/javac").exists())
        .max_by_key(|home| version(home))
        .unwrap()
}

/// Feature version by the `release` file of a JDK, 8 where it says `1.8`.
pub(crate) fn version(home: &Path) -> u32 {
    let release = fs::read_to_string(home.join("release")).unwrap();
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")).unwrap();
    version.trim_start_matches("1.").split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}
