//! Sources of values, one file each. To add one, implement [`ValueSource`] in a new file, put it
//! into [`EXISTING`] or [`NEW`] below, and give it a switch `source_…` in the table of
//! [`Tuning`].
//!
//! Sources that complete new objects or write whole statements (elements of collections, fluent
//! methods of builders, injected fields, answers of mocks, preparations) are methods of the
//! [`Builder`] in their own files, with a switch each, too.

mod answers;
mod arrays;
mod builder_setters;
mod bytes;
mod callbacks;
mod carved;
mod classes_of_kind;
mod collection_elements;
pub(super) mod files;
pub(super) mod formats;
mod formed_texts;
mod injected_fields;
mod lengths;
mod linked_objects;
mod literals;
mod makers;
mod missed_settings;
mod mocks;
mod models;
mod nested_classes;
mod nulls;
mod preparations;
mod rare_objects;
mod reflected_fields;
mod reflected_methods;
mod reused_values;
mod spies;
mod stale_views;
mod steps;
mod structured_texts;
mod text_arrays;

use super::Tuning;
use super::builder::{Builder, Request};
use crate::Var;

/// A source of values.
pub(crate) trait ValueSource: Sync {
    /// Whether the source takes part.
    fn is_on(&self, tuning: &Tuning) -> bool;

    /// Offers a value for a use. What it writes on the way stays in the draft.
    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer;
}

/// What a source offers.
pub(crate) enum Offer {
    /// A value.
    Value(Var),
    /// Nothing: the next source is asked.
    Pass,
    /// Nothing, and no other source is asked.
    Refuse,
}

impl From<Option<Var>> for Offer {
    fn from(value: Option<Var>) -> Self {
        value.map_or(Self::Pass, Self::Value)
    }
}

/// Sources that make nothing new, in the order in which they are asked.
pub(super) const EXISTING: &[&dyn ValueSource] =
    &[&linked_objects::LinkedObjects, &reused_values::ReusedValues, &nulls::Nulls];

/// Sources of new values, in the order in which they are asked.
pub(super) const NEW: &[&dyn ValueSource] = &[
    &files::Paths,
    &nested_classes::NestedClasses,
    &classes_of_kind::ClassesOfKind,
    &stale_views::StaleViews,
    &mocks::AnonymousMocks,
    &literals::Literals,
    &reflected_methods::ReflectedMethods,
    &reflected_fields::ReflectedFields,
    &bytes::ByteArrays,
    &text_arrays::TextArrays,
    &arrays::Arrays,
    &mocks::PreferredMocks,
    &carved::CarvedObjects,
    &rare_objects::RareObjects,
    &models::Models,
    &makers::Makers,
    &mocks::LastMocks,
];
