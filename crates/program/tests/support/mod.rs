//! Java for tests: sources compiled on the spot, and the classes of the JDK at hand.

use std::collections::BTreeMap;

use crashback_classfile::ClassFile;
use crashback_program::code::MethodBody;

mod java;

pub(crate) use java::jdk_classes;
use java::{java_home, javac, line_of, marker_of};

/// A compiled Java source. Classes live as long as the test process, which spares the tests all
/// lifetimes.
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
        javac(&[file], folder.path(), options);
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
        line_of(self.source, marker)
    }

    /// The marker of a line, or its number.
    pub(crate) fn marker(&self, line: u32) -> String {
        marker_of(self.source, line)
    }
}

/// The body of the only method of this name.
pub(crate) fn body(class: &'static ClassFile<'static>, name: &str) -> MethodBody<'static> {
    let mut named = class.methods.iter().filter(|method| method.name(&class.pool).unwrap() == name);
    let method = named.next().unwrap_or_else(|| panic!("no method {name}"));
    assert!(named.next().is_none(), "several methods {name}");
    MethodBody::of(class, method).expect("the body can be read").expect("the method has a body")
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
