//! Messages between the search and a worker: test cases one way, observations the other.
//!
//! An observation says what an execution did and judges nothing. Whoever reads messages trusts no length and no number in them: the
//! other side runs unknown code. Everything is encoded by postcard; [`VERSION`] changes with any of these types.

mod evaluator;
mod observation;
mod wire;

pub use evaluator::{Batch, Evaluator, Failure, Isolation, Results};
pub use observation::{
    Branch, Caught, Facts, Observation, Operands, Outcome, Reached, StackFrame, SwitchKeys, Throwable, Value,
};
pub use wire::{
    Hello, MAGIC, Reply, Request, RequestRef, Untouched, VERSION, WireError, append_message, decode_message,
    message_length, read_message, write_message,
};
