use serde::{Deserialize, Serialize};

use crate::ProbePlan;

/// Everything that a process which runs tests must know to record their executions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// Which probes go where; its numbers are those of the probe table.
    pub plan: ProbePlan,
    /// For each probe the [jump code](crate::Probe::jump_code) that says how operands are compared,
    /// as [`ProbeTable::jump_codes`](crate::ProbeTable::jump_codes) gives them.
    pub jump_codes: Vec<u8>,
    /// Numbers of the frame probes of the target call chain, outermost first.
    pub chain: Vec<i32>,
    /// Whether operands of comparisons are kept.
    pub operands: bool,
    /// Whether classes of version 50 are loaded as version 51 where they can be. A JVM that finds a
    /// wrong stack map in a class of version 50 silently falls back to its old verifier, which
    /// needs none (JVMS 4.10). A check of the instrumentation must not miss that.
    pub strict_verification: bool,
}
