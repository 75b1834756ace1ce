//! Gives the command its version with the commit that it is built from.
//!
//! Only release builds name the commit, so that a commit does not make other builds compile the command anew.
//! Sources without a repository of their own, such as an unpacked archive, have none to name, unless the
//! variable `CRASHBACK_COMMIT` does.

#![expect(clippy::disallowed_methods, reason = "a build script is told by the environment, and asks git")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VARIABLE: &str = "CRASHBACK_COMMIT";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = env::var(VARIABLE).ok().filter(|it| !it.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    let commit = given.or_else(|| if is_release { commit() } else { None });
    let suffix = commit.map(|it| format!(" ({it})")).unwrap_or_default();
    println!("cargo::rustc-env=CRASHBACK_VERSION={version}{suffix}");
}

/// Hash and date of the commit that is checked out. Git notes every change of it in a log.
fn commit() -> Option<String> {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let root = fs::canonicalize(crate_folder.join("../..")).ok()?;
    // A repository around the sources is another one's.
    let top = fs::canonicalize(git(&root, &["rev-parse", "--show-toplevel"])?).ok()?;
    if top != root {
        return None;
    }
    for name in ["logs/HEAD", "HEAD"] {
        let path = root.join(git(&root, &["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&root, &["show", "--no-patch", "--format=%h %cs", "--abbrev=12", "HEAD"])
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned()).filter(|it| !it.is_empty())
}
