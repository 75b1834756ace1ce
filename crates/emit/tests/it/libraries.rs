//! Whatever random test cases over released libraries become, compilers accept it.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use crashback_classpath::ClassPath;
use crashback_classpath::jdk::Jdk;
use crashback_emit::source::{Mode, Request, TestSource, write};
use crashback_emit::verify::Verifier;
use crashback_program::classes::Classes;
use crashback_program::source::EntryKind;
use crashback_program::{ClassRef, ClassSource};
use crashback_testcase::sample::Sampler;
use crashback_testcase::{Context, TestCase, Vocabulary};

use crate::support::{JUNIT_5, ahead, all_jdks, launch, load_with};

/// Test cases for each library; `CRASHBACK_EMIT_SAMPLES` asks for more.
pub(crate) fn samples() -> usize {
    #[expect(clippy::disallowed_methods, reason = "a larger run is asked for by hand")]
    let asked = std::env::var("CRASHBACK_EMIT_SAMPLES").ok();
    asked.map_or(40, |it| it.parse().unwrap())
}

#[test]
fn commons_lang() {
    check("org.apache.commons:commons-lang3:3.14.0");
}

#[test]
fn commons_math() {
    check("org.apache.commons:commons-math3:3.6.1");
}

#[test]
fn joda_time() {
    check("joda-time:joda-time:2.12.7");
}

#[test]
fn guava() {
    check("com.google.guava:guava:31.1-jre");
}

fn check(library: &str) {
    for jdk in all_jdks() {
        let class_path = load_with(jdk.clone(), &[library], &[]);
        let tests = random_tests(&class_path, samples());
        let sources: Vec<TestSource> = tests.into_iter().map(|it| it.source).collect();
        let refused = refused(&class_path, &jdk, &sources);
        let (feature, some, all) = (jdk.feature, refused.len(), sources.len());
        let text: String = refused.iter().map(|(source, why)| format!("{why}\n{}\n", source.text)).collect();
        assert!(refused.is_empty(), "Java {feature} refuses {some} of {all} tests:\n{text}");
    }
}

/// A random test case and its source.
pub(crate) struct RandomTest {
    pub(crate) case: TestCase,
    pub(crate) vocabulary: Rc<Vocabulary>,
    pub(crate) source: TestSource,
}

/// Tests in several packages, each over classes of that package and some others of the library and
/// the JDK.
pub(crate) fn random_tests(class_path: &ClassPath, count: usize) -> Vec<RandomTest> {
    let classes = Classes::new(class_path);
    let packages = packages(class_path);
    let mut tests = Vec::new();
    for round in 0.. {
        for (number, (package, all)) in packages.iter().enumerate() {
            let seed = u64::try_from(round * packages.len() + number).unwrap();
            let other = &packages[(number + round + 1) % packages.len()].1;
            let chosen = pick(all, seed, 12).chain(pick(other, seed, 3)).chain(JDK);
            let context = Context::new(class_path.index(), package);
            let mut sampler = Sampler::new(context, &chosen.collect::<Vec<_>>(), seed);
            let cases: Vec<TestCase> = (4..14).map(|length| sampler.test_case(length)).collect();
            let vocabulary = Rc::new(sampler.vocabulary().clone());
            for (test, case) in cases.into_iter().enumerate() {
                let class = format!("Random{round}x{number}x{test}Test");
                let junit = JUNIT_5.junit;
                let request = Request {
                    package,
                    class: &class,
                    method: "test",
                    junit,
                    mode: Mode::Fails,
                    received: None,
                    comment: &[],
                };
                let source = write(&case, &vocabulary, &classes, &request).unwrap();
                tests.push(RandomTest { case, vocabulary: Rc::clone(&vocabulary), source });
                if tests.len() == count {
                    return tests;
                }
            }
        }
    }
    tests
}

/// The packages of a library with its classes.
pub(crate) fn packages(class_path: &ClassPath) -> Vec<(&str, Vec<&str>)> {
    let index = class_path.index();
    let is_library = |it: &&ClassRef| class_path.entry(**it).is_some_and(|it| it.kind != EntryKind::Jdk);
    let names = |all: &[ClassRef]| -> Vec<&str> {
        all.iter().filter(is_library).filter_map(|it| Some(index.view(*it)?.name())).collect()
    };
    index.packages().map(|(name, all)| (name, names(all))).filter(|(_, all)| !all.is_empty()).collect()
}

const JDK: [&str; 8] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Object",
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/Locale",
    "java/util/Arrays",
    "java/util/Collections",
];

fn pick<'a>(all: &'a [&'a str], seed: u64, count: usize) -> impl Iterator<Item = &'a str> {
    let start = usize::try_from(seed.wrapping_mul(0x9e37_79b9) % 1_000_003).unwrap() % all.len();
    all.iter().cycle().skip(start).take(count.min(all.len())).copied()
}

/// The sources that a compiler refuses, with what it says.
fn refused<'a>(
    class_path: &ClassPath,
    jdk: &Jdk,
    sources: &'a [TestSource],
) -> Vec<(&'a TestSource, String)> {
    let scratch = tempfile::tempdir().unwrap();
    let verifier = verifier_of(class_path, jdk, scratch.path());
    let results = verifier.compile_all(sources).unwrap();
    sources.iter().zip(results).filter_map(|(source, refused)| Some((source, refused?))).collect()
}

/// Compiles tests over a library.
pub(crate) fn verifier_of<'a>(class_path: &'a ClassPath, jdk: &'a Jdk, scratch: &'a Path) -> Verifier<'a> {
    Verifier {
        java_home: &jdk.home,
        feature: jdk.feature.into(),
        class_path: class_path.launch_path(),
        runner: &JUNIT_5,
        mockito: None,
        jvm_options: &[],
        scratch,
        time_limit: Duration::from_secs(600),
        launch: &launch,
        ahead: ahead(),
    }
}
