//! Members that are used for their effect on an object.

use std::sync::Arc;

use super::Catalogue;
use crate::members::Member;
use crate::{Method, TypeId};

/// A member that is used for its effect.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// The member.
    pub(crate) member: Member,
    /// How often it is used, compared with the others.
    pub(crate) weight: u32,
    /// Whether it writes a field which the code around the crash reads.
    pub(crate) is_influential: bool,
}

/// Methods of all objects. They say nothing about a program and may get in the way: waiting for a
/// notification never ends.
const OF_ALL_OBJECTS: [&str; 9] =
    ["wait", "notify", "notifyAll", "getClass", "hashCode", "equals", "toString", "finalize", "clone"];

/// Beginnings of the names of methods that put something into an object.
const SETTERS: [&str; 4] = ["set", "add", "put", "append"];

impl Catalogue<'_> {
    /// What can be done with an object of a type for its effect.
    pub(crate) fn effects_of(&mut self, of: TypeId) -> Arc<[Effect]> {
        if let Some(known) = self.facts.here().effects.get(of.index()) {
            return Arc::clone(known);
        }
        let members = self.members_of(of);
        let found: Arc<[Effect]> = members.iter().map(|it| self.effect_of(*it)).collect();
        self.facts.here_mut().effects.put(of.index(), Arc::clone(&found));
        found
    }

    /// Methods that write fields which the code around the crash reads come first, then setters;
    /// methods that only ask are rare.
    fn effect_of(&self, member: Member) -> Effect {
        let tuning = &self.tuning;
        let (mut weight, mut is_influential) = (0, false);
        match member {
            Member::Constructor(_) | Member::Field { is_final: true, .. } => {}
            Member::Field { .. } => weight = tuning.field_write,
            Member::Method(id) => {
                let method = self.vocabulary.method(id);
                if let Some(method) = method.filter(|it| !OF_ALL_OBJECTS.contains(&&*it.name)) {
                    is_influential = self.is_influential(method);
                    weight = match method {
                        _ if is_influential => tuning.influential_method,
                        _ if SETTERS.iter().any(|it| method.name.starts_with(it)) => tuning.setter,
                        _ if method.parameters.is_empty() && &*method.name != "init" => tuning.getter,
                        _ => tuning.other_method,
                    };
                }
            }
        }
        Effect { member, weight, is_influential }
    }

    /// Whether a type has methods that write fields which the code around the crash reads.
    pub(crate) fn has_influence(&mut self, of: TypeId) -> bool {
        self.effects_of(of).iter().any(|it| it.is_influential)
    }

    fn is_influential(&self, method: &Method) -> bool {
        let Some(mut name) = self.vocabulary.method_name(method) else { return false };
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor);
        name.owner = found.map_or(name.owner, |it| it.class().name().to_owned());
        self.pools.influential.contains(&name)
    }
}
