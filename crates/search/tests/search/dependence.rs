//! Dependence between objectives.

use crashback_search::Dependence;

fn active(dependence: &Dependence, reached: &[usize]) -> Vec<usize> {
    (0..8).filter(|it| dependence.is_active(*it, |on| reached.contains(&on))).collect()
}

#[test]
fn objectives_wait_for_one_of_those_they_depend_on() {
    let dependence = Dependence::new([(0, 1), (1, 2), (1, 3), (4, 3)]);
    assert_eq!(active(&dependence, &[]), [0, 4, 5, 6, 7]);
    assert_eq!(active(&dependence, &[0]), [0, 1, 4, 5, 6, 7]);
    assert_eq!(active(&dependence, &[4]), [0, 3, 4, 5, 6, 7]);
    assert_eq!(active(&dependence, &[0, 1]), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(active(&Dependence::default(), &[]).len(), 8);
    assert_eq!(Dependence::new([]), Dependence::default());
}

#[test]
fn circles_that_nothing_leads_into_wait_for_none() {
    // A loop: 1 and 2 lead to each other, and 0 leads into them.
    assert_eq!(active(&Dependence::new([(0, 1), (1, 2), (2, 1)]), &[]), [0, 3, 4, 5, 6, 7]);
    assert_eq!(active(&Dependence::new([(1, 2), (2, 1), (2, 3)]), &[]), [0, 1, 2, 4, 5, 6, 7]);
    assert_eq!(active(&Dependence::new([(5, 5)]), &[]).len(), 8);
}
