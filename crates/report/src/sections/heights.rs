//! The highest reproduced frame of each crash against the height of its trace.

use maud::{Markup, html};

use crate::chart::{self, percent};
use crate::model::Model;
use crate::page::Limits;

/// Columns that can be told apart on a usual screen.
const MOST_COLUMNS: usize = 240;

/// A crash, or neighbouring crashes with the means of their frames.
struct Column {
    height: f64,
    reached: f64,
    title: String,
    /// The number of the crash, where the column is one.
    crash: Option<usize>,
}

pub(crate) fn section(model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        section #heights aria-labelledby="heights-title" {
            h2 #heights-title { "Highest frames" }
            p.lede {
                "One column for each crash, as high as its highest target frame; "
                "the part in colour is reproduced."
            }
            @for view in 0..limits.views {
                div class={ "view view-" (view) } { (skyline(model, view)) }
            }
        }
    }
}

fn skyline(model: &Model<'_>, view: usize) -> Markup {
    let all = columns(model, view);
    let without = model.results(view).count() - all.len();
    let size = all.len().div_ceil(MOST_COLUMNS).max(1);
    let columns: Vec<Column> = if size == 1 { all } else { all.chunks(size).map(together).collect() };
    let highest = columns.iter().map(|it| it.height).fold(1.0, f64::max);
    let most = roof(&columns).min(highest);
    let marks: Vec<chart::Mark> =
        chart::round_marks(most, 4.0).into_iter().map(|it| (it / most, format!("{it:.0}"))).collect();
    let width = 1.0 / columns.len().max(1) as f64;
    html! {
        svg.plot.skyline role="img" aria-label=(in_words(&columns)) {
            (chart::grid(&marks))
            @for (index, column) in columns.iter().enumerate() {
                a href=[column.crash.map(|it| format!("#crash-{it}"))] tabindex="-1" {
                    title { (column.title) }
                    (part("s5", index as f64 * width, width, column.height / most))
                    (part("s0", index as f64 * width, width, column.reached / most))
                }
            }
            (chart::axis(&[(0.0, "lowest traces".to_owned()), (1.0, "highest traces".to_owned())]))
        }
        @if highest > most {
            p.aside { (format!("Columns above {most:.0} are cut; the highest is {highest:.0} frames high.")) }
        }
        @if size > 1 { p.aside { "A column stands for " (size) " crashes, with their means." } }
        @if without > 0 { p.aside { (without) " crashes without a target frame are left out." } }
    }
}

/// The height above which columns are cut, so that a few very high traces do not make all others flat:
/// one and a half times that of nine in ten columns.
fn roof(columns: &[Column]) -> f64 {
    // They are in the order of their heights.
    columns.get(columns.len() * 9 / 10).map_or(1.0, |it| (1.5 * it.height).ceil())
}

fn part(class: &str, from: f64, width: f64, height: f64) -> Markup {
    let height = chart::FLOOR * height.min(1.0);
    html! {
        rect class=(class) x=(percent(from + 0.1 * width)) width=(percent(0.8 * width))
            y=(percent(chart::FLOOR - height)) height=(percent(height)) {}
    }
}

/// The columns by height, then by the reproduced frame.
fn columns(model: &Model<'_>, view: usize) -> Vec<Column> {
    let crashes = model.crashes.iter().enumerate();
    let column = |(number, crash): (usize, &crate::model::Crash<'_>)| {
        let (result, height) = (crash.result(view)?, crash.height?);
        let reached = result.frame().unwrap_or(0).min(height);
        let title = format!("{}: frame {reached} of {height}", crash.name);
        Some(Column { height: height.into(), reached: reached.into(), title, crash: Some(number) })
    };
    let mut columns: Vec<Column> = crashes.filter_map(column).collect();
    columns.sort_by(|a, b| a.height.total_cmp(&b.height).then(a.reached.total_cmp(&b.reached)));
    columns
}

fn together(columns: &[Column]) -> Column {
    let mean =
        |of: &dyn Fn(&Column) -> f64| columns.iter().map(of).sum::<f64>() / columns.len().max(1) as f64;
    let (height, reached) = (mean(&|it| it.height), mean(&|it| it.reached));
    let title = format!("{} crashes: frame {reached:.1} of {height:.1}", columns.len());
    Column { height, reached, title, crash: None }
}

fn in_words(columns: &[Column]) -> String {
    let sum = |of: &dyn Fn(&Column) -> f64| columns.iter().map(of).sum::<f64>();
    let (reached, height) = (sum(&|it| it.reached), sum(&|it| it.height));
    let share = if height > 0.0 { 100.0 * reached / height } else { 0.0 };
    format!(
        "{} columns; {share:.0} % of all frames up to the highest target frames are reproduced",
        columns.len()
    )
}
