//! Subvector dominance (Köppen, Yoshida: Substitute Distance Assignments in NSGA-II for Handling
//! Many-Objective Optimization Problems, 2007): how vectors of one front are told apart where there
//! are too many objectives for [crowding](crate::crowding) to say anything.

use crate::vectors::Vectors;

/// For each vector of a front, the least number of objectives in which it is better than another
/// vector of the front; the larger, the better. A vector without others is
/// infinitely far.
///
/// NaN and missing objectives count as infinite. Takes time in O(m n²).
pub fn subvector_dominance<V: AsRef<[f64]>>(front: &[V]) -> Vec<f64> {
    let vectors = Vectors::of(front);
    among(&vectors, &(0..vectors.count()).collect::<Vec<_>>())
}

/// The measure within a front that is given by the places of its vectors.
pub(crate) fn among(vectors: &Vectors, front: &[usize]) -> Vec<f64> {
    let mut least = vec![u32::MAX; front.len()];
    for (number, place) in front.iter().enumerate() {
        let row = vectors.row(*place);
        let (before, rest) = least.split_at_mut(number);
        let Some(own) = rest.first_mut() else { continue };
        for (other, place) in before.iter_mut().zip(front) {
            let pairs = row.iter().zip(vectors.row(*place));
            // Sums instead of branches, which the compiler turns into vector instructions.
            let (better, worse) = pairs.fold((0_u32, 0_u32), |(better, worse), (value, other)| {
                (better + u32::from(value < other), worse + u32::from(value > other))
            });
            *own = better.min(*own);
            *other = worse.min(*other);
        }
    }
    least.into_iter().map(|it| if it == u32::MAX { f64::INFINITY } else { f64::from(it) }).collect()
}
