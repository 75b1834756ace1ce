//! Static state that later code finds: setters, fields and singletons that a test uses before
//! anything else.

use std::sync::Arc;

use super::draft::Draft;
use super::make::DEEPEST;
use super::{LONGEST, Preparation, Workshop};
use crate::{Arguments, FieldId, Literal, MemberName, MethodId, Random, Statement, TestCase, Var};

/// A preparation as a test in the package at hand can make it.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    step: ReadyStep,
    arguments: Vec<Literal>,
    weight: u32,
    precedes_initialiser: bool,
}

#[derive(Clone, Copy, Debug)]
enum ReadyStep {
    Write(FieldId),
    Call(MethodId),
    CallOn(MethodId, Source),
}

/// Where an object comes from that is there without being made.
#[derive(Clone, Copy, Debug)]
enum Source {
    Field(FieldId),
    Method(MethodId),
}

/// How often static state is changed where tests found some of it to be null.
const PREPARE_MISSED: f64 = 0.6;

/// How much oftener static state is changed that tests found to be null.
const OF_MISSED: u32 = 16;

impl Workshop<'_> {
    /// Tells that a test ended because a static field was null, or what a static method yielded:
    /// `package.Class` and the name. What puts something there is tried more from now on;
    /// `providers` is asked for it the first time where nothing is known that does.
    pub fn note_missed(&mut self, class: &str, name: &str, providers: impl FnOnce() -> Vec<Preparation>) {
        let missed = format!("{}.{name}", class.replace('.', "/"));
        if self.missed.contains(&missed) {
            return;
        }
        if !self.pools.preparations.iter().any(|it| it.provides.contains(&missed)) {
            let found = providers();
            if found.is_empty() {
                return;
            }
            self.pools.preparations.extend(found);
        }
        self.missed.insert(missed);
        let others = self.other_catalogues.values_mut();
        others.chain([&mut self.catalogue]).for_each(|it| it.preparations = None);
    }

    /// Whether something is known that provides what tests missed.
    fn can_provide(&self) -> bool {
        let mut preparations = self.pools.preparations.iter();
        !self.missed.is_empty() && preparations.any(|it| !it.provides.is_disjoint(&self.missed))
    }

    /// How often static state is changed, given how often it is where nothing is known to be
    /// missed.
    pub(super) fn often_prepared(&mut self, often: f64) -> f64 {
        match self.has_preparations() {
            false => 0.0,
            true if self.catalogue.provides_missed => often.max(PREPARE_MISSED),
            true => often,
        }
    }

    /// Whether there is anything to prepare.
    pub(super) fn has_preparations(&mut self) -> bool {
        !self.preparations().is_empty()
    }

    /// Appends a statement that changes static state which the code around the crash reads, if
    /// there is one.
    pub(super) fn prepare(&mut self, draft: &mut Draft, random: &mut Random) {
        let all = self.preparations();
        let usable = |it: &Ready| match it.step {
            ReadyStep::Call(method) | ReadyStep::CallOn(method, _) if self.is_shunned(method) => 0,
            _ => it.weight,
        };
        let Some(ready) = random.pick_weighted(&all, usable) else { return };
        if draft.len() < LONGEST {
            self.follow_preparation(draft, ready, random);
        }
    }

    /// Whether there are initialisers that read what a test can change.
    pub fn has_waiting_initialisers(&mut self) -> bool {
        self.preparations().iter().any(|it| it.precedes_initialiser)
    }

    /// Whether a test changes static state that the initialiser of a class reads. What it does
    /// shows only if that class is not initialised yet.
    pub fn precedes_initialisers(&mut self, test: &TestCase) -> bool {
        let all = self.preparations();
        let is_one = |statement: &Statement| {
            all.iter().filter(|it| it.precedes_initialiser).any(|it| match (it.step, statement) {
                (ReadyStep::Write(field), Statement::WriteField { field: written, .. }) => field == *written,
                (
                    ReadyStep::Call(method) | ReadyStep::CallOn(method, _),
                    Statement::Call { method: called, .. },
                ) => method == *called,
                _ => false,
            })
        };
        self.has_waiting_initialisers() && test.statements().iter().any(is_one)
    }

    fn follow_preparation(&mut self, draft: &mut Draft, ready: &Ready, random: &mut Random) -> Option<Var> {
        let known = ready.arguments.as_slice();
        match ready.step {
            ReadyStep::Write(field) => {
                let of = self.vocabulary.field(field)?.of;
                let value = self.collaborator(draft, of, &[], DEEPEST - 1, random)?;
                draft.push(Statement::WriteField { field, receiver: None, value }, None)
            }
            ReadyStep::Call(method) => self.call_to_prepare(draft, method, None, known, random),
            ReadyStep::CallOn(method, source) => {
                let receiver = match source {
                    Source::Field(field) => {
                        let of = self.vocabulary.field(field)?.of;
                        draft.push(Statement::ReadField { field, receiver: None }, Some(of))?
                    }
                    Source::Method(method) => self.call_to_prepare(draft, method, None, &[], random)?,
                };
                self.call_to_prepare(draft, method, Some(receiver), known, random)
            }
        }
    }

    /// A call with what a container would pass.
    fn call_to_prepare(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        receiver: Option<Var>,
        known: &[Literal],
        random: &mut Random,
    ) -> Option<Var> {
        let mut arguments = Arguments::new();
        for (number, of) in self.vocabulary.method(method)?.parameters.clone().into_iter().enumerate() {
            let hints = self.type_arguments(method, number);
            arguments.push(match known.get(number) {
                Some(known) => self.push_literal(draft, known.clone())?,
                None => self.collaborator(draft, of, &hints, DEEPEST - 1, random)?,
            });
        }
        draft.push(Statement::Call { method, receiver, arguments }, self.result_of(method))
    }

    fn preparations(&mut self) -> Arc<[Ready]> {
        if let Some(known) = &self.catalogue.preparations {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        for it in self.pools.preparations.clone() {
            if let Some(step) = self.find_step(&it.member, it.source.as_ref()) {
                let Preparation { arguments, provides, precedes_initialiser, .. } = it;
                let is_missed = !provides.is_disjoint(&self.missed);
                let weight = if is_missed { it.weight * OF_MISSED } else { it.weight };
                found.push(Ready { step, arguments, weight, precedes_initialiser });
            }
        }
        let found: Arc<[Ready]> = found.into();
        self.catalogue.provides_missed = self.can_provide();
        self.catalogue.preparations = Some(Arc::clone(&found));
        found
    }

    fn find_step(&mut self, member: &MemberName, source: Option<&MemberName>) -> Option<ReadyStep> {
        if !member.is_method() {
            return self.accessible_field(member).map(ReadyStep::Write);
        }
        let method = self.accessible_method(member)?;
        Some(match source {
            None => ReadyStep::Call(method),
            Some(it) if it.is_method() => {
                ReadyStep::CallOn(method, Source::Method(self.accessible_method(it)?))
            }
            Some(it) => ReadyStep::CallOn(method, Source::Field(self.accessible_field(it)?)),
        })
    }

    fn accessible_method(&mut self, name: &MemberName) -> Option<MethodId> {
        let owner = self.context.class(&name.owner).ok()?;
        let found = self.context.method(name).ok()??;
        self.vocabulary.add_method_of(owner, found).ok()
    }

    fn accessible_field(&mut self, name: &MemberName) -> Option<FieldId> {
        let owner = self.context.class(&name.owner).ok()?;
        let found = self.context.field(name).ok()??;
        Some(self.vocabulary.add_field_of(owner, found))
    }
}
