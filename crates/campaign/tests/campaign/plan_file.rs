//! Plans as files, and the crashes that they name.

use std::fs;
use std::time::Duration;

use crashback_campaign::{Benchmark, Error, ExtraMaven, Frames, Plan};

use crate::support::{Checkout, configuration};

/// A plan without crashes, as flags give it.
fn flags() -> Plan {
    let configurations = vec![configuration("flags")];
    let benchmark = Benchmark::default();
    let (frames, seed, tie_break, retry_errors, shard) = (Frames::Auto, 5, false, false, None);
    Plan { benchmark, configurations, frames, repeats: 1, seed, tie_break, retry_errors, shard }
}

fn read(checkout: &Checkout, text: &str) -> Result<Plan, Error> {
    checkout.write("plan.toml", text);
    let time = |text: &str| match text {
        "2m" => Ok(Duration::from_secs(120)),
        other => Err(format!("`{other}` is no span of time")),
    };
    Plan::read(&checkout.path("plan.toml"), flags(), &time)
}

#[test]
fn a_plan_names_crashes_configurations_frames_and_repetitions() {
    let checkout = Checkout::with(&["P-1", "P-2"]);
    checkout.write("logs/L-1.log", "a trace");
    checkout.write("logs/L-1.classpath", "# the program\n../applications/Shop/1.0/bin/*\n");
    checkout.write("logs/L-2.log", "a trace");
    checkout.write("logs/L-2.maven", "org.shop:till:1.0\n");
    checkout.write("logs/L-3.log", "a trace");
    checkout.write("single.log", "a trace");
    let plan = read(
        &checkout,
        r#"
            repeat = 3
            frames = "all"
            tie_break = true
            [[crashes]]
            jcrashpack = "."
            [[crashes]]
            logs = "logs"
            [[crashes]]
            log = "single.log"
            id = "S"
            classpath = ["applications/Shop/1.0/bin/b.jar"]
            project_packages = ["shop"]
            [configuration.slow]
            time = "2m"
            algorithm = "random"
            workers = 1
            [configuration.counted]
            time = 30
            evaluations = 500
            fitness = "weighted-sum"
            [configuration.long]
            evaluations = 9
            preset = "single"
            [configuration.other]
            tool = { command = ["other", "{log}"] }
        "#,
    )
    .expect("a plan");
    let ids: Vec<&str> = plan.benchmark.subjects.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["P-1", "P-2", "L-1", "L-2", "S"]);
    let [unusable] = plan.benchmark.unusable.as_slice() else { panic!("{:?}", plan.benchmark.unusable) };
    assert!(unusable.id == "L-3" && unusable.reason.contains("class path"), "{unusable:?}");
    assert_eq!(plan.benchmark.subjects[2].jars.len(), 3, "the jars of the folder");
    assert_eq!(plan.benchmark.subjects[3].coordinates, ["org.shop:till:1.0"]);
    assert_eq!((plan.repeats, plan.seed, plan.tie_break), (3, 5, true), "flags count where it is silent");
    assert_eq!(plan.frames, Frames::All);
    let words: Vec<String> =
        plan.configurations.iter().map(|it| format!("{}: {}", it.name, it.conditions())).collect();
    assert_eq!(
        words,
        [
            "counted: 30 s of time, 2 workers, 500 evaluations, fitness weighted-sum, algorithm guided-ga",
            "long: 3600 s of time, 2 workers, 9 evaluations, preset single, fitness call-chain, \
             algorithm guided-ga",
            "other: 20 s of time, 2 workers, tool other {log}",
            "slow: 120 s of time, 1 workers, fitness call-chain, algorithm random",
        ]
    );
}

#[test]
fn mistakes_in_a_plan_are_named_with_their_place() {
    let checkout = Checkout::with(&["P-1"]);
    let cases: [(&str, &[&str]); 9] = [
        ("repeat = 1\nrepaet = 2\n", &["line 2", "repaet"]),
        ("[configuration.a]\nalgorithm = \"random\"\nwrokers = 2\n", &["line 3", "wrokers"]),
        ("[[crashes]]\njcrashpack = \".\"\njars = []\n", &["line 3", "jars"]),
        ("[configuration.a.tool]\ncommand = [\"x\"]\nenv = 1\n", &["line 3", "env"]),
        ("repeat = \n", &["line 1"]),
        ("[configuration.a]\nalgorithm = \"clever\"\n", &["configuration.a", "clever"]),
        ("[configuration.a]\ntime = \"soon\"\n", &["configuration.a", "soon"]),
        ("[[crashes]]\nlogs = \"x\"\nlog = \"y\"\n", &["number 1", "exactly one"]),
        ("frames = \"some\"\n", &["frames", "some"]),
    ];
    for (text, words) in cases {
        let error = read(&checkout, text).expect_err(text);
        assert!(matches!(error, Error::NoPlan { .. }), "{error}");
        let message = error.to_string();
        assert!(words.iter().all(|it| message.contains(it)), "{message}");
        assert!(message.contains("plan.toml"), "{message}");
    }
    let missing = Plan::read(&checkout.path("none.toml"), flags(), &|_| Ok(Duration::ZERO));
    assert!(missing.expect_err("no file").to_string().contains("none.toml"));
}

#[test]
fn lists_of_exrunner_name_crashes() {
    let checkout = Checkout::with(&["P-1"]);
    checkout.write("traces/a.log", "a trace");
    let head = "execution_idx,application,case,version,classpath,package,stacktrace_path,search_budget\n";
    let bin = "applications/Shop/1.0/bin";
    checkout.write(
        "inputs.csv",
        &format!(
            "{head}1,Shop,S-1,1.0,{bin},shop.,traces/a.log,60\n2,Shop,S-1,1.0,{bin},shop.,traces/a.log,60\n\
             3,Shop,S-1,1.0,{bin}/b.jar,shop.,traces/a.log,60\n4,Shop,S-2,1.0,{bin},shop.,traces/b.log,60\n"
        ),
    );
    let benchmark =
        Benchmark::read_inputs(&checkout.path("inputs.csv"), &ExtraMaven::default()).expect("a list");
    let ids: Vec<&str> = benchmark.subjects.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["S-1", "S-1#3"], "a line like another is a repetition");
    assert_eq!(benchmark.subjects[0].jars.len(), 3);
    assert_eq!(benchmark.subjects[0].project_packages, ["shop"]);
    assert!(benchmark.unusable[0].reason.contains("log is missing"), "{:?}", benchmark.unusable);
    checkout.write("inputs.csv", "application,case\nShop,S-1\n");
    let error = Benchmark::read_inputs(&checkout.path("inputs.csv"), &ExtraMaven::default())
        .expect_err("columns are missing");
    assert!(error.to_string().contains("no column version"), "{error}");
}

/// Coordinates complete crashes of all sources, and stand in for files that are not there.
#[test]
fn missing_jars_come_from_coordinates_whatever_names_the_crash() {
    let checkout = Checkout::with(&["P-1"]);
    fs::remove_dir_all(checkout.path("applications")).expect("the jars");
    checkout.write("logs/L-1.log", "a trace");
    checkout.write("logs/L-2.log", "a trace");
    checkout.write("logs/L-2.classpath", "gone.jar\n");
    checkout.write("extra", "P-1 a:p:1\nL-1 a:l:1\nL-2 a:l:2\nI-1 a:i:1\nI-2 a:i:2\n");
    let head = "application,case,version,classpath,stacktrace_path\n";
    let lines = "Shop,I-1,1,,logs/L-1.log\nShop,I-2,1,gone,logs/L-1.log\nShop,I-3,1,gone,logs/L-1.log\n";
    checkout.write("inputs.csv", &format!("{head}{lines}"));
    let source = |name: &str| format!("[[crashes]]\n{name}\nextra_maven = \"extra\"\n");
    let text = ["jcrashpack = \".\"", "logs = \"logs\"", "inputs = \"inputs.csv\""].map(source).concat();
    let mut plan = read(&checkout, &text).expect("a plan");
    plan.benchmark.check_jars();
    let completed: Vec<(&str, &str)> = plan
        .benchmark
        .subjects
        .iter()
        .map(|it| (it.id.as_str(), it.coordinates.first().map_or("", String::as_str)))
        .collect();
    let expected = [("P-1", "a:p:1"), ("L-1", "a:l:1"), ("L-2", "a:l:2"), ("I-1", "a:i:1"), ("I-2", "a:i:2")];
    assert_eq!(completed, expected);
    assert!(plan.benchmark.subjects.iter().all(|it| it.jars.is_empty()), "files that are not there");
    let [unusable] = plan.benchmark.unusable.as_slice() else { panic!("{:?}", plan.benchmark.unusable) };
    assert!(unusable.id == "I-3" && unusable.reason.contains("gone is not there"), "{unusable:?}");
    let error = read(&checkout, "[[crashes]]\nlog = \"logs/L-1.log\"\nextra_maven = \"extra\"\n");
    assert!(error.expect_err("one log").to_string().contains("in `maven`"));
}

#[test]
fn crashes_whose_jars_or_logs_are_missing_are_listed() {
    let checkout = Checkout::with(&["P-1"]);
    checkout.write("one.log", "a trace");
    let mut plan = read(
        &checkout,
        r#"
            [[crashes]]
            log = "one.log"
            classpath = ["lib/gone.jar"]
            [[crashes]]
            log = "none.log"
            classpath = ["lib/gone.jar"]
            [[crashes]]
            log = "one.log"
            id = "empty"
            classpath = ["crashes/*"]
            [[crashes]]
            jcrashpack = "."
        "#,
    )
    .expect("a plan");
    plan.benchmark.check_jars();
    assert_eq!(plan.benchmark.subjects.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["P-1"]);
    let reasons: Vec<&str> = plan.benchmark.unusable.iter().map(|it| it.reason.as_str()).collect();
    assert!(reasons.iter().any(|it| it.contains("gone.jar is not there")), "{reasons:?}");
    assert!(reasons.iter().any(|it| it.contains("none.log")), "{reasons:?}");
    assert!(reasons.iter().any(|it| it.contains("crashes/* is not there")), "no jars: {reasons:?}");
    let error = plan.benchmark.only(&["one".to_owned()]).expect_err("it cannot be run");
    assert!(error.to_string().contains("one cannot be run"), "{error}");
    drop(fs::remove_file(checkout.path("one.log")));
}
