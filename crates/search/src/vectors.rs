use std::cmp::Ordering;

use crate::score::number;

/// Vectors of objectives as algorithms compare them: of one length and without NaN, in one piece of
/// memory, so that comparisons neither allocate nor look twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vectors {
    width: usize,
    count: usize,
    values: Vec<f64>,
}

impl Vectors {
    /// The objectives of all vectors; missing ones are infinite.
    pub(crate) fn of<V: AsRef<[f64]>>(vectors: &[V]) -> Self {
        let width = width(vectors);
        let mut clean =
            Self { width, count: vectors.len(), values: Vec::with_capacity(width * vectors.len()) };
        for vector in vectors {
            let vector = vector.as_ref();
            clean.values.extend(vector.iter().copied().map(number));
            clean.values.extend(std::iter::repeat_n(f64::INFINITY, width - vector.len()));
        }
        clean
    }

    /// Vectors of a width, each of which `row` appends for its place.
    pub(crate) fn new(width: usize, count: usize, row: impl Fn(usize, &mut Vec<f64>)) -> Self {
        let mut values = Vec::with_capacity(width * count);
        for place in 0..count {
            row(place, &mut values);
            values.resize(width * (place + 1), f64::INFINITY);
        }
        values.iter_mut().for_each(|value| *value = number(*value));
        Self { width, count, values }
    }

    /// How many vectors there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How many objectives each vector has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The vector at a place.
    pub(crate) fn row(&self, place: usize) -> &[f64] {
        let start = place * self.width;
        self.values.get(start..start + self.width).unwrap_or_default()
    }

    /// The lexicographic order of two vectors, in which none is dominated by a later one.
    pub(crate) fn compare(&self, left: usize, right: usize) -> Ordering {
        self.row(left).partial_cmp(self.row(right)).unwrap_or(Ordering::Equal)
    }

    /// One objective of the vector at a place.
    pub(crate) fn value(&self, place: usize, objective: usize) -> f64 {
        self.row(place).get(objective).copied().unwrap_or(f64::INFINITY)
    }

    /// The vectors with each objective as a share of the range of its finite values, so that
    /// objectives of different kinds can be added up. An infinite objective is a whole range worse
    /// than the worst finite one.
    pub(crate) fn scaled(&self) -> Self {
        let mut ranges = Ranges::new(self.width);
        for place in 0..self.count {
            ranges.add(self.row(place));
        }
        let mut scaled = self.clone();
        for row in scaled.values.chunks_mut(self.width.max(1)) {
            ranges.scale(row);
        }
        scaled
    }
}

/// The most objectives that one of the vectors has.
pub(crate) fn width<V: AsRef<[f64]>>(vectors: &[V]) -> usize {
    vectors.iter().map(|vector| vector.as_ref().len()).max().unwrap_or(0)
}

/// The ranges of the finite values of objectives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// The least and the largest value; none yet if the first is the larger.
    bounds: Vec<(f64, f64)>,
}

impl Ranges {
    /// Ranges without values.
    pub(crate) fn new(width: usize) -> Self {
        Self { bounds: vec![(f64::INFINITY, f64::NEG_INFINITY); width] }
    }

    /// Extends the ranges to the objectives of a vector.
    pub(crate) fn add(&mut self, vector: &[f64]) {
        for ((least, most), value) in self.bounds.iter_mut().zip(vector).filter(|(_, it)| it.is_finite()) {
            *least = least.min(*value);
            *most = most.max(*value);
        }
    }

    /// How far the range of an objective reaches; 1 if it has one value or none.
    pub(crate) fn length(&self, place: usize) -> f64 {
        let length = self.bounds.get(place).map_or(1.0, |(least, most)| most - least);
        if length > 0.0 && length.is_finite() { length } else { 1.0 }
    }

    /// Makes each objective a share of its range.
    pub(crate) fn scale(&self, vector: &mut [f64]) {
        for (place, value) in vector.iter_mut().enumerate() {
            *value = self.share(place, *value);
        }
    }

    /// The value of an objective as a share of its range; 2 and -1 if it is infinite, and 0 where
    /// there is one value alone.
    pub(crate) fn share(&self, place: usize, value: f64) -> f64 {
        let (least, most) = self.bounds.get(place).copied().unwrap_or((0.0, 0.0));
        if value == f64::INFINITY {
            2.0
        } else if value == f64::NEG_INFINITY {
            -1.0
        } else if most > least {
            // Halves, so that the difference of huge values is finite.
            (value / 2.0 - least / 2.0) / (most / 2.0 - least / 2.0)
        } else {
            0.0
        }
    }
}
