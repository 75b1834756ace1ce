//! `crashback.toml`, `CRASHBACK_…` variables and `crashback config`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Program, Run, command, run};

/// Runs the command in a folder with some variables.
fn run_in(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = command();
    command.args(arguments).current_dir(folder).envs(variables.iter().copied());
    run(&mut command, b"")
}

fn setting<'o>(object: &'o Value, name: &str) -> &'o Value {
    let settings = object["settings"].as_array().expect("settings");
    settings.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name} is in {object}"))
}

#[test]
fn flags_count_more_than_variables_and_variables_more_than_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).expect("folders");
    let file = folder.path().join("crashback.toml");
    fs::write(&file, "time = \"3s\"\nworkers = 7\nout = \"tests\"\nquiet = true\n").expect("a file");
    let object =
        run_in(&below, &["config", "--json"], &[("CRASHBACK_TIME", "4s"), ("CRASHBACK_TIEM", "1")]).json();
    let time = setting(&object, "time");
    assert_eq!((&time["values"][0], &time["from"]), (&"4s".into(), &"CRASHBACK_TIME".into()));
    let workers = setting(&object, "workers");
    assert_eq!(workers["values"][0], "7");
    assert!(workers["from"].as_str().is_some_and(|it| it.ends_with("crashback.toml")));
    let out = setting(&object, "out")["values"][0].as_str().expect("a path").to_owned();
    assert!(
        out.ends_with("tests") && Path::new(&out).is_absolute(),
        "paths are below the file's folder: {out}"
    );
    assert_eq!(setting(&object, "seed")["from"], "default");
    assert_eq!(object["unknown_variables"], serde_json::json!(["CRASHBACK_TIEM"]));
    let text = run_in(&below, &["config"], &[]).stdout;
    assert!(text.contains("crashback.toml") && text.contains("(default)"), "{text}");
}

#[test]
fn settings_stand_for_options() {
    let shop = Program::shop();
    let folder = shop.folder.path();
    let explain = ["explain", "crash.log", "--json"];
    run_in(folder, &explain, &[]).failed_with(2, &["no class path"]);
    shop.write("crashback.toml", "classpath = [\"classes\"]\nproject-packages = [\"shop\"]\n");
    let object = run_in(folder, &explain, &[]).json();
    assert_eq!((&object["exit_code"], &object["project"]), (&0.into(), &"packages shop".into()), "{object}");
    let from_variable =
        run_in(folder, &explain, &[("CRASHBACK_PROJECT_PACKAGES", "shop.Till,shop.Prices")]).json();
    assert_eq!(from_variable["project"], "packages shop.Till, shop.Prices");
    let from_flag = ["explain", "crash.log", "--json", "--project-packages", "other"];
    let object = run_in(folder, &from_flag, &[("CRASHBACK_PROJECT_PACKAGES", "shop.Till")]).json();
    assert_eq!(object["project"], "packages other");
    // An option that excludes a setting replaces it.
    let uncached = ["explain", "crash.log", "--json", "--no-cache"];
    let object = run_in(folder, &uncached, &[("CRASHBACK_CACHE_DIR", "cache")]).json();
    assert_eq!(object["exit_code"], 0, "{object}");
    let other = ["explain", "crash.log", "--json", "--classpath", "gone.jar"];
    run_in(folder, &other, &[]).failed_with(2, &["gone.jar"]);
}

#[test]
fn wrong_settings_name_their_place() {
    let shop = Program::shop();
    let folder = shop.folder.path();
    let check = |content: &str, words: &[&str]| {
        shop.write("crashback.toml", content);
        for arguments in [&["explain", "crash.log", "--json"][..], &["config", "--json"]] {
            let wrong = run_in(folder, arguments, &[]);
            wrong.failed_with(2, words);
            assert_eq!(wrong.json()["error"]["kind"], "usage");
        }
    };
    check("tiem = 1\n", &["crashback.toml", "tiem", "no such setting", "crashback config"]);
    check("time = \n", &["crashback.toml", "cannot read the settings"]);
    check("unsafe-no-sandbox = true\n", &["crashback.toml", "cannot switch the sandbox off"]);
    check("no-cache = 3\n", &["no-cache", "true or false"]);
    check("crash = 2\n", &["crash", "no such setting"]);
    shop.write("crashback.toml", "junit = 3\n");
    let arguments = ["reproduce", "crash.log", "--classpath", "classes", "--json"];
    run_in(folder, &arguments, &[]).failed_with(2, &["--junit", "is set by", "crashback.toml"]);
    run_in(folder, &arguments, &[("CRASHBACK_JUNIT", "2")]).failed_with(2, &["is set by CRASHBACK_JUNIT"]);
}
