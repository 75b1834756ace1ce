//! Class file and probe plan to instrumented class file and probe table, at byte level.
//!
//! [`instrument`] decides by a [`ProbePlan`] what to insert where; a [`ProbeMethod`] is what
//! inserted code calls. [`number_probes`] gives the probes of a whole plan their numbers. Below
//! them [`rewrite_method`] inserts any straight-line code and, where asked for, one catch-all
//! handler. Section numbers refer to the Java Virtual Machine Specification (JVMS), Java SE 25.

mod edits;
mod error;
mod flow;
mod instrumented;
mod pins;
mod plan;
mod probes;
mod recording;
mod rewrite;
mod snippet;
mod state;
mod table;
mod uninitialised;
mod usage;
mod variables;
mod weave;

pub use edits::MethodEdits;
pub use error::Refusal;
pub use instrumented::{Instrumented, MethodName, MethodProbes, instrument};
pub use pins::{PinMethod, Redirect, Redirection, redirects};
pub use plan::{ClassNames, ClassPlan, Kinds, ProbePlan};
pub use probes::{Probe, ProbeKind, ProbeMethod};
pub use recording::Recording;
pub use rewrite::rewrite_method;
pub use snippet::{Snippet, ValueKind};
pub use state::{ClassState, StaticField, is_known_immutable};
pub use table::{ClassProbes, ProbeEntry, ProbeTable, Uncounted, number_probes};
pub use usage::record_usage;
pub use variables::{VariableSort, WatchedVariable};
