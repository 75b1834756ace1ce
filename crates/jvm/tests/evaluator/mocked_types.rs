//! Mocks of the types that there are.

use std::path::Path;

use crashback_classpath::{CacheSettings, ClassPath, Request, jdk};
use crashback_program::ClassSource;
use crashback_protocol::Outcome;
use crashback_testcase::{Arguments, Context, Statement, TestCase};

use crate::support::{Bench, jdk_homes};

/// Whole and partial mocks of everything in some packages of the JDK, and of all subjects: an
/// object is made, so that the class is verified.
#[test]
fn whatever_can_be_mocked_is_mocked() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let request = Request {
            entries: vec![bench.classes()],
            jdk: Some(jdk::at(&home).unwrap()),
            cache: Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))),
            ..Request::default()
        };
        let class_path = ClassPath::load(&request).unwrap();
        let context = Context::new(class_path.index(), "subject");
        let (mut names, mut tests) = (Vec::new(), Vec::new());
        for class in class_path.index().iter().filter(|it| PACKAGES.contains(&it.package())) {
            if context.check_mockable(class.name()).is_ok() {
                for calls_real in [false, true] {
                    let mock = bench.vocabulary.add_mock_of(context, class.name(), calls_real).unwrap();
                    names.push(class.name());
                    tests.push(TestCase::new(vec![Statement::Mock(mock)]));
                }
            }
        }
        assert!(names.len() > 300, "{}", names.len());
        let results = bench.run(&mut bench.pool(1), &tests);
        for (name, observation) in names.iter().zip(&results.observations) {
            assert_eq!(
                observation.outcome,
                Outcome::Returned,
                "{name} on {}: {observation:?}",
                home.display()
            );
        }
    }
}

/// Whatever is abstract and needs no arguments: either its constructor ends as that of any class
/// below it, or it is not for a test to extend.
#[test]
fn abstract_classes_are_constructed() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let jdk = Some(jdk::at(&home).unwrap());
        let class_path = ClassPath::load(&Request { jdk, ..Request::default() }).unwrap();
        let context = Context::new(class_path.index(), "subject");
        let (mut names, mut tests) = (Vec::new(), Vec::new());
        for class in class_path.index().iter().filter(|it| PACKAGES.contains(&it.package())) {
            let Some(constructor) = class.method("<init>", "()V").filter(|it| it.is_public()) else {
                continue;
            };
            if context.is_extensible(class) {
                bench.vocabulary.add_subclass_of(context, class.name()).unwrap();
                let constructor = bench.vocabulary.add_method_of(class, constructor).unwrap();
                let arguments = Arguments::new();
                tests.push(TestCase::new(vec![Statement::Construct { constructor, arguments }]));
                names.push(class.name());
            }
        }
        assert!(names.len() > 5, "{names:?}");
        let results = bench.run(&mut bench.pool(1), &tests);
        for (name, observation) in names.iter().zip(&results.observations) {
            assert_eq!(observation.outcome, Outcome::Returned, "{name}: {observation:?}");
        }
    }
}

const PACKAGES: &[&str] =
    &["java/io", "java/net", "java/nio/channels", "java/sql", "java/util", "java/util/concurrent", "subject"];
