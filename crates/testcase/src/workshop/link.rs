//! Linking: objects that lower frames run on are put where the frames above find them. The trace is
//! a wiring plan: what frame i runs on is held by what frame i + 1 runs on, in a field, a
//! collection or a map, or it is an argument.

use super::Workshop;
use super::draft::Draft;
use super::make::{Wishes, is_mock};
use crate::members::Member;
use crate::{Kind, Random, Statement, TypeId, Var};

impl Workshop<'_> {
    /// Objects that the lower frames run on, innermost first, each linked into the next.
    pub(super) fn make_actors(&mut self, draft: &mut Draft, random: &mut Random) {
        for actor in self.aim.actors.clone() {
            if random.chance(self.tuning.lower_receiver)
                && let Some(made) = self.around(draft, actor, random)
            {
                draft.favour(Some(made));
            }
        }
    }

    /// A new object that holds the one that was made for the frame below.
    pub(super) fn around(&mut self, draft: &mut Draft, of: TypeId, random: &mut Random) -> Option<Var> {
        let (start, inner) = (draft.len(), draft.favoured.last().copied());
        let made = self.make(draft, of, false, &[], self.tuning.depth, random)?;
        if let Some(inner) = inner.filter(|it| !draft.is_handed_on(*it, start))
            && random.chance(self.tuning.link)
        {
            self.link(draft, inner, made, random);
        }
        Some(made)
    }

    /// Gives what lower frames run on, and was not given to anybody since a statement, to the
    /// receiver of an entry, unless it can be an argument of that.
    pub(super) fn link_favoured(
        &mut self,
        draft: &mut Draft,
        receiver: Option<Var>,
        parameters: &[TypeId],
        random: &mut Random,
    ) {
        let Some(receiver) = receiver else { return };
        for inner in draft.favoured.clone() {
            let Some(of) = draft.value(inner).of else { continue };
            let is_argument = parameters.iter().any(|it| self.fits(of, *it));
            if inner != receiver
                && !is_argument
                && !draft.is_handed_on(inner, 0)
                && random.chance(self.tuning.link)
            {
                self.link(draft, inner, receiver, random);
            }
        }
    }

    /// The favoured value that was added last among those that fit. Everything fits types such as
    /// `Object`, so none does.
    pub(super) fn favoured(&mut self, draft: &Draft, wanted: TypeId) -> Option<Var> {
        if draft.favoured.is_empty() || self.is_wide(wanted) {
            return None;
        }
        let fits = |it: &Var| draft.value(*it).of.is_some_and(|of| self.fits(of, wanted));
        draft.favoured.iter().rev().copied().find(fits)
    }

    /// Gives an object to another by a method or field of that one that takes it.
    fn link(&mut self, draft: &mut Draft, inner: Var, into: Var, random: &mut Random) {
        let (Some(given), Some(of)) = (draft.value(inner).of, draft.value(into).of) else { return };
        if is_mock(draft, into) {
            return;
        }
        let mut takers = Vec::new();
        for (member, interest) in self.interests_of(of).iter() {
            let is_shunned = matches!(member, Member::Method(id) if self.is_shunned(*id));
            if let Some(place) = self.place_for(*member, given).filter(|_| !is_shunned) {
                takers.push((*member, place, *interest));
            }
        }
        match random.pick_weighted(&takers, |(_, _, interest)| *interest) {
            Some((Member::Method(method), place, _)) => {
                let wishes = Wishes { given: Some((*place, inner)), ..Wishes::default() };
                if let Some(arguments) =
                    self.arguments(draft, *method, wishes, self.tuning.depth_of_insertions, random)
                {
                    let (method, receiver) = (*method, Some(into));
                    draft.push(Statement::Call { method, receiver, arguments }, self.result_of(method));
                }
            }
            Some((Member::Field { id, .. }, ..)) => {
                draft.push(Statement::WriteField { field: *id, receiver: Some(into), value: inner }, None);
            }
            _ => {}
        }
    }

    /// Which parameter of a member takes an object of a type.
    fn place_for(&mut self, member: Member, given: TypeId) -> Option<usize> {
        match member {
            Member::Method(id) => {
                let method = self.vocabulary.method(id).filter(|it| it.kind == Kind::Instance)?;
                let parameters = method.parameters.clone();
                parameters.iter().position(|it| !self.is_wide(*it) && self.fits(given, *it))
            }
            Member::Field { id, .. } => {
                let field = self.vocabulary.field(id).filter(|it| !it.is_static)?;
                let of = field.of;
                (!self.is_wide(of) && self.fits(given, of)).then_some(0)
            }
            Member::Constructor(_) => None,
        }
    }
}
