//! Values that the papers print.

use crashback_campaign::statistics::{Magnitude, Proportion, a12, fisher_exact, odds_ratio, rank_sum};

/// Successes and runs of both, odds ratio, p-value: Xiang, "Fit2Crash" (2020), tables 5.3 and 5.4.
const TABLES: [([usize; 4], f64, f64); 12] = [
    ([1, 1, 0, 2], 15.0, 0.33333),
    ([30, 30, 29, 30], 3.1017, 1.0),
    ([29, 30, 27, 30], 2.5030, 0.61195),
    ([60, 129, 49, 135], 1.5212, 0.10460),
    ([30, 30, 30, 30], 1.0, 1.0),
    ([12, 30, 24, 30], 0.1793, 0.00333),
    ([3, 30, 0, 30], 7.7636, 0.23729),
    ([2, 30, 0, 30], 5.3509, 0.49153),
    ([1, 30, 0, 30], 3.1017, 1.0),
    ([11, 30, 6, 30], 2.2229, 0.25157),
    ([5, 30, 7, 30], 0.6758, 0.74805),
    ([18, 30, 21, 30], 0.6540, 0.58888),
];

#[test]
fn odds_ratios_and_fisher_are_those_of_the_thesis() {
    for ([a, n, b, m], ratio, p) in TABLES {
        let (left, right) = (Proportion::new(a, n), Proportion::new(b, m));
        assert!((odds_ratio(left, right) - ratio).abs() < 5.1e-5, "{a}/{n} against {b}/{m}");
        assert!((fisher_exact(left, right) - p).abs() < 5.1e-6, "{a}/{n} against {b}/{m}");
    }
}

#[test]
fn the_example_of_a12_is_that_of_the_thesis() {
    let (a, b) = ([20.0, 30.0, 40.0], [50.0, 27.0, 35.0, 52.0, 28.0]);
    let effect = a12(&a, &b).expect("values");
    assert!((effect - 0.3333).abs() < 5e-5, "{effect}");
    let test = rank_sum(&a, &b).expect("values");
    // U is 5 of 15; of the 56 orders of both samples 16 have a U of at most 5.
    assert_eq!(test.u, 5.0);
    assert!((test.p - 32.0 / 56.0).abs() < 1e-15, "{}", test.p);
}

#[test]
fn magnitudes_are_those_of_the_thesis() {
    // Tables 5.5 and 5.6.
    for (effect, expected) in [
        (0.1771, Magnitude::Large),
        (0.3356, Magnitude::Small),
        (0.4372, Magnitude::Negligible),
        (0.4630, Magnitude::Negligible),
        (0.5000, Magnitude::Negligible),
        (0.6194, Magnitude::Small),
        (0.6433, Magnitude::Small),
        (1.0000, Magnitude::Large),
        (0.3095, Magnitude::Medium),
        (0.4286, Magnitude::Negligible),
        (0.6800, Magnitude::Medium),
    ] {
        assert_eq!(Magnitude::of(effect), expected, "{effect}");
    }
}
