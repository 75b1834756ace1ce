//! Java for tests: sources compiled on the spot, and the classes of the JDK at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crashback_classfile::ClassFile;
use crashback_program::code::MethodBody;

/// A compiled Java source. Classes live as long as the test process, which spares the tests all lifetimes.
pub(crate) struct Subject {
    source: &'static str,
    classes: BTreeMap<String, &'static ClassFile<'static>>,
}

impl Subject {
    /// Compiles a source with the JDK's compiler.
    pub(crate) fn compile(source: &'static str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("Subject.java");
        std::fs::write(&file, source).expect("the source can be written");
        javac(&file, folder.path(), options);
        let mut classes = BTreeMap::new();
        for entry in std::fs::read_dir(folder.path()).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "class") {
                let class = leak(std::fs::read(&path).expect("the class can be read"));
                classes.insert(class.name().expect("a name").to_str().into_owned(), class);
            }
        }
        Self { source, classes }
    }

    pub(crate) fn class(&self, name: &str) -> &'static ClassFile<'static> {
        self.classes.get(name).unwrap_or_else(|| panic!("no class {name} among {:?}", self.classes.keys()))
    }

    /// The line that holds the comment `// @marker`.
    pub(crate) fn line(&self, marker: &str) -> u32 {
        let holds = |line: &str| line.split_whitespace().any(|word| word.strip_prefix('@') == Some(marker));
        let lines: Vec<usize> =
            (1..).zip(self.source.lines()).filter(|(_, text)| holds(text)).map(|it| it.0).collect();
        match lines[..] {
            [line] => line as u32,
            _ => panic!("marker @{marker} occurs on lines {lines:?}"),
        }
    }

    /// The marker of a line, or its number.
    pub(crate) fn marker(&self, line: u32) -> String {
        let text = self.source.lines().nth(line as usize - 1).unwrap_or_default();
        let marker = text.split_whitespace().find_map(|word| word.strip_prefix('@').map(str::to_owned));
        marker.unwrap_or_else(|| format!("line {line}"))
    }
}

/// The body of the only method of this name.
pub(crate) fn body(class: &'static ClassFile<'static>, name: &str) -> MethodBody<'static> {
    let mut named = class.methods.iter().filter(|method| method.name(&class.pool).unwrap() == name);
    let method = named.next().unwrap_or_else(|| panic!("no method {name}"));
    assert!(named.next().is_none(), "several methods {name}");
    MethodBody::of(class, method).expect("the body can be read").expect("the method has a body")
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

/// Feature version of the JDK at hand, such as 17.
pub(crate) fn feature_version() -> u32 {
    let release = std::fs::read_to_string(java_home().join("release")).expect("a JDK has a release file");
    let version =
        release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")).expect("it names its version");
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

fn leak(bytes: Vec<u8>) -> &'static ClassFile<'static> {
    let class = ClassFile::parse(Box::leak(bytes.into_boxed_slice())).expect("the class can be read");
    Box::leak(Box::new(class))
}

#[expect(clippy::disallowed_methods, reason = "tests run the compiler")]
fn javac(file: &Path, folder: &Path, options: &[&str]) {
    let output = Command::new(java_home().join("bin/javac"))
        .args(["-g", "-nowarn", "-d"])
        .arg(folder)
        .args(options)
        .arg(file)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[expect(clippy::disallowed_methods, reason = "tests look for the JDK where the user has it")]
fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let javac = std::env::split_paths(&path).map(|folder| folder.join("javac")).find(|file| file.exists());
    let javac =
        javac.expect("javac on the PATH, or JAVA_HOME").canonicalize().expect("javac can be resolved");
    javac.ancestors().nth(2).expect("javac lies in bin of a JDK").to_owned()
}
