//! Tests of the project, and given ones, in the place of new tests: test seeding (Rojas, Fraser and Arcuri:
//! Seeding strategies in search-based unit test generation, 2016; Derakhshanfar et al. 2020).

use std::sync::Arc;

use super::builder::Renaming;
use super::{SeedTest, Step, TargetCalls, Workshop};
use crate::{Random, Statement, TestCase, TypeId, Var, sliced};

/// What tests of the project are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// Whether new tests are clones of them.
    pub clones: bool,
    /// Whether objects are carved from them.
    pub objects: bool,
}

impl Workshop<'_> {
    /// Whether there are carved tests that may be used.
    pub fn has_test_pool(&self) -> bool {
        let is_used = self.allowed_pools.clones || self.allowed_pools.objects;
        is_used && !self.catalogue.pools.tests.is_empty()
    }

    /// From now on tests of the project are used for this, as far as the user lets them be.
    pub fn use_pools(&mut self, wanted: PoolUse) {
        let wanted = PoolUse {
            clones: wanted.clones && self.allowed_pools.clones,
            objects: wanted.objects && self.allowed_pools.objects,
        };
        if wanted != (PoolUse { clones: self.tuning.source_clones, objects: self.tuning.source_carved }) {
            let tuning = Arc::make_mut(&mut self.tuning);
            tuning.source_clones = wanted.clones;
            tuning.source_carved = wanted.objects;
        }
    }

    /// Adds a carved test to the others.
    pub fn add_carved_test(&mut self, test: SeedTest) {
        self.catalogue.add_carved_test(test);
        self.related_tests = None;
    }

    /// Puts a test case into the place of a carved test's.
    pub fn replace_carved_test(&mut self, number: usize, case: TestCase) {
        self.catalogue.replace_carved_test(number, case);
        self.related_tests = None;
    }

    /// The tests that are made of given ones for the target at hand: those that lead into it by themselves,
    /// each up to a target call of its own, then others to which a target call is added.
    pub fn given_tests(&mut self, random: &mut Random) -> Vec<TestCase> {
        let tests = self.catalogue.pools.tests.iter().enumerate();
        let given: Vec<usize> = tests.filter(|(_, it)| it.is_given).map(|(number, _)| number).collect();
        let most = self.tuning.given_variants;
        let mut found: Vec<TestCase> = Vec::new();
        for number in &given {
            let own = self.own_target_calls(*number);
            for at in own.into_iter().rev().take(most) {
                found.extend(self.ended(*number, at, true));
                found.extend(self.ended(*number, at, false));
            }
        }
        for number in given {
            found.extend((0..most).filter_map(|_| self.with_target_call(number, random)));
        }
        let mut distinct: Vec<TestCase> = Vec::new();
        for test in found {
            if distinct.len() < self.tuning.given_most && !distinct.contains(&test) {
                distinct.push(test);
            }
        }
        distinct
    }

    /// A clone of a test that has to do with the target, now and then.
    pub(super) fn random_clone(&mut self, random: &mut Random) -> Option<TestCase> {
        if !self.tuning.source_clones || self.catalogue.pools.tests.is_empty() {
            return None;
        }
        let related = self.related_tests();
        if related.is_empty() || !random.chance(self.tuning.clone_test) {
            return None;
        }
        let number = *random.pick(&related)?;
        let own = self.own_target_calls(number);
        match random.pick(&own) {
            Some(at) if random.chance(self.tuning.clone_own_target_call) => {
                let is_whole = random.chance(self.tuning.clone_whole);
                self.ended(number, *at, is_whole)
            }
            _ => self.with_target_call(number, random),
        }
    }

    /// The numbers of the carved tests that use a class of the target call or of the frames below it, and of
    /// those that were given.
    fn related_tests(&mut self) -> Arc<[usize]> {
        if let Some(known) = &self.related_tests {
            return Arc::clone(known);
        }
        let classes = self.classes_of_target();
        let tests = self.catalogue.carved_tests();
        let is_related = |number: usize, test: &TestCase| {
            self.catalogue.pools.tests.get(number).is_some_and(|it| it.is_given)
                || test.statements().iter().any(|it| self.uses_class(it, &classes))
        };
        let related = tests.iter().enumerate().filter(|(number, test)| is_related(*number, test));
        let related: Arc<[usize]> = related.map(|(number, _)| number).collect();
        self.related_tests = Some(Arc::clone(&related));
        related
    }

    fn classes_of_target(&self) -> Vec<TypeId> {
        let vocabulary = self.vocabulary();
        let TargetCalls { calls, lower_receivers, .. } = &self.target;
        let owner = |step: Step| match step {
            Step::Construct(method) | Step::Call(method) => vocabulary.method(method).map(|it| it.owner),
            Step::Read(field) => vocabulary.field(field).map(|it| it.owner),
        };
        let of_calls = calls.iter().flat_map(|it| it.receivers.iter().copied().chain(owner(it.step)));
        of_calls.chain(lower_receivers.iter().copied()).collect()
    }

    fn uses_class(&self, statement: &Statement, classes: &[TypeId]) -> bool {
        let (Statement::Construct { constructor: method, .. } | Statement::Call { method, .. }) = statement
        else {
            return false;
        };
        self.vocabulary()
            .method(*method)
            .is_some_and(|it| classes.contains(&it.owner) || classes.contains(&it.result))
    }

    /// The numbers of the target calls that a carved test makes itself.
    fn own_target_calls(&mut self, number: usize) -> Vec<usize> {
        let tests = self.catalogue.carved_tests();
        let statements = tests.get(number).map(TestCase::statements).unwrap_or_default();
        let own = statements.iter().enumerate().filter(|(_, it)| self.target.find(it).is_some());
        own.map(|(at, _)| at).collect()
    }

    /// A carved test up to a statement: all of it, if there is room, or the part that matters.
    fn ended(&mut self, number: usize, at: usize, is_whole: bool) -> Option<TestCase> {
        let tests = self.catalogue.carved_tests();
        let test = tests.get(number)?;
        let ended = match is_whole {
            true => TestCase::new(test.statements().get(..=at)?.to_vec()),
            false => sliced(test, at, self.vocabulary()),
        };
        let has_room = ended.statements().len() <= self.tuning.longest_test;
        (has_room && self.accepts(&ended)).then_some(ended)
    }

    /// A carved test, or a part of it, followed by a target call that uses its objects where they fit.
    fn with_target_call(&mut self, number: usize, random: &mut Random) -> Option<TestCase> {
        let tests = self.catalogue.carved_tests();
        let test = tests.get(number)?;
        let length = test.statements().len();
        let is_short = length <= self.tuning.longest_before_target_call;
        let part = match is_short && random.chance(self.tuning.clone_whole) {
            true => test.clone(),
            false => sliced(test, random.place(length), self.vocabulary()),
        };
        if part.statements().len() > self.tuning.longest_before_target_call {
            return None;
        }
        let lower = self.target.lower_receivers.clone();
        let mut builder = self.builder(random);
        builder.draft.is_new = true;
        let mut names = Renaming::of(part.statements().len());
        for (number, statement) in part.statements().iter().enumerate() {
            let new = builder.copy(statement, &names);
            names.set(number, new);
        }
        let call = builder.choose_target_call()?;
        let objects: Vec<(Var, TypeId)> =
            builder.draft.variables().filter_map(|(variable, value)| Some((variable, value.of?))).collect();
        for (object, of) in objects {
            let mut wanted = call.receivers.iter().chain(&lower);
            if wanted.any(|it| builder.catalogue.fits(of, *it)) {
                builder.draft.add_lower_object(Some(object));
            }
        }
        let receiver = builder.receiver(call)?;
        builder.link_lower_objects(receiver, &builder.parameters_of(call));
        builder.push_target_call(call, receiver)?;
        let made = builder.draft.finish();
        self.accepts(&made).then_some(made)
    }
}
