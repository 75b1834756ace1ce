//! Tails of the normal and of the chi-square distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// From here on the continued fraction of erfc converges quickly; below, the series of erf loses at
/// most three of its sixteen digits when it is taken from 1.
const SERIES_BELOW: f64 = 2.0;
/// The tail above this is below the smallest double.
const FARTHEST: f64 = 40.0;
/// Halvings that narrow an interval of 40 down to the spacing of doubles.
const HALVINGS: u32 = 64;

/// The probability that a standard normal variable is above `z`, to about 13 digits in relative
/// terms.
pub fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z * FRAC_1_SQRT_2)
}

/// The density of the standard normal distribution.
pub(super) fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The value below which a standard normal variable lies with a probability; infinite at 0 and 1.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    if probability <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let (mut near, mut far) = (0.0, FARTHEST);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(near, far);
        if normal_tail(middle) > probability {
            near = middle;
        } else {
            far = middle;
        }
    }
    -f64::midpoint(near, far)
}

/// The probability that a chi-square variable with whole degrees of freedom is above `x`.
///
/// The tail for d + 2 degrees is that for d and (x/2)^(d/2) e^(-x/2) / Γ(d/2 + 1); that for one
/// degree is erfc(√(x/2)), that for two e^(-x/2). All terms are positive, so no digits are lost.
pub fn chi_square_tail(x: f64, degrees: usize) -> f64 {
    if degrees == 0 {
        return if x < 0.0 { 1.0 } else { 0.0 };
    }
    if x <= 0.0 || x.is_nan() {
        return 1.0;
    }
    let half = x / 2.0;
    let is_odd = !degrees.is_multiple_of(2);
    let (mut tail, mut term, mut next) = if is_odd {
        (erfc(half.sqrt()), (-half).exp() * half.sqrt() * 2.0 / PI.sqrt(), 1.5)
    } else {
        ((-half).exp(), (-half).exp() * half, 2.0)
    };
    for _ in 0..(degrees - 1) / 2 {
        tail += term;
        term *= half / next;
        next += 1.0;
    }
    tail.min(1.0)
}

/// The complementary error function.
fn erfc(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return if x.is_nan() { 1.0 } else { 2.0 - erfc(-x) };
    }
    if x < SERIES_BELOW { 1.0 - erf_series(x) } else { erfc_fraction(x) }
}

/// erf(x) = 2/√π · e^(-x²) · (x + 2x³/3 + 4x⁵/15 + …), whose terms are all positive (Abramowitz and
/// Stegun, 7.1.6).
fn erf_series(x: f64) -> f64 {
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term > sum * f64::EPSILON / 4.0 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// erfc(x) = e^(-x²)/√π · 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))) (Abramowitz and Stegun,
/// 7.1.14), from the innermost fraction outwards.
fn erfc_fraction(x: f64) -> f64 {
    // The error after N fractions is about e^(-2x√(2N)): below the last digit of a double for
    // N = 171/x².
    let fractions = (200.0 / (x * x)) as u32 + 10;
    let fraction = (1..=fractions).rev().fold(x, |inner, number| x + f64::from(number) / 2.0 / inner);
    (-x * x).exp() / (PI.sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(actual: f64, expected: f64) -> bool {
        (actual - expected).abs() <= 1e-13 * expected.abs()
    }

    #[test]
    fn tails_agree_with_tables_on_both_sides_of_the_switch() {
        // Figures of mpmath with 30 digits.
        for (x, expected) in [
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (1.999_999, 0.004_677_755_648_073_953),
            (2.0, 0.004_677_734_981_047_266),
            (5.0, 1.537_459_794_428_035e-12),
            (10.0, 2.088_487_583_762_545e-45),
        ] {
            assert!((erfc(x) - expected).abs() <= 1e-12 * expected, "erfc({x}) = {:e}", erfc(x));
        }
        assert_eq!(erfc(-10.0), 2.0);
    }

    #[test]
    fn quantiles_undo_tails() {
        for probability in [1e-12, 0.001, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999] {
            let z = normal_quantile(probability);
            assert!(is_near(normal_tail(-z), probability), "{probability}: {z}");
        }
        assert!(is_near(normal_quantile(0.975), 1.959_963_984_540_054_2));
        assert!(normal_quantile(0.0).is_infinite() && normal_quantile(1.0).is_infinite());
    }

    #[test]
    fn the_chi_square_tail_has_its_closed_forms() {
        assert!(is_near(chi_square_tail(3.0, 2), (-1.5_f64).exp()));
        assert!(is_near(chi_square_tail(4.0, 4), (-2.0_f64).exp() * 3.0));
        assert!(is_near(chi_square_tail(1.7, 1), 2.0 * normal_tail(1.7_f64.sqrt())));
        assert_eq!(chi_square_tail(0.0, 3), 1.0);
        assert_eq!(chi_square_tail(f64::MAX, 3), 0.0);
    }

    #[test]
    fn no_tail_is_nan() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
            for degrees in 0..6 {
                assert!((0.0..=1.0).contains(&chi_square_tail(x, degrees)), "{x} {degrees}");
            }
            assert!((0.0..=1.0).contains(&normal_tail(x)), "{x}");
        }
    }
}
