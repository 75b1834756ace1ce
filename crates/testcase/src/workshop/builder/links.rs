//! Links objects of lower frames into those of frames above. The trace is a wiring plan: the
//! receiver of frame i is held by that of frame i + 1, in a field, a collection or a map, in a holder
//! such as settings or a builder, or it is an argument.

use std::sync::Arc;

use super::{ArgumentRequests, Builder, Request};
use crate::members::Member;
use crate::workshop::catalogue::{Catalogue, Taker};
use crate::{Statement, TypeId, Var};

impl<'a> Builder<'_, 'a> {
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

    /// Gives objects of lower frames that nothing holds yet to a new object that takes them: it may
    /// be the settings, the builder or the registry through which an object of a frame above gets
    /// them.
    pub(crate) fn hold_lower_objects(&mut self, made: Var) {
        let Some(of) = self.draft.value(made).of.filter(|_| self.tuning.source_holders) else { return };
        for inner in self.draft.lower_objects.clone() {
            let Some(given) = self.draft.value(inner).of else { continue };
            let is_free = inner != made && !self.draft.is_given_away(inner, 0);
            if is_free
                && !self.catalogue.takers(of, given).is_empty()
                && self.random.chance(self.tuning.held_object)
            {
                self.link_directly(inner, made);
            }
        }
    }

    /// Gives an object to another by a method or field of that one that takes it, or that takes a
    /// holder of it.
    fn link(&mut self, inner: Var, into: Var) {
        if self.link_directly(inner, into) || !self.tuning.source_holders {
            return;
        }
        let Some(taker) = self.choose_taker(inner, into, Catalogue::takers_of_holders) else { return };
        let (start, depth) = (self.draft.len(), self.tuning.depth_of_insertions);
        let Some(holder) = self.make(&Request::new(taker.of, depth)) else { return };
        if self.draft.is_given_away(inner, start) || self.link_directly(inner, holder) {
            self.give(holder, into, taker);
        }
    }

    /// Whether one object could be given to another by a member of that one.
    fn link_directly(&mut self, inner: Var, into: Var) -> bool {
        let taker = self.choose_taker(inner, into, Catalogue::takers);
        taker.is_some_and(|it| self.give(inner, into, it).is_some())
    }

    fn choose_taker(
        &mut self,
        inner: Var,
        into: Var,
        takers: fn(&mut Catalogue<'a>, TypeId, TypeId) -> Arc<[Taker]>,
    ) -> Option<Taker> {
        let (given, of) = (self.draft.value(inner).of?, self.draft.value(into).of?);
        if self.draft.is_mock(into) {
            return None;
        }
        let takers = takers(self.catalogue, of, given);
        let (experience, tuning) = (self.experience, self.tuning);
        let weight = |taker: &Taker| match taker.member {
            Member::Method(id) if experience.is_given_up(id, tuning) => 0,
            _ => taker.weight,
        };
        self.random.pick_weighted(&takers, weight).copied()
    }

    /// Calls the method or writes the field by which an object takes another.
    fn give(&mut self, given: Var, into: Var, taker: Taker) -> Option<()> {
        match taker.member {
            Member::Method(method) => {
                let requests = ArgumentRequests { given: &[(taker.place, given)], ..Default::default() };
                let arguments = self.arguments(method, requests, self.tuning.depth_of_insertions)?;
                self.push_call(method, Some(into), arguments)?;
            }
            Member::Field { id, .. } => {
                let write = Statement::WriteField { field: id, receiver: Some(into), value: given };
                self.draft.push(write, None)?;
            }
            Member::Constructor(_) => return None,
        }
        Some(())
    }
}
