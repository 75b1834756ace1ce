//! Members by which an object is given another, directly or inside a holder such as settings or a
//! builder.

use std::sync::Arc;

use super::Catalogue;
use crate::members::Member;
use crate::workshop::origin::is_plain;
use crate::{Kind, TypeId};

/// A member that takes an object.
#[derive(Clone, Copy)]
pub(crate) struct Taker {
    /// The method that is called, or the field that is written.
    pub(crate) member: Member,
    /// Place of the parameter that the object stands for.
    pub(crate) place: usize,
    /// The type of that parameter, or of the field.
    pub(crate) of: TypeId,
    /// How often it is used, compared with the others.
    pub(crate) weight: u32,
}

impl Catalogue<'_> {
    /// The members of a type that take an object of another type. What takes everything counts for
    /// nothing.
    pub(crate) fn takers(&mut self, of: TypeId, given: TypeId) -> Arc<[Taker]> {
        if let Some(known) = self.facts.here().takers.get(of.index()).and_then(|it| it.get(given.index())) {
            return Arc::clone(known);
        }
        let found: Arc<[Taker]> = self.find_takers(of, |it, wanted| it.fits(given, wanted)).into();
        if let Some(row) = self.facts.here_mut().takers.or_default(of.index()) {
            row.put(given.index(), Arc::clone(&found));
        }
        found
    }

    /// The members of a type that take a holder: an object that can itself be given one of another
    /// type.
    pub(crate) fn takers_of_holders(&mut self, of: TypeId, given: TypeId) -> Arc<[Taker]> {
        let known = self.facts.here().takers_of_holders.get(of.index());
        if let Some(known) = known.and_then(|it| it.get(given.index())) {
            return Arc::clone(known);
        }
        let found: Arc<[Taker]> = self.find_takers(of, |it, wanted| it.holds(wanted, given)).into();
        if let Some(row) = self.facts.here_mut().takers_of_holders.or_default(of.index()) {
            row.put(given.index(), Arc::clone(&found));
        }
        found
    }

    /// Whether objects of a type can be given one of another. Those of the JDK hold anything and
    /// are filled by the types of their elements.
    fn holds(&mut self, holder: TypeId, given: TypeId) -> bool {
        if self.class_name(holder).is_none_or(is_plain) {
            return false;
        }
        let below = self.implementations_of(holder);
        !self.takers(holder, given).is_empty()
            || below.iter().any(|(class, _)| !self.takers(*class, given).is_empty())
    }

    fn find_takers(&mut self, of: TypeId, mut takes: impl FnMut(&mut Self, TypeId) -> bool) -> Vec<Taker> {
        let mut found = Vec::new();
        for effect in self.effects_of(of).iter().filter(|it| it.weight > 0) {
            let types: Vec<TypeId> = match effect.member {
                Member::Method(id) => {
                    let method = self.vocabulary.method(id).filter(|it| it.kind == Kind::Instance);
                    method.map(|it| it.parameters.to_vec()).unwrap_or_default()
                }
                Member::Field { id, .. } => {
                    let field = self.vocabulary.field(id).filter(|it| !it.is_static);
                    field.map(|it| it.of).into_iter().collect()
                }
                Member::Constructor(_) => Vec::new(),
            };
            let place = types.iter().position(|it| !self.is_wide(*it) && takes(self, *it));
            if let Some((place, of)) = place.and_then(|it| Some((it, *types.get(it)?))) {
                found.push(Taker { member: effect.member, place, of, weight: effect.weight });
            }
        }
        found
    }
}
