//! The fate of each statement: a statement of its own, part of another one, or nothing.
//!
//! The order in which anything that can throw or be noticed is evaluated stays that of the test
//! case. Values that neither can (literals, new arrays, casts to wider types) may be written
//! anywhere.

use crashback_testcase::{
    Answer, Context, Kind, Literal, MethodId, MockKind, Statement, TestCase, TypeRef, Typing, Var, Vocabulary,
};

use super::java_type::Signatures;
use super::literal;

/// The fate of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands alone, with a variable for its value if that is used.
    Own,
    /// Its value is written where it is used.
    Inlined,
    /// It is not written: it has no effect, or an array's initialiser says the same.
    Gone,
}

/// The part that a value plays in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Receiver,
    Argument(usize),
    /// The value that is assigned to a field or an element, or stands in an initialiser.
    Assigned,
    Array,
    Cast,
    /// A mock that gets an answer.
    Mock,
    /// The exception that a mock throws.
    Thrown,
    /// An argument with which a mock calls another object later.
    Captured,
}

/// A use of a value by a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) statement: usize,
    pub(crate) role: Role,
}

/// The fates of all statements.
pub(crate) struct Plan {
    fates: Vec<Fate>,
    uses: Vec<Vec<Use>>,
    /// For casts to wider types the value that is cast; for others themselves.
    same: Vec<usize>,
    /// For arrays that are written with an initialiser its elements; those without a value have the
    /// default one.
    initialisers: Vec<Option<Vec<Option<Var>>>>,
    /// The statements that stand alone, in order.
    order: Vec<usize>,
}

impl Plan {
    pub(crate) fn of(
        test: &TestCase,
        vocabulary: &Vocabulary,
        typing: &Typing<'_>,
        context: Context<'_>,
    ) -> Self {
        let statements = test.statements();
        let same = same_values(statements, vocabulary, typing, context);
        let uses = uses(statements, &same);
        let mut planner = Planner {
            statements,
            vocabulary,
            typing,
            context,
            fates: vec![Fate::Own; statements.len()],
            initialisers: vec![None; statements.len()],
            widths: vec![0; statements.len()],
            waiting: Vec::new(),
            order: Vec::new(),
            written_by: vec![None; statements.len()],
            same,
            uses,
        };
        planner.find_initialisers();
        planner.find_answers();
        for number in 0..statements.len() {
            planner.visit(number);
        }
        let Planner { fates, uses, same, initialisers, order, .. } = planner;
        let order = order.into_iter().filter(|it| fates.get(*it) == Some(&Fate::Own)).collect();
        Self { fates, uses, same, initialisers, order }
    }

    pub(crate) fn fate(&self, statement: usize) -> Fate {
        self.fates.get(statement).copied().unwrap_or(Fate::Gone)
    }

    /// The statements that stand alone, in order.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The statement that makes the value of a variable.
    pub(crate) fn maker(&self, variable: Var) -> usize {
        let number = usize::from(variable.0);
        self.same.get(number).copied().unwrap_or(number)
    }

    pub(crate) fn uses(&self, statement: usize) -> &[Use] {
        self.uses.get(statement).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn initialiser(&self, statement: usize) -> Option<&[Option<Var>]> {
        self.initialisers.get(statement)?.as_deref()
    }
}

/// Values that a statement takes, in the order of evaluation.
pub(crate) fn operands(statement: &Statement) -> Vec<(Var, Role)> {
    let arguments = |arguments: &[Var], receiver: Option<Var>| {
        let receiver = receiver.map(|it| (it, Role::Receiver));
        let arguments = arguments.iter().enumerate().map(|(at, it)| (*it, Role::Argument(at)));
        receiver.into_iter().chain(arguments).collect()
    };
    match statement {
        Statement::Literal(_) | Statement::NewArray { .. } | Statement::Mock(_) => Vec::new(),
        Statement::Construct { arguments: of, .. } => arguments(of, None),
        Statement::Call { receiver, arguments: of, .. } => arguments(of, *receiver),
        Statement::ReadField { receiver, .. } => arguments(&[], *receiver),
        Statement::WriteField { receiver, value, .. } => {
            let receiver = receiver.map(|it| (it, Role::Receiver));
            receiver.into_iter().chain([(*value, Role::Assigned)]).collect()
        }
        Statement::ReadElement { array, .. } => vec![(*array, Role::Array)],
        Statement::WriteElement { array, value, .. } => vec![(*array, Role::Array), (*value, Role::Assigned)],
        Statement::Cast { value, .. } => vec![(*value, Role::Cast)],
        Statement::Spy { object, .. } => vec![(*object, Role::Argument(0))],
        Statement::Stub { mock, given, answer, .. } => {
            let role = match answer {
                Answer::Nothing | Answer::Return(_) | Answer::Sequence { .. } => Role::Assigned,
                Answer::Throw(_) => Role::Thrown,
                Answer::Call { .. } => Role::Captured,
            };
            let class = given.map(|it| (it.class, Role::Argument(usize::from(it.parameter))));
            answer.values().map(|it| (it, role)).chain([(*mock, Role::Mock)]).chain(class).collect()
        }
        Statement::Kept { mock, .. } => vec![(*mock, Role::Mock)],
        Statement::Inject { receiver, value, .. } => {
            vec![(*receiver, Role::Receiver), (*value, Role::Assigned)]
        }
    }
}

fn same_values(
    statements: &[Statement],
    vocabulary: &Vocabulary,
    typing: &Typing<'_>,
    context: Context<'_>,
) -> Vec<usize> {
    let mut same: Vec<usize> = Vec::with_capacity(statements.len());
    for (number, statement) in statements.iter().enumerate() {
        let widened = || {
            let Statement::Cast { to, value } = statement else { return None };
            let maker = same.get(usize::from(value.0)).copied()?;
            // A cast of null always succeeds.
            let is_null = matches!(statements.get(maker), Some(Statement::Literal(Literal::Null(_))));
            let from = typing.get(*value)?.class_constant()?;
            let to = vocabulary.type_of(*to)?.view().class_constant()?;
            let widens = is_null || context.hierarchy().is_subtype(from, to) == Some(true);
            widens.then_some(maker)
        };
        let of = widened().unwrap_or(number);
        same.push(of);
    }
    same
}

/// For each statement the uses of its value, as far as they show in the source.
fn uses(statements: &[Statement], same: &[usize]) -> Vec<Vec<Use>> {
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); statements.len()];
    // A statement without effects is kept only if a kept statement uses its value; users come after
    // the statements that they use.
    for (number, statement) in statements.iter().enumerate().rev() {
        let is_same = same.get(number) != Some(&number);
        let lives = !is_same
            && (!can_be_made_anytime(statement) || uses.get(number).is_some_and(|it| !it.is_empty()));
        if lives {
            for (variable, role) in operands(statement).into_iter().rev() {
                let maker = same.get(usize::from(variable.0)).copied().unwrap_or_default();
                if let Some(of) = uses.get_mut(maker) {
                    of.insert(0, Use { statement: number, role });
                }
            }
        }
    }
    uses
}

/// Whether it makes no difference when, or if at all, a value is made.
fn can_be_made_anytime(statement: &Statement) -> bool {
    matches!(statement, Statement::Literal(_) | Statement::NewArray { .. })
}

struct Planner<'a> {
    statements: &'a [Statement],
    vocabulary: &'a Vocabulary,
    typing: &'a Typing<'a>,
    context: Context<'a>,
    fates: Vec<Fate>,
    uses: Vec<Vec<Use>>,
    same: Vec<usize>,
    initialisers: Vec<Option<Vec<Option<Var>>>>,
    /// For the last of the writes that an initialiser stands for the array; for the last answer of an
    /// anonymous class the mock.
    written_by: Vec<Option<usize>>,
    /// About how long the text of each value is.
    widths: Vec<usize>,
    /// Values that can be noticed and that may still be written where they are used, in the order
    /// of evaluation.
    waiting: Vec<usize>,
    order: Vec<usize>,
}

/// Arrays with more elements are written without an initialiser, unless all elements are given.
const LONGEST_DEFAULT: usize = 8;
const LONGEST_INITIALISER: usize = 64;
/// Literals that are used several times get a variable if they are longer.
const LONGEST_REPEATED: usize = 12;
/// Longer expressions get a variable of their own.
const LONGEST_CONSTRUCTOR: usize = 60;
const LONGEST_CALL: usize = 45;

impl Planner<'_> {
    /// Arrays whose first uses write elements are made together with these elements.
    fn find_initialisers(&mut self) {
        for (number, statement) in self.statements.iter().enumerate() {
            let Statement::NewArray { length, .. } = statement else { continue };
            let mut elements = vec![None; usize::from(*length)];
            let uses = self.uses.get(number).cloned().unwrap_or_default();
            let mut writes = Vec::new();
            for of in &uses {
                match self.statements.get(of.statement) {
                    Some(Statement::WriteElement { array, index, value })
                        if of.role == Role::Array
                            && usize::from(array.0) == number
                            && self.same.get(usize::from(value.0)) != Some(&number) =>
                    {
                        match elements.get_mut(usize::from(*index)) {
                            Some(free @ None) => *free = Some(*value),
                            _ => break,
                        }
                        writes.push(of.statement);
                    }
                    _ => break,
                }
            }
            let is_short = elements.len() <= LONGEST_DEFAULT || elements.iter().all(Option::is_some);
            let Some(last) = writes.last().copied() else { continue };
            if !is_short || elements.len() > LONGEST_INITIALISER || writes.len() == uses.len() {
                continue;
            }
            for write in &writes {
                self.set_fate(*write, Fate::Gone);
            }
            if let Some(of) = self.uses.get_mut(number) {
                of.retain(|it| !writes.contains(&it.statement));
            }
            // The values are used by the array now.
            for of in self.uses.iter_mut().flatten().filter(|it| writes.contains(&it.statement)) {
                *of = Use { statement: number, role: Role::Assigned };
            }
            self.set_fate(number, Fate::Gone);
            if let Some(place) = self.written_by.get_mut(last) {
                *place = Some(number);
            }
            if let Some(place) = self.initialisers.get_mut(number) {
                *place = Some(elements);
            }
        }
    }

    /// Mocks that are written as anonymous classes are made together with their answers, which come
    /// before all other uses.
    fn find_answers(&mut self) {
        for (number, statement) in self.statements.iter().enumerate() {
            if !self.is_anonymous(statement) {
                continue;
            }
            let uses = self.uses.get(number).map(Vec::as_slice).unwrap_or_default();
            let stubs: Vec<usize> =
                uses.iter().filter(|it| it.role == Role::Mock).map(|it| it.statement).collect();
            let Some(last) = stubs.last().copied() else { continue };
            for stub in &stubs {
                self.set_fate(*stub, Fate::Gone);
            }
            if let Some(of) = self.uses.get_mut(number) {
                of.retain(|it| !stubs.contains(&it.statement));
            }
            // The values are used by the class now, whenever its methods are called.
            for of in self.uses.iter_mut().flatten().filter(|it| stubs.contains(&it.statement)) {
                let role = if of.role == Role::Thrown { Role::Thrown } else { Role::Captured };
                *of = Use { statement: number, role };
            }
            self.set_fate(number, Fate::Gone);
            if let Some(place) = self.written_by.get_mut(last) {
                *place = Some(number);
            }
        }
    }

    fn is_anonymous(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Mock(mock) => {
                self.vocabulary.mock(*mock).is_some_and(|it| it.kind == MockKind::Anonymous)
            }
            _ => false,
        }
    }

    /// Whether a statement makes an exception of the JDK, of values written down alone, that a method of
    /// an anonymous class throws: it may as well be made there.
    fn is_made_when_thrown(&self, number: usize, statement: &Statement) -> bool {
        let Statement::Construct { constructor, arguments } = statement else { return false };
        let is_inlined = |it: &Var| self.fates.get(usize::from(it.0)) == Some(&Fate::Inlined);
        let is_written = |it: &Var| {
            matches!(self.statements.get(usize::from(it.0)), Some(Statement::Literal(_))) && is_inlined(it)
        };
        let owner = self.vocabulary.method(*constructor).and_then(|it| self.vocabulary.type_of(it.owner));
        let is_jdk = owner.and_then(|it| it.class_name()).is_some_and(|it| it.starts_with("java/"));
        let is_thrown_once = match self.uses.get(number).map(Vec::as_slice) {
            Some([only]) => {
                only.role == Role::Thrown
                    && self.statements.get(only.statement).is_some_and(|it| self.is_anonymous(it))
            }
            _ => false,
        };
        is_thrown_once && is_jdk && arguments.iter().all(is_written)
    }

    fn visit(&mut self, number: usize) {
        if let Some(made) = self.written_by.get(number).copied().flatten() {
            self.set_fate(made, Fate::Own);
            self.evaluate(made);
        } else if self.fates.get(number) == Some(&Fate::Own) {
            self.evaluate(number);
        }
    }

    /// Decides about a statement at the place where it is evaluated.
    fn evaluate(&mut self, number: usize) {
        let Some(statement) = self.statements.get(number) else { return };
        let is_used = self.uses.get(number).is_some_and(|it| !it.is_empty());
        let is_same = self.same.get(number) != Some(&number);
        if is_same || can_be_made_anytime(statement) && !is_used {
            self.set_fate(number, Fate::Gone);
            return;
        }
        self.order.push(number);
        if let Statement::Literal(literal) = statement {
            self.set_width(number, literal::width(literal));
            if self.may_be_written_in_place(number, literal) {
                self.set_fate(number, Fate::Inlined);
            }
            return;
        }
        if self.is_made_when_thrown(number, statement) {
            self.set_fate(number, Fate::Inlined);
            return;
        }
        let (inlined, width) = self.take_operands(number, statement);
        self.set_width(number, width);
        let is_candidate = self.may_be_inlined(number, statement);
        match (can_be_made_anytime(statement) && !inlined, is_candidate) {
            (true, true) => self.set_fate(number, Fate::Inlined),
            (true, false) => {}
            (false, true) => self.waiting.push(number),
            // Whatever waits would be evaluated later than this.
            (false, false) => self.waiting.clear(),
        }
    }

    /// Takes the operands that wait from the end of the queue, as far as their order is that of the
    /// operands. Says whether any was taken, and how long the text is.
    fn take_operands(&mut self, number: usize, statement: &Statement) -> (bool, usize) {
        let operands: Vec<Var> = match self.initialisers.get(number) {
            Some(Some(elements)) => elements.iter().flatten().copied().collect(),
            _ => operands(statement).into_iter().map(|(variable, _)| variable).collect(),
        };
        let mut taken = false;
        let mut width = self.own_width(statement);
        for variable in operands.iter().rev() {
            let maker = self.same.get(usize::from(variable.0)).copied().unwrap_or_default();
            if self.waiting.last() == Some(&maker) {
                self.waiting.pop();
                self.set_fate(maker, Fate::Inlined);
                taken = true;
            } else if let Some(place) = self.waiting.iter().position(|it| *it == maker) {
                self.waiting.drain(..=place);
            }
            let is_inlined = self.fates.get(maker) == Some(&Fate::Inlined);
            width += 2 + if is_inlined { self.widths.get(maker).copied().unwrap_or_default() } else { 8 };
        }
        (taken, width)
    }

    fn own_width(&self, statement: &Statement) -> usize {
        let simple_name = |of: TypeRef<'_>| of.descriptor().rsplit(['/', '$']).next().map_or(8, str::len);
        let type_width = |id| self.vocabulary.type_of(id).map_or(8, |it| simple_name(it.view()));
        match statement {
            Statement::Construct { constructor, .. } => {
                self.vocabulary.method(*constructor).map_or(8, |it| 5 + type_width(it.owner))
            }
            Statement::Call { method, .. } => {
                self.vocabulary.method(*method).map_or(8, |it| 2 + it.name.len() + type_width(it.owner))
            }
            Statement::ReadField { field, .. } => {
                self.vocabulary.field(*field).map_or(8, |it| 1 + it.name.len() + type_width(it.owner))
            }
            Statement::NewArray { array, .. } => 8 + type_width(*array),
            Statement::Cast { to, .. } => 3 + type_width(*to),
            Statement::Mock(mock) => self.vocabulary.mock(*mock).map_or(8, |it| 12 + type_width(it.of)),
            _ => 8,
        }
    }

    /// Whether a value reads well where it is used.
    fn may_be_inlined(&self, number: usize, statement: &Statement) -> bool {
        let width = self.widths.get(number).copied().unwrap_or_default();
        let once = match self.uses.get(number).map(Vec::as_slice) {
            Some([only]) => Some(only.role),
            _ => None,
        };
        // What Mockito lets no method throw is thrown by a lambda, which needs a variable.
        let as_value = matches!(once, Some(Role::Argument(_) | Role::Assigned))
            || once == Some(Role::Thrown) && self.is_unchecked(number);
        // Inside of an anonymous class a type may have another name, and so a constant.
        let is_captured = |it: &Use| matches!(it.role, Role::Captured | Role::Thrown) && self.is_in_class(it);
        match statement {
            _ if self.uses.get(number).is_some_and(|it| it.iter().any(is_captured)) => false,
            // The body of a class below an abstract one takes several lines.
            Statement::Construct { constructor, .. } if self.is_of_abstract(*constructor) => false,
            Statement::Construct { .. } | Statement::Call { .. } if self.is_link(number, statement) => true,
            Statement::Construct { .. } | Statement::NewArray { .. } => {
                as_value && width <= LONGEST_CONSTRUCTOR && !self.is_outer(number)
            }
            Statement::Spy { .. } => as_value && width <= LONGEST_CONSTRUCTOR,
            // So does that of an anonymous class.
            Statement::Mock(_) => as_value && width <= LONGEST_CONSTRUCTOR && !self.is_anonymous(statement),
            Statement::Cast { .. } => as_value,
            Statement::ReadField { field, receiver: None } => {
                self.use_count(number) > 0 && self.is_constant(*field)
            }
            Statement::Call { method, receiver: None, .. } => {
                let method = self.vocabulary.method(*method).filter(|it| it.kind == Kind::Static);
                as_value && width <= LONGEST_CALL && method.is_some_and(|it| !self.is_generic(it))
            }
            _ => false,
        }
    }

    /// Whether a value is a link in a chain of calls as fluent interfaces mean them: it is only there for
    /// the next call, and one of both yields an object of its receiver's type again. The call into the
    /// crash stands apart, and type arguments are inferred for variables alone.
    fn is_link(&self, number: usize, statement: &Statement) -> bool {
        let next = || {
            let [only] = self.uses.get(number)?.as_slice() else { return None };
            let is_last = only.statement + 1 == self.statements.len();
            match self.statements.get(only.statement).filter(|_| only.role == Role::Receiver && !is_last)? {
                Statement::Call { method, .. } => self.vocabulary.method(*method),
                _ => None,
            }
        };
        let Some(next) = next() else { return false };
        let (of, is_fluent) = match statement {
            Statement::Construct { constructor, .. } => {
                (self.vocabulary.method(*constructor).map(|it| it.owner), false)
            }
            Statement::Call { method, .. } => match self.vocabulary.method(*method) {
                Some(it) if !self.is_generic(it) => {
                    (Some(it.result), it.kind == Kind::Instance && it.result == it.owner)
                }
                _ => return false,
            },
            _ => return false,
        };
        let class = of.and_then(|it| self.vocabulary.type_of(it)?.class_name());
        let is_plain =
            class.is_some_and(|it| Signatures::new(self.context.index()).parameters(it).is_empty());
        is_plain && (is_fluent || of == Some(next.result) && next.kind == Kind::Instance)
    }

    /// Whether a value is used inside of an anonymous class.
    fn is_in_class(&self, of: &Use) -> bool {
        self.statements.get(of.statement).is_some_and(|it| self.is_anonymous(it))
    }

    fn is_of_abstract(&self, constructor: MethodId) -> bool {
        let owner = self.vocabulary.method(constructor).map(|it| it.owner);
        owner.is_some_and(|it| self.vocabulary.subclass_of(it).is_some())
    }

    fn is_unchecked(&self, number: usize) -> bool {
        let of = u16::try_from(number).ok().and_then(|it| self.typing.get(Var(it))?.class_name());
        ["java/lang/RuntimeException", "java/lang/Error"]
            .iter()
            .any(|it| of.is_some_and(|of| self.context.hierarchy().is_subtype(of, it) == Some(true)))
    }

    /// Whether a value is the outer instance of an inner class, which is better read with a name.
    fn is_outer(&self, number: usize) -> bool {
        let is_outer = |of: &Use| {
            let Some(Statement::Construct { constructor, .. }) = self.statements.get(of.statement) else {
                return false;
            };
            let owner = self.vocabulary.method(*constructor).and_then(|it| self.vocabulary.type_of(it.owner));
            let class = owner.and_then(|it| self.context.index().get(it.class_name()?));
            of.role == Role::Argument(0) && class.is_some_and(|it| self.context.has_outer_instance(it))
        };
        self.uses.get(number).is_some_and(|it| it.iter().any(is_outer))
    }

    fn is_constant(&self, field: crashback_testcase::FieldId) -> bool {
        let name = self.vocabulary.field(field).and_then(|it| self.vocabulary.field_name(it));
        let found = name.and_then(|it| self.context.field(&it).ok().flatten());
        found.is_some_and(|it| it.is_static() && it.access().is_final())
    }

    fn is_generic(&self, method: &crashback_testcase::Method) -> bool {
        let name = self.vocabulary.method_name(method);
        let found = name.and_then(|it| self.context.method(&it).ok().flatten());
        found.is_none_or(|it| it.signature().is_some_and(|it| it.starts_with('<')))
    }

    /// Whether a literal stands where it is used. An array of bytes is one object, and one that is
    /// long is better read with a name.
    fn may_be_written_in_place(&self, number: usize, literal: &Literal) -> bool {
        let is_captured = |it: &Use| it.role == Role::Captured && self.is_in_class(it);
        match (literal, self.uses.get(number).map(Vec::as_slice)) {
            (Literal::NestedObject(_), Some([only])) => {
                matches!(only.role, Role::Argument(_) | Role::Assigned)
            }
            (Literal::NestedObject(_), _) => false,
            (Literal::Class(_) | Literal::NestedClass(_), Some(uses)) if uses.iter().any(is_captured) => {
                false
            }
            (Literal::Bytes(_), Some([only])) => {
                matches!(only.role, Role::Argument(_) | Role::Assigned)
                    && literal::width(literal) <= LONGEST_CONSTRUCTOR
            }
            (Literal::Bytes(_), _) => false,
            _ => self.is_repeatable(literal) || self.use_count(number) == 1,
        }
    }

    fn is_repeatable(&self, literal: &Literal) -> bool {
        matches!(literal, Literal::Null(_) | Literal::Class(_) | Literal::NestedClass(_) | Literal::Folder)
            || literal::width(literal) <= LONGEST_REPEATED
    }

    fn use_count(&self, number: usize) -> usize {
        self.uses.get(number).map_or(0, Vec::len)
    }

    fn set_fate(&mut self, number: usize, fate: Fate) {
        if let Some(place) = self.fates.get_mut(number) {
            *place = fate;
        }
    }

    fn set_width(&mut self, number: usize, width: usize) {
        if let Some(place) = self.widths.get_mut(number) {
            *place = width;
        }
    }
}
