//! What the code of single methods does: control flow, calls, exceptions, constants, and where
//! values come from.
//!
//! Everything here is a pure function of a borrowed class file. A [`MethodBody`] is decoded and
//! checked once; what is built upon it needs no other class. Questions about the class hierarchy
//! are passed in by whoever knows it.

pub mod body;
pub mod branching;
pub mod calls;
pub mod cfg;
mod decode;
pub mod dominance;
mod error;
pub mod guards;
pub mod handlers;
pub mod mentions;
pub mod operation;
pub mod provenance;
mod simulation;
pub mod slice;
pub mod text_switches;
pub mod throws;
mod values;
pub mod variables;

pub use body::{Handler, Instruction, MethodBody};
pub use branching::{BranchOperand, branch_operands};
pub use calls::{CallSite, CallTarget, call_sites};
pub use cfg::{Block, BlockId, Cfg, Edge, EdgeId, EdgeKind};
pub use dominance::{ApproachLevels, Closeness, ControlDependence, Dominators, Flow, PostDominators};
pub use error::{Error, Result};
pub use guards::{Guard, guards};
pub use handlers::{Fate, Outcome, Receipt, fate_of};
pub use mentions::{Mention, Mentioned, mentions};
pub use operation::{Comparison, Condition, Invoke, InvokeKind, Kind, Literal, Operation};
pub use provenance::{Definition, Provenance, Value, ValueOrigin};
pub use slice::backward_slice;
pub use text_switches::{TextCase, TextSwitch, text_switches};
pub use variables::{LocalVariable, LocalVariables};
