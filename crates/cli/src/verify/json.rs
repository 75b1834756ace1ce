//! The result as one JSON object.

use crashback::Error;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Broken, Verified};
use crate::args::Probes;
use crate::exit;

#[derive(Serialize)]
pub(super) struct Document<'v> {
    exit_code: u8,
    error: Option<&'v Error>,
    jdk: &'v str,
    probes: &'static str,
    classes: usize,
    checked: usize,
    failed: Vec<Value>,
    unlinkable: Vec<Value>,
    of_the_jdk: &'v [String],
    untouched: Vec<Value>,
    class_path_problems: &'v [crashback_classpath::Problem],
}

pub(super) fn render<'v>(verified: &'v Verified, failure: Option<&'v Error>) -> Document<'v> {
    let unlinkable = verified.unlinkable.iter().flat_map(|(error, classes)| {
        classes
            .iter()
            .map(move |(class, message)| json!({ "class": class, "error": error, "message": message }))
    });
    let untouched = verified.untouched.iter();
    Document {
        exit_code: failure.map_or(0, |it| exit::code(it.kind)),
        error: failure,
        jdk: &verified.jdk,
        probes: match verified.probes {
            Probes::All => "all",
            Probes::Search => "search",
        },
        classes: verified.classes,
        checked: verified.checked,
        failed: verified.broken.iter().map(broken).collect(),
        unlinkable: unlinkable.collect(),
        of_the_jdk: &verified.foreign,
        untouched: untouched
            .map(|it| json!({ "class": it.class, "method": it.method, "reason": it.reason }))
            .collect(),
        class_path_problems: &verified.class_path_problems,
    }
}

fn broken(broken: &Broken) -> Value {
    let Broken { class, plain, instrumented } = broken;
    json!({ "class": class, "plain": plain.to_string(), "instrumented": instrumented.to_string() })
}

/// The object of a run that failed before it had anything to show.
pub(super) fn failed(failure: &Error) -> Value {
    json!({
        "exit_code": exit::code(failure.kind),
        "error": failure,
        "classes": 0,
        "checked": 0,
        "failed": [],
        "unlinkable": [],
        "of_the_jdk": [],
        "untouched": [],
        "class_path_problems": [],
    })
}
