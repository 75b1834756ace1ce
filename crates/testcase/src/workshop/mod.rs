//! Makes, changes, crosses and simplifies test cases that lead into a target.
//!
//! Every test case that leaves the workshop is valid by construction and guided: its last statement
//! is one of the target calls (EvoCrash, Soltani et al. 2018, algorithms 2 to 4). All chance comes
//! from a [`Random`], so that equal seeds give equal tests. Probabilities, weights and limits are
//! those of [`Tuning`].
//!
//! The parts: the `catalogue` holds facts about types, `experience` what runs taught, the `builder`
//! writes tests with values of `sources`, and `mutators` change them.

mod builder;
mod callees;
mod catalogue;
mod clones;
mod complaints;
mod costs;
mod cross_over;
mod draft;
mod exception_getters;
mod expectations;
mod experience;
mod logged;
mod memo;
mod mutators;
mod origin;
mod per_package;
mod plain_nested;
mod plainer;
mod pools;
mod rare_objects;
mod simplify;
mod sources;
mod target;
mod tuning;

use std::collections::BTreeMap;
use std::sync::Arc;

use crashback_program::origins::Origins;

pub use clones::PoolUse;
pub use expectations::{Expectation, Spot, Wanted};
pub use experience::{ChainParameter, Lesson, Null};
pub use pools::{
    AnnotationType, Behaviour, CalledBack, Element, ElementKind, Form, Forms, Influence, NestedParts, Pools,
    Preparation, RecordedValues, Scalar, SeedTest, Structure,
};
pub use target::{ReceiverOrigin, Step, TargetCall, TargetCalls};
pub use tuning::Tuning;

use crate::{Context, Random, Statement, TestCase, Type, TypeId, Vocabulary};
use builder::{Builder, Renaming};
use catalogue::{Catalogue, PreparationStep};
use draft::Draft;
use experience::Experience;

/// Where test cases for the targets of one program are made. They share a vocabulary, so that all
/// can go to the same workers.
pub struct Workshop<'a> {
    catalogue: Catalogue<'a>,
    experience: Experience<'a>,
    target: TargetCalls,
    tuning: Arc<Tuning>,
    /// The numbers of carved tests that have to do with the target, once they were looked for.
    related_tests: Option<Arc<[usize]>>,
    /// What the user lets tests of the project be used for.
    allowed_pools: PoolUse,
}

impl<'a> Workshop<'a> {
    /// A workshop for tests in the context's package. The vocabulary may know things already; test
    /// cases that use it stay valid.
    pub fn new(
        context: Context<'a>,
        origins: &'a Origins<'a>,
        vocabulary: Vocabulary,
        pools: Pools,
        tuning: Tuning,
    ) -> Self {
        let allowed_pools = PoolUse { clones: tuning.source_clones, objects: tuning.source_carved };
        let tuning = Arc::new(tuning);
        let catalogue = Catalogue::new(context, origins, vocabulary, pools, Arc::clone(&tuning));
        Self {
            catalogue,
            experience: Experience::default(),
            target: TargetCalls::default(),
            tuning,
            related_tests: None,
            allowed_pools,
        }
    }

    /// Says where tests lie and what they must lead into from now on.
    pub fn set_target(&mut self, package: &'a str, target: TargetCalls) {
        self.experience.move_to(self.catalogue.context.package(), package);
        self.catalogue.move_to(package, target.frames);
        self.target = target;
        self.related_tests = None;
    }

    /// What test cases name.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.catalogue.vocabulary
    }

    /// The same, to add to it.
    pub fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        &mut self.catalogue.vocabulary
    }

    /// The place of the tests.
    pub fn context(&self) -> Context<'a> {
        self.catalogue.context
    }

    /// Values and types worth trying, from the crash and the program.
    pub fn pools(&self) -> &Pools {
        &self.catalogue.pools
    }

    /// The numbers by which tests are made and changed.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Types of which no value could be made when one was wanted, with the reason in words, as far
    /// as the package at hand is concerned.
    pub fn unavailable(&self) -> &BTreeMap<TypeId, &'static str> {
        self.catalogue.unavailable()
    }

    /// A handle to write a new test.
    fn builder<'w>(&'w mut self, random: &'w mut Random) -> Builder<'w, 'a> {
        Builder {
            catalogue: &mut self.catalogue,
            experience: &self.experience,
            target: &self.target,
            tuning: &self.tuning,
            random,
            draft: Draft::default(),
        }
    }
}

/// What runs of tests teach.
impl Workshop<'_> {
    /// Takes in what a run of a test showed.
    pub fn learn(&mut self, lesson: Lesson<'_>) {
        let Self { catalogue, experience, target, tuning, .. } = self;
        match lesson {
            Lesson::Compared(left, right) => {
                experience.add_compared(left, right, &catalogue.pools.texts, tuning);
            }
            Lesson::Passed(parameter, argument) => experience.add_passed(parameter, &argument, tuning),
            Lesson::PassedInCrash(parameter, argument) => {
                experience.add_crashing(parameter, argument, tuning);
            }
            Lesson::Word { word, test } => experience.add_word(word, test, &catalogue.pools, tuning),
            Lesson::Helped(test) => experience.add_helpful(test, &catalogue.pools.tokens, tuning),
            Lesson::Asked { mock, method, class, object } => {
                let class = class.and_then(|it| catalogue.class_of_run(it));
                let asked = experience.asked(mock).iter().find(|it| it.method == method);
                let known = asked.map_or(&[][..], |it| &it.objects);
                let is_known = |(place, class): &(u8, &str)| {
                    known.iter().any(|(at, of)| at == place && catalogue.has_binary_name(*of, class))
                };
                let object = object.filter(|it| !is_known(it));
                let object = object.and_then(|(place, it)| Some((place, catalogue.class_of_run(it)?)));
                experience.add_asked(mock, method, class, object, tuning);
            }
            Lesson::MissingState { message, member, providers } => {
                if experience.is_new_message(message, tuning)
                    && let Some(member) = member()
                {
                    if let Some((class, method)) = member.rsplit_once('.')
                        && tuning.source_null_results
                        && let Some(class) = catalogue.class_to_spy_on(class, method)
                    {
                        experience.add_null_result(class, method, tuning);
                    }
                    experience.add_missing(member, &catalogue.pools.preparations, providers, tuning);
                }
            }
            Lesson::NullAnswer { message, null, asked } => {
                if tuning.source_relied_on_answers && experience.is_new_null_answer(message, tuning) {
                    for (class, method) in
                        null().map(|it| catalogue.null_answers(&it, asked)).unwrap_or_default()
                    {
                        experience.add_relied_on(class, &method, tuning);
                    }
                }
            }
            Lesson::FailedCast { from, to } => {
                let is_crash = catalogue.pools.failed_cast.as_deref() == Some(to);
                if !is_crash {
                    let [from, to] = [from, to].map(Type::of_class_constant);
                    let from = catalogue.vocabulary.add_type(from);
                    experience.add_failed_cast(from, catalogue.vocabulary.add_type(to), tuning);
                }
            }
            Lesson::Blocked { calls } => {
                let found = calls
                    .iter()
                    .find_map(|(class, method)| Some((catalogue.class_to_spy_on(class, method)?, *method)));
                if let Some((class, method)) = found {
                    experience.add_blocked(class, method, tuning);
                }
            }
            Lesson::FailedInitialiser => experience.add_failed_initialiser(),
            Lesson::Completed { test, completed, nulls } => {
                for call in experience.add_completed(test, completed, nulls, tuning) {
                    if let Some((object, types)) = catalogue.rare_object(test, call, tuning) {
                        experience.keep_rare_object(object, &types, &catalogue.vocabulary, tuning);
                    }
                }
            }
            Lesson::Complained { names, test, completed } => {
                experience.add_complaint(names, test, completed, tuning);
            }
            Lesson::Timed { test, completed, slow } => experience.costs.add(test, completed, slow, tuning),
            Lesson::Wasted { test, statement } => {
                let statement = test.statements().get(statement).filter(|it| target.find(it).is_none());
                if let Some(callee) = statement.and_then(experience::callee_of) {
                    experience.add_bad_outcome(callee);
                }
            }
        }
    }

    /// Whether a message about a failed cast is worth a look: it is new, and not too many are known.
    pub fn is_new_cast(&mut self, message: &str) -> bool {
        self.experience.is_new_message(message, &self.tuning)
    }

    /// Whether the message of an exception that ended a test is worth a look: of very many tests only some
    /// are looked at.
    pub fn is_complaint_due(&mut self) -> bool {
        self.tuning.source_complaints && self.experience.complaints.is_due(&self.tuning)
    }

    /// How many tests could not initialise a class since this was last asked.
    pub fn take_failed_initialisers(&mut self) -> usize {
        self.experience.take_failed_initialisers()
    }

    /// Whether there are initialisers that read static state which a test can change.
    pub fn has_waiting_initialisers(&mut self) -> bool {
        self.catalogue.preparations(&self.experience).any(|(it, _)| it.precedes_initialiser)
    }

    /// Whether a test changes static state that the initialiser of a class reads. The change shows
    /// only if that class is not initialised yet.
    pub fn precedes_initialisers(&mut self, test: &TestCase) -> bool {
        let preparations = self.catalogue.preparations(&self.experience);
        let steps = preparations.filter(|(it, _)| it.precedes_initialiser).map(|(_, step)| step);
        let steps: Vec<PreparationStep> = steps.collect();
        let is_one = |statement: &Statement| {
            steps.iter().any(|step| match (step, statement) {
                (PreparationStep::Write(field), Statement::WriteField { field: it, .. }) => field == it,
                (PreparationStep::Call(method), Statement::Call { method: it, .. })
                | (PreparationStep::CallOn(method, _), Statement::Call { method: it, .. }) => method == it,
                _ => false,
            })
        };
        test.statements().iter().any(is_one)
    }
}

/// The probability of one choice of so many.
fn one_of(choices: usize) -> f64 {
    1.0 / choices.max(1) as f64
}

/// New test cases.
impl Workshop<'_> {
    /// A new test case. `progress` says how much of a population is there already, from 0 to 1:
    /// later ones get more calls before the target call (EvoCrash, algorithm 2). None if no target
    /// call can be made for want of a value.
    pub fn random(&mut self, progress: f64, random: &mut Random) -> Option<TestCase> {
        self.cheapest(0.0, random, |workshop, random| workshop.any(progress, random))
    }

    /// Makes tests until one is allowed for what it costs beyond the test that it is made from; the
    /// cheapest of them if none is.
    fn cheapest(
        &mut self,
        given: f64,
        random: &mut Random,
        mut make: impl FnMut(&mut Self, &mut Random) -> Option<TestCase>,
    ) -> Option<TestCase> {
        let mut cheapest: Option<(f64, TestCase)> = None;
        for _ in 0..=self.tuning.dear_test_attempts {
            let test = make(self, random)?;
            let cost = self.cost(&test);
            if self.experience.costs.allow(cost - given, &self.tuning, random) {
                return Some(test);
            }
            if cheapest.as_ref().is_none_or(|(known, _)| cost < *known) {
                cheapest = Some((cost, test));
            }
        }
        cheapest.map(|(_, test)| test)
    }

    /// The microseconds that the dear calls of a test are expected to take.
    fn cost(&self, test: &TestCase) -> f64 {
        self.experience.costs.of(test, &self.target, &self.tuning)
    }

    fn any(&mut self, progress: f64, random: &mut Random) -> Option<TestCase> {
        if let Some(clone) = self.random_clone(random) {
            return Some(clone);
        }
        if self.tuning.tests_published {
            return self.published(random);
        }
        for _ in 0..self.tuning.test_attempts {
            let mut builder = self.builder(random);
            builder.draft.is_new = true;
            prepare_some(&mut builder);
            if builder.tuning.source_lower_receivers && builder.random.chance(builder.tuning.lower_receivers)
            {
                builder.make_lower_receivers();
            }
            let call = builder.choose_target_call()?;
            let Some(mut receiver) = builder.receiver(call) else { continue };
            builder.link_lower_objects(receiver, &builder.parameters_of(call));
            let tuning = builder.tuning;
            let mut more = tuning.extra_calls + tuning.extra_calls_growth * progress;
            while builder.random.chance(more) && builder.draft.len() < tuning.longest_before_target_call {
                if let Some((object, yielded)) = builder.insert_call(receiver, None) {
                    receiver = receiver.map(|it| if it == object { yielded } else { it });
                }
                more *= tuning.extra_calls_again;
            }
            if builder.push_target_call(call, receiver).is_some() {
                return Some(builder.draft.finish());
            }
        }
        None
    }

    /// A new test case by EvoCrash's algorithm 2. Its calls of the crash are calls of one target, and
    /// its last statement is one of them, because all operators rely on that.
    fn published(&mut self, random: &mut Random) -> Option<TestCase> {
        for _ in 0..self.tuning.test_attempts {
            let mut builder = self.builder(random);
            builder.draft.is_new = true;
            let size = 1 + builder.random.place(builder.tuning.longest_published_test.max(1));
            let call = builder.choose_target_call()?;
            let Some(receiver) = builder.receiver(call) else { continue };
            let mut probability = one_of(size);
            let mut is_target_last = false;
            // An insertion may fail, so that they are counted as well as the statements.
            for _ in 0..size {
                let length = builder.draft.len();
                if length >= size {
                    break;
                }
                is_target_last = builder.random.chance(probability);
                if is_target_last {
                    is_target_last = builder.push_target_call(call, receiver).is_some();
                    probability = one_of(size);
                } else {
                    builder.insert_call(receiver, None);
                    // The paper's routine for calls makes an object where none is there to be called.
                    if builder.draft.len() == length {
                        builder.make_owner(call);
                    }
                    probability = one_of(size - length + 1);
                }
            }
            if is_target_last || builder.push_target_call(call, receiver).is_some() {
                return Some(builder.draft.finish());
            }
        }
        None
    }

    /// Does what a test case for another target does before its last statement, then makes a target
    /// call. The receiver and the arguments of that statement are linked into those of the new call, or
    /// handed to it.
    /// None if no target call can be made.
    pub fn continued(&mut self, test: &TestCase, random: &mut Random) -> Option<TestCase> {
        let (last, before) = test.statements().split_last()?;
        let mut builder = self.builder(random);
        builder.draft.is_new = true;
        let mut names = Renaming::of(before.len());
        for (number, statement) in before.iter().enumerate() {
            let new = builder.copy(statement, &names);
            names.set(number, new);
        }
        last.for_each_operand(|it| builder.draft.add_lower_object(names.get(it)));
        builder.draft.lower_objects.reverse();
        if let Statement::Call { arguments, .. } | Statement::Construct { arguments, .. } = last {
            builder.draft.handed = arguments.iter().filter_map(|it| names.get(*it)).collect();
        }
        let call = builder.choose_target_call()?;
        let receiver = builder.receiver(call)?;
        builder.link_lower_objects(receiver, &builder.parameters_of(call));
        builder.push_target_call(call, receiver)?;
        let continued = builder.draft.finish();
        // The other test may lie in another package.
        self.accepts(&continued).then_some(continued)
    }

    /// Whether a test case can be run and written down as it is from the package at hand, and leads
    /// into the target.
    pub fn accepts(&self, test: &TestCase) -> bool {
        test.statements().last().is_some_and(|it| self.target.find(it).is_some())
            && crate::check(test, self.vocabulary(), &self.context()).is_ok()
    }
}

fn prepare_some(builder: &mut Builder<'_, '_>) {
    let mut more = builder.preparation_probability(builder.tuning.preparation);
    while builder.random.chance(more) {
        builder.prepare();
        more *= builder.tuning.preparation_again;
    }
}
