//! Changes of static state that later code finds: setters, fields and singletons that a test uses
//! before anything else.

use crate::workshop::builder::Builder;
use crate::workshop::catalogue::{Holder, PreparationStep};
use crate::{Arguments, Literal, MethodId, Statement, Var};

impl Builder<'_, '_> {
    /// How often static state is changed, given how often it is where none is known to be missing.
    pub(crate) fn preparation_probability(&mut self, usual: f64) -> f64 {
        if self.catalogue.preparations(self.experience).next().is_none() {
            return 0.0;
        }
        let mut known = self.catalogue.pools.preparations.iter().chain(self.experience.preparations());
        match known.any(|it| self.experience.is_missed(it)) {
            true => usual.max(self.tuning.preparation_of_missing),
            false => usual,
        }
    }

    /// Appends a statement that changes static state which the code around the crash reads, if
    /// there is one.
    pub(crate) fn prepare(&mut self) {
        let (experience, tuning) = (self.experience, self.tuning);
        let mut choices = Vec::new();
        for (preparation, step) in self.catalogue.preparations(experience) {
            let weight = match step {
                PreparationStep::Call(method) | PreparationStep::CallOn(method, _)
                    if experience.is_given_up(method, tuning) =>
                {
                    0
                }
                _ if experience.is_missed(preparation) => preparation.weight * tuning.missing_state_factor,
                _ => preparation.weight,
            };
            choices.push((weight, (step, preparation.arguments.as_slice())));
        }
        let Some((step, arguments)) = self.random.choose(&choices) else { return };
        let arguments = arguments.to_vec();
        if self.has_room() {
            self.follow_preparation(step, &arguments);
        }
    }

    fn follow_preparation(&mut self, step: PreparationStep, known: &[Literal]) -> Option<Var> {
        match step {
            PreparationStep::Write(field) => {
                let of = self.catalogue.vocabulary.field(field)?.of;
                let value = self.collaborator(of, &[], self.tuning.depth_of_changes)?;
                self.draft.push(Statement::WriteField { field, receiver: None, value }, None)
            }
            PreparationStep::Call(method) => self.call_to_prepare(method, None, known),
            PreparationStep::CallOn(method, holder) => {
                let receiver = match holder {
                    Holder::Field(field) => self.read_static(field)?,
                    Holder::Method(method) => self.call_to_prepare(method, None, &[])?,
                };
                self.call_to_prepare(method, Some(receiver), known)
            }
        }
    }

    /// A call with what a container would pass.
    fn call_to_prepare(&mut self, method: MethodId, receiver: Option<Var>, known: &[Literal]) -> Option<Var> {
        let parameters = self.catalogue.vocabulary.method(method)?.parameters.clone();
        let mut arguments = Arguments::new();
        for (number, of) in parameters.into_iter().enumerate() {
            let type_arguments = self.catalogue.type_arguments(method, number);
            let expected = self.catalogue.expected(method, number);
            let of = expected.and_then(|it| self.wanted_type(&it.whole, of)).unwrap_or(of);
            arguments.push(match known.get(number) {
                Some(known) => self.push_literal(known.clone())?,
                None => self.collaborator(of, &type_arguments, self.tuning.depth_of_changes)?,
            });
        }
        self.push_call(method, receiver, arguments)
    }
}
