//! Behaviours from models of how objects are used, as far as tests in a package can have them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Catalogue;
use super::effects::is_of_all_objects;
use crate::members::Member;
use crate::workshop::Behaviour;
use crate::{Kind, MethodId, TypeId};

/// A way to make and use an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownBehaviour {
    /// The class of the object.
    pub(crate) of: TypeId,
    /// Its constructor; none where it may come from anywhere.
    pub(crate) constructor: Option<MethodId>,
    /// The methods that are called on it, in order; never empty.
    pub(crate) calls: Vec<MethodId>,
}

impl Catalogue<'_> {
    /// Behaviours of objects that can stand for a type: of the type itself, of classes below it that tests
    /// make, and of types above these, which say how such objects are used by code that knows no more.
    pub(crate) fn behaviours_of(&mut self, wanted: TypeId) -> Arc<[KnownBehaviour]> {
        if let Some(known) = self.facts.here().behaviours.get(wanted.index()) {
            return Arc::clone(known);
        }
        let mut classes: Vec<TypeId> = vec![wanted];
        classes.extend(self.implementations_of(wanted).iter().map(|(class, _)| *class));
        let mut found: Vec<KnownBehaviour> = Vec::new();
        for class in classes {
            for behaviour in self.find_behaviours(class) {
                if !found.contains(&behaviour) {
                    found.push(behaviour);
                }
            }
        }
        let found: Arc<[KnownBehaviour]> = found.into();
        self.facts.here_mut().behaviours.put(wanted.index(), Arc::clone(&found));
        found
    }

    fn find_behaviours(&mut self, class: TypeId) -> Vec<KnownBehaviour> {
        let Some(name) = self.class_name(class).map(str::to_owned) else { return Vec::new() };
        let above = self.context.hierarchy().supertypes(&name);
        let mut seen: Vec<Behaviour> = Vec::new();
        for above in above.iter().map(|it| it.name()).filter(|it| *it != name) {
            // Constructors of other classes make other objects.
            let of_above = self.pools.behaviours.get(above).into_iter().flatten();
            seen.extend(of_above.map(Behaviour::without_constructor));
        }
        let own = self.pools.behaviours.get(&name).cloned().unwrap_or_default();
        let all: Vec<Behaviour> = own.into_iter().chain(seen).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let members = self.members_by_name(class);
        all.iter().filter_map(|it| known(class, it, &members)).collect()
    }

    /// Constructors and methods that a test can call on a class, by name and descriptor.
    fn members_by_name(&mut self, class: TypeId) -> BTreeMap<(String, String), Member> {
        let mut named = BTreeMap::new();
        for member in self.members_of(class).iter() {
            let (Member::Constructor(id) | Member::Method(id)) = member else { continue };
            let Some(method) = self.vocabulary.method(*id) else { continue };
            if method.kind == Kind::Static || is_of_all_objects(&method.name) {
                continue;
            }
            if let Some(name) = self.vocabulary.method_name(method) {
                named.insert((name.name, name.descriptor), *member);
            }
        }
        named
    }
}

/// A behaviour without the calls that a test cannot make; none if nothing is left of it.
fn known(
    class: TypeId,
    behaviour: &Behaviour,
    members: &BTreeMap<(String, String), Member>,
) -> Option<KnownBehaviour> {
    let (mut constructor, mut calls) = (None, Vec::new());
    for call in &behaviour.0 {
        match members.get(call) {
            Some(Member::Constructor(id)) if calls.is_empty() => constructor = Some(*id),
            Some(Member::Method(id)) => calls.push(*id),
            _ => {}
        }
    }
    (!calls.is_empty()).then_some(KnownBehaviour { of: class, constructor, calls })
}

impl Behaviour {
    fn without_constructor(&self) -> Self {
        Self(self.0.iter().filter(|(name, _)| name != "<init>").cloned().collect())
    }
}
