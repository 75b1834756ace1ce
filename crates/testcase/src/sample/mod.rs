//! Random valid test cases, for the tests of everyone who handles test cases.

mod values;

use std::collections::BTreeMap;

use crate::conversion::{is_assignable, is_castable};
use crate::members::{self, Member};
use crate::{
    Arguments, Context, FieldId, Kind, MethodId, Random, Statement, TestCase, Type, TypeId, Var, Vocabulary,
};

/// Makes valid test cases over some classes, the same ones for the same seed. Every kind of
/// statement occurs, values are reused, and strings hold what is hard to write down. Validity comes
/// from how they are built; no check is made.
pub struct Sampler<'a> {
    context: Context<'a>,
    vocabulary: Vocabulary,
    members: Vec<Member>,
    /// For a type the members that yield a value of it.
    makers: BTreeMap<Type, Vec<Member>>,
    random: Random,
    draft: Draft,
}

/// A test case that is being written.
#[derive(Default)]
struct Draft {
    statements: Vec<Statement>,
    values: Vec<Value>,
}

/// What is known of the value of a statement.
#[derive(Clone, Default)]
struct Value {
    of: Option<Type>,
    is_null: bool,
    length: Option<u16>,
}

/// How many statements a value may be away from what it is needed for.
const DEEPEST: u8 = 4;

impl<'a> Sampler<'a> {
    /// Prepares test cases that use the accessible members of these classes, given by internal
    /// name.
    pub fn new(context: Context<'a>, classes: &[&str], seed: u64) -> Self {
        let mut vocabulary = Vocabulary::default();
        let enter = |class: &&str| members::enter(context, &mut vocabulary, class);
        let members = classes.iter().flat_map(enter).collect();
        let (makers, random, draft) = (BTreeMap::new(), Random::new(seed), Draft::default());
        Self { context, vocabulary, members, makers, random, draft }
    }

    /// What the test cases name. It grows with them.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The next test case, with at least so many statements if there is anything to call.
    pub fn test_case(&mut self, length: u16) -> TestCase {
        self.draft = Draft::default();
        // An attempt may fail for want of a value.
        for _ in 0..usize::from(length) * 10 {
            if self.draft.statements.len() < usize::from(length) {
                self.step();
            }
        }
        TestCase::new(std::mem::take(&mut self.draft).statements)
    }

    fn step(&mut self) -> Option<Var> {
        match self.random.below(10) {
            0 => self.element(),
            1 => self.cast(),
            2 => {
                let known = self.vocabulary.known().types;
                let of = TypeId(u32::from(self.random.below(u16::try_from(known).unwrap_or(u16::MAX))));
                let of = self.vocabulary.type_of(of)?.clone();
                self.make(&of, true, 1)
            }
            _ => {
                let member = *self.random.pick(&self.members)?;
                self.use_member(member, DEEPEST)
            }
        }
    }

    fn use_member(&mut self, member: Member, depth: u8) -> Option<Var> {
        match member {
            Member::Constructor(id) => self.construct(id, depth),
            Member::Method(id) => self.call(id, depth),
            Member::Field { id, is_final } => {
                let read = is_final || self.random.one_in(2);
                self.field(id, read, depth)
            }
        }
    }

    fn construct(&mut self, constructor: MethodId, depth: u8) -> Option<Var> {
        let method = self.vocabulary.method(constructor)?.clone();
        let owner = self.vocabulary.type_of(method.owner)?.clone();
        let class = self.context.class(owner.class_name()?).ok()?;
        let mut nullable = !self.context.has_outer_instance(class);
        let mut arguments = Arguments::new();
        for parameter in method.parameters {
            arguments.push(self.value(parameter, nullable, depth)?);
            nullable = true;
        }
        Some(self.push(Statement::Construct { constructor, arguments }, Some(owner)))
    }

    fn call(&mut self, id: MethodId, depth: u8) -> Option<Var> {
        let method = self.vocabulary.method(id)?.clone();
        let receiver = match method.kind {
            Kind::Instance => Some(self.value(method.owner, false, depth)?),
            _ => None,
        };
        let mut arguments = Arguments::new();
        for parameter in method.parameters {
            arguments.push(self.value(parameter, true, depth)?);
        }
        let of = self.vocabulary.type_of(method.result).filter(|it| !it.view().is_void()).cloned();
        Some(self.push(Statement::Call { method: id, receiver, arguments }, of))
    }

    fn field(&mut self, id: FieldId, read: bool, depth: u8) -> Option<Var> {
        let field = self.vocabulary.field(id)?.clone();
        let receiver = match field.is_static {
            true => None,
            false => Some(self.value(field.owner, false, depth)?),
        };
        if read {
            let of = self.vocabulary.type_of(field.of).cloned();
            return Some(self.push(Statement::ReadField { field: id, receiver }, of));
        }
        let value = self.value(field.of, true, depth)?;
        Some(self.push(Statement::WriteField { field: id, receiver, value }, None))
    }

    /// Reads or writes an element of an array that is there.
    fn element(&mut self) -> Option<Var> {
        let is_array = |value: &Value| value.of.as_ref().is_some_and(|it| it.view().element().is_some());
        let arrays = self.variables(|it, value| {
            !value.is_null && value.length != Some(0) && is_array(value) && it.can_name(value.of.as_ref())
        });
        let array = *self.random.pick(&arrays)?;
        let Value { of, length, .. } = self.draft.values.get(usize::from(array.0))?.clone();
        let element = of?.element()?;
        let index = self.random.below(length.unwrap_or(3));
        if self.random.one_in(2) {
            return Some(self.push(Statement::ReadElement { array, index }, Some(element)));
        }
        let element = self.vocabulary.add_type(element);
        let value = self.value(element, true, DEEPEST)?;
        Some(self.push(Statement::WriteElement { array, index, value }, None))
    }

    /// Casts an object that is there.
    fn cast(&mut self) -> Option<Var> {
        let is_object = |value: &Value| value.of.as_ref().is_some_and(Type::is_reference);
        let objects = self.variables(|_, value| is_object(value));
        let value = *self.random.pick(&objects)?;
        let from = self.draft.values.get(usize::from(value.0))?.clone();
        let types = (0..self.vocabulary.known().types).map(TypeId).filter(|id| {
            let to = self.vocabulary.type_of(*id).filter(|it| it.is_reference());
            let castable = |to: &Type| {
                let from = from.of.as_ref()?.view();
                is_castable(self.context.index(), from, to.view())
            };
            to.is_some_and(|to| castable(to) == Some(true)) && self.can_name(to)
        });
        let types: Vec<TypeId> = types.collect();
        let to = *self.random.pick(&types)?;
        let of = self.vocabulary.type_of(to).cloned();
        let cast = self.push(Statement::Cast { to, value }, of);
        if let Some(made) = self.draft.values.last_mut() {
            (made.is_null, made.length) = (from.is_null, from.length);
        }
        Some(cast)
    }

    /// A variable for a use: one that is there, or a new one.
    fn value(&mut self, wanted: TypeId, nullable: bool, depth: u8) -> Option<Var> {
        let wanted = self.vocabulary.type_of(wanted)?.clone();
        let fitting = self.variables(|it, value| (nullable || !value.is_null) && it.fits(value, &wanted));
        match self.random.pick(&fitting).copied() {
            Some(known) if !self.random.one_in(3) => Some(known),
            known => self.make(&wanted, nullable, depth).or(known),
        }
    }

    /// A new value of a type.
    fn make(&mut self, wanted: &Type, nullable: bool, depth: u8) -> Option<Var> {
        if let Some(depth) = depth.checked_sub(1).filter(|_| wanted.is_reference()) {
            let makers = self.makers_of(wanted);
            let maker = self.random.pick(&makers).copied();
            let made = maker.filter(|_| !self.random.one_in(4)).and_then(|it| self.use_member(it, depth));
            // What was made has a type that may be hidden.
            if let Some(made) = made
                && self.draft.values.get(usize::from(made.0)).is_some_and(|it| self.fits(it, wanted))
            {
                return Some(made);
            }
        }
        self.can_name(Some(wanted)).then(|| self.write_down(wanted, nullable)).flatten()
    }

    fn makers_of(&mut self, wanted: &Type) -> Vec<Member> {
        if let Some(known) = self.makers.get(wanted) {
            return known.clone();
        }
        let makes = |member: &Member| {
            let of = members::yielded(*member, &self.vocabulary).filter(|it| it.is_reference());
            // Reading a field back is no way to make something new, unless it is a constant.
            let is_written = matches!(member, Member::Field { is_final: false, .. });
            !is_written
                && of.is_some_and(|of| {
                    is_assignable(self.context.hierarchy(), of.view(), wanted.view()) == Some(true)
                })
        };
        let makers: Vec<Member> = self.members.iter().copied().filter(makes).collect();
        self.makers.insert(wanted.clone(), makers.clone());
        makers
    }

    fn fits(&self, value: &Value, wanted: &Type) -> bool {
        let Some(of) = &value.of else { return false };
        is_assignable(self.context.hierarchy(), of.view(), wanted.view()) == Some(true)
            && (self.can_name(Some(of)) || self.can_name(Some(wanted)))
    }

    fn can_name(&self, of: Option<&Type>) -> bool {
        of.is_some_and(|it| self.context.check_type(it.view()).is_ok())
    }

    fn variables(&self, wanted: impl Fn(&Self, &Value) -> bool) -> Vec<Var> {
        let all = (0..=u16::MAX).map(Var).zip(&self.draft.values);
        all.filter(|(_, value)| wanted(self, value)).map(|(variable, _)| variable).collect()
    }

    fn push(&mut self, statement: Statement, of: Option<Type>) -> Var {
        let number = u16::try_from(self.draft.statements.len()).unwrap_or(u16::MAX);
        self.draft.statements.push(statement);
        self.draft.values.push(Value { of, ..Value::default() });
        Var(number)
    }
}
