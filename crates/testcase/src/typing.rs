use crate::{Literal, Statement, TestCase, TypeRef, Var, Vocabulary};

/// The static type of what each statement of a test case yields, by erased types: a generic method
/// yields what its descriptor says.
///
/// Total: statements that make no sense have no type, and the [checker](crate::check()) says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing<'v> {
    types: Vec<Yield<'v>>,
}

/// What a statement yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Yield<'v> {
    /// A value of this type.
    Value(TypeRef<'v>),
    /// No value: a write, or a call of a `void` method.
    Nothing,
    /// It names what does not exist.
    Unknown,
}

impl<'v> Typing<'v> {
    /// The types of all statements.
    pub fn of(test: &TestCase, vocabulary: &'v Vocabulary) -> Self {
        let mut typing = Self { types: Vec::with_capacity(test.statements().len()) };
        for statement in test.statements() {
            let next = typing.yield_of(statement, vocabulary);
            typing.types.push(next);
        }
        typing
    }

    /// The type of a variable; none if there is no such variable or its statement yields nothing.
    pub fn get(&self, variable: Var) -> Option<TypeRef<'v>> {
        match self.look_up(variable) {
            Some(Yield::Value(of)) => Some(of),
            _ => None,
        }
    }

    /// All variables with their types, in order.
    pub fn variables(&self) -> impl Iterator<Item = (Var, TypeRef<'v>)> {
        (0..=u16::MAX).map(Var).zip(&self.types).filter_map(|(variable, of)| match of {
            Yield::Value(of) => Some((variable, *of)),
            _ => None,
        })
    }

    pub(crate) fn look_up(&self, variable: Var) -> Option<Yield<'v>> {
        self.types.get(usize::from(variable.0)).copied()
    }

    /// What a statement behind those that are known yields.
    fn yield_of(&self, statement: &Statement, vocabulary: &'v Vocabulary) -> Yield<'v> {
        let named = |id| vocabulary.type_of(id).map(|it| it.view());
        let of = match statement {
            Statement::Literal(literal) => literal_type(literal, vocabulary),
            Statement::Construct { constructor, .. } => {
                vocabulary.method(*constructor).and_then(|it| named(it.owner))
            }
            Statement::Call { method, .. } => vocabulary.method(*method).and_then(|it| named(it.result)),
            Statement::ReadField { field, .. } => vocabulary.field(*field).and_then(|it| named(it.of)),
            Statement::NewArray { array, .. } => named(*array),
            Statement::ReadElement { array, .. } => self.get(*array).and_then(TypeRef::element),
            Statement::Cast { to, .. } => named(*to),
            Statement::Mock(mock) | Statement::Spy { mock, .. } => {
                vocabulary.mock(*mock).and_then(|it| named(it.of))
            }
            Statement::Kept { method, parameter, .. } => {
                let called = vocabulary.method(*method);
                called.and_then(|it| named(*it.parameters.get(usize::from(*parameter))?))
            }
            Statement::WriteField { .. }
            | Statement::WriteElement { .. }
            | Statement::Stub { .. }
            | Statement::Inject { .. } => return Yield::Nothing,
        };
        match of {
            Some(of) if of.is_void() => Yield::Nothing,
            Some(of) => Yield::Value(of),
            None => Yield::Unknown,
        }
    }
}

fn literal_type<'v>(literal: &Literal, vocabulary: &'v Vocabulary) -> Option<TypeRef<'v>> {
    match literal {
        Literal::Null(of) => Some(vocabulary.type_of(*of)?.view()),
        other => own_type(other),
    }
}

/// The type that a literal has by itself; none for `null`.
pub(crate) fn own_type(literal: &Literal) -> Option<TypeRef<'static>> {
    Some(match literal {
        Literal::Boolean(_) => TypeRef("Z"),
        Literal::Byte(_) => TypeRef("B"),
        Literal::Short(_) => TypeRef("S"),
        Literal::Char(_) => TypeRef("C"),
        Literal::Int(_) => TypeRef("I"),
        Literal::Long(_) => TypeRef("J"),
        Literal::Float(_) => TypeRef("F"),
        Literal::Double(_) => TypeRef("D"),
        Literal::Text(_) => TypeRef::STRING,
        Literal::Class(_) | Literal::NestedClass(_) => TypeRef::CLASS,
        Literal::NestedObject(_) => TypeRef::OBJECT,
        Literal::Folder => TypeRef::FILE,
        Literal::Bytes(_) => TypeRef::BYTES,
        Literal::Null(_) => return None,
    })
}
