use super::{Offer, ValueSource};
use crate::parts::slice;
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Renaming, Request};
use crate::workshop::catalogue::CarvedObject;
use crate::{Statement, TestCase, Var};

/// Objects with the calls that made them in tests of the project and in given ones (Rojas, Fraser and
/// Arcuri: Seeding strategies in search-based unit test generation, 2016).
pub(super) struct CarvedObjects;

impl ValueSource for CarvedObjects {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_carved
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let is_wanted = !builder.catalogue.pools.tests.is_empty()
            && builder.catalogue.class_name(request.of).is_some()
            && !builder.catalogue.is_wide(request.of);
        if !is_wanted || builder.inner_depth(request).is_none() {
            return Offer::Pass;
        }
        let objects = builder.catalogue.carved_objects(request.of);
        let probability = match builder.draft.is_new {
            true => builder.tuning.carved_new_test,
            false => builder.tuning.carved_changed_test,
        };
        if objects.is_empty() || !builder.random.chance(probability) {
            return Offer::Pass;
        }
        let Some(object) = builder.random.pick(&objects).copied() else { return Offer::Pass };
        builder.carve(object).into()
    }
}

impl Builder<'_, '_> {
    /// An object of a carved test, with the calls on it, or the first of them. None if there is no room.
    fn carve(&mut self, object: CarvedObject) -> Option<Var> {
        let tests = self.catalogue.carved_tests();
        let test = tests.get(object.test)?;
        let uses = uses_of(test, object.statement);
        let last = match self.random.chance(self.tuning.carved_cut) {
            true => self.random.pick(&uses).copied(),
            false => uses.last().copied(),
        };
        let last = last.unwrap_or(object.statement);
        let needed = slice(test, last, Some(object.statement), &self.catalogue.vocabulary);
        if self.draft.len() + needed.len() > self.tuning.longest_test {
            return None;
        }
        let mut names = Renaming::of(test.statements().len());
        for number in needed {
            let new = self.copy(test.statements().get(number)?, &names);
            names.set(number, new);
        }
        names.get(Var(u16::try_from(object.statement).ok()?))
    }
}

/// The numbers of the statement that makes an object and of those that use it as their receiver.
fn uses_of(test: &TestCase, object: usize) -> Vec<usize> {
    let is_use = |statement: &Statement| {
        let receiver = match statement {
            Statement::Call { receiver, .. } | Statement::WriteField { receiver, .. } => *receiver,
            _ => None,
        };
        receiver.is_some_and(|it| usize::from(it.0) == object)
    };
    let later = test.statements().iter().enumerate().filter(|(_, it)| is_use(it));
    [object].into_iter().chain(later.map(|(number, _)| number)).collect()
}
