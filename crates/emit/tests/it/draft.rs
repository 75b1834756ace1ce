//! Test cases written down by the names of members.

use crashback_emit::junit::JUnit;
use crashback_emit::source::{Mode, Received, Request, TestSource, write};
use crashback_program::ClassSource;
use crashback_program::classes::Classes;
use crashback_testcase::{
    Answer, Arguments, Context, Given, Literal, MethodId, Statement, TestCase, Text, Type, TypeId, Var,
    Vocabulary,
};

use crate::support::SHOP;

/// A test case that is being written.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) statements: Vec<Statement>,
}

impl Draft {
    pub(crate) fn push(&mut self, statement: Statement) -> Var {
        self.statements.push(statement);
        Var(u16::try_from(self.statements.len() - 1).unwrap())
    }

    pub(crate) fn of(&mut self, descriptor: &str) -> TypeId {
        self.vocabulary.add_type(Type(descriptor.into()))
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> Var {
        self.push(Statement::Literal(literal))
    }

    pub(crate) fn text(&mut self, text: &str) -> Var {
        self.literal(Literal::Text(Text::from(text)))
    }

    pub(crate) fn int(&mut self, value: i32) -> Var {
        self.literal(Literal::Int(value))
    }

    pub(crate) fn null(&mut self, descriptor: &str) -> Var {
        let of = self.of(descriptor);
        self.literal(Literal::Null(of))
    }

    pub(crate) fn class(&mut self, descriptor: &str) -> Var {
        let of = self.of(descriptor);
        self.literal(Literal::Class(of))
    }

    pub(crate) fn cast(&mut self, descriptor: &str, value: Var) -> Var {
        let to = self.of(descriptor);
        self.push(Statement::Cast { to, value })
    }

    pub(crate) fn construct(&mut self, constructor: &str, arguments: &[Var]) -> Var {
        let constructor = self.vocabulary.find_method(context("shop").hierarchy(), constructor).unwrap();
        self.push(Statement::Construct { constructor, arguments: Arguments::from(arguments) })
    }

    pub(crate) fn call(&mut self, method: &str, arguments: &[Var]) -> Var {
        self.call_on(None, method, arguments)
    }

    pub(crate) fn call_on(
        &mut self,
        receiver: impl Into<Option<Var>>,
        method: &str,
        arguments: &[Var],
    ) -> Var {
        let method = self.vocabulary.find_method(context("shop").hierarchy(), method).unwrap();
        self.push(Statement::Call {
            method,
            receiver: receiver.into(),
            arguments: Arguments::from(arguments),
        })
    }

    pub(crate) fn read(&mut self, receiver: impl Into<Option<Var>>, field: &str) -> Var {
        let field = self.vocabulary.find_field(context("shop").hierarchy(), field).unwrap();
        self.push(Statement::ReadField { field, receiver: receiver.into() })
    }

    pub(crate) fn write(&mut self, receiver: impl Into<Option<Var>>, field: &str, value: Var) {
        let field = self.vocabulary.find_field(context("shop").hierarchy(), field).unwrap();
        self.push(Statement::WriteField { field, receiver: receiver.into(), value });
    }

    pub(crate) fn mock(&mut self, class: &str, calls_real: bool) -> Var {
        let mock = self.vocabulary.add_mock_of(context("shop"), class, calls_real).unwrap();
        self.push(Statement::Mock(mock))
    }

    pub(crate) fn anonymous(&mut self, class: &str) -> Var {
        let mock = self.vocabulary.add_anonymous_of(context("shop"), class).unwrap();
        self.push(Statement::Mock(mock))
    }

    pub(crate) fn spy(&mut self, class: &str, object: Var) -> Var {
        let mock = self.vocabulary.add_mock_of(context("shop"), class, true).unwrap();
        self.push(Statement::Spy { mock, object })
    }

    pub(crate) fn stub(&mut self, mock: Var, method: &str, answer: Answer) {
        let method = self.vocabulary.find_method(context("shop").hierarchy(), method).unwrap();
        self.push(Statement::Stub { mock, method, given: None, answer });
    }

    /// An answer to calls that are given a class as their first argument.
    pub(crate) fn stub_for(&mut self, mock: Var, method: &str, class: Var, answer: Answer) {
        let method = self.vocabulary.find_method(context("shop").hierarchy(), method).unwrap();
        let given = Some(Given { parameter: 0, class });
        self.push(Statement::Stub { mock, method, given, answer });
    }

    pub(crate) fn kept(&mut self, mock: Var, method: &str) -> Var {
        let method = self.vocabulary.find_method(context("shop").hierarchy(), method).unwrap();
        self.push(Statement::Kept { mock, method, parameter: 0 })
    }

    pub(crate) fn inject(&mut self, receiver: Var, field: &str, value: Var) {
        let field = self.vocabulary.find_field(context("shop").hierarchy(), field).unwrap();
        self.push(Statement::Inject { field, receiver, value });
    }

    pub(crate) fn array(&mut self, descriptor: &str, length: u16) -> Var {
        let array = self.of(descriptor);
        self.push(Statement::NewArray { array, length })
    }

    pub(crate) fn set(&mut self, array: Var, index: u16, value: Var) {
        self.push(Statement::WriteElement { array, index, value });
    }

    pub(crate) fn get(&mut self, array: Var, index: u16) -> Var {
        self.push(Statement::ReadElement { array, index })
    }

    /// An array with these elements.
    pub(crate) fn filled(&mut self, descriptor: &str, elements: &[Var]) -> Var {
        let array = self.array(descriptor, u16::try_from(elements.len()).unwrap());
        for (index, element) in (0..).zip(elements) {
            self.set(array, index, *element);
        }
        array
    }

    pub(crate) fn source(&self, package: &str, junit: JUnit, mode: Mode<'_>, comment: &[&str]) -> TestSource {
        let comment: Vec<String> = comment.iter().map(|it| (*it).to_owned()).collect();
        self.written(&Request { package, junit, mode, comment: &comment, ..request() })
    }

    /// With the exception that is received there thrown in the end.
    pub(crate) fn source_that_rethrows(
        &self,
        package: &str,
        junit: JUnit,
        mode: Mode<'_>,
        received: Received<'_>,
    ) -> TestSource {
        self.written(&Request { package, junit, mode, received: Some(received), ..request() })
    }

    fn written(&self, request: &Request<'_>) -> TestSource {
        let test = TestCase::new(self.statements.clone());
        write(&test, &self.vocabulary, &Classes::new(&SHOP.class_path), request).unwrap()
    }

    pub(crate) fn method(&mut self, method: &str) -> MethodId {
        self.vocabulary.find_method(context("shop").hierarchy(), method).unwrap()
    }
}

fn request() -> Request<'static> {
    Request {
        package: "",
        class: "SomeTest",
        method: "crashes",
        junit: JUnit::Five,
        mode: Mode::Fails,
        received: None,
        comment: &[],
    }
}

fn context(package: &str) -> Context<'_> {
    Context::new(SHOP.class_path.index(), package)
}
