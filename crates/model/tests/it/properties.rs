//! Properties of models, files and selection over arbitrary sequences.

use std::collections::BTreeSet;

use crashback_classfile::JavaStr;
use crashback_model::select::{Criterion, dissimilarity, fitting_number, select};
use crashback_model::sequences::Call;
use crashback_model::{Action, Collector, FILE_VERSION, FileError, MergeError, Models, render};
use proptest::prelude::*;

const NAMES: [&str; 5] = ["<init>", "add", "size", "clear", "iterator"];

type Sequences = Vec<(bool, Vec<usize>)>;

fn sequences() -> impl Strategy<Value = Sequences> {
    prop::collection::vec((any::<bool>(), prop::collection::vec(0..NAMES.len(), 1..8)), 1..20)
}

fn class_of(first: bool) -> &'static str {
    if first { "a/First" } else { "a/Second" }
}

fn models(sequences: &[(bool, Vec<usize>)], order: usize) -> Models {
    let mut collector = Collector::new(order);
    for (first, numbers) in sequences {
        let call = |it: &usize| Call {
            owner: JavaStr::new(b"a/First"),
            name: JavaStr::new(NAMES[*it].as_bytes()),
            descriptor: JavaStr::new(b"()V"),
        };
        collector.add(class_of(*first), &numbers.iter().map(call).collect::<Vec<_>>());
    }
    collector.finish()
}

fn actions(numbers: &[usize]) -> Vec<Action> {
    numbers.iter().map(|it| Action::new(NAMES[*it], "()V")).collect()
}

proptest! {
    #[test]
    fn every_sequence_that_was_seen_is_a_path(seen in sequences(), order in 2usize..5) {
        let models = models(&seen, order);
        for (first, numbers) in &seen {
            prop_assert!(models.get(class_of(*first)).unwrap().accepts(&actions(numbers)));
        }
    }

    #[test]
    fn no_path_has_neighbours_that_were_never_seen_together(seen in sequences(), tried in prop::collection::vec(0..NAMES.len(), 1..6)) {
        let models = models(&seen, 2);
        for first in [true, false] {
            let mine: Vec<&Vec<usize>> = seen.iter().filter(|(it, _)| *it == first).map(|(_, it)| it).collect();
            let pairs: BTreeSet<(usize, usize)> =
                mine.iter().flat_map(|it| it.windows(2).map(|pair| (pair[0], pair[1]))).collect();
            let is_path = mine.iter().any(|it| it.first() == tried.first())
                && mine.iter().any(|it| it.last() == tried.last())
                && tried.windows(2).all(|pair| pairs.contains(&(pair[0], pair[1])));
            let accepted = models.get(class_of(first)).is_some_and(|it| it.accepts(&actions(&tried)));
            prop_assert_eq!(accepted, is_path);
        }
    }

    #[test]
    fn every_selected_behaviour_is_accepted_and_there_once(seen in sequences(), order in 2usize..4) {
        for (_, model) in models(&seen, order).iter() {
            for criterion in [Criterion::Dissimilarity, Criterion::Likelihood, Criterion::Rarity] {
                let most = fitting_number(model);
                let selected = select(model, criterion, most);
                prop_assert!(!selected.is_empty() && selected.len() <= most);
                let different: BTreeSet<Vec<Action>> = selected.iter().map(|it| it.actions.clone()).collect();
                prop_assert_eq!(different.len(), selected.len());
                for behaviour in &selected {
                    prop_assert!(model.accepts(&behaviour.actions));
                    prop_assert!(behaviour.log_probability <= 1e-9 && behaviour.log_probability.is_finite());
                }
            }
        }
    }

    #[test]
    fn likely_behaviours_come_in_the_order_of_likelihood_and_rare_ones_in_the_other(seen in sequences()) {
        for (_, model) in models(&seen, 2).iter() {
            let likely = select(model, Criterion::Likelihood, usize::MAX);
            prop_assert!(likely.is_sorted_by(|a, b| a.log_probability >= b.log_probability));
            let mut rare = select(model, Criterion::Rarity, usize::MAX);
            rare.reverse();
            prop_assert_eq!(likely, rare);
        }
    }

    #[test]
    fn all_candidates_together_have_every_action(seen in sequences()) {
        for (_, model) in models(&seen, 2).iter() {
            let all = select(model, Criterion::Likelihood, usize::MAX);
            let used: BTreeSet<&Action> = all.iter().flat_map(|it| &it.actions).collect();
            prop_assert_eq!(used.len(), model.actions().len());
        }
    }

    #[test]
    fn files_give_back_the_same_models(seen in sequences(), order in 2usize..5) {
        let models = models(&seen, order);
        prop_assert_eq!(Models::from_bytes(&models.to_bytes()), Ok(models));
    }

    #[test]
    fn merged_models_are_those_of_all_sequences(seen in sequences(), more in sequences(), order in 2usize..5) {
        let together = models(&[seen.as_slice(), &more].concat(), order);
        let mut merged = models(&seen, order);
        merged.merge(models(&more, order)).unwrap();
        prop_assert_eq!(&merged, &together);
        let mut other_way = models(&more, order);
        other_way.merge(models(&seen, order)).unwrap();
        prop_assert_eq!(&other_way, &together);
        let parts = vec![models(&more, order), Models::empty(order), models(&seen, order)];
        prop_assert_eq!(Models::merged(order, parts), Ok(together));
    }

    #[test]
    fn bytes_of_any_kind_are_refused_in_peace(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..400) {
        prop_assert!(Models::from_bytes(&bytes).is_err());
        let whole = models(&[(true, vec![0, 1, 2])], 2).to_bytes();
        if cut < whole.len() {
            prop_assert!(Models::from_bytes(&whole[..cut]).is_err());
        }
    }

    #[test]
    fn dissimilarity_is_a_metric_on_sets(a in sets(), b in sets(), c in sets()) {
        let (ab, ba) = (dissimilarity(&a, &b), dissimilarity(&b, &a));
        prop_assert!((0.0..=1.0).contains(&ab) && ab == ba);
        let equal = a.iter().collect::<BTreeSet<_>>() == b.iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(ab == 0.0, equal);
        prop_assert!(ab <= dissimilarity(&a, &c) + dissimilarity(&c, &b) + 1e-12);
    }

    #[test]
    fn drawings_are_well_formed(seen in sequences()) {
        for (class, model) in models(&seen, 2).iter() {
            let svg = render::svg(class, model);
            prop_assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
            prop_assert_eq!(svg.matches("class=\"step\"").count(), model.transition_count());
            prop_assert_eq!(render::dot(class, model).matches(" -> ").count(), model.transition_count());
            prop_assert!(render::text(class, model).starts_with("a."));
        }
    }
}

fn sets() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0u8..6, 0..6)
}

#[test]
fn two_calls_in_common_of_three_are_a_third_apart() {
    let distance = dissimilarity(&["new", "add", "add"], &["new", "add", "size"]);
    assert!((distance - 1.0 / 3.0).abs() < 1e-12, "{distance}");
}

#[test]
fn dissimilar_behaviours_come_before_likely_ones() {
    let mut seen: Sequences = vec![(true, vec![0, 1]); 9];
    seen.extend([(true, vec![0, 1, 1]), (true, vec![0, 3])]);
    let models = models(&seen, 2);
    let model = models.get("a/First").unwrap();
    let names = |criterion| -> Vec<Vec<Action>> {
        select(model, criterion, 2).into_iter().map(|it| it.actions).collect()
    };
    assert_eq!(names(Criterion::Dissimilarity), [actions(&[0, 1]), actions(&[0, 3])]);
    assert_eq!(names(Criterion::Likelihood), [actions(&[0, 1]), actions(&[0, 3])]);
    assert_eq!(names(Criterion::Rarity), [actions(&[0, 1, 1]), actions(&[0, 3])]);
}

#[test]
fn files_of_other_versions_say_so() {
    let mut bytes = models(&[(true, vec![0])], 2).to_bytes();
    bytes[8..12].copy_from_slice(&(FILE_VERSION + 1).to_le_bytes());
    assert_eq!(Models::from_bytes(&bytes), Err(FileError::OtherVersion { found: FILE_VERSION + 1 }));
    assert_eq!(Models::from_bytes(b"PK\x03\x04"), Err(FileError::NoModels));
}

#[test]
fn models_of_different_orders_are_not_merged() {
    let mut two = Models::empty(2);
    assert_eq!(two.merge(Models::empty(3)), Err(MergeError(2, 3)));
    assert_eq!(Models::merged(2, vec![two, Models::empty(3)]), Err(MergeError(2, 3)));
}
