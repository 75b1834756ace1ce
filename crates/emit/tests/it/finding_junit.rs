//! JUnit is taken from where it is, and fetched otherwise.

use std::path::{Path, PathBuf};

use crashback_classpath::ClassPath;
use crashback_emit::Error;
use crashback_emit::junit::{Generation, JUnit, Launcher, Runner, pinned, resolve};
use crashback_program::classes::Classes;

use crate::support::{fetch, load};

const FOUR: JUnit = JUnit::Four { has_assert_throws: true };

/// Resolves without fetching anything: gives what would be fetched as the name of a jar.
fn found(
    program: &ClassPath,
    test: Option<&ClassPath>,
    wanted: Option<Generation>,
    feature: u32,
) -> Result<(Runner, Vec<String>), Error> {
    let mut asked = Vec::new();
    let mut fetch = |artifacts: &[&str]| {
        asked.extend(artifacts.iter().map(|it| (*it).to_owned()));
        Ok(vec![PathBuf::from("fetched.jar")])
    };
    let (classes, test_classes) = (Classes::new(program), test.map(|it| Classes::new(it)));
    let further = test_classes.as_ref().zip(test.map(ClassPath::launch_path));
    let runner = resolve(&classes, further, wanted, feature, &mut fetch)?;
    Ok((runner, asked))
}

#[test]
fn an_empty_class_path_gets_the_pinned_versions() {
    let empty = load(&[], &[]);
    for (wanted, junit, artifact) in [
        (None, JUnit::Five, "org.junit.platform:junit-platform-console-standalone:1.14.1"),
        (Some(Generation::Four), FOUR, "junit:junit:4.13.2"),
        (Some(Generation::Six), JUnit::Six, "org.junit.platform:junit-platform-console-standalone:6.0.1"),
    ] {
        let (runner, asked) = found(&empty, None, wanted, 17).unwrap();
        assert_eq!((runner.junit, asked), (junit, vec![artifact.to_owned()]));
        assert_eq!(runner.jars, [Path::new("fetched.jar")]);
    }
    let (runner, _) = found(&empty, None, None, 8).unwrap();
    assert_eq!(runner.version.as_deref(), Some(pinned::FIVE));
    let error = found(&empty, None, Some(Generation::Six), 11).unwrap_err();
    assert!(error.to_string().contains("needs Java 17"), "{error}");
}

#[test]
fn junit_of_the_class_path_stays_and_gets_what_it_lacks() {
    let four = fetch(&["junit:junit:4.13.2"]).unwrap();
    let whole = load(&[], &four);
    let (runner, asked) = found(&whole, None, None, 17).unwrap();
    assert_eq!((runner.junit, runner.launcher), (FOUR, Launcher::JUnitCore));
    assert_eq!((runner.version.as_deref(), asked.len(), runner.jars.len()), (Some("4.13.2"), 0, 0));
    let is_junit = |it: &&PathBuf| it.to_string_lossy().contains("junit-4");
    let alone: Vec<PathBuf> = four.iter().filter(is_junit).cloned().collect();
    let (_, asked) = found(&load(&[], &alone), None, None, 17).unwrap();
    assert_eq!(asked, ["org.hamcrest:hamcrest-core:1.3"]);
    // The user wants another one than is there.
    let (runner, asked) = found(&whole, None, Some(Generation::Five), 17).unwrap();
    assert_eq!((runner.junit, asked.len()), (JUnit::Five, 1));
}

#[test]
fn jupiter_gets_the_platform_of_its_version() {
    let api = load(&["org.junit.jupiter:junit-jupiter-api:5.10.2"], &[]);
    let (runner, asked) = found(&api, None, None, 17).unwrap();
    assert_eq!((runner.junit, runner.version.as_deref()), (JUnit::Five, Some("5.10.2")));
    assert_eq!(asked, ["org.junit.platform:junit-platform-console-standalone:1.10.2"]);
    let empty = load(&[], &[]);
    let (runner, _) = found(&empty, Some(&api), None, 17).unwrap();
    assert_eq!(
        runner.jars.len(),
        api.launch_path().len() + 1,
        "the jars of the test class path are needed, too"
    );
    let standalone = load(&["org.junit.platform:junit-platform-console-standalone:6.0.1"], &[]);
    let (runner, asked) = found(&standalone, None, None, 17).unwrap();
    assert_eq!((runner.junit, asked.len()), (JUnit::Six, 0));
    let error = found(&standalone, None, None, 11).unwrap_err().to_string();
    assert!(error.contains("JUnit 6.0.1 needs Java 17") && error.contains("is Java 11"), "{error}");
}

#[test]
fn a_junit_that_cannot_be_had_is_an_error_that_says_what_to_do() {
    let empty = load(&[], &[]);
    let mut fetch = |_: &[&str]| Err("no network".to_owned());
    let error = resolve(&Classes::new(&empty), None, None, 17, &mut fetch).unwrap_err();
    assert!(matches!(error, Error::NoJUnit { .. }));
    for part in ["JUnit 5", "no network", "--test-classpath"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}
