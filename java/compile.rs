//! For build scripts: compiles classes of ours for Java 8.

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Compiles all classes of a folder, in the folder `classes` of the build script's own, and lets the
/// script do the rest with that. Failures are told as cargo wants them.
pub(crate) fn build(sources: &str, rest: impl FnOnce(&Path) -> Result<(), Box<dyn Error>>) -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../java/compile.rs");
    println!("cargo::rerun-if-changed={sources}");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-env-changed=PATH");
    match compiled(sources).and_then(|classes| rest(&classes)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={}", error.to_string().replace('\n', " / "));
            ExitCode::FAILURE
        }
    }
}

fn compiled(sources: &str) -> Result<PathBuf, Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let classes = out.join("classes");
    // Classes whose sources are gone must not stay.
    if classes.exists() {
        fs::remove_dir_all(&classes)?;
    }
    fs::create_dir_all(&classes)?;
    compile(&files(Path::new(sources), "java")?, &classes)?;
    Ok(classes)
}

fn compile(sources: &[PathBuf], classes: &Path) -> Result<(), Box<dyn Error>> {
    let javac = javac();
    let version = run(Command::new(&javac).arg("-version"))?;
    let release: &[&str] =
        if version.contains("javac 1.8") { &["-source", "8", "-target", "8"] } else { &["--release", "8"] };
    let mut command = Command::new(&javac);
    command.args(release).args(["-nowarn", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8", "-d"]);
    run(command.arg(classes).args(sources))?;
    Ok(())
}

/// That of `JAVA_HOME`, or the one on the path.
fn javac() -> PathBuf {
    let homes = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/javac"));
    homes.filter(|javac| javac.is_file()).unwrap_or_else(|| "javac".into())
}

/// What a command prints, on either stream.
fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        format!(
            "cannot run {program} ({error}): set JAVA_HOME to a JDK 8 or later, or put its javac on the PATH"
        )
    })?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() {
        Ok(said)
    } else {
        Err(format!("{program} failed ({}): {said}", output.status).into())
    }
}

/// All files with an extension, in the order of their paths.
pub(crate) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new(extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
