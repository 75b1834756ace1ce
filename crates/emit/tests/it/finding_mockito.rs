//! Mockito is taken from where it is if it works there, and fetched otherwise; each makes mocks on
//! every JDK.

use std::path::PathBuf;

use crashback_classpath::ClassPath;
use crashback_emit::Error;
use crashback_emit::mockito::{Mockito, resolve};
use crashback_emit::source::{Mode, TestSource};
use crashback_emit::verify::{Run, Verification, Verifier};
use crashback_program::classes::Classes;
use crashback_testcase::Answer;

use crate::draft::Draft;
use crate::support::{JUNIT_5, all_jdks, fetch, jdk, load, verifier};

/// Resolves without fetching anything: gives what would be fetched, too.
fn found(program: &ClassPath, test: Option<&ClassPath>, feature: u32) -> (Mockito, Vec<String>) {
    let mut asked = Vec::new();
    let mut fetch = |artifacts: &[&str]| {
        asked.extend(artifacts.iter().map(|it| (*it).to_owned()));
        Ok(vec![PathBuf::from("fetched.jar")])
    };
    let test = test.map(|it| Classes::new(it));
    let mockito = resolve(&Classes::new(program), test.as_ref(), feature, &mut fetch).unwrap();
    (mockito, asked)
}

const PINNED: [&str; 4] = [
    "org.mockito:mockito-core:4.11.0",
    "net.bytebuddy:byte-buddy:1.18.8",
    "net.bytebuddy:byte-buddy-agent:1.18.8",
    "org.objenesis:objenesis:3.3",
];

#[test]
fn an_empty_class_path_gets_the_pinned_versions() {
    let (mockito, asked) = found(&load(&[], &[]), None, 17);
    assert_eq!((mockito.jars.len(), asked), (1, PINNED.map(str::to_owned).to_vec()));
    assert!(mockito.mock_maker.is_some());
}

#[test]
fn mockito_of_the_class_path_stays_and_gets_what_it_lacks() {
    let (empty, whole) = (load(&[], &[]), fetch(&["org.mockito:mockito-core:3.12.4"]).unwrap());
    let (mockito, asked) = found(&load(&[], &whole), None, 17);
    assert_eq!((mockito.jars.len(), asked.len()), (0, 0));
    let is_mockito = |it: &&PathBuf| it.to_string_lossy().contains("mockito-core");
    let alone: Vec<PathBuf> = whole.iter().filter(is_mockito).cloned().collect();
    assert_eq!(found(&load(&[], &alone), None, 17).1, PINNED.get(1..).unwrap());
    // What is on the class path for tests comes before the program.
    let (mockito, asked) = found(&empty, Some(&load(&[], &whole)), 17);
    assert_eq!((mockito.jars.len(), asked.len()), (whole.len(), 0));
}

#[test]
fn a_mockito_that_cannot_make_mocks_any_more_is_passed_over() {
    let old = load(&["org.mockito:mockito-core:1.10.19"], &[]);
    let (mockito, asked) = found(&old, None, 8);
    assert_eq!((mockito, asked.len()), (Mockito::default(), 0));
    assert_eq!(found(&old, None, 17).1, PINNED);
}

#[test]
fn a_mockito_of_a_newer_java_is_passed_over() {
    // Mockito 5 is compiled for Java 11.
    let new = load(&["org.mockito:mockito-core:5.20.0"], &[]);
    assert_eq!(found(&new, None, 11).1.len(), 0);
    assert_eq!(found(&new, None, 8).1, PINNED);
}

#[test]
fn a_mockito_that_cannot_be_had_is_an_error_that_says_what_to_do() {
    let mut fetch = |_: &[&str]| Err("no network".to_owned());
    let error = resolve(&Classes::new(&load(&[], &[])), None, 17, &mut fetch).unwrap_err();
    assert!(matches!(error, Error::NoMockito { .. }));
    for part in ["Mockito", "no network", "--test-classpath"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn every_generation_makes_mocks_on_every_jdk() {
    let mut draft = Draft::default();
    let (clerk, text) = (draft.mock("depot/Depot$Clerk", true), draft.text("a"));
    draft.stub(clerk, "depot/Depot$Clerk.prefix()Ljava/lang/String;", Answer::Return(text));
    let greeting =
        draft.call_on(clerk, "depot/Depot$Clerk.greet(Ljava/lang/String;)Ljava/lang/String;", &[text]);
    draft.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[greeting]);
    let source = draft.source("depot", JUNIT_5.junit, Mode::Fails, &[]);
    let own = jdk();
    for version in ["1.10.19", "2.28.2", "5.20.0"] {
        let library = load(&[&format!("org.mockito:mockito-core:{version}")], &[]);
        // Those that load what the compiler of this one writes.
        for jdk in all_jdks().iter().filter(|it| it.feature >= own.feature) {
            // One that does not work there is replaced, the others stay.
            let mockito = resolve(&Classes::new(&library), None, jdk.feature.into(), &mut fetch).unwrap();
            let message = run(&source, &library, &mockito, jdk);
            assert_eq!(message, "For input string: \"aA\"", "Mockito {version} on Java {}", jdk.feature);
        }
    }
}

/// The message of what a test throws with a library on the class path.
fn run(
    source: &TestSource,
    library: &ClassPath,
    mockito: &Mockito,
    jdk: &crashback_classpath::jdk::Jdk,
) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let verifier = verifier(&JUNIT_5, &jdk.home, scratch.path());
    let class_path: Vec<PathBuf> = verifier.class_path.iter().chain(library.launch_path()).cloned().collect();
    let verifier =
        Verifier { class_path: &class_path, mockito: Some(mockito), feature: jdk.feature.into(), ..verifier };
    match verifier.verify(source, 1).unwrap() {
        Verification::Ran(runs) => match runs.as_slice() {
            [Run::Threw(crash)] => crash.outermost().unwrap().message.clone().unwrap_or_default(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}
