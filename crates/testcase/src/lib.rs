//! Typed sequences of calls: what a candidate test is, and whether it is valid.
//!
//! A [`TestCase`] is immutable and cheap to clone. Its statements name classes and members by
//! numbers of a [`Vocabulary`], which only grows, so that test cases stay small and both sides of a
//! pipe look a member up once. [`check()`] says whether a test case can be written down as Java
//! source in a package and run without a look at its types.

mod anonymous;
mod case;
mod check;
mod context;
mod conversion;
mod error;
mod invalid;
mod literal;
mod logging;
mod member;
mod members;
mod mock;
mod nested;
mod parts;
mod random;
mod render;
pub mod sample;
pub mod settings;
mod types;
mod typing;
mod vocabulary;
pub mod workshop;

pub use case::{Answer, Arguments, Callback, Given, Statement, TestCase, Var};
pub use check::check;
pub use context::Context;
pub use error::Error;
pub use invalid::{Invalid, Problem};
pub use literal::{Bytes, Literal, Text};
pub use logging::Logging;
pub use member::MemberName;
pub use nested::{
    ElementValue, GivenAnnotation, GivenElement, Initial, Nested, NestedClass, NestedField, Places,
};
pub use parts::{salvaged, sliced, tidied, without};
pub use random::Random;
pub use types::{Type, TypeRef};
pub use typing::Typing;
pub use vocabulary::{
    Addition, Field, FieldId, Kind, Known, Method, MethodId, Mock, MockId, MockKind, Mocked, TypeId,
    UnknownId, Vocabulary,
};
