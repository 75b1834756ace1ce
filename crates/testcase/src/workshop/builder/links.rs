//! Links objects of lower frames into those of frames above. The trace is a wiring plan: the
//! receiver of frame i is held by that of frame i + 1, in a field, a collection or a map, or it is
//! an argument.

use super::{ArgumentRequests, Builder, Request};
use crate::members::Member;
use crate::{Kind, Statement, TypeId, Var};

impl Builder<'_, '_> {
    /// Makes receivers of the lower frames, innermost first, each linked into the next.
    pub(crate) fn make_lower_receivers(&mut self) {
        for of in &self.target.lower_receivers {
            if self.random.chance(self.tuning.lower_receiver)
                && let Some(made) = self.make_around(*of)
            {
                self.draft.add_lower_object(Some(made));
            }
        }
    }

    /// A new object that holds the one that was made for the frame below.
    pub(crate) fn make_around(&mut self, of: TypeId) -> Option<Var> {
        let (start, inner) = (self.draft.len(), self.draft.lower_objects.last().copied());
        let made = self.make(&Request::new(of, self.tuning.depth))?;
        if let Some(inner) = inner.filter(|it| !self.draft.is_given_away(*it, start))
            && self.random.chance(self.tuning.link)
        {
            self.link(inner, made);
        }
        Some(made)
    }

    /// Gives objects of lower frames that no statement has given away to the receiver of a target
    /// call, unless they can be arguments of that call.
    pub(crate) fn link_lower_objects(&mut self, receiver: Option<Var>, parameters: &[TypeId]) {
        let Some(receiver) = receiver else { return };
        for inner in self.draft.lower_objects.clone() {
            let Some(of) = self.draft.value(inner).of else { continue };
            let is_argument = parameters.iter().any(|it| self.catalogue.fits(of, *it));
            let is_free = inner != receiver && !is_argument && !self.draft.is_given_away(inner, 0);
            if is_free && self.random.chance(self.tuning.link) {
                self.link(inner, receiver);
            }
        }
    }

    /// The latest object of a lower frame that fits. Everything fits types such as `Object`, so
    /// none does.
    pub(crate) fn lower_object(&mut self, wanted: TypeId) -> Option<Var> {
        if self.draft.lower_objects.is_empty() || self.catalogue.is_wide(wanted) {
            return None;
        }
        let Self { catalogue, draft, .. } = self;
        let fits = |it: &Var| draft.value(*it).of.is_some_and(|of| catalogue.fits(of, wanted));
        draft.lower_objects.iter().rev().copied().find(fits)
    }

    /// Gives an object to another by a method or field of that one that takes it.
    fn link(&mut self, inner: Var, into: Var) {
        let (Some(given), Some(of)) = (self.draft.value(inner).of, self.draft.value(into).of) else { return };
        if self.draft.is_mock(into) {
            return;
        }
        let mut takers = Vec::new();
        for effect in self.catalogue.effects_of(of).iter() {
            let is_given_up = matches!(effect.member, Member::Method(id) if self.is_given_up(id));
            if let Some(place) = self.place_for(effect.member, given).filter(|_| !is_given_up) {
                takers.push((effect.weight, (effect.member, place)));
            }
        }
        match self.random.choose(&takers) {
            Some((Member::Method(method), place)) => {
                let requests = ArgumentRequests { given: Some((place, inner)), ..Default::default() };
                if let Some(arguments) = self.arguments(method, requests, self.tuning.depth_of_insertions) {
                    self.push_call(method, Some(into), arguments);
                }
            }
            Some((Member::Field { id, .. }, _)) => {
                let write = Statement::WriteField { field: id, receiver: Some(into), value: inner };
                self.draft.push(write, None);
            }
            _ => {}
        }
    }

    /// Which parameter of a member takes an object of a type.
    fn place_for(&mut self, member: Member, given: TypeId) -> Option<usize> {
        let catalogue = &mut *self.catalogue;
        match member {
            Member::Method(id) => {
                let method = catalogue.vocabulary.method(id).filter(|it| it.kind == Kind::Instance)?;
                let parameters = method.parameters.clone();
                parameters.iter().position(|it| !catalogue.is_wide(*it) && catalogue.fits(given, *it))
            }
            Member::Field { id, .. } => {
                let field = catalogue.vocabulary.field(id).filter(|it| !it.is_static)?;
                let of = field.of;
                (!catalogue.is_wide(of) && catalogue.fits(given, of)).then_some(0)
            }
            Member::Constructor(_) => None,
        }
    }
}
