//! Linking classes in both forms: what is whole passes, and the check notices what is not.

use std::fs;
use std::path::{Path, PathBuf};

use crashback_instrument::{Kinds, ProbePlan};
use crashback_jvm::linkage::{Ending, Mode, Subject, Verdict, verify};
use crashback_jvm::pool::{Pool, PoolSettings};

use crate::support::{Bench, compile, jdk_homes};

const SOURCES: &[(&str, &str)] = &[
    ("Whole", "class Whole { static int half(int n) { return n > 1 ? n / 2 : Spoiled.half(n); } }"),
    ("Spoiled", "class Spoiled { static int half(int n) { return n > 1 ? n / 2 : n; } }"),
    ("SpoiledShape", "interface SpoiledShape { default int n(int i) { return i > 0 ? 1 : i; } }"),
    ("Lonely", "class Lonely extends Missing { }"),
    ("Missing", "class Missing { }"),
];

/// What the check says of all classes, in a few words each.
struct Link<'a> {
    bench: Bench,
    classes: &'a Path,
    /// Whether the worker takes the stack maps away from classes whose name says so, after
    /// instrumenting them.
    spoiling: bool,
    /// Whether verification may be strict.
    strict: bool,
}

impl Link<'_> {
    fn verdicts(&self) -> Vec<String> {
        let names = ["Whole", "Spoiled", "SpoiledShape", "Lonely", "java/lang/String"];
        let is_interface = |name: &str| name == "SpoiledShape";
        let subjects = names.map(|name| Subject { name: name.to_owned(), is_interface: is_interface(name) });
        let verification = verify(&subjects, 100, |mode| self.pool(mode), |_| {}).unwrap();
        assert!(verification.untouched.is_empty(), "{verification:?}");
        verification.verdicts.iter().map(words).collect()
    }

    fn pool(&self, mode: Mode) -> Result<Pool, crashback_protocol::Failure> {
        let mut settings = PoolSettings { spares: 0, ..self.bench.settings() };
        settings.worker.program.class_path = vec![self.classes.to_owned()];
        let kinds = if mode.instrumented { Kinds::ALL } else { Kinds::NONE };
        settings.worker.recording.plan = ProbePlan::everywhere(kinds);
        settings.worker.recording.strict_verification = mode.strict && self.strict;
        if self.spoiling {
            settings.command.arguments = vec!["spoiling".into()];
        }
        Pool::new(settings)
    }
}

fn words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Failed { plain: Ending::Linked, instrumented } => format!("{} now", instrumented.kind()),
        Verdict::Unlinkable(ending) => ending.kind(),
        other => format!("{other:?}"),
    }
}

/// Compiled classes of which one that others need is gone. `Spoiled` is given a version of its own.
fn classes(home: &Path, folder: &Path, version: u8) -> PathBuf {
    let classes = folder.join("classes");
    let files = SOURCES.iter().map(|(name, text)| {
        let file = folder.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        file
    });
    compile(home, &classes, &["-source", "8", "-target", "8"], files);
    let spoiled = classes.join("Spoiled.class");
    let mut bytes = fs::read(&spoiled).unwrap();
    bytes[7] = version;
    fs::write(spoiled, bytes).unwrap();
    fs::remove_file(classes.join("Missing.class")).unwrap();
    classes
}

const CHECKED: &str = "Checked";
const BROKEN: &str = "java.lang.VerifyError now";
const LONELY: &str = "java.lang.NoClassDefFoundError";
const FOREIGN: &str = "Foreign";

#[test]
fn whole_classes_link_and_spoiled_ones_are_found() {
    for home in jdk_homes() {
        let folder = tempfile::tempdir().unwrap();
        let classes = classes(&home, folder.path(), 52);
        let link = Link { bench: Bench::new(&home), classes: &classes, spoiling: false, strict: true };
        assert_eq!(link.verdicts(), [CHECKED, CHECKED, CHECKED, LONELY, FOREIGN]);
        let link = Link { spoiling: true, ..link };
        assert_eq!(link.verdicts(), [CHECKED, BROKEN, BROKEN, LONELY, FOREIGN]);
    }
}

#[test]
fn spoiled_classes_of_version_50_are_found_by_strict_verification_alone() {
    for home in jdk_homes() {
        let folder = tempfile::tempdir().unwrap();
        let classes = classes(&home, folder.path(), 50);
        let link = Link { bench: Bench::new(&home), classes: &classes, spoiling: true, strict: true };
        assert_eq!(link.verdicts(), [CHECKED, BROKEN, BROKEN, LONELY, FOREIGN]);
        let link = Link { strict: false, ..link };
        assert_eq!(link.verdicts(), [CHECKED, CHECKED, BROKEN, LONELY, FOREIGN]);
    }
}
