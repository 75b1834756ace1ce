//! Test cases carved from tests: the calls that a test makes on the program, from its class file.
//!
//! The code of a test is gone through instruction by instruction, with known values where there are some,
//! so that loops over constants go round as often as they would. Methods that prepare the test, fields of
//! its class and its own helpers are gone into. Assertions are dropped, as is everything that a test case
//! cannot express, with all that needs it. Nothing is run.

mod calls;
mod finding;
mod machine;
mod memory;
mod mocks;
mod recorder;
mod value;
mod world;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::classes::Classes;
use crashback_program::code::InvokeKind;
use crashback_program::frames::{CrashAudit, Origin};
use crashback_program::{ClassSource, ClassView, EntryKind, Origins};
use crashback_testcase::workshop::{SeedTest, Tuning};
use crashback_testcase::{Context, MemberName, Statement, TestCase, Text, Vocabulary, salvaged, tidied};

use crate::models::{common, names_any};
pub use finding::{Framework, TestClass, is_framework, test_classes};
use finding::{MethodName, preparations_of, tests_of};
use machine::{Machine, Object, Stop};
use recorder::Recorder;
use value::Value;
use world::World;

/// Classes of tests that lie beside the program.
#[derive(Clone, Default)]
pub struct TestClasses {
    /// Those that were compiled from given sources.
    pub given: Option<Arc<dyn ClassSource>>,
    /// Those of the class path for tests.
    pub path: Option<Arc<dyn ClassSource>>,
    /// Given sources that were refused, each with the reason in words.
    pub refused: Vec<(String, String)>,
}

impl TestClasses {
    /// How many tests there are in the given sources.
    pub fn count_given(&self, classes: &Classes<'_>) -> usize {
        let world = World { classes, tests: self };
        let given = self.given.iter().flat_map(|it| it.index().iter());
        given.map(|it| tests_of(&world, it, true).len()).sum()
    }
}

impl fmt::Debug for TestClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |it: &Option<Arc<dyn ClassSource>>| it.as_ref().map(|it| it.index().len());
        f.debug_struct("TestClasses")
            .field("given", &count(&self.given))
            .field("path", &count(&self.path))
            .finish()
    }
}

/// Tests that were carved.
#[derive(Clone, Debug, Default)]
pub struct Carved {
    /// The tests of which something is left, the given ones first.
    pub tests: Vec<SeedTest>,
    /// All given tests, in order, whether something is left of them or not.
    pub given: Vec<CarvedTest>,
    /// How many tests of the project were looked at.
    pub looked_at: usize,
}

/// A given test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarvedTest {
    /// Class and method: `post.DeskTest.opens`.
    pub name: String,
    /// How many statements it was carved into.
    pub statements: usize,
    /// In words, what was left out.
    pub left_out: Vec<String>,
}

/// Carves given tests, and those of the project's own that are nearest to a crash: tests that name classes
/// of the trace, then by package. The latter are bounded by bytes and by their number, so that the result
/// depends neither on the clock nor on a cache.
pub fn carve(
    classes: &Classes<'_>,
    origins: &Origins<'_>,
    audit: &CrashAudit,
    tests: &TestClasses,
    vocabulary: &mut Vocabulary,
    tuning: &Tuning,
) -> Carved {
    let world = World { classes, tests };
    let mut carved = Carved::default();
    if let Some(given) = &tests.given {
        let mut views: Vec<ClassView<'_>> = given.index().iter().collect();
        views.sort_by_key(|it| it.name());
        for class in views {
            for test in tests_of(&world, class, true) {
                carved.add_given(carve_one(&world, &test, vocabulary, tuning), &test);
            }
        }
    }
    if tuning.source_clones || tuning.source_carved {
        for test in nearest(&world, origins, audit, tuning) {
            carved.looked_at += 1;
            let (case, _) = carve_one(&world, &test, vocabulary, tuning);
            carved.add(case, &test, false);
        }
    }
    carved
}

impl Carved {
    fn add_given(&mut self, (case, left_out): (TestCase, Vec<String>), test: &MethodName) {
        let statements = case.statements().len();
        self.given.push(CarvedTest { name: shown(test), statements, left_out });
        self.add(case, test, true);
    }

    fn add(&mut self, case: TestCase, test: &MethodName, is_given: bool) {
        let is_deed = |it: &Statement| matches!(it, Statement::Call { .. } | Statement::Construct { .. });
        if case.statements().iter().any(is_deed) {
            self.tests.push(SeedTest { name: shown(test), case, is_given });
        }
    }
}

fn shown(test: &MethodName) -> String {
    let argument = test.argument.as_ref().map(|it| format!("({it})")).unwrap_or_default();
    format!("{}.{}{argument}", test.class.replace('/', "."), test.name)
}

/// The statements of a test, valid in its own package, and what was left out.
fn carve_one(
    world: &World<'_>,
    test: &MethodName,
    vocabulary: &mut Vocabulary,
    tuning: &Tuning,
) -> (TestCase, Vec<String>) {
    let package = test.class.rsplit_once('/').map_or("", |(package, _)| package);
    let context = Context::new(world.classes.index(), package);
    let recorder = Recorder::new(vocabulary, context, tuning.carved_statements);
    let mut machine = Machine::new(world, &test.class, recorder);
    // However it ends, what was recorded until then counts.
    let _ = machine.run_test(test);
    let (case, mut notes) = machine.finish();
    let valid = salvaged(&case, vocabulary, &context);
    let lost = case.statements().len() - valid.statements().len();
    if lost > 0 {
        notes.push(format!("{lost} statements that no test in the package {package} can make"));
    }
    (tidied(&valid, vocabulary), notes)
}

impl Machine<'_, '_> {
    /// Runs a test with all that prepares it.
    fn run_test(&mut self, test: &MethodName) -> Result<(), Stop> {
        self.initialise(&test.class)?;
        let object = if test.is_static { None } else { Some(self.new_test(&test.class)?) };
        for preparation in preparations_of(self.world, &test.class) {
            self.run_method(&preparation, object.clone())?;
        }
        self.run_method(test, object)
    }

    fn run_method(&mut self, method: &MethodName, object: Option<Value>) -> Result<(), Stop> {
        let (kind, receiver) = match (method.is_static, object) {
            (true, _) | (_, None) => (InvokeKind::Static, None),
            (_, object) => (InvokeKind::Virtual, object),
        };
        let given = method.argument.as_deref().and_then(|it| Value::read(it, &method.descriptor));
        let arguments = match given {
            Some(given) => vec![given],
            None => self.arguments_of(&method.descriptor),
        };
        let MethodName { class, name, descriptor, .. } = method.clone();
        let member = MemberName { owner: class, name, descriptor };
        match self.call(kind, &member, receiver, arguments, None) {
            Err(Stop::Over) => Err(Stop::Over),
            _ => Ok(()),
        }
    }

    /// An object of the class of a test, with those around it.
    fn new_test(&mut self, class: &str) -> Result<Value, Stop> {
        let descriptor = self.world.with_own(class, |it| {
            let constructors = it.methods_named("<init>").map(|it| it.descriptor().to_owned());
            constructors.min_by_key(|it| (it.len(), it.clone()))
        });
        let descriptor = descriptor.flatten().unwrap_or_else(|| String::from("()V"));
        let outer = class.rsplit_once('$').map(|(outer, _)| outer);
        let mut arguments = self.arguments_of(&descriptor);
        if let Some(outer) = outer.filter(|it| descriptor == format!("(L{it};)V"))
            && let Some(argument) = arguments.first_mut()
        {
            let around = self.new_test(outer)?;
            for preparation in preparations_of(self.world, outer) {
                self.run_method(&preparation, Some(around.clone()))?;
            }
            *argument = around;
        }
        let made = self.add_object(Object::New);
        let member = MemberName { owner: class.to_owned(), name: "<init>".to_owned(), descriptor };
        match self.call(InvokeKind::Special, &member, Some(made.clone()), arguments, None) {
            Err(Stop::Over) => return Err(Stop::Over),
            _ => self.fill_mocks(&made, class),
        }
        Ok(made)
    }

    /// What a framework passes to a test: its folder, its name, or the arguments of a program.
    fn arguments_of(&mut self, descriptor: &str) -> Vec<Value> {
        let parsed = MethodDescriptor::parse(JavaStr::new(descriptor.as_bytes()));
        let parameters: Vec<String> =
            parsed.map(|it| it.parameters().map(|it| it.to_string()).collect()).unwrap_or_default();
        let argument = |machine: &mut Self, of: &str| match of {
            "Ljava/io/File;" => Value::Folder,
            "Ljava/lang/String;" => Value::Text(Text::from("test")),
            "[Ljava/lang/String;" => {
                let (descriptor, elements) = (of.to_owned(), Vec::new());
                machine.add_object(Object::Array { descriptor, elements, variable: None })
            }
            _ => Value::Unknown,
        };
        parameters.iter().map(|it| argument(self, it)).collect()
    }
}

/// Tests of the project: on the class path for tests, and in class folders and jars of tests on the
/// program's.
fn nearest(world: &World<'_>, origins: &Origins<'_>, audit: &CrashAudit, tuning: &Tuning) -> Vec<MethodName> {
    let frames = audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
    let traced: BTreeSet<String> = frames.map(|it| it.class.replace('.', "/")).collect();
    let packages: BTreeSet<&str> =
        traced.iter().map(|it| it.rsplit_once('/').map_or("", |(package, _)| package)).collect();
    let nearness = |class: &ClassView<'_>| packages.iter().map(|it| common(it, class.package())).max();
    let mut sources: Vec<&dyn ClassSource> = world.tests.path.iter().map(|it| &**it).collect();
    sources.push(world.classes.source());
    let (mut naming, mut others) = (Vec::new(), Vec::new());
    let mut left = tuning.test_pool_kilobytes.saturating_mul(1000);
    for (number, source) in sources.iter().enumerate() {
        let is_program = number + 1 == sources.len();
        let is_folder = |it: &ClassView<'_>| {
            source.entry(it.reference()).is_some_and(|it| it.kind == EntryKind::Directory)
        };
        let is_place = |it: &ClassView<'_>| !is_program || is_folder(it) || origins.is_of_tests(it.name());
        let mut views: Vec<ClassView<'_>> = source.index().iter().filter(is_place).collect();
        views.retain(|it| nearness(it) > Some(0));
        views.sort_by_key(|it| (Reverse(nearness(it)), it.name()));
        for class in views {
            let tests = tests_of(world, class, false);
            if tests.is_empty() || left == 0 {
                continue;
            }
            let Ok(bytes) = source.bytes(class.reference()) else { continue };
            left = left.saturating_sub(bytes.len());
            if names_any(&bytes, &traced) { naming.extend(tests) } else { others.extend(tests) }
        }
    }
    naming.extend(others);
    naming.truncate(tuning.test_pool_size);
    naming
}
