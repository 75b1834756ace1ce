//! Messages between the search and a worker: test cases one way, observations the other.
//!
//! An observation says what an execution did and judges nothing. Whoever reads messages trusts no
//! length and no number in them: the other side runs unknown code. What is frequent has an encoding
//! of its own, everything else that of postcard; [`VERSION`] changes with any of these types.

mod bytes;
mod evaluator;
mod list;
mod observation;
mod reply;
mod request;
mod wire;

pub use evaluator::{Batch, Evaluator, Failure, Isolation, Results, Stub, Ticket, Usage};
pub use list::List;
pub use observation::{
    Asked, Branch, Caught, Facts, Observation, Operands, Outcome, Reached, Receiver, StackFrame, SwitchKeys,
    Throwable, Value,
};
pub use reply::{Reply, ReplyWriter, decode_observations, decode_reply};
pub use request::{Request, RequestRef, Step, Tests};
pub use wire::{
    Hello, MAGIC, Untouched, VERSION, WireError, message_length, read_bytes, read_message, write_message,
};
