//! Options that no test of their command's subject uses, each with its effect.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Program, Run, command, crashback, java_home, path_with_maven, run};

/// Options that every search takes.
const METHOD: [&str; 10] = [
    "--preset",
    "single",
    "--fitness",
    "weighted-sum",
    "--algorithm",
    "guided-ga",
    "--tune",
    "longest-test=60",
    "--enable-assertions",
    "--unsafe-no-sandbox",
];

/// Runs the command in the folder of the shop.
fn in_shop(shop: &Program, arguments: &[&str]) -> Run {
    run(command().args(arguments).current_dir(shop.folder.path()), b"")
}

#[test]
fn a_search_takes_all_options_together_and_leaves_all_files() {
    let shop = Program::shop();
    let files = ["--report", "crash.html", "--junit-xml", "crash.xml", "--sarif", "crash.sarif"];
    let test = ["--expect", "--stats", "--out", "tests", "--frame", "2", "--workers", "1"];
    let crash = ["reproduce", "crash.log", "--cp", "classes", "--time", "120s"];
    let arguments = [&crash[..], &METHOD, &test, &files].concat();
    let done = in_shop(&shop, &arguments);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("workers waited"), "--stats: {}", done.stdout);
    let test = fs::read_to_string(shop.path("tests/shop/TillCrashTest.java")).expect("a test");
    assert!(test.contains("assertThrows"), "--expect: {test}");
    assert!(shop.path("crash.html").is_file());
    let xml = fs::read_to_string(shop.path("crash.xml")).expect("a file");
    assert!(xml.contains("failures=\"0\"") && xml.contains("<testsuite name=\"crash.log\""), "{xml}");
    let sarif = fs::read_to_string(shop.path("crash.sarif")).expect("a file");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "java.lang.NullPointerException");
    assert_eq!(result["properties"]["reproduced"], true);
    // All of them are in the way of the next run, which ends before it searches.
    in_shop(&shop, &[&arguments[..], &["--json"]].concat()).failed_with(4, &["exists already", "--force"]);
    let recorded = ["--evaluations", "1", "--force", "--json"];
    let settings = &in_shop(&shop, &[&arguments[..], &recorded].concat()).json()["settings"];
    assert_eq!((&settings["preset"], &settings["fitness"]), (&json!("single"), &json!("weighted-sum")));
    assert_eq!((&settings["algorithm"], &settings["assertions"]), (&json!("guided-ga"), &json!(true)));
    assert_eq!(settings["tuning"]["longest-test"], "60");
}

#[test]
fn a_path_that_cannot_be_written_is_named_first() {
    let shop = Program::shop();
    for option in ["--junit-xml", "--sarif"] {
        let wrong =
            in_shop(&shop, &["reproduce", "crash.log", "--ea", "--cp", "classes", option, "no/such/file"]);
        wrong.failed_with(4, &["cannot write no/such/file"]);
    }
}

#[test]
fn the_demo_takes_the_options_of_searches() {
    let shop = Program::shop();
    let built =
        in_shop(&shop, &["model", "build", "--cp", "classes", "--out", "models", "--java-home", &home()]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let demo = ["demo", "--quiet", "--expect", "--stats", "--time", "120s"];
    let arguments = [&demo[..], &METHOD].concat();
    let done = in_shop(&shop, &[&arguments[..], &["--model", "models"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{}", done.stdout);
    assert!(
        done.stdout.contains("assertThrows") && done.stdout.contains("workers waited"),
        "{}",
        done.stdout
    );
    in_shop(&shop, &["demo", "--ea", "--model", "models", "--no-models"]).failed_with(2, &["--no-models"]);
    in_shop(&shop, &["demo", "--seed-test", "gone.java"]).failed_with(2, &["gone.java"]);
}

/// The JDK of the tests as an argument.
fn home() -> String {
    java_home().to_str().expect("a plain path").to_owned()
}

#[test]
fn explain_and_list_take_class_paths_caches_and_mappings() {
    let shop = Program::shop();
    in_shop(&shop, &["explain", "crash.log", "--cp", "classes", "--mapping", "crash.log"])
        .failed_with(2, &["crash.log is no mapping"]);
    for options in [&["--cache-dir", "cache"][..], &["--no-cache"]] {
        let listed = in_shop(&shop, &[&["list", "crash.log", "--cp", "classes", "--json"], options].concat());
        assert_eq!(listed.json()["crashes"][0]["is_project"], true, "{}", listed.stdout);
    }
    assert!(shop.path("cache").is_dir());
    let path = path_with_maven(&shop.path("tools"), "echo '[ERROR] Could not find artifact a:b'; exit 1");
    let commands = [
        &["list", "crash.log", "--maven", "a:b:1"][..],
        &["model", "build", "--maven", "a:b:1", "--out", "m"],
    ];
    for arguments in commands {
        let mut command = command();
        command.args(arguments).current_dir(shop.folder.path()).env("PATH", &path);
        run(command.args(["--no-cache"]).env("JAVA_HOME", home()), b"").failed_with(2, &["a:b"]);
    }
}

#[test]
fn a_sandbox_that_works_stays_in_force() {
    let healthy = crashback(["doctor", "--json", "--unsafe-no-sandbox"]).json();
    let checks = healthy["checks"].as_array().expect("checks");
    let sandbox = checks.iter().find(|it| it["id"] == "sandbox").expect("a check");
    assert_eq!(sandbox["status"], "ok", "{sandbox}");
    let shop = Program::shop();
    let arguments = ["--cp", "classes", "--cache-dir", "cache", "--unsafe-no-sandbox", "--json"];
    let verified = in_shop(&shop, &[&["verify-instrumentation"], &arguments[..]].concat());
    assert_eq!((verified.code, &verified.json()["failed"]), (0, &json!([])), "{}", verified.stderr);
}

/// A folder with the log of a crash that is another program's, so that no run searches.
fn logs(shop: &Program) {
    fs::create_dir(shop.path("logs")).expect("a folder");
    shop.write("logs/BAKERY.log", shop.log().replace("shop.", "bakery."));
}

#[test]
fn a_campaign_takes_all_options_and_tells_its_results_as_json() {
    let shop = Program::shop();
    logs(&shop);
    let home = home();
    let crashes = ["--logs", "logs", "--cp", "classes", "--store", "runs.sqlite", "--json"];
    let machine = ["--lease", "1m", "--java-home", &home, "--no-cache"];
    let all = |job: &str, more: &[&str]| {
        let plan = ["--population", "20", "--tie-break"];
        in_shop(&shop, &[&["campaign", job], &crashes[..], &machine, &METHOD, &plan, more].concat())
    };
    let planned = all("run", &["--dry-run", "--no-models", "--test-classpath", "junit.jar"]);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let planned = planned.json();
    assert_eq!(
        (&planned["runs"], &planned["stored"], &planned["seconds"]),
        (&json!(1), &json!(0), &json!(20.0))
    );
    let enqueued = all("run", &["--enqueue"]).json();
    assert_eq!((&enqueued["runs"], &enqueued["waiting"]), (&json!(1), &json!(1)));
    let work =
        ["campaign", "work", "--store", "runs.sqlite", "--json", "--quiet", "--test-classpath", "junit.jar"];
    let worked = in_shop(&shop, &[&work[..], &machine, &["--unsafe-no-sandbox"]].concat());
    assert_eq!((worked.code, worked.stderr.as_str()), (0, ""));
    assert_eq!((&worked.json()["open"], &worked.json()["errors"]), (&json!(0), &json!(1)));
    let made = all("run", &["--quiet"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    let crash = &made.json()["configurations"][0]["crashes"][0];
    assert_eq!((&crash["crash"], &crash["errors"]), (&json!("BAKERY"), &json!(1)), "{}", made.stdout);

    let store = ["--store", "runs.sqlite"];
    let status = in_shop(&shop, &[&["campaign", "status", "--json"], &store[..]].concat()).json();
    assert_eq!((&status["done"], &status["error"]), (&json!(1), &Value::Null));
    let report = in_shop(&shop, &[&["campaign", "report", "--json", "--out", "r.html"], &store[..]].concat());
    assert_eq!((&report.json()["runs"], report.stderr.as_str()), (&json!(1), ""));
    for (form, words) in [("--exrunner", "exception_name"), ("--obstacles", "disagreement")] {
        let exported = in_shop(&shop, &[&["campaign", "export", form], &store[..]].concat());
        assert!(exported.code == 0 && exported.stdout.contains(words), "{form}: {}", exported.stdout);
    }
    let gone = in_shop(&shop, &["campaign", "status", "--json", "--store", "gone.sqlite"]);
    gone.failed_with(2, &["no store"]);
    assert_eq!(gone.json()["error"]["kind"], "usage");
}

#[test]
fn a_campaign_whose_crashes_or_models_are_wrong() {
    let shop = Program::shop();
    logs(&shop);
    let campaign = |flags: &[&str]| {
        in_shop(&shop, &[&["campaign", "run", "--dry-run", "--store", "runs.sqlite"], flags].concat())
    };
    campaign(&["--classpath", "classes"]).failed_with(2, &["--logs"]);
    campaign(&["--logs", "logs", "--maven", "a:b:c:d:e:f"]).failed_with(2, &["coordinates"]);
    campaign(&["--inputs", "gone.csv"]).failed_with(2, &["gone.csv"]);
    for option in ["--model", "--seed-test"] {
        let wrong = ["--logs", "logs", "--cp", "classes", "--ea", option, "crash.log"];
        campaign(&wrong).failed_with(2, &[option, "is for one program"]);
    }
}
