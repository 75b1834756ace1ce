//! The verifier of a JVM as judge: every class is linked as it was and rewritten, and only
//! differences count.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crashback_classfile::{ClassFile, Flow};

use crate::support::{Classes, compile, feature, java, jdk_homes, write_classes};

/// How linking went.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Classes that link as they were and rewritten.
    pub(crate) checked: usize,
    /// Classes that do not link in either form, by the kind of error; most lack a class they depend
    /// on.
    pub(crate) unlinkable: BTreeMap<String, usize>,
    /// Classes that only their rewritten form keeps from being linked.
    pub(crate) failures: Vec<String>,
}

/// Links classes before and after rewriting in the JVM of `home`.
///
/// Classes of version 50 could hide a broken stack map behind the old verifier, so that fail-over
/// is switched off where the JVM can. In addition they are checked with 51 as their version, for
/// which no JVM falls back.
pub(crate) fn link(home: &Path, before: &Classes, after: &Classes) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<_> = before.keys().map(String::as_str).collect();
    let restamped: Vec<_> =
        before.iter().filter(|(_, bytes)| can_be_51(bytes)).map(|(name, _)| name.as_str()).collect();
    let sets = [
        (before.clone(), &all),
        (after.clone(), &all),
        (restamp(before, &restamped), &restamped),
        (restamp(after, &restamped), &restamped),
    ];
    let results = run(home, &sets, folder.path());
    let [plain, rewritten, plain_51, rewritten_51] = results.try_into().unwrap();
    let mut verdict = compare(&plain, &rewritten);
    // Classes that link in neither form prove nothing; too many of them mean that something is
    // wrong with the check.
    assert!(verdict.checked * 2 >= plain.len() || !verdict.failures.is_empty(), "{verdict:?}");
    for failure in compare(&plain_51, &rewritten_51).failures {
        verdict.failures.push(format!("{failure} (as version 51)"));
    }
    verdict
}

/// Links the named classes of each set.
fn run(home: &Path, sets: &[(Classes, &Vec<&str>)], folder: &Path) -> Vec<BTreeMap<String, String>> {
    let program = folder.join("program");
    write_classes(program_classes(), &program);
    let mut arguments: Vec<PathBuf> = [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+BytecodeVerificationRemote",
        "-XX:-FailOverToOldVerifier",
        "-Xmx1g",
        "-cp",
    ]
    .iter()
    .map(PathBuf::from)
    .collect();
    arguments.extend([program, "Link".into()]);
    let mut results = Vec::new();
    for (number, (classes, names)) in sets.iter().enumerate() {
        let set = folder.join(format!("set{number}"));
        write_classes(classes, &set);
        // No loader but the JDK's may define these.
        let names = names.iter().filter(|name| !name.starts_with("java/"));
        let names: Vec<_> = names.map(|name| name.replace('/', ".")).collect();
        fs::create_dir_all(&set).unwrap();
        fs::write(set.join("names"), names.join("\n")).unwrap();
        results.push(folder.join(format!("results{number}")));
        arguments.extend([set, results[number].clone()]);
    }
    let arguments: Vec<&OsStr> = arguments.iter().map(|it| it.as_os_str()).collect();
    java(home, &arguments);
    results.iter().map(|file| read_results(file)).collect()
}

/// The program that links, for all JDKs.
fn program_classes() -> &'static Classes {
    static PROGRAM: OnceLock<Classes> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let home = &jdk_homes()[0];
        let release: &[&str] = if feature(home) > 8 { &["--release", "8", "-Xlint:-options"] } else { &[] };
        compile(home, &[("Link.java", include_str!("java/Link.java"))], release)
    })
}

fn read_results(file: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().map(|line| line.split_once('\t').unwrap());
    rows.map(|(name, result)| (name.to_owned(), result.to_owned())).collect()
}

fn compare(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Verdict {
    let kind = |result: &str| result.split('\t').next().unwrap().to_owned();
    let mut verdict = Verdict::default();
    assert_eq!(before.len(), after.len());
    for ((name, before), after) in before.iter().zip(after.values()) {
        if before == "ok" && after == "ok" {
            verdict.checked += 1;
        } else if kind(before) == kind(after) {
            *verdict.unlinkable.entry(kind(before)).or_default() += 1;
        } else {
            verdict.failures.push(format!("{name}: {before} became {after}"));
        }
    }
    verdict
}

/// Gives some classes the version 51, all others stay.
fn restamp(classes: &Classes, names: &[&str]) -> Classes {
    let mut classes = classes.clone();
    for name in names {
        classes.get_mut(*name).unwrap()[6..8].copy_from_slice(&51_u16.to_be_bytes());
    }
    if names.is_empty() { Classes::new() } else { classes }
}

/// Whether a class is of version 50 and has no subroutines, which version 51 does not allow.
fn can_be_51(bytes: &[u8]) -> bool {
    let class = ClassFile::parse(bytes).unwrap();
    let has_subroutines = class.methods.iter().any(|method| {
        let Some(code) = method.code(&class.pool).unwrap() else { return false };
        code.instructions()
            .any(|it| matches!(it.unwrap().1.opcode.flow(), Flow::Subroutine | Flow::SubroutineReturn))
    });
    class.major_version == 50 && !has_subroutines
}
