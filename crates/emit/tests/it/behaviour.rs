//! A source does what its test case says: it behaves as one that is written statement by statement,
//! with nothing moved, inlined or left out.

#![expect(clippy::disallowed_methods, reason = "the test starts a JVM")]

use std::path::Path;
use std::process::Command;

use crashback_emit::source::TestSource;
use crashback_emit::verify::Verifier;
use crashback_program::ClassSource;
use crashback_testcase::{Context, Statement};

use crate::libraries::{random_tests, verifier_of};
use crate::plain;
use crate::support::{jdk, load};

#[test]
fn of_joda_time() {
    check("joda-time:joda-time:2.12.7", |package| !package.ends_with("/tz"));
}

#[test]
fn of_commons_math() {
    check("org.apache.commons:commons-math3:3.6.1", |_| true);
}

fn check(library: &str, is_wanted: impl Fn(&str) -> bool) {
    let class_path = load(&[library], &[]);
    let tests = random_tests(&class_path, crate::libraries::samples() / 2);
    let mut sources: Vec<TestSource> = Vec::new();
    for test in tests.iter().filter(|it| is_wanted(&it.source.package)) {
        let context = Context::new(class_path.index(), &test.source.package);
        let lines = plain::lines(&test.case, &test.vocabulary, context).into_iter();
        // Type arguments may exclude a cast between interfaces, of which erased types know nothing.
        let lines = lines.zip(test.case.statements()).map(|(line, statement)| match statement {
            Statement::Cast { .. } => line.replacen(") v", ") (Object) v", 1),
            _ => line,
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        let class = format!("Plain{}", test.source.class);
        let package = test.source.package.replace('/', ".");
        let text = format!(
            "package {package};\nclass {class} {{\nvoid test() throws Throwable {{\n{lines}\n}}\n}}\n"
        );
        sources.push(TestSource { class, text, ..test.source.clone() });
        sources.push(test.source.clone());
    }
    let (scratch, jdk) = (tempfile::tempdir().unwrap(), jdk());
    let verifier = verifier_of(&class_path, &jdk, scratch.path());
    let refused: Vec<String> = verifier.compile_all(&sources).unwrap().into_iter().flatten().collect();
    assert!(refused.is_empty(), "{refused:#?}");
    let outcomes = outcomes(&verifier, &sources, scratch.path());
    let (mut compared, mut thrown) = (0, 0);
    for (pair, outcomes) in sources.chunks(2).zip(outcomes.chunks(2)) {
        // How much memory there is and how long something takes is not up to the test.
        if !outcomes.iter().any(|it| it == "hangs" || it.contains("OutOfMemoryError")) {
            assert_eq!(outcomes[0], outcomes[1], "{}\n{}", pair[0].text, pair[1].text);
            compared += 1;
            thrown += usize::from(outcomes[0].starts_with("throws"));
        }
    }
    assert!(
        compared * 2 > sources.len() * 8 / 10,
        "only {compared} of {} could be compared",
        sources.len() / 2
    );
    assert!(thrown * 5 > compared && thrown < compared, "{thrown} of {compared} throw");
}

/// What each test does, in words.
fn outcomes(verifier: &Verifier<'_>, sources: &[TestSource], scratch: &Path) -> Vec<String> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/Driver.java");
    let out = scratch.join("driver");
    let javac =
        Command::new(verifier.java_home.join("bin/javac")).arg("-d").arg(&out).arg(driver).status().unwrap();
    assert!(javac.success());
    let names: String = sources.iter().map(|it| format!("{}\n", it.class_name())).collect();
    std::fs::write(scratch.join("names"), names).unwrap();
    let jars = verifier.class_path.iter().chain(&verifier.runner.jars).cloned();
    let class_path = std::env::join_paths(std::iter::once(scratch.join("classes")).chain(jars)).unwrap();
    let java = verifier.java_home.join("bin/java");
    let output = Command::new(java)
        .args(["-Xmx300m", "-XX:TieredStopAtLevel=1", "-XX:-OmitStackTraceInFastThrow", "-cp"])
        .arg(&out)
        .args(["Driver", "names"])
        .arg(class_path)
        .current_dir(scratch)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let outcomes: Vec<String> =
        text.lines().filter_map(|it| Some(it.strip_prefix("outcome ")?.to_owned())).collect();
    assert_eq!(outcomes.len(), sources.len(), "{}", String::from_utf8_lossy(&output.stderr));
    outcomes
}
