//! The contents of reports.

use std::collections::BTreeMap;

use crashback_campaign::compare::{CompareOptions, compare};
use crashback_campaign::statistics::Interval;
use crashback_campaign::{EventKind, EventRecord, Record};
use crashback_report::{Comparisons, Report};

use crate::records;

fn render(records: &[Record]) -> String {
    let traces = records::traces(records);
    let comparisons = Comparisons::of(records);
    Report { title: "Sample", records, traces: &traces, comparisons: &comparisons }.render()
}

#[test]
fn equal_records_give_equal_bytes() {
    let records = records::campaign(20, &["a", "b"], 2);
    assert_eq!(render(&records), render(&records));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = render(&records::campaign(5, &["a", "b"], 1));
    for reference in ["http:", "https:", "//cdn", "@import", "url(", "src="] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(reference);
        assert!(!found, "{reference}");
    }
}

#[test]
fn a_campaign_has_all_sections() {
    let page = render(&records::campaign(30, &["a", "b"], 3));
    for id in ["outcomes", "heights", "progress", "crashes", "comparison", "details"] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    for words in [
        "NullPointerException",
        "Tests without doubt",
        "a</b> against <b>b",
        "odds ratio",
        "Time, median (95 % interval)",
        "Events of the run",
        "Fisher",
        "Wilcoxon",
        "frame 1, escapes, guided-ga",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_single_crash_has_trace_and_test_but_no_table() {
    let mut records = records::campaign(40, &["a"], 1);
    records.retain(Record::is_reproduced);
    records.truncate(1);
    let page = render(&records);
    assert!(page.contains("class=\"trace\"") && page.contains("<b class=\"tk\">class</b>"));
    assert!(!page.contains("id=\"rows\"") && !page.contains("id=\"data\""));
}

/// The same intervals as `campaign compare` has.
#[test]
fn medians_have_the_intervals_of_comparisons() {
    let records = records::campaign(12, &["a", "b"], 4);
    let names = ["a".to_owned(), "b".to_owned()];
    let compared = compare(&records, &names, None, CompareOptions::default()).expect("a comparison");
    let seconds = compared.configurations[1].total.seconds.expect("times");
    let (median, Interval { low, high }) = (seconds.median, seconds.interval);
    let comparisons = Comparisons::of(&records);
    let shown =
        &comparisons.pairs[0].rows.iter().find(|it| it.measure.starts_with("Time")).expect("a row").right;
    assert_eq!(*shown, format!("{median:.1} s ({low:.1} s to {high:.1} s)"));
}

/// One search for each frame: searches with one seed are one run, and the trace shows all of them.
#[test]
fn searches_for_single_frames_are_counted_by_seed() {
    let mut records = Vec::new();
    for record in records::campaign(3, &["a"], 2).into_iter().filter(|it| it.error.is_none()) {
        for frame in &record.frames {
            let (target_frame, frames) = (Some(frame.level), vec![frame.clone()]);
            let reproduced = frame.outcome == "reproduced" && record.is_reproduced();
            let outcome = if reproduced { "reproduced" } else { "line-reached" }.to_owned();
            let frame = reproduced.then_some(frame.level);
            let verified = reproduced;
            records.push(Record { target_frame, frame, outcome, verified, frames, ..record.clone() });
        }
    }
    let (searches, height) = (records.len(), records.iter().filter(|it| it.seed == 0).count());
    let page = render(&records);
    assert!(page.contains(&format!("{searches} searches for single frames")), "{searches}");
    assert!(page.contains("6 runs") && !page.contains(&format!("{searches} runs")));
    let rows: Vec<&str> = page.split("<li value=").skip(1).collect();
    assert!(rows.len() >= height, "{} lines for {height} frames", rows.len());
}

/// Turns between frames are left out beyond the first of each frame, and hostile details are text.
#[test]
fn events_are_told_from_the_beginning_to_the_end() {
    let mut records = records::campaign(1, &["a"], 1);
    let event = |number: u32| EventRecord {
        seconds: f64::from(number),
        kind: if number.is_multiple_of(2) { EventKind::Searching } else { EventKind::NotConfirmed },
        frame: Some(1),
        detail: (number % 2 == 1).then(|| format!("<b>{number}</b>")),
    };
    records[0].events = (0..200).map(event).collect();
    let page = render(&records);
    assert_eq!(page.matches("the search turns to frame 1").count(), 1);
    assert_eq!(page.matches("a plain JVM does not show frame 1").count(), 59);
    assert!(page.contains("&lt;b&gt;199&lt;/b&gt;") && !page.contains("<b>199"));
    assert!(page.contains("140 more, most of them turns"));
}

#[test]
fn no_runs_give_a_page_that_says_so() {
    let page = Report {
        title: "None",
        records: &[],
        traces: &BTreeMap::new(),
        comparisons: &Comparisons::default(),
    }
    .render();
    assert!(page.contains("There are no runs to show."));
}

#[test]
fn what_is_left_out_is_told() {
    let names: Vec<String> = (0..14).map(|it| format!("c{it:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let page = render(&records::campaign(1_200, &names, 1));
    assert!(page.contains("beyond the first 1,000 of 1,200 crashes"));
    assert!(page.contains("first 12 of 14 configurations"));
    assert_eq!(page.matches("<article").count(), 1_000);
}

/// An unfinished search, an error and a success of the same crash: the success is shown.
#[test]
fn the_best_run_is_shown_in_detail() {
    let mut records = records::campaign(60, &["a"], 4);
    let best = records.iter().filter(|it| it.is_reproduced()).max_by_key(|it| it.frame).expect("one").clone();
    records.retain(|it| it.crash == best.crash);
    let page = render(&records);
    assert!(page.contains("a, seed ") && page.contains("SampleTest.java"));
    assert!(page.contains("The store has the others."));
}

#[test]
fn three_configurations_are_ranked() {
    let page = render(&records::campaign(30, &["a", "b", "c"], 3));
    assert!(page.contains("Friedman") && page.matches("</b> against <b>").count() == 3);
}

/// Outcomes by exception come from the records where the logs are not at hand.
#[test]
fn exceptions_of_records_are_enough() {
    let mut records = records::campaign(10, &["a"], 1);
    records.iter_mut().for_each(|it| it.exception = Some("java.lang.ArithmeticException".to_owned()));
    let (traces, comparisons) = (BTreeMap::new(), Comparisons::default());
    let page =
        Report { title: "Sample", records: &records, traces: &traces, comparisons: &comparisons }.render();
    assert!(page.contains("By exception") && page.contains("ArithmeticException"));
}
