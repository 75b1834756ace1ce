//! Which methods of classes are tests, and which prepare them.

use std::collections::BTreeMap;

use crashback_program::classes::Classes;
use crashback_program::{ClassView, MemberView};

use super::TestClasses;
use super::world::World;

/// Annotations of tests, without the `L` and `;` of their descriptors.
const TESTS: [&str; 5] = [
    "org/junit/Test",
    "org/junit/jupiter/api/Test",
    "org/junit/jupiter/api/RepeatedTest",
    "org/junit/jupiter/params/ParameterizedTest",
    "org/testng/annotations/Test",
];

/// Annotations of methods that run before all tests of a class, and those that run before each.
const BEFORE_ALL: [&str; 5] = [
    "org/junit/BeforeClass",
    "org/junit/jupiter/api/BeforeAll",
    "org/testng/annotations/BeforeSuite",
    "org/testng/annotations/BeforeTest",
    "org/testng/annotations/BeforeClass",
];
const BEFORE_EACH: [&str; 3] =
    ["org/junit/Before", "org/junit/jupiter/api/BeforeEach", "org/testng/annotations/BeforeMethod"];

/// The annotation that gives a test with one parameter its arguments, and how many of them are taken.
const VALUES: &str = "Lorg/junit/jupiter/params/provider/ValueSource;";
const MOST_ARGUMENTS: usize = 4;

/// The class above tests of JUnit 3.
const TEST_CASE: &str = "junit/framework/TestCase";

/// Packages of test frameworks and of libraries for tests. Their calls are assertions or mocks: no part of
/// the way to a crash.
const FRAMEWORKS: [&str; 10] = [
    "org/junit/",
    "junit/",
    "org/testng/",
    "org/hamcrest/",
    "org/assertj/",
    "com/google/common/truth/",
    "org/mockito/",
    "org/powermock/",
    "org/easymock/",
    "org/opentest4j/",
];

/// Whether a class, by its internal name, belongs to a test framework or a library for tests.
pub fn is_framework(class: &str) -> bool {
    FRAMEWORKS.iter().any(|it| class.starts_with(it))
}

/// A method of a class, by name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MethodName {
    pub(super) class: String,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) is_static: bool,
    /// The text of its only argument, where an annotation tells it.
    pub(super) argument: Option<String>,
}

impl MethodName {
    fn of(method: MemberView<'_>) -> Self {
        Self {
            class: method.class().name().to_owned(),
            name: method.name().to_owned(),
            descriptor: method.descriptor().to_owned(),
            is_static: method.is_static(),
            argument: None,
        }
    }

    /// The method, once for each argument that an annotation gives it.
    fn with_arguments(method: MemberView<'_>) -> Vec<Self> {
        let values = method.annotations().find(|it| it.descriptor() == VALUES);
        let texts: Vec<String> =
            values.iter().flat_map(|it| it.elements()).flat_map(|it| items(it.1)).collect();
        if texts.is_empty() {
            return vec![Self::of(method)];
        }
        let with = |text: String| Self { argument: Some(text), ..Self::of(method) };
        texts.into_iter().take(MOST_ARGUMENTS).map(with).collect()
    }
}

/// The parts of an array as the index writes it, `{a, b}`.
fn items(array: &str) -> Vec<String> {
    let inner = array.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(array);
    inner.split(", ").map(str::to_owned).collect()
}

/// The tests that a class declares; for a class of a person's without any, its `main` if that is wanted.
pub(super) fn tests_of(world: &World<'_>, class: ClassView<'_>, with_main: bool) -> Vec<MethodName> {
    if class.is_abstract() {
        return Vec::new();
    }
    let found = declared_tests(world, class);
    let main = class.method("main", "([Ljava/lang/String;)V").filter(|it| with_main && it.is_static());
    if found.is_empty() { main.map(MethodName::of).into_iter().collect() } else { found }
}

/// The tests that a class declares, abstract or not.
fn declared_tests(world: &World<'_>, class: ClassView<'_>) -> Vec<MethodName> {
    let is_marked = has_annotation(class.annotations().map(|it| it.descriptor()), &TESTS);
    let is_old = world.classes_above(class.name()).last().is_some_and(|it| it == TEST_CASE);
    let is_test = |method: &MemberView<'_>| {
        let annotations = || method.annotations().map(|it| it.descriptor());
        let is_plain = method.is_public() && !method.is_static() && !method.is_synthetic();
        has_annotation(annotations(), &TESTS)
            || is_plain && is_old && method.name().starts_with("test") && method.descriptor() == "()V"
            || is_plain && is_marked && method.name() != "<init>" && annotations().next().is_none()
    };
    let tests = class.methods().filter(|it| it.has_code() && is_test(it));
    tests.flat_map(MethodName::with_arguments).collect()
}

/// Marks classes whose tests belong to those of the class around them.
const NESTED: &str = "org/junit/jupiter/api/Nested";

/// The framework that a test is written for, as far as tests are run in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    /// JUnit 3 or 4.
    Old,
    /// JUnit 5 or 6.
    Jupiter,
    /// TestNG.
    TestNg,
}

/// A class with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestClass {
    /// Its internal name.
    pub name: String,
    /// The framework that its tests are written for.
    pub framework: Framework,
    /// The names of its tests, inherited ones too.
    pub methods: Vec<String>,
}

/// All classes with tests that can be run, by name. Tests of JUnit 5 in nested classes belong to the class
/// around these.
pub fn test_classes(classes: &Classes<'_>) -> Vec<TestClass> {
    let tests = TestClasses::default();
    let world = World { classes, tests: &tests };
    let mut found: BTreeMap<String, TestClass> = BTreeMap::new();
    for class in classes.index().iter().filter(|it| !it.is_abstract() && !is_framework(it.name())) {
        if classes.is_jdk(class.name()) || is_local(class.name()) {
            continue;
        }
        let Some((framework, methods)) = runnable(&world, class) else { continue };
        let name = outermost(classes, class.name());
        let methods = if name == class.name() { methods } else { Vec::new() };
        let fresh = || TestClass { name: name.to_owned(), framework, methods: Vec::new() };
        let known = found.entry(name.to_owned()).or_insert_with(fresh);
        known.methods.extend(methods);
        known.methods.sort();
        known.methods.dedup();
    }
    found.into_values().collect()
}

/// Whether a class is anonymous or local, by its name: no framework makes objects of these.
fn is_local(name: &str) -> bool {
    name.rsplit_once('$').is_some_and(|(_, last)| last.starts_with(|it: char| it.is_ascii_digit()))
}

/// The class whose tests are run with those of a nested class: itself for most.
fn outermost<'n>(classes: &Classes<'_>, class: &'n str) -> &'n str {
    let mut name = class;
    while let Some(view) = classes.index().get(name) {
        let is_nested = has_annotation(view.annotations().map(|it| it.descriptor()), &[NESTED]);
        match name.rsplit_once('$').filter(|_| is_nested) {
            Some((around, _)) => name = around,
            None => break,
        }
    }
    name
}

/// The framework and the names of the tests that a class declares or inherits; none without tests.
fn runnable(world: &World<'_>, class: ClassView<'_>) -> Option<(Framework, Vec<String>)> {
    let mut names = vec![class.name().to_owned()];
    names.extend(world.classes_above(class.name()));
    let mut framework = Framework::Old;
    let mut methods = Vec::new();
    for class in names.iter().filter(|it| !is_framework(it)) {
        world.with_own(class, |view| {
            let of_methods = view.methods().flat_map(|it| it.annotations().map(|it| it.descriptor()));
            let all: Vec<&str> = of_methods.chain(view.annotations().map(|it| it.descriptor())).collect();
            if all.iter().any(|it| it.starts_with("Lorg/junit/jupiter/")) {
                framework = Framework::Jupiter;
            } else if all.contains(&"Lorg/testng/annotations/Test;") {
                framework = Framework::TestNg;
            }
            methods.extend(declared_tests(world, view).into_iter().map(|it| it.name));
        });
    }
    (!methods.is_empty()).then_some((framework, methods))
}

/// The methods that run before a test of a class, in order: those of classes above first.
pub(super) fn preparations_of(world: &World<'_>, class: &str) -> Vec<MethodName> {
    let mut above: Vec<String> = world.classes_above(class);
    above.reverse();
    above.push(class.to_owned());
    let is_old = above.first().is_some_and(|it| it == TEST_CASE);
    let mut found = Vec::new();
    for is_of_all in [true, false] {
        for class in &above {
            let of_class = world.with_own(class, |view| {
                let is_before = |method: &MemberView<'_>| {
                    let names: &[&str] = if is_of_all { &BEFORE_ALL } else { &BEFORE_EACH };
                    has_annotation(method.annotations().map(|it| it.descriptor()), names)
                };
                view.methods().filter(is_before).map(MethodName::of).collect::<Vec<_>>()
            });
            found.extend(of_class.unwrap_or_default());
        }
    }
    if is_old {
        let descriptor = "()V".to_owned();
        let name = "setUp".to_owned();
        let class = class.to_owned();
        found.push(MethodName { class, name, descriptor, is_static: false, argument: None });
    }
    found
}

fn has_annotation<'a>(mut descriptors: impl Iterator<Item = &'a str>, names: &[&str]) -> bool {
    descriptors.any(|it| {
        let name = it.strip_prefix('L').and_then(|it| it.strip_suffix(';'));
        name.is_some_and(|it| names.contains(&it))
    })
}
