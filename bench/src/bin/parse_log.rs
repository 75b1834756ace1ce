//! How fast a log of 200 MB is read, against counting its lines in the same run.
//!
//! `cargo run --release -p crashback-bench --bin parse_log [MEGABYTES]`

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often each measurement is repeated; the fastest counts.
const REPETITIONS: usize = 5;
/// One trace in so many records.
const RECORDS_PER_TRACE: u64 = 200;

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    let log = generate(megabytes * 1_000_000);
    let crashes = crashback_trace::parse(log.as_bytes()).crashes;
    let frames: usize =
        crashes.iter().flat_map(|crash| &crash.throwables).map(|throwable| throwable.frames.len()).sum();
    let lines = memchr::memchr_iter(b'\n', log.as_bytes()).count();
    println!("log: {} bytes, {lines} lines, {} crashes, {frames} frames", log.len(), crashes.len());
    drop(crashes);
    let baseline = fastest(|| memchr::memchr_iter(b'\n', log.as_bytes()).count());
    let parsing = fastest(|| crashback_trace::parse(log.as_bytes()).crashes.len());
    let rate = |time: Duration| log.len() as f64 / 1e6 / time.as_secs_f64();
    println!("count lines: {:.0} MB/s", rate(baseline));
    println!("parse:       {:.0} MB/s", rate(parsing));
    println!("ratio:       {:.3} of the rate of counting lines", rate(parsing) / rate(baseline));
}

fn fastest(mut measured: impl FnMut() -> usize) -> Duration {
    let times = (0..REPETITIONS).map(|_| {
        let start = Instant::now();
        black_box(measured());
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Ordinary records with a trace now and then, the same on every run.
fn generate(size: usize) -> String {
    let mut log = String::with_capacity(size + 10_000);
    let mut state = 1u64;
    let mut next = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut record = 0;
    while log.len() < size {
        record += 1;
        let (level, message) = match next(20) {
            0 => ("WARN ", "Retrying after a Connection Error, attempt"),
            1 => ("ERROR", "Request failed (see the exception above), request"),
            2..5 => ("DEBUG", "Loaded template from cache [pages/home.vm], entry"),
            _ => ("INFO ", "Handled GET /api/orders?page=2 for user alice in ms:"),
        };
        let (second, worker, value) = (record / 50 % 60, next(16), next(100_000));
        let _ = writeln!(
            log,
            "2024-03-01 12:{:02}:{second:02},{:03} {level} [http-nio-8080-exec-{worker}] \
             c.e.shop.web.OrderController - {message} {value}",
            record / 3000 % 60,
            record % 1000,
        );
        if next(RECORDS_PER_TRACE) == 0 {
            trace(&mut log, &mut next);
        }
    }
    log
}

/// A trace with jar suffixes and a cause that shares frames with it.
fn trace(log: &mut String, next: &mut impl FnMut(u64) -> u64) {
    let _ = writeln!(log, "com.example.shop.OrderException: order {} cannot be shipped", next(10_000));
    let depth = 15 + next(30);
    frames(log, depth, next);
    let _ = writeln!(log, "Caused by: java.lang.NullPointerException: null");
    frames(log, 4, next);
    let _ = writeln!(log, "\t... {} common frames omitted", depth - 2);
}

fn frames(log: &mut String, count: u64, next: &mut impl FnMut(u64) -> u64) {
    for _ in 0..count {
        let (class, line) = (next(40), 10 + next(900));
        let _ = writeln!(
            log,
            "\tat com.example.shop.service.Component{class}.process(Component{class}.java:{line}) \
             ~[shop-service-2.4.1.jar:2.4.1]"
        );
    }
}
