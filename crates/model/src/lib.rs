//! Models of how programs use the objects of a class.
//!
//! [`sequences`] reads call sequences from bytecode, a [`Collector`] counts them, and [`Models`] are
//! transition systems made of the counts (Derakhshanfar et al. 2020, section 3.1). [`select`] takes
//! behaviours from a model, which tests make objects by.
//!
//! Everything here is a pure function of bytes: no file is opened, and no clock read. The order in which
//! classes are added never shows in a model.

mod action;
mod collector;
mod file;
mod model;
mod models;
pub mod render;
pub mod select;
pub mod sequences;

pub use action::Action;
pub use collector::Collector;
pub use file::{FILE_VERSION, FileError};
pub use model::{Model, State, Transition};
pub use models::{DEFAULT_ORDER, MAX_ORDER, MergeError, Models};
