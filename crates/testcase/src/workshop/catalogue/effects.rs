//! Members that are used for their effect on an object.

use std::sync::Arc;

use super::Catalogue;
use crate::members::Member;
use crate::workshop::Influence;
use crate::{Kind, Method, TypeId};

/// A member that is used for its effect.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// The member.
    pub(crate) member: Member,
    /// How often it is used, compared with the others.
    pub(crate) weight: u32,
    /// How near to the frames a field is read that it writes; none if it writes none that is.
    pub(crate) influence: Option<Influence>,
    /// Whether it yields an object of the type again, as methods of builders and options do.
    pub(crate) is_fluent: bool,
    /// Whether its name is that of a method which puts something into the object.
    pub(crate) is_setter: bool,
}

/// Methods of all objects. They say nothing about a program and may get in the way: waiting for a
/// notification never ends.
const OF_ALL_OBJECTS: [&str; 9] =
    ["wait", "notify", "notifyAll", "getClass", "hashCode", "equals", "toString", "finalize", "clone"];

/// Whether a method of this name is one of all objects.
pub(super) fn is_of_all_objects(name: &str) -> bool {
    OF_ALL_OBJECTS.contains(&name)
}

/// Beginnings of the names of methods that put something into an object.
const SETTERS: [&str; 4] = ["set", "add", "put", "append"];

impl Catalogue<'_> {
    /// What can be done with an object of a type for its effect.
    pub(crate) fn effects_of(&mut self, of: TypeId) -> Arc<[Effect]> {
        if let Some(known) = self.facts.here().effects.get(of.index()) {
            return Arc::clone(known);
        }
        let members = self.members_of(of);
        let mut found: Vec<Effect> = members.iter().map(|it| self.effect_of(*it, of)).collect();
        put_near_first(&mut found, self.tuning.near_influence);
        let found: Arc<[Effect]> = found.into();
        self.facts.here_mut().effects.put(of.index(), Arc::clone(&found));
        found
    }

    /// Methods that write fields which the code around the crash reads come first, then setters;
    /// methods that only ask are rare.
    fn effect_of(&self, member: Member, of: TypeId) -> Effect {
        let tuning = &self.tuning;
        let (mut weight, mut influence, mut is_fluent, mut is_setter) = (0, None, false, false);
        match member {
            Member::Constructor(_) | Member::Field { is_final: true, .. } => {}
            Member::Field { .. } => weight = tuning.field_write,
            Member::Method(id) => {
                let method = self.vocabulary.method(id);
                if let Some(method) = method.filter(|it| !is_of_all_objects(&it.name)) {
                    influence = self.influence_of(method);
                    is_fluent = method.kind == Kind::Instance
                        && method.result == of
                        && (influence.is_some() || !method.parameters.is_empty());
                    is_setter =
                        method.kind == Kind::Instance && SETTERS.iter().any(|it| method.name.starts_with(it));
                    weight = match method {
                        _ if influence.is_some_and(|it| it != Influence::Contents) => {
                            tuning.influential_method
                        }
                        _ if SETTERS.iter().any(|it| method.name.starts_with(it)) => tuning.setter,
                        _ if method.parameters.is_empty() && &*method.name != "init" => tuning.getter,
                        _ => tuning.other_method,
                    };
                }
            }
        }
        Effect { member, weight, influence, is_fluent, is_setter }
    }

    /// Whether a type has methods that write fields which the code around the crash reads.
    pub(crate) fn has_influence(&mut self, of: TypeId) -> bool {
        self.effects_of(of).iter().any(|it| it.influence.is_some())
    }

    fn influence_of(&self, method: &Method) -> Option<Influence> {
        let mut name = self.vocabulary.method_name(method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor);
        name.owner = found.map_or(name.owner, |it| it.class().name().to_owned());
        self.pools.influential.get(&name).copied()
    }
}

/// Lets the members with near influence together weigh so many times as much as all others: a class may
/// have hundreds of options, of which the frames read a few.
fn put_near_first(effects: &mut [Effect], factor: u32) {
    let is_near = |it: &Effect| it.influence.is_some_and(Influence::is_near);
    let near = effects.iter().filter(|it| is_near(it)).count();
    let others: u32 = effects.iter().filter(|it| !is_near(it)).map(|it| it.weight).sum();
    let share = u32::try_from(near).ok().and_then(|it| others.saturating_mul(factor).checked_div(it));
    let Some(share) = share else { return };
    for effect in effects.iter_mut().filter(|it| is_near(it)) {
        effect.weight = effect.weight.max(share);
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, put_near_first};
    use crate::MethodId;
    use crate::members::Member;
    use crate::workshop::Influence;

    #[test]
    fn near_members_have_half_of_the_weight_however_many_others_there_are() {
        let effect = |influence| Effect {
            member: Member::Method(MethodId(0)),
            weight: 10,
            influence,
            is_fluent: false,
            is_setter: false,
        };
        let mut many = vec![effect(Some(Influence::Far)); 98];
        many.extend([effect(Some(Influence::Near)); 2]);
        put_near_first(&mut many, 1);
        let weights: Vec<u32> = many.iter().skip(97).map(|it| it.weight).collect();
        assert_eq!(weights, [10, 490, 490]);
        let mut few = [effect(None), effect(Some(Influence::Near))];
        put_near_first(&mut few, 1);
        assert_eq!(few.map(|it| it.weight), [10, 10]);
    }
}
