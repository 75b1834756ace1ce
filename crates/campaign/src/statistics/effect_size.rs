//! Vargha and Delaney's Â12.

use serde::Serialize;

use super::ranks::rank_together;

/// How large a difference is.
///
/// The limits are those of R's package `effsize`, with which the evaluations of crash reproduction
/// were made: |2·Â12 - 1| from 0.147, 0.33 and 0.474 on (Hess and Kromrey, 2004, for Cliff's delta,
/// which equals 2·Â12 - 1). Vargha and Delaney themselves drew them at 0.56, 0.64 and 0.71.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Magnitude {
    /// Not worth mentioning.
    Negligible,
    /// |2·Â12 - 1| is at least 0.147.
    Small,
    /// At least 0.33.
    Medium,
    /// At least 0.474.
    Large,
}

impl Magnitude {
    /// The magnitude of an Â12.
    pub fn of(a12: f64) -> Self {
        match (2.0 * a12 - 1.0).abs() {
            delta if delta >= 0.474 => Self::Large,
            delta if delta >= 0.33 => Self::Medium,
            delta if delta >= 0.147 => Self::Small,
            _ => Self::Negligible,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// The probability that a value of `a` is larger than one of `b`, ties counted half: 0.5 if neither
/// tends to be larger, below 0.5 if `a` tends to be smaller. None if one of the samples is empty or
/// has a NaN.
///
/// Vargha and Delaney, "A critique and improvement of the CL common language effect size statistics
/// of McGraw and Wong" (2000): (R₁/m - (m + 1)/2) / n, where R₁ is the sum of the ranks of `a`.
pub fn a12(a: &[f64], b: &[f64]) -> Option<f64> {
    let (sum, _) = rank_together(a, b)?;
    let (m, n) = (a.len() as f64, b.len() as f64);
    // Pairs in which `a` is larger: a whole or half number, so that the division alone rounds.
    Some((sum - m * (m + 1.0) / 2.0) / (m * n))
}
