//! Makes, changes, crosses and shortens test cases that lead into a target.
//!
//! Every test case that leaves the workshop is valid by construction and guided: its last statement
//! is one of the aim's entries, a call that leads into the target frame (EvoCrash, Soltani et al.
//! 2018, algorithms 2 to 4). All chance comes from a [`Random`], so that equal seeds give equal
//! tests. Probabilities, weights and limits are those of [`Tuning`].

mod aim;
mod answers;
mod catalogue;
mod cross;
mod draft;
mod experience;
mod files;
mod formats;
mod generics;
mod link;
mod literals;
mod make;
mod mocks;
mod mutate;
mod observe;
mod per_package;
mod pools;
mod prepare;
mod reflect;
mod replay;
mod shrink;
mod structure;
mod tuning;

use std::collections::BTreeMap;

pub use aim::{Aim, Entry, Source, Step};
pub use experience::Lesson;
pub use pools::{CalledBack, Pools, Preparation, Scalar, Structure};
pub use tuning::Tuning;

use crate::{Context, Random, TestCase, Type, TypeId, Vocabulary};
use catalogue::Catalogue;
use draft::Draft;
use experience::Experience;
use per_package::PerPackage;

/// Where test cases for the targets of one program are made. They share a vocabulary, so that all
/// can go to the same workers.
pub struct Workshop<'a> {
    context: Context<'a>,
    vocabulary: Vocabulary,
    catalogue: PerPackage<'a, Catalogue>,
    aim: Aim,
    experience: Experience<'a>,
    tuning: Tuning,
    pools: Pools,
}

impl<'a> Workshop<'a> {
    /// A workshop for tests in the context's package. The vocabulary may know things already; test
    /// cases that use it stay valid.
    pub fn new(context: Context<'a>, vocabulary: Vocabulary, pools: Pools, tuning: Tuning) -> Self {
        let (catalogue, aim, experience) = Default::default();
        Self { context, vocabulary, catalogue, aim, experience, tuning, pools }
    }

    /// Says where tests lie and what they must lead into from now on.
    pub fn aim(&mut self, package: &'a str, aim: Aim) {
        let is_other = self.aim.traced != aim.traced;
        self.aim = aim;
        let last = self.context.package();
        self.catalogue.move_to(last, package);
        self.experience.move_to(last, package);
        self.context = Context::new(self.context.index(), package);
        if is_other {
            self.catalogue.all_mut().for_each(Catalogue::forget_frames);
        }
    }

    /// What test cases name.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The same, to add to it.
    pub fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// The place of the tests.
    pub fn context(&self) -> Context<'a> {
        self.context
    }

    /// Values and types worth trying, from the crash and the program.
    pub fn pools(&self) -> &Pools {
        &self.pools
    }

    /// The numbers by which tests are made and changed.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Types of which no value could be made when one was wanted, with the reason in words, as far
    /// as the package at hand is concerned.
    pub fn unavailable(&self) -> &BTreeMap<TypeId, &'static str> {
        &self.catalogue.here().unavailable
    }

    /// Takes in what a run of a test showed.
    pub fn learn(&mut self, lesson: Lesson<'_>) {
        let (experience, tuning) = (&mut self.experience, &self.tuning);
        match lesson {
            Lesson::Compared(left, right) => experience.add_compared(left, right, &self.pools.texts, tuning),
            Lesson::Asked { mock, method, class } => {
                let class = class.map(|it| it.replace('.', "/"));
                let class = class.filter(|it| self.context.index().get(it).is_some());
                let class = class.map(|it| self.vocabulary.add_type(Type::of_class(&it)));
                experience.add_asked(mock, method, class, tuning);
            }
            Lesson::MissingState { message, member, providers } => {
                if experience.is_new_message(message, tuning)
                    && let Some(member) = member()
                {
                    experience.add_missing(member, &self.pools.preparations, providers, tuning);
                }
            }
            Lesson::FailedInitialiser => experience.add_failed_initialiser(),
            Lesson::Completed { test, completed, nulls } => experience.add_completed(test, completed, nulls),
            Lesson::Wasted { test, statement } => {
                let statement = test.statements().get(statement).filter(|it| self.entry_of(it).is_none());
                if let Some(callee) = statement.and_then(experience::callee_of) {
                    self.experience.add_bad_outcome(callee);
                }
            }
        }
    }

    /// How many tests could not initialise a class since this was last asked.
    pub fn take_failed_initialisers(&mut self) -> usize {
        self.experience.take_failed_initialisers()
    }

    /// A new test case. `progress` says how much of a population is there already, from 0 to 1:
    /// later ones get more calls before the one that leads into the target (EvoCrash, algorithm 2).
    /// None if no entry can be called for want of a value.
    pub fn random(&mut self, progress: f64, random: &mut Random) -> Option<TestCase> {
        for _ in 0..self.tuning.test_attempts {
            let mut draft = Draft::default();
            self.prepare_some(&mut draft, random);
            if random.chance(self.tuning.lower_receivers) {
                self.make_actors(&mut draft, random);
            }
            let entry = self.choose_entry(random)?;
            let Some(receiver) = self.receiver(&mut draft, &entry, random) else { continue };
            self.link_favoured(&mut draft, receiver, &self.parameters_of(&entry), random);
            let mut more = self.tuning.extra_calls + self.tuning.extra_calls_growth * progress;
            while random.chance(more) && draft.len() < self.tuning.longest_before_target_call {
                self.insert_call(&mut draft, receiver, random);
                more *= self.tuning.extra_calls_again;
            }
            if self.enter(&mut draft, &entry, receiver, random).is_some() {
                return Some(draft.finish());
            }
        }
        None
    }

    fn prepare_some(&mut self, draft: &mut Draft, random: &mut Random) {
        let mut more = self.often_prepared(self.tuning.preparation);
        while random.chance(more) {
            self.prepare(draft, random);
            more *= self.tuning.preparation_again;
        }
    }
}

/// Test cases from test cases for another target.
impl Workshop<'_> {
    /// Does what a test case for another target does before its last statement, then enters the
    /// target. What that statement was called on and with is linked into what the new entry is
    /// called on and with. None if no entry can be called.
    pub fn continued(&mut self, test: &TestCase, random: &mut Random) -> Option<TestCase> {
        let (last, before) = test.statements().split_last()?;
        let mut draft = Draft::default();
        let mut names = replay::Renaming::of(before.len());
        for (number, statement) in before.iter().enumerate() {
            let new = self.replay(&mut draft, statement, &names, random);
            names.set(number, new);
        }
        last.for_each_operand(|it| draft.favour(names.get(it)));
        draft.favoured.reverse();
        let entry = self.choose_entry(random)?;
        let receiver = self.receiver(&mut draft, &entry, random)?;
        self.link_favoured(&mut draft, receiver, &self.parameters_of(&entry), random);
        self.enter(&mut draft, &entry, receiver, random)?;
        let continued = draft.finish();
        // The other test may lie in another package.
        self.accepts(&continued).then_some(continued)
    }

    /// Whether a test case can be run and written down as it is from the package at hand, and leads
    /// into the target.
    pub fn accepts(&self, test: &TestCase) -> bool {
        test.statements().last().is_some_and(|it| self.entry_of(it).is_some())
            && crate::check(test, &self.vocabulary, &self.context).is_ok()
    }
}
