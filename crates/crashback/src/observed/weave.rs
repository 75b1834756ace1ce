//! Classes that tell the recorder of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crashback_classpath::{ClassPath, is_sealed};
use crashback_instrument::{MethodName, record_usage};
use crashback_program::{ClassSource as _, EntryInfo, EntryKind};
use crashback_seeding::{TestClass, is_framework};

/// The class that woven classes call.
const RECORDER: &str = "crashback/observe/Recorder";

/// The classes of `java/observe`, by the paths of their files.
static OBSERVERS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/observe_classes.rs"));

/// Packages of libraries that make classes while tests run. Frameworks load these in ways of their own.
const LIBRARIES: [&str; 4] = ["net/bytebuddy/", "org/objenesis/", "org/apiguardian/", "net/sf/cglib/"];

/// Folders within the scratch folder: instrumented classes, and those of the recorder.
const CLASSES: &str = "classes";
const OBSERVER: &str = "observer";

/// Instrumented classes in a folder.
pub(super) struct Woven {
    pub(super) folder: PathBuf,
    pub(super) observer: PathBuf,
    /// Methods by their numbers, with the class that has them.
    methods: Vec<(usize, MethodName)>,
    names: Vec<String>,
    /// Classes whose objects have models: by name, as a JVM says it.
    numbers: BTreeMap<String, usize>,
    /// How many classes lie in signed or sealed jars.
    pub(super) unchangeable: usize,
}

/// The calls of an object: its class (internal name), and names and descriptors of the methods.
pub(super) type Sequence<'w> = (&'w str, Vec<(&'w str, &'w str)>);

impl Woven {
    /// Instruments all classes outside the JDK but those of test frameworks. Objects of classes with tests
    /// have no models: frameworks make them.
    pub(super) fn write(class_path: &ClassPath, tests: &[TestClass], scratch: &Path) -> io::Result<Self> {
        let tests: BTreeSet<&str> = tests.iter().map(|it| it.name.as_str()).collect();
        let mut woven = Self {
            folder: scratch.join(CLASSES),
            observer: scratch.join(OBSERVER),
            methods: Vec::new(),
            names: Vec::new(),
            numbers: BTreeMap::new(),
            unchangeable: 0,
        };
        for (path, bytes) in OBSERVERS {
            write(&woven.observer.join(path), bytes)?;
        }
        fs::create_dir_all(&woven.folder)?;
        let mut sealed: BTreeMap<&str, bool> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for class in class_path.index().iter() {
            let name = class.name();
            let is_library = is_framework(name) || LIBRARIES.iter().any(|it| name.starts_with(it));
            if is_library || !seen.insert(name) || !is_plain(name) {
                continue;
            }
            // Of several classes with one name the first counts.
            let Some(class) = class_path.index().get(name) else { continue };
            let Some(entry) = class_path.entry(class.reference()).filter(|it| it.kind != EntryKind::Jdk)
            else {
                continue;
            };
            let is_closed = |it: &EntryInfo| it.signed || is_sealed(Path::new(&it.path));
            if *sealed.entry(&entry.path).or_insert_with(|| is_closed(entry)) {
                woven.unchangeable += 1;
                continue;
            }
            if let Ok(bytes) = class_path.bytes(class.reference()) {
                woven.add(name, &bytes, !tests.contains(name))?;
            }
        }
        Ok(woven)
    }

    /// Instruments a class; damaged ones stay as they are.
    fn add(&mut self, name: &str, bytes: &[u8], has_model: bool) -> io::Result<()> {
        let class = self.names.len();
        let methods = &mut self.methods;
        let known = methods.len();
        let instrumented = record_usage(bytes, RECORDER, &mut |method| {
            let number = methods.len();
            methods.push((class, method.clone()));
            encoded(number, method)
        });
        match instrumented {
            Ok(Some(bytes)) => {
                write(&self.folder.join(format!("{name}.class")), &bytes)?;
                self.names.push(name.to_owned());
                if has_model {
                    self.numbers.insert(name.replace('/', "."), class);
                }
            }
            _ => self.methods.truncate(known),
        }
        Ok(())
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.names.len()
    }

    /// The calls behind the numbers of a recorder. A constructor that belongs to a class above did not make
    /// the object by itself and is left out. None for objects of other classes, and without calls.
    pub(super) fn sequence(&self, class: &str, numbers: &[u32]) -> Option<Sequence<'_>> {
        let class = *self.numbers.get(class)?;
        let mut calls = Vec::with_capacity(numbers.len());
        for number in numbers {
            let (owner, method) = self.methods.get(usize::try_from(number / 2).ok()?)?;
            if method.name != "<init>" || *owner == class {
                calls.push((method.name.as_str(), method.descriptor.as_str()));
            }
        }
        let name = self.names.get(class)?;
        (!calls.is_empty()).then_some((name.as_str(), calls))
    }
}

/// The number of a method for the recorder: odd for constructors.
fn encoded(number: usize, method: &MethodName) -> i32 {
    let number = i32::try_from(number).ok().and_then(|it| it.checked_mul(2));
    number.map_or(-1, |it| it + i32::from(method.name == "<init>"))
}

/// Whether a class name leads to a file below the folder of classes. Descriptors of packages are no classes.
fn is_plain(name: &str) -> bool {
    !name.ends_with("package-info")
        && Path::new(name).components().all(|it| matches!(it, Component::Normal(_)))
}

fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_no_files() {
        assert!(is_plain("a/b/C$D") && is_plain("C"));
        for name in ["../C", "/C", "a/../C", "a/package-info", "a/./../C"] {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn constructors_have_odd_numbers() {
        let named = |name: &str| MethodName { name: name.to_owned(), descriptor: "()V".to_owned() };
        assert_eq!((encoded(4, &named("<init>")), encoded(4, &named("size"))), (9, 8));
        assert_eq!(encoded(usize::MAX, &named("size")), -1);
    }
}
