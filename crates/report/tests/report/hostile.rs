//! Texts of logs and programs come from strangers: none of them becomes markup, script or style.

use std::collections::BTreeMap;

use crashback_campaign::{FrameRecord, Record, RunFailure};
use crashback_report::{
    Comparison, ComparisonRow, Comparisons, Effect, MeanRanks, Report, Trace, TraceFrame,
};

/// Texts that end elements, attributes, comments and scripts, or turn text around.
pub(crate) const HOSTILE: [&str; 8] = [
    "</script><script>window.owned=1</script>",
    "\"><img src=x onerror=window.owned=1>",
    "'><svg onload=window.owned=1>",
    "<!--<script>window.owned=1//-->",
    "]]></style><style>body{display:none}</style>",
    "&lt;b&gt;&#60;i&#62;",
    "\u{202e}}//\u{2066} reversed \u{0}\u{1b}[31m\u{2028}",
    "javascript:window.owned=1",
];

/// Records with such a text in every field.
pub(crate) fn records() -> Vec<Record> {
    let runs =
        HOSTILE.iter().zip(0..).flat_map(|(text, seed)| [run(text, text, seed), run(text, "plain", seed)]);
    runs.collect()
}

fn run(text: &str, configuration: &str, seed: u64) -> Record {
    let some = || Some(text.to_owned());
    let reproduced = seed.is_multiple_of(2);
    Record {
        crash: text.to_owned(),
        application: text.to_owned(),
        application_version: text.to_owned(),
        configuration: configuration.to_owned(),
        seed,
        fitness: text.to_owned(),
        algorithm: text.to_owned(),
        tuning: text.to_owned(),
        frame: Some(1),
        highest_target_frame: Some(2),
        outcome: if reproduced { "reproduced" } else { text }.to_owned(),
        verified: reproduced,
        degree: if seed == 0 { Some("escapes".to_owned()) } else { some() },
        seconds: f64::NAN,
        doubts: Some(vec![text.to_owned()]),
        relaxations: Some(vec![text.to_owned()]),
        obstacle: some(),
        obstacle_kind: some(),
        test_class: some(),
        test_source: Some(format!("// {text}\nString it = \"{text}\"; /* {text} */ @{text}")),
        error: (seed == 3).then(|| RunFailure { kind: text.to_owned(), message: text.to_owned() }),
        crashback: text.to_owned(),
        frames: vec![FrameRecord {
            level: 1,
            frame: text.to_owned(),
            outcome: text.to_owned(),
            obstacle: Some(format!("{text}.")),
            found_by: some(),
            found_after: Some(f64::INFINITY),
            distance: Some(f64::NAN),
            ..FrameRecord::default()
        }],
        unverified_reasons: vec![text.to_owned()],
        ..Record::default()
    }
}

/// The report of such records, with such texts everywhere else, too.
pub(crate) fn report() -> String {
    let records = records();
    let trace = |text: &&str| Trace {
        exception: (*text).to_owned(),
        message: Some((*text).to_owned()),
        frames: vec![TraceFrame { frame: (*text).to_owned(), reason: Some((*text).to_owned()) }; 3],
    };
    let traces: BTreeMap<String, Trace> = HOSTILE.iter().map(|it| ((*it).to_owned(), trace(it))).collect();
    let mut comparisons = Comparisons::of(&records);
    let text = HOSTILE.concat();
    let effect = Effect { name: text.clone(), value: f64::NAN, magnitude: Some(text.clone()) };
    let (left, right) = (text.clone(), text.clone());
    let row = ComparisonRow {
        measure: text.clone(),
        left,
        right,
        effect: Some(effect),
        p_value: Some((f64::NAN, text.clone())),
    };
    comparisons.pairs.push(Comparison { left: text.clone(), rows: vec![row], ..Comparison::default() });
    let ranks = vec![(text.clone(), f64::NAN)];
    comparisons.rankings.push(MeanRanks { criterion: text.clone(), ranks, ..MeanRanks::default() });
    Report { title: &text, records: &records, traces: &traces, comparisons: &comparisons }.render()
}

#[test]
fn texts_of_records_are_never_markup() {
    let page = report();
    for opening in ["<script", "</script", "<style", "</style"] {
        let expected = if opening.contains("script") { 2 } else { 1 };
        assert_eq!(page.matches(opening).count(), expected, "{opening}");
    }
    for hostile in ["<img", "<svg onload", "<!--"] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert!(!page.contains("href=\"javascript"), "a text became an address");
    assert!(!page.contains(" style="), "the policy forbids styles in attributes");
}

#[test]
fn hidden_characters_are_shown() {
    let page = report();
    let hidden =
        |it: char| it.is_control() && it != '\n' && it != '\t' || it == '\u{202e}' || it == '\u{2066}';
    assert!(!page.contains(hidden));
    assert!(page.contains("\u{fffd}}//\u{fffd} reversed"));
}

#[test]
fn a_single_crash_is_escaped_as_well() {
    for text in HOSTILE {
        let records = [run(text, text, 0)];
        let page = Report {
            title: text,
            records: &records,
            traces: &BTreeMap::new(),
            comparisons: &Comparisons::default(),
        }
        .render();
        assert_eq!(page.matches("<script").count(), 1, "{text}");
        assert!(!page.contains("<img") && !page.contains("<svg onload"), "{text}");
    }
}
