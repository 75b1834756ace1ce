//! Simplifies found tests: statements left out, values shorter and plainer, objects in the place of
//! nulls and mocks.

use std::ops::Range;

use super::Workshop;
use super::builder::{Builder, Renaming, Request};
use super::plainer::{plain_literals, plainer};
use crate::members::Member;
use crate::{
    Answer, Arguments, Field, Literal, MethodId, MockKind, Random, Statement, TestCase, Type, TypeId, Var,
};

impl Workshop<'_> {
    /// Test cases with fewer statements than another, the boldest steps first: many left out, then each
    /// alone, with those that need it and without. Each is valid; the last statement stays a target call.
    pub fn shorter(&mut self, test: &TestCase) -> Vec<TestCase> {
        let mut found = Vec::new();
        let length = test.statements().len();
        let mut size = length / 2;
        while size > 1 {
            for start in (0..length.saturating_sub(size)).step_by(size) {
                found.extend(self.without(test, start..start + size));
            }
            size /= 2;
        }
        for number in (0..length.saturating_sub(1)).rev() {
            // A literal has no line of its own: only another value could stand for it, maybe the one that
            // the literal took the place of.
            let statement = test.statements().get(number);
            if !matches!(statement, Some(Statement::Literal(it)) if !matches!(it, Literal::Null(_))) {
                found.extend(self.without_spy(test, number));
                found.extend(self.without_users(test, number));
                found.extend(self.without(test, number..number + 1));
            }
        }
        tidied(found, test)
    }

    /// Test cases that are simpler than another: the shorter ones, then those with shorter and plainer
    /// values. A caller keeps one that still does what it should and asks again. Each is valid.
    pub fn simpler(&mut self, test: &TestCase) -> Vec<TestCase> {
        let mut found = self.shorter(test);
        for number in 0..test.statements().len() {
            for plainer in self.plainer_statements(test, number) {
                found.extend(self.with_statement(test, number, &plainer));
            }
            found.extend(self.with_anonymous_mock(test, number));
            found.extend(self.with_usual_objects(test, number));
            found.extend(self.with_shorter_makers(test, number));
            found.extend(self.with_written_results(test, number));
        }
        tidied(found, test)
    }

    /// Test cases with a meaningful value in the place of a `null`.
    pub fn without_nulls(&mut self, test: &TestCase, random: &mut Random) -> Vec<TestCase> {
        self.with_objects(test, random, |_, _, statement| match statement {
            Statement::Literal(Literal::Null(of)) => Some(*of),
            _ => None,
        })
    }

    /// Test cases with a real object in the place of a mock.
    pub fn without_mocks(&mut self, test: &TestCase, random: &mut Random) -> Vec<TestCase> {
        self.with_objects(test, random, |workshop, _, statement| match statement {
            Statement::Mock(mock) => workshop.vocabulary().mock(*mock).map(|it| it.of),
            _ => None,
        })
    }

    /// Test cases with objects that are made in other ways than by these statements, given by their numbers.
    pub fn made_otherwise(
        &mut self,
        test: &TestCase,
        statements: &[usize],
        random: &mut Random,
    ) -> Vec<TestCase> {
        self.with_objects(test, random, |workshop, number, statement| {
            let vocabulary = workshop.vocabulary();
            let of = match statement {
                Statement::Construct { constructor, .. } => vocabulary.method(*constructor)?.owner,
                Statement::Call { method, .. } => workshop.catalogue.result_of(*method)?,
                Statement::ReadField { field, .. } => vocabulary.field(*field)?.of,
                _ => return None,
            };
            statements.contains(&number).then_some(of)
        })
    }

    /// Test cases with a new object in the place of a statement for which a type is given.
    fn with_objects(
        &mut self,
        test: &TestCase,
        random: &mut Random,
        type_for: impl Fn(&Self, usize, &Statement) -> Option<TypeId>,
    ) -> Vec<TestCase> {
        let mut found = Vec::new();
        for (number, statement) in test.statements().iter().enumerate() {
            let Some(of) = type_for(self, number, statement) else { continue };
            for _ in 0..self.tuning.replacement_attempts {
                found.extend(rebuilt(self.builder(random), test, |builder, at, statement, names| {
                    match at == number {
                        true => builder.make(&Request::new(of, builder.tuning.depth_of_replacements)),
                        false => copy_exactly(builder, statement, names),
                    }
                }));
            }
        }
        found
    }

    /// Plainer statements in the place of one of a test.
    fn plainer_statements(&mut self, test: &TestCase, number: usize) -> Vec<Statement> {
        let is_last = number + 1 == test.statements().len();
        match test.statements().get(number) {
            Some(Statement::Literal(literal)) => {
                plainer(literal, self.pools(), &self.tuning).into_iter().map(Statement::Literal).collect()
            }
            Some(Statement::NewArray { array, length }) => {
                let shorter = [0, length / 2, length.saturating_sub(1)];
                let shorter = shorter.into_iter().filter(|it| it < length);
                shorter.map(|it| Statement::NewArray { array: *array, length: it }).collect()
            }
            Some(Statement::Construct { constructor, arguments }) if !is_last && !arguments.is_empty() => {
                let owner = self.catalogue.vocabulary.method(*constructor).map(|it| it.owner);
                let plainest = owner.and_then(|it| self.constructor_without_parameters(it));
                let statement =
                    |constructor| Statement::Construct { constructor, arguments: Arguments::new() };
                plainest.map(statement).into_iter().collect()
            }
            Some(Statement::Stub { mock, method, given, answer: Answer::Sequence { first, then } }) => {
                let (mock, method, given) = (*mock, *method, *given);
                let answers = [*then, *first].map(Answer::Return);
                answers.map(|answer| Statement::Stub { mock, method, given, answer }).to_vec()
            }
            _ => Vec::new(),
        }
    }

    /// The test case with an anonymous class in the place of what a mock library makes.
    fn with_anonymous_mock(&mut self, test: &TestCase, number: usize) -> Option<TestCase> {
        let Some(Statement::Mock(mock)) = test.statements().get(number) else { return None };
        let mock = self.catalogue.vocabulary.mock(*mock)?;
        let (of, is_mocked) = (mock.of, mock.kind == MockKind::Mocked);
        let other = self.catalogue.anonymous_mock_of(of).filter(|_| is_mocked)?;
        self.with_statement(test, number, &Statement::Mock(other))
    }

    /// Test cases with an object of a class that every reader knows in the place of one that was made for
    /// something else, such as a program's own list where any list would do.
    fn with_usual_objects(&mut self, test: &TestCase, number: usize) -> Vec<TestCase> {
        if !is_used(test, number) {
            return Vec::new();
        }
        let of = match test.statements().get(number) {
            Some(Statement::Construct { constructor, .. }) => {
                self.catalogue.vocabulary.method(*constructor).map(|it| it.owner)
            }
            Some(Statement::Call { method, .. }) => self.catalogue.result_of(*method),
            Some(Statement::ReadField { field, .. }) => {
                self.catalogue.vocabulary.field(*field).map(|it| it.of)
            }
            Some(Statement::Mock(mock)) => self.catalogue.vocabulary.mock(*mock).map(|it| it.of),
            Some(Statement::NewArray { array, .. }) => Some(*array),
            _ => None,
        };
        let Some(of) = of else { return Vec::new() };
        let known = self.catalogue.vocabulary.type_of(of).filter(|it| it.is_reference());
        let Some(descriptor) = known.map(|it| it.descriptor().to_owned()) else { return Vec::new() };
        let length = match test.statements().get(number) {
            Some(Statement::NewArray { length, .. }) => Some(*length),
            _ => None,
        };
        let above = match test.statements().get(number) {
            Some(Statement::Construct { .. }) => self.plain_class_above(of),
            _ => None,
        };
        let usual = USUAL.into_iter().take_while(|it| *it != descriptor).map(str::to_owned).chain(above);
        let usual: Vec<String> = usual.collect();
        usual.iter().filter_map(|it| self.with_usual_object(test, number, it, length)).collect()
    }

    /// The descriptor of the class above another, if objects of it are made of nothing: where they do, what
    /// the class below adds does not matter.
    fn plain_class_above(&mut self, of: TypeId) -> Option<String> {
        let class = self.catalogue.class_name(of)?;
        let above = self.catalogue.context.index().get(class)?.super_name()?;
        let descriptor = format!("L{above};");
        let above = self.catalogue.vocabulary.add_type(Type(descriptor.as_str().into()));
        self.constructor_without_parameters(above).map(|_| descriptor)
    }

    /// The test case with an object of a type, or an array of a length, in the place of another.
    fn with_usual_object(
        &mut self,
        test: &TestCase,
        number: usize,
        of: &str,
        length: Option<u16>,
    ) -> Option<TestCase> {
        let is_text = of == TEXT;
        let of = self.catalogue.vocabulary.add_type(Type(of.into()));
        let is_array = self.catalogue.class_name(of).is_none();
        let made = match length {
            Some(length) if is_array => Statement::NewArray { array: of, length },
            None if is_text => Statement::Literal(Literal::Text("a".into())),
            None if !is_array => {
                let constructor = self.constructor_without_parameters(of)?;
                Statement::Construct { constructor, arguments: Arguments::new() }
            }
            _ => return None,
        };
        let last = test.statements().len().saturating_sub(1);
        rebuilt(self.builder(&mut certain()), test, |builder, at, statement, names| {
            let copied = match statement {
                _ if at == number => builder.draft.push(made.clone(), Some(of)),
                // The last call stays as it is: it is the one into the target.
                Statement::Call { method, receiver: Some(receiver), arguments }
                    if usize::from(receiver.0) == number && at != last =>
                {
                    let (method, receiver) = (builder.counterpart(*method, of)?, Some(*receiver));
                    let arguments = arguments.clone();
                    builder.copy(&Statement::Call { method, receiver, arguments }, names)
                }
                _ => builder.copy(statement, names),
            };
            // Where the object does not fit, the copy has made others.
            copied.filter(|it| usize::from(it.0) == at)
        })
    }

    /// Test cases with a constant of the class, or an object made of fewer and plain values, in the place of
    /// one that is made of several.
    fn with_shorter_makers(&mut self, test: &TestCase, number: usize) -> Vec<TestCase> {
        let Some(Statement::Construct { constructor, arguments }) = test.statements().get(number) else {
            return Vec::new();
        };
        let is_last = number + 1 == test.statements().len();
        let Some(owner) = self.catalogue.vocabulary.method(*constructor).map(|it| it.owner) else {
            return Vec::new();
        };
        if is_last || arguments.len() < 2 {
            return Vec::new();
        }
        let mut makers = Vec::new();
        for member in self.catalogue.members_of(owner).iter() {
            let vocabulary = &self.catalogue.vocabulary;
            match member {
                Member::Field { id, is_final: true } => {
                    let is_constant = |it: &Field| it.is_static && it.of == owner;
                    if vocabulary.field(*id).is_some_and(is_constant) {
                        makers.push((Statement::ReadField { field: *id, receiver: None }, Vec::new()));
                    }
                }
                Member::Constructor(id) => {
                    let parameters =
                        vocabulary.method(*id).map(|it| it.parameters.clone()).unwrap_or_default();
                    let literals: Vec<Literal> = parameters
                        .iter()
                        .filter_map(|it| {
                            plain_literals(vocabulary.type_of(*it)?.descriptor()).into_iter().next()
                        })
                        .collect();
                    if parameters.len() < arguments.len() && literals.len() == parameters.len() {
                        let arguments = Arguments::new();
                        makers.push((Statement::Construct { constructor: *id, arguments }, literals));
                    }
                }
                _ => {}
            }
        }
        let made = makers.into_iter().take(MOST_MAKERS).filter_map(|(maker, literals)| {
            rebuilt(self.builder(&mut certain()), test, |builder, at, statement, names| {
                if at != number {
                    return copy_exactly(builder, statement, names);
                }
                let values: Option<Arguments> =
                    literals.iter().map(|it| builder.push_literal(it.clone())).collect();
                let maker = match &maker {
                    Statement::Construct { constructor, .. } => {
                        Statement::Construct { constructor: *constructor, arguments: values? }
                    }
                    other => other.clone(),
                };
                builder.draft.push(maker, Some(owner))
            })
        });
        made.collect()
    }

    /// Test cases in which the number or text that a call yields is written down where it is used.
    fn with_written_results(&mut self, test: &TestCase, number: usize) -> Vec<TestCase> {
        let of = match test.statements().get(number) {
            Some(Statement::Call { method, .. }) => self.catalogue.result_of(*method),
            Some(Statement::ReadField { field, .. }) => {
                self.catalogue.vocabulary.field(*field).map(|it| it.of)
            }
            _ => None,
        };
        let of = of.and_then(|it| self.catalogue.vocabulary.type_of(it));
        let literals = of.map(|it| plain_literals(it.descriptor())).unwrap_or_default();
        if !is_used(test, number) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for literal in literals {
            let written = Statement::Literal(literal);
            found.extend(self.with_statement(test, number, &written));
            found.extend(rebuilt(self.builder(&mut certain()), test, |builder, at, statement, names| {
                let copied = copy_exactly(builder, statement, names)?;
                if at == number { builder.copy(&written, names) } else { Some(copied) }
            }));
        }
        found
    }

    /// The constructor of a class that takes nothing.
    fn constructor_without_parameters(&mut self, owner: TypeId) -> Option<MethodId> {
        let members = self.catalogue.members_of(owner);
        let takes_nothing =
            |id: MethodId| self.catalogue.vocabulary.method(id).is_some_and(|it| it.parameters.is_empty());
        members.iter().find_map(|member| match member {
            Member::Constructor(id) => takes_nothing(*id).then_some(*id),
            _ => None,
        })
    }

    /// The test case without some statements and without those that need them, unless another value
    /// that is there will do.
    fn without(&mut self, test: &TestCase, left_out: Range<usize>) -> Option<TestCase> {
        rebuilt(self.builder(&mut certain()), test, |builder, number, statement, names| {
            if left_out.contains(&number) { None } else { copy_exactly(builder, statement, names) }
        })
    }

    /// The test case with an object in the place of a spy of it.
    fn without_spy(&mut self, test: &TestCase, spy: usize) -> Option<TestCase> {
        let Some(Statement::Spy { object, .. }) = test.statements().get(spy) else { return None };
        let is_told = |mock: Var| usize::from(mock.0) == spy;
        rebuilt(self.builder(&mut certain()), test, |builder, number, statement, names| match statement {
            Statement::Spy { .. } if number == spy => names.get(*object),
            // Only mocks answer.
            Statement::Stub { mock, .. } | Statement::Kept { mock, .. } if is_told(*mock) => None,
            _ => copy_exactly(builder, statement, names),
        })
    }

    /// The test case without a statement and all those that need it.
    fn without_users(&mut self, test: &TestCase, left_out: usize) -> Option<TestCase> {
        rebuilt(self.builder(&mut certain()), test, |builder, number, statement, names| {
            let mut is_whole = number != left_out;
            statement.for_each_operand(|variable| is_whole &= names.get(variable).is_some());
            is_whole.then(|| builder.copy(statement, names))?
        })
    }

    /// The test case with a statement in the place of another, given by its number.
    pub(super) fn with_statement(
        &mut self,
        test: &TestCase,
        place: usize,
        by: &Statement,
    ) -> Option<TestCase> {
        rebuilt(self.builder(&mut certain()), test, |builder, number, statement, names| {
            copy_exactly(builder, if number == place { by } else { statement }, names)
        })
    }
}

/// Tests other than the one that they were made of, without repetitions.
fn tidied(mut found: Vec<TestCase>, test: &TestCase) -> Vec<TestCase> {
    found.retain(|it| it != test);
    found.dedup();
    found
}

/// Whether a statement uses the value of another, given by its number.
fn is_used(test: &TestCase, number: usize) -> bool {
    test.statements().iter().any(|it| {
        let mut is_used = false;
        it.for_each_operand(|variable| is_used |= usize::from(variable.0) == number);
        is_used
    })
}

/// How many other ways to make an object are tried.
const MOST_MAKERS: usize = 6;

const TEXT: &str = "Ljava/lang/String;";

/// Types that every reader knows, the plainest first, for values of which only a type above matters.
const USUAL: [&str; 8] = [
    "Ljava/lang/Object;",
    TEXT,
    "Ljava/util/ArrayList;",
    "Ljava/util/HashMap;",
    "Ljava/util/HashSet;",
    "Ljava/util/LinkedList;",
    "[Ljava/lang/String;",
    "[Ljava/lang/Object;",
];

/// Chance for copies that leave nothing to chance.
fn certain() -> Random {
    Random::new(0)
}

/// Copies a test case statement by statement. None if its last statement cannot be there.
fn rebuilt(
    mut builder: Builder<'_, '_>,
    test: &TestCase,
    mut step: impl FnMut(&mut Builder<'_, '_>, usize, &Statement, &Renaming) -> Option<Var>,
) -> Option<TestCase> {
    let last = test.statements().len().checked_sub(1)?;
    let mut names = Renaming::of(last + 1);
    for (number, statement) in test.statements().iter().enumerate() {
        let new = step(&mut builder, number, statement, &names);
        if number == last {
            new?;
        }
        names.set(number, new);
    }
    Some(builder.draft.finish())
}

/// Appends a statement if all its operands are there, or values that can stand for them; makes
/// nothing new.
fn copy_exactly(builder: &mut Builder<'_, '_>, statement: &Statement, names: &Renaming) -> Option<Var> {
    let mut is_whole = true;
    statement.for_each_operand(|variable| is_whole &= names.get(variable).is_some());
    match is_whole {
        true => builder.copy(statement, names),
        false if statement.is_pure() => None,
        false => with_stand_ins(builder, statement, names),
    }
}

/// The statement with the latest fitting values for those that are gone. A receiver that is gone has
/// no stand-in but one of its own type.
fn with_stand_ins(builder: &mut Builder<'_, '_>, statement: &Statement, names: &Renaming) -> Option<Var> {
    let (callee, receiver, arguments) = match statement {
        Statement::Construct { constructor, arguments } => (*constructor, None, arguments),
        Statement::Call { method, receiver, arguments } => (*method, *receiver, arguments),
        _ => return with_other_value(builder, statement, names),
    };
    let method = builder.catalogue.vocabulary.method(callee)?;
    let (owner, parameters) = (method.owner, method.parameters.clone());
    let receiver = match receiver {
        None => None,
        Some(old) => match names.get(old) {
            Some(new) => Some(new),
            None => Some(*builder.fitting(owner, false).last()?),
        },
    };
    let is_constructor = matches!(statement, Statement::Construct { .. });
    let mut nullable = !(is_constructor && builder.catalogue.has_outer_instance(owner));
    let mut new = Arguments::new();
    for (old, wanted) in arguments.iter().zip(parameters) {
        let stand_in = match names.get(*old) {
            Some(known) if nullable || !builder.draft.value(known).is_null => known,
            _ => *builder.fitting(wanted, nullable).last()?,
        };
        new.push(stand_in);
        nullable = true;
    }
    match is_constructor {
        true => {
            let construct = Statement::Construct { constructor: callee, arguments: new };
            builder.draft.push(construct, Some(owner))
        }
        false => builder.push_call(callee, receiver, new),
    }
}

/// An assignment or an answer with the latest fitting value for one that is gone.
fn with_other_value(builder: &mut Builder<'_, '_>, statement: &Statement, names: &Renaming) -> Option<Var> {
    let (value, of) = match statement {
        Statement::WriteField { field, value, .. } | Statement::Inject { field, value, .. } => {
            (*value, builder.catalogue.vocabulary.field(*field)?.of)
        }
        Statement::Stub { method, answer: Answer::Return(value), .. } => {
            (*value, builder.catalogue.result_of(*method)?)
        }
        _ => return None,
    };
    let other = *builder.fitting(of, true).last()?;
    let names = names.with(value, other);
    let mut is_whole = true;
    statement.for_each_operand(|variable| is_whole &= names.get(variable).is_some());
    is_whole.then(|| builder.copy(statement, &names))?
}
