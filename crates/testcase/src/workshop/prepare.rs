//! Static state that later code finds: setters, fields and singletons that a test uses before
//! anything else.

use super::draft::Draft;
use super::{Preparation, Workshop};
use crate::{Arguments, FieldId, Literal, MemberName, MethodId, Random, Statement, TestCase, Var};

/// How a test in the package at hand changes static state.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadyStep {
    Write(FieldId),
    Call(MethodId),
    CallOn(MethodId, Source),
}

/// Where an object comes from that is there without being made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Field(FieldId),
    Method(MethodId),
}

impl Workshop<'_> {
    /// How often static state is changed, given how often it is where nothing is known to be
    /// missing.
    pub(super) fn often_prepared(&mut self, often: f64) -> f64 {
        self.resolve_preparations();
        match self.catalogue.here().preparations.iter().any(Option::is_some) {
            false => 0.0,
            true if self.known_preparations().any(|it| self.experience.is_missed(it)) => {
                often.max(self.tuning.preparation_of_missing)
            }
            true => often,
        }
    }

    /// The preparations that are known: those of the pools, then those that were learnt.
    fn known_preparations(&self) -> impl Iterator<Item = &Preparation> {
        self.pools.preparations.iter().chain(self.experience.preparations())
    }

    /// The preparations that a test can make, each with how it makes it.
    fn possible_preparations(&mut self) -> impl Iterator<Item = (&Preparation, ReadyStep)> {
        self.resolve_preparations();
        let known = self.known_preparations().zip(&self.catalogue.here().preparations);
        known.filter_map(|(it, step)| Some((it, (*step)?)))
    }

    fn resolve_preparations(&mut self) {
        let resolved = self.catalogue.here().preparations.len();
        let new: Vec<Preparation> = self.known_preparations().skip(resolved).cloned().collect();
        for it in new {
            let step = self.find_step(&it.member, it.source.as_ref());
            self.catalogue.here_mut().preparations.push(step);
        }
    }

    /// Appends a statement that changes static state which the code around the crash reads, if
    /// there is one.
    pub(super) fn prepare(&mut self, draft: &mut Draft, random: &mut Random) {
        self.resolve_preparations();
        let known = self.known_preparations().zip(&self.catalogue.here().preparations);
        let mut choices = Vec::new();
        for (preparation, step) in known {
            let Some(step) = *step else { continue };
            let weight = match step {
                ReadyStep::Call(method) | ReadyStep::CallOn(method, _) if self.is_shunned(method) => 0,
                _ if self.experience.is_missed(preparation) => {
                    preparation.weight * self.tuning.missing_state_factor
                }
                _ => preparation.weight,
            };
            choices.push((weight, (step, &preparation.arguments)));
        }
        let Some((step, arguments)) = random.choose(&choices) else { return };
        let arguments = arguments.clone();
        if draft.len() < self.tuning.longest_test {
            self.follow_preparation(draft, step, &arguments, random);
        }
    }

    /// Whether there are initialisers that read what a test can change.
    pub fn has_waiting_initialisers(&mut self) -> bool {
        self.possible_preparations().any(|(it, _)| it.precedes_initialiser)
    }

    /// Whether a test changes static state that the initialiser of a class reads. The change shows
    /// only if that class is not initialised yet.
    pub fn precedes_initialisers(&mut self, test: &TestCase) -> bool {
        let preparations = self.possible_preparations().filter(|(it, _)| it.precedes_initialiser);
        let steps: Vec<ReadyStep> = preparations.map(|(_, step)| step).collect();
        let is_one = |statement: &Statement| {
            steps.iter().any(|step| match (step, statement) {
                (ReadyStep::Write(field), Statement::WriteField { field: written, .. }) => field == written,
                (
                    ReadyStep::Call(method) | ReadyStep::CallOn(method, _),
                    Statement::Call { method: called, .. },
                ) => method == called,
                _ => false,
            })
        };
        test.statements().iter().any(is_one)
    }

    fn follow_preparation(
        &mut self,
        draft: &mut Draft,
        step: ReadyStep,
        known: &[Literal],
        random: &mut Random,
    ) -> Option<Var> {
        match step {
            ReadyStep::Write(field) => {
                let of = self.vocabulary.field(field)?.of;
                let value = self.collaborator(draft, of, &[], self.tuning.depth_of_changes, random)?;
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
                None => self.collaborator(draft, of, &hints, self.tuning.depth_of_changes, random)?,
            });
        }
        draft.push(Statement::Call { method, receiver, arguments }, self.result_of(method))
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
