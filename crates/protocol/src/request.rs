//! How requests are written.
//!
//! ```text
//! request   = vocabulary, isolation, pins, listens, count of tests, test…   (the first four by postcard)
//! test      = count of statements, statement…
//! statement = 0, count of units, byte…               (a text whose units are all below 256)
//!           | 1, count of units, two bytes…          (any other text)
//!           | 2, statement                           (by postcard)
//!           | 3, constructor or static method, count of arguments, argument…
//!           | 4, method, receiver, count of arguments, argument…
//! ```
//!
//! A worker reads request after request into the same memory.

use std::ops::Range;

use crashback_testcase::{Addition, Arguments, Literal, MethodId, Statement, TestCase, Var};
use postcard::Error;

use crate::bytes::{Reader, put, put_length};
use crate::wire::{PREFIX, WireError, announce};
use crate::{Isolation, Pins};

/// Test cases for a worker.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Members that the tests name and the worker does not know yet.
    pub vocabulary: Addition,
    /// How far the tests are kept apart. A worker cannot give a test another JVM; the pool starts
    /// another worker for that.
    pub isolation: Isolation,
    /// The clock and the random numbers that the tests find.
    pub pins: Pins,
    /// Whether exceptions that do not leave a test are told, too.
    pub listens: bool,
    /// The tests.
    pub tests: Tests,
}

impl Request {
    /// Reads a request from all bytes of its message, in the place of the one before. After an
    /// error this is no request at all.
    pub fn read(&mut self, message: &[u8]) -> Result<(), WireError> {
        let mut reader = Reader(message.get(PREFIX..).ok_or(Error::DeserializeUnexpectedEnd)?);
        (self.vocabulary, self.isolation, self.pins, self.listens) = reader.decode()?;
        self.tests.read(&mut reader)?;
        if reader.0.is_empty() { Ok(()) } else { Err(Error::SerdeDeCustom.into()) }
    }
}

/// Test cases that lie in one piece of memory.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    steps: Vec<Step>,
    /// Where the steps of each test end.
    ends: Vec<usize>,
    /// The units of all texts.
    units: Vec<u16>,
    /// The arguments of all calls.
    arguments: Vec<Var>,
}

/// A statement of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A literal text: see [`Tests::text`].
    Text(Range<u32>),
    /// A call of a constructor or method.
    Call {
        /// What is called.
        method: MethodId,
        /// The object that the method is called on, unless it is static.
        receiver: Option<Var>,
        /// See [`Tests::arguments`].
        arguments: Range<u32>,
    },
    /// Any other statement.
    Other(Statement),
}

impl Tests {
    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps of a test.
    pub fn get(&self, test: usize) -> Option<&[Step]> {
        let end = *self.ends.get(test)?;
        let start = test.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.steps.get(start..end)
    }

    /// The UTF-16 units of a text.
    pub fn text(&self, text: &Range<u32>) -> &[u16] {
        self.units.get(text.start as usize..text.end as usize).unwrap_or_default()
    }

    /// The arguments of a call.
    pub fn arguments(&self, arguments: &Range<u32>) -> &[Var] {
        self.arguments.get(arguments.start as usize..arguments.end as usize).unwrap_or_default()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.steps.clear();
        self.ends.clear();
        self.units.clear();
        self.arguments.clear();
        for _ in 0..reader.length()? {
            for _ in 0..reader.length()? {
                let step = self.read_step(reader)?;
                self.steps.push(step);
            }
            self.ends.push(self.steps.len());
        }
        Ok(())
    }

    fn read_step(&mut self, reader: &mut Reader<'_>) -> Result<Step, Error> {
        let start = self.units.len();
        match reader.byte()? {
            NARROW => {
                let length = reader.length()?;
                self.units.extend(reader.take(length)?.iter().map(|byte| u16::from(*byte)));
            }
            WIDE => {
                let length = reader.length()?;
                let (pairs, _) = reader.take(2 * length)?.as_chunks();
                self.units.extend(pairs.iter().map(|pair| u16::from_le_bytes(*pair)));
            }
            tag @ (CALL | CALL_ON) => return self.read_call(reader, tag == CALL_ON),
            _ => return reader.decode().map(Step::Other),
        }
        Ok(Step::Text(place(start)?..place(self.units.len())?))
    }

    fn read_call(&mut self, reader: &mut Reader<'_>, on_object: bool) -> Result<Step, Error> {
        let method = MethodId(reader.number()?);
        let receiver = if on_object { Some(variable(reader)?) } else { None };
        let start = self.arguments.len();
        for _ in 0..reader.length()? {
            self.arguments.push(variable(reader)?);
        }
        Ok(Step::Call { method, receiver, arguments: place(start)?..place(self.arguments.len())? })
    }
}

const NARROW: u8 = 0;
const WIDE: u8 = 1;
const OTHER: u8 = 2;
const CALL: u8 = 3;
const CALL_ON: u8 = 4;

fn variable(reader: &mut Reader<'_>) -> Result<Var, Error> {
    u16::try_from(reader.number()?).map(Var).map_err(|_| Error::DeserializeBadVarint)
}

/// A place in a list.
fn place(index: usize) -> Result<u32, Error> {
    u32::try_from(index).map_err(|_| Error::SerdeDeCustom)
}

/// A [`Request`] whose parts belong to somebody else.
#[derive(Clone, Copy, Debug)]
pub struct RequestRef<'a> {
    /// As in [`Request`].
    pub vocabulary: &'a Addition,
    /// As in [`Request`].
    pub isolation: Isolation,
    /// As in [`Request`].
    pub pins: Pins,
    /// As in [`Request`].
    pub listens: bool,
    /// As in [`Request`].
    pub tests: &'a [TestCase],
}

impl RequestRef<'_> {
    /// Appends the message. After an error the bytes are as before.
    pub fn append(&self, to: &mut Vec<u8>) -> Result<(), WireError> {
        let start = to.len();
        let appended = self.append_all(to);
        if appended.is_err() {
            to.truncate(start);
        }
        appended
    }

    fn append_all(&self, to: &mut Vec<u8>) -> Result<(), WireError> {
        let start = to.len();
        to.extend([0; PREFIX]);
        postcard::to_io(&(self.vocabulary, self.isolation, self.pins, self.listens), &mut *to)?;
        put_length(to, self.tests.len());
        for test in self.tests {
            put_length(to, test.statements().len());
            test.statements().iter().try_for_each(|statement| append_statement(to, statement))?;
        }
        announce(to, start)
    }
}

fn append_statement(to: &mut Vec<u8>, statement: &Statement) -> Result<(), WireError> {
    match statement {
        Statement::Literal(Literal::Text(text)) => append_text(to, text.units()),
        Statement::Construct { constructor: method, arguments }
        | Statement::Call { method, receiver: None, arguments } => {
            to.push(CALL);
            put(to, method.0);
            append_arguments(to, arguments);
        }
        Statement::Call { method, receiver: Some(receiver), arguments } => {
            to.push(CALL_ON);
            put(to, method.0);
            put(to, receiver.0.into());
            append_arguments(to, arguments);
        }
        other => {
            to.push(OTHER);
            postcard::to_io(other, to)?;
        }
    }
    Ok(())
}

fn append_arguments(to: &mut Vec<u8>, arguments: &Arguments) {
    put_length(to, arguments.len());
    arguments.iter().for_each(|argument| put(to, argument.0.into()));
}

fn append_text(to: &mut Vec<u8>, units: &[u16]) {
    let is_narrow = units.iter().fold(0, |all, unit| all | unit) < 0x100;
    to.push(if is_narrow { NARROW } else { WIDE });
    put_length(to, units.len());
    if is_narrow {
        to.extend(units.iter().map(|unit| *unit as u8));
    } else {
        to.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use crashback_testcase::{Answer, Callback, FieldId, Given, MockId, TypeId};
    use proptest::prelude::*;

    use super::*;

    fn statement() -> impl Strategy<Value = Statement> {
        let text = prop_oneof![
            proptest::collection::vec(0_u16..256, 0..40),
            proptest::collection::vec(any::<u16>(), 0..40),
        ];
        let arguments =
            || proptest::collection::vec(any::<u16>().prop_map(Var), 0..7).prop_map(Arguments::from);
        let method = || any::<u32>().prop_map(MethodId);
        let receiver = || proptest::option::of(any::<u16>().prop_map(Var));
        prop_oneof![
            text.prop_map(|units| Statement::Literal(Literal::Text(units.as_slice().into()))),
            any::<i64>().prop_map(|value| Statement::Literal(Literal::Long(value))),
            Just(Statement::Literal(Literal::Folder)),
            proptest::collection::vec(any::<u8>(), 0..40)
                .prop_map(|bytes| Statement::Literal(Literal::Bytes(bytes.as_slice().into()))),
            (method(), receiver(), arguments()).prop_map(|(method, receiver, arguments)| Statement::Call {
                method,
                receiver,
                arguments
            }),
            (any::<u32>(), receiver())
                .prop_map(|(field, receiver)| Statement::ReadField { field: FieldId(field), receiver }),
            (any::<u32>(), any::<u16>())
                .prop_map(|(to, value)| Statement::Cast { to: TypeId(to), value: Var(value) }),
            any::<u32>().prop_map(|mock| Statement::Mock(MockId(mock))),
            (any::<u32>(), any::<u16>())
                .prop_map(|(mock, object)| Statement::Spy { mock: MockId(mock), object: Var(object) }),
            (any::<u16>(), method(), any::<u16>(), 0..5, method(), any::<(u8, u8, bool)>()).prop_map(
                |(mock, method, value, kind, called, (parameter, place, is_given))| {
                    let value = Var(value);
                    let given = is_given.then_some(Given { parameter, class: Var(7) });
                    let answer = match kind {
                        0 => Answer::Return(value),
                        1 => Answer::Throw(value),
                        3 => Answer::Nothing,
                        2 => Answer::Sequence { first: value, then: Var(8) },
                        _ => Answer::Call { callback: Callback { parameter, method: called, place }, value },
                    };
                    Statement::Stub { mock: Var(mock), method, given, answer }
                }
            ),
            (any::<u16>(), method(), any::<u8>()).prop_map(|(mock, method, parameter)| {
                Statement::Kept { mock: Var(mock), method, parameter }
            }),
            (any::<u32>(), any::<u16>(), any::<u16>()).prop_map(|(field, receiver, value)| {
                Statement::Inject { field: FieldId(field), receiver: Var(receiver), value: Var(value) }
            }),
        ]
    }

    fn pins() -> impl Strategy<Value = Pins> {
        prop_oneof![Just(Pins::Usual), any::<u8>().prop_map(Pins::Other)]
    }

    fn statements(request: &Request) -> Vec<Vec<Statement>> {
        let tests = &request.tests;
        let statement = |step: &Step| match step {
            Step::Text(text) => Statement::Literal(Literal::Text(tests.text(text).into())),
            Step::Call { method, receiver, arguments } => Statement::Call {
                method: *method,
                receiver: *receiver,
                arguments: tests.arguments(arguments).into(),
            },
            Step::Other(other) => other.clone(),
        };
        (0..tests.len()).map(|test| tests.get(test).unwrap().iter().map(statement).collect()).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            tests in proptest::collection::vec(proptest::collection::vec(statement(), 0..6), 0..6),
            (pins, listens) in (pins(), any::<bool>()),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let cases: Vec<_> = tests.iter().cloned().map(TestCase::new).collect();
            let (vocabulary, isolation) = (&Addition::default(), Isolation::FreshLoader);
            let mut message = Vec::new();
            RequestRef { vocabulary, isolation, pins, listens, tests: &cases }.append(&mut message).unwrap();
            // What an earlier request has left behind does not show.
            let mut request = Request::default();
            for _ in 0..2 {
                request.read(&message).unwrap();
                prop_assert_eq!(statements(&request), tests.clone());
                let conditions = (request.isolation, request.pins, request.listens);
                prop_assert_eq!(conditions, (isolation, pins, listens));
            }
            let at = at.index(message.len());
            prop_assert!(request.read(&message[..at]).is_err());
            message[at] = byte;
            drop(request.read(&message));
        }
    }
}
