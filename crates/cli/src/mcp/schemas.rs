//! JSON schemas of structured results. They name the fields that agents need; all are in the documents of
//! `--json`, whose pages describe the rest.

use serde_json::{Map, Value, json};

/// The result of a search.
pub(super) fn reproduce() -> Value {
    let frame = object(&[
        ("level", integer("1 for where the exception was thrown")),
        ("frame", string("Class.method:line")),
        ("outcome", string("How far the search for it came, from not-started to reproduced")),
        ("obstacle", or_null("string", "What kept it from going further, in words")),
        ("obstacle_kind", or_null("string", "The kind of that obstacle")),
    ]);
    let hint = object(&[
        ("level", integer("The frame")),
        ("class", string("Its class")),
        ("signature", or_null("string", "Its method with modifiers, types and declared exceptions")),
        ("entry_points", list(string("A member that leads to a method which a test cannot call"), "")),
        ("constructors", list(string("A constructor of the class that a test can call"), "")),
        ("guards", list(guard(), "Conditions on which the line depends, in code order")),
    ]);
    let missing = object(&[
        ("class", string("The class")),
        ("needed_by", string("A class that needs it")),
        ("coordinates", or_null("string", "A Maven artifact to add")),
    ]);
    let words = |text: &str| list(string(""), text);
    object(&[
        ("exit_code", integer("0 reproduced, 1 not reproduced within the budget")),
        ("reproduced", boolean("Whether a verified test crashes in the same way")),
        ("verified", boolean("Whether plain JVMs, with nothing of Crashback in them, showed that")),
        ("exception", or_null("string", "Class of the exception")),
        ("message", or_null("string", "Its message in the log")),
        ("frame", or_null("integer", "The highest frame up to which the test agrees with the log")),
        ("degree", or_null("string", "Where the test sees the exception: escapes, cause or caught")),
        ("satisfactory", boolean("Whether nothing suggests that the crash is another one")),
        ("doubts", words("What can be held against the test")),
        ("relaxations", words("In which ways the test's trace differs from the log")),
        ("frames", list(frame, "All target frames, innermost first")),
        ("test", or_null("object", "package, class, source and junit of the test")),
        ("test_file", or_null("string", "The file that was written")),
        ("test_command", or_null("string", "The command that runs the test in its file")),
        ("outer", or_null("object", "A second test that enters the program further up")),
        ("obstacle", or_null("string", "What kept the search from going further")),
        ("obstacle_kind", or_null("string", "The kind of that obstacle")),
        ("hints", list(hint, "How frames that were not reproduced are called")),
        ("missing_classes", list(missing, "Classes to add to the class path")),
        ("unavailable_types", list(json!({ "type": "array" }), "Types without values: name and reason")),
        ("seed", integer("The seed of all random choices")),
        ("command", string("The command that makes the same search")),
    ])
}

fn guard() -> Value {
    object(&[
        ("line", or_null("integer", "The line on which it is decided")),
        ("condition", string("How it must turn out")),
    ])
}

/// The explanation of crashes.
pub(super) fn explain() -> Value {
    let crash = object(&[
        ("number", integer("The number among the distinct crashes of the log")),
        ("exception", string("Class of the exception")),
        ("message", or_null("string", "Its message")),
        ("recommended_frame", or_null("integer", "The frame to aim at")),
        ("highest_target_frame", or_null("integer", "The highest frame that a test can aim at")),
        ("frames", list(json!({ "type": "object" }), "All frames, innermost first")),
        ("missing_classes", list(json!({ "type": "object" }), "Classes that the class path lacks")),
    ]);
    object(&[
        ("exit_code", integer("0, or 3 if trace and class path disagree")),
        ("project", string("Which classes count as the project's")),
        ("crash_count", integer("How many distinct crashes the log has")),
        ("crashes", list(crash, "The crashes, in log order")),
    ])
}

/// The crashes of a log.
pub(super) fn list_of_crashes() -> Value {
    let crash = object(&[
        ("number", integer("The number that the input `crash` takes")),
        ("occurrences", integer("How often the log has it")),
        ("exception", or_null("string", "Class of the outermost exception")),
        ("message", or_null("string", "Its message")),
        ("is_project", or_null("boolean", "Whether it is the project's, if that is known")),
    ]);
    object(&[
        ("exit_code", integer("0")),
        ("default", or_null("integer", "The crash that `reproduce` takes by itself")),
        ("crashes", list(crash, "The project's first, then the most frequent")),
    ])
}

/// The examination of the machine.
pub(super) fn doctor() -> Value {
    let check = object(&[
        ("id", string("The subject")),
        ("status", string("ok, warning or problem")),
        ("found", string("What was found")),
        ("advice", or_null("string", "What to do about it")),
    ]);
    object(&[
        ("exit_code", integer("0, or 4 if Crashback cannot work here")),
        ("checks", list(check, "Everything that was looked at")),
    ])
}

/// An object with fields that are always there. Others may be there, too.
fn object(fields: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn string(description: &str) -> Value {
    of_type(json!("string"), description)
}

fn integer(description: &str) -> Value {
    of_type(json!("integer"), description)
}

fn boolean(description: &str) -> Value {
    of_type(json!("boolean"), description)
}

fn or_null(kind: &str, description: &str) -> Value {
    of_type(json!([kind, "null"]), description)
}

fn list(items: Value, description: &str) -> Value {
    let mut list = of_type(json!("array"), description);
    if let Some(list) = list.as_object_mut() {
        list.insert("items".to_owned(), items);
    }
    list
}

fn of_type(kind: Value, description: &str) -> Value {
    match description {
        "" => json!({ "type": kind }),
        description => json!({ "type": kind, "description": description }),
    }
}
