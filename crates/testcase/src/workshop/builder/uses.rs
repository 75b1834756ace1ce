//! Type arguments of objects that are there. A test case has erased types, so that the uses of an
//! object tell what it holds: a list that a constructor takes as `List<Stamp>` is one of stamps.

use smallvec::SmallVec;

use super::{Builder, Renaming};
use crate::workshop::catalogue::Bindings;
use crate::{MethodId, Statement, TestCase, Var};

/// A test that is being copied, with the variables that stand for its own so far. Objects are often
/// filled before they are used, so that uses are looked for in the statements to come, too.
#[derive(Clone, Copy)]
pub(crate) struct Original<'o> {
    pub(crate) test: &'o TestCase,
    pub(crate) names: &'o Renaming,
}

/// A parameter of a callee, or its result, which counts as one more.
type Place = (MethodId, usize);

impl Builder<'_, '_> {
    /// What stands for the type variables of a method that is called on an object.
    pub(crate) fn bindings_on(
        &mut self,
        object: Option<Var>,
        method: MethodId,
        original: Option<Original<'_>>,
    ) -> Bindings {
        let of = object.and_then(|it| self.draft.value(it).of);
        let (Some(object), Some(of)) = (object, of) else { return Bindings::new() };
        if !self.tuning.source_receiver_arguments || !self.catalogue.is_generic(method) {
            return Bindings::new();
        }
        for (callee, number) in self.places_of(object, original) {
            let arguments = self.catalogue.type_arguments(callee, number);
            let Some(called) = self.catalogue.vocabulary.method(callee).filter(|_| !arguments.is_empty())
            else {
                continue;
            };
            let parameter = called.parameters.get(number).copied();
            if let Some(used_as) = parameter.or_else(|| self.catalogue.result_of(callee)) {
                return self.catalogue.bindings_on(of, Some((used_as, &arguments)), method);
            }
        }
        self.catalogue.bindings_on(of, None, method)
    }

    /// Where an object comes from and what it is given to, as far as these are methods and
    /// constructors.
    fn places_of(&self, object: Var, original: Option<Original<'_>>) -> SmallVec<[Place; 4]> {
        let mut places = SmallVec::new();
        if let Some(Statement::Call { method, arguments, .. }) = self.draft.statement(object) {
            places.push((*method, arguments.len()));
        }
        for statement in self.draft.statements() {
            add_uses(statement, |it| it == object, &mut places);
        }
        if let Some(Original { test, names }) = original {
            for statement in test.statements() {
                add_uses(statement, |it| names.get(it) == Some(object), &mut places);
            }
        }
        places
    }
}

fn add_uses(statement: &Statement, is_object: impl Fn(Var) -> bool, places: &mut SmallVec<[Place; 4]>) {
    let (callee, arguments) = match statement {
        Statement::Construct { constructor, arguments } => (*constructor, arguments),
        Statement::Call { method, arguments, .. } => (*method, arguments),
        _ => return,
    };
    let used = arguments.iter().enumerate().filter(|(_, it)| is_object(**it));
    places.extend(used.map(|(number, _)| (callee, number)));
}
