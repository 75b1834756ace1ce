//! Behaviours of objects, selected from a model (Derakhshanfar et al. 2020, section 3.2.1).
//!
//! Candidates are the likeliest paths through each transition, so that together they have all that was
//! seen. How many are taken follows from the size of the model: the study that this is from took as many
//! of each as a population has tests, and found that small models then repeat themselves.

use std::collections::BTreeSet;

use crate::{Action, Model, Transition};

/// The property by which behaviours are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Those that have the least calls in common with each other.
    Dissimilarity,
    /// Those that were seen most often.
    Likelihood,
    /// Those that were seen least often: unusual uses crash more often.
    Rarity,
}

/// A path through a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// Its actions; never empty.
    pub actions: Vec<Action>,
    /// The natural logarithm of its probability.
    pub log_probability: f64,
}

/// No model, however large, yields more behaviours.
const MOST: usize = 50;

/// The number of behaviours that suits the size of a model.
pub fn fitting_number(model: &Model) -> usize {
    (2 + model.transition_count() / 2).min(MOST)
}

/// How much the calls of two behaviours differ: 1 - |A ∩ B| / |A ∪ B| over the sets of their calls.
pub fn dissimilarity<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (a, b): (BTreeSet<&T>, BTreeSet<&T>) = (a.iter().collect(), b.iter().collect());
    let (common, all) = (a.intersection(&b).count(), a.union(&b).count());
    if all == 0 { 0.0 } else { 1.0 - common as f64 / all as f64 }
}

/// Selects so many behaviours at most, the best first. Behaviours with equal sets of calls are not
/// dissimilar, so that [`Criterion::Dissimilarity`] takes one of them.
pub fn select(model: &Model, criterion: Criterion, most: usize) -> Vec<Behaviour> {
    let mut candidates = candidates(model);
    match criterion {
        Criterion::Dissimilarity => return dissimilar(candidates, most),
        // Candidates are in the order of likelihood.
        Criterion::Likelihood => {}
        Criterion::Rarity => candidates.reverse(),
    }
    candidates.truncate(most);
    candidates
}

/// Takes the likeliest candidate first, and then again and again the one that is farthest from all taken.
fn dissimilar(candidates: Vec<Behaviour>, most: usize) -> Vec<Behaviour> {
    let mut open: Vec<(f64, Behaviour)> = candidates.into_iter().map(|it| (f64::INFINITY, it)).collect();
    let mut taken: Vec<Behaviour> = Vec::new();
    while taken.len() < most {
        // Of equals the first, which is the likeliest.
        let farthest = open.iter().enumerate().rev().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let Some((place, _)) = farthest.filter(|(_, (distance, _))| *distance > 0.0) else { break };
        let (_, next) = open.remove(place);
        for (distance, other) in &mut open {
            *distance = distance.min(dissimilarity(&next.actions, &other.actions));
        }
        taken.push(next);
    }
    taken
}

/// The likeliest path through each transition, the likeliest of all first.
fn candidates(model: &Model) -> Vec<Behaviour> {
    let graph = Graph::of(model);
    let (to, from) = (graph.likeliest_beginnings(), graph.likeliest_ends());
    let mut found: Vec<Behaviour> = Vec::new();
    for (number, transition) in graph.transitions.iter().enumerate() {
        let mut numbers = graph.beginning(&to, transition.from);
        numbers.push(number);
        numbers.extend(graph.end(&from, transition.to));
        found.extend(graph.behaviour(&numbers));
    }
    let order = |a: &Behaviour, b: &Behaviour| {
        let by_probability = b.log_probability.total_cmp(&a.log_probability);
        by_probability.then_with(|| a.actions.cmp(&b.actions))
    };
    found.sort_by(order);
    found.dedup_by(|a, b| a.actions == b.actions);
    found
}

/// A model with the costs of its steps: the negative logarithms of their probabilities.
struct Graph<'m> {
    transitions: Vec<Transition<'m>>,
    costs: Vec<f64>,
    /// The cost of ending in each state; infinite where no sequence ends.
    end_costs: Vec<f64>,
}

/// For each state the cost of the best path, and its transition next to the state.
type Best = Vec<(f64, Option<usize>)>;

impl<'m> Graph<'m> {
    fn of(model: &'m Model) -> Self {
        let transitions = model.transitions();
        let ends: Vec<u64> = model.states().map(|it| it.ends).collect();
        let mut totals = ends.clone();
        for transition in &transitions {
            if let Some(total) = totals.get_mut(transition.from) {
                *total = total.saturating_add(transition.weight);
            }
        }
        let cost = |state: usize, weight: u64| {
            let total = totals.get(state).copied().unwrap_or_default().max(1);
            // Zero weight costs infinitely much.
            -(weight as f64 / total as f64).ln()
        };
        let costs = transitions.iter().map(|it| cost(it.from, it.weight)).collect();
        let end_costs = ends.iter().enumerate().map(|(state, ends)| cost(state, *ends)).collect();
        Self { transitions, costs, end_costs }
    }

    /// The likeliest way from the first state to each.
    fn likeliest_beginnings(&self) -> Best {
        let mut best: Best = vec![(f64::INFINITY, None); self.end_costs.len()];
        if let Some(first) = best.first_mut() {
            first.0 = 0.0;
        }
        self.relax(&mut best, |it| (it.from, it.to));
        best
    }

    /// The likeliest way from each state to an end.
    fn likeliest_ends(&self) -> Best {
        let mut best: Best = self.end_costs.iter().map(|it| (*it, None)).collect();
        self.relax(&mut best, |it| (it.to, it.from));
        best
    }

    /// Bellman and Ford: models are small, and few rounds suffice.
    fn relax(&self, best: &mut Best, ends: impl Fn(&Transition<'_>) -> (usize, usize)) {
        for _ in 0..best.len() {
            let mut changed = false;
            for (number, (transition, cost)) in self.transitions.iter().zip(&self.costs).enumerate() {
                let (near, far) = ends(transition);
                let reached = best.get(near).map_or(f64::INFINITY, |it| it.0) + cost;
                if let Some(known) = best.get_mut(far).filter(|it| reached < it.0) {
                    *known = (reached, Some(number));
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The transitions from the first state to a state.
    fn beginning(&self, best: &Best, state: usize) -> Vec<usize> {
        let mut path = self.walk(best, state, |it| it.from);
        path.reverse();
        path
    }

    /// The transitions from a state to an end.
    fn end(&self, best: &Best, state: usize) -> Vec<usize> {
        self.walk(best, state, |it| it.to)
    }

    fn walk(&self, best: &Best, mut state: usize, next: impl Fn(&Transition<'_>) -> usize) -> Vec<usize> {
        let mut path = Vec::new();
        // A best path visits no state twice.
        while let Some((_, Some(number))) = best.get(state).filter(|_| path.len() < best.len()) {
            let Some(transition) = self.transitions.get(*number) else { break };
            path.push(*number);
            state = next(transition);
        }
        path
    }

    /// The path of some transitions; none if no sequence ends where it does.
    fn behaviour(&self, numbers: &[usize]) -> Option<Behaviour> {
        let last = self.transitions.get(*numbers.last()?)?;
        let end = self.end_costs.get(last.to).copied().filter(|it| it.is_finite())?;
        let steps = numbers.iter().filter_map(|it| Some((self.transitions.get(*it)?, self.costs.get(*it)?)));
        let cost: f64 = steps.clone().map(|(_, cost)| cost).sum();
        let actions = steps.map(|(it, _)| it.action.clone()).collect();
        Some(Behaviour { actions, log_probability: -(cost + end) })
    }
}
