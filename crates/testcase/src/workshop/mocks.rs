//! Mocks, what they answer, and components with what a container would give them.

use std::sync::Arc;

use crashback_classfile::{JavaStr, TypeSignature};
use crashback_program::hierarchy::Supertype;
use smallvec::SmallVec;

use super::Workshop;
use super::catalogue::{How, WIDE, put};
use super::draft::Draft;
use super::experience::Asked;
use crate::{Answer, FieldId, Given, Literal, MethodId, MockId, Random, Statement, Type, TypeId, Var};

/// Packages of the JDK whose types are values, or so plain that real ones are mostly as easily had.
/// Their classes are never mocked, and their interfaces only where nothing implements them.
const PLAIN_PACKAGES: [&str; 12] = [
    "java/lang/",
    "java/util/",
    "java/io/",
    "java/nio/",
    "java/math/",
    "java/text/",
    "java/time/",
    "java/net/",
    "java/security/",
    "javax/swing/",
    "sun/",
    "jdk/",
];

/// A field that a container fills, with the type arguments of its type.
#[derive(Clone, Debug)]
pub(super) struct Injected {
    field: FieldId,
    of: TypeId,
    hints: SmallVec<[TypeId; 2]>,
}

impl Workshop<'_> {
    /// The mock that can stand for an object of a type. Code on the trace must run, so that of a
    /// class there only a partial one will do.
    pub(super) fn mock_of(&mut self, of: TypeId) -> Option<MockId> {
        if let Some(Some(known)) = self.catalogue.here().mocks.get(of.index()) {
            return *known;
        }
        let found = self.find_mock(of);
        put(&mut self.catalogue.here_mut().mocks, of.index(), found);
        found
    }

    fn find_mock(&mut self, of: TypeId) -> Option<MockId> {
        if self.pools.is_mock_library {
            return None;
        }
        let name = self.vocabulary.type_of(of)?.class_name()?.to_owned();
        let is_interface = self.context.index().get(&name).is_some_and(|it| it.is_interface());
        let is_throwable = self.context.hierarchy().is_subtype(&name, "java/lang/Throwable") != Some(false);
        if is_plain(&name) && !is_interface || is_throwable || self.context.check_mockable(&name).is_err() {
            return None;
        }
        let calls_real = self.is_traced(&name);
        self.vocabulary.add_mock_of(self.context, &name, calls_real).ok()
    }

    fn is_traced(&self, class: &str) -> bool {
        self.pools.traced.iter().any(|(traced, _)| traced == class)
    }

    /// Whether a mock is tried before anything else where an object of a type is wanted.
    pub(super) fn prefers_mock(&mut self, id: MockId, random: &mut Random) -> bool {
        let Some(mock) = self.vocabulary.mock(id).cloned() else { return false };
        if mock.calls_real {
            return random.chance(self.tuning.mock_for_callback) && !self.ways_back(id).is_empty();
        }
        let often = match mock.is_interface {
            _ if self.is_of_libraries(mock.of) => self.tuning.mock_of_library,
            _ if self.cannot_be_constructed(mock.of) => self.tuning.mock_of_failing,
            true => self.tuning.mock_of_interface,
            false => self.tuning.mock_of_class,
        };
        let is_rare = || {
            let name = self.vocabulary.type_of(mock.of).and_then(|it| it.class_name());
            name.is_some_and(is_plain)
        };
        random.chance(often) && !is_rare()
    }

    /// Whether there are constructors for a type, and none of them has ever done its work.
    fn cannot_be_constructed(&mut self, of: TypeId) -> bool {
        let makers = self.makers_of(of);
        let mut constructors = makers.iter().filter(|it| matches!(it.how, How::Construct(_))).peekable();
        constructors.peek().is_some() && constructors.all(|it| self.weight_of(it) == 0)
    }

    /// Whether only libraries have classes below an abstract type.
    fn is_of_libraries(&mut self, of: TypeId) -> bool {
        if let Some(Some(known)) = self.catalogue.here().of_libraries.get(of.index()) {
            return *known;
        }
        let name = self.vocabulary.type_of(of).and_then(|it| it.class_name());
        let class = name.and_then(|it| self.context.index().get(it)).filter(|it| it.is_abstract());
        let found = class.is_some_and(|class| {
            self.implementations(class.name()).iter().all(|(below, _)| self.is_library(below))
        });
        put(&mut self.catalogue.here_mut().of_libraries, of.index(), found);
        found
    }

    /// A new mock, with answers to what mocks like it were asked before.
    pub(super) fn make_mock(
        &mut self,
        draft: &mut Draft,
        mock: MockId,
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        let of = self.vocabulary.mock(mock)?.of;
        let made = draft.push(Statement::Mock(mock), Some(of))?;
        if self.vocabulary.mock(mock)?.calls_real {
            self.inject(draft, made, of, depth, random);
        }
        for place in self.ways_back(mock).iter().copied() {
            if random.chance(self.tuning.stub_callback) && draft.len() < self.tuning.longest_test {
                self.stub(draft, made, mock, place, depth, random);
            }
        }
        for asked in self.experience.asked(mock).to_vec() {
            for _ in 0..asked.answers() {
                if random.chance(self.tuning.stub_asked) && draft.len() < self.tuning.longest_test {
                    self.stub(draft, made, mock, asked.method, depth, random);
                }
            }
        }
        Some(made)
    }

    /// Lets a mock answer one of the calls that mocks like it were asked and that its test says
    /// nothing about, if there is one.
    pub(super) fn stub_more(
        &mut self,
        draft: &mut Draft,
        made: Var,
        mock: MockId,
        known: &[Statement],
        depth: usize,
        random: &mut Random,
    ) {
        let Some(methods) = self.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods)) else { return };
        let is_open = |asked: &&Asked| {
            let method = methods.get(usize::from(asked.method)).map(|it| it.method);
            let is_answer =
                |it: &&Statement| matches!(it, Statement::Stub { method: it, .. } if Some(*it) == method);
            known.iter().filter(is_answer).count() < asked.answers()
        };
        let asked = self.experience.asked(mock).iter();
        let open: Vec<u16> = asked.filter(is_open).map(|it| it.method).collect();
        if let Some(place) = random.pick(&open) {
            self.stub(draft, made, mock, *place, depth, random);
        }
    }

    /// An answer of a mock to one of its methods. None where a test cannot give one.
    fn stub(
        &mut self,
        draft: &mut Draft,
        made: Var,
        mock: MockId,
        place: u16,
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        if !self.is_stubbable(mock, place) {
            return None;
        }
        let method = self.vocabulary.mock(mock)?.methods.get(usize::from(place))?.method;
        if let Some(answer) = self.special_answer(draft, made, method, depth, random) {
            return draft.push(Statement::Stub { mock: made, method, given: None, answer }, None);
        }
        let result = self.result_of(method)?;
        if let Some((given, service)) = self.service(draft, mock, place, method, depth, random) {
            let answer = Answer::Return(service);
            return draft.push(Statement::Stub { mock: made, method, given: Some(given), answer }, None);
        }
        let hints = self.type_arguments(method, self.vocabulary.method(method)?.parameters.len());
        let wanted = self.answer_type(result, random);
        let service = self.mock_of(wanted).filter(|_| wanted != result && depth > 0);
        let value = match service.filter(|_| random.chance(self.tuning.collaborator_mock)) {
            Some(service) => self.make_mock(draft, service, depth - 1, random)?,
            None => self.answer(draft, wanted, &hints, depth, random)?,
        };
        let answer = self.followed(draft, result, value, random);
        draft.push(Statement::Stub { mock: made, method, given: None, answer }, None)
    }

    /// What a mock that looks services up answers when it is asked for a class: one that such mocks
    /// were asked for, else one that the code around the crash casts services to. None for other
    /// methods.
    fn service(
        &mut self,
        draft: &mut Draft,
        mock: MockId,
        place: u16,
        method: MethodId,
        depth: usize,
        random: &mut Random,
    ) -> Option<(Given, Var)> {
        let parameter = self.class_parameter(method).filter(|_| depth > 0)?;
        let result = self.result_of(method)?;
        let asked = self.experience.asked(mock).iter().find(|it| it.method == place);
        let asked = asked.map(|it| it.classes.clone()).unwrap_or_default();
        let asked: Vec<TypeId> =
            asked.into_iter().filter(|it| self.fits(*it, result) && self.is_nameable(*it)).collect();
        let wanted = match random.pick(&asked) {
            Some(asked) => *asked,
            None => Some(self.answer_type(result, random)).filter(|it| *it != result)?,
        };
        let service = self.collaborator(draft, wanted, &[], depth, random)?;
        let class = self.push_literal(draft, Literal::Class(wanted))?;
        Some((Given { parameter, class }, service))
    }

    /// The parameter by which a method is told what to look up.
    fn class_parameter(&self, method: MethodId) -> Option<u8> {
        let parameters = &self.vocabulary.method(method)?.parameters;
        let is_class = |of: &TypeId| {
            let class = self.vocabulary.type_of(*of).and_then(|it| it.class_name());
            class.is_some_and(|it| ["java/lang/Class", "java/lang/reflect/Type"].contains(&it))
        };
        parameters.iter().position(is_class).and_then(|it| u8::try_from(it).ok())
    }

    /// An answer that begins with a value: what says whether there is more must say no in the end,
    /// or loops that ask have none.
    fn followed(&mut self, draft: &mut Draft, result: TypeId, value: Var, random: &mut Random) -> Answer {
        let is_yes = matches!(draft.statement(value), Some(Statement::Literal(Literal::Boolean(true))));
        let is_object = self.vocabulary.type_of(result).is_some_and(Type::is_reference);
        let last = match () {
            () if is_yes && random.chance(self.tuning.then_false) => {
                self.push_literal(draft, Literal::Boolean(false))
            }
            () if is_object && random.chance(self.tuning.then_null) => self.null(draft, result),
            () => None,
        };
        last.map_or(Answer::Return(value), |then| Answer::Sequence { first: value, then })
    }

    fn answer(
        &mut self,
        draft: &mut Draft,
        result: TypeId,
        hints: &[TypeId],
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        if self.vocabulary.type_of(result)?.descriptor() == "Z" {
            return self.push_literal(draft, Literal::Boolean(random.chance(self.tuning.answer_true)));
        }
        self.value(draft, result, false, hints, depth.saturating_sub(1), random)
    }

    /// The type of an answer to a method with a result: where that says nothing, as with what looks
    /// services up, mostly a class that the code around the crash casts such a result to.
    pub(super) fn answer_type(&mut self, result: TypeId, random: &mut Random) -> TypeId {
        let name = self.vocabulary.type_of(result).and_then(|it| it.class_name());
        let Some(name) = name.filter(|it| WIDE.contains(it) && random.chance(self.tuning.answer_of_cast))
        else {
            return result;
        };
        let hierarchy = self.context.hierarchy();
        let fits =
            |it: &&String| hierarchy.is_subtype(it, name) == Some(true) && self.context.class(it).is_ok();
        let fitting: Vec<&String> = self.pools.wanted.iter().filter(fits).collect();
        let wanted = random.pick(&fitting).map(|it| Type::of_class(it));
        wanted.map_or(result, |it| self.vocabulary.add_type(it))
    }

    /// Whether a test can say what a mock answers to a method: it can name the method, and the
    /// method is not one whose code must run.
    pub(super) fn is_stubbable(&mut self, mock: MockId, place: u16) -> bool {
        if !matches!(self.catalogue.here().stubbable.get(mock.index()), Some(Some(_))) {
            let found = self.find_stubbable(mock).unwrap_or_default();
            put(&mut self.catalogue.here_mut().stubbable, mock.index(), found);
        }
        let known = self.catalogue.here().stubbable.get(mock.index()).and_then(Option::as_ref);
        known.and_then(|it| it.get(usize::from(place))).copied().unwrap_or(false)
    }

    fn find_stubbable(&self, mock: MockId) -> Option<Arc<[bool]>> {
        let mock = self.vocabulary.mock(mock)?;
        let can_stub = |id| {
            let method = self.vocabulary.method(id)?;
            let name = self.vocabulary.method_name(method)?;
            let mut traced = self.pools.traced.iter().take(self.aim.traced);
            let is_traced = traced.any(|it| *it.0 == name.owner && *it.1 == name.name);
            Some(!is_traced && self.context.method(&name).is_ok_and(|it| it.is_some()))
        };
        Some(mock.methods.iter().map(|it| can_stub(it.method).unwrap_or(false)).collect())
    }

    /// Gives an object what a container would give it.
    pub(super) fn inject(
        &mut self,
        draft: &mut Draft,
        made: Var,
        of: TypeId,
        depth: usize,
        random: &mut Random,
    ) {
        for Injected { field, of, hints } in self.injected_of(of).iter() {
            if random.chance(self.tuning.injected_field)
                && let Some(value) = self.collaborator(draft, *of, hints, depth, random)
            {
                draft.push(Statement::Inject { field: *field, receiver: made, value }, None);
            }
        }
    }

    /// What a container would put into a field: an object of a class on the trace where one fits,
    /// else mostly a mock.
    pub(super) fn collaborator(
        &mut self,
        draft: &mut Draft,
        wanted: TypeId,
        hints: &[TypeId],
        depth: usize,
        random: &mut Random,
    ) -> Option<Var> {
        let there = self.fitting(draft, wanted, false);
        if let Some(there) = random.pick(&there)
            && random.chance(self.tuning.collaborator_reuse)
        {
            return Some(*there);
        }
        let depth = depth.saturating_sub(1);
        if depth > 0
            && draft.len() < self.tuning.longest_test
            && random.chance(self.tuning.collaborator_of_trace)
            && let Some(traced) = self.traced_below(wanted)
            && let Some(made) = self.make(draft, traced, false, hints, depth, random)
        {
            return Some(made);
        }
        let is_plain = self.vocabulary.type_of(wanted)?.class_name().is_none_or(is_plain);
        match self.mock_of(wanted).filter(|_| !is_plain) {
            Some(mock) if random.chance(self.tuning.collaborator_mock) => {
                self.make_mock(draft, mock, depth, random)
            }
            _ => self.value(draft, wanted, false, hints, depth, random),
        }
    }

    /// The first class on the trace whose objects are of a type.
    fn traced_below(&mut self, wanted: TypeId) -> Option<TypeId> {
        let name = self.vocabulary.type_of(wanted)?.class_name()?;
        let hierarchy = self.context.hierarchy();
        let mut traced = self.pools.traced.iter().map(|(class, _)| class);
        let found = traced.find(|it| {
            hierarchy.is_subtype(it, name) == Some(true)
                && self.context.class(it).is_ok_and(|it| !it.is_abstract())
        })?;
        Some(self.vocabulary.add_type(Type::of_class(found)))
    }

    /// The fields of a class, inherited ones too, that a container fills.
    fn injected_of(&mut self, of: TypeId) -> Arc<[Injected]> {
        if let Some(Some(known)) = self.catalogue.here().injected.get(of.index()) {
            return Arc::clone(known);
        }
        let found: Arc<[Injected]> = self.find_injected(of).unwrap_or_default().into();
        put(&mut self.catalogue.here_mut().injected, of.index(), Arc::clone(&found));
        found
    }

    fn find_injected(&mut self, of: TypeId) -> Option<Vec<Injected>> {
        let name = self.vocabulary.type_of(of)?.class_name()?.to_owned();
        let context = self.context;
        let above = context.hierarchy().supertypes(&name).into_iter().filter_map(Supertype::known);
        let mut found = Vec::new();
        for class in above.filter(|it| context.class(it.name()).is_ok()) {
            for field in class.fields().filter(|it| context.is_injected(*it)) {
                let id = self.vocabulary.add_field_of(class, field);
                let signature = field.signature().map(|it| JavaStr::new(it.as_bytes()));
                let signature = signature.and_then(|it| TypeSignature::parse(it).ok());
                let hints = signature.map(|it| self.arguments_of(&it, &[])).unwrap_or_default();
                let of = self.vocabulary.field(id)?.of;
                found.push(Injected { field: id, of, hints });
            }
        }
        Some(found)
    }
}

pub(super) fn is_plain(name: &str) -> bool {
    PLAIN_PACKAGES.iter().any(|it| name.starts_with(it))
}
