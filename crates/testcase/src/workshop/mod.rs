//! Makes, changes, crosses and shortens test cases that lead into a target.
//!
//! Every test case that leaves the workshop is valid by construction and guided: its last statement
//! is one of the aim's entries, a call that leads into the target frame (EvoCrash, Soltani et al.
//! 2018, algorithms 2 to 4). All chance comes from a [`Random`], so that equal seeds give equal
//! tests. Probabilities are the constants of the modules; where a paper gives one, it is named
//! there.

mod aim;
mod answers;
mod catalogue;
mod cross;
mod draft;
mod files;
mod formats;
mod generics;
mod link;
mod literals;
mod make;
mod mocks;
mod mutate;
mod observe;
mod pools;
mod prepare;
mod reflect;
mod replay;
mod shrink;
mod structure;

use std::collections::{BTreeMap, BTreeSet};

pub use aim::{Aim, Entry, Source, Step};
pub use pools::{CalledBack, Pools, Preparation, Scalar, Structure};

use crate::{Context, MockId, Random, Statement, TestCase, TypeId, Vocabulary};
use catalogue::Catalogue;
use draft::Draft;

/// No test case gets longer by an operator than this. Hand-written tests of hard crashes have at
/// most 25 statements, without their literals.
const LONGEST: usize = 80;

/// Where test cases for the targets of one program are made. They share a vocabulary, so that all
/// can go to the same workers.
pub struct Workshop<'a> {
    context: Context<'a>,
    vocabulary: Vocabulary,
    /// What is known of types, seen from the package of the context.
    catalogue: Catalogue,
    /// What is known of types, seen from other packages.
    other_catalogues: BTreeMap<&'a str, Catalogue>,
    aim: Aim,
    /// For each mock what ones like it were asked and had no answer to, in the order in which it
    /// became known.
    asked: BTreeMap<MockId, Vec<mocks::Asked>>,
    /// Static fields and methods that yielded null where tests needed an object.
    missed: BTreeSet<String>,
    /// Values and types worth trying. May grow at any time.
    pub pools: Pools,
}

impl<'a> Workshop<'a> {
    /// A workshop for tests in the context's package. The vocabulary may know things already; test
    /// cases that use it stay valid.
    pub fn new(context: Context<'a>, vocabulary: Vocabulary, pools: Pools) -> Self {
        let (catalogue, other_catalogues) = (Catalogue::default(), BTreeMap::new());
        let (aim, asked, missed) = (Aim::default(), BTreeMap::new(), BTreeSet::new());
        Self { context, vocabulary, catalogue, other_catalogues, aim, asked, missed, pools }
    }

    /// Says where tests lie and what they must lead into from now on.
    pub fn aim(&mut self, package: &'a str, aim: Aim) {
        let is_other = self.aim.traced != aim.traced;
        self.aim = aim;
        if package != self.context.package() {
            let next = self.other_catalogues.remove(package).unwrap_or_default();
            let last = std::mem::replace(&mut self.catalogue, next);
            self.other_catalogues.insert(self.context.package(), last);
            self.context = Context::new(self.context.index(), package);
        }
        if is_other {
            let others = self.other_catalogues.values_mut();
            others.chain([&mut self.catalogue]).for_each(Catalogue::forget_frames);
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

    /// Types of which no value could be made when one was wanted, with the reason in words, as far
    /// as the package at hand is concerned.
    pub fn unavailable(&self) -> &BTreeMap<TypeId, &'static str> {
        &self.catalogue.unavailable
    }

    /// Tells that a statement of a test case ended in a way that no further test should end: a
    /// class that cannot be initialised, a call that does not come back. What it called is soon
    /// left alone, unless it is an entry.
    pub fn shun(&mut self, test: &TestCase, statement: usize) {
        let Some(statement) = test.statements().get(statement) else { return };
        let callee = match statement {
            Statement::Construct { constructor, .. } => *constructor,
            Statement::Call { method, .. } => *method,
            _ => return,
        };
        if self.entry_of(statement).is_none() {
            self.strike(callee);
        }
    }

    /// Tells how far a test case came: the number of its statements that completed, and which of
    /// the first 64 yielded `null`, a bit each. What never completes or never yields an object is
    /// left alone in the end, so that other ways to its value get their chance; entries are exempt.
    pub fn note_completed(&mut self, test: &TestCase, completed: usize, nulls: u64) {
        for (number, statement) in test.statements().iter().enumerate().take(completed.saturating_add(1)) {
            let callee = match statement {
                Statement::Construct { constructor, .. } => *constructor,
                Statement::Call { method, .. } => *method,
                _ => continue,
            };
            if number < completed {
                let bit = u32::try_from(number).ok().and_then(|it| nulls.checked_shr(it)).unwrap_or(0);
                self.catalogue.note_success(callee, bit & 1 == 1);
            } else if number + 1 < test.statements().len() {
                self.catalogue.note_failure(callee);
            }
        }
    }

    /// A new test case. `progress` says how much of a population is there already, from 0 to 1:
    /// later ones get more calls before the one that leads into the target (EvoCrash, algorithm 2).
    /// None if no entry can be called for want of a value.
    pub fn random(&mut self, progress: f64, random: &mut Random) -> Option<TestCase> {
        const ATTEMPTS: u8 = 5;
        for _ in 0..ATTEMPTS {
            let mut draft = Draft::default();
            self.prepare_some(&mut draft, random);
            if random.chance(ACTORS) {
                self.make_actors(&mut draft, random);
            }
            let entry = self.choose_entry(random)?;
            let Some(receiver) = self.receiver(&mut draft, &entry, random) else { continue };
            self.link_favoured(&mut draft, receiver, &self.parameters_of(&entry), random);
            let mut more = 0.15 + 0.7 * progress;
            while random.chance(more) && draft.len() < LONGEST / 2 {
                self.insert_call(&mut draft, receiver, random);
                more *= 0.8;
            }
            if self.enter(&mut draft, &entry, receiver, random).is_some() {
                return Some(draft.finish());
            }
        }
        None
    }

    fn prepare_some(&mut self, draft: &mut Draft, random: &mut Random) {
        let mut more = self.often_prepared(PREPARE);
        while random.chance(more) {
            self.prepare(draft, random);
            more *= PREPARE_MORE;
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
        replay::for_each_operand(last, |it| draft.favour(names.get(it)));
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

/// How often a new test begins with a change of static state, and how often another one follows.
const PREPARE: f64 = 0.4;
const PREPARE_MORE: f64 = 0.4;

/// How often a new test begins with objects of the classes on the frames below the target, for
/// later statements to link into each other.
const ACTORS: f64 = 0.5;

/// Whether a statement only yields a value, so that nobody misses it where the value is not used.
fn is_pure(statement: &Statement) -> bool {
    match statement {
        Statement::Literal(_) | Statement::NewArray { .. } | Statement::Mock(_) => true,
        Statement::ReadField { receiver, .. } => receiver.is_none(),
        _ => false,
    }
}
