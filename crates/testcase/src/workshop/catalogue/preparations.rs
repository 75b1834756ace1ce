//! Changes of static state, as tests in a package can make them.

use super::Catalogue;
use crate::workshop::Preparation;
use crate::workshop::experience::Experience;
use crate::{FieldId, MemberName, MethodId};

/// How a test changes static state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PreparationStep {
    /// Writes a static field.
    Write(FieldId),
    /// Calls a static method.
    Call(MethodId),
    /// Calls a method of an object that is there without being made.
    CallOn(MethodId, Holder),
}

/// Where an object is that is there without being made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holder {
    /// A static field holds it.
    Field(FieldId),
    /// A static method yields it.
    Method(MethodId),
}

impl Catalogue<'_> {
    /// The preparations that a test can make, each with how it makes it: those of the crash, then
    /// the learnt ones.
    pub(crate) fn preparations<'c>(
        &'c mut self,
        experience: &'c Experience<'_>,
    ) -> impl Iterator<Item = (&'c Preparation, PreparationStep)> {
        let known = self.pools.preparations.iter().chain(experience.preparations());
        let new: Vec<Preparation> = known.skip(self.facts.here().preparations.len()).cloned().collect();
        for it in new {
            let step = self.find_preparation_step(&it.member, it.holder.as_ref());
            self.facts.here_mut().preparations.push(step);
        }
        let (facts, is_on) = (self.facts.here(), self.tuning.source_preparations);
        let known = self.pools.preparations.iter().chain(experience.preparations());
        known.zip(&facts.preparations).filter_map(move |(it, step)| Some((it, (*step).filter(|_| is_on)?)))
    }

    fn find_preparation_step(
        &mut self,
        member: &MemberName,
        holder: Option<&MemberName>,
    ) -> Option<PreparationStep> {
        if !member.is_method() {
            return self.accessible_field(member).map(PreparationStep::Write);
        }
        let method = self.accessible_method(member)?;
        Some(match holder {
            None => PreparationStep::Call(method),
            Some(it) if it.is_method() => {
                PreparationStep::CallOn(method, Holder::Method(self.accessible_method(it)?))
            }
            Some(it) => PreparationStep::CallOn(method, Holder::Field(self.accessible_field(it)?)),
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
