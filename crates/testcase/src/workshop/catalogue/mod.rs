//! Facts about types as tests in a package see them: what can be used of them, how their values are
//! made, which of them a mock can stand for. Worked out once for each type.
//!
//! Facts follow from the program and from what the crash tells of it. Nothing that runs of tests
//! show is among them: that is [`Experience`](super::experience::Experience).

mod behaviours;
mod callbacks;
mod carved;
mod effects;
mod exception_getters;
mod expected;
mod generics;
mod injected;
mod jdk;
mod makers;
mod mocks;
mod moments;
mod preparations;
mod producers;
mod takers;

use std::collections::BTreeMap;
use std::sync::Arc;

use crashback_program::origins::Origins;

pub(super) use behaviours::KnownBehaviour;
pub(super) use callbacks::{CallbackReason, KnownCallback};
pub(super) use carved::CarvedObject;
pub(super) use effects::Effect;
pub(super) use exception_getters::{ExceptionGetter, GetterStep};
pub(super) use expected::{Expected, WantedValue};
pub(super) use generics::{Bindings, Generic};
pub(super) use injected::InjectedField;
pub(super) use jdk::{CollectionMembers, ContainerMembers, FileForm, FileMembers};
pub(super) use makers::{Maker, Way};
pub(super) use preparations::{Holder, PreparationStep};
pub(super) use takers::Taker;

use super::memo::Memo;
use super::origin::Distance;
use super::per_package::PerPackage;
use super::{Pools, Tuning, origin};
use crate::conversion::is_assignable;
use crate::members::{self, Member};
use crate::{Context, MethodId, MockId, TestCase, Type, TypeId, Vocabulary};
use expected::ExpectedOfMethod;
use generics::{Signature, SupertypeArguments};
pub(super) use producers::Container;
use producers::Producers;

/// Facts about the types of a program.
pub(super) struct Catalogue<'a> {
    /// The place of the tests.
    pub(super) context: Context<'a>,
    origins: &'a Origins<'a>,
    /// The names of all that tests use.
    pub(super) vocabulary: Vocabulary,
    /// What the crash and the program tell.
    pub(super) pools: Pools,
    tuning: Arc<Tuning>,
    /// How many of the traced frames must run.
    frames: usize,
    /// Methods of the project that make objects of texts, once they were looked for.
    producers: Option<Producers>,
    /// The types of the first classes that the pools mention.
    mentioned: Vec<TypeId>,
    /// What texts are made of, and of how many compared texts it was taken.
    pub(super) parts_of_texts: Option<(usize, Arc<PartsOfTexts>)>,
    facts: PerPackage<'a, Facts>,
}

/// What texts in the forms and formats of the program are made of.
#[derive(Default)]
pub(super) struct PartsOfTexts {
    /// Texts that are words, without the signs behind them.
    pub(super) words: Vec<String>,
    /// Texts that are signs.
    pub(super) signs: Vec<String>,
    /// Texts that can be names of elements, attributes and keys.
    pub(super) names: Vec<String>,
}

/// Facts for one package, by numbers of the vocabulary.
#[derive(Default)]
struct Facts {
    makers: Memo<Arc<[Maker]>>,
    behaviours: Memo<Arc<[KnownBehaviour]>>,
    carved_tests: Option<Arc<[TestCase]>>,
    carved_objects: Memo<Arc<[CarvedObject]>>,
    members: Memo<Arc<[Member]>>,
    assignable: Memo<Memo<bool>>,
    nameable: Memo<bool>,
    signatures: Memo<Option<Arc<Signature>>>,
    supertype_arguments: Memo<SupertypeArguments>,
    expected: Memo<ExpectedOfMethod>,
    expected_of_field: Memo<Option<Arc<Expected>>>,
    mocks: Memo<Option<MockId>>,
    anonymous_mocks: Memo<Option<MockId>>,
    spies: Memo<Option<MockId>>,
    of_libraries: Memo<bool>,
    stubbable: Memo<Arc<[bool]>>,
    own_calls: Memo<Arc<[u16]>>,
    calls_itself: Memo<bool>,
    callbacks: Memo<Arc<[KnownCallback]>>,
    /// By the method of the mock, the place of its parameter and the class of the object.
    callbacks_of_objects: BTreeMap<(MethodId, u8, TypeId), Arc<[KnownCallback]>>,
    declared_exceptions: Memo<Arc<[TypeId]>>,
    callback_methods: Memo<Arc<[u16]>>,
    injected: Memo<Arc<[InjectedField]>>,
    /// The class of the trace below a type.
    traced_below: Memo<Option<TypeId>>,
    implementations: Memo<Arc<[(TypeId, u32)]>>,
    cast_classes_below: Memo<Arc<[TypeId]>>,
    public_methods: Memo<Arc<[MethodId]>>,
    has_outer_instance: Memo<bool>,
    exception_getters: Memo<Arc<[ExceptionGetter]>>,
    static_exception_getters: Option<Arc<[ExceptionGetter]>>,
    effects: Memo<Arc<[Effect]>>,
    /// By the type of the taker, then by that of the given object.
    takers: Memo<Memo<Arc<[Taker]>>>,
    takers_of_holders: Memo<Memo<Arc<[Taker]>>>,
    /// For each preparation, the learnt ones behind the others, how a test makes it, if it can.
    preparations: Vec<Option<PreparationStep>>,
    files: Option<FileMembers>,
    collections: Option<CollectionMembers>,
    containers: Option<ContainerMembers>,
    unavailable: BTreeMap<TypeId, &'static str>,
}

impl<'a> Catalogue<'a> {
    pub(super) fn new(
        context: Context<'a>,
        origins: &'a Origins<'a>,
        vocabulary: Vocabulary,
        pools: Pools,
        tuning: Arc<Tuning>,
    ) -> Self {
        let facts = PerPackage::default();
        let (producers, mentioned, parts_of_texts) = (None, Vec::new(), None);
        Self {
            context,
            origins,
            vocabulary,
            pools,
            tuning,
            frames: 0,
            producers,
            mentioned,
            parts_of_texts,
            facts,
        }
    }

    /// Says where tests lie and how many of the traced frames must run from now on.
    pub(super) fn move_to(&mut self, package: &'a str, frames: usize) {
        self.facts.move_to(self.context.package(), package);
        self.context = Context::new(self.context.index(), package);
        if frames != self.frames {
            self.frames = frames;
            for facts in self.facts.all_mut() {
                facts.stubbable.clear();
                facts.own_calls.clear();
                facts.static_exception_getters = None;
            }
        }
    }

    /// Types of which no value can be made, with the reason in words.
    pub(super) fn unavailable(&self) -> &BTreeMap<TypeId, &'static str> {
        &self.facts.here().unavailable
    }

    /// How far a class, given by its internal name, is from the tests.
    fn distance(&self, class: &str) -> Distance {
        match self.origins.is_of_tests(class) {
            true => Distance::Tests,
            false => origin::distance(self.origins.origin(class), class, self.context.package()),
        }
    }

    /// The internal name of a class or interface; none for arrays and primitives.
    pub(super) fn class_name(&self, of: TypeId) -> Option<&str> {
        self.vocabulary.type_of(of)?.class_name()
    }

    /// A class of the class path by its binary name, as runs of tests tell it.
    pub(super) fn class_of_run(&mut self, binary: &str) -> Option<TypeId> {
        let name = binary.replace('.', "/");
        self.context.index().get(&name)?;
        Some(self.vocabulary.add_type(Type::of_class(&name)))
    }

    /// Whether a type is the class with a binary name.
    pub(super) fn has_binary_name(&self, of: TypeId, binary: &str) -> bool {
        let dotted = |it: u8| if it == b'/' { b'.' } else { it };
        self.class_name(of)
            .is_some_and(|it| it.len() == binary.len() && it.bytes().map(dotted).eq(binary.bytes()))
    }

    /// Whether the values of a type are references.
    pub(super) fn is_reference(&self, of: TypeId) -> bool {
        self.vocabulary.type_of(of).is_some_and(Type::is_reference)
    }

    /// Whether nearly everything is of a type.
    pub(super) fn is_wide(&self, of: TypeId) -> bool {
        self.class_name(of).is_none_or(origin::is_wide)
    }

    /// Whether a value of one type can stand where another is wanted, without a cast in the source.
    pub(super) fn fits(&mut self, from: TypeId, to: TypeId) -> bool {
        if from == to {
            return true;
        }
        let known = self.facts.here().assignable.get(from.index()).and_then(|it| it.get(to.index()));
        if let Some(known) = known {
            return *known;
        }
        let answer = self.find_fit(from, to);
        if let Some(row) = self.facts.here_mut().assignable.or_default(from.index()) {
            row.put(to.index(), answer);
        }
        answer
    }

    fn find_fit(&mut self, from: TypeId, to: TypeId) -> bool {
        let (Some(a), Some(b)) = (self.vocabulary.type_of(from), self.vocabulary.type_of(to)) else {
            return false;
        };
        is_assignable(self.context.hierarchy(), a.view(), b.view()) == Some(true)
            && (self.is_nameable(from) || self.is_nameable(to))
    }

    /// Whether a source can name a type.
    pub(super) fn is_nameable(&mut self, of: TypeId) -> bool {
        if let Some(known) = self.facts.here().nameable.get(of.index()) {
            return *known;
        }
        let named = self.vocabulary.type_of(of);
        let answer = named.is_some_and(|it| self.context.check_type(it.view()).is_ok());
        self.facts.here_mut().nameable.put(of.index(), answer);
        answer
    }

    /// The members of a class that a test can use, inherited ones too.
    pub(super) fn members_of(&mut self, of: TypeId) -> Arc<[Member]> {
        if let Some(known) = self.facts.here().members.get(of.index()) {
            return Arc::clone(known);
        }
        let name = self.class_name(of).map(str::to_owned);
        let found = name.map(|it| members::enter(self.context, &mut self.vocabulary, &it));
        let found: Arc<[Member]> = found.unwrap_or_default().into();
        self.facts.here_mut().members.put(of.index(), Arc::clone(&found));
        found
    }

    /// The type of a method's result; none for `void`.
    pub(super) fn result_of(&self, method: MethodId) -> Option<TypeId> {
        let result = self.vocabulary.method(method)?.result;
        self.vocabulary.type_of(result).filter(|it| !it.view().is_void()).map(|_| result)
    }

    /// Whether the constructors of a class take an outer instance first.
    pub(super) fn has_outer_instance(&mut self, of: TypeId) -> bool {
        if let Some(known) = self.facts.here().has_outer_instance.get(of.index()) {
            return *known;
        }
        let class = self.class_name(of).and_then(|it| self.context.index().get(it));
        let answer = class.is_some_and(|it| self.context.has_outer_instance(it));
        self.facts.here_mut().has_outer_instance.put(of.index(), answer);
        answer
    }

    /// The public methods of a class whose parameters a source can name.
    pub(super) fn public_methods_of(&mut self, of: TypeId) -> Arc<[MethodId]> {
        if let Some(known) = self.facts.here().public_methods.get(of.index()) {
            return Arc::clone(known);
        }
        let methods = self.members_of(of);
        let methods =
            methods.iter().filter_map(|it| if let Member::Method(id) = it { Some(*id) } else { None });
        let found: Arc<[MethodId]> = methods.filter(|it| self.is_public(*it) == Some(true)).collect();
        self.facts.here_mut().public_methods.put(of.index(), Arc::clone(&found));
        found
    }

    /// Whether a method is public and a source can name its parameters.
    fn is_public(&mut self, method: MethodId) -> Option<bool> {
        let method = self.vocabulary.method(method)?;
        let name = self.vocabulary.method_name(method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let parameters = method.parameters.clone();
        Some(found.is_public() && parameters.into_iter().all(|it| self.is_nameable(it)))
    }

    /// Class, in internal form, and method of the frames that must run.
    fn running_frames(&self) -> impl Iterator<Item = &(String, String)> {
        self.pools.traced.iter().take(self.frames)
    }
}
