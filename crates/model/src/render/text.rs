use std::fmt::Write as _;

use super::{state_name, title};
use crate::Model;

/// A model as lines: each state with the actions that follow it, the most frequent first.
pub fn text(class: &str, model: &Model) -> String {
    let mut text = title(class, model);
    text.push('\n');
    let transitions = model.transitions();
    for (position, state) in model.states().enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{}", state_name(&state));
        let mut leaving: Vec<_> = transitions.iter().filter(|it| it.from == position).collect();
        leaving.sort_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.action.cmp(b.action)));
        for transition in leaving {
            let _ = writeln!(text, "{:>8}  {}", transition.weight, transition.action);
        }
        if state.ends > 0 {
            let _ = writeln!(text, "{:>8}  (end)", state.ends);
        }
    }
    text
}
