//! Values, types and members worth trying, from the program, the crash and what executions showed.
//!
//! Static sources, the best first: the exception's message, constants of the methods on the trace,
//! constants of their classes; types from frames, casts and `instanceof`; members that write what
//! the code on the way to the crash reads; names of files on the class path where it asks for such.
//! Beside them, [`Records`] have values from outside of the program: the log, tests, documentation.
//! The pools are bounded; what comes first stays. [`observe()`] adds what runs of tests show.

mod arguments;
mod bytecode;
mod carve;
mod cases;
mod collect;
mod complaints;
mod contents;
mod expectations;
mod forms;
mod handed;
mod kinds;
mod message;
mod models;
mod nested;
mod observe;
mod own_calls;
mod preparations;
mod questions;
mod reads;
mod recorded;
mod resources;
mod structures;
mod tables;
mod tokens;

pub use arguments::{known_arguments, runs_on_other_object};
pub use carve::{Carved, CarvedTest, Framework, TestClass, TestClasses, carve, is_framework, test_classes};
pub use collect::pools;
pub use models::names_any;
pub use observe::{Nearness, observe, observe_crash};
pub use recorded::{Files, Records, recorded_arguments};
