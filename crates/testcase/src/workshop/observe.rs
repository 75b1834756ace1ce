//! What a test can look at when all its calls are made: exceptions that the program has caught and
//! kept.
//!
//! A look appends statements to a test case, which then ends with the exception or the future
//! instead of its entry. Operators never see them: a look is a function of the test case before it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Workshop;
use super::catalogue::{PLAIN, put};
use crate::members::Member;
use crate::{Arguments, FieldId, Kind, MethodId, Statement, TestCase, Type, TypeId, Var};

/// A way from an object to an exception that it keeps: methods without parameters and fields, one
/// asked of what the one before yields. The first may be static.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    steps: SmallVec<[Glance; 2]>,
    /// Whether a class of the trace declares one of them.
    is_traced: bool,
    /// Whether it waits for the end of something, and throws how that ended.
    awaits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Glance {
    Call(MethodId),
    Read(FieldId),
}

impl Workshop<'_> {
    /// The test case with all looks that it can take, one after the other; which comes first
    /// depends on the turn, since none after one that throws is taken. Those that may wait come
    /// last.
    pub fn observing(&mut self, test: &TestCase, turn: usize) -> TestCase {
        let mut looks = self.looks(test);
        let at_once = looks.iter().filter(|(_, look)| !look.awaits).count();
        let (swift, slow) = looks.split_at_mut(at_once);
        for part in [swift, slow] {
            let first = turn.checked_rem(part.len()).unwrap_or(0);
            part.rotate_left(first);
        }
        let mut statements = test.statements().to_vec();
        for (start, look) in &looks {
            self.take(&mut statements, *start, look);
        }
        TestCase::new(statements)
    }

    /// The test case as it is, then with each of the looks that it can take alone.
    pub fn observed(&mut self, test: &TestCase) -> Vec<TestCase> {
        let mut found = vec![test.clone()];
        for (start, look) in self.looks(test) {
            let mut statements = test.statements().to_vec();
            self.take(&mut statements, start, &look);
            found.push(TestCase::new(statements));
        }
        found
    }

    fn take(&self, statements: &mut Vec<Statement>, start: Option<Var>, look: &Look) {
        let mut receiver = start;
        for step in &look.steps {
            let number = u16::try_from(statements.len()).unwrap_or(u16::MAX);
            statements.push(match step {
                Glance::Call(method) => {
                    let is_static = self.vocabulary.method(*method).is_some_and(|it| it.kind == Kind::Static);
                    let receiver = receiver.filter(|_| !is_static);
                    Statement::Call { method: *method, receiver, arguments: Arguments::new() }
                }
                Glance::Read(field) => {
                    let is_static = self.vocabulary.field(*field).is_some_and(|it| it.is_static);
                    Statement::ReadField { field: *field, receiver: receiver.filter(|_| !is_static) }
                }
            });
            receiver = Some(Var(number));
        }
    }

    /// The looks worth taking, with what each begins at: those that code of the trace offers first,
    /// the short before the long, and the ones that wait last.
    fn looks(&mut self, test: &TestCase) -> Vec<(Option<Var>, Look)> {
        let mut found: Vec<(Option<Var>, Look)> = Vec::new();
        for (variable, of) in self.watchable(test) {
            for look in self.looks_at(of).iter() {
                let start = Some(variable).filter(|_| !self.is_static(look));
                let look = (start, look.clone());
                if !found.contains(&look) && !self.is_given_up(&look.1) {
                    found.push(look);
                }
            }
        }
        for look in self.looks_of_frames().iter() {
            let look = (None, look.clone());
            if !found.contains(&look) && !self.is_given_up(&look.1) {
                found.push(look);
            }
        }
        found.sort_by_key(|(_, look)| (look.awaits, !look.is_traced, look.steps.len()));
        found.truncate(self.tuning.exception_getters);
        found
    }

    /// The looks that classes of the frames which must run offer without an object.
    fn looks_of_frames(&mut self) -> Arc<[Look]> {
        if let Some(known) = &self.catalogue.here().looks_of_frames {
            return Arc::clone(known);
        }
        let traced = self.pools.traced.iter().take(self.aim.traced);
        let classes: Vec<Type> = traced.map(|(class, _)| Type::of_class(class)).collect();
        let mut found = Vec::new();
        for class in classes {
            let of = self.vocabulary.add_type(class);
            found.extend(self.looks_at(of).iter().filter(|it| self.is_static(it)).cloned());
        }
        let found: Arc<[Look]> = found.into();
        self.catalogue.here_mut().looks_of_frames = Some(Arc::clone(&found));
        found
    }

    /// The objects of a test that may keep something: what its last statement yields, is called on
    /// and is given, then the others, the latest first.
    fn watchable(&self, test: &TestCase) -> Vec<(Var, TypeId)> {
        let statements = test.statements();
        let Some((last, before)) = statements.split_last() else { return Vec::new() };
        let variable = |number: usize| u16::try_from(number).ok().map(Var);
        let mut order: Vec<Var> = variable(before.len()).into_iter().collect();
        last.for_each_operand(|operand| order.push(operand));
        order.extend((0..before.len()).rev().filter_map(variable));
        let mut found: Vec<(Var, TypeId)> = Vec::new();
        for variable in order {
            let of = match statements.get(usize::from(variable.0)) {
                Some(Statement::Construct { constructor, .. }) => {
                    self.vocabulary.method(*constructor).map(|it| it.owner)
                }
                Some(Statement::Call { method, .. }) => self.result_of(*method),
                Some(Statement::Mock(mock)) => {
                    self.vocabulary.mock(*mock).filter(|it| it.calls_real).map(|it| it.of)
                }
                Some(Statement::ReadField { field, .. }) => self.vocabulary.field(*field).map(|it| it.of),
                _ => None,
            };
            if let Some(of) = of.filter(|_| found.iter().all(|(known, _)| *known != variable)) {
                found.push((variable, of));
            }
        }
        found
    }

    /// All ways from an object of a type to an exception.
    fn looks_at(&mut self, of: TypeId) -> Arc<[Look]> {
        if let Some(Some(known)) = self.catalogue.here().looks.get(of.index()) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        let mut add = |steps: &[Glance], awaits: &[Glance], is_traced: bool| {
            let steps = steps.iter().chain(awaits).copied().collect();
            found.push(Look { steps, is_traced, awaits: !awaits.is_empty() });
        };
        let awaits = self.awaits(of);
        if !awaits.is_empty() {
            add(&[], &awaits, false);
        }
        for (step, yielded, is_traced) in self.glances(of) {
            let awaits = self.awaits(yielded);
            if self.is_exception(yielded) || !awaits.is_empty() {
                add(&[step], &awaits, is_traced);
                continue;
            }
            for (next, last, is_next_traced) in self.glances(yielded) {
                if self.is_exception(last) {
                    add(&[step, next], &[], is_traced || is_next_traced);
                }
            }
        }
        let found: Arc<[Look]> = found.into();
        put(&mut self.catalogue.here_mut().looks, of.index(), Arc::clone(&found));
        found
    }

    /// What can be asked of an object of a class of the program without an argument, with the type
    /// of the answer and whether a class of the trace declares it.
    fn glances(&mut self, of: TypeId) -> Vec<(Glance, TypeId, bool)> {
        let class = self.vocabulary.type_of(of).and_then(|it| it.class_name()).unwrap_or_default();
        if class.is_empty() || PLAIN.iter().any(|it| class.starts_with(it)) || self.is_exception(of) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for member in self.members_of(of).iter() {
            let asked = match *member {
                Member::Method(id) => self
                    .vocabulary
                    .method(id)
                    .filter(|it| it.parameters.is_empty())
                    .map(|method| (Glance::Call(id), method.result, method.owner)),
                Member::Field { id, .. } => {
                    self.vocabulary.field(id).map(|field| (Glance::Read(id), field.of, field.owner))
                }
                Member::Constructor(_) => None,
            };
            let Some((glance, yielded, owner)) = asked else { continue };
            let is_class = self.vocabulary.type_of(yielded).is_some_and(|it| it.class_name().is_some());
            if is_class && yielded != of {
                found.push((glance, yielded, self.is_of_trace(owner)));
            }
        }
        found
    }

    /// How a test waits for what an object of a type stands for: `get()` throws the exception with
    /// which that ended, in another.
    fn awaits(&mut self, of: TypeId) -> SmallVec<[Glance; 2]> {
        const FUTURE: &str = "java/util/concurrent/Future";
        const STAGE: &str = "java/util/concurrent/CompletionStage";
        let hierarchy = self.context.hierarchy();
        let class = self.vocabulary.type_of(of).and_then(|it| it.class_name()).unwrap_or_default();
        let is_below = |above: &str| hierarchy.is_subtype(class, above) == Some(true);
        let methods: &[&str] = match () {
            () if is_below(FUTURE) => &["java/util/concurrent/Future.get()Ljava/lang/Object;"],
            () if is_below(STAGE) => &[
                "java/util/concurrent/CompletionStage.toCompletableFuture()Ljava/util/concurrent/CompletableFuture;",
                "java/util/concurrent/Future.get()Ljava/lang/Object;",
            ],
            () => &[],
        };
        let found = methods.iter().filter_map(|it| self.vocabulary.find_method(hierarchy, it).ok());
        found.map(Glance::Call).collect()
    }

    fn is_exception(&mut self, of: TypeId) -> bool {
        let throwable = self.vocabulary.add_type(Type::of_class("java/lang/Throwable"));
        self.fits(of, throwable)
    }

    /// Whether a frame up to the target is in a class.
    fn is_of_trace(&self, of: TypeId) -> bool {
        let class = self.vocabulary.type_of(of).and_then(|it| it.class_name());
        self.pools.traced.iter().take(self.aim.traced).any(|(traced, _)| Some(traced.as_str()) == class)
    }

    fn is_static(&self, look: &Look) -> bool {
        match look.steps.first() {
            Some(Glance::Call(method)) => {
                self.vocabulary.method(*method).is_some_and(|it| it.kind == Kind::Static)
            }
            Some(Glance::Read(field)) => self.vocabulary.field(*field).is_some_and(|it| it.is_static),
            None => false,
        }
    }

    fn is_given_up(&self, look: &Look) -> bool {
        look.steps.iter().any(
            |it| matches!(it, Glance::Call(method) if self.experience.is_blacklisted(*method, &self.tuning)),
        )
    }
}
