//! Progress over time: crashes reproduced, and the distance that was left.

use crashback_campaign::{FrameRecord, Record, Summary};
use maud::{Markup, html};

use crate::chart::{self, Line, Mark};
use crate::model::Model;
use crate::page::Limits;
use crate::words;

/// Places at which a mean curve is worked out.
const STEPS: usize = 80;

pub(crate) fn section(records: &[Record], model: &Model<'_>, limits: &Limits) -> Markup {
    let names: Vec<&str> = model.configurations.iter().map(|it| it.configuration.as_str()).collect();
    let times = times(model);
    let left = distances(records, &names);
    html! {
        section #progress aria-labelledby="progress-title" {
            h2 #progress-title { "Progress" }
            @for view in 0..limits.views {
                div class={ "columns view view-" (view) } {
                    (chart_of(view, &names, "Crashes reproduced within a time", &times,
                        "Median time of a run, with minimising and verification."))
                    @if left.curves.iter().any(|it| !it.is_empty()) {
                        (chart_of(view, &names, "Distance left after a number of tests", &left,
                            "Mean over runs of the smallest distance so far at the frame that came nearest, \
                             as a share of its first distance."))
                    }
                }
            }
        }
    }
}

/// One curve for each configuration, and the axes.
struct Curves {
    curves: Vec<Vec<(f64, f64)>>,
    across: Vec<Mark>,
    upwards: Vec<Mark>,
    /// The last value of each curve, in words.
    ends: Vec<String>,
}

fn chart_of(view: usize, names: &[&str], title: &str, curves: &Curves, note: &str) -> Markup {
    let line = |index: usize| {
        let points = curves.curves.get(index).cloned().unwrap_or_default();
        let end = curves.ends.get(index).map_or("", String::as_str);
        let name = names.get(index).copied().unwrap_or_default();
        let class = if index == view { "curve chosen" } else { "curve" };
        Line { class, points, title: format!("{name}: {end}") }
    };
    // The chosen one comes last, on top of the others.
    let order = (0..names.len()).filter(|it| *it != view).chain([view]);
    let lines: Vec<Line> = order.map(line).collect();
    let label = lines.iter().rev().map(|it| it.title.as_str()).collect::<Vec<_>>().join("; ");
    html! {
        figure {
            figcaption { h3 { (title) } p.aside { (note) } }
            (chart::lines(&label, &lines, &curves.across, &curves.upwards))
            @if names.len() > 1 {
                @let chosen = names.get(view).copied().unwrap_or_default();
                p.aside { "In colour " b { (chosen) } ", in grey the others." }
            }
        }
    }
}

/// For each configuration the crashes that it reproduces in most runs, by their median time.
fn times(model: &Model<'_>) -> Curves {
    let of = |summary: &Summary| {
        let reproduced = summary.crashes.iter().filter(|it| it.is_reproduced_in_most());
        let mut times: Vec<f64> = reproduced.filter_map(|it| it.median_seconds).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let times: Vec<Vec<f64>> = model.configurations.iter().map(of).collect();
    let most = times.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let scale = Logarithmic::over(times.iter().flatten().copied());
    let curve = |times: &Vec<f64>| {
        let counted =
            times.iter().zip(1_u32..).map(|(time, count)| (scale.place(*time), f64::from(count) / most));
        let end = (1.0, times.len() as f64 / most.max(1.0));
        [(0.0, 0.0)].into_iter().chain(counted).chain([end]).collect()
    };
    Curves {
        curves: times.iter().map(curve).collect(),
        across: scale.marks(&words::seconds_short),
        upwards: chart::round_marks(most, 4.0)
            .into_iter()
            .map(|it| (it / most, format!("{it:.0}")))
            .collect(),
        ends: times.iter().map(|it| words::things(it.len(), "crash", "crashes")).collect(),
    }
}

/// For each configuration the mean share of the first distance that is left.
fn distances(records: &[Record], names: &[&str]) -> Curves {
    let falls: Vec<(&str, Vec<(u64, f64)>)> =
        records.iter().filter_map(|it| Some((it.configuration.as_str(), fall(it)?))).collect();
    let ends = falls.iter().filter_map(|(_, fall)| fall.last().map(|it| it.0 as f64));
    let scale =
        Logarithmic::over(ends.chain(falls.iter().filter_map(|it| it.1.first().map(|it| it.0 as f64))));
    let curve = |name: &&str| mean(falls.iter().filter(|it| it.0 == *name).map(|it| it.1.as_slice()), &scale);
    let curves: Vec<Vec<(f64, f64)>> = names.iter().map(curve).collect();
    let end = |curve: &Vec<(f64, f64)>| {
        curve.last().map_or_else(String::new, |it| format!("{:.0} % left in the end", 100.0 * it.1))
    };
    Curves {
        ends: curves.iter().map(end).collect(),
        curves,
        across: scale.marks(&|it| words::count(it as u64)),
        upwards: [0.25, 0.5, 0.75, 1.0].map(|it| (it, format!("{:.0} %", 100.0 * it))).to_vec(),
    }
}

/// How the distance of the frame that came nearest fell, as a share of its first distance.
fn fall(record: &Record) -> Option<Vec<(u64, f64)>> {
    let last = |it: &FrameRecord| it.curve.last().map_or(f64::INFINITY, |it| it.distance);
    let frames = record.frames.iter().filter(|it| !it.curve.is_empty());
    let nearest = &frames.min_by(|a, b| last(a).total_cmp(&last(b)))?.curve;
    let first = nearest.first()?.distance;
    let share = |distance: f64| if first > 0.0 { distance / first } else { 0.0 };
    Some(nearest.iter().map(|it| (it.evaluations.max(1), share(it.distance))).collect())
}

/// The mean of the shares that are left, at places of the axis; all is left before the first point.
fn mean<'f>(falls: impl Iterator<Item = &'f [(u64, f64)]>, scale: &Logarithmic) -> Vec<(f64, f64)> {
    let mut sums = vec![0.0; STEPS];
    let mut number = 0_u32;
    for fall in falls {
        number += 1;
        let (mut left, mut ahead) = (1.0, fall.iter().peekable());
        for (step, sum) in sums.iter_mut().enumerate() {
            let evaluations = scale.value(place(step));
            while let Some((_, share)) = ahead.next_if(|it| it.0 as f64 <= evaluations) {
                left = *share;
            }
            *sum += left;
        }
    }
    let points = sums.into_iter().enumerate().map(|(step, sum)| (place(step), sum / f64::from(number)));
    if number > 0 { points.collect() } else { Vec::new() }
}

fn place(step: usize) -> f64 {
    step as f64 / (STEPS - 1) as f64
}

/// A logarithmic axis.
struct Logarithmic {
    low: f64,
    high: f64,
}

impl Logarithmic {
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|it| it.is_finite() && *it > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high { Self { low: 1.0, high: 10.0 } } else { Self { low, high: high.max(low * 2.0) } }
    }

    fn place(&self, value: f64) -> f64 {
        (value / self.low).ln() / (self.high / self.low).ln()
    }

    fn value(&self, place: f64) -> f64 {
        self.low * (self.high / self.low).powf(place)
    }

    /// Round numbers on the axis: powers of ten, and numbers between where there is room.
    fn marks(&self, label: &dyn Fn(f64) -> String) -> Vec<Mark> {
        let steps: &[f64] = match self.high / self.low {
            ..15.0 => &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0],
            ..200.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let powers = -3..=9;
        let values = powers.flat_map(|power| steps.iter().map(move |it| it * 10_f64.powi(power)));
        let inside = values.filter(|it| *it >= self.low * 0.999 && *it <= self.high * 1.001);
        inside.map(|it| (self.place(it), label(it))).collect()
    }
}
