use std::fmt::Write as _;

use super::{state_name, title};
use crate::Model;

/// A model as a directed graph in the language of Graphviz. States in which sequences end have two
/// circles.
pub fn dot(class: &str, model: &Model) -> String {
    let mut text = String::from("digraph model {\n");
    // Writing to a string does not fail.
    let _ = writeln!(text, "  label={};", quoted(&title(class, model)));
    text.push_str("  rankdir=LR;\n  node [shape=ellipse];\n");
    for (position, state) in model.states().enumerate() {
        let peripheries = if state.ends > 0 { 2 } else { 1 };
        let name = quoted(&state_name(&state));
        let _ = writeln!(text, "  s{position} [label={name}, peripheries={peripheries}];");
    }
    for it in model.transitions() {
        let label = quoted(&format!("{} ×{}", it.action, it.weight));
        let _ = writeln!(text, "  s{} -> s{} [label={label}];", it.from, it.to);
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
