//! The cost of algorithms beside running what they ask for: time for each individual that is asked
//! and told, against the guided genetic algorithm in the same run, on plateaus and on trade-offs and
//! with few objectives and many.
//!
//! Usage: `algorithms [INDIVIDUALS]`.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::time::Instant;

use crashback_search::{AlgorithmKind, Operators, Rng, Score, Settings, build};

/// Individuals without content: only the algorithm costs anything.
struct Empty;

impl Operators for Empty {
    type Individual = ();

    fn random(&mut self, _: &mut Rng, _: f64) {}

    fn mutate(&mut self, (): &(), _: &mut Rng) {}

    fn cross_over(&mut self, (): &(), (): &(), _: &mut Rng) -> ((), ()) {
        ((), ())
    }
}

/// A kind of scores.
struct Landscape {
    name: &'static str,
    objectives: usize,
    /// How many different values an objective has.
    values: usize,
}

const LANDSCAPES: &[Landscape] = &[
    Landscape { name: "1 objective, plateaus", objectives: 1, values: 3 },
    Landscape { name: "3 objectives, plateaus", objectives: 3, values: 3 },
    Landscape { name: "3 objectives, trade-offs", objectives: 3, values: 1_000_000 },
    Landscape { name: "50 objectives, plateaus", objectives: 50, values: 3 },
    Landscape { name: "200 objectives, trade-offs", objectives: 200, values: 1_000_000 },
];

fn main() {
    let individuals = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(50_000);
    for landscape in LANDSCAPES {
        println!("{}", landscape.name);
        let baseline = seconds(AlgorithmKind::GuidedGa, landscape, individuals);
        for kind in AlgorithmKind::ALL {
            let taken = seconds(*kind, landscape, individuals);
            let each = taken * 1e6 / individuals as f64;
            println!(
                "  {kind:14} {each:8.2} µs for each individual, {:7.2} times guided-ga",
                taken / baseline
            );
        }
    }
}

/// The time in which an algorithm asks for individuals and is told all of them. Making up scores takes
/// part of it, which is the same for all.
fn seconds(kind: AlgorithmKind, landscape: &Landscape, individuals: usize) -> f64 {
    let mut rng = Rng::new(1);
    let mut search = build(kind, &Settings::default(), Rng::new(2), Vec::new());
    let (mut asked, mut told) = (Vec::new(), 0);
    let start = Instant::now();
    while told < individuals {
        search.ask(&mut Empty, 50, &mut asked);
        told += asked.len();
        let score = |rng: &mut Rng| {
            let value = |rng: &mut Rng| 1.0 + rng.below(landscape.values) as f64;
            let objectives = (0..landscape.objectives).map(|_| value(rng)).collect();
            Score { distance: value(rng), objectives, secondary: value(rng), cost: 0 }
        };
        search.tell(&mut asked.drain(..).map(|()| ((), score(&mut rng))));
    }
    start.elapsed().as_secs_f64()
}
