//! Calls of tools: each is the command of the same name, with its result in text and JSON.

use std::path::PathBuf;
use std::time::Duration;

use crashback::{Error, ErrorKind, Event, Settings};
use crashback_mcp::{Call, Progress, ToolResult};
use serde::Serialize;
use serde_json::{Value, json};

use super::inputs::Words;
use super::{tools, verdict};
use crate::args::{self, Command, ReproduceArguments};
use crate::doctor::Diagnosis;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::log::Source;
use crate::reproduce::{self, Destination, Story, Watcher};
use crate::{explain, list};

/// The least time between two messages about the same search, unless something new happens.
const TICK: Duration = Duration::from_secs(1);
/// Fields of a search's document that only those need who work on searches.
const LEFT_OUT: [&str; 2] = ["timing", "arms"];

/// Makes a call.
pub(super) fn make(
    call: &Call,
    environment: &Environment,
    interrupts: &Interrupts,
    tell: &mut dyn FnMut(Progress),
) -> ToolResult {
    try_make(call, environment, interrupts, tell).unwrap_or_else(|error| {
        let text = format!("{} failed: {error}", call.tool);
        ToolResult { text, structured: None, is_error: true }
    })
}

fn try_make(
    call: &Call,
    environment: &Environment,
    interrupts: &Interrupts,
    tell: &mut dyn FnMut(Progress),
) -> Result<ToolResult, Error> {
    if interrupts.happened() {
        return Err(Error::interrupted());
    }
    let names = tools::inputs_of(&call.tool).ok_or_else(no_tool)?;
    let folder = environment.folder.clone().unwrap_or_else(|| PathBuf::from("/"));
    let words = Words::of(&call.tool, &names, &call.arguments, &folder)?;
    let environment = &Environment {
        arguments: words.arguments.clone(),
        folder: Some(words.folder.clone()),
        ..environment.clone()
    };
    match (args::parse_words(environment)?, &words.log) {
        (Command::Doctor(arguments), _) => {
            let diagnosis = Diagnosis::of(&arguments, environment, interrupts);
            Ok(told(diagnosis.text(), &diagnosis, diagnosis.error()))
        }
        (Command::List(arguments), Some(log)) => {
            let listing = list::list(&arguments, log, environment, interrupts)?;
            Ok(told(listing.text(), &listing.document(), None))
        }
        (Command::Explain(arguments), Some(log)) => {
            let explanation = explain::explain(&arguments, log, environment, interrupts)?;
            let error = explanation.disagreement.as_ref();
            Ok(told(explanation.text(), &explanation.document(), error))
        }
        (Command::Reproduce(arguments), Some(log)) => {
            let search = Search { arguments: &arguments, log, words: &words, environment, interrupts };
            let has_destination = call.arguments.get("out").is_some_and(|it| !it.is_null());
            Ok(search.run(has_destination, tell))
        }
        _ => Err(no_tool()),
    }
}

fn no_tool() -> Error {
    Error::new(ErrorKind::Internal, "there is no command for this tool; please report it")
}

/// A result in text and JSON, and an error that came of it.
fn told(text: String, document: &impl Serialize, error: Option<&Error>) -> ToolResult {
    let plain = anstream::adapter::strip_str(&text).to_string();
    let text = match error {
        Some(error) => format!("{plain}\n{error}"),
        None => plain,
    };
    ToolResult { text, structured: serde_json::to_value(document).ok(), is_error: error.is_some() }
}

/// A call of `reproduce`.
struct Search<'s> {
    arguments: &'s ReproduceArguments,
    log: &'s Source,
    words: &'s Words,
    environment: &'s Environment,
    interrupts: &'s Interrupts,
}

impl Search<'_> {
    /// Searches. The test is written to a file only if the call says where.
    fn run(&self, has_destination: bool, tell: &mut dyn FnMut(Progress)) -> ToolResult {
        let Self { arguments, log, words, environment, interrupts } = *self;
        let folder = arguments.out.clone().unwrap_or_default();
        let destination = Destination { folder, force: arguments.output.force };
        let command = reproduce::Command {
            search: &arguments.search,
            destination: Some(&destination).filter(|_| has_destination),
            follows_project: false,
            report: None,
            ci: None,
            output: arguments.output,
            environment,
            interrupts,
        };
        let mut reporter = Reporter { story: Story::default(), told: None, tell };
        let end = command.end(&|| reproduce::request(arguments, log, environment), &mut reporter);
        let text = verdict::text(&end, has_destination, arguments.output.expect, words);
        let result = told(text, &end.document(), end.error());
        let structured = result.structured.map(|it| shortened(it, &words.command()));
        ToolResult { structured, ..result }
    }
}

/// The document of a search without the fields that say nothing about the crash, and with the command that
/// makes the same search.
fn shortened(mut document: Value, command: &str) -> Value {
    if let Some(object) = document.as_object_mut() {
        object.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        object.insert("command".to_owned(), json!(command));
        let frames = object.get_mut("frames").and_then(Value::as_array_mut);
        for frame in frames.into_iter().flatten().filter_map(Value::as_object_mut) {
            frame.remove("curve");
        }
    }
    document
}

/// Tells of the progress of a search.
struct Reporter<'r> {
    story: Story,
    /// The time of the search when progress was told last.
    told: Option<Duration>,
    tell: &'r mut dyn FnMut(Progress),
}

impl Reporter<'_> {
    fn tell(&mut self, message: String) {
        let (done, total) = self.story.share();
        self.told = Some(self.story.elapsed);
        (self.tell)(Progress { done, total: Some(total), message });
    }
}

impl Watcher for Reporter<'_> {
    fn begin(&mut self, settings: &Settings) {
        let words = self.story.begin(settings);
        self.tell(words);
    }

    fn see(&mut self, event: &Event) {
        let words = self.story.tell(event);
        let elapsed = self.story.elapsed;
        let is_due = self.told.is_none_or(|it| elapsed.saturating_sub(it) >= TICK);
        let is_news = !matches!(event, Event::Progress { .. });
        if let Some(words) = words.filter(|_| is_due || is_news) {
            self.tell(words);
        }
    }
}
