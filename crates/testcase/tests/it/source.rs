//! Test cases as Java sources that show a compiler what the checker judges. Every use is cast to
//! the type that it asks for, so that no overload but the one meant is found; generic types are
//! raw.

use crashback_program::index::Nesting;
use crashback_testcase::{
    Context, Field, FieldId, Kind, Literal, MemberName, Method, MethodId, Statement, TestCase, TypeId,
    TypeRef, Typing, Var, Vocabulary,
};

/// The statements of a test case, one a line.
pub(crate) fn lines(test: &TestCase, vocabulary: &Vocabulary, context: Context<'_>) -> Vec<String> {
    let typing = Typing::of(test, vocabulary);
    let source = Source { vocabulary, context, typing: &typing };
    let variables = (0..).map(Var).zip(test.statements());
    variables.map(|(variable, statement)| source.line(variable, statement)).collect()
}

struct Source<'a> {
    vocabulary: &'a Vocabulary,
    context: Context<'a>,
    typing: &'a Typing<'a>,
}

impl Source<'_> {
    fn line(&self, variable: Var, statement: &Statement) -> String {
        let expression = self.expression(statement);
        match self.typing.get(variable) {
            // A value of a type that has no name here can be held as an object.
            Some(of)
                if self.is_hidden(of)
                    && matches!(statement, Statement::Call { .. } | Statement::ReadField { .. }) =>
            {
                format!("Object v{} = {expression};", variable.0)
            }
            Some(of) => format!("{} v{} = {expression};", self.name(of), variable.0),
            None => format!("{expression};"),
        }
    }

    fn expression(&self, statement: &Statement) -> String {
        match statement {
            Statement::Literal(Literal::Null(_)) => "null".into(),
            // How a source declares these classes is for the tests of sources.
            Statement::Literal(Literal::NestedClass(_)) => "Object.class".into(),
            Statement::Literal(Literal::NestedObject(_)) => "new Object()".into(),
            Statement::Literal(Literal::Class(of)) => format!("{}.class", self.name(self.of(*of))),
            Statement::Literal(Literal::Folder) => unreachable!("samples have no files"),
            Statement::Literal(literal) => literal.to_java().unwrap(),
            Statement::Construct { constructor, arguments } => self.construct(*constructor, arguments),
            Statement::Call { method, receiver, arguments } => self.call(*method, *receiver, arguments),
            Statement::ReadField { field, receiver } => self.field(*field, *receiver),
            Statement::WriteField { field, receiver, value } => {
                let of = self.vocabulary.field(*field).unwrap().of;
                format!("{} = {}", self.field(*field, *receiver), self.value(*value, self.of(of)))
            }
            Statement::NewArray { array, length } => {
                let array = self.of(*array);
                let further = "[]".repeat(array.dimensions() - 1);
                format!("new {}[{length}]{further}", self.name(array.innermost()))
            }
            Statement::ReadElement { array, index } => format!("v{}[{index}]", array.0),
            Statement::WriteElement { array, index, value } => {
                let element = self.typing.get(*array).and_then(TypeRef::element).unwrap();
                format!("v{}[{index}] = {}", array.0, self.value(*value, element))
            }
            Statement::Cast { to, value } => format!("({}) v{}", self.name(self.of(*to)), value.0),
            Statement::Mock(_)
            | Statement::Spy { .. }
            | Statement::Stub { .. }
            | Statement::Kept { .. }
            | Statement::Inject { .. } => {
                unreachable!("samples have no mocks")
            }
        }
    }

    fn construct(&self, constructor: MethodId, arguments: &[Var]) -> String {
        let method = self.vocabulary.method(constructor).unwrap();
        let owner = self.of(method.owner);
        let class = self.context.index().get(owner.class_name().unwrap()).unwrap();
        let values = self.values(method, arguments);
        match (class.nesting(), values.split_first()) {
            (Nesting::Member { name, .. }, Some((outer, rest))) if self.context.has_outer_instance(class) => {
                format!("{outer}.new {name}({})", rest.join(", "))
            }
            _ => format!("new {}({})", self.name(owner), values.join(", ")),
        }
    }

    fn call(&self, method: MethodId, receiver: Option<Var>, arguments: &[Var]) -> String {
        let method = self.vocabulary.method(method).unwrap();
        let name = self.vocabulary.method_name(method).unwrap();
        let declared = self.context.method(&name).ok().flatten();
        // A subclass knows a generic type's arguments, with which the erased signature cannot be
        // called.
        let declaring = declared.map(|it| it.class().name().to_owned());
        let owner = self.owner(declaring.filter(|_| method.kind == Kind::Instance), &name);
        let values = self.values(method, arguments).join(", ");
        match receiver {
            Some(receiver) => format!("{}.{}({values})", self.cast(receiver, TypeRef(&owner)), method.name),
            None => format!("{}.{}({values})", self.name(TypeRef(&owner)), method.name),
        }
    }

    fn field(&self, field: FieldId, receiver: Option<Var>) -> String {
        let field: &Field = self.vocabulary.field(field).unwrap();
        let name = self.vocabulary.field_name(field).unwrap();
        let declared = self.context.field(&name).ok().flatten();
        let owner = self.owner(declared.map(|it| it.class().name().to_owned()), &name);
        match receiver {
            Some(receiver) => format!("{}.{}", self.cast(receiver, TypeRef(&owner)), field.name),
            None => format!("{}.{}", self.name(TypeRef(&owner)), field.name),
        }
    }

    /// The class through which to name a member: the one that declares it, unless that is hidden.
    fn owner(&self, declaring: Option<String>, name: &MemberName) -> String {
        let declaring = declaring.filter(|it| !name.owner.starts_with('[') && self.context.class(it).is_ok());
        let owner = declaring.unwrap_or_else(|| name.owner.clone());
        if owner.starts_with('[') { owner } else { format!("L{owner};") }
    }

    fn values(&self, method: &Method, arguments: &[Var]) -> Vec<String> {
        let parameters = method.parameters.iter().map(|it| self.of(*it));
        arguments.iter().zip(parameters).map(|(argument, of)| self.value(*argument, of)).collect()
    }

    /// A variable, cast to what a use asks for unless that has no name here.
    fn value(&self, variable: Var, wanted: TypeRef<'_>) -> String {
        if self.is_hidden(wanted) { format!("v{}", variable.0) } else { self.cast(variable, wanted) }
    }

    fn cast(&self, variable: Var, to: TypeRef<'_>) -> String {
        format!("(({}) v{})", self.name(to), variable.0)
    }

    fn is_hidden(&self, of: TypeRef<'_>) -> bool {
        self.context.check_type(of).is_err()
    }

    fn of(&self, id: TypeId) -> TypeRef<'_> {
        self.vocabulary.type_of(id).unwrap().view()
    }

    /// The name by which sources know a type, whether or not they may.
    fn name(&self, of: TypeRef<'_>) -> String {
        let brackets = "[]".repeat(of.dimensions());
        match of.innermost().class_name() {
            Some(name) => format!("{}{brackets}", self.canonical_name(name)),
            None => of.to_string(),
        }
    }

    fn canonical_name(&self, name: &str) -> String {
        match self.context.index().get(name).map(|it| it.nesting()) {
            Some(Nesting::Member { outer, name }) => format!("{}.{name}", self.canonical_name(outer)),
            _ => name.replace('/', "."),
        }
    }
}
