//! Mocks, and answers to calls that mocks like them were asked.

use std::sync::Arc;

use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{Generic, Maker, Way};
use crate::{MockId, MockKind, Statement, TypeId, Var};

/// Mocks that are tried before real objects.
pub(super) struct PreferredMocks;

/// Mocks where no real object could be made.
pub(super) struct LastMocks;

impl ValueSource for PreferredMocks {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_mocks
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let Some(mock) = mock_of(builder, request.of) else { return Offer::Pass };
        let makers = builder.catalogue.makers_of(request.of);
        let is_preferred = makers.is_empty()
            || prefers_mock(builder, mock)
            || constructs_abstract(builder, &makers)
                && builder.random.one_in(builder.tuning.mock_of_abstract);
        if !is_preferred {
            return Offer::Pass;
        }
        let depth = builder.inner_depth(request).unwrap_or(0);
        builder.make_mock(mock, request.type_arguments, depth).into()
    }
}

impl ValueSource for LastMocks {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_mocks
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let depth = builder.inner_depth(request).unwrap_or(0);
        let mock = mock_of(builder, request.of);
        mock.and_then(|it| builder.make_mock(it, request.type_arguments, depth)).into()
    }
}

/// The mock that can stand for an object of a class or interface.
fn mock_of(builder: &mut Builder<'_, '_>, of: TypeId) -> Option<MockId> {
    builder.catalogue.class_name(of)?;
    builder.catalogue.mock_of(of)
}

/// Whether a mock is tried before anything else where an object of its type is wanted.
fn prefers_mock(builder: &mut Builder<'_, '_>, id: MockId) -> bool {
    let Some(mock) = builder.catalogue.vocabulary.mock(id).cloned() else { return false };
    let tuning = builder.tuning;
    if mock.kind == MockKind::Anonymous && cannot_be_constructed(builder, mock.of) {
        return builder.random.chance(tuning.mock_of_failing);
    }
    if builder.catalogue.is_long(id) {
        return false;
    }
    if mock.calls_real {
        let calls_back = builder.random.chance(tuning.mock_for_callback)
            && !builder.catalogue.callback_methods(id).is_empty();
        return calls_back || needs_much(builder, mock.of) && builder.random.chance(tuning.mock_of_demanding);
    }
    let probability = match mock.is_interface {
        _ if builder.catalogue.is_of_libraries(mock.of) => tuning.mock_of_library,
        _ if cannot_be_constructed(builder, mock.of) => tuning.mock_of_failing,
        _ if has_only_failed(builder, mock.of) => tuning.mock_of_unproven,
        true if is_relied_on(builder, mock.of) => tuning.mock_of_relied_on,
        true => tuning.mock_of_interface,
        false => tuning.mock_of_class,
    };
    builder.random.chance(probability) && !builder.catalogue.is_plain(mock.of)
}

/// Whether all constructors of a type take many arguments or have never succeeded.
fn needs_much(builder: &mut Builder<'_, '_>, of: TypeId) -> bool {
    let makers = builder.catalogue.makers_of(of);
    let needs_much = |it: &Maker| match it.way {
        Way::Construct(method) => {
            let parameters = builder.catalogue.vocabulary.method(method).map(|it| it.parameters.len());
            parameters.unwrap_or_default() >= builder.tuning.many_arguments || builder.weight_of(it) == 0
        }
        _ => true,
    };
    makers.iter().all(needs_much)
}

/// Whether there are constructors for a type, and none of them has ever succeeded.
fn cannot_be_constructed(builder: &mut Builder<'_, '_>, of: TypeId) -> bool {
    let makers = builder.catalogue.makers_of(of);
    let mut constructors = makers.iter().filter(|it| matches!(it.way, Way::Construct(_))).peekable();
    constructors.peek().is_some() && constructors.all(|it| builder.weight_of(it) == 0)
}

/// Whether code relied on a method that objects of a type have to yield an object, and got `null`.
fn is_relied_on(builder: &mut Builder<'_, '_>, of: TypeId) -> bool {
    builder.experience.relied_on().any(|(class, _)| builder.catalogue.fits(of, class))
}

/// Whether constructors of a type were called, and none of them has succeeded yet.
fn has_only_failed(builder: &mut Builder<'_, '_>, of: TypeId) -> bool {
    let makers = builder.catalogue.makers_of(of);
    let mut has_failed = false;
    for maker in makers.iter() {
        let Way::Construct(constructor) = maker.way else { continue };
        match builder.experience.has_succeeded(constructor) {
            Some(true) => return false,
            Some(false) => has_failed = true,
            None => {}
        }
    }
    has_failed
}

/// Whether all that can be constructed is of abstract classes: then a mock, whose methods can be
/// told what to answer, is as good.
fn constructs_abstract(builder: &Builder<'_, '_>, makers: &[Maker]) -> bool {
    let vocabulary = &builder.catalogue.vocabulary;
    let mut constructors = makers.iter().filter_map(|it| match it.way {
        Way::Construct(method) => vocabulary.method(method),
        _ => None,
    });
    makers.iter().any(|it| matches!(it.way, Way::Construct(_)))
        && constructors.all(|it| vocabulary.subclass_of(it.owner).is_some())
}

/// Objects of anonymous classes whose methods answer what no usual object would, such as a text that
/// is `null`.
pub(super) struct AnonymousMocks;

impl ValueSource for AnonymousMocks {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_anonymous_mocks
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        // Other types have mocks.
        if !builder.catalogue.is_plain(request.of) {
            return Offer::Pass;
        }
        let mock = builder.catalogue.anonymous_mock_of(request.of);
        let Some(mock) = mock.filter(|it| !builder.catalogue.is_long(*it)) else { return Offer::Pass };
        let class = builder.catalogue.class_name(request.of).unwrap_or_default();
        let probability = match builder.catalogue.pools.questioned.contains(class) {
            true => builder.tuning.anonymous_of_questioned,
            false => builder.tuning.anonymous_of_other,
        };
        if !builder.random.chance(probability) {
            return Offer::Pass;
        }
        let depth = builder.inner_depth(request).unwrap_or(0);
        builder.make_mock(mock, request.type_arguments, depth).into()
    }
}

impl Builder<'_, '_> {
    /// A new mock of a type with type arguments, with answers to calls that mocks like it were asked
    /// before.
    pub(crate) fn make_mock(
        &mut self,
        mock: MockId,
        type_arguments: &[Generic],
        depth: usize,
    ) -> Option<Var> {
        let of = self.catalogue.vocabulary.mock(mock)?.of;
        let made = self.draft.push(Statement::Mock(mock), Some(of))?;
        if !type_arguments.is_empty() && self.tuning.source_bound_answers {
            self.draft.note_purpose(made, (of, type_arguments.into()));
        }
        if self.catalogue.vocabulary.mock(mock)?.kind == MockKind::Mocked
            && self.catalogue.vocabulary.mock(mock)?.calls_real
        {
            self.inject_fields(made, of, depth);
        }
        if self.tuning.source_callbacks {
            for place in self.catalogue.callback_methods(mock).iter().copied() {
                if self.random.chance(self.tuning.stub_callback) && self.has_room() {
                    self.stub(made, mock, place, depth);
                }
            }
        }
        let relied_on = self.relied_on_methods(mock);
        if self.tuning.source_mock_answers {
            for asked in self.experience.asked(mock) {
                let probability = match relied_on.contains(&asked.method) {
                    true => self.tuning.stub_relied_on,
                    false => self.tuning.stub_asked,
                };
                for _ in 0..asked.answers() {
                    if self.random.chance(probability) && self.has_room() {
                        self.stub(made, mock, asked.method, depth);
                    }
                }
            }
        }
        for place in relied_on {
            // Those that were asked got their answers above.
            let is_answered = self.tuning.source_mock_answers
                && self.experience.asked(mock).iter().any(|it| it.method == place);
            if !is_answered && self.random.chance(self.tuning.stub_relied_on) && self.has_room() {
                self.stub(made, mock, place, depth);
            }
        }
        self.stub_all_blocked(made, mock, depth);
        self.stub_own_calls(made, mock, depth);
        Some(made)
    }

    /// Whether code relied on a method of a mock, given by its place, to yield an object.
    pub(crate) fn is_relied_on(&mut self, mock: MockId, place: u16) -> bool {
        self.experience.relies_on_any() && self.relied_on_methods(mock).contains(&place)
    }

    /// Places of the methods of a mock that code relied on to yield an object. Of several with one name
    /// those that mocks like it were asked, if there are such.
    pub(crate) fn relied_on_methods(&mut self, mock: MockId) -> Vec<u16> {
        let Self { catalogue, experience, .. } = self;
        let Some(of) = catalogue.vocabulary.mock(mock).map(|it| it.of) else { return Vec::new() };
        let mut found = Vec::new();
        for (class, method) in experience.relied_on() {
            if catalogue.fits(of, class) {
                let places = catalogue.codeless_methods(mock, method);
                let is_asked = |place: &u16| experience.asked(mock).iter().any(|it| it.method == *place);
                let any_asked = places.iter().any(is_asked);
                found.extend(places.into_iter().filter(|it| !any_asked || is_asked(it)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Lets a mock that is there answer with objects where code relied on them and its test has no answer,
    /// each by chance. `known` are the answers of the test.
    pub(crate) fn answer_relied_on(&mut self, made: Var, mock: MockId, known: &[Statement], depth: usize) {
        let methods = self.catalogue.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods));
        let Some(methods) = methods else { return };
        for place in self.relied_on_methods(mock) {
            let method = methods.get(usize::from(place)).map(|it| it.method);
            let is_answer =
                |it: &Statement| matches!(it, Statement::Stub { method: it, .. } if Some(*it) == method);
            if !known.iter().any(is_answer)
                && self.has_room()
                && self.random.chance(self.tuning.answer_relied_on)
            {
                self.stub(made, mock, place, depth);
            }
        }
    }

    /// Lets a mock answer one of the calls that mocks like it were asked and that its test has no
    /// answer for, if there is one. `known` are the answers of the test.
    pub(crate) fn stub_more(&mut self, made: Var, mock: MockId, known: &[Statement], depth: usize) {
        let methods = self.catalogue.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods));
        let Some(methods) = methods else { return };
        let answers = |place: u16| {
            let method = methods.get(usize::from(place)).map(|it| it.method);
            let is_answer =
                |it: &&Statement| matches!(it, Statement::Stub { method: it, .. } if Some(*it) == method);
            known.iter().filter(is_answer).count()
        };
        let open = self.experience.asked(mock).iter().filter(|it| answers(it.method) < it.answers());
        let open: Vec<u16> = open.map(|it| it.method).collect();
        let own: Vec<u16> = self.own_calls(mock).iter().copied().filter(|it| answers(*it) == 0).collect();
        if let Some(place) = self.random.pick(&own).copied()
            && self.random.chance(self.tuning.stub_own_call)
        {
            self.stub_own_call(made, mock, place, depth);
            return;
        }
        let mut blocked = self.blocked_methods(mock);
        blocked.retain(|it| answers(*it) == 0);
        if let Some(place) = self.random.pick(&blocked).copied() {
            self.stub_blocked(made, mock, place, depth);
            return;
        }
        if let Some(place) = self.random.pick(&open) {
            self.stub(made, mock, *place, depth);
        }
    }
}
