//! Objects that tests seldom managed to make, or to bring into a state, with the statements that did.
//!
//! A constructor with many conditions completes in one test of hundreds. Its object is of use to all later
//! tests, and so are objects that need it: each is made again as it was made once.

use std::sync::Arc;

use super::Tuning;
use super::catalogue::Catalogue;
use super::experience::Experience;
use super::memo::Memo;
use super::origin::is_plain;
use crate::parts::{slice, with_only};
use crate::{MethodId, Statement, TestCase, Type, TypeId, Var, Vocabulary};

/// An object that was hard to make.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RareObject {
    /// The statements that make it, and nothing else.
    pub(crate) test: TestCase,
    /// The variable of the object.
    pub(crate) object: Var,
}

/// Rare objects of tests in one package, and how often callees completed there.
#[derive(Default)]
pub(super) struct RareObjects {
    outcomes: Memo<Outcomes>,
    /// Objects by the types that they can stand for.
    objects: Memo<Vec<Arc<RareObject>>>,
}

/// How often a callee was called and completed.
#[derive(Clone, Copy, Debug, Default)]
struct Outcomes {
    calls: usize,
    completed: usize,
}

impl RareObjects {
    /// The objects that can stand for a type.
    pub(super) fn of(&self, wanted: TypeId) -> &[Arc<RareObject>] {
        self.objects.get(wanted.index()).map_or(&[], Vec::as_slice)
    }

    /// Counts a call; whether it completed, as calls of its callee seldom do.
    pub(super) fn is_rare(&mut self, callee: MethodId, has_completed: bool, tuning: &Tuning) -> bool {
        let Some(outcomes) = self.outcomes.or_default(callee.index()) else { return false };
        outcomes.calls = outcomes.calls.saturating_add(1);
        if !has_completed {
            return false;
        }
        outcomes.completed = outcomes.completed.saturating_add(1);
        let failed = outcomes.calls - outcomes.completed;
        failed >= tuning.rare_after && outcomes.completed.saturating_mul(tuning.rare_share.max(1)) <= failed
    }

    /// Keeps an object for the types that it can stand for, the latest ones of each. Whether it is new.
    pub(super) fn keep(&mut self, object: RareObject, types: &[TypeId], tuning: &Tuning) -> bool {
        let mut is_new = false;
        let object = Arc::new(object);
        for of in types {
            let Some(known) = self.objects.or_default(of.index()) else { continue };
            if known.contains(&object) {
                continue;
            }
            if known.len() >= tuning.rare_objects.max(1) {
                known.remove(0);
            }
            known.push(Arc::clone(&object));
            is_new = true;
        }
        is_new
    }
}

impl Experience<'_> {
    /// Objects that can stand for a type and were hard to make.
    pub(super) fn rare_objects(&self, wanted: TypeId) -> &[Arc<RareObject>] {
        self.rare.here().of(wanted)
    }

    /// Keeps an object that was hard to make. Callees that never succeeded without one get another chance.
    pub(super) fn keep_rare_object(
        &mut self,
        object: RareObject,
        types: &[TypeId],
        vocabulary: &Vocabulary,
        tuning: &Tuning,
    ) {
        if self.rare.here_mut().keep(object, types, tuning) {
            let takes_one = |method: MethodId| {
                let called = vocabulary.method(method);
                called.is_some_and(|it| it.parameters.iter().chain([&it.owner]).any(|it| types.contains(it)))
            };
            self.callees.here_mut().forgive(takes_one);
        }
    }
}

impl Catalogue<'_> {
    /// The object that a call made or brought into a state, and the types that it can stand for. None for
    /// values that are easily had, and where too many statements are needed.
    pub(super) fn rare_object(
        &mut self,
        test: &TestCase,
        call: usize,
        tuning: &Tuning,
    ) -> Option<(RareObject, Vec<TypeId>)> {
        let statements = test.statements();
        let object = match statements.get(call)? {
            Statement::Call { method, receiver: Some(receiver), .. } if self.result_of(*method).is_none() => {
                usize::from(receiver.0)
            }
            _ => call,
        };
        let of = self.class_made_by(statements.get(object)?)?;
        let types = self.types_of_rare(of);
        if types.is_empty() {
            return None;
        }
        let needed = slice(test, call, Some(object), &self.vocabulary);
        if needed.len() > tuning.rare_object_statements {
            return None;
        }
        let (test, names) = with_only(test, |it| needed.contains(&it));
        let object = names.get(object).copied().flatten()?;
        Some((RareObject { test, object }, types))
    }

    /// The types of the program, and of libraries, that an object of a class can stand for.
    fn types_of_rare(&mut self, of: TypeId) -> Vec<TypeId> {
        let hierarchy = self.context.hierarchy();
        let Some(name) = self.class_name(of).filter(|it| !is_plain(it)) else {
            return Vec::new();
        };
        let above: Vec<String> = hierarchy
            .supertypes(name)
            .iter()
            .map(|it| it.name().to_owned())
            .filter(|it| !is_plain(it))
            .collect();
        above.iter().map(|it| self.vocabulary.add_type(Type::of_class(it))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{RareObject, RareObjects};
    use crate::workshop::Tuning;
    use crate::{Literal, MethodId, Statement, TestCase, TypeId, Var};

    #[test]
    fn only_what_seldom_completes_is_rare() {
        let (mut rare, tuning) = (RareObjects::default(), Tuning::default());
        assert!(!rare.is_rare(MethodId(1), true, &tuning), "nothing failed");
        let most = tuning.rare_after.max(tuning.rare_share * 3);
        assert!((0..most).all(|_| !rare.is_rare(MethodId(1), false, &tuning)));
        assert!(rare.is_rare(MethodId(1), true, &tuning));
        let more = (0..10).filter(|_| rare.is_rare(MethodId(1), true, &tuning)).count();
        assert!(more < 10, "what completes often is not rare");
    }

    #[test]
    fn the_latest_objects_of_a_type_are_kept() {
        let (mut rare, mut tuning) = (RareObjects::default(), Tuning::default());
        tuning.rare_objects = 2;
        let object = |number| RareObject {
            test: TestCase::new([Statement::Literal(Literal::Int(number))]),
            object: Var(0),
        };
        assert!((0..3).all(|it| rare.keep(object(it), &[TypeId(4)], &tuning)));
        assert!(!rare.keep(object(2), &[TypeId(4)], &tuning), "it is known");
        let kept: Vec<&RareObject> = rare.of(TypeId(4)).iter().map(AsRef::as_ref).collect();
        assert_eq!(kept, [&object(1), &object(2)]);
        assert!(rare.of(TypeId(5)).is_empty());
    }
}
