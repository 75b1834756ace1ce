//! Messages between the search and a worker: test cases one way, observations the other.
//!
//! An observation says what an execution did and judges nothing. Decoders trust no length and no
//! number in a message: the other side runs unknown code. Frequent parts have an encoding of their
//! own, all others that of postcard; [`VERSION`] changes with any of these types.

mod bytes;
mod evaluator;
mod list;
mod observation;
mod position;
mod reply;
mod request;
mod spent;
mod wire;

pub use evaluator::{Batch, Evaluator, Failure, Isolation, Pins, Results, Stub, Ticket, Usage, Waited};
pub use list::List;
pub use observation::{
    Access, Argument, Asked, Branch, Caught, Facts, GivenObject, Observation, Operands, Outcome, Reached,
    Receiver, SlowCall, StackFrame, SwitchKeys, Throwable, Value, Variable,
};
pub use position::{Position, TargetChain};
pub use reply::{Reply, ReplyWriter, decode_observations, decode_reply};
pub use request::{Request, RequestRef, Step, Tests};
pub use spent::Spent;
pub use wire::{
    Hello, MAGIC, Untouched, VERSION, WireError, message_length, read_bytes, read_message, write_message,
};
