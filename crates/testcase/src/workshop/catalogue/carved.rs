//! Carved tests as far as tests in a package can have them, and the objects that they make.

use std::sync::Arc;

use super::Catalogue;
use crate::workshop::SeedTest;
use crate::{Kind, Statement, TestCase, TypeId, salvaged};

/// An object that a carved test makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CarvedObject {
    /// Number of the test.
    pub(crate) test: usize,
    /// Number of the statement that yields it.
    pub(crate) statement: usize,
}

impl Catalogue<'_> {
    /// The carved tests without statements that a test in the package at hand cannot make.
    pub(crate) fn carved_tests(&mut self) -> Arc<[TestCase]> {
        if let Some(known) = &self.facts.here().carved_tests {
            return Arc::clone(known);
        }
        let usable = self.pools.tests.iter().map(|it| salvaged(&it.case, &self.vocabulary, &self.context));
        let usable: Arc<[TestCase]> = usable.collect();
        self.facts.here_mut().carved_tests = Some(Arc::clone(&usable));
        usable
    }

    /// Adds a carved test.
    pub(crate) fn add_carved_test(&mut self, test: SeedTest) {
        self.pools.tests.push(test);
        self.forget_carved_tests();
    }

    /// Puts a test case into the place of a carved test's.
    pub(crate) fn replace_carved_test(&mut self, number: usize, case: TestCase) {
        if let Some(test) = self.pools.tests.get_mut(number) {
            test.case = case;
        }
        self.forget_carved_tests();
    }

    fn forget_carved_tests(&mut self) {
        for facts in self.facts.all_mut() {
            facts.carved_tests = None;
            facts.carved_objects.clear();
        }
    }

    /// The objects of carved tests that can stand for a type.
    pub(crate) fn carved_objects(&mut self, wanted: TypeId) -> Arc<[CarvedObject]> {
        if let Some(known) = self.facts.here().carved_objects.get(wanted.index()) {
            return Arc::clone(known);
        }
        let tests = self.carved_tests();
        let mut found: Vec<CarvedObject> = Vec::new();
        for (test, case) in tests.iter().enumerate() {
            for (statement, made) in case.statements().iter().enumerate() {
                let of = self.class_made_by(made);
                if of.is_some_and(|of| self.fits(of, wanted)) {
                    found.push(CarvedObject { test, statement });
                }
            }
        }
        let found: Arc<[CarvedObject]> = found.into();
        self.facts.here_mut().carved_objects.put(wanted.index(), Arc::clone(&found));
        found
    }

    /// The type of the object that a statement makes; none for values that are no objects or that a literal
    /// would do for.
    pub(in crate::workshop) fn class_made_by(&self, statement: &Statement) -> Option<TypeId> {
        let of = match statement {
            Statement::Construct { constructor, .. } => self.vocabulary.method(*constructor)?.owner,
            Statement::Call { method, .. } => {
                let called = self.vocabulary.method(*method)?;
                let owner = self.class_name(called.owner)?;
                // Boxes of numbers, and texts of parts.
                if called.kind == Kind::Static && owner.starts_with("java/lang/") {
                    return None;
                }
                called.result
            }
            Statement::Cast { to, .. } => *to,
            _ => return None,
        };
        self.class_name(of).filter(|it| *it != "java/lang/String").map(|_| of)
    }
}
