//! Scores.

use crashback_search::Score;

#[test]
fn scores_are_in_a_total_order() {
    let worst_first = [
        Score::worst(),
        Score::new(f64::INFINITY, 5.0),
        Score::new(2.0, 0.0),
        Score::new(1.0, f64::NAN),
        Score::new(1.0, 3.0),
        Score::new(0.0, 9.0),
        Score::new(-0.0, 8.0),
    ];
    for (worse, left) in worst_first.iter().enumerate() {
        for (better, right) in worst_first.iter().enumerate() {
            assert_eq!(left.rank(right), better.cmp(&worse), "{left:?} {right:?}");
        }
    }
    assert!(Score::new(-0.0, 8.0).is_solved() && !Score::new(f64::NAN, 0.0).is_solved());
}
