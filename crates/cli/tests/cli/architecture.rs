//! The arrows between the crates, as `docs/architecture.md` draws them: what is not listed here is
//! forbidden.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Direct dependencies that each crate may have; following the arrows adds the rest.
const ALLOWED: &[(&str, &[&str])] = &[
    ("crashback-trace", &[]),
    ("crashback-classfile", &[]),
    ("crashback-program", &["crashback-classfile", "crashback-trace"]),
    ("crashback-model", &["crashback-program"]),
    ("crashback-classpath", &["crashback-program"]),
    ("crashback-instrument", &["crashback-classfile"]),
    ("crashback-testcase", &["crashback-program"]),
    ("crashback-protocol", &["crashback-testcase", "crashback-trace"]),
    ("crashback-jvm", &["crashback-protocol", "crashback-instrument"]),
    ("crashback-search", &[]),
    ("crashback-fitness", &["crashback-protocol", "crashback-program"]),
    ("crashback-seeding", &["crashback-protocol", "crashback-program", "crashback-model"]),
    ("crashback-emit", &["crashback-testcase", "crashback-trace"]),
    (
        "crashback-reproduce",
        &[
            "crashback-search",
            "crashback-fitness",
            "crashback-seeding",
            "crashback-emit",
            "crashback-instrument",
            "crashback-protocol",
        ],
    ),
    ("crashback", &["crashback-reproduce", "crashback-jvm", "crashback-classpath", "crashback-emit"]),
    ("crashback-campaign", &["crashback"]),
    ("crashback-report", &["crashback-campaign"]),
    ("crashback-mcp", &[]),
    ("crashback-cli", &["crashback-report", "crashback-campaign", "crashback", "crashback-mcp"]),
];

/// Benchmarks look at everything and ship with nothing.
const EXEMPT: &[&str] = &["crashback-bench"];

#[test]
fn crates_depend_only_along_the_arrows() {
    let actual = workspace_dependencies();
    let known: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let present: BTreeSet<&str> = actual.keys().map(String::as_str).collect();
    assert_eq!(present, known, "every crate has its row in ALLOWED, and every row its crate");

    for (name, dependencies) in &actual {
        let reachable = reachable_from(name);
        let forbidden: Vec<_> = dependencies.iter().filter(|it| !reachable.contains(it.as_str())).collect();
        assert!(forbidden.is_empty(), "{name} must not depend on {forbidden:?}");
    }
}

#[test]
fn a_forbidden_arrow_would_be_noticed() {
    assert!(!reachable_from("crashback-program").contains("crashback-classpath"));
    assert!(!reachable_from("crashback").contains("crashback-campaign"));
    assert!(!reachable_from("crashback-campaign").contains("crashback-report"));
    assert!(reachable_from("crashback-cli").contains("crashback-trace"));
}

fn reachable_from(name: &str) -> BTreeSet<&'static str> {
    let rows: BTreeMap<&str, &[&'static str]> = ALLOWED.iter().copied().collect();
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = vec![name];
    while let Some(next) = open.pop() {
        for dependency in rows.get(next).copied().unwrap_or_default() {
            if reached.insert(*dependency) {
                open.push(dependency);
            }
        }
    }
    reached
}

#[expect(clippy::disallowed_methods, reason = "the test asks cargo about the workspace")]
fn workspace_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| (text(&package["name"]), ours(&package["dependencies"])))
        .filter(|(name, _)| !EXEMPT.contains(&name.as_str()))
        .collect()
}

/// Our own crates among the dependencies that ship; what only tests use is free.
fn ours(dependencies: &serde_json::Value) -> BTreeSet<String> {
    let all = dependencies.as_array().expect("dependencies");
    all.iter()
        .filter(|it| it["kind"].is_null())
        .map(|it| text(&it["name"]))
        .filter(|name| name == "crashback" || name.starts_with("crashback-"))
        .collect()
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().expect("a string").to_owned()
}
