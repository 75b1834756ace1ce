//! The statistics with which the field compares randomised searches: pure functions of numbers.
//!
//! Invariants: the module knows nothing of runs, crashes or stores; no function panics and none
//! gives NaN; a question without an answer (an empty sample, a NaN in it) gives none. Everything
//! but the bootstrap is without chance, and the bootstrap takes its generator as an argument.
//!
//! The choice follows Arcuri and Briand, "A hitchhiker's guide to statistical tests for assessing
//! randomized algorithms in software engineering" (2014), as the evaluations of crash reproduction
//! do: odds ratio and Fisher's exact test for successes, Â12 and Wilcoxon's rank-sum test for
//! effort, bootstrapped intervals for medians, Friedman's test with Nemenyi's for several
//! configurations.

mod bootstrap;
mod distribution;
mod effect_size;
mod friedman;
mod proportions;
mod quantiles;
mod rank_sum;
mod ranks;
mod studentized_range;

pub use bootstrap::{Interval, RESAMPLES, basic_interval, median_interval};
pub use distribution::{chi_square_tail, normal_tail};
pub use effect_size::{Magnitude, a12};
pub use friedman::{Friedman, friedman};
pub use proportions::{Proportion, fisher_exact, odds_ratio};
pub use quantiles::{median, quantile};
pub use rank_sum::{Method, RankSum, rank_sum};
pub use studentized_range::studentized_range_tail;
