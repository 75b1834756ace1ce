//! The frames of a crash in the program: which methods they are, what their lines can do, how the
//! exception travels through them, and which of them a test should aim at.

mod ability;
mod audit;
mod copies;
mod entry;
mod fit;
mod goal;
mod hint;
mod jdk_methods;
mod overloads;
mod propagation;
mod resolve;
mod shape;
mod versions;
mod words;
mod yielded;

pub use crate::origins::{Origin, Scope};
pub use ability::Evidence;
pub use audit::{Auditor, CrashAudit, FrameAudit, LineCheck};
pub use copies::{Move, fitting_order};
pub use entry::{EntryPoint, Guide, is_accessible, is_class_accessible};
pub use fit::{Misfit, fitting_frames, misfits};
pub use goal::Goal;
pub use hint::Hint;
pub use propagation::Degree;
pub use resolve::Status;
pub use shape::{Nesting, Shape, Visibility};
pub use versions::VersionMismatch;
pub use yielded::{Handover, Yielded};
