//! Inputs of tools: their schema, and the way from them to the words of a command line, which one parser
//! checks for people and agents alike.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind};
use crashback_classpath::split;
use serde_json::{Map, Value, json};

use crate::log::Source;
use crate::shell::quoted;

/// One input of tools.
struct Input {
    name: &'static str,
    kind: Kind,
    description: &'static str,
}

/// What an input is, and how it becomes an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// Several texts: an option each.
    Texts,
    Path,
    /// Paths as `java -cp` takes them: one option for each.
    ClassPath,
    Number,
    Flag,
}

const fn input(name: &'static str, kind: Kind, description: &'static str) -> Input {
    Input { name, kind, description }
}

const LOG: &str = "log";
const LOG_FILE: &str = "log_file";
const DIRECTORY: &str = "directory";

/// All inputs. Those that are options have the name of the option, with underscores.
const INPUTS: [Input; 22] = [
    input(LOG, Kind::Text, "The log or stack trace itself, as text. Give either this or log_file"),
    input(LOG_FILE, Kind::Path, "Path of a file with the log, of any kind that servers write"),
    input(
        DIRECTORY,
        Kind::Path,
        "The project's folder: relative paths are relative to it, settings of its crashback.toml hold, and \
         without classpath and maven its Maven or Gradle build gives the class path. By default the folder \
         that the server was started in",
    ),
    input(
        "classpath",
        Kind::ClassPath,
        "Class folders, jars and folder/* wildcards of the program that crashed, dependencies included, as \
         java -cp takes them: target/classes, build/classes/java/main, lib/*",
    ),
    input("maven", Kind::Texts, "Published artifacts (group:artifact:version), with their dependencies"),
    input("project_packages", Kind::Texts, "Package prefixes of the project, whose frames are targets"),
    input("target_frames", Kind::Text, "Regular expression for whole class names whose frames are targets"),
    input("mapping", Kind::Path, "Mapping file of ProGuard or R8 if the program was obfuscated"),
    input("java_home", Kind::Path, "The JDK to use; by default JAVA_HOME, then java on the PATH"),
    input("any_release", Kind::Flag, "Use another release of an artifact where it fits the log better"),
    input("crash", Kind::Number, "Which distinct crash of the log, as the tool list numbers them"),
    input("cause", Kind::Number, "Which exception of a cause chain, 1 for the outermost"),
    input(
        "frame",
        Kind::Number,
        "Reproduce up to this frame (1: where it was thrown) instead of the highest",
    ),
    input("time", Kind::Text, "Bounds search and verification together: 20s (default), 2m, 500ms"),
    input("evaluations", Kind::Number, "Bounds the search by tests instead: equal seeds give equal results"),
    input(
        "seed",
        Kind::Number,
        "Seed of all random choices, 0 by default; another one may find what one did not",
    ),
    input("workers", Kind::Number, "Processes that run tests; by default as many as processors"),
    input(
        "out",
        Kind::Path,
        "Folder of test sources that the test is written to, such as src/test/java. Without it the test is \
         in the result only",
    ),
    input("force", Kind::Flag, "Replace a file that exists already"),
    input(
        "expect",
        Kind::Flag,
        "Write a test that passes while the bug is there, instead of failing with it",
    ),
    input("junit", Kind::Number, "4, 5 or 6; by default the JUnit of the class path, else 5"),
    input("test_classpath", Kind::ClassPath, "Jars of JUnit and Mockito where the class path has none"),
];

/// Inputs of all tools that look at a log.
pub(super) const OF_LOGS: [&str; 8] =
    [LOG, LOG_FILE, DIRECTORY, "classpath", "maven", "project_packages", "target_frames", "mapping"];
/// Further inputs of tools that look at one crash of it.
pub(super) const OF_CRASHES: [&str; 4] = ["java_home", "any_release", "crash", "cause"];
/// Further inputs of searches.
pub(super) const OF_SEARCHES: [&str; 10] =
    ["frame", "time", "evaluations", "seed", "workers", "out", "force", "expect", "junit", "test_classpath"];
/// Inputs of the examination of the machine.
pub(super) const OF_DOCTOR: [&str; 2] = [DIRECTORY, "java_home"];

/// The JSON schema of some inputs.
pub(super) fn schema(names: &[&str]) -> Value {
    let named = INPUTS.iter().filter(|it| names.contains(&it.name));
    let properties: Map<String, Value> = named.map(|it| (it.name.to_owned(), property(it))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn property(input: &Input) -> Value {
    let description = input.description;
    match input.kind {
        Kind::Text | Kind::Path => json!({ "type": "string", "description": description }),
        Kind::Texts | Kind::ClassPath => {
            json!({ "type": "array", "items": { "type": "string" }, "description": description })
        }
        Kind::Number => json!({ "type": "integer", "minimum": 0, "description": description }),
        Kind::Flag => json!({ "type": "boolean", "description": description }),
    }
}

/// A call in the terms of the command line.
#[derive(Debug)]
pub(super) struct Words {
    /// Name of the program, command, log and options.
    pub(super) arguments: Vec<OsString>,
    /// The log, if the command looks at one.
    pub(super) log: Option<Source>,
    /// The folder that the command is run in.
    pub(super) folder: PathBuf,
}

impl Words {
    /// Reads the inputs of a tool, which has the name of a command.
    pub(super) fn of(
        tool: &str,
        names: &[&str],
        values: &Map<String, Value>,
        folder: &Path,
    ) -> Result<Self, Error> {
        for name in values.keys() {
            if !names.contains(&name.as_str()) {
                let message = format!("{tool} has no input {name}; it has {}", names.join(", "));
                return Err(Error::new(ErrorKind::Usage, message));
            }
        }
        let folder = match text(values, DIRECTORY)? {
            Some(directory) => existing(folder.join(directory))?,
            None => folder.to_owned(),
        };
        let mut arguments: Vec<OsString> = vec!["crashback".into(), tool.into()];
        let log = if names.contains(&LOG) { Some(log(values, &folder)?) } else { None };
        arguments.extend(log.as_ref().map(|it| match it {
            Source::File(path) => path.clone().into_os_string(),
            Source::Text(_) => "-".into(),
        }));
        let has = |name: &str| values.get(name).is_some_and(|it| !it.is_null());
        if names.contains(&"classpath") && has(DIRECTORY) && !has("classpath") && !has("maven") {
            let mut option = OsString::from("--project=");
            option.push(&folder);
            arguments.push(option);
        }
        for input in INPUTS.iter().filter(|it| ![LOG, LOG_FILE, DIRECTORY].contains(&it.name)) {
            arguments.extend(options(input, values, &folder)?);
        }
        Ok(Self { arguments, log, folder })
    }

    /// The command as a shell takes it.
    pub(super) fn command(&self) -> String {
        let words = self.arguments.iter().map(|it| quoted(&it.to_string_lossy()));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The log that the inputs give.
fn log(values: &Map<String, Value>, folder: &Path) -> Result<Source, Error> {
    match (text(values, LOG)?, text(values, LOG_FILE)?) {
        (Some(text), None) => Ok(Source::Text(text.to_owned())),
        // A whole path, so that it is never an option or standard input.
        (None, Some(path)) => Ok(Source::File(folder.join(path))),
        (Some(_), Some(_)) => Err(usage("log and log_file are both given; give one of them")),
        (None, None) => Err(usage("no log: give its text as log, or the path of its file as log_file")),
    }
}

fn existing(folder: PathBuf) -> Result<PathBuf, Error> {
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(usage(format!("directory: {} is no folder", folder.display()))),
    }
}

/// The options that an input stands for.
fn options(input: &Input, values: &Map<String, Value>, folder: &Path) -> Result<Vec<OsString>, Error> {
    let Some(value) = values.get(input.name).filter(|it| !it.is_null()) else { return Ok(Vec::new()) };
    let name = input.name;
    let option = |value: &OsStr| {
        let mut option = OsString::from(format!("--{}=", name.replace('_', "-")));
        option.push(value);
        option
    };
    let texts = || match value {
        Value::Array(items) => {
            let texts = items.iter().map(|it| it.as_str().ok_or_else(|| wrong(name, "a list of strings")));
            texts.collect::<Result<Vec<&str>, Error>>()
        }
        // One is as good as a list of one.
        Value::String(text) => Ok(vec![text.as_str()]),
        _ => Err(wrong(name, "a list of strings")),
    };
    Ok(match input.kind {
        Kind::Flag => match value.as_bool().ok_or_else(|| wrong(name, "true or false"))? {
            true => vec![OsString::from(format!("--{}", name.replace('_', "-")))],
            false => Vec::new(),
        },
        Kind::Number => {
            let number = value.as_u64().ok_or_else(|| wrong(name, "a whole number from 0 on"))?;
            vec![option(number.to_string().as_ref())]
        }
        Kind::Text => vec![option(text(values, name)?.unwrap_or_default().as_ref())],
        Kind::Path => vec![option(folder.join(text(values, name)?.unwrap_or_default()).as_os_str())],
        Kind::Texts => texts()?.into_iter().map(|it| option(it.as_ref())).collect(),
        Kind::ClassPath => {
            let paths = texts()?.into_iter().flat_map(|it| split(OsStr::new(it)));
            paths.map(|it| option(folder.join(it).as_os_str())).collect()
        }
    })
}

/// The text of an input, if it is given.
fn text<'v>(values: &'v Map<String, Value>, name: &str) -> Result<Option<&'v str>, Error> {
    match values.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.contains('\0') && name != LOG => {
            Err(wrong(name, "a text without NUL characters"))
        }
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong(name, "a string")),
    }
}

fn wrong(name: &str, expected: &str) -> Error {
    usage(format!("{name} is not {expected}"))
}

fn usage(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Usage, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&[&str]; 3] = [&OF_LOGS, &OF_CRASHES, &OF_SEARCHES];

    fn read(values: Value) -> Result<Words, Error> {
        Words::of("reproduce", &ALL.concat(), values.as_object().unwrap(), Path::new("/home/me"))
    }

    fn refused(values: Value) -> String {
        read(values).unwrap_err().message
    }

    #[test]
    fn inputs_become_the_words_of_a_command_line() {
        let words = read(json!({
            "log_file": "logs/crash 1.log",
            "directory": "/",
            "classpath": ["target/classes:lib/*", "/opt/a.jar"],
            "maven": ["a:b:1"],
            "time": "5s",
            "frame": 3,
            "force": true,
            "expect": false,
            "seed": null,
        }));
        let expected = "crashback reproduce '/logs/crash 1.log' --classpath=/target/classes \
                        '--classpath=/lib/*' --classpath=/opt/a.jar --maven=a:b:1 --frame=3 --time=5s \
                        --force";
        assert_eq!(words.unwrap().command(), expected);
        let words = read(json!({ "log": "at a.B.c(B.java:1)", "classpath": "classes" })).unwrap();
        assert_eq!(words.command(), "crashback reproduce - --classpath=/home/me/classes");
        assert!(matches!(words.log, Some(Source::Text(_))));
    }

    #[test]
    fn a_log_file_is_never_an_option_or_standard_input() {
        for path in ["-", "--help", "--"] {
            let words = read(json!({ "log_file": path })).unwrap();
            assert_eq!(words.command(), format!("crashback reproduce /home/me/{path}"));
        }
    }

    #[test]
    fn wrong_inputs_are_named() {
        let check = |values: Value, named: &str| {
            let message = refused(values);
            assert!(message.contains(named), "{message}");
        };
        check(json!({}), "log_file");
        check(json!({ "log": "a", "log_file": "b" }), "both");
        check(json!({ "log": 3 }), "log is not a string");
        check(json!({ "log": "a", "clazzpath": [] }), "no input clazzpath");
        check(json!({ "log": "a", "classpath": [3] }), "classpath is not a list of strings");
        check(json!({ "log": "a", "frame": -1 }), "frame is not a whole number");
        check(json!({ "log": "a", "frame": 1.5 }), "frame is not a whole number");
        check(json!({ "log": "a", "force": "yes" }), "force is not true or false");
        check(json!({ "log": "a", "out": "a\0b" }), "out is not a text without NUL");
        check(json!({ "log": "a", "directory": "/no/such/folder" }), "directory: /no/such/folder");
    }
}
