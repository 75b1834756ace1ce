use std::collections::VecDeque;
use std::fmt::Write as _;

use super::{escaped, state_name, title};
use crate::{Model, Transition};

/// Distances of the drawing, in pixels.
const COLUMN: f64 = 300.0;
const ROW: f64 = 70.0;
const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 34.0;
const MARGIN: f64 = 60.0;
/// Longer labels are cut; the whole text is shown by a browser when the pointer rests on it.
const LONGEST_LABEL: usize = 28;

const STYLE: &str = "\
text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold }
.state { fill: #eef3fa; stroke: #4a6fa5 } .ends { stroke-width: 3 }
.step { fill: none; stroke: #777 } .weight { fill: #666; font-size: 10px }";

/// A model as a drawing. States stand in columns by how many calls away from the start they are; arrows
/// are labelled with the number of sequences, since their actions are those of the states that they lead
/// to.
pub fn svg(class: &str, model: &Model) -> String {
    let transitions = model.transitions();
    let places = places(model, &transitions);
    let right = places.iter().map(|it| it.0).fold(0.0, f64::max) + WIDTH + MARGIN;
    let bottom = places.iter().map(|it| it.1).fold(0.0, f64::max) + HEIGHT + MARGIN;
    let title = escaped(&title(class, model));
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right}\" height=\"{bottom}\" \
         viewBox=\"0 0 {right} {bottom}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#777\"/></marker></defs>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"24\">{title}</text>"
    );
    for transition in &transitions {
        if let (Some(from), Some(to)) = (places.get(transition.from), places.get(transition.to)) {
            draw_step(&mut svg, *from, *to, transition);
        }
    }
    for (state, (x, y)) in model.states().zip(&places) {
        let name = state_name(&state);
        let class = if state.ends > 0 { "state ends" } else { "state" };
        let (middle, baseline) = (x + WIDTH / 2.0, y + HEIGHT / 2.0 + 4.0);
        let _ = writeln!(
            svg,
            "<g><title>{} (ends {})</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" rx=\"14\"/><text x=\"{middle}\" y=\"{baseline}\" \
             text-anchor=\"middle\">{}</text></g>",
            escaped(&name),
            state.ends,
            escaped(&shortened(&name)),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The left upper corners of the states.
fn places(model: &Model, transitions: &[Transition<'_>]) -> Vec<(f64, f64)> {
    let count = model.states().len();
    let mut columns: Vec<Option<usize>> = vec![None; count];
    let mut open = VecDeque::from([(0, 0)]);
    while let Some((state, column)) = open.pop_front() {
        if let Some(place) = columns.get_mut(state).filter(|it| it.is_none()) {
            *place = Some(column);
            let next = transitions.iter().filter(|it| it.from == state);
            open.extend(next.map(|it| (it.to, column + 1)));
        }
    }
    let mut rows: Vec<usize> = vec![0; count + 1];
    let mut places = Vec::new();
    for column in columns.into_iter().map(Option::unwrap_or_default) {
        let row = rows.get_mut(column).map_or(0, |it| std::mem::replace(it, *it + 1));
        places.push((MARGIN + COLUMN * column as f64, MARGIN + ROW * row as f64));
    }
    places
}

/// An arrow with its weight.
fn draw_step(svg: &mut String, from: (f64, f64), to: (f64, f64), transition: &Transition<'_>) {
    let middle = HEIGHT / 2.0;
    let (path, label) = if from == to {
        let (x, y) = (from.0 + WIDTH / 2.0, from.1);
        let (left, right, top) = (x - 20.0, x + 20.0, y - 26.0);
        (format!("M{left},{y} C{left},{top} {right},{top} {right},{y}"), (x, y - 22.0))
    } else if from.0 < to.0 {
        let (x1, y1, x2, y2) = (from.0 + WIDTH, from.1 + middle, to.0, to.1 + middle);
        let bend = (x1 + x2) / 2.0;
        (format!("M{x1},{y1} C{bend},{y1} {bend},{y2} {x2},{y2}"), (bend, (y1 + y2) / 2.0 - 4.0))
    } else {
        // Back, or within a column: around the right side.
        let (x1, y1) = (from.0 + WIDTH, from.1 + middle + 8.0);
        let (x2, y2) = (to.0 + WIDTH, to.1 + middle + 8.0);
        let bend = x1.max(x2) + 40.0;
        (format!("M{x1},{y1} C{bend},{y1} {bend},{y2} {x2},{y2}"), (bend - 8.0, (y1 + y2) / 2.0))
    };
    let (action, weight, (x, y)) = (escaped(&transition.action.to_string()), transition.weight, label);
    let _ = writeln!(
        svg,
        "<g><title>{action} ×{weight}</title><path class=\"step\" d=\"{path}\" marker-end=\"url(#tip)\"/>\
         <text class=\"weight\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{weight}</text></g>"
    );
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_LABEL {
        return name.to_owned();
    }
    let kept: String = name.chars().take(LONGEST_LABEL - 1).collect();
    format!("{kept}…")
}
