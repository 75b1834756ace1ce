//! Bootstrapped confidence intervals of medians.

use crashback_search::Rng;
use serde::Serialize;

use super::distribution::normal_quantile;
use super::median;

/// Resamples of each interval, as in Soltani et al. (2020), section 3.7.2.
pub const RESAMPLES: usize = 100_000;

/// A confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end. That of a basic interval may lie below every value.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The basic bootstrap interval of the median at 95 %. None without values or with one that is not finite.
///
/// A resample draws as many values as there are, with replacement, and only its median counts. That
/// is found without drawing all values: those drawn are at the places ⌊n·U⌋ of the sorted values,
/// for n uniform U, and so the middle one is at ⌊n·U₍ₖ₎⌋ for the k-th smallest U. This has a beta
/// distribution and takes the same time for samples of any size. Of an even number of values the
/// next larger U follows: it is the smallest of the n - k that are above.
pub fn median_interval(values: &[f64], resamples: usize, rng: &mut Rng) -> Option<Interval> {
    let estimate = median(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let resampled: Vec<f64> = (0..resamples).filter_map(|_| resampled_median(&sorted, rng)).collect();
    basic_interval(estimate, resampled, 0.95)
}

/// The basic interval (Davison and Hinkley, "Bootstrap methods and their application", 1997, section
/// 5.2): quantiles of the resampled estimates, mirrored at the estimate. None without resamples.
pub fn basic_interval(estimate: f64, mut resampled: Vec<f64>, confidence: f64) -> Option<Interval> {
    resampled.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    let high = 2.0 * estimate - interpolated(&resampled, tail)?;
    let low = 2.0 * estimate - interpolated(&resampled, 1.0 - tail)?;
    (low <= high).then_some(Interval { low, high })
}

/// The quantile of sorted resamples at place (R + 1)·share, between neighbours by the quantiles of
/// the normal distribution (the same book, formula 5.8), as R's `boot.ci` does.
fn interpolated(sorted: &[f64], share: f64) -> Option<f64> {
    let places = sorted.len() as f64 + 1.0;
    let place = places * share;
    let below = place.floor();
    let (first, last) = (sorted.first()?, sorted.last()?);
    if below < 1.0 {
        return Some(*first);
    }
    let (Some(lower), Some(upper)) = (sorted.get(below as usize - 1), sorted.get(below as usize)) else {
        return Some(*last);
    };
    let start = normal_quantile(below / places);
    let width = normal_quantile((below + 1.0) / places) - start;
    Some(lower + (normal_quantile(share) - start) / width * (upper - lower))
}

/// The median of a sample drawn with replacement.
fn resampled_median(sorted: &[f64], rng: &mut Rng) -> Option<f64> {
    let count = sorted.len();
    let at = |place: f64| sorted.get(((place * count as f64) as usize).min(count - 1)).copied();
    let lower = count.div_ceil(2);
    let (below, above) = (gamma(lower, rng), gamma(count - lower + 1, rng));
    let place = below / (below + above);
    let value = at(place)?;
    if count % 2 == 1 {
        return Some(value);
    }
    let rest = (count - lower) as f64;
    let next = 1.0 - (1.0 - place) * (1.0 - rng.unit()).powf(1.0 / rest);
    Some(f64::midpoint(value, at(next)?))
}

/// A variable of the gamma distribution with a whole shape of at least 1 (Marsaglia and Tsang, "A
/// simple method for generating gamma variables", 2000).
fn gamma(shape: usize, rng: &mut Rng) -> f64 {
    let d = shape as f64 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = normal(rng);
        let cube = (1.0 + c * normal).powi(3);
        let accepts = |uniform: f64| uniform.ln() < 0.5 * normal * normal + d * (1.0 - cube + cube.ln());
        if cube > 0.0 && accepts(1.0 - rng.unit()) {
            return d * cube;
        }
    }
}

/// A standard normal variable (Marsaglia's polar method).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The median of a resample drawn value by value.
    fn drawn_in_full(values: &[f64], rng: &mut Rng) -> f64 {
        let drawn: Vec<f64> = values.iter().filter_map(|_| rng.pick(values).copied()).collect();
        median(&drawn).expect("values")
    }

    #[test]
    fn medians_of_resamples_are_distributed_as_if_drawn_in_full() {
        for count in [1_u32, 2, 3, 4, 7, 10, 31, 40] {
            let values: Vec<f64> = (0..count).map(|it| f64::from(it * it)).collect();
            let mut rng = Rng::new(u64::from(count));
            let draws = 20_000;
            let quick: Vec<f64> = (0..draws).filter_map(|_| resampled_median(&values, &mut rng)).collect();
            let full: Vec<f64> = (0..draws).map(|_| drawn_in_full(&values, &mut rng)).collect();
            // Kolmogorov and Smirnov: at equal distributions the distance is above 0.0195 in one case
            // of a thousand, and less often between distributions with steps.
            let share = |sample: &[f64], at: f64| {
                sample.iter().filter(|it| **it <= at).count() as f64 / f64::from(draws)
            };
            for at in quick.iter().take(200) {
                let distance = (share(&quick, *at) - share(&full, *at)).abs();
                assert!(distance < 0.0195, "{count} values: {distance} at {at}");
            }
        }
    }

    #[test]
    fn an_interval_surrounds_the_median_of_many_values() {
        let values: Vec<f64> = (0..1001).map(f64::from).collect();
        let interval = median_interval(&values, 4000, &mut Rng::new(1)).expect("an interval");
        // The median of n values has a standard deviation of about n / (2√n) places: 15.8.
        assert!((interval.low - 469.0).abs() < 4.0, "{interval:?}");
        assert!((interval.high - 531.0).abs() < 4.0, "{interval:?}");
    }

    #[test]
    fn degenerate_samples_have_degenerate_intervals() {
        let mut rng = Rng::new(0);
        assert_eq!(median_interval(&[], 100, &mut rng), None);
        assert_eq!(median_interval(&[1.0, f64::NAN], 100, &mut rng), None);
        assert_eq!(median_interval(&[1.0], 0, &mut rng), None);
        let point = Some(Interval { low: 4.0, high: 4.0 });
        assert_eq!(median_interval(&[4.0], 100, &mut rng), point);
        assert_eq!(median_interval(&[4.0; 6], 100, &mut rng), point);
    }
}
