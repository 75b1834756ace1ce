//! Makes, changes, crosses and shortens test cases that lead into a target.
//!
//! Every test case that leaves the workshop is valid by construction and guided: its last statement is one of the aim's entries, a call
//! that leads into the target frame (EvoCrash, Soltani et al. 2018, algorithms 2 to 4). All chance comes from a [`Random`], so that equal
//! seeds give equal tests. Probabilities are the constants of the modules; where a paper gives one, it is named there.

mod aim;
mod catalogue;
mod cross;
mod draft;
mod generics;
mod literals;
mod make;
mod mutate;
mod pools;
mod replay;
mod shrink;

use std::collections::BTreeMap;

pub use aim::{Aim, Entry, Step};
pub use pools::{Pools, Scalar};

use crate::{Context, Random, Statement, TestCase, TypeId, Vocabulary};
use catalogue::Catalogue;
use draft::Draft;

/// No test case gets longer by an operator than this. Hand-written tests of hard crashes have at most 25 statements, without their literals.
const LONGEST: usize = 60;

/// Where test cases for one target are made.
pub struct Workshop<'a> {
    context: Context<'a>,
    vocabulary: Vocabulary,
    catalogue: Catalogue,
    aim: Aim,
    /// Values and types worth trying. May grow at any time.
    pub pools: Pools,
}

impl<'a> Workshop<'a> {
    /// A workshop for tests in the context's package. The vocabulary may know things already; test cases that use it stay valid.
    pub fn new(context: Context<'a>, vocabulary: Vocabulary, pools: Pools) -> Self {
        Self { context, vocabulary, catalogue: Catalogue::default(), aim: Aim::default(), pools }
    }

    /// Says what tests must lead into from now on.
    pub fn aim(&mut self, aim: Aim) {
        self.aim = aim;
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

    /// Types of which no value could be made when one was wanted, with the reason in words.
    pub fn unavailable(&self) -> &BTreeMap<TypeId, &'static str> {
        &self.catalogue.unavailable
    }

    /// A new test case. `progress` says how much of a population is there already, from 0 to 1: later ones get more calls before the one that
    /// leads into the target (EvoCrash, algorithm 2). None if no entry can be called for want of a value.
    pub fn random(&mut self, progress: f64, random: &mut Random) -> Option<TestCase> {
        const ATTEMPTS: u8 = 5;
        for _ in 0..ATTEMPTS {
            let mut draft = Draft::default();
            if random.chance(ACTORS) {
                self.make_actors(&mut draft, random);
            }
            let entry = self.choose_entry(random)?;
            let Some(receiver) = self.receiver(&mut draft, &entry, random) else { continue };
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
}

/// How often a new test begins with objects of the classes on the frames below the target, for later statements to link into each other.
const ACTORS: f64 = 0.5;

/// Whether a statement only yields a value, so that nobody misses it where the value is not used.
fn is_pure(statement: &Statement) -> bool {
    match statement {
        Statement::Literal(_) | Statement::NewArray { .. } => true,
        Statement::ReadField { receiver, .. } => receiver.is_none(),
        _ => false,
    }
}
