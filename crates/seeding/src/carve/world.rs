//! The classes that tests consist of, and those that they test.

use std::sync::Arc;

use crashback_program::classes::Classes;
use crashback_program::{ClassSource, ClassView};

use super::TestClasses;
use super::finding::is_framework;

/// Classes are not above each other by more steps than this, but for damaged ones.
const HIGHEST: usize = 50;

/// The program, and the tests around it.
pub(super) struct World<'w> {
    pub(super) classes: &'w Classes<'w>,
    pub(super) tests: &'w TestClasses,
}

impl World<'_> {
    /// The sources of classes that lie beside the program, those that were given first.
    fn beside(&self) -> impl Iterator<Item = &Arc<dyn ClassSource>> {
        self.tests.given.iter().chain(&self.tests.path)
    }

    /// The source that has a class of the tests: one that no test of ours could name, or the nest of a
    /// test that is on the program's class path.
    fn source(&self, class: &str) -> Option<&dyn ClassSource> {
        let is_given = self.tests.given.as_ref().is_some_and(|it| it.index().contains(class));
        if is_framework(class) || !is_given && self.classes.index().contains(class) {
            return None;
        }
        self.beside().find(|it| it.index().contains(class)).map(|it| &**it)
    }

    /// The bytes of a class whose code is carved rather than called, for a test of another class.
    pub(super) fn own(&self, class: &str, test: &str) -> Option<Arc<[u8]>> {
        if let Some(source) = self.source(class) {
            return source.bytes(source.index().get(class)?.reference()).ok();
        }
        let is_near = nest(class) == nest(test) || self.classes_above(test).iter().any(|it| it == class);
        let view = self.classes.index().get(class).filter(|_| is_near && !is_framework(class))?;
        self.classes.source().bytes(view.reference()).ok()
    }

    /// Lends a class of the tests or of the program.
    pub(super) fn with_own<R>(&self, class: &str, look: impl FnOnce(ClassView<'_>) -> R) -> Option<R> {
        match self.source(class) {
            Some(source) => source.index().get(class).map(look),
            None => self.classes.index().get(class).map(look),
        }
    }

    /// The classes above a class up to that of a test framework, which is the last then, without `Object`.
    pub(super) fn classes_above(&self, class: &str) -> Vec<String> {
        let above_of = |class: &str| {
            let above = self.with_own(class, |it| it.super_name().map(str::to_owned)).flatten();
            above.filter(|it| it != "java/lang/Object")
        };
        let mut found: Vec<String> = Vec::new();
        let mut next = above_of(class);
        while let Some(above) = next.take().filter(|_| found.len() < HIGHEST) {
            next = if is_framework(&above) { None } else { above_of(&above) };
            found.push(above);
        }
        found
    }
}

/// The top-level class of a class, by its name.
fn nest(class: &str) -> &str {
    class.split_once('$').map_or(class, |(top, _)| top)
}
