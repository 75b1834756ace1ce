//! Charts as inline SVG. Positions are percentages, so that charts follow the width of the page while
//! their text keeps its size.

use maud::{Markup, html};

use crate::state::State;

/// A percentage, as SVG takes it.
pub(crate) fn percent(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("{:.3}%", 100.0 * share)
}

/// Counts of states as one bar; `scale` is the count that takes the whole width.
pub(crate) fn bar(counts: &[(State, usize)], scale: usize, label: &str) -> Markup {
    let scale = scale.max(1) as f64;
    let mut done = 0.0;
    let mut parts = Vec::new();
    for &(state, count) in counts.iter().filter(|it| it.1 > 0) {
        parts.push((state.class(), done / scale, count as f64 / scale));
        done += count as f64;
    }
    html! {
        svg.bar role="img" aria-label=(label) {
            @for (class, from, width) in parts {
                rect class=(class) x=(percent(from)) width=(percent(width)) height="100%" {}
            }
        }
    }
}

/// A line of a chart: values from 0 to 1 on both axes, the latter upwards.
pub(crate) struct Line {
    pub(crate) class: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) title: String,
}

/// A mark of an axis: its place from 0 to 1, and its label.
pub(crate) type Mark = (f64, String);

/// Lines above an axis, with marks on both axes.
pub(crate) fn lines(label: &str, lines: &[Line], across: &[Mark], upwards: &[Mark]) -> Markup {
    html! {
        svg.plot role="img" aria-label=(label) {
            (grid(upwards))
            svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height=(percent(FLOOR)) {
                @for line in lines {
                    path class=(line.class) d=(steps(&line.points)) vector-effect="non-scaling-stroke" {
                        title { (line.title) }
                    }
                }
            }
            (axis(across))
        }
    }
}

/// The height of the plot above the labels of the axis below.
pub(crate) const FLOOR: f64 = 0.88;

/// Lines across a plot with their labels above them.
pub(crate) fn grid(marks: &[Mark]) -> Markup {
    html! {
        @for (place, label) in marks {
            @let height = percent(FLOOR * (1.0 - place));
            line.grid x1="0" x2="100%" y1=(height) y2=(height) {}
            text.mark x="0" y=(height) dy="-4" { (label) }
        }
        line.floor x1="0" x2="100%" y1=(percent(FLOOR)) y2=(percent(FLOOR)) {}
    }
}

/// Labels below a plot.
pub(crate) fn axis(marks: &[Mark]) -> Markup {
    html! {
        @for (place, label) in marks {
            text class=(anchor(*place)) x=(percent(*place)) y="100%" dy="-4" { (label) }
        }
    }
}

/// Labels at the ends stay inside the plot.
fn anchor(place: f64) -> &'static str {
    match place {
        ..=0.02 => "mark",
        0.98.. => "mark end",
        _ => "mark mid",
    }
}

/// A small line without axes: values from 0 to 1 on both.
pub(crate) fn spark(points: &[(f64, f64)], title: &str) -> Markup {
    html! {
        svg.spark viewBox="0 -20 1000 1040" preserveAspectRatio="none" role="img" aria-label=(title) {
            title { (title) }
            path d=(steps(points)) vector-effect="non-scaling-stroke" {}
        }
    }
}

/// A path that keeps each value until the next.
fn steps(points: &[(f64, f64)]) -> String {
    let place = |it: f64| 1000.0 * if it.is_finite() { it.clamp(0.0, 1.0) } else { 0.0 };
    let mut path = String::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        let (x, y) = (place(x), 1000.0 - place(y));
        match index {
            0 => path.push_str(&format!("M{x:.1} {y:.1}")),
            _ => path.push_str(&format!("H{x:.1}V{y:.1}")),
        }
    }
    path
}

/// Round numbers between 0 and a maximum: about `number` of them, 0 left out.
pub(crate) fn round_marks(most: f64, number: f64) -> Vec<f64> {
    if !(most.is_finite() && most > 0.0) {
        return Vec::new();
    }
    let rough = most / number;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|it| it * power).find(|it| *it >= rough);
    let step = step.unwrap_or(rough);
    (1..=20).map(|it| f64::from(it) * step).take_while(|it| *it <= most * 1.000_001).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_within_bounds() {
        assert_eq!(round_marks(63.0, 4.0), [20.0, 40.0, 60.0]);
        assert_eq!(round_marks(1.0, 4.0), [0.5, 1.0]);
        assert!(round_marks(f64::NAN, 4.0).is_empty() && round_marks(0.0, 4.0).is_empty());
    }

    #[test]
    fn odd_numbers_stay_inside_the_chart() {
        assert_eq!(percent(f64::INFINITY), "0.000%");
        assert_eq!(percent(7.0), "100.000%");
        assert_eq!(steps(&[(0.0, 2.0), (f64::NAN, -1.0)]), "M0.0 0.0H0.0V1000.0");
    }
}
