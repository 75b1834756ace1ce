//! Exceptions that the program catches and gives to somebody: mocks keep them, and the test throws the one in question when all calls are made.
//!
//! A mock that threw it at once would change the way that the program goes.

use std::collections::BTreeSet;

use crashback_testcase::{Mock, Statement, Type};

use super::mock::{INVOCATION, mockito};
use super::writer::{Line, Writer};

/// What the list of the exceptions is called.
pub(crate) const RECEIVED: &str = "received";

/// The answer of mocks that keep what they are given.
pub(crate) fn answer() -> String {
    format!("recording({RECEIVED})")
}

/// The statement before all others.
pub(crate) fn declaration(writer: &Writer<'_>) -> Line {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let text = format!("{list}<{throwable}> {RECEIVED} = new {}<>();", name("java/util/ArrayList"));
    Line { text, expression: None, throws: BTreeSet::new() }
}

/// The statement behind all others.
pub(crate) fn conclusion(exception: &str) -> Line {
    let expression = format!("rethrow({RECEIVED}, \"{exception}\")");
    Line {
        text: format!("{expression};"),
        expression: Some(expression),
        throws: BTreeSet::from(["java/lang/Throwable".to_owned()]),
    }
}

/// The methods of the test class that these need.
pub(crate) fn helpers(writer: &Writer<'_>) -> [String; 2] {
    let name = |of: &str| writer.imports.class_name(of);
    let (list, throwable) = (name("java/util/List"), name("java/lang/Throwable"));
    let (object, string) = (name("java/lang/Object"), name("java/lang/String"));
    let recording = format!(
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
    );
    let rethrow = format!(
        "    /** Throws the first exception of a class that mocks were given, as it is or as a cause. */
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
    );
    [recording, rethrow]
}

impl Writer<'_> {
    /// Whether a mock has a method that takes exceptions. Those that take any object count where no mock of the test takes exceptions as such.
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
