//! The studentized range distribution with infinitely many degrees of freedom: the range of several
//! standard normal variables.

use super::distribution::{normal_density, normal_tail};

/// The step of the integral. The trapezoidal rule converges exponentially for a smooth integrand
/// that vanishes at both ends; a quarter of this step changes no
/// probability by more than 2e-15, with up to 100 variables.
const STEP: f64 = 1.0 / 16.0;
/// The density of the normal distribution is about 1e-18 here.
const REACH: f64 = 9.0;

/// Halvings that narrow an interval of 64 down to 1e-13.
const HALVINGS: u32 = 50;

/// The probability that the range of `groups` standard normal variables is above `q`.
///
/// The range is at most q with probability k ∫ φ(z) (Φ(z) - Φ(z - q))^(k-1) dz, where z is the
/// largest variable. Taking that from k ∫ φ(z) Φ(z)^(k-1) dz = 1 under the integral, factor by
/// factor, keeps the digits of small probabilities.
pub fn studentized_range_tail(q: f64, groups: usize) -> f64 {
    if q.is_nan() || q <= 0.0 {
        return 1.0;
    }
    if groups < 2 || q.is_infinite() {
        return 0.0;
    }
    let steps = ((REACH.max(q / 2.0 + REACH) + REACH) / STEP).ceil() as usize;
    let integrand = |step: usize| {
        let z = step as f64 * STEP - REACH;
        let (below, out_of_range) = (normal_tail(-z), normal_tail(q - z));
        let within = (below - out_of_range).max(0.0);
        // below^(k-1) - within^(k-1), divided by below - within.
        let (sum, _) = (1..groups).fold((0.0, 1.0), |(sum, power), _| (sum * within + power, power * below));
        normal_density(z) * out_of_range * sum
    };
    let sum: f64 = (0..=steps).map(integrand).sum();
    (groups as f64 * STEP * sum).clamp(0.0, 1.0)
}

/// The range that is exceeded with a probability.
pub(super) fn studentized_range_quantile(probability: f64, groups: usize) -> f64 {
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if studentized_range_tail(middle, groups) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use super::*;

    #[test]
    fn of_two_variables_it_is_the_normal_distribution() {
        for q in [0.01, 0.5, 1.0, 2.0, 3.5, 7.0, 12.0] {
            let (actual, expected) = (studentized_range_tail(q, 2), 2.0 * normal_tail(q / SQRT_2));
            assert!((actual / expected - 1.0).abs() < 1e-12, "{q}: {actual:e} instead of {expected:e}");
        }
    }

    #[test]
    fn quantiles_are_those_of_demsar() {
        // "Statistical comparisons of classifiers over multiple data sets" (2006), table 5 (a), cut to
        // three digits.
        let table = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        for (groups, expected) in (2..).zip(table) {
            let actual = studentized_range_quantile(0.05, groups) / SQRT_2;
            assert!((actual - expected).abs() < 1.1e-3, "{groups}: {actual} instead of {expected}");
        }
    }

    #[test]
    fn it_is_never_nan() {
        for q in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1e-300, 30.0, 1e3, f64::INFINITY] {
            for groups in [0, 1, 2, 3, 20] {
                let tail = studentized_range_tail(q, groups);
                assert!((0.0..=1.0).contains(&tail), "{q} {groups}: {tail}");
            }
        }
    }
}
