//! `crashback reproduce`: from a stack trace to a test that crashes the program in the same way.

mod file;
pub(crate) mod json;
mod progress;
mod settings;
mod text;

#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use crashback::{Attempt, Choice, Error, ErrorKind, Event, Request, Search, Settings, Target, attempt};
use crashback_reproduce::{Outcome, WrittenTest};

pub(crate) use file::Destination;
use progress::Progress;
pub(crate) use progress::columns;
pub(crate) use settings::{RecordedSettings, session, settings, workers};

use crate::args::{OutputArguments, ReproduceArguments, SearchArguments};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::report::SingleReport;
use crate::{exit, log, output, program};

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ReproduceArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let destination = Destination { folder: arguments.out.clone(), force: arguments.output.force };
    let report = arguments.report.clone().map(SingleReport::new);
    let request = || request(arguments, environment);
    let command = Command {
        search: &arguments.search,
        destination: Some(&destination),
        report: report.as_ref(),
        output: arguments.output,
        environment,
        interrupts,
    };
    command.run(&request)
}

/// What the arguments ask for.
fn request(arguments: &ReproduceArguments, environment: &Environment) -> Result<Request, Error> {
    let program = program::request(&arguments.classes, arguments.any_release, &arguments.scope, environment)?;
    let settings = settings(&arguments.search)?;
    Ok(Request {
        log: log::read(&arguments.log)?,
        log_name: arguments.log.display().to_string(),
        mapping: log::mapping(arguments.mapping.as_deref())?,
        reports: log::reports(&arguments.log, &arguments.recorded)?,
        choice: Choice { crash: arguments.crash, cause: arguments.cause },
        program,
        settings: Settings { frame: arguments.frame, expect: arguments.output.expect, ..settings },
    })
}

/// A command that reproduces one crash.
pub(crate) struct Command<'c> {
    pub(crate) search: &'c SearchArguments,
    /// Where the test is written to; none shows it only.
    pub(crate) destination: Option<&'c Destination>,
    /// The report that was asked for.
    pub(crate) report: Option<&'c SingleReport>,
    pub(crate) output: OutputArguments,
    pub(crate) environment: &'c Environment,
    pub(crate) interrupts: &'c Interrupts,
}

impl Command<'_> {
    /// Reproduces a crash, writes the test where that was asked for, and prints the result.
    pub(crate) fn run(&self, request: &dyn Fn() -> Result<Request, Error>) -> ExitCode {
        let Self { output, interrupts, .. } = *self;
        let recorded = settings(self.search).ok().map(|it| RecordedSettings::new(&it, self.search));
        if output.json {
            let interrupted = json::failed(&Error::interrupted(), recorded.as_ref());
            interrupts.leave_with(output::json_text(&interrupted));
        }
        let mut progress =
            Progress::on(io::stderr(), io::stderr().is_terminal() && !output.quiet && !output.json);
        let session = session(self.search, self.environment, interrupts);
        let ended = session.and_then(|session| Ok((session, request()?)));
        let end = match ended {
            Ok((session, request)) => self.conclude(&session, &request, &mut progress),
            Err(error) => End::failed(error, recorded),
        };
        progress.clear();
        interrupts.speak_for_yourself();
        end.show(output, self.destination.is_some())
    }

    fn conclude(&self, search: &dyn Search, request: &Request, progress: &mut Progress) -> End {
        let recorded = RecordedSettings::new(&request.settings, self.search);
        progress.begin(&request.settings);
        // A folder that cannot be written to at the end is better known at the beginning.
        let unwritable = self.destination.and_then(|it| it.check().err());
        if let Some(error) = unwritable.or_else(|| self.report?.check().err()) {
            return End::failed(error, Some(recorded));
        }
        let frame = request.settings.frame;
        let is_free = |target: &Target<'_>| {
            self.report.inspect(|it| it.see(target));
            match self.destination {
                Some(destination) => destination.check_free(&target.expected_files(frame)),
                None => Ok(()),
            }
        };
        let interruption = &self.interrupts.interruption;
        let mut sink = |event: &Event| {
            self.report.inspect(|it| it.tell(event));
            progress.show(event);
        };
        let attempted = attempt(search, request, interruption, &is_free, &mut sink);
        match attempted {
            Ok(attempt) => {
                let reported = self.report.map_or(Ok(()), |it| it.write(request, self.search, &attempt));
                let end = End::of(attempt, recorded, self.destination);
                End { error: end.error.or(reported.err()), ..end }
            }
            Err(error) => End::failed(error, Some(recorded)),
        }
    }
}

/// How the command ended.
pub(crate) struct End {
    /// The settings of the search; none if the command line could not be understood.
    settings: Option<RecordedSettings>,
    /// The result, if there was a search.
    attempt: Option<Attempt>,
    /// Where the test was written to.
    test_file: Option<PathBuf>,
    /// Where the test of a frame above was written to.
    outer_file: Option<PathBuf>,
    error: Option<Error>,
}

impl End {
    fn failed(error: Error, settings: Option<RecordedSettings>) -> Self {
        Self { settings, attempt: None, test_file: None, outer_file: None, error: Some(error) }
    }

    /// Writes the tests that were found, if there is a place for them.
    fn of(attempt: Attempt, settings: RecordedSettings, destination: Option<&Destination>) -> Self {
        let reproduction = &attempt.reproduction;
        let mut error = None;
        let mut write = |test: Option<&WrittenTest>| match test.zip(destination)?.1.write(test?) {
            Ok(path) => Some(path),
            Err(failure) => {
                error.get_or_insert(failure);
                None
            }
        };
        let test_file = write(reproduction.test.as_ref());
        let outer_file = write(reproduction.outer.as_ref().map(|it| &it.test));
        if reproduction.interrupted && error.is_none() {
            error = Some(Error::interrupted());
        }
        Self { settings: Some(settings), attempt: Some(attempt), test_file, outer_file, error }
    }

    fn code(&self) -> u8 {
        let verdict = self.attempt.as_ref().map(|it| it.reproduction.verdict());
        match (&self.error, verdict) {
            (Some(error), _) => exit::code(error.kind),
            (None, Some(Outcome::NotReproduced)) => 1,
            (None, _) => 0,
        }
    }

    fn show(&self, output: OutputArguments, has_destination: bool) -> ExitCode {
        let printed = match &self.attempt {
            _ if output.json => output::print_json(&json::render(self)),
            Some(attempt) => {
                let files = [self.test_file.as_deref(), self.outer_file.as_deref()];
                let mut text = text::render(attempt, files, has_destination);
                if output.stats {
                    text::account(&mut text, &attempt.reproduction);
                }
                output::print(&text)
            }
            None => true,
        };
        if let Some(error) = &self.error {
            output::tell(&format!("crashback: {error}"));
        }
        ExitCode::from(if printed { self.code() } else { exit::code(ErrorKind::Environment) })
    }
}
