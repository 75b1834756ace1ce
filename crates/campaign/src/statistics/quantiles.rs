//! Medians and other quantiles.

/// The middle value, or the mean of the two in the middle; none without values or with one that is
/// not finite.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted.get((sorted.len() - 1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}

/// The value below which a share of the values lies, with linear interpolation between neighbours:
/// the definition that R (type 7) and NumPy use by default. None without values or with one that is
/// not finite.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let sorted = sorted(values)?;
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let lower = *sorted.get(place as usize)?;
    let upper = *sorted.get(place as usize + 1).unwrap_or(&lower);
    Some(lower + place.fract() * (upper - lower))
}

/// The values in order; none if there are none or one is not finite.
fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || values.iter().any(|it| !it.is_finite()) {
        return None;
    }
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[f64::NAN]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0]), Some(5.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(quantile(&[7.0], 0.3), Some(7.0));
        assert_eq!(quantile(&[], 0.3), None);
    }
}
