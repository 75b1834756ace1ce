use crate::Rng;

/// Weight vectors for a number of objectives, spread over the simplex: a lattice as far as one fits
/// (Zhang, Li: MOEA/D, 2007, section IV B), the others at random.
///
/// With many objectives, where even the smallest lattice with something inside the simplex has too
/// many points, all but the vectors of single objectives and the one in the middle are random.
pub(crate) fn spread(objectives: usize, count: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let objectives = objectives.max(1);
    let mut weights = Vec::with_capacity(count);
    let divisions = (2..=count).take_while(|it| points(objectives, *it) <= count).last();
    match divisions {
        Some(divisions) if objectives > 1 => lattice(objectives, divisions, &mut Vec::new(), &mut weights),
        _ => {
            weights.push(vec![1.0 / objectives as f64; objectives]);
            let single = |number| (0..objectives).map(|it| f64::from(u8::from(it == number))).collect();
            weights.extend((0..objectives).map(single));
            weights.truncate(count);
        }
    }
    while weights.len() < count {
        weights.push(random(objectives, rng));
    }
    weights
}

/// How many points a lattice has: ways to deal out the divisions to the objectives.
fn points(objectives: usize, divisions: usize) -> usize {
    let factors = (1..objectives).map(|it| (divisions + it) as f64 / it as f64);
    // Larger numbers are all the same: too large.
    factors.product::<f64>().round().min(1e18) as usize
}

/// Appends all vectors that begin with some parts and deal out the divisions that are left.
fn lattice(objectives: usize, divisions: usize, parts: &mut Vec<usize>, weights: &mut Vec<Vec<f64>>) {
    let left = divisions - parts.iter().sum::<usize>();
    if parts.len() + 1 == objectives {
        let all = parts.iter().chain([&left]);
        weights.push(all.map(|part| *part as f64 / divisions as f64).collect());
        return;
    }
    for part in 0..=left {
        parts.push(part);
        lattice(objectives, divisions, parts, weights);
        parts.pop();
    }
}

/// A vector that may lie anywhere on the simplex, each place being as likely.
fn random(objectives: usize, rng: &mut Rng) -> Vec<f64> {
    let weights: Vec<f64> = (0..objectives).map(|_| -(1.0 - rng.unit()).ln()).collect();
    let sum: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// For each vector the nearest ones, itself first: `count` of them.
pub(crate) fn neighbours(weights: &[Vec<f64>], count: usize) -> Vec<Vec<usize>> {
    let count = count.clamp(1, weights.len().max(1));
    let nearest = |own: &Vec<f64>| {
        let distance = |other: &Vec<f64>| -> f64 {
            own.iter().zip(other).map(|(left, right)| (left - right) * (left - right)).sum()
        };
        let mut all: Vec<(f64, usize)> = weights.iter().map(distance).zip(0..).collect();
        all.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        all.into_iter().take(count).map(|(_, place)| place).collect()
    };
    weights.iter().map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_lattices_where_these_fit() {
        let mut rng = Rng::new(1);
        let two = spread(2, 5, &mut rng);
        assert_eq!(two, [[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]);
        assert_eq!(spread(3, 91, &mut rng.clone()).last(), Some(&vec![1.0, 0.0, 0.0]));
        assert_eq!(spread(3, 91, &mut rng), spread(3, 100, &mut rng)[..91]);
        assert_eq!(spread(1, 3, &mut rng), [[1.0], [1.0], [1.0]]);
    }

    #[test]
    fn weights_add_up_to_one_for_any_numbers() {
        let mut rng = Rng::new(1);
        for objectives in [1, 2, 3, 5, 10, 50, 200] {
            for count in [1, 2, 3, 20, 100, 600] {
                let weights = spread(objectives, count, &mut rng);
                assert_eq!(weights.len(), count);
                for vector in weights {
                    assert_eq!(vector.len(), objectives);
                    assert!((vector.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{vector:?}");
                    assert!(vector.iter().all(|it| (0.0..=1.0).contains(it)));
                }
            }
        }
    }

    #[test]
    fn neighbours_are_the_nearest() {
        let weights = spread(2, 5, &mut Rng::new(1));
        let all = neighbours(&weights, 3);
        assert_eq!(all, [[0, 1, 2], [1, 0, 2], [2, 1, 3], [3, 2, 4], [4, 3, 2]]);
        assert_eq!(neighbours(&weights, 0)[3], [3]);
        assert_eq!(neighbours(&weights, 99)[0].len(), 5);
    }
}
