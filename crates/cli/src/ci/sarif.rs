//! The result as SARIF 2.1.0: a run with one result, the crash, at the source files of its frames.
//!
//! Sections are those of the OASIS standard. A crash that was not reproduced is a result all the same, since
//! the log has it; its level is lower.

use std::path::Path;

use crashback::{Attempt, Error};
use crashback_reproduce::{FrameResult, Outcome};
use serde_json::{Map, Value, json};

use super::sources::{SourceFile, checkout};
use super::{Crash, Place};
use crate::program::absolute;
use crate::reproduce::{End, outcome_words};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Names of the folders that paths are relative to (3.14.14).
const CHECKOUT: &str = "%SRCROOT%";
const SOURCES: &str = "SOURCES";

/// The file's content. `folder` is that in which the command was started.
pub(super) fn render(end: &End, crash: Option<&Crash>, folder: &Path) -> Value {
    let found = end.attempt.as_ref().zip(crash);
    let rules: Vec<Value> = found.iter().map(|(_, crash)| rule(crash)).collect();
    let results: Vec<Value> =
        found.iter().map(|(attempt, crash)| result(end, attempt, crash, folder)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "crashback",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [invocation(end)],
            "originalUriBaseIds": {
                CHECKOUT: { "description": { "text": "The root of the checkout" } },
                SOURCES: { "description": { "text": "The folder of sources that has the file" } },
            },
            "results": results,
        }],
    })
}

/// How the command ended (3.20).
fn invocation(end: &End) -> Value {
    let told = |error: &Error| json!({ "level": "error", "message": { "text": error.to_string() } });
    let notifications: Vec<Value> = end.error.iter().map(told).collect();
    json!({
        "executionSuccessful": end.error.is_none(),
        "exitCode": end.code(),
        "toolExecutionNotifications": notifications,
    })
}

/// The sort of crash (3.49): the type of its exception.
fn rule(crash: &Crash) -> Value {
    let name = crash.exception.rsplit('.').next().unwrap_or_default();
    json!({
        "id": crash.exception,
        "name": name,
        "shortDescription": { "text": format!("The program crashed with {}", crash.exception) },
        "defaultConfiguration": { "level": "error" },
    })
}

/// The crash (3.27).
fn result(end: &End, attempt: &Attempt, crash: &Crash, folder: &Path) -> Value {
    let reproduction = &attempt.reproduction;
    let is_reproduced = reproduction.verdict() == Outcome::Reproduced;
    let innermost = crash.frames.iter().find(|it| it.is_target);
    let frames: Vec<Value> =
        crash.frames.iter().map(|it| json!({ "location": location(it, &reproduction.frames) })).collect();
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), json!(crash.exception));
    result.insert("ruleIndex".to_owned(), json!(0));
    result.insert("level".to_owned(), json!(if is_reproduced { "error" } else { "warning" }));
    result.insert("message".to_owned(), json!({ "text": verdict(attempt, crash) }));
    let locations: Vec<Value> = innermost.iter().map(|it| location(it, &reproduction.frames)).collect();
    result.insert("locations".to_owned(), json!(locations));
    result.insert("stacks".to_owned(), json!([{ "frames": frames }]));
    let related = end.test_file.iter().map(|it| test_location(it, folder)).collect::<Vec<_>>();
    result.insert("relatedLocations".to_owned(), json!(related));
    result.insert(
        "properties".to_owned(),
        json!({
            "reproduced": is_reproduced,
            "frame": reproduction.frame,
            "degree": reproduction.degree,
            "doubts": reproduction.doubts,
            "seed": reproduction.seed,
        }),
    );
    Value::Object(result)
}

/// The verdict in words.
fn verdict(attempt: &Attempt, crash: &Crash) -> String {
    let reproduction = &attempt.reproduction;
    let message = crash.message.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
    let what = format!("{}{message}", crash.exception);
    let found = reproduction.frames.iter().find(|it| Some(it.level) == reproduction.frame);
    match reproduction.verdict() {
        Outcome::Reproduced => {
            let frame = found.map(|it| format!(" at frame {}, {}", it.level, it.frame)).unwrap_or_default();
            format!("{what}. Reproduced by a verified test{frame}.")
        }
        Outcome::NotReproduced => {
            let obstacle = reproduction.obstacle.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
            format!("{what}. Not reproduced within the budget{obstacle}.")
        }
        Outcome::Interrupted => format!("{what}. Interrupted before it was reproduced."),
    }
}

/// A frame (3.28), with what came of it if it is a target frame.
fn location(place: &Place, results: &[FrameResult]) -> Value {
    let Place { level, method, line, source, .. } = place;
    let mut location = Map::new();
    if let Some(source) = source {
        let mut physical = Map::new();
        physical.insert("artifactLocation".to_owned(), artifact(source));
        // A line is 1 or more (3.30.5).
        if let Some(line) = line.filter(|it| *it > 0) {
            physical.insert("region".to_owned(), json!({ "startLine": line }));
        }
        location.insert("physicalLocation".to_owned(), Value::Object(physical));
    }
    let logical = json!([{ "fullyQualifiedName": method, "kind": "function" }]);
    location.insert("logicalLocations".to_owned(), logical);
    let came = results.iter().find(|it| it.level == *level);
    let words = came.map(|it| {
        let obstacle = it.obstacle.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
        format!(", {}{obstacle}", outcome_words(it.outcome))
    });
    let text = format!("frame {level}{}", words.unwrap_or_default());
    location.insert("message".to_owned(), json!({ "text": text }));
    Value::Object(location)
}

fn artifact(source: &SourceFile) -> Value {
    let base = if source.is_found { CHECKOUT } else { SOURCES };
    json!({ "uri": uri(&source.path), "uriBaseId": base })
}

/// Where the test is.
fn test_location(path: &Path, folder: &Path) -> Value {
    let path = absolute(path);
    let below = path.strip_prefix(checkout(folder)).ok();
    let artifact = match below {
        Some(below) => json!({ "uri": uri(&below.to_string_lossy()), "uriBaseId": CHECKOUT }),
        None => json!({ "uri": format!("file://{}", uri(&path.to_string_lossy())) }),
    };
    json!({
        "id": 1,
        "physicalLocation": { "artifactLocation": artifact },
        "message": { "text": "The test that reproduces the crash" },
    })
}

/// A path as a reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
