use std::collections::BTreeMap;

use crate::Action;

/// A transition system of the calls on objects of one class.
///
/// A state is the last actions of an object, as many as the order of the model has it depend on; the
/// first state is that of an object on which nothing was called yet. Transitions and ends carry the
/// number of sequences in which they were seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// In order.
    actions: Vec<Action>,
    states: BTreeMap<Vec<u32>, Outgoing>,
}

/// Everything that was seen to follow a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outgoing {
    /// How many sequences end here.
    pub(crate) ends: u64,
    /// The actions that follow, with how many sequences have them.
    pub(crate) next: BTreeMap<u32, u64>,
}

/// A state of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<'m> {
    /// Its last actions, the latest last; none in the first state.
    pub recent: Vec<&'m Action>,
    /// How many sequences end here.
    pub ends: u64,
}

/// A step of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition<'m> {
    /// The position of the state that is left.
    pub from: usize,
    /// The action.
    pub action: &'m Action,
    /// The position of the state that is entered.
    pub to: usize,
    /// How many sequences have it.
    pub weight: u64,
}

impl Model {
    pub(crate) fn new(actions: Vec<Action>, states: BTreeMap<Vec<u32>, Outgoing>) -> Self {
        Self { actions, states }
    }

    pub(crate) fn raw_states(&self) -> &BTreeMap<Vec<u32>, Outgoing> {
        &self.states
    }

    /// All actions, in order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The states, the first one first.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State<'_>> {
        self.states.iter().map(|(recent, outgoing)| State {
            recent: recent.iter().filter_map(|it| self.action(*it)).collect(),
            ends: outgoing.ends,
        })
    }

    /// All transitions, by the states that they leave and then by their actions.
    pub fn transitions(&self) -> Vec<Transition<'_>> {
        let positions: BTreeMap<&[u32], usize> = self.states.keys().map(Vec::as_slice).zip(0..).collect();
        let longest = self.longest_state();
        let mut transitions = Vec::new();
        for (from, (recent, outgoing)) in self.states.iter().enumerate() {
            for (action, weight) in &outgoing.next {
                let to = positions.get(after(recent, *action, longest).as_slice());
                if let (Some(to), Some(action)) = (to, self.action(*action)) {
                    transitions.push(Transition { from, action, to: *to, weight: *weight });
                }
            }
        }
        transitions
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.states.values().map(|it| it.next.len()).sum()
    }

    /// How many sequences it was made of.
    pub fn sequences(&self) -> u64 {
        self.states.values().map(|it| it.ends).sum()
    }

    /// Whether a sequence is a path from the first state to one in which sequences end.
    pub fn accepts(&self, sequence: &[Action]) -> bool {
        let longest = self.longest_state();
        let mut state = Vec::new();
        for action in sequence {
            let number = self.actions.binary_search(action).ok().and_then(|it| u32::try_from(it).ok());
            let Some(number) = number else { return false };
            let follows = self.states.get(&state).is_some_and(|it| it.next.contains_key(&number));
            if !follows {
                return false;
            }
            state = after(&state, number, longest);
        }
        self.states.get(&state).is_some_and(|it| it.ends > 0)
    }

    /// The model of all sequences of some models of the same class and order.
    pub(crate) fn merged(models: &[&Self]) -> Self {
        let mut actions: Vec<&Action> = models.iter().flat_map(|it| &it.actions).collect();
        actions.sort_unstable();
        actions.dedup();
        let mut states: BTreeMap<Vec<u32>, Outgoing> = BTreeMap::new();
        for model in models {
            let place = |action: &Action| {
                let found = actions.binary_search(&action).ok();
                found.and_then(|it| u32::try_from(it).ok()).unwrap_or_default()
            };
            let places: Vec<u32> = model.actions.iter().map(place).collect();
            let place = |number: &u32| places.get(*number as usize).copied().unwrap_or_default();
            for (recent, outgoing) in &model.states {
                let merged = states.entry(recent.iter().map(place).collect()).or_default();
                merged.ends = merged.ends.saturating_add(outgoing.ends);
                for (action, weight) in &outgoing.next {
                    let known = merged.next.entry(place(action)).or_default();
                    *known = known.saturating_add(*weight);
                }
            }
        }
        Self { actions: actions.into_iter().cloned().collect(), states }
    }

    fn action(&self, number: u32) -> Option<&Action> {
        self.actions.get(number as usize)
    }

    /// How many actions a state has at most: one less than the order, unless no sequence is that long.
    fn longest_state(&self) -> usize {
        self.states.keys().map(Vec::len).max().unwrap_or_default()
    }
}

/// The state after an action, given the most actions that a state has.
fn after(state: &[u32], action: u32, longest: usize) -> Vec<u32> {
    let mut next = [state, &[action]].concat();
    if next.len() > longest {
        next.remove(0);
    }
    next
}
