//! Exceptions that the program catches: mocks keep those that they are given, a listener those that
//! are logged (`listening`), calls of the test yield those that the program keeps, and the test
//! throws the one in question when all calls are made.
//!
//! A mock that threw it at once would change the way that the program goes.

use std::collections::BTreeSet;

use crashback_testcase::{Mock, Statement, Type};

use super::Received;
use super::listening;
use super::mock::{INVOCATION, mockito};
use super::writer::{Line, Writer};

/// Names of the list of exceptions and of the method that adds to it.
pub(crate) const RECEIVED: &str = "received";
pub(crate) const RECORDER: &str = "recorder";

/// The answer of mocks that keep their arguments.
pub(crate) fn answer() -> String {
    format!("recording({RECEIVED})")
}

/// Lets the test throw the exception in the end. Gives the methods of the test class that it needs
/// for that; none if a statement names a member that does not exist.
pub(crate) fn rethrow(
    writer: &Writer<'_>,
    received: Received<'_>,
    lines: &mut Vec<Line>,
) -> Option<Vec<String>> {
    let name = |of: &str| writer.imports.class_name(of);
    match received {
        Received::ByMocks(exception) => {
            lines.insert(0, declaration(writer));
            lines.push(conclusion(exception));
            Some(vec![recording(writer), rethrow_first(writer)])
        }
        Received::ByLogger(logging, exception) => {
            listening::listen(writer, logging, lines);
            lines.push(conclusion(exception));
            Some(vec![listening::recording(writer, logging), rethrow_first(writer)])
        }
        Received::ByTest => {
            lines.pop();
            let last = writer.make(writer.plan.order().last().copied()?)?;
            lines.push(throwing(format!("rethrow({})", last.text), last.throws));
            let (object, throwable) = (name("java/lang/Object"), name("java/lang/Throwable"));
            Some(vec![format!(
                "    /** Throws what the program has kept, if that is an exception. */
    private static void rethrow({object} kept) throws {throwable} {{
        if (kept instanceof {throwable}) {{
            throw ({throwable}) kept;
        }}
    }}
"
            )])
        }
    }
}

/// The statement before all others.
pub(super) fn declaration(writer: &Writer<'_>) -> Line {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let text = format!("{list}<{throwable}> {RECEIVED} = new {}<>();", name("java/util/ArrayList"));
    Line { text, expression: None, throws: BTreeSet::new() }
}

/// The statement behind all others.
fn conclusion(exception: &str) -> Line {
    throwing(format!("rethrow({RECEIVED}, \"{exception}\")"), BTreeSet::new())
}

fn throwing(expression: String, mut throws: BTreeSet<String>) -> Line {
    throws.insert("java/lang/Throwable".to_owned());
    Line { text: format!("{expression};"), expression: Some(expression), throws }
}

/// The method that makes the answer.
fn recording(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let object = name("java/lang/Object");
    format!(
        "    /** Answers as mocks do and keeps the exceptions that they are given. */
    private static {answer}<{object}> recording({list}<{throwable}> {RECEIVED}) {{
        return {INVOCATION} -> {{
            for ({object} argument : {INVOCATION}.getArguments()) {{
                if (argument instanceof {throwable}) {{
                    {RECEIVED}.add(({throwable}) argument);
                }}
            }}
            return {defaults}.answer({INVOCATION});
        }};
    }}
",
        answer = name("org/mockito/stubbing/Answer"),
        defaults = mockito(writer, "RETURNS_DEFAULTS"),
    )
}

/// The method that throws.
fn rethrow_first(writer: &Writer<'_>) -> String {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let string = name("java/lang/String");
    format!(
        "    /** Throws the first exception of a class that was received, as it is or as a cause. */
    private static void rethrow({list}<{throwable}> {RECEIVED}, {string} exception) throws {throwable} {{
        for ({throwable} given : {RECEIVED}) {{
            for ({throwable} it = given; it != null; it = it.getCause()) {{
                if (it.getClass().getName().equals(exception)) {{
                    throw it;
                }}
            }}
        }}
    }}
"
    )
}

impl Writer<'_> {
    /// Whether a mock has a method that takes exceptions. Those that take any object count where no
    /// mock of the test takes exceptions as such.
    pub(crate) fn is_given_exceptions(&self, mock: &Mock) -> bool {
        let is_exception = |of: &Type| {
            let class = of.class_name().unwrap_or_default();
            self.context.hierarchy().is_subtype(class, "java/lang/Throwable") == Some(true)
        };
        let is_any = |of: &Type| ["Ljava/lang/Object;", "[Ljava/lang/Object;"].contains(&of.descriptor());
        if self.takes(mock, is_exception) {
            return true;
        }
        let mocks = self.test.statements().iter().filter_map(|it| match it {
            Statement::Mock(other) => self.vocabulary.mock(*other),
            _ => None,
        });
        self.takes(mock, is_any)
            && !mocks.into_iter().any(|it| !it.calls_real && self.takes(it, is_exception))
    }

    fn takes(&self, mock: &Mock, is_wanted: impl Fn(&Type) -> bool) -> bool {
        let methods = mock.methods.iter().filter_map(|it| self.vocabulary.method(it.method));
        methods.flat_map(|it| &it.parameters).filter_map(|it| self.vocabulary.type_of(*it)).any(is_wanted)
    }
}
