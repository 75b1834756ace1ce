//! Properties that hold for all data.

use crashback_campaign::statistics::{
    Method, Proportion, a12, basic_interval, fisher_exact, friedman, median, odds_ratio, quantile, rank_sum,
};
use proptest::prelude::*;

/// Samples with and without ties, and with infinite values.
fn sample() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        6 => (0_i32..12).prop_map(f64::from),
        6 => -1e9..1e9_f64,
        1 => Just(f64::INFINITY),
        1 => Just(-0.0),
    ];
    prop::collection::vec(value, 1..70)
}

fn finite() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1000.0..1000.0_f64, 1..90)
}

fn proportion() -> impl Strategy<Value = Proportion> {
    (0_usize..400, 0_usize..400).prop_map(|(a, b)| Proportion::new(a.min(b), a.max(b)))
}

fn blocks() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2_usize..7).prop_flat_map(|groups| {
        let block = prop::collection::vec((0_i32..6).prop_map(f64::from), groups);
        prop::collection::vec(block, 1..15)
    })
}

/// A change of scale that keeps the order.
fn stretched(values: &[f64]) -> Vec<f64> {
    values.iter().map(|it| it * 4.0).collect()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12
}

proptest! {
    #[test]
    fn a12_of_both_directions_adds_up_to_one(a in sample(), b in sample()) {
        let (one, other) = (a12(&a, &b).expect("values"), a12(&b, &a).expect("values"));
        prop_assert!(is_near(one + other, 1.0));
        prop_assert!((0.0..=1.0).contains(&one));
        prop_assert_eq!(a12(&a, &a), Some(0.5));
    }

    #[test]
    fn a12_is_the_share_of_pairs_in_which_the_first_is_larger(a in sample(), b in sample()) {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        let sum: f64 = pairs.map(|(x, y)| (f64::from(x > y) + f64::from(x >= y)) / 2.0).sum();
        prop_assert!(is_near(a12(&a, &b).expect("values"), sum / (a.len() * b.len()) as f64));
    }

    #[test]
    fn the_rank_sum_test_sees_only_the_order(a in sample(), b in sample()) {
        let test = rank_sum(&a, &b).expect("values");
        prop_assert!((0.0..=1.0).contains(&test.p));
        prop_assert_eq!(rank_sum(&stretched(&a), &stretched(&b)), Some(test));
        let mut backwards = a.clone();
        backwards.reverse();
        prop_assert_eq!(rank_sum(&backwards, &b), Some(test));
        let other = rank_sum(&b, &a).expect("values");
        prop_assert!(is_near(other.p, test.p), "{} {}", other.p, test.p);
        prop_assert!(is_near(other.u + test.u, (a.len() * b.len()) as f64));
    }

    #[test]
    fn fisher_and_odds_are_symmetric(a in proportion(), b in proportion()) {
        let p = fisher_exact(a, b);
        prop_assert!((0.0..=1.0).contains(&p));
        prop_assert!(is_near(fisher_exact(b, a), p));
        let failures = |it: Proportion| {
            Proportion::new((it.runs() - it.successes()) as usize, it.runs() as usize)
        };
        prop_assert!(is_near(fisher_exact(failures(a), failures(b)), p));
        let ratio = odds_ratio(a, b);
        prop_assert!(ratio.is_finite() && ratio > 0.0);
        prop_assert!((odds_ratio(b, a) * ratio - 1.0).abs() < 1e-12);
        prop_assert!((odds_ratio(failures(a), failures(b)) * ratio - 1.0).abs() < 1e-12);
        prop_assert!(is_near(fisher_exact(a, a), 1.0));
    }

    #[test]
    fn friedman_knows_no_order_of_blocks_or_configurations(blocks in blocks()) {
        let test = friedman(&blocks).expect("blocks");
        let groups = test.mean_ranks.len();
        prop_assert!((0.0..=1.0).contains(&test.p) && test.statistic >= 0.0);
        prop_assert!(is_near(test.mean_ranks.iter().sum(), (groups * (groups + 1)) as f64 / 2.0));
        let turned: Vec<Vec<f64>> =
            blocks.iter().rev().map(|block| stretched(block).into_iter().rev().collect()).collect();
        let other = friedman(&turned).expect("blocks");
        prop_assert!((other.statistic - test.statistic).abs() < 1e-9 && (other.p - test.p).abs() < 1e-9);
        for i in 0..groups {
            prop_assert!(is_near(test.nemenyi(i, i).expect("a pair"), 1.0));
            for j in 0..groups {
                let p = test.nemenyi(i, j).expect("a pair");
                prop_assert!((0.0..=1.0).contains(&p));
                prop_assert_eq!(test.nemenyi(j, i), Some(p));
                let turned = other.nemenyi(groups - 1 - i, groups - 1 - j).expect("a pair");
                prop_assert!((turned - p).abs() < 1e-9);
            }
        }
        prop_assert_eq!(test.nemenyi(0, groups), None);
    }

    #[test]
    fn quantiles_stay_within_the_values(values in finite(), share in 0.0..1.0) {
        let at = quantile(&values, share).expect("values");
        prop_assert!(values.iter().any(|it| *it <= at + 1e-6) && values.iter().any(|it| *it >= at - 1e-6));
        let (middle, half) = (median(&values).expect("values"), quantile(&values, 0.5).expect("values"));
        prop_assert!((middle - half).abs() < 1e-9);
    }

    #[test]
    fn intervals_move_with_the_values(resampled in finite(), by in -50.0..50.0_f64) {
        let interval = basic_interval(1.0, resampled.clone(), 0.95).expect("resamples");
        prop_assert!(interval.low <= interval.high);
        let moved = resampled.iter().map(|it| it + by).collect();
        let moved = basic_interval(1.0 + by, moved, 0.95).expect("resamples");
        prop_assert!((moved.low - interval.low - by).abs() < 1e-9);
        prop_assert!((moved.high - interval.high - by).abs() < 1e-9);
    }
}

proptest! {
    // Each case looks for a critical difference, which takes its time.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn nemenyi_is_significant_beyond_the_critical_difference(blocks in blocks()) {
        let test = friedman(&blocks).expect("blocks");
        let limit = test.critical_difference(0.05);
        let difference = (test.mean_ranks[0] - test.mean_ranks[1]).abs();
        prop_assume!((difference - limit).abs() > 1e-9);
        prop_assert_eq!(test.nemenyi(0, 1).expect("a pair") < 0.05, difference > limit);
    }
}

#[test]
fn questions_without_an_answer_get_none() {
    let some = [1.0, 2.0];
    for bad in [&[][..], &[f64::NAN], &[1.0, f64::NAN]] {
        for (a, b) in [(bad, &some[..]), (&some[..], bad), (bad, bad)] {
            assert_eq!(a12(a, b), None, "{a:?} {b:?}");
            assert_eq!(rank_sum(a, b), None, "{a:?} {b:?}");
        }
        assert_eq!(median(bad), None);
        assert_eq!(quantile(bad, 0.5), None);
        assert_eq!(friedman(&[bad.to_vec()]), None);
    }
    assert_eq!(median(&[f64::NEG_INFINITY, f64::INFINITY]), None);
    assert_eq!(friedman(&[]), None);
    assert_eq!(friedman(&[vec![1.0]]), None);
    assert_eq!(friedman(&[vec![1.0, 2.0], vec![1.0]]), None);
    assert_eq!(basic_interval(1.0, Vec::new(), 0.95), None);
}

#[test]
fn equal_values_show_no_difference() {
    let test = rank_sum(&[4.0; 9], &[4.0; 60]).expect("values");
    assert_eq!((test.p, test.method), (1.0, Method::Normal));
    assert_eq!(rank_sum(&[4.0], &[4.0]).map(|it| it.p), Some(1.0));
    let ranking = friedman(&vec![vec![2.0; 4]; 5]).expect("blocks");
    assert_eq!((ranking.statistic, ranking.p), (0.0, 1.0));
    assert_eq!(ranking.nemenyi(0, 3), Some(1.0));
    let none = Proportion::new(0, 0);
    assert_eq!((fisher_exact(none, none), odds_ratio(none, none)), (1.0, 1.0));
    assert_eq!(fisher_exact(none, Proportion::new(3, 9)), 1.0);
    assert_eq!(none.share(), None);
    assert_eq!(Proportion::new(9, 3), Proportion::new(3, 3));
}

#[test]
fn large_tables_neither_overflow_nor_vanish() {
    let (all, none) = (Proportion::new(100_000, 100_000), Proportion::new(0, 100_000));
    assert!(fisher_exact(all, none) < 1e-300);
    assert!(
        (fisher_exact(Proportion::new(50_000, 100_000), Proportion::new(50_000, 100_000)) - 1.0).abs() < 1e-9
    );
}
