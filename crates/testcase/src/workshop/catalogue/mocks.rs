//! Types that a mock can stand for, and what it can answer.

use std::sync::Arc;

use crashback_program::MemberView;
use crashback_program::hierarchy::Supertype;

use super::Catalogue;
use crate::workshop::experience::Null;
use crate::workshop::origin::{Distance, is_plain};
use crate::{MethodId, MockId, MockKind, Mocked, Type, TypeId};

impl Catalogue<'_> {
    /// The mock that can stand for an object of a type. Code on the trace must run, so that only a
    /// partial mock can stand for a class of the trace.
    pub(crate) fn mock_of(&mut self, of: TypeId) -> Option<MockId> {
        if let Some(known) = self.facts.here().mocks.get(of.index()) {
            return *known;
        }
        let found = self.find_mock(of);
        self.facts.here_mut().mocks.put(of.index(), found);
        found
    }

    fn find_mock(&mut self, of: TypeId) -> Option<MockId> {
        if !self.tuning.source_mocks {
            return None;
        }
        if self.pools.is_mock_library {
            return self.anonymous_mock_of(of);
        }
        let name = self.class_name(of)?.to_owned();
        let is_interface = self.context.index().get(&name).is_some_and(|it| it.is_interface());
        let is_throwable = self.context.hierarchy().is_subtype(&name, "java/lang/Throwable") != Some(false);
        if is_plain(&name) && !is_interface || is_throwable || self.context.check_mockable(&name).is_err() {
            return None;
        }
        let calls_real = self.pools.traced.iter().any(|(traced, _)| *traced == name);
        self.vocabulary.add_mock_of(self.context, &name, calls_real).ok()
    }

    /// The mock of a type that a source writes as an anonymous class.
    pub(crate) fn anonymous_mock_of(&mut self, of: TypeId) -> Option<MockId> {
        if let Some(known) = self.facts.here().anonymous_mocks.get(of.index()) {
            return *known;
        }
        let found = self.find_anonymous_mock(of);
        self.facts.here_mut().anonymous_mocks.put(of.index(), found);
        found
    }

    fn find_anonymous_mock(&mut self, of: TypeId) -> Option<MockId> {
        let name = self.class_name(of).filter(|_| self.tuning.source_anonymous_mocks)?.to_owned();
        let mock = self.vocabulary.add_anonymous_of(self.context, &name).ok()?;
        let most = self.tuning.anonymous_methods.max(self.tuning.anonymous_methods_of_failing);
        (self.written_methods(mock) <= most).then_some(mock)
    }

    /// Whether the anonymous class of a mock has more methods than one likes to read.
    pub(crate) fn is_long(&self, mock: MockId) -> bool {
        let is_anonymous = self.vocabulary.mock(mock).is_some_and(|it| it.kind == MockKind::Anonymous);
        is_anonymous && self.written_methods(mock) > self.tuning.anonymous_methods
    }

    /// The methods that the anonymous class of a mock has to have.
    fn written_methods(&self, mock: MockId) -> usize {
        let methods = self.vocabulary.mock(mock).map_or(&[][..], |it| &it.methods);
        methods.iter().filter(|it| it.is_abstract).count()
    }

    /// The partial mock that can take over the state of an object of a class. State that the JDK
    /// keeps in classes above is out of reach for mock libraries.
    pub(crate) fn spy_of(&mut self, of: TypeId) -> Option<MockId> {
        if let Some(known) = self.facts.here().spies.get(of.index()) {
            return *known;
        }
        let found = self.find_spy(of);
        self.facts.here_mut().spies.put(of.index(), found);
        found
    }

    fn find_spy(&mut self, of: TypeId) -> Option<MockId> {
        self.mock_of(of).filter(|_| !self.pools.is_mock_library)?;
        let name = self.class_name(of)?.to_owned();
        let above = self.context.hierarchy().supertypes(&name);
        let mut above = above.into_iter().filter_map(Supertype::known).filter(|it| !it.is_interface());
        let has_own_state =
            above.all(|it| it.name() == "java/lang/Object" || !self.origins.is_jdk(it.name()));
        let spy = has_own_state.then(|| self.vocabulary.add_mock_of(self.context, &name, true))?;
        spy.ok()
    }

    /// The class of a method in which a test ended, given by its internal name, if a partial mock
    /// of that class or of one below could answer instead: the method is the program's, is not on
    /// the trace, and can be overridden.
    pub(crate) fn class_to_spy_on(&mut self, class: &str, method: &str) -> Option<TypeId> {
        let is_traced = self.pools.traced.iter().any(|it| it.0 == class && it.1 == method);
        let view = self.context.index().get(class).filter(|_| !is_traced && !self.origins.is_jdk(class))?;
        let is_overridable = |it: MemberView<'_>| {
            let access = it.access();
            !access.is_private() && !access.is_static() && !access.is_final()
        };
        let is_open = !view.is_interface() && !view.access().is_final() && !method.starts_with('<');
        (is_open && view.methods_named(method).any(is_overridable))
            .then(|| self.vocabulary.add_type(Type::of_class(class)))
    }

    /// Methods, with the types that they were called by, which may have yielded a `null` that code came
    /// upon: the one that is known, else those of mocks that were asked for an object of its class.
    pub(crate) fn null_answers(
        &mut self,
        null: &Null,
        asked: &dyn Fn() -> Vec<(MockId, u16)>,
    ) -> Vec<(TypeId, String)> {
        let class = match null {
            Null::Result(method) => method.rsplit_once('.').map(|(class, _)| class),
            Null::Held(class) => Some(class.as_str()),
        };
        let Some(class) = class.filter(|it| self.context.index().get(it).is_some()) else {
            return Vec::new();
        };
        let of = self.vocabulary.add_type(Type::of_class(class));
        if let Null::Result(method) = null {
            let method = method.rsplit_once('.').map(|(_, method)| method);
            return method.map(|it| (of, it.to_owned())).into_iter().collect();
        }
        let yields = |(mock, place): (MockId, u16)| {
            let mock = self.vocabulary.mock(mock)?;
            let method = mock.methods.get(usize::from(place))?.method;
            let name = self.vocabulary.method(method).filter(|_| self.result_of(method) == Some(of))?;
            Some((mock.of, name.name.to_string()))
        };
        asked().into_iter().filter_map(yields).collect()
    }

    /// Whether methods of the trace call others, off the trace, on objects of a class.
    pub(crate) fn calls_itself(&mut self, of: TypeId) -> bool {
        if let Some(known) = self.facts.here().calls_itself.get(of.index()) {
            return *known;
        }
        let (class, hierarchy) = (self.class_name(of).unwrap_or_default(), self.context.hierarchy());
        let mut owners = self.pools.own_calls.iter().map(|(owner, _)| owner);
        let found = owners.any(|owner| hierarchy.is_subtype(class, owner) == Some(true));
        self.facts.here_mut().calls_itself.put(of.index(), found);
        found
    }

    /// Places of the methods of a partial mock that methods of the trace call on their own class, have a
    /// result and can be stubbed; none for other mocks.
    pub(crate) fn own_calls_of(&mut self, mock: MockId) -> Arc<[u16]> {
        if let Some(known) = self.facts.here().own_calls.get(mock.index()) {
            return Arc::clone(known);
        }
        let found = self.find_own_calls(mock).unwrap_or_default();
        self.facts.here_mut().own_calls.put(mock.index(), Arc::clone(&found));
        found
    }

    fn find_own_calls(&mut self, mock: MockId) -> Option<Arc<[u16]>> {
        let known = self.vocabulary.mock(mock)?;
        let class = self.class_name(known.of).filter(|_| known.calls_real && known.kind == MockKind::Mocked);
        let class = class?.to_owned();
        let mut found = Vec::new();
        for (owner, method) in self.pools.own_calls.clone() {
            if self.context.hierarchy().is_subtype(&class, &owner) == Some(true) {
                found.extend(self.stubbable_methods(mock, &method));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|place| {
            let known = self.vocabulary.mock(mock);
            let mocked = known.and_then(|it| it.methods.get(usize::from(*place)));
            mocked.is_some_and(|it| self.result_of(it.method).is_some())
        });
        Some(found.into())
    }

    /// Places of the methods of a mock that have a name and that a test can stub.
    pub(crate) fn stubbable_methods(&mut self, mock: MockId, name: &str) -> Vec<u16> {
        let Some(known) = self.vocabulary.mock(mock) else { return Vec::new() };
        let is_named = |it: &Mocked| self.vocabulary.method(it.method).is_some_and(|it| &*it.name == name);
        let named = (0..).zip(known.methods.iter()).filter(|(_, it)| is_named(it) && !it.is_abstract);
        let mut named: Vec<u16> = named.map(|(place, _)| place).collect();
        named.retain(|it| self.is_stubbable(mock, *it));
        named
    }

    /// Places of the methods of a mock that have a name, yield objects, run no code of their own and can
    /// be stubbed by a test.
    pub(crate) fn codeless_methods(&mut self, mock: MockId, name: &str) -> Vec<u16> {
        let Some(known) = self.vocabulary.mock(mock) else { return Vec::new() };
        let calls_real = known.calls_real;
        let is_named = |it: &Mocked| self.vocabulary.method(it.method).is_some_and(|it| &*it.name == name);
        let named = (0..).zip(known.methods.iter());
        let named = named.filter(|(_, it)| is_named(it) && (it.is_abstract || !calls_real));
        let named: Vec<(u16, MethodId)> = named.map(|(place, it)| (place, it.method)).collect();
        let mut found = Vec::new();
        for (place, method) in named {
            let yields_object = self.result_of(method).is_some_and(|it| self.is_reference(it));
            if yields_object && self.is_stubbable(mock, place) {
                found.push(place);
            }
        }
        found
    }

    /// Whether a type is one of the JDK for which real objects are made rather than mocks.
    pub(crate) fn is_plain(&self, of: TypeId) -> bool {
        self.class_name(of).is_some_and(is_plain)
    }

    /// Whether only libraries have classes below an abstract type.
    pub(crate) fn is_of_libraries(&mut self, of: TypeId) -> bool {
        if let Some(known) = self.facts.here().of_libraries.get(of.index()) {
            return *known;
        }
        let class = self.class_name(of).and_then(|it| self.context.index().get(it));
        let found = class.is_some_and(|it| it.is_abstract()) && {
            let below = self.implementations_of(of);
            let is_library = |class| self.distance(class) == Distance::Library;
            below.iter().all(|(it, _)| self.class_name(*it).is_some_and(is_library))
        };
        self.facts.here_mut().of_libraries.put(of.index(), found);
        found
    }

    /// Whether a test can say what a mock answers to a method, given by its place: it can name the
    /// method, and the method is not one whose code must run.
    pub(crate) fn is_stubbable(&mut self, mock: MockId, place: u16) -> bool {
        if self.facts.here().stubbable.get(mock.index()).is_none() {
            let found = self.find_stubbable(mock).unwrap_or_default();
            self.facts.here_mut().stubbable.put(mock.index(), found);
        }
        let known = self.facts.here().stubbable.get(mock.index());
        known.and_then(|it| it.get(usize::from(place))).copied().unwrap_or(false)
    }

    fn find_stubbable(&self, mock: MockId) -> Option<Arc<[bool]>> {
        let mock = self.vocabulary.mock(mock)?;
        let can_stub = |id| {
            let name = self.vocabulary.method_name(self.vocabulary.method(id)?)?;
            let must_run = self.running_frames().any(|it| *it.0 == name.owner && *it.1 == name.name);
            Some(!must_run && self.context.method(&name).is_ok_and(|it| it.is_some()))
        };
        let answers = |(place, it): (usize, &Mocked)| {
            self.vocabulary.answering(mock, place) == place && can_stub(it.method).unwrap_or(false)
        };
        Some(mock.methods.iter().enumerate().map(answers).collect())
    }

    /// The parameter by which a method is told the class of the object to look up.
    pub(crate) fn class_parameter(&self, method: MethodId) -> Option<u8> {
        let parameters = &self.vocabulary.method(method)?.parameters;
        let is_class = |of: &TypeId| {
            let class = self.class_name(*of);
            class.is_some_and(|it| ["java/lang/Class", "java/lang/reflect/Type"].contains(&it))
        };
        parameters.iter().position(is_class).and_then(|it| u8::try_from(it).ok())
    }

    /// The classes below a type to which the code around the crash casts results.
    pub(crate) fn cast_classes_below(&mut self, of: TypeId) -> Arc<[TypeId]> {
        if let Some(known) = self.facts.here().cast_classes_below.get(of.index()) {
            return Arc::clone(known);
        }
        let class = self.class_name(of).unwrap_or_default();
        let hierarchy = self.context.hierarchy();
        let fits =
            |it: &&String| hierarchy.is_subtype(it, class) == Some(true) && self.context.class(it).is_ok();
        let fitting: Vec<Type> =
            self.pools.cast_classes.iter().filter(fits).map(|it| Type::of_class(it)).collect();
        let found: Arc<[TypeId]> = fitting.into_iter().map(|it| self.vocabulary.add_type(it)).collect();
        self.facts.here_mut().cast_classes_below.put(of.index(), Arc::clone(&found));
        found
    }
}
