//! Reports in a real browser.

use std::fs;

use crashback_campaign::Record;
use crashback_report::{Comparisons, Report};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::webdriver::{Browser, DOWN, ENTER, RIGHT, SPACE, TAB};
use crate::{hostile, records};

/// A report of records in a browser, and the folder that it lies in.
fn show(records: &[Record]) -> Option<(Browser, TempDir)> {
    let traces = records::traces(records);
    let comparisons = Comparisons::of(records);
    let report = Report { title: "A campaign", records, traces: &traces, comparisons: &comparisons };
    show_page(&report.render())
}

fn show_page(page: &str) -> Option<(Browser, TempDir)> {
    let browser = Browser::start()?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.html");
    fs::write(&file, page).expect("a file");
    browser.open(&file);
    Some((browser, folder))
}

fn without_errors(browser: &Browser) {
    let errors = browser.errors();
    assert!(errors.is_empty(), "{errors:?}");
}

/// Texts of a column of the table, from the top.
fn column(browser: &Browser, label: &str) -> Vec<String> {
    let cells = browser.value(&format!(
        "[...document.querySelectorAll('#rows td[data-label=\"{label}\"]')].map(it => it.textContent)"
    ));
    cells.as_array().expect("a list").iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
}

/// Presses the tabulator until an element that a selector names has the focus.
fn tab_to(browser: &Browser, selector: &str) {
    let has_focus = format!("document.activeElement.matches({selector:?})");
    let mut steps = 0;
    while browser.value(&has_focus) != Value::Bool(true) {
        browser.press([TAB]);
        steps += 1;
        assert!(steps < 80, "{selector} cannot be reached with the keyboard");
    }
    let outline = browser.value(
        "(() => { const it = document.activeElement, all = [it, it.nextElementSibling].filter(Boolean);
          return all.some(it => getComputedStyle(it).outlineStyle !== 'none'); })()",
    );
    assert_eq!(outline, true, "the focus on {selector} cannot be seen");
}

#[test]
fn the_table_is_usable_by_keyboard() {
    let records = records::campaign(150, &["first", "second"], 3);
    let Some((browser, _folder)) = show(&records) else { return };
    browser.resize(1280);
    assert_eq!(column(&browser, "Crash").len(), 100, "the first rows");

    tab_to(&browser, "th[data-key=tests] button");
    browser.press([ENTER]);
    let tests = || -> Vec<u64> {
        let texts = column(&browser, "Tests");
        texts.iter().map(|it| it.replace(',', "").parse().expect("a number")).collect()
    };
    assert!(tests().is_sorted());
    browser.press([SPACE]);
    assert!(tests().iter().rev().is_sorted());
    assert_eq!(browser.value("document.querySelector('th[data-key=tests]').ariaSort"), "descending");

    browser.value("document.body.focus()");
    browser.value("document.getElementById('content').focus()");
    tab_to(&browser, "#search");
    browser.press("loom nullpointer".chars());
    let names = column(&browser, "Crash");
    assert!(
        !names.is_empty() && names.len() < 30 && names.iter().all(|it| it.starts_with("LOOM")),
        "{names:?}"
    );
    tab_to(&browser, "#filter-state");
    browser.press([DOWN]);
    let states = column(&browser, "Outcome");
    assert!(states.iter().all(|it| it == "Reproduced in most runs"), "{states:?}");
    let count = browser.value("document.getElementById('count').textContent");
    assert_eq!(count, format!("{} of 150 crashes", states.len()));
    tab_to(&browser, "#clear");
    browser.press([ENTER]);
    assert_eq!(column(&browser, "Crash").len(), 100);

    tab_to(&browser, "#rows .open");
    browser.press([ENTER]);
    assert_eq!(browser.value("document.activeElement.ariaExpanded"), "true");
    assert_eq!(browser.value("document.querySelectorAll('#rows .detail .trace li').length > 1"), true);
    browser.press([ENTER]);
    assert_eq!(browser.value("document.querySelectorAll('#rows .detail').length"), 0);
    without_errors(&browser);
}

#[test]
fn configurations_are_chosen_by_keyboard_and_links_open_crashes() {
    let records = records::campaign(150, &["first", "second"], 3);
    let Some((browser, _folder)) = show(&records) else { return };
    browser.resize(1280);
    let shown = "[...document.querySelectorAll('dl.figures')].map(it => it.offsetHeight > 0)";
    assert_eq!(browser.value(shown), json!([true, false]));
    tab_to(&browser, "input[name=view]");
    let before = column(&browser, "Time");
    browser.press([RIGHT]);
    assert_eq!(browser.value(shown), json!([false, true]));
    assert_ne!(column(&browser, "Time"), before, "the table follows");

    browser.value("location.hash = '#crash-140'");
    let opened = "document.querySelector('#rows tr[data-crash=\"140\"] + .detail article')?.id ?? null";
    assert_eq!(browser.value(opened), "crash-140");
    let name = "document.querySelector('#rows tr[data-crash=\"140\"] .open').textContent";
    assert_eq!(browser.value("document.activeElement.textContent"), browser.value(name));
    without_errors(&browser);
}

#[test]
fn pages_fit_all_widths_in_light_and_dark() {
    let Some((browser, folder)) = show(&records::campaign(60, &["first", "second"], 2)) else { return };
    browser.value("location.hash = '#crash-3'");
    browser.value("[...document.querySelectorAll('details')].forEach(it => it.open = true)");
    let single: Vec<Record> = records::campaign(40, &["only"], 1).into_iter().take(1).collect();
    let traces = records::traces(&single);
    let page = Report {
        title: "One crash",
        records: &single,
        traces: &traces,
        comparisons: &Comparisons::default(),
    }
    .render();
    fits(&browser);
    let file = folder.path().join("single.html");
    fs::write(&file, page).expect("a file");
    browser.open(&file);
    fits(&browser);
    without_errors(&browser);
}

fn fits(browser: &Browser) {
    let ground = "getComputedStyle(document.body).backgroundColor";
    for width in [360, 1280, 1920] {
        browser.resize(width);
        let beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(browser.value(beyond), 0, "at {width} the page scrolls sideways");
    }
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        grounds.push(browser.value(ground));
        for switch in ["light", "dark"] {
            browser.value(&format!("document.getElementById('theme-{switch}').click()"));
            grounds.push(browser.value(ground));
        }
        browser.value("document.getElementById('theme-auto').click()");
    }
    let (light, dark) = (grounds[0].clone(), grounds[3].clone());
    assert_ne!(light, dark);
    assert_eq!(grounds, [light.clone(), light.clone(), dark.clone(), dark.clone(), light, dark]);
}

#[test]
fn hostile_texts_do_nothing() {
    let Some((browser, _folder)) = show_page(&hostile::report()) else { return };
    let plain = "[...document.querySelectorAll('.views label')].find(it => it.textContent === 'plain')";
    browser.value(&format!("{plain}.querySelector('input').click()"));
    browser.value("[...document.querySelectorAll('.open[aria-expanded=false]')].forEach(it => it.click())");
    assert_eq!(browser.value("window.owned ?? null"), Value::Null);
    assert_eq!(browser.value("document.scripts.length"), 2);
    let names = browser.value("[...document.querySelectorAll('#rows .open')].map(it => it.textContent)");
    let names = names.as_array().expect("a list");
    assert_eq!(names.len(), hostile::HOSTILE.len());
    assert!(names.iter().any(|it| it == "</script><script>window.owned=1</script>"), "{names:?}");
    without_errors(&browser);
}

/// A script that gets into the page all the same is stopped by the page's policy.
#[test]
fn the_policy_stops_scripts_of_others() {
    let records = records::campaign(2, &["only"], 1);
    let traces = records::traces(&records);
    let page = Report {
        title: "A campaign",
        records: &records,
        traces: &traces,
        comparisons: &Comparisons::default(),
    }
    .render();
    let injected =
        page.replace("<main", "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'><main");
    let Some((browser, _folder)) = show_page(&injected) else { return };
    assert_eq!(browser.value("window.owned ?? null"), Value::Null);
    assert!(!browser.errors().is_empty());
}

#[test]
fn the_essence_is_there_without_scripts() {
    let records = records::campaign(30, &["only"], 1);
    let Some((browser, folder)) = show(&records) else { return };
    browser.chromium("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    browser.open(&folder.path().join("report.html"));
    let text = browser.chromium("DOM.getDocument", &json!({ "depth": 1 }));
    let node = text["root"]["nodeId"].clone();
    let count = |selector: &str| {
        let found =
            browser.chromium("DOM.querySelectorAll", &json!({ "nodeId": node, "selector": selector }));
        found["nodeIds"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(count("html:not(.js) #rows tr"), 30);
    assert_eq!(count("html:not(.js) #details article"), 30);
    assert!(count("#rows a[href^='#crash-']") == 30 && count(".figures dd") > 3);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time until the page is there is measured")]
fn a_hundred_thousand_runs_open_quickly() {
    let names = ["a", "b", "c", "d", "e"];
    for (crashes, configurations, seeds) in [(1_000, &names[..], 20), (100_000, &names[..1], 1)] {
        let records = records::campaign(crashes, configurations, seeds);
        assert_eq!(records.len(), 100_000);
        let traces = records::traces(&records);
        let begun = std::time::Instant::now();
        let page = Report {
            title: "Large",
            records: &records,
            traces: &traces,
            comparisons: &Comparisons::default(),
        }
        .render();
        let rendered = begun.elapsed();
        drop(records);
        let Some((browser, _folder)) = show_page(&page) else { return };
        let loaded = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000");
        let loaded = loaded.as_f64().expect("a time");
        let size = page.len() as f64 / f64::from(1 << 20);
        println!("{crashes} crashes: {size:.1} MiB, rendered in {rendered:.1?}, open after {loaded:.2} s");
        assert_eq!(column(&browser, "Crash").len(), 100);
        assert!(loaded < 10.0, "it takes {loaded:.1} s to open");
        without_errors(&browser);
    }
}
