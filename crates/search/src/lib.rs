//! Search algorithms over a problem that they know nothing of.
//!
//! A [`Problem`] makes, changes and scores individuals; an algorithm decides which. Equal seeds and
//! equal budgets give equal results, because all chance comes from one [`Rng`] and generations are
//! scored as a whole. [`GuidedGa`] is the genetic algorithm of EvoCrash.

mod guided;
mod problem;
mod rng;
mod settings;

pub use guided::{Control, End, GuidedGa, Member, Outcome, Progress, Step, Unattended};
pub use problem::{Problem, Score};
pub use rng::Rng;
pub use settings::{Selection, Settings};
