//! Writes test cases: values for uses, calls with their arguments, links between objects.
//!
//! A [`Builder`] is the handle that value sources and mutators get. It holds the draft and borrows
//! the parts of the workshop that they need; [`Builder::value`] is how they ask for further values.

mod answers;
mod calls;
mod copy;
mod expected;
mod links;
mod target_call;
mod uses;

pub(super) use calls::ArgumentRequests;
pub(super) use copy::Renaming;
pub(super) use uses::Original;

use super::callees::State;
use super::catalogue::{Catalogue, Expected, Generic, Maker, Way};
use super::draft::Draft;
use super::experience::Experience;
use super::sources::{EXISTING, NEW, Offer, ValueSource};
use super::{TargetCalls, Tuning};
use crate::typing::own_type;
use crate::{Literal, MethodId, Random, Statement, TypeId, Var};

/// A test case that is being written, with all that is needed to write it.
pub(super) struct Builder<'w, 'a> {
    pub(super) catalogue: &'w mut Catalogue<'a>,
    pub(super) experience: &'w Experience<'a>,
    pub(super) target: &'w TargetCalls,
    pub(super) tuning: &'w Tuning,
    pub(super) random: &'w mut Random,
    pub(super) draft: Draft,
}

/// A value that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'r> {
    /// Its type.
    pub(super) of: TypeId,
    /// Whether `null` will do.
    pub(super) nullable: bool,
    /// The type arguments of its type, where they are known.
    pub(super) type_arguments: &'r [Generic],
    /// What the code around the crash expects of it, where that is known.
    pub(super) expected: Option<&'r Expected>,
    /// How many calls away from its use further values may be.
    pub(super) depth: usize,
}

impl<'r> Request<'r> {
    /// A value of a type that is not `null`.
    pub(super) fn new(of: TypeId, depth: usize) -> Self {
        Self { of, nullable: false, type_arguments: &[], expected: None, depth }
    }

    /// A value of a type, or `null`.
    pub(super) fn nullable(of: TypeId, depth: usize) -> Self {
        Self { nullable: true, ..Self::new(of, depth) }
    }

    /// The same request with type arguments.
    pub(super) fn with_type_arguments(self, type_arguments: &'r [Generic]) -> Self {
        Self { type_arguments, ..self }
    }

    /// The same request, of which the code around the crash expects something.
    pub(super) fn with_expected(self, expected: Option<&'r Expected>) -> Self {
        Self { expected, ..self }
    }
}

impl Builder<'_, '_> {
    /// A value for a use: one that is there, `null`, or a new one.
    pub(super) fn value(&mut self, request: &Request<'_>) -> Option<Var> {
        let expected = self.expected_value(request);
        expected.or_else(|| self.declared_value(request))
    }

    /// The same by the declared type alone.
    fn declared_value(&mut self, request: &Request<'_>) -> Option<Var> {
        self.catalogue.vocabulary.type_of(request.of)?;
        if let Some(known) = self.offered(EXISTING, request) {
            return known;
        }
        let made = self.make(request);
        made.or_else(|| {
            let fitting = self.fitting(request.of, request.nullable);
            self.random.pick(&fitting).copied()
        })
    }

    /// A new value; `null` where nothing else can be had and `null` will do.
    pub(super) fn make(&mut self, request: &Request<'_>) -> Option<Var> {
        self.catalogue.vocabulary.type_of(request.of)?;
        match self.offered(NEW, request) {
            Some(made) => made,
            None if request.nullable => self.null(request.of),
            None => None,
        }
    }

    /// What the first source that does not pass gives; the inner none means that the request is
    /// refused.
    fn offered(&mut self, sources: &[&dyn ValueSource], request: &Request<'_>) -> Option<Option<Var>> {
        for source in sources.iter().filter(|it| it.is_on(self.tuning)) {
            match source.offer(self, request) {
                Offer::Value(value) => return Some(Some(value)),
                Offer::Refuse => return Some(None),
                Offer::Pass => {}
            }
        }
        None
    }

    /// The depth that is left for the parts of a new object; none if it cannot have any.
    pub(super) fn inner_depth(&self, request: &Request<'_>) -> Option<usize> {
        request.depth.checked_sub(1).filter(|_| self.has_room())
    }

    /// Whether the test may become longer.
    pub(super) fn has_room(&self) -> bool {
        self.draft.len() < self.tuning.longest_test
    }

    /// Values that are there and can be used as a type.
    pub(super) fn fitting(&mut self, wanted: TypeId, nullable: bool) -> Vec<Var> {
        let Self { catalogue, draft, .. } = self;
        draft
            .variables()
            .filter(|(_, value)| nullable || !value.is_null)
            .filter(|(_, value)| value.of.is_some_and(|of| catalogue.fits(of, wanted)))
            .map(|(variable, _)| variable)
            .collect()
    }

    /// How often `null` is passed where a reference is wanted.
    pub(super) fn null_probability(&self) -> f64 {
        match self.catalogue.pools.is_null_crash {
            _ if !self.tuning.source_nulls => 0.0,
            true => self.tuning.null_value_of_null_crash,
            false => self.tuning.null_value,
        }
    }

    /// `null` as a value of a type; none where a source cannot name the type.
    pub(super) fn null(&mut self, of: TypeId) -> Option<Var> {
        let named = self.catalogue.is_nameable(of);
        named.then(|| self.draft.push(Statement::Literal(Literal::Null(of)), Some(of))).flatten()
    }

    /// Writes a literal down.
    pub(super) fn push_literal(&mut self, literal: Literal) -> Option<Var> {
        let own = match &literal {
            Literal::Null(of) => return self.null(*of),
            other => own_type(other)?,
        };
        let of = self.catalogue.vocabulary.number_of(own);
        self.draft.push(Statement::Literal(literal), Some(of))
    }

    /// Whether a callee is not called any more.
    pub(super) fn is_given_up(&self, method: MethodId) -> bool {
        self.experience.is_given_up(method, self.tuning)
    }

    /// The state that an object has at the end of the draft.
    pub(super) fn state_of(&self, object: Var) -> State {
        State::of(object, self.draft.statements().enumerate())
    }

    /// How often a way to a value is taken, compared with others, as far as experience goes.
    pub(super) fn weight_of(&self, maker: &Maker) -> u32 {
        match maker.way {
            // The receiver of a call may be set up differently each time.
            Way::Construct(method) | Way::Call(method) | Way::Narrow(method) | Way::Take(method, _)
                if self.experience.is_given_up_in_all(method, self.tuning) =>
            {
                0
            }
            // A mock, or null itself, is as good.
            Way::Call(method) | Way::Narrow(method) | Way::Take(method, _)
                if self.experience.always_yields_null(method, self.tuning) =>
            {
                0
            }
            _ => maker.weight,
        }
    }
}
