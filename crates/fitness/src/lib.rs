//! How far an observed execution is from a crash.
//!
//! Everything here is a pure function of a goal and an observation. A [`Target`] is made once for a
//! crash and one of its frames, the one that a test shall enter by; it holds what the program's
//! code says of the way to the lines of the trace, as tables by probe number. A [`Judge`] goes over
//! observations with it and gives an [`Assessment`] of each: distances that are not weighed yet.
//! The functions of [`Fitness`] make objectives of them, and [`Judge::hindered`] tells what stood
//! in the way.
//!
//! The definitions are those of EvoCrash (Soltani, Panichella, van Deursen: A Guided Genetic
//! Algorithm for Automated Crash Reproduction, 2017; Search-Based Crash Reproduction and Its Impact
//! on Debugging, 2018) and of Botsing's integration testing. Where they leave open or zero what is
//! no reproduction, the comments say what is done instead.

mod accesses;
mod assessment;
mod blocks;
mod fitness;
mod flags;
mod frame_goals;
mod guides;
mod hindrance;
mod judge;
mod lines;
mod messages;
mod objectives;
mod probes;
mod seen;
mod target;
mod throwing;
mod traces;
mod variables;

pub use crashback_program::frames::Degree;

pub use assessment::{Assessment, Stage, normalise};
pub use fitness::{
    Execution, Fitness, Function, NoSuchFitness, ObjectiveValues, call_chain, graded_weighted_sum,
    indexed_access, indexed_access_steps,
};
pub use flags::{FlagSources, Flags};
pub use hindrance::{Hindered, Hindrance};
pub use judge::{Batch, Judge};
pub use objectives::{Objectives, Scoring, Verdict, Worth, cost, says_the_same, size, tells_of_other_cause};
pub use probes::{FrameProbes, Probe, ProbeKind};
pub use target::{NoSuchFrame, Target};
pub use variables::{BranchVariable, BranchVariables, VariableGoal, VariableSort};
