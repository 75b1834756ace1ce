//! Makes a store of many made-up runs, to measure how long `compare` and `report` take over them.
//!
//! `cargo run --release -p crashback-bench --bin large_store -- STORE CRASHES CONFIGURATIONS SEEDS`
//!
//! With 1000, 5 and 20 that is 100,000 runs. Then, for instance,
//! `/usr/bin/time -v crashback campaign compare c0 c1 c2 c3 c4 --store STORE > /dev/null`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use crashback_campaign::{Configuration, EventKind, EventRecord, FrameRecord, Record, Store};
use crashback_reproduce::{ProgressPoint, Settings};

const USAGE: &str = "usage: large_store STORE CRASHES CONFIGURATIONS SEEDS";
/// Runs that are written at once.
const CHUNK: usize = 5_000;
/// About as long as tests are that were found.
const SOURCE_LINES: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or(USAGE)?;
    let mut number = || -> Result<u64, Box<dyn Error>> { Ok(arguments.next().ok_or(USAGE)?.parse()?) };
    let (crashes, configurations, seeds) = (number()?, number()?, number()?);
    let mut store = Store::open(Path::new(&path))?;
    for name in (0..configurations).map(|it| format!("c{it}")) {
        let settings = Settings { time: Duration::from_secs(20), ..Settings::default() };
        store.database().admit(&Configuration {
            name,
            settings,
            workers: 1,
            assertions: false,
            tool: None,
        })?;
    }
    let mut numbers = Numbers(7);
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut written = 0;
    for crash in 0..crashes {
        let height = 1 + numbers.below(14);
        let ease = numbers.below(10);
        for place in 0..configurations * seeds {
            let (configuration, seed) = (place / seeds, place % seeds);
            chunk.push(run(crash, configuration, seed, height, ease, &mut numbers));
            if chunk.len() == CHUNK {
                store.add_all(&chunk)?;
                written += chunk.len();
                chunk.clear();
            }
        }
    }
    store.add_all(&chunk)?;
    println!("{path}: {} runs", written + chunk.len());
    Ok(())
}

/// A generator that is good enough for made-up numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn run(crash: u64, configuration: u64, seed: u64, height: u64, ease: u64, numbers: &mut Numbers) -> Record {
    let reproduced = ease + numbers.below(10) + configuration > 9;
    let frame = reproduced.then(|| 1 + numbers.below(height));
    let (seconds, evaluations) = (1.5 + numbers.below(1_800) as f64 / 100.0, 200 + numbers.below(40_000));
    let outcome = if reproduced { "reproduced" } else { "line-reached" }.to_owned();
    let target = |level: u64| target(level, frame.is_some_and(|it| level <= it), evaluations, seconds);
    Record {
        crash: format!("CRASH-{crash:06}"),
        application: format!("application {}", crash % 12),
        application_version: "1.2".to_owned(),
        configuration: format!("c{configuration}"),
        seed,
        fitness: "call-chain".to_owned(),
        algorithm: "guided-ga".to_owned(),
        frame: frame.and_then(|it| u32::try_from(it).ok()),
        highest_target_frame: u32::try_from(height).ok(),
        outcome,
        verified: reproduced,
        degree: reproduced.then(|| "escapes".to_owned()),
        evaluations,
        seconds,
        doubts: reproduced.then(Vec::new),
        test_class: reproduced.then(|| "example.SampleTest".to_owned()),
        test_source: reproduced.then(|| "        ledger.post(null, 0x2A);\n".repeat(SOURCE_LINES)),
        obstacle: (!reproduced).then(|| "the condition on line 31 never held".to_owned()),
        obstacle_kind: (!reproduced).then(|| "branch-not-taken".to_owned()),
        crashback: "0.1.0".to_owned(),
        started_at: 1_795_000_000 + seed,
        exception: Some(format!("java.lang.Exception{}", crash % 7)),
        events: (0..20).map(|it| event(it, seconds)).collect(),
        frames: (1..=height).map(target).collect(),
        ..Record::default()
    }
}

fn event(number: u32, seconds: f64) -> EventRecord {
    let kind = if number.is_multiple_of(4) { EventKind::Confirmed } else { EventKind::Searching };
    EventRecord { seconds: seconds * f64::from(number) / 20.0, kind, frame: Some(number % 5), detail: None }
}

fn target(level: u64, reproduced: bool, evaluations: u64, seconds: f64) -> FrameRecord {
    let start = level as f64 + 2.0;
    let point = |step: u32| {
        let share = f64::from(step * step) / 64.0;
        let distance = start * f64::from(9 - step) / 9.0;
        ProgressPoint { evaluations: (evaluations as f64 * share) as u64, seconds: seconds * share, distance }
    };
    FrameRecord {
        level: u32::try_from(level).unwrap_or(u32::MAX),
        frame: format!("example.books.Ledger.post{level}:{}", 17 + level),
        outcome: if reproduced { "reproduced" } else { "line-reached" }.to_owned(),
        evaluations: evaluations / 4,
        distance: Some(if reproduced { 0.0 } else { start / 9.0 }),
        curve: (0..=8).map(point).collect(),
        found_after: reproduced.then_some(seconds / 2.0),
        degree: reproduced.then(|| "escapes".to_owned()),
        ..FrameRecord::default()
    }
}
