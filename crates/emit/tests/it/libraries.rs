//! Whatever random test cases over released libraries become, compilers accept it.

use std::time::Duration;

use crashback_classpath::ClassPath;
use crashback_classpath::jdk::Jdk;
use crashback_emit::source::{Mode, Request, TestSource, write};
use crashback_emit::verify::Verifier;
use crashback_program::ClassSource;
use crashback_program::classes::Classes;
use crashback_program::source::EntryKind;
use crashback_testcase::Context;
use crashback_testcase::sample::Sampler;

use crate::support::{JUNIT_5, all_jdks, launch, load_with};

/// Test cases for each library; `CRASHBACK_EMIT_SAMPLES` asks for more.
fn samples() -> usize {
    #[expect(clippy::disallowed_methods, reason = "a larger run is asked for by hand")]
    let asked = std::env::var("CRASHBACK_EMIT_SAMPLES").ok();
    asked.map_or(150, |it| it.parse().unwrap())
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
        let sources = random_sources(&class_path, samples());
        let refused = refused(&class_path, &jdk, &sources);
        let (feature, some, all) = (jdk.feature, refused.len(), sources.len());
        let text: String = refused.iter().map(|(source, why)| format!("{why}\n{}\n", source.text)).collect();
        assert!(refused.is_empty(), "Java {feature} refuses {some} of {all} tests:\n{text}");
    }
}

/// Sources in several packages, each over classes of that package and some others of the library and the JDK.
fn random_sources(class_path: &ClassPath, count: usize) -> Vec<TestSource> {
    const TESTS_IN_A_PACKAGE: usize = 10;
    let index = class_path.index();
    let classes = Classes::new(class_path);
    let is_library =
        |it: &crashback_program::ClassRef| class_path.entry(*it).is_some_and(|it| it.kind != EntryKind::Jdk);
    let packages: Vec<(&str, Vec<&str>)> = index
        .packages()
        .map(|(name, all)| {
            (
                name,
                all.iter()
                    .filter(|it| is_library(it))
                    .filter_map(|it| Some(index.view(*it)?.name()))
                    .collect::<Vec<_>>(),
            )
        })
        .filter(|(_, all)| !all.is_empty())
        .collect();
    let mut sources = Vec::new();
    let mut round = 0;
    while sources.len() < count {
        for (number, (package, all)) in packages.iter().enumerate() {
            let seed = u64::try_from(round * packages.len() + number).unwrap();
            let other = &packages[(number + round + 1) % packages.len()].1;
            let chosen = pick(all, seed, 12).chain(pick(other, seed, 3)).chain(JDK);
            let context = Context::new(index, package);
            let mut sampler = Sampler::new(context, &chosen.collect::<Vec<_>>(), seed);
            for test in 0..TESTS_IN_A_PACKAGE.min(count - sources.len()) {
                let case = sampler.test_case(4 + u16::try_from(test).unwrap());
                let class = format!("Random{round}x{number}x{test}Test");
                let request = Request {
                    package,
                    class: &class,
                    method: "test",
                    junit: JUNIT_5.junit,
                    mode: Mode::Fails,
                    comment: &[],
                };
                sources.push(write(&case, sampler.vocabulary(), &classes, &request).unwrap());
            }
        }
        round += 1;
    }
    sources
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
    let verifier = Verifier {
        java_home: &jdk.home,
        feature: jdk.feature,
        class_path: class_path.launch_path(),
        runner: &JUNIT_5,
        jvm_options: &[],
        scratch: scratch.path(),
        time_limit: Duration::from_secs(600),
        launch: &launch,
    };
    let results = verifier.compile_all(sources).unwrap();
    sources.iter().zip(results).filter_map(|(source, refused)| Some((source, refused?))).collect()
}
