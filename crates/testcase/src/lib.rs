//! Typed sequences of calls: what a candidate test is, and whether it is valid.
//!
//! A [`TestCase`] is immutable and cheap to clone. Its statements name classes and members by numbers of a [`Vocabulary`], which only
//! grows, so that test cases stay small and both sides of a pipe look a member up once.

mod case;
mod literal;
mod vocabulary;

pub use case::{Arguments, Statement, TestCase, Var};
pub use literal::{Literal, Text};
pub use vocabulary::{
    Addition, Field, FieldId, Kind, Known, Method, MethodId, Type, TypeId, UnknownId, Vocabulary,
};
