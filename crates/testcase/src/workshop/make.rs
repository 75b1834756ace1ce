//! Values for parameters and receivers.

use std::sync::Arc;

use super::Workshop;
use super::catalogue::{How, Interests, Maker, put};
use super::draft::Draft;
use super::files::FileForm;
use super::formats::texts_for;
use crate::members::Member;
use crate::typing::own_type;
use crate::{
    Arguments, FieldId, Kind, Literal, Method, MethodId, Random, Statement, Text, Type, TypeId, TypeRef, Var,
};

/// Members of collections, looked up once.
#[derive(Clone, Copy)]
pub(super) struct Collections {
    collection: TypeId,
    map: TypeId,
    add: MethodId,
    put: MethodId,
    object: TypeId,
}

/// What arguments should be like.
#[derive(Clone, Copy, Default)]
pub(super) struct Wishes<'w> {
    /// Types of the first ones, narrower than what the method says.
    pub(super) types: &'w [TypeId],
    /// One that is there already, by its place.
    pub(super) given: Option<(usize, Var)>,
}

impl Workshop<'_> {
    /// Arguments for a method or constructor.
    pub(super) fn arguments(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        wishes: Wishes<'_>,
        depth: usize,
        random: &mut Random,
    ) -> Option<Arguments> {
        let called = self.vocabulary.method(method)?;
        let (parameters, owner) = (called.parameters.clone(), called.owner);
        let mut nullable = !(called.kind == Kind::Constructor && self.has_outer_instance(owner));
        let mut arguments = Arguments::new();
        for (number, parameter) in parameters.into_iter().enumerate() {
            let parameter = wishes.types.get(number).copied().unwrap_or(parameter);
            let hints = self.type_arguments(method, number);
            let format = self.format_of(owner, parameter).filter(|_| random.chance(self.tuning.format_text));
            let format = format.and_then(|it| random.pick(it)).map(|it| Literal::Text(Text::from(*it)));
            arguments.push(match (wishes.given, format) {
                (Some((place, given)), _) if place == number => given,
                (_, Some(text)) => self.push_literal(draft, text)?,
                _ => self.value(draft, parameter, nullable, &hints, depth, random)?,
            });
            nullable = true;
        }
        Some(arguments)
    }

    /// Texts that a class takes, where not every text will do.
    fn format_of(&self, class: TypeId, parameter: TypeId) -> Option<&'static [&'static str]> {
        let is_text = self.vocabulary.type_of(parameter)?.view() == TypeRef::STRING;
        let texts = texts_for(self.vocabulary.type_of(class)?.class_name()?);
        (is_text && !texts.is_empty()).then_some(texts)
    }

    pub(super) fn has_outer_instance(&self, of: TypeId) -> bool {
        let class = self.vocabulary.type_of(of).and_then(|it| it.class_name());
        let class = class.and_then(|it| self.context.index().get(it));
        class.is_some_and(|it| self.context.has_outer_instance(it))
    }

    /// The type of what a method yields; none for `void`.
    pub(super) fn result_of(&self, method: MethodId) -> Option<TypeId> {
        let result = self.vocabulary.method(method)?.result;
        self.vocabulary.type_of(result).filter(|it| !it.view().is_void()).map(|_| result)
    }

    /// A value for a use: one that is there, `null`, or a new one. `hints` are type arguments.
    pub(super) fn value(
        &mut self,
        draft: &mut Draft,
        wanted: TypeId,
        nullable: bool,
        hints: &[TypeId],
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        let is_reference = self.vocabulary.type_of(wanted)?.is_reference();
        if let Some(favoured) = self.favoured(draft, wanted)
            && random.chance(self.tuning.linked_object)
        {
            return Some(favoured);
        }
        let reuse = if is_reference { self.tuning.reuse_object } else { self.tuning.reuse_primitive };
        let known = if draft.len() > 0 && random.chance(reuse) {
            let fitting = self.fitting(draft, wanted, nullable);
            random.pick(&fitting).copied()
        } else {
            None
        };
        if known.is_some() {
            return known;
        }
        if nullable && is_reference && random.chance(self.null_value()) {
            return self.null(draft, wanted);
        }
        let made = self.make(draft, wanted, nullable, hints, depth, random);
        made.or_else(|| {
            let fitting = self.fitting(draft, wanted, nullable);
            random.pick(&fitting).copied()
        })
    }

    /// How often `null` is passed where a reference is wanted.
    pub(super) fn null_value(&self) -> f64 {
        match self.pools.is_null_crash {
            true => self.tuning.null_value_of_null_crash,
            false => self.tuning.null_value,
        }
    }

    /// Values that are there and can be used as a type.
    pub(super) fn fitting(&mut self, draft: &Draft, wanted: TypeId, nullable: bool) -> Vec<Var> {
        draft
            .variables()
            .filter(|(_, value)| nullable || !value.is_null)
            .filter(|(_, value)| value.of.is_some_and(|of| self.fits(of, wanted)))
            .map(|(variable, _)| variable)
            .collect()
    }

    /// `null` as a value of a type; none where a source cannot name the type.
    pub(super) fn null(&mut self, draft: &mut Draft, of: TypeId) -> Option<Var> {
        let named = self.is_nameable(of);
        named.then(|| draft.push(Statement::Literal(Literal::Null(of)), Some(of))).flatten()
    }

    /// A new value of a type; `null` where nothing else can be had and `null` will do.
    pub(super) fn make(
        &mut self,
        draft: &mut Draft,
        wanted: TypeId,
        nullable: bool,
        hints: &[TypeId],
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        let of = self.vocabulary.type_of(wanted)?.clone();
        if of.view() == TypeRef::STRING
            && depth > 0
            && draft.len() < self.tuning.longest_test
            && self.wants_path(random)
        {
            return self.make_file(draft, FileForm::Text, random);
        }
        if !of.is_reference() || of.view() == TypeRef::STRING || of.view() == TypeRef::CLASS {
            let literal = self.random_literal(of.view(), random)?;
            return draft.push(Statement::Literal(literal), Some(wanted));
        }
        let reflected = match of.class_name() {
            Some("java/lang/reflect/Method") => self.make_method(draft, random),
            Some("java/lang/reflect/Field") => self.make_field(draft, random),
            _ => None,
        };
        if reflected.is_some() {
            return reflected;
        }
        let is_possible = draft.len() < self.tuning.longest_test;
        let made = match (depth.checked_sub(1).filter(|_| is_possible), of.element()) {
            (Some(depth), Some(element)) => {
                let of_text = self.array_of_text(draft, of.view(), random);
                of_text.or_else(|| {
                    let (array, element) = self.array_below(wanted, element, random);
                    self.make_array(draft, array, element, hints, depth, random)
                })
            }
            (depth, None) => self.make_object(draft, wanted, hints, depth, random),
            (None, Some(_)) => None,
        };
        match made {
            None if nullable => self.null(draft, wanted),
            made => made,
        }
    }

    fn make_object(
        &mut self,
        draft: &mut Draft,
        wanted: TypeId,
        hints: &[TypeId],
        depth: Option<usize>,
        random: &mut Random,
    ) -> Option<Var> {
        let makers = self.makers_of(wanted);
        let mock = self.mock_of(wanted);
        if let Some(mock) = mock
            && (makers.is_empty()
                || self.prefers_mock(mock, random)
                || self.is_abstract(&makers) && random.one_in(self.tuning.mock_of_abstract))
        {
            return self.make_mock(draft, mock, depth.unwrap_or(0), random);
        }
        for _ in 0..self.tuning.maker_attempts {
            let deep = depth.is_some();
            let weight = |it: &Maker| if deep || !it.is_deep { self.weight_of(it) } else { 0 };
            let Some(maker) = random.pick_weighted(&makers, weight).copied() else { break };
            let length = draft.len();
            let made = self.follow(draft, maker.how, depth.unwrap_or(0), random);
            // What was made on the way may stay: it costs little and may be of use. What is too
            // wide is of none.
            let fits = |it: &mut Self, of: Option<TypeId>| of.is_some_and(|of| it.fits(of, wanted));
            if let Some(made) = made
                && fits(self, draft.value(made).of)
            {
                if draft.len() > length && depth.is_some() {
                    self.fill(draft, made, hints, depth.unwrap_or(0), random);
                }
                return Some(made);
            }
        }
        self.make_mock(draft, mock?, depth.unwrap_or(0), random)
    }

    /// Whether all that can be constructed is of abstract classes: then a mock, whose methods can
    /// be told what to answer, is as good.
    fn is_abstract(&self, makers: &[Maker]) -> bool {
        let mut constructors = makers.iter().filter_map(|it| match it.how {
            How::Construct(method) => self.vocabulary.method(method),
            _ => None,
        });
        makers.iter().any(|it| matches!(it.how, How::Construct(_)))
            && constructors.all(|it| self.vocabulary.subclass_of(it.owner).is_some())
    }

    pub(super) fn follow(
        &mut self,
        draft: &mut Draft,
        how: How,
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        match how {
            How::Text => {
                let literal = self.random_literal(TypeRef::STRING, random)?;
                self.push_literal(draft, literal)
            }
            How::Construct(constructor) => {
                let arguments = self.arguments(draft, constructor, Wishes::default(), depth, random)?;
                let of = self.vocabulary.method(constructor)?.owner;
                let made = draft.push(Statement::Construct { constructor, arguments }, Some(of))?;
                self.inject(draft, made, of, depth, random);
                Some(made)
            }
            How::Call(method) => {
                let called = self.vocabulary.method(method)?;
                let (owner, start) = (called.owner, draft.len());
                let receiver = match called.kind {
                    Kind::Instance => Some(self.value(draft, owner, false, &[], depth, random)?),
                    _ => None,
                };
                if let Some(builder) = receiver.filter(|_| draft.len() > start) {
                    self.set_up(draft, builder, depth, random);
                }
                self.call(draft, method, receiver, depth, random)
            }
            How::File(form) => self.make_file(draft, form, random),
            How::Constant(field) => {
                let of = self.vocabulary.field(field)?.of;
                draft.push(Statement::ReadField { field, receiver: None }, Some(of))
            }
        }
    }

    /// Calls what yields an object of its own class again, as methods of builders do, on one that
    /// was just made.
    fn set_up(&mut self, draft: &mut Draft, builder: Var, depth: usize, random: &mut Random) {
        let Some(of) = draft.value(builder).of else { return };
        for member in self.members_of(of).iter() {
            let Member::Method(id) = *member else { continue };
            let is_fluent = self
                .vocabulary
                .method(id)
                .is_some_and(|it| it.kind == Kind::Instance && it.result == of && !it.parameters.is_empty());
            if is_fluent
                && draft.len() < self.tuning.longest_test
                && random.chance(self.tuning.builder_setter)
                && !self.is_shunned(id)
            {
                self.call(draft, id, Some(builder), depth.saturating_sub(1), random);
            }
        }
    }

    /// A call with new arguments, on a receiver that is given or looked for.
    pub(super) fn call(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        receiver: Option<Var>,
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        let called = self.vocabulary.method(method)?;
        let (kind, owner) = (called.kind, called.owner);
        let receiver = match (kind, receiver) {
            (Kind::Instance, None) => Some(self.value(draft, owner, false, &[], depth, random)?),
            (Kind::Instance, given) => given,
            _ => None,
        };
        let arguments = self.arguments(draft, method, Wishes::default(), depth, random)?;
        draft.push(Statement::Call { method, receiver, arguments }, self.result_of(method))
    }

    /// The type of an array to be made: mostly the one that is wanted, sometimes one of a class
    /// below, which can stand for it but does not take everything (JLS 10.5).
    fn array_below(&mut self, wanted: TypeId, element: Type, random: &mut Random) -> (TypeId, Type) {
        let below =
            element.class_name().filter(|_| random.chance(self.tuning.narrower_array)).and_then(|class| {
                let classes = self.implementations(class);
                random.pick_weighted(&classes, |(_, weight)| *weight).map(|(class, _)| Type::of_class(class))
            });
        match below {
            None => (wanted, element),
            Some(below) => (self.vocabulary.add_type(Type(format!("[{}", below.0).into())), below),
        }
    }

    fn make_array(
        &mut self,
        draft: &mut Draft,
        array: TypeId,
        element: Type,
        hints: &[TypeId],
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        if !self.is_nameable(array) {
            return None;
        }
        let length = u16::try_from(random.place(self.tuning.longest_array + 1)).ok()?;
        let made = draft.push(Statement::NewArray { array, length }, Some(array))?;
        let element = self.vocabulary.add_type(element);
        for index in 0..length {
            if random.chance(self.tuning.element)
                && let Some(value) = self.value(draft, element, true, hints, depth, random)
            {
                draft.push(Statement::WriteElement { array: made, index, value }, None)?;
            }
        }
        Some(made)
    }

    /// Gives a new collection or map elements of the type that its type arguments say.
    fn fill(&mut self, draft: &mut Draft, made: Var, hints: &[TypeId], depth: usize, random: &mut Random) {
        let (Some(of), Some(known)) = (draft.value(made).of, self.collections()) else { return };
        let (method, count) = if self.fits(of, known.collection) {
            (known.add, 1)
        } else if self.fits(of, known.map) {
            (known.put, 2)
        } else {
            return;
        };
        let mut more = self.tuning.element;
        while random.chance(more) && draft.len() < self.tuning.longest_test {
            let mut arguments = Arguments::new();
            for number in 0..count {
                let element = hints.get(number).copied().unwrap_or(known.object);
                let Some(value) = self.value(draft, element, true, &[], depth, random) else { return };
                arguments.push(value);
            }
            let receiver = Some(made);
            if draft.push(Statement::Call { method, receiver, arguments }, self.result_of(method)).is_none() {
                return;
            }
            more *= self.tuning.element_again;
        }
    }

    fn collections(&mut self) -> Option<Collections> {
        if self.catalogue.here().collections.is_none() {
            let hierarchy = self.context.hierarchy();
            let vocabulary = &mut self.vocabulary;
            let add = vocabulary.find_method(hierarchy, "java/util/Collection.add(Ljava/lang/Object;)Z");
            let put = "java/util/Map.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            let put = vocabulary.find_method(hierarchy, put);
            self.catalogue.here_mut().collections = Some(Collections {
                collection: vocabulary.add_type(Type::of_class("java/util/Collection")),
                map: vocabulary.add_type(Type::of_class("java/util/Map")),
                object: vocabulary.add_type(Type::of_class("java/lang/Object")),
                add: add.ok()?,
                put: put.ok()?,
            });
        }
        self.catalogue.here().collections
    }

    /// A statement that may change what later ones see: a call on an object that is there, mostly
    /// the given one, or a write to a field.
    pub(super) fn insert_call(&mut self, draft: &mut Draft, receiver: Option<Var>, random: &mut Random) {
        let objects: Vec<(Var, TypeId)> = draft
            .variables()
            .filter(|(variable, value)| !value.is_null && !is_mock(draft, *variable))
            .filter_map(|(variable, value)| value.of.map(|of| (variable, of)))
            .filter(|(_, of)| self.vocabulary.type_of(*of).is_some_and(|it| it.class_name().is_some()))
            .collect();
        let preferred = receiver
            .filter(|_| random.chance(self.tuning.call_on_receiver))
            .and_then(|it| Some((it, draft.value(it).of?)));
        let Some((object, of)) = preferred.or_else(|| random.pick(&objects).copied()) else { return };
        if !self.is_nameable(of) || self.vocabulary.type_of(of).is_some_and(|it| it.view() == TypeRef::STRING)
        {
            return;
        }
        let members = self.interests_of(of);
        let weight = |(member, weight): &(Member, u32)| match member {
            Member::Method(id) if self.is_shunned(*id) => 0,
            _ => *weight,
        };
        let Some((member, _)) = random.pick_weighted(&members, weight).copied() else { return };
        match member {
            Member::Method(method) => {
                let is_static = self.vocabulary.method(method).is_some_and(|it| it.kind == Kind::Static);
                let receiver = (!is_static).then_some(object);
                self.call(draft, method, receiver, self.tuning.depth_of_insertions, random);
            }
            Member::Field { id, .. } => self.write_field(draft, id, object, random),
            Member::Constructor(_) => {}
        }
    }

    /// What can be done with an object for its effect, and how often each is, compared with the
    /// others.
    pub(super) fn interests_of(&mut self, of: TypeId) -> Interests {
        if let Some(Some(known)) = self.catalogue.here().interests.get(of.index()) {
            return Arc::clone(known);
        }
        let members = self.members_of(of);
        let found: Interests = members.iter().map(|it| (*it, self.interest(*it))).collect();
        put(&mut self.catalogue.here_mut().interests, of.index(), Arc::clone(&found));
        found
    }

    /// How often a member is called for its effect: first what writes fields that the code around
    /// the crash reads, then setters and adders; what only asks rarely, what all objects have
    /// never.
    fn interest(&self, member: Member) -> u32 {
        let method = match member {
            Member::Constructor(_) | Member::Field { is_final: true, .. } => return 0,
            Member::Field { .. } => return self.tuning.field_write,
            Member::Method(id) => self.vocabulary.method(id),
        };
        match method {
            None => 0,
            Some(method) if OF_ALL_OBJECTS.contains(&&*method.name) => 0,
            Some(method) if self.is_influential(method) => self.tuning.influential_method,
            Some(method) if ["set", "add", "put", "append"].iter().any(|it| method.name.starts_with(it)) => {
                self.tuning.setter
            }
            Some(method) if method.parameters.is_empty() && &*method.name != "init" => self.tuning.getter,
            Some(_) => self.tuning.other_method,
        }
    }

    /// Whether an object has methods that write what the code around the crash reads.
    pub(super) fn has_influence(&mut self, of: TypeId) -> bool {
        self.interests_of(of).iter().any(|(_, interest)| *interest == self.tuning.influential_method)
    }

    fn is_influential(&self, method: &Method) -> bool {
        let Some(mut name) = self.vocabulary.method_name(method) else { return false };
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor);
        name.owner = found.map_or(name.owner, |it| it.class().name().to_owned());
        self.pools.influential.contains(&name)
    }

    fn write_field(&mut self, draft: &mut Draft, field: FieldId, object: Var, random: &mut Random) {
        let Some(written) = self.vocabulary.field(field) else { return };
        let (of, is_static) = (written.of, written.is_static);
        if let Some(value) = self.value(draft, of, true, &[], self.tuning.depth_of_insertions, random) {
            let receiver = (!is_static).then_some(object);
            draft.push(Statement::WriteField { field, receiver, value }, None);
        }
    }

    /// Writes a literal down.
    pub(super) fn push_literal(&mut self, draft: &mut Draft, literal: Literal) -> Option<Var> {
        let own = match &literal {
            Literal::Null(of) => return self.null(draft, *of),
            other => own_type(other)?,
        };
        let of = self.vocabulary.add_type(own.into());
        draft.push(Statement::Literal(literal), Some(of))
    }
}

/// Whether a value is a mock, on which calls have no effect.
pub(super) fn is_mock(draft: &Draft, variable: Var) -> bool {
    matches!(draft.statement(variable), Some(Statement::Mock(_)))
}

/// Methods that say nothing about a program and may only get in the way: waiting for a notification
/// never ends.
const OF_ALL_OBJECTS: [&str; 9] =
    ["wait", "notify", "notifyAll", "getClass", "hashCode", "equals", "toString", "finalize", "clone"];
