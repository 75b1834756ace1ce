//! Statements that a test is carved into.

use std::collections::BTreeSet;

use crashback_program::hierarchy::Hierarchy;
use crashback_testcase::{
    Answer, Arguments, Bytes, Context, Kind, Literal, MemberName, Statement, TestCase, Type, TypeId, TypeRef,
    Var, Vocabulary, without,
};

use super::value::Value;

/// A test case in the making.
pub(super) struct Recorder<'v, 'c> {
    vocabulary: &'v mut Vocabulary,
    /// The package of the test.
    context: Context<'c>,
    hierarchy: Hierarchy<'c>,
    statements: Vec<Statement>,
    /// The type of each statement's value; none where there is no value.
    types: Vec<Option<TypeId>>,
    /// The numbers of statements that are left out in the end.
    forgotten: BTreeSet<usize>,
    most: usize,
}

impl<'v, 'c> Recorder<'v, 'c> {
    /// An empty test case that may have so many statements.
    pub(super) fn new(vocabulary: &'v mut Vocabulary, context: Context<'c>, most: usize) -> Self {
        let hierarchy = context.hierarchy();
        Self {
            vocabulary,
            context,
            hierarchy,
            statements: Vec::new(),
            types: Vec::new(),
            forgotten: BTreeSet::new(),
            most,
        }
    }

    /// Whether there is no room for further statements.
    pub(super) fn is_full(&self) -> bool {
        self.statements.len() >= self.most
    }

    /// The test case.
    pub(super) fn finish(self) -> TestCase {
        let test = TestCase::new(self.statements);
        self.forgotten.iter().rev().fold(test, |test, number| without(&test, *number))
    }

    fn push(&mut self, statement: Statement, of: Option<TypeId>) -> Option<Var> {
        let number = u16::try_from(self.statements.len()).ok()?;
        self.statements.push(statement);
        self.types.push(of);
        Some(Var(number))
    }

    /// The descriptor of the type of a variable.
    pub(super) fn type_of(&self, variable: Var) -> Option<&str> {
        let of = self.types.get(usize::from(variable.0)).copied().flatten()?;
        self.vocabulary.type_of(of).map(Type::descriptor)
    }

    /// A variable with a value that is to stand where a type is wanted; none if no statement yields it.
    pub(super) fn operand(&mut self, value: &Value, descriptor: &str) -> Option<Var> {
        let literal = match value {
            Value::Made(variable) => return Some(*variable),
            Value::Int(value) => int_literal(*value, descriptor)?,
            Value::Long(value) => Literal::Long(*value),
            Value::Float(value) => Literal::Float(*value),
            Value::Double(value) => Literal::Double(*value),
            Value::Text(text) => Literal::Text(text.clone()),
            Value::Null => Literal::Null(self.vocabulary.number_of(TypeRef(descriptor))),
            Value::Class(of) => Literal::Class(self.vocabulary.add_type(of.clone())),
            Value::Folder => Literal::Folder,
            Value::Unknown | Value::Object(_) => return None,
        };
        self.literal(literal, descriptor)
    }

    fn literal(&mut self, literal: Literal, descriptor: &str) -> Option<Var> {
        let own = match &literal {
            Literal::Text(_) => TypeRef::STRING,
            Literal::Class(_) => TypeRef::CLASS,
            Literal::Folder => TypeRef::FILE,
            Literal::Bytes(_) => TypeRef::BYTES,
            _ => TypeRef(descriptor),
        };
        let of = self.vocabulary.number_of(own);
        self.push(Statement::Literal(literal), Some(of))
    }

    /// A call of a method or constructor. The inner none is the result of methods without one.
    ///
    /// # Errors
    ///
    /// In words, why it cannot be made.
    pub(super) fn call(
        &mut self,
        name: &MemberName,
        receiver: Option<Var>,
        arguments: Arguments,
    ) -> Result<Option<Var>, String> {
        let unknown = |_| format!("{} is not on the class path", shown(name));
        let method = self.vocabulary.find_method(self.hierarchy, &name.to_string()).map_err(unknown)?;
        let called = self.vocabulary.method(method);
        let (kind, owner, result) =
            called.map(|it| (it.kind, it.owner, it.result)).ok_or_else(|| shown(name))?;
        let full = || String::from("the test has too many statements");
        if kind == Kind::Constructor {
            let made = self.push(Statement::Construct { constructor: method, arguments }, Some(owner));
            return made.map(Some).ok_or_else(full);
        }
        if (kind == Kind::Static) != receiver.is_none() {
            return Err(format!("{} is static on the class path, or no longer is", shown(name)));
        }
        let is_void = self.vocabulary.type_of(result).is_some_and(|it| it.view().is_void());
        let of = (!is_void).then_some(result);
        let made = self.push(Statement::Call { method, receiver, arguments }, of).ok_or_else(full)?;
        Ok((!is_void).then_some(made))
    }

    /// The value of a field.
    pub(super) fn read_field(&mut self, name: &MemberName, receiver: Option<Var>) -> Option<Var> {
        let field = self.vocabulary.find_field(self.hierarchy, &name.to_string()).ok()?;
        let of = self.vocabulary.field(field).filter(|it| it.is_static == receiver.is_none())?.of;
        self.push(Statement::ReadField { field, receiver }, Some(of))
    }

    /// An assignment to a field.
    pub(super) fn write_field(&mut self, name: &MemberName, receiver: Option<Var>, value: Var) -> Option<()> {
        let field = self.vocabulary.find_field(self.hierarchy, &name.to_string()).ok()?;
        self.vocabulary.field(field).filter(|it| it.is_static == receiver.is_none())?;
        self.push(Statement::WriteField { field, receiver, value }, None).map(drop)
    }

    /// A new array.
    pub(super) fn new_array(&mut self, descriptor: &str, length: u16) -> Option<Var> {
        let array = self.vocabulary.number_of(TypeRef(descriptor));
        self.push(Statement::NewArray { array, length }, Some(array))
    }

    /// A new array of bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Option<Var> {
        self.literal(Literal::Bytes(Bytes::from(bytes)), "[B")
    }

    /// The value of an element.
    pub(super) fn read_element(&mut self, array: Var, index: u16) -> Option<Var> {
        let element = self.type_of(array)?.strip_prefix('[')?.to_owned();
        let of = self.vocabulary.number_of(TypeRef(&element));
        self.push(Statement::ReadElement { array, index }, Some(of))
    }

    /// An assignment to an element.
    pub(super) fn write_element(&mut self, array: Var, index: u16, value: Var) -> Option<()> {
        self.push(Statement::WriteElement { array, index, value }, None).map(drop)
    }

    /// A mock of a class.
    pub(super) fn mock(&mut self, class: &str) -> Option<Var> {
        let mock = self.vocabulary.add_mock_of(self.context, class, false).ok()?;
        let of = self.vocabulary.mock(mock)?.of;
        self.push(Statement::Mock(mock), Some(of))
    }

    /// The mock on which a call was made, and the descriptor of the call's result.
    pub(super) fn call_of_mock(&self, call: Var) -> Option<(Var, String)> {
        let Statement::Call { method, receiver: Some(mock), .. } = self.statement(call)? else { return None };
        let is_mock = matches!(self.statement(*mock)?, Statement::Mock(_));
        let result = self.vocabulary.method(*method).and_then(|it| self.vocabulary.type_of(it.result))?;
        is_mock.then(|| (*mock, result.descriptor().to_owned()))
    }

    fn statement(&self, variable: Var) -> Option<&Statement> {
        self.statements.get(usize::from(variable.0))
    }

    /// The number in a box that was made of it.
    pub(super) fn unboxed(&self, boxed: Var) -> Option<Var> {
        match self.statement(boxed)? {
            Statement::Call { receiver: None, arguments, .. } => arguments.first().copied(),
            _ => None,
        }
    }

    /// Lets a mock answer calls of the method that a call names.
    pub(super) fn stub(&mut self, mock: Var, call: Var, value: Var, throws: bool) {
        let Some(Statement::Call { method, .. }) = self.statement(call) else { return };
        let answer = if throws { Answer::Throw(value) } else { Answer::Return(value) };
        let stub = Statement::Stub { mock, method: *method, given: None, answer };
        // A test case that is full has no use for answers either.
        let _ = self.push(stub, None);
    }

    /// Leaves a statement out in the end.
    pub(super) fn forget(&mut self, variable: Var) {
        self.forgotten.insert(usize::from(variable.0));
    }

    /// The value as another type: itself where that is certain, else a cast.
    pub(super) fn cast(&mut self, value: Var, to: &str) -> Option<Var> {
        let from = self.type_of(value)?;
        let (from, wanted) = (TypeRef(from).class_constant()?, TypeRef(to).class_constant()?);
        if self.hierarchy.is_subtype(from, wanted) == Some(true) {
            return Some(value);
        }
        let to = self.vocabulary.number_of(TypeRef(to));
        self.push(Statement::Cast { to, value }, Some(to))
    }
}

/// An `int` of the code as the type that it stands for.
fn int_literal(value: i32, descriptor: &str) -> Option<Literal> {
    Some(match descriptor {
        "Z" => Literal::Boolean(value != 0),
        "B" => Literal::Byte(value as i8),
        "S" => Literal::Short(value as i16),
        "C" => Literal::Char(value as u16),
        "I" => Literal::Int(value),
        _ => return None,
    })
}

/// A member as messages name it: `post.Desk.open`.
pub(super) fn shown(name: &MemberName) -> String {
    let owner = name.owner.replace('/', ".");
    if name.name == "<init>" { format!("new {owner}") } else { format!("{owner}.{}", name.name) }
}
