//! The JDK at hand: its compiler, its classes; and lines of sources by the markers in their
//! comments.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles sources into a folder.
#[expect(clippy::disallowed_methods, reason = "tests run the compiler")]
pub(crate) fn javac(files: &[PathBuf], folder: &Path, options: &[&str]) {
    let output = Command::new(java_home().join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-d"])
        .arg(folder)
        .args(options)
        .args(files)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[expect(clippy::disallowed_methods, reason = "tests look for the JDK where the user has it")]
pub(crate) fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let javac = std::env::split_paths(&path).map(|folder| folder.join("javac")).find(|file| file.exists());
    let javac =
        javac.expect("javac on the PATH, or JAVA_HOME").canonicalize().expect("javac can be resolved");
    javac.ancestors().nth(2).expect("javac lies in bin of a JDK").to_owned()
}

/// All classes of one module of the JDK at hand.
pub(crate) fn jdk_classes(module: &str, mut visit: impl FnMut(&str, &[u8])) {
    let image =
        ristretto_jimage::Image::from_file(&java_home().join("lib/modules")).expect("the JDK has an image");
    for resource in image.iter() {
        let resource = resource.expect("the image can be read");
        if resource.module() == module && resource.extension() == "class" {
            visit(&resource.name(), resource.data());
        }
    }
}

/// The line of a source that holds the comment `// @marker`.
pub(crate) fn line_of(source: &str, marker: &str) -> u32 {
    let holds = |line: &str| line.split_whitespace().any(|word| word.strip_prefix('@') == Some(marker));
    let lines: Vec<usize> =
        (1..).zip(source.lines()).filter(|(_, text)| holds(text)).map(|it| it.0).collect();
    match lines[..] {
        [line] => line as u32,
        _ => panic!("marker @{marker} occurs on lines {lines:?}"),
    }
}

/// The marker of a line, or its number.
pub(crate) fn marker_of(source: &str, line: u32) -> String {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    let marker = text.split_whitespace().find_map(|word| word.strip_prefix('@').map(str::to_owned));
    marker.unwrap_or_else(|| format!("line {line}"))
}
