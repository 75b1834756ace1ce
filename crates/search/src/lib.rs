//! Search algorithms that know nothing of the individuals they search.
//!
//! [`Operators`] make and change individuals; an [`Algorithm`] decides which of them to run next
//! and is told their scores. It never runs anything itself, so that one caller can serve many
//! algorithms and keep several requests in flight. Equal seeds and an equal order of asking and
//! telling give equal results, because all chance comes from one [`Rng`]. [`build`] makes an
//! algorithm by its [kind](AlgorithmKind). [`dominance`], [`fronts`], [`crowding`],
//! [`density`], [`preference`], [`strength`] and [`archive`] are parts of algorithms with several
//! objectives.
//!
//! ```
//! use crashback_search::{Algorithm, AlgorithmKind, Operators, Rng, Score, Settings, build};
//!
//! /// Numbers below a million.
//! struct Numbers;
//!
//! impl Operators for Numbers {
//!     type Individual = u32;
//!     fn random(&mut self, rng: &mut Rng, _progress: f64) -> u32 {
//!         rng.below(1_000_000) as u32
//!     }
//!     fn mutate(&mut self, number: &u32, rng: &mut Rng) -> u32 {
//!         number ^ (1 << rng.below(20))
//!     }
//!     fn cross_over(&mut self, first: &u32, second: &u32, _rng: &mut Rng) -> (u32, u32) {
//!         (first & !0xff | second & 0xff, second & !0xff | first & 0xff)
//!     }
//! }
//!
//! let wanted = 123_456;
//! let mut search = build(AlgorithmKind::GuidedGa, &Settings::default(), Rng::new(1), Vec::new());
//! let mut asked = Vec::new();
//! while !search.best().is_some_and(|best| best.score.is_solved()) {
//!     search.ask(&mut Numbers, 50, &mut asked);
//!     let score = |number: &u32| Score::new((number ^ wanted).count_ones().into(), 0.0);
//!     search.tell(&mut asked.drain(..).map(|number| (number, score(&number))));
//! }
//! assert_eq!(search.best().map(|best| best.individual), Some(wanted));
//! ```

mod algorithm;
mod algorithms;
pub mod archive;
pub mod crowding;
pub mod density;
mod dependence;
pub mod dominance;
pub mod fronts;
mod generation;
pub mod preference;
mod record;
mod rng;
mod score;
mod settings;
mod sorting;
pub mod strength;
mod supply;
mod vectors;
mod walk;
mod weights;

pub use algorithm::{Algorithm, Member, Operators, Progress};
pub use algorithms::{AlgorithmKind, UnknownAlgorithm, build};
pub use dependence::Dependence;
pub use rng::Rng;
pub use score::{Score, Values};
pub use settings::{
    AnnealingSettings, Decomposition, Density, Growth, HybridSettings, MoeadSettings, MosaSettings,
    PesaSettings, Selection, Settings,
};
