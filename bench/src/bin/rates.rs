//! Tests a second, and where the time of workers went, in the runs of a campaign, against those of a
//! saved one.
//!
//! `cargo run --release -p crashback-bench --bin rates -- STORE [SAVED]`
//!
//! Both are stores of `crashback campaign run`. Runs of the same crash and seed are compared; a run
//! that ended within the first seconds says little, so medians are told of longer ones, too.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use crashback_campaign::{Record, Store};
use crashback_reproduce::WorkerTiming;

/// Runs of more seconds than this are long.
const LONG: f64 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args().skip(1);
    let store = paths.next().ok_or("usage: rates STORE [SAVED]")?;
    let runs = read(&store)?;
    let saved = paths.next().map(|it| read(&it)).transpose()?.unwrap_or_default();
    println!("{:<16}{:>5}{:>10}{:>7}  share of workers' time", "crash", "seed", "tests/s", "ratio");
    for (key, run) in &runs {
        let ratio = saved.get(key).and_then(|it| ratio(run, it));
        let ratio = ratio.map(|it| format!("{it:.2}")).unwrap_or_default();
        let rate = rate(run).map(|it| format!("{it:.0}")).unwrap_or_default();
        println!("{:<16}{:>5}{rate:>10}{ratio:>7}  {}", run.crash, run.seed, account(run));
    }
    for (name, is_counted) in [("all runs", 0.0), ("long runs", LONG)] {
        let counted = || runs.iter().filter(|(_, it)| it.seconds > is_counted);
        let rates = median(counted().filter_map(|(_, it)| rate(it)).collect());
        let ratios = counted().filter_map(|(key, it)| ratio(it, saved.get(key)?)).collect();
        let busy =
            median(counted().filter_map(|(_, it)| it.waiting_share.map(|share| 1.0 - share)).collect());
        println!(
            "median of {name}: {} tests a second, {} times those saved, workers busy {}",
            show(rates),
            show(median(ratios)),
            show(busy)
        );
    }
    Ok(())
}

/// The runs of a store that searched, by crash and seed.
fn read(path: &str) -> Result<BTreeMap<(String, u64), Record>, Box<dyn Error>> {
    let records = Store::open_to_read(Path::new(path))?.records()?;
    let searched = records.into_iter().filter(|it| it.error.is_none());
    Ok(searched.map(|it| ((it.crash.clone(), it.seed), it)).collect())
}

/// Tests in a second of searching; in a second of everything where the store does not tell.
fn rate(run: &Record) -> Option<f64> {
    let seconds = run.timing.as_ref().map_or(run.seconds, |it| it.search);
    (run.evaluations > 0 && seconds > 0.0).then(|| run.evaluations as f64 / seconds)
}

/// How many times the rate of a saved run. Both are taken over everything unless both tell more.
fn ratio(run: &Record, saved: &Record) -> Option<f64> {
    if run.timing.is_some() && saved.timing.is_some() {
        return Some(rate(run)? / rate(saved)?);
    }
    let whole = |it: &Record| (it.evaluations > 0).then(|| it.evaluations as f64 / it.seconds);
    Some(whole(run)? / whole(saved)?)
}

/// The shares of the workers' time, and how often the dear things happened.
fn account(run: &Record) -> String {
    let Some(workers) = run.timing.as_ref().map(|it| it.all_workers) else { return String::new() };
    let WorkerTiming { loaders, stops, .. } = workers;
    let total: f64 = workers.parts().iter().map(|(_, seconds)| seconds).sum();
    let mut words: Vec<String> = Vec::new();
    for (name, seconds) in workers.parts().into_iter().filter(|(_, seconds)| *seconds > 0.0) {
        words.push(format!("{name} {:.0} %", 100.0 * seconds / total));
    }
    words.push(format!("{loaders} loaders, {stops} stopped"));
    words.join(", ")
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn show(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value < 10.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.0}"),
    }
}
