use super::makers::Makers;
use super::{Offer, ValueSource};
use crate::workshop::builder::{ArgumentRequests, Builder, Request};
use crate::workshop::catalogue::KnownBehaviour;
use crate::workshop::{Step, Tuning};
use crate::{MethodId, Var};

/// Objects that are made and used as the program does it elsewhere (Derakhshanfar et al. 2020, section
/// 3.2.2).
pub(super) struct Models;

impl ValueSource for Models {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_models
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let has_class = builder.catalogue.class_name(request.of).is_some();
        if builder.catalogue.pools.behaviours.is_empty() || !has_class {
            return Offer::Pass;
        }
        let Some(depth) = builder.inner_depth(request) else { return Offer::Pass };
        let behaviours = builder.catalogue.behaviours_of(request.of);
        let probability = match builder.draft.is_new {
            true => builder.tuning.model_new_test,
            false => builder.tuning.model_changed_test,
        };
        if behaviours.is_empty() || !builder.random.chance(probability) {
            return Offer::Pass;
        }
        let Some(behaviour) = builder.random.pick(&behaviours) else { return Offer::Pass };
        builder.behave(behaviour, request, depth).into()
    }
}

impl Builder<'_, '_> {
    /// An object that was used in a way. Calls that cannot be made are left out.
    fn behave(&mut self, behaviour: &KnownBehaviour, request: &Request<'_>, depth: usize) -> Option<Var> {
        let made = match behaviour.constructor {
            Some(constructor) => {
                let bindings = self.catalogue.bindings(constructor, request.of, request.type_arguments);
                let requests = ArgumentRequests { bindings: Some(&bindings), ..Default::default() };
                self.construct(constructor, requests, depth)?
            }
            None => match Makers.offer(self, &Request { of: behaviour.of, ..*request }) {
                Offer::Value(made) => made,
                _ => return None,
            },
        };
        let of = self.draft.value(made).of.filter(|it| self.catalogue.fits(*it, request.of))?;
        self.hold_lower_objects(made);
        let mut object = made;
        for call in self.calls_of(behaviour) {
            let state = self.state_of(object);
            if !self.has_room() || self.experience.is_given_up_in(call, &state, self.tuning) {
                continue;
            }
            let takes_any =
                self.catalogue.vocabulary.method(call).is_some_and(|it| !it.parameters.is_empty());
            let yielded = self.call(call, Some(object), depth.saturating_sub(1));
            // The result of a fluent call stands for the object.
            object = yielded.filter(|it| takes_any && self.draft.value(*it).of == Some(of)).unwrap_or(object);
        }
        Some(object)
    }

    /// The calls of a behaviour before the target call, if that is one of them; by chance only the first.
    fn calls_of(&mut self, behaviour: &KnownBehaviour) -> Vec<MethodId> {
        let calls = &behaviour.calls;
        let before = calls.iter().position(|it| self.is_target(*it)).unwrap_or(calls.len());
        let count = match before == calls.len() && self.random.chance(self.tuning.model_cut) {
            true => 1 + self.random.place(before),
            false => before,
        };
        calls.iter().take(count).copied().collect()
    }

    /// Whether a call is a target call, or would be one on another class.
    fn is_target(&self, call: MethodId) -> bool {
        let vocabulary = &self.catalogue.vocabulary;
        let Some(method) = vocabulary.method(call) else { return false };
        self.target.calls.iter().any(|it| match it.step {
            Step::Call(target) => vocabulary
                .method(target)
                .is_some_and(|it| it.name == method.name && it.parameters == method.parameters),
            _ => false,
        })
    }
}
