//! Textbook problems over real numbers between 0 and 1, with the operators with which they are
//! usually solved, and the hypervolume of fronts.

use std::f64::consts::PI;

use crashback_search::{Operators, Rng, Score};

use crate::problems::Problem;

/// Vectors of numbers between 0 and 1.
#[derive(Clone, Copy)]
pub(crate) struct Real {
    pub(crate) name: &'static str,
    variables: usize,
    objectives: fn(&[f64]) -> Vec<f64>,
    /// The hypervolume of the whole front, or somewhat more.
    pub(crate) optimum: f64,
}

/// Problems of Zitzler, Deb, Thiele: Comparison of Multiobjective Evolutionary Algorithms, 2000.
pub(crate) const ZDT1: Real = Real {
    name: "zdt1",
    variables: 30,
    objectives: |x| zdt(x, |share, _| 1.0 - share.sqrt()),
    optimum: 0.21 + 2.0 / 3.0,
};
pub(crate) const ZDT2: Real = Real {
    name: "zdt2",
    variables: 30,
    objectives: |x| zdt(x, |share, _| 1.0 - share * share),
    optimum: 0.21 + 1.0 / 3.0,
};
pub(crate) const ZDT3: Real = Real {
    name: "zdt3",
    variables: 30,
    objectives: |x| zdt(x, |share, first| 1.0 - share.sqrt() - share * (10.0 * PI * first).sin()),
    optimum: 1.33,
};

/// The second problem of Deb, Thiele, Laumanns, Zitzler: Scalable Multi-Objective Optimization Test
/// Problems, 2002, with three objectives. Its front is an eighth of a sphere.
pub(crate) const DTLZ2: Real =
    Real { name: "dtlz2", variables: 12, objectives: dtlz2, optimum: 1.331 - PI / 6.0 };

fn zdt(x: &[f64], shape: fn(f64, f64) -> f64) -> Vec<f64> {
    let rest = x[1..].iter().sum::<f64>() / (x.len() - 1) as f64;
    let scale = 1.0 + 9.0 * rest;
    vec![x[0], scale * shape(x[0] / scale, x[0])]
}

fn dtlz2(x: &[f64]) -> Vec<f64> {
    let scale = 1.0 + x[2..].iter().map(|it| (it - 0.5) * (it - 0.5)).sum::<f64>();
    let (first, second) = (x[0] * PI / 2.0, x[1] * PI / 2.0);
    vec![scale * first.cos() * second.cos(), scale * first.cos() * second.sin(), scale * first.sin()]
}

/// The distribution indices of the operators.
const CROSSOVER_INDEX: f64 = 15.0;
const MUTATION_INDEX: f64 = 20.0;

impl Operators for Real {
    type Individual = Vec<f64>;

    fn random(&mut self, rng: &mut Rng, _: f64) -> Vec<f64> {
        (0..self.variables).map(|_| rng.unit()).collect()
    }

    /// Polynomial mutation.
    fn mutate(&mut self, individual: &Vec<f64>, rng: &mut Rng) -> Vec<f64> {
        let rate = 1.0 / individual.len() as f64;
        let power = 1.0 / (MUTATION_INDEX + 1.0);
        let mutate = |value: f64, rng: &mut Rng| {
            let chance = rng.unit();
            let step = if chance <= 0.5 {
                let room = (1.0 - value).powf(MUTATION_INDEX + 1.0);
                (2.0 * chance + (1.0 - 2.0 * chance) * room).powf(power) - 1.0
            } else {
                let room = value.powf(MUTATION_INDEX + 1.0);
                1.0 - (2.0 * (1.0 - chance) + 2.0 * (chance - 0.5) * room).powf(power)
            };
            (value + step).clamp(0.0, 1.0)
        };
        individual.iter().map(|it| if rng.chance(rate) { mutate(*it, rng) } else { *it }).collect()
    }

    /// Simulated binary crossover.
    fn cross_over(&mut self, first: &Vec<f64>, second: &Vec<f64>, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
        let (mut one, mut other) = (first.clone(), second.clone());
        for (left, right) in one.iter_mut().zip(&mut other) {
            let (low, high) = (left.min(*right), left.max(*right));
            if !rng.chance(0.5) || high - low <= 1e-14 {
                continue;
            }
            let chance = rng.unit();
            let spread = |room: f64| {
                let alpha = 2.0 - (1.0 + 2.0 * room / (high - low)).powf(-(CROSSOVER_INDEX + 1.0));
                let base = if chance <= 1.0 / alpha { chance * alpha } else { 1.0 / (2.0 - chance * alpha) };
                base.powf(1.0 / (CROSSOVER_INDEX + 1.0))
            };
            let lower = 0.5 * (low + high - spread(low) * (high - low));
            let upper = 0.5 * (low + high + spread(1.0 - high) * (high - low));
            let (lower, upper) = (lower.clamp(0.0, 1.0), upper.clamp(0.0, 1.0));
            (*left, *right) = if rng.chance(0.5) { (lower, upper) } else { (upper, lower) };
        }
        (one, other)
    }
}

impl Problem for Real {
    fn score(&mut self, individual: &Vec<f64>) -> Score {
        let objectives = (self.objectives)(individual).into_iter().collect();
        Score { objectives, ..Score::new(1.0, 0.0) }
    }
}

/// The volume between vectors of two or three objectives and the point whose objectives are all 1.1.
pub(crate) fn hypervolume(vectors: &[Vec<f64>]) -> f64 {
    let mut inside: Vec<&[f64]> =
        vectors.iter().map(Vec::as_slice).filter(|it| it.iter().all(|value| *value < 1.1)).collect();
    inside.sort_by(|left, right| left.last().unwrap().total_cmp(right.last().unwrap()));
    let mut volume = 0.0;
    for (number, vector) in inside.iter().enumerate() {
        let next = inside.get(number + 1).map_or(1.1, |it| it[it.len() - 1]);
        let below = &inside[..=number];
        let area = if vector.len() == 2 {
            1.1 - below.iter().map(|it| it[0]).fold(1.1, f64::min)
        } else {
            area(below)
        };
        volume += area * (next - vector[vector.len() - 1]);
    }
    volume
}

/// The area of the first two objectives.
fn area(vectors: &[&[f64]]) -> f64 {
    let mut sorted = vectors.to_vec();
    sorted.sort_by(|left, right| left[0].total_cmp(&right[0]));
    let (mut area, mut lowest) = (0.0, 1.1);
    for vector in sorted {
        if vector[1] < lowest {
            area += (1.1 - vector[0]) * (lowest - vector[1]);
            lowest = vector[1];
        }
    }
    area
}

#[test]
fn volumes_are_those_worked_out_by_hand() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    near(hypervolume(&[vec![0.1, 0.6], vec![0.6, 0.1], vec![0.7, 0.7], vec![2.0, 0.0]]), 0.75);
    near(hypervolume(&[vec![0.1, 0.1, 0.1]]), 1.0);
    near(hypervolume(&[vec![0.1, 0.6, 0.1], vec![0.6, 0.1, 0.1], vec![0.1, 0.1, 0.6]]), 0.875);
    assert_eq!(hypervolume(&[]), 0.0);
}
