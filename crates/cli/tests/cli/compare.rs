//! `crashback campaign compare` as its users run it, on runs that could not search.

use std::fs;
use std::path::Path;

use crate::support::{Run, command, run};

/// Runs `campaign JOB` on the store of a folder.
fn campaign(folder: &Path, job: &str, flags: &[&str]) -> Run {
    run(command().args(["campaign", job, "--store"]).arg(folder.join("runs.sqlite")).args(flags), b"")
}

/// A checkout with a crash whose log has no trace, run under two configurations.
fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let entry = r#"{"application": "Shop", "version": "1", "target_frames": ".*"}"#;
    write("jcrashpack.json", &format!(r#"{{"crashes": {{"SHOP-1": {entry}}}}}"#));
    write("crashes/Shop/SHOP-1/SHOP-1.log", "no trace");
    write("applications/Shop/1/bin/shop.jar", "");
    let path = folder.path().to_str().expect("a plain path");
    for name in ["one", "two"] {
        let flags = ["--jcrashpack", path, "--configuration", name, "--quiet"];
        let ran = campaign(folder.path(), "run", &flags);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    folder
}

#[test]
fn configurations_of_a_store_are_compared() {
    let folder = store();
    let compared = campaign(folder.path(), "compare", &["one", "two"]);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    assert!(compared.stdout.starts_with("A  one\nB  two\n"), "{}", compared.stdout);
    assert!(compared.stdout.contains("\nall runs                       0/1       0/1     1.000"));

    let json = campaign(folder.path(), "compare", &["one", "two", "--json", "--failed", "drop"]).json();
    assert_eq!((&json["exit_code"], &json["failed"]), (&0.into(), &"drop".into()));
    assert_eq!(json["pairs"][0]["runs"]["a"]["runs"], 1);

    let csv = campaign(folder.path(), "compare", &["one", "two", "--csv"]).stdout;
    assert_eq!(csv.lines().nth(1), Some("one,two,runs,,,,1,0,1,0,1.0,1.0,,,,,,,,,,"), "{csv}");
}

#[test]
fn bad_comparisons_are_refused_by_name() {
    let folder = store();
    let refused = |flags: &[&str], words: &[&str]| {
        campaign(folder.path(), "compare", flags).failed_with(2, words);
    };
    refused(&["one", "three"], &["no runs of the configuration `three`", "`one`, `two`"]);
    refused(&["one", "one"], &["`one` is named twice"]);
    refused(&["one"], &["2 values required"]);
    refused(&["one", "two", "--failed", "never"], &["budget, drop"]);
    refused(&["one", "two", "--published", "/no/such/file"], &["/no/such/file"]);
    fs::write(folder.path().join("table.csv"), "id,x\n").expect("a table");
    let table = folder.path().join("table.csv");
    refused(&["one", "two", "--published", table.to_str().expect("a path")], &["table.csv", "_frame_once"]);
    let json = campaign(folder.path(), "compare", &["one", "three", "--json"]);
    assert_eq!((json.code, &json.json()["exit_code"]), (2, &2.into()));
    let missing = folder.path().join("missing");
    campaign(&missing, "compare", &["one", "two"]).failed_with(2, &["there is no store", "campaign run"]);
}
