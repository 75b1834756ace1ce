//! The tables of a comparison.

use crashback_campaign::compare::{CompareOptions, Failed, Published};
use crashback_campaign::{FrameRecord, Record};

use super::*;

/// Runs of eight crashes with long names, three seeds each; the first configuration is the best.
fn records(configurations: &[String]) -> Vec<Record> {
    let mut records = Vec::new();
    for (rank, configuration) in (0_u32..).zip(configurations) {
        for crash in 0..8 {
            for seed in 0..3 {
                let frame = (crash + seed as u32) % 4 / (rank + 1);
                let frames = (1..=3).map(|level| FrameRecord { level, ..FrameRecord::default() });
                records.push(Record {
                    crash: format!("APPLICATION-{}", 10_000 + crash),
                    application: format!("Some Application {}", crash % 3),
                    exception: Some(format!("java.util.MoreThanUsuallyVerbose{}Exception", crash % 2)),
                    configuration: configuration.clone(),
                    seed,
                    frame: (frame > 0).then_some(frame),
                    outcome: if frame > 0 { "reproduced" } else { "line-reached" }.to_owned(),
                    verified: frame > 0,
                    degree: (frame > 0).then(|| "escapes".to_owned()),
                    evaluations: 123_456 + u64::from(rank) * 1_000 + seed * 77 + u64::from(crash),
                    seconds: 312.3456 + f64::from(rank) + seed as f64 / 10.0,
                    frames: frames.collect(),
                    ..Record::default()
                });
            }
        }
    }
    records
}

fn compared(count: usize, failed: Failed) -> Comparison {
    let names: Vec<String> =
        (0..count).map(|it| format!("guided-ga+weighted-sum+some-tuning=0.{it}")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("published.csv");
    let table = "id,best_frame_majority,best_frame_once,another_system_of_old_frame_once\n\
                 APPLICATION-10000,1,2,1\nAPPLICATION-10001,0,0,\nAPPLICATION-10002,3,3,0\n";
    std::fs::write(&path, table).expect("a table");
    let published = Published::read(&path).expect("a table");
    let mut records = records(&names);
    // A crash that only one configuration ran.
    records.extend(records.first().cloned().map(|it| Record { crash: "ALONE-1".to_owned(), ..it }));
    let options = CompareOptions { failed, resamples: 200, seed: 0, groups: true };
    compare::compare(&records, &names, Some(&published), options).expect("a comparison")
}

/// The text as a terminal without colours shows it.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn tables_fit_into_a_hundred_columns() {
    for (count, failed) in [(2, Failed::Budget), (3, Failed::Drop), (5, Failed::Budget), (7, Failed::Drop)] {
        for all_frames in [false, true] {
            let text = plain(&text::comparison(&compared(count, failed), all_frames));
            let widest = text.lines().max_by_key(|it| it.chars().count()).expect("lines");
            assert!(widest.chars().count() <= 100, "{widest}");
            assert!(text.lines().all(|it| it.trim_end() == it), "{text}");
            assert!(!text.contains("NaN"), "{text}");
        }
    }
}

#[test]
fn all_parts_of_a_comparison_are_shown() {
    let comparison = compared(3, Failed::Budget);
    let text = plain(&text::comparison(&comparison, false));
    for words in [
        "A  guided-ga+weighted-sum+some-tuning=0.0\n",
        "1 crash is left out, because not all configurations ran them:\nALONE-1\n",
        "Effort, failed at budget",
        "Runs at all frames       reproduced  claimed",
        "A against B",
        "A against C",
        "* p < 0.05",
        "Ranks by success-rate",
        "Nemenyi's p, B",
        "Friedman: 8 crashes",
        "Highest frames          in most/once     target       A       B       C  published",
        "another_system_of_old",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
    let rows = |text: &str| text.lines().filter(|it| it.starts_with("APPLICATION-10000")).count();
    assert_eq!(rows(&text), 3, "one of each pair, and the highest frames: {text}");
    let all = plain(&text::comparison(&comparison, true));
    assert_eq!(rows(&all), 7, "three frames of each pair, and the highest frames: {all}");
}

#[test]
fn the_json_object_has_the_comparison_beside_the_exit_code() {
    let comparison = compared(2, Failed::Drop);
    let document = Document { exit_code: 0, error: None, comparison: &comparison };
    let json = serde_json::to_value(&document).expect("JSON");
    assert_eq!((&json["exit_code"], &json["error"]), (&0.into(), &serde_json::Value::Null));
    assert_eq!(json["failed"], "drop");
    assert_eq!(json["configurations"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["left_out"][0]["crash"], "ALONE-1");
    assert!(json["pairs"][0]["runs"]["odds_ratio"].is_number());
}
