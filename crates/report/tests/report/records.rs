//! Made-up records, the same each time.

use std::collections::BTreeMap;

use crashback_campaign::{EventKind, EventRecord, FrameRecord, Record, RunFailure};
use crashback_report::{Trace, TraceFrame};
use crashback_reproduce::ProgressPoint;

const APPLICATIONS: [&str; 5] = ["ledger", "orchard", "tide", "quarry", "loom"];
const EXCEPTIONS: [&str; 4] = [
    "java.lang.NullPointerException",
    "java.lang.IllegalArgumentException",
    "java.lang.ClassCastException",
    "java.util.NoSuchElementException",
];
const TEST: &str = "\
package example;

import org.junit.jupiter.api.Test;

class SampleTest {
    /** Crashes as the log does. */
    @Test
    void sampleThrows() {
        Ledger ledger = new Ledger(\"a\\\"b\", 17L, 'c');
        ledger.post(null, 0x2A); // the empty account
    }
}
";

/// A generator that is good enough for made-up numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Runs of some crashes under some configurations, with as many seeds each.
pub(crate) fn campaign(crashes: usize, configurations: &[&str], seeds: u64) -> Vec<Record> {
    let mut numbers = Numbers(7);
    let mut records = Vec::new();
    for crash in 0..crashes {
        let height = 1 + u32::try_from(numbers.below(14)).expect("small");
        let ease = numbers.below(10);
        for (place, configuration) in (0_u64..).zip(configurations) {
            for seed in 0..seeds {
                let luck = numbers.below(10) + place;
                records.push(run(crash, configuration, seed, height, ease + luck, &mut numbers));
            }
        }
    }
    records
}

fn run(
    crash: usize,
    configuration: &str,
    seed: u64,
    height: u32,
    luck: u64,
    numbers: &mut Numbers,
) -> Record {
    let reproduced = luck > 7;
    let frame = 1 + u32::try_from(numbers.below(height.into())).expect("small");
    let seconds = 1.5 + numbers.below(1_800) as f64 / 100.0;
    let evaluations = 200 + numbers.below(40_000);
    let record = Record {
        crash: format!("{}-{crash:04}", APPLICATIONS[crash % 5].to_uppercase()),
        application: APPLICATIONS[crash % 5].to_owned(),
        application_version: "1.2".to_owned(),
        configuration: configuration.to_owned(),
        seed,
        fitness: "call-chain".to_owned(),
        algorithm: "guided-ga".to_owned(),
        highest_target_frame: Some(height),
        evaluations,
        seconds,
        crashback: "0.1.0".to_owned(),
        started_at: 1_795_000_000 + seed,
        events: events(height, reproduced.then_some(frame), seconds),
        frames: (1..=height).map(|it| target(it, reproduced && it <= frame, evaluations, seconds)).collect(),
        ..Record::default()
    };
    if reproduced {
        return succeeded(record, frame, luck);
    }
    if luck == 0 {
        let message = "the log has no trace that fits the class path".to_owned();
        let error = Some(RunFailure { kind: "disagreement".to_owned(), message });
        let outcome = "not-started".to_owned();
        return Record { outcome, error, highest_target_frame: None, frames: Vec::new(), ..record };
    }
    let outcome =
        ["line-not-reached", "line-reached", "exception-thrown"][usize::try_from(luck % 3).expect("small")];
    let obstacle = Some("the condition `entry != null` on line 31 of Ledger never held".to_owned());
    Record {
        outcome: outcome.to_owned(),
        obstacle,
        obstacle_kind: Some("branch-not-taken".to_owned()),
        ..record
    }
}

fn events(height: u32, reproduced: Option<u32>, seconds: f64) -> Vec<EventRecord> {
    let event = |share: f64, kind: EventKind, frame: u32, detail: Option<&str>| EventRecord {
        seconds: (seconds * share * 1000.0).round() / 1000.0,
        kind,
        frame: Some(frame),
        detail: detail.map(str::to_owned),
    };
    let mut events: Vec<EventRecord> = (1..=height)
        .map(|frame| event(0.1 * f64::from(frame) / f64::from(height), EventKind::Searching, frame, None))
        .collect();
    events.push(event(0.2, EventKind::LineReached, 1, None));
    let Some(frame) = reproduced else { return events };
    events.push(event(0.4, EventKind::Confirmed, frame, None));
    events.push(event(0.5, EventKind::Verifying, frame, None));
    events.push(event(0.6, EventKind::NotConfirmed, frame, Some("the test passed")));
    events.push(event(0.8, EventKind::Minimising, frame, None));
    events.push(event(0.9, EventKind::Verifying, frame, None));
    events.push(event(1.0, EventKind::Reproduced, frame, None));
    events
}

fn succeeded(record: Record, frame: u32, luck: u64) -> Record {
    let doubts = if luck.is_multiple_of(3) { vec!["mock-default".to_owned()] } else { Vec::new() };
    Record {
        outcome: "reproduced".to_owned(),
        degree: Some(if luck == 9 { "caught" } else { "escapes" }.to_owned()),
        verified: true,
        satisfactory: true,
        frame: Some(frame),
        nulls: 1,
        doubts: Some(doubts),
        relaxations: Some(vec!["shifted-line".to_owned()]),
        test_class: Some("example.SampleTest".to_owned()),
        test_source: Some(TEST.to_owned()),
        ..record
    }
}

fn target(level: u32, reproduced: bool, evaluations: u64, seconds: f64) -> FrameRecord {
    let start = f64::from(level) + 2.0;
    let point = |step: u32| {
        let share = f64::from(step * step) / 64.0;
        let distance =
            if reproduced { start * f64::from(8 - step) / 8.0 } else { start / f64::from(step + 1) };
        ProgressPoint { evaluations: (evaluations as f64 * share) as u64, seconds: seconds * share, distance }
    };
    FrameRecord {
        level,
        frame: format!("example.books.Ledger.post{level}:{}", 17 + level),
        outcome: if reproduced { "reproduced" } else { "line-reached" }.to_owned(),
        evaluations: evaluations / 4,
        obstacle: (!reproduced)
            .then(|| "tests reached the line, but none threw the exception there".to_owned()),
        obstacle_kind: (!reproduced).then(|| "line-reached-only".to_owned()),
        distance: Some(if reproduced { 0.0 } else { start / 9.0 }),
        curve: (0..=8).map(point).collect(),
        found_by: reproduced.then(|| format!("frame {level}, escapes, guided-ga, call-chain")),
        found_after: reproduced.then_some(seconds / 2.0),
        degree: reproduced.then(|| "escapes".to_owned()),
    }
}

/// Logged traces of the crashes of some records.
pub(crate) fn traces(records: &[Record]) -> BTreeMap<String, Trace> {
    let mut traces = BTreeMap::new();
    for record in records {
        let next = traces.len();
        traces
            .entry(record.crash.clone())
            .or_insert_with(|| trace(next, record.highest_target_frame.unwrap_or(3)));
    }
    traces
}

fn trace(number: usize, height: u32) -> Trace {
    let frame = |level: u32| TraceFrame {
        frame: format!("example.books.Ledger.post{level}:{}", 17 + level),
        reason: None,
    };
    let main = TraceFrame {
        frame: "example.Main.main:9".to_owned(),
        reason: Some("the entry of the program".to_owned()),
    };
    Trace {
        exception: EXCEPTIONS[number % 4].to_owned(),
        message: Some("no account for \"petty cash\"".to_owned()),
        frames: (1..=height).map(frame).chain([main]).collect(),
    }
}
