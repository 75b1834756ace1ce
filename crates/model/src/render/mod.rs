//! Models for people: as text, as a graph for Graphviz, as a drawing.

mod dot;
mod svg;
mod text;

pub use dot::dot;
pub use svg::svg;
pub use text::text;

use crashback_classfile::binary_name;

use crate::{Model, State};

/// The name of a state: the last actions, or that nothing was called yet.
fn state_name(state: &State<'_>) -> String {
    match state.recent.as_slice() {
        [] => "start".to_owned(),
        recent => recent.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The class and the size of its model in words.
fn title(class: &str, model: &Model) -> String {
    let counted = |count: u64, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    format!(
        "{}: {}, {}, {}",
        binary_name(class),
        counted(model.states().len() as u64, "state"),
        counted(model.transition_count() as u64, "transition"),
        counted(model.sequences(), "sequence"),
    )
}

/// A text inside XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // No XML can hold these, and marks that turn text around would deceive.
            it if it.is_control() || ('\u{202a}'..='\u{202e}').contains(&it) => escaped.push('\u{fffd}'),
            it => escaped.push(it),
        }
    }
    escaped
}
