//! Mutators, one file each. To add one that changes single statements, implement [`Mutator`] in a
//! new file, put it into [`OF_STATEMENTS`] or [`OF_TARGET_CALLS`] below, and give it a switch
//! `mutator_…` in the table of [`Tuning`].
//!
//! A mutation goes through a test once and deletes, inserts and changes statements, each with
//! probability 1/n (EvoCrash, algorithm 4).

mod change_argument;
mod change_literal;
mod change_maker;
mod change_value;
mod delete;
mod fill_null;
mod insert_call;
mod insert_preparation;
mod null_text;
mod other_known_arguments;
mod other_receiver;
mod other_target_call;
mod repeat_call;
mod resize_array;
mod stub_more;

use super::builder::{Builder, Original, Renaming, Request};
use super::{Tuning, Workshop};
use crate::{Literal, Random, Statement, TestCase, TypeId, Var};

/// A change of a statement.
trait Mutator: Sync {
    /// Whether the mutator takes part.
    fn is_on(&self, tuning: &Tuning) -> bool;

    /// Appends something else in the place of a statement.
    fn change(&self, builder: &mut Builder<'_, '_>, old: &mut Old<'_>) -> Change;
}

/// What a mutator did.
enum Change {
    /// Nothing: the next mutator is asked.
    Pass,
    /// A variable, or none, stands for the old one from now on.
    To(Option<Var>),
}

/// Mutators of statements before the target call, in the order in which they are asked.
const OF_STATEMENTS: &[&dyn Mutator] = &[
    &fill_null::FillNull,
    &null_text::NullText,
    &change_literal::ChangeLiteral,
    &resize_array::ResizeArray,
    &change_value::ChangeValue,
    &change_argument::ChangeArgument,
    &change_maker::ChangeMaker,
];

/// Mutators of the target call, likewise.
const OF_TARGET_CALLS: &[&dyn Mutator] = &[
    &other_target_call::OtherTargetCall,
    &other_receiver::OtherReceiver,
    &other_known_arguments::OtherKnownArguments,
    &change_argument::ChangeTargetArgument,
];

/// A statement that is to be changed.
struct Old<'o> {
    statement: &'o Statement,
    original: Original<'o>,
    copy: Option<Option<Var>>,
}

impl Old<'_> {
    /// The statement in the new test as it was; written when it is first asked for. None if it
    /// cannot be there.
    fn copy(&mut self, builder: &mut Builder<'_, '_>) -> Option<Var> {
        *self.copy.get_or_insert_with(|| builder.copy(self.statement, self.original.names))
    }
}

impl Workshop<'_> {
    /// A test case near another. The last statement stays a target call. If nothing could be changed
    /// the result is equal to the original.
    pub fn mutate(&mut self, test: &TestCase, random: &mut Random) -> TestCase {
        let given = self.cost(test);
        let mutant = self.cheapest(given, random, |workshop, random| workshop.mutant(test, random));
        mutant.unwrap_or_else(|| test.clone())
    }

    fn mutant(&mut self, test: &TestCase, random: &mut Random) -> Option<TestCase> {
        (0..self.tuning.mutation_attempts)
            .find_map(|_| try_to_mutate(self.builder(random), test).filter(|mutant| mutant != test))
    }
}

/// What a mutation does to the statements of a test.
struct Plan {
    deletes: bool,
    changes: bool,
    inserts: bool,
    prepares: bool,
    /// The statement before which something is inserted.
    place: usize,
    /// A statement that is changed in any case.
    changed: usize,
    /// How often each statement is deleted or changed.
    probability: f64,
}

impl Plan {
    fn new(builder: &mut Builder<'_, '_>, length: usize) -> Self {
        let tuning = builder.tuning;
        let deletes = delete::is_wanted(builder, length);
        let can_insert = tuning.mutator_insert_call
            || tuning.mutator_repeat_call
            || tuning.mutator_insert_preparation
            || tuning.mutator_stub_more;
        let inserts = can_insert && builder.random.chance(tuning.insert) && length < tuning.longest_test;
        let changes = builder.random.chance(tuning.change) || !(deletes || inserts);
        let prepares = inserts && insert_preparation::is_wanted(builder);
        let place = match inserts {
            true if prepares && builder.random.one_in(tuning.preparation_first) => 0,
            true => builder.random.place(length),
            false => length,
        };
        let changed = if changes { builder.random.place(length) } else { length };
        Self { deletes, changes, inserts, prepares, place, changed, probability: 1.0 / length as f64 }
    }
}

fn try_to_mutate(mut builder: Builder<'_, '_>, test: &TestCase) -> Option<TestCase> {
    let length = test.statements().len();
    let last = length.checked_sub(1)?;
    let plan = Plan::new(&mut builder, length);
    let mut names = Renaming::of(length);
    for (number, statement) in test.statements().iter().enumerate() {
        match number == plan.place {
            true if plan.prepares => builder.prepare(),
            true => insert_call::insert(&mut builder, test, &mut names),
            false => {}
        }
        let is_changed = plan.changes && (number == plan.changed || builder.random.chance(plan.probability));
        let new = match () {
            () if plan.deletes && number != last && builder.random.chance(plan.probability) => None,
            () if is_changed => {
                change(&mut builder, statement, Original { test, names: &names }, number == last)
            }
            () => builder.copy(statement, &names),
        };
        if number == last {
            new?;
        }
        names.set(number, new);
        let original = Original { test, names: &names };
        stub_more::answer_relied_on(&mut builder, original, number, new);
        if plan.inserts {
            stub_more::stub_more(&mut builder, original, number, new);
        }
    }
    Some(builder.draft.finish())
}

/// Lets the first mutator that does not pass change a statement.
fn change(
    builder: &mut Builder<'_, '_>,
    statement: &Statement,
    original: Original<'_>,
    is_last: bool,
) -> Option<Var> {
    let mutators = if is_last { OF_TARGET_CALLS } else { OF_STATEMENTS };
    let mut old = Old { statement, original, copy: None };
    for mutator in mutators.iter().filter(|it| it.is_on(builder.tuning)) {
        if let Change::To(new) = mutator.change(builder, &mut old) {
            return new;
        }
    }
    old.copy(builder)
}

/// Another value for a use: near the old one if that is a literal, else any other.
fn other_value(builder: &mut Builder<'_, '_>, old: Var, request: &Request<'_>) -> Option<Var> {
    let literal = match builder.draft.statement(old) {
        Some(Statement::Literal(literal)) if !matches!(literal, Literal::Null(_)) => Some(literal.clone()),
        _ => None,
    };
    if let Some(literal) = literal
        && builder.random.chance(builder.tuning.literal_step)
        && let Some(near) = builder.near(&literal)
    {
        return builder.push_literal(near);
    }
    builder.value(request)
}

/// A request for a value in the place of another, which may be `null`.
fn replacement<'r>(builder: &Builder<'_, '_>, of: TypeId) -> Request<'r> {
    Request::nullable(of, builder.tuning.depth_of_changes)
}
