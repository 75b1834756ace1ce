//! The generator: its values are part of the interface, because recorded results hang on them.

use crashback_search::Rng;

#[test]
fn values_never_change() {
    let mut rng = Rng::new(42);
    let words: Vec<u64> = (0..3).map(|_| rng.word()).collect();
    assert_eq!(words, [15_021_278_609_987_233_951, 5_881_210_131_331_364_753, 18_149_643_915_985_481_100]);
}

#[test]
fn numbers_lie_below_their_bound_and_all_occur() {
    let mut rng = Rng::new(1);
    let mut seen = [0_u32; 7];
    for _ in 0..7_000 {
        seen[rng.below(7)] += 1;
    }
    assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
    assert_eq!(rng.below(0), 0);
    assert_eq!(rng.pick::<u8>(&[]), None);
}

#[test]
fn chances_are_kept() {
    let mut rng = Rng::new(2);
    assert!((0..1_000).all(|_| !rng.chance(0.0) && rng.chance(1.0)));
    let hits = (0..10_000).filter(|_| rng.chance(0.3)).count();
    assert!((2_800..3_200).contains(&hits), "{hits}");
    assert!((0..1_000).map(|_| rng.unit()).all(|unit| (0.0..1.0).contains(&unit)));
}

#[test]
fn a_fork_goes_its_own_way() {
    let (mut left, mut right) = (Rng::new(3), Rng::new(3));
    let mut fork = left.fork();
    for _ in 0..10 {
        fork.word();
    }
    let _ = right.fork();
    assert_eq!(left, right);
    assert_ne!(fork.word(), left.word());
}
