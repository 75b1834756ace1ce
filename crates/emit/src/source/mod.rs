//! Test cases as Java sources, written as a person would write them.
//!
//! Invariants: the source of a valid test case compiles, in every package that the test case is
//! valid for; statements are evaluated in the order of the test case; the same test case gives the
//! same text.

mod anonymous;
mod call;
mod field;
mod formal;
mod imports;
mod inference;
mod java_type;
mod layout;
mod listening;
mod literal;
mod mock;
mod names;
mod nested;
mod overload;
mod plan;
mod received;
mod refine;
mod types;
mod variables;
mod writer;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use crashback_program::classes::Classes;
use crashback_testcase::{Context, Logging, Nested, TestCase, Typing, Vocabulary, check};
use crashback_trace::Frame;

use crate::junit::JUnit;
use crate::{Error, Result};
use imports::Imports;
use plan::Plan;
use writer::Writer;

pub use names::{free_class_name, method_name};

/// Where and how a test case is written down.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The package of the test in internal form, empty for the unnamed one: the one that the test
    /// case is valid for.
    pub package: &'a str,
    /// The simple name of the test class, see [`free_class_name`].
    pub class: &'a str,
    /// The name of the test method, see [`method_name`].
    pub method: &'a str,
    /// For which JUnit.
    pub junit: JUnit,
    /// Whether the test fails with the crash or expects it.
    pub mode: Mode<'a>,
    /// Where an exception is that the program catches: when all calls are made, the test throws it
    /// itself.
    pub received: Option<Received<'a>>,
    /// Lines that stand above the test as a comment, such as the frames that it reproduces.
    pub comment: &'a [String],
}

/// Where an exception is that does not leave the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A mock is given one that is of the class with this binary name, or has one as a cause.
    ByMocks(&'a str),
    /// The last statement of the test yields it.
    ByTest,
    /// A logging library is given one that is of the class with this binary name, or has one as a
    /// cause.
    ByLogger(Logging, &'a str),
}

/// How the test treats the crash.
#[derive(Clone, Debug)]
pub enum Mode<'a> {
    /// It makes the calls, and so fails with the crash until that is mended.
    Fails,
    /// It passes as long as the last statement crashes in the same way.
    Expects(Expectation<'a>),
}

/// A crash that a test expects.
#[derive(Clone, Debug)]
pub struct Expectation<'a> {
    /// The binary name of the class of the exception that the last statement throws.
    pub thrown: &'a str,
    /// How many causes below it the exception lies whose frames are checked; 0 for itself.
    pub cause: usize,
    /// The binary name of the class of that exception.
    pub exception: &'a str,
    /// The frames whose classes and methods must occur in this order, innermost first. Frames of
    /// the JDK and the like are left out, and lines are not checked: they change with every edit of
    /// the program.
    pub frames: &'a [Frame],
}

/// The source of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSource {
    /// The package in internal form.
    pub package: String,
    /// The simple name of the class.
    pub class: String,
    /// The name of the test method.
    pub method: String,
    /// The text.
    pub text: String,
}

impl TestSource {
    /// Where the file belongs below a folder of sources.
    pub fn path(&self) -> PathBuf {
        let folder: PathBuf = self.package.split('/').filter(|it| !it.is_empty()).collect();
        folder.join(format!("{}.java", self.class))
    }

    /// Whether the test compiles and runs only with Mockito.
    pub fn needs_mockito(&self) -> bool {
        self.text.lines().any(|it| it.starts_with("import static org.mockito."))
    }

    /// The binary name of the class.
    pub fn class_name(&self) -> String {
        match self.package.as_str() {
            "" => self.class.clone(),
            package => format!("{}.{}", package.replace('/', "."), self.class),
        }
    }
}

/// Writes a test case down.
pub fn write(
    test: &TestCase,
    vocabulary: &Vocabulary,
    classes: &Classes<'_>,
    request: &Request<'_>,
) -> Result<TestSource> {
    let context = Context::new(classes.index(), request.package);
    check(test, vocabulary, &context).map_err(|found| Error::InvalidTest {
        problems: found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    })?;
    let typing = Typing::of(test, vocabulary);
    let plan = Plan::of(test, vocabulary, &typing, context);
    let nested = nested::names(test, context, request.class);
    let drafted = Imports::new(classes.index(), request.package, own_names(request.class, &nested));
    let mut writer = Writer {
        test,
        vocabulary,
        classes,
        context,
        typing: &typing,
        plan: &plan,
        nested: &nested,
        imports: &drafted,
        records: matches!(request.received, Some(Received::ByMocks(_))),
        expects: matches!(request.mode, Mode::Expects(_)),
        receives: request.received.is_some(),
        junit: request.junit,
        variables: Vec::new(),
        misfits: RefCell::default(),
    };
    types::choose_variables(&mut writer, BTreeSet::new());
    refine::refine(&mut writer);
    let packages = drafted.qualifying_packages();
    if writer.variables.iter().flatten().any(|it| packages.contains(&it.name)) {
        types::choose_variables(&mut writer, packages);
        refine::refine(&mut writer);
    }
    // Only names that the final text uses are imported.
    let imports = Imports::new(classes.index(), request.package, own_names(request.class, &nested));
    writer.imports = &imports;
    let text = layout::lay_out(&writer, request)
        .ok_or_else(|| Error::InvalidTest { problems: "a statement names what does not exist".to_owned() })?;
    Ok(TestSource {
        package: request.package.to_owned(),
        class: request.class.to_owned(),
        method: request.method.to_owned(),
        text,
    })
}

/// The simple names of the classes that the source declares.
fn own_names<'a>(class: &'a str, nested: &'a [(Nested, String)]) -> BTreeSet<&'a str> {
    nested.iter().map(|(_, name)| name.as_str()).chain([class]).collect()
}
