//! `crashback campaign` as its users run it, on a checkout with crashes that cannot be searched.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use crate::support::{Program, Run, command, crashback, path_with_maven, run};

/// A checkout of two crashes of the shop; the trace of the second is another program's.
struct Checkout {
    shop: Program,
}

impl Checkout {
    fn new() -> Self {
        let checkout = Self { shop: Program::shop() };
        let entry = |id: &str| {
            format!(
                r#""{id}": {{"application": "Shop", "version": "1", "target_frames": ".*(shop|bakery).*"}}"#
            )
        };
        let list = format!(r#"{{"crashes": {{{}, {}}}}}"#, entry("BAKERY-1"), entry("BAKERY-2"));
        checkout.write("jcrashpack.json", &list);
        let log = checkout.shop.log().replace("shop.", "bakery.");
        checkout.write("crashes/Shop/BAKERY-1/BAKERY-1.log", &log);
        checkout.write("crashes/Shop/BAKERY-2/BAKERY-2.log", "no trace");
        fs::create_dir_all(checkout.path("applications/Shop/1/bin")).expect("a folder");
        fs::copy(checkout.shop.jar(), checkout.path("applications/Shop/1/bin/shop.jar")).expect("a jar");
        checkout
    }

    fn path(&self, name: &str) -> PathBuf {
        self.shop.path("pack").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn campaign(&self, job: &str, flags: &[&str]) -> Run {
        let mut campaign = command();
        campaign.args(["campaign", job, "--store"]).arg(self.path("runs.sqlite"));
        if job == "run" {
            campaign.arg("--jcrashpack").arg(self.path(""));
        }
        run(campaign.args(flags), b"")
    }

    fn exported(&self) -> Vec<String> {
        let exported = self.campaign("export", &["--csv"]);
        assert_eq!(exported.code, 0, "{}", exported.stderr);
        exported.stdout.lines().filter(|it| it.starts_with("BAKERY")).map(str::to_owned).collect()
    }
}

#[test]
fn runs_that_cannot_search_are_recorded_and_not_repeated() {
    let checkout = Checkout::new();
    let first = checkout.campaign("run", &["--only", "BAKERY-1", "--repeat", "2", "--seed", "4"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stderr.contains("[2/2] BAKERY-1 seed 5: disagreement"), "{}", first.stderr);
    assert!(first.stdout.contains("0 of 1 crashes reproduced in most runs"), "{}", first.stdout);
    assert!(first.stdout.contains("--retry-errors"), "{}", first.stdout);
    let rows = checkout.exported();
    assert!(rows[0].starts_with("BAKERY-1,,,ours,4,not-started,false,,"), "{rows:?}");
    assert!(rows[0].contains(",disagreement,"), "{rows:?}");

    let all = checkout.campaign("run", &["--repeat", "2", "--seed", "4"]);
    assert!(all.stderr.contains("2 runs were in the store already"), "{}", all.stderr);
    assert!(
        all.stderr.contains("[1/2] BAKERY-2 seed 4: disagreement: no usable stack trace"),
        "{}",
        all.stderr
    );
    assert_eq!(checkout.exported().len(), 4);

    let quiet = checkout.campaign("run", &["--repeat", "2", "--seed", "4", "--retry-errors", "--quiet"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    let other = checkout.campaign("run", &["--time", "2m"]);
    other.failed_with(2, &["`ours`", "20 s of time", "120 s of time", "--configuration"]);
}

#[test]
fn benchmarks_that_are_none_or_incomplete() {
    let checkout = Checkout::new();
    checkout
        .campaign("run", &["--only", "bakery"])
        .failed_with(2, &["no crash bakery", "BAKERY-1, BAKERY-2"]);
    fs::remove_file(checkout.path("crashes/Shop/BAKERY-1/BAKERY-1.log")).expect("the log");
    let rest = checkout.campaign("run", &[]);
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert!(rest.stderr.contains("BAKERY-1 is left out: its log is missing"), "{}", rest.stderr);
    checkout.campaign("run", &["--only", "BAKERY-1"]).failed_with(2, &["BAKERY-1 cannot be run"]);
    fs::remove_dir_all(checkout.path("applications")).expect("the jars");
    checkout.campaign("run", &[]).failed_with(2, &["--extra-maven", "no crash that can be run"]);

    let extra = checkout.path("extra");
    for (text, words) in [("BAKERY-2\n", "line 1"), ("BAKERY-2 a:b:c:d:e:f:g\n", "BAKERY-2")] {
        fs::write(&extra, text).expect("a file");
        let extra = extra.to_str().expect("a plain path");
        checkout.campaign("run", &["--extra-maven", extra]).failed_with(2, &[words]);
    }
    checkout.campaign("run", &["--extra-maven", "/no/such/file"]).failed_with(2, &["/no/such/file"]);
    fs::remove_file(checkout.path("jcrashpack.json")).expect("the list");
    checkout.campaign("run", &[]).failed_with(2, &["no checkout of JCrashPack", "jcrashpack.json"]);
}

/// Coordinates that Maven does not find are told before any run is made, each once.
#[test]
fn a_dry_run_names_crashes_whose_jars_cannot_be_fetched() {
    let checkout = Checkout::new();
    fs::remove_dir_all(checkout.path("applications")).expect("the jars");
    checkout.write("extra", "BAKERY-1 org.bakery:oven:1\nBAKERY-2 org.bakery:oven:1\n");
    let tools = checkout.shop.path("tools");
    let asked = checkout.shop.path("asked");
    let words = "[ERROR] Could not find artifact org.bakery:oven:jar:1 in central";
    let path = path_with_maven(&tools, &format!("echo x >> {}; echo '{words}'; exit 1", asked.display()));
    let mut campaign = command();
    campaign.args(["campaign", "run", "--dry-run", "--store"]).arg(checkout.path("runs.sqlite"));
    campaign.arg("--jcrashpack").arg(checkout.path("")).arg("--extra-maven").arg(checkout.path("extra"));
    let dry = run(campaign.arg("--cache-dir").arg(checkout.path("cache")).env("PATH", path), b"");
    dry.failed_with(2, &["BAKERY-1 is left out", "BAKERY-2 is left out", "org.bakery:oven"]);
    assert!(dry.stderr.contains("no crash that can be run"), "{}", dry.stderr);
    assert_eq!(fs::read_to_string(asked).expect("calls").lines().count(), 1, "equal coordinates, one call");
}

#[test]
fn stores_that_are_none() {
    let checkout = Checkout::new();
    checkout.campaign("export", &["--csv"]).failed_with(2, &["no store", "runs.sqlite"]);
    checkout.write("runs.sqlite", &"something else, and long enough to be a database\n".repeat(20));
    checkout.campaign("export", &["--csv"]).failed_with(2, &["not a store"]);
    checkout.campaign("run", &[]).failed_with(2, &["not a store", "--store"]);
    crashback(["campaign", "export"]).failed_with(2, &["--csv"]);
}

#[test]
fn stores_that_are_damaged_or_of_a_later_version() {
    let checkout = Checkout::new();
    assert_eq!(checkout.campaign("run", &["--quiet", "--repeat", "20"]).code, 0);
    let store = checkout.path("runs.sqlite");
    let whole = fs::read(&store).expect("a store");
    // The number of the format stands at place 60 of the file.
    let mut later = whole.clone();
    later[63] = 99;
    let mut damaged = whole;
    damaged[4096..].fill(0x5a);
    for (bytes, code, words) in [(later, 2, "has format 99"), (damaged, 4, "is damaged")] {
        fs::write(&store, bytes).expect("a file");
        let out = checkout.shop.path("r.html");
        let out = out.to_str().expect("a plain path");
        checkout.campaign("export", &["--csv"]).failed_with(code, &[words, "runs.sqlite"]);
        checkout.campaign("report", &["--out", out]).failed_with(code, &[words]);
        checkout.campaign("compare", &["a", "b"]).failed_with(code, &[words]);
    }
}

#[test]
fn a_second_campaign_on_a_file_is_refused() {
    let checkout = Checkout::new();
    let plan = "[[crashes]]\njcrashpack = \".\"\n[configuration.slow]\ntool.command = [\"sleep\", \"20\"]\n";
    checkout.write("plan.toml", plan);
    let mut first = command()
        .args(["campaign", "run", "--quiet", "--store"])
        .arg(checkout.path("runs.sqlite"))
        .arg(checkout.path("plan.toml"))
        .stdin(Stdio::null())
        .spawn()
        .expect("crashback runs");
    while checkout.campaign("status", &[]).stdout.lines().all(|it| !it.contains("1 running")) {
        assert_eq!(first.try_wait().expect("a process"), None, "it makes a run");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let second = checkout.campaign("run", &[]);
    first.kill().expect("killed");
    first.wait().expect("gone");
    second.failed_with(4, &["another campaign is running", "runs.sqlite"]);
    // What the killed one had begun is made again.
    let status = checkout.campaign("run", &["--enqueue"]);
    assert_eq!(status.code, 0, "{}", status.stderr);
    assert!(checkout.campaign("status", &[]).stdout.contains("4 waiting, 0 running"));
}

/// A worker on a machine that lacks a part of the program must not search without it.
#[test]
fn a_jar_that_is_gone_is_an_error_of_the_run() {
    let checkout = Checkout::new();
    let bin = checkout.path("applications/Shop/1/bin");
    fs::copy(bin.join("shop.jar"), bin.join("other.jar")).expect("a jar");
    assert_eq!(checkout.campaign("run", &["--enqueue"]).code, 0);
    fs::remove_file(bin.join("other.jar")).expect("the jar");
    let work = checkout.campaign("work", &[]);
    assert_eq!(work.code, 0, "{}", work.stderr);
    let rows = checkout.exported();
    assert!(
        rows.iter().all(|it| it.contains(",environment,") && it.contains("other.jar is not on")),
        "{rows:?}"
    );
}

#[test]
fn a_report_shows_all_crashes_of_a_store() {
    let checkout = Checkout::new();
    let out = checkout.shop.path("report.html");
    let path = out.to_str().expect("a plain path");
    checkout.campaign("report", &["--out", path]).failed_with(2, &["no store", "runs.sqlite"]);
    assert_eq!(checkout.campaign("run", &["--quiet", "--repeat", "2"]).code, 0);
    let logs = checkout.path("crashes");
    let logs = logs.to_str().expect("a plain path");
    for flags in [&["--out", path][..], &["--out", path, "--logs", logs, "--title", "Bakery & sons"]] {
        let reported = checkout.campaign("report", flags);
        assert_eq!(reported.code, 0, "{}", reported.stderr);
        assert!(reported.stderr.contains("4 runs"), "{}", reported.stderr);
    }
    let page = fs::read_to_string(&out).expect("the report");
    for words in ["<h1>Bakery &amp; sons</h1>", "BAKERY-1", "BAKERY-2", "Not started", "NullPointerException"]
    {
        assert!(page.contains(words), "{words}");
    }
    checkout.campaign("report", &["--out", path, "--logs", "/no/such/folder"]).failed_with(2, &["--logs"]);
    let store = checkout.path("runs.sqlite");
    let store = store.to_str().expect("a plain path");
    checkout.campaign("report", &["--out", store]).failed_with(2, &["is no report"]);
    checkout.campaign("report", &["--out", "/no/such/folder/r.html"]).failed_with(4, &["cannot write"]);
    checkout.campaign("report", &[]).failed_with(2, &["--out"]);
}

#[test]
fn an_export_that_cannot_be_written() {
    let checkout = Checkout::new();
    assert_eq!(checkout.campaign("run", &["--quiet"]).code, 0);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = command()
        .args(["campaign", "export", "--csv", "--store"])
        .arg(checkout.path("runs.sqlite"))
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .expect("crashback runs");
    assert_eq!(output.status.code(), Some(4));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("cannot write the export"), "{words}");
}

/// A plan over the checkout whose configurations are other programs.
const TOOLS: &str = r#"
    [[crashes]]
    jcrashpack = "."
    [configuration.finds]
    tool.command = ["sh", "-c", """test -s "$1" && test -f "$2" &&
        printf '{"frame": %s, "evaluations": 5, "frames": null}' "$3" > "$4" """,
        "sh", "{log}", "{classpath}", "{seed}", "{output}"]
    [configuration.fails]
    tool.command = ["sh", "-c", "echo no disk >&2; exit 4"]
    [configuration.hangs]
    time = 0.1
    tool.command = ["sh", "-c", "sleep 1000; true"]
"#;

#[test]
fn other_tools_are_configurations() {
    let checkout = Checkout::new();
    checkout.write("plan.toml", TOOLS);
    let plan = checkout.path("plan.toml");
    let store = checkout.path("runs.sqlite");
    let campaign = |flags: &[&str]| {
        let mut campaign = command();
        campaign.args(["campaign", "run"]).arg(&plan).arg("--store").arg(&store);
        run(campaign.args(["--only", "BAKERY-1", "--seed", "3"]).args(flags), b"")
    };
    let dry = campaign(&["--repeat", "2", "--dry-run", "--jobs", "2"]);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert!(dry.stdout.starts_with("6 runs of 1 crashes with 3 configurations, 0 of them"), "{}", dry.stdout);
    assert!(!store.exists(), "nothing is made");
    let done = campaign(&["--jobs", "3", "--grace", "200ms", "--retries", "1"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("BAKERY-1 seed 3 is tried again: sh ended with"), "{}", done.stderr);
    assert!(done.stdout.contains("finds\n"), "{}", done.stdout);
    let rows = checkout.exported();
    let row = |name: &str| rows.iter().find(|it| it.contains(name)).cloned().unwrap_or_default();
    assert!(row(",finds,").starts_with("BAKERY-1,3,,finds,3,reproduced,true,escapes,true,"), "{rows:?}");
    assert!(row(",fails,").contains(",environment,") && row(",fails,").contains("no disk"), "{rows:?}");
    assert!(row(",hangs,").contains(",deadline,"), "{rows:?}");
    let status = checkout.campaign("status", &["--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).expect("an object");
    assert_eq!((&status["done"], &status["runs"], &status["errors"]), (&3.into(), &3.into(), &2.into()));
    let words = checkout.campaign("status", &[]).stdout;
    assert!(words.contains("0 waiting, 0 running, 3 done") && words.contains("hangs: 1"), "{words}");
    let lines = checkout.campaign("export", &["--jsonl"]).stdout;
    assert_eq!(lines.lines().count(), 3);
    let again = campaign(&["--jobs", "3"]);
    assert!(again.stderr.contains("3 runs were in the store already"), "{}", again.stderr);
}

#[test]
fn workers_make_the_runs_that_wait() {
    let checkout = Checkout::new();
    let waiting = checkout.campaign("run", &["--repeat", "2", "--enqueue"]);
    assert_eq!((waiting.code, waiting.stdout.as_str()), (0, "4 of 4 runs wait for workers\n"));
    assert!(checkout.campaign("status", &[]).stdout.contains("4 waiting, 0 running, 0 done"));
    let work = checkout.campaign("work", &["--jobs", "2"]);
    assert_eq!(work.code, 0, "{}", work.stderr);
    assert!(work.stderr.contains("[4/4] ours BAKERY-"), "{}", work.stderr);
    assert_eq!(checkout.exported().len(), 4);
    assert_eq!(
        checkout.campaign("run", &["--repeat", "2", "--enqueue"]).stdout,
        "0 of 4 runs wait for workers\n"
    );
}

#[test]
fn counted_runs_do_not_depend_on_others_at_the_same_time() {
    let checkout = Checkout::new();
    checkout.write("crashes/Shop/BAKERY-2/BAKERY-2.log", &checkout.shop.log());
    let results = ["1", "2"].map(|jobs| {
        let (store, path) = (format!("{jobs}.sqlite"), checkout.path(""));
        let mut campaign = command();
        campaign.args(["campaign", "run", "--only", "BAKERY-2", "--evaluations", "400", "--workers", "1"]);
        campaign.args(["--repeat", "2", "--jobs", jobs, "--junit", "5", "--jcrashpack"]).arg(&path);
        let done = run(campaign.arg("--store").arg(path.join(&store)), b"");
        assert_eq!(done.code, 0, "{}", done.stderr);
        let mut export = command();
        export.args(["campaign", "export", "--jsonl", "--store"]).arg(path.join(&store));
        let lines = run(&mut export, b"").stdout;
        lines.lines().map(|it| without_times(serde_json::from_str(it).expect("a run"))).collect::<Vec<_>>()
    });
    assert_eq!(results[0].len(), 2);
    assert!(results[0].iter().any(|it| it["verified"] == true), "{:#?}", results[0]);
    assert_eq!(results[0], results[1]);
}

/// A run without the fields that tell times, and the worker.
fn without_times(mut run: serde_json::Value) -> serde_json::Value {
    let fields = run.as_object_mut().expect("an object");
    for changing in ["seconds", "waiting_share", "timing", "started_at", "worker"] {
        fields.remove(changing).expect("a field");
    }
    for event in fields["events"].as_array_mut().expect("events") {
        event.as_object_mut().expect("an event").remove("seconds").expect("a time");
    }
    for frame in fields["frames"].as_array_mut().expect("frames") {
        frame.as_object_mut().expect("a frame").remove("found_after").expect("a time");
        for point in frame["curve"].as_array_mut().expect("a curve") {
            point.as_object_mut().expect("a point").remove("seconds").expect("a time");
        }
    }
    run
}

#[test]
fn plans_with_mistakes_and_without_crashes() {
    let checkout = Checkout::new();
    checkout.write("plan.toml", "[[crashes]]\njcrashpack = \".\"\n[configuration.a]\nwrokers = 2\n");
    let plan = checkout.path("plan.toml").display().to_string();
    crashback(["campaign", "run", &plan]).failed_with(2, &["plan.toml", "line 4", "wrokers"]);
    crashback(["campaign", "run"]).failed_with(2, &["no crashes", "--jcrashpack", "--logs"]);
    crashback(["campaign", "run", "--shard", "3/2"]).failed_with(2, &["3/2"]);
    let nowhere = "postgres://me:secret@/runs?host=/no/such/folder";
    let gone = crashback(["campaign", "status", "--store", nowhere]);
    gone.failed_with(4, &["does not answer", "postgres://me@"]);
}

#[test]
fn every_frame_is_a_run_where_the_plan_says_so() {
    let checkout = Checkout::new();
    checkout.write("crashes/Shop/BAKERY-2/BAKERY-2.log", &checkout.shop.log());
    let dry = checkout.campaign("run", &["--frames", "all", "--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert!(dry.stderr.contains("BAKERY-1 is left out"), "{}", dry.stderr);
    let runs: usize = dry.stdout.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
    assert!(runs >= 2, "{}", dry.stdout);
    let one = checkout.campaign("run", &["--frames", "1,99", "--dry-run"]);
    let fewer: usize = one.stdout.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
    assert!(fewer < runs, "{}", one.stdout);
}
