//! Which methods of classes are tests, and which prepare them.

use crashback_program::{ClassView, MemberView};

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

/// Whether a class belongs to a test framework.
pub(super) fn is_framework(class: &str) -> bool {
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
    let is_marked = has_annotation(class.annotations().map(|it| it.descriptor()), &TESTS);
    let is_old = world.classes_above(class.name()).last().is_some_and(|it| it == TEST_CASE);
    let is_test = |method: &MemberView<'_>| {
        let annotations = || method.annotations().map(|it| it.descriptor());
        let is_plain = method.is_public() && !method.is_static() && !method.is_synthetic();
        has_annotation(annotations(), &TESTS)
            || is_plain && is_old && method.name().starts_with("test") && method.descriptor() == "()V"
            || is_plain && is_marked && method.name() != "<init>" && annotations().next().is_none()
    };
    let found: Vec<MethodName> = class
        .methods()
        .filter(|it| it.has_code() && is_test(it))
        .flat_map(MethodName::with_arguments)
        .collect();
    let main = class.method("main", "([Ljava/lang/String;)V").filter(|it| with_main && it.is_static());
    if found.is_empty() { main.map(MethodName::of).into_iter().collect() } else { found }
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
