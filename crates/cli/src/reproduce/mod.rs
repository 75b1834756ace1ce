//! `crashback reproduce`: from a stack trace to a test that crashes the program in the same way.

mod file;
pub(crate) mod json;
mod progress;
mod running;
mod settings;
mod text;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use crashback::{Attempt, Choice, Error, ErrorKind, Event, Request, Search, Settings, Target, attempt};
use crashback_reproduce::{Outcome, Reproduction, WrittenTest};
use crashback_trace::Relaxation;
use serde::Serialize;

pub(crate) use file::Destination;
use progress::{Manner, Progress};
pub(crate) use progress::{Story, Watcher, columns};
pub(crate) use settings::{RecordedSettings, session, settings, workers};
pub(crate) use text::outcome_words;

use crate::args::{OutputArguments, ReproduceArguments, SearchArguments, Verbosity};
use crate::ci::CiFiles;
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::log::Source;
use crate::report::SingleReport;
use crate::{exit, log, output, program};

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ReproduceArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("."));
    let destination = Destination { folder, force: arguments.output.force };
    let report = arguments.report.clone().map(SingleReport::new);
    let ci = CiFiles::new(arguments, environment);
    let log = Source::File(arguments.log.clone());
    let request = || request(arguments, &log, environment);
    let command = Command {
        search: &arguments.search,
        destination: Some(&destination),
        follows_project: arguments.out.is_none(),
        report: report.as_ref(),
        ci: Some(&ci),
        output: arguments.output,
        environment,
        interrupts,
    };
    command.run(&request)
}

/// What the arguments ask for, of a log.
pub(crate) fn request(
    arguments: &ReproduceArguments,
    log: &Source,
    environment: &Environment,
) -> Result<Request, Error> {
    let ReproduceArguments { classes, project, any_release, scope, output, .. } = arguments;
    let is_quiet = environment.verbosity.quiet || output.json;
    let program = program::request_or_project(classes, project, *any_release, scope, environment, is_quiet)?;
    let settings = settings(&arguments.search)?;
    Ok(Request {
        log: log.read()?,
        log_name: log.name(),
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
    /// Whether the tests of a project's module are the place instead, if there is a project.
    pub(crate) follows_project: bool,
    /// The report that was asked for.
    pub(crate) report: Option<&'c SingleReport>,
    /// Files for build servers.
    pub(crate) ci: Option<&'c CiFiles>,
    pub(crate) output: OutputArguments,
    pub(crate) environment: &'c Environment,
    pub(crate) interrupts: &'c Interrupts,
}

impl Command<'_> {
    /// Reproduces a crash, writes the test where that was asked for, and prints the result.
    pub(crate) fn run(&self, request: &dyn Fn() -> Result<Request, Error>) -> ExitCode {
        let Self { output, interrupts, .. } = *self;
        if output.json {
            let interrupted = json::failed(&Error::interrupted(), self.recorded().as_ref());
            interrupts.leave_with(output::json_text(&interrupted));
        }
        let verbosity = self.environment.verbosity;
        let mut progress = Progress::on(io::stderr(), manner(verbosity, output));
        let end = self.end(request, &mut progress);
        progress.clear();
        interrupts.speak_for_yourself();
        let output = OutputArguments { stats: output.stats || verbosity.verbose, ..output };
        end.show(output, self.destination.is_some())
    }

    /// Reproduces a crash and writes the test where that was asked for.
    pub(crate) fn end(&self, request: &dyn Fn() -> Result<Request, Error>, watcher: &mut dyn Watcher) -> End {
        let session = session(self.search, self.environment, self.interrupts);
        match session.and_then(|session| Ok((session, request()?))) {
            Ok((session, request)) => self.conclude(&session, &request, watcher),
            Err(error) => self.publish(End::failed(error, self.recorded())),
        }
    }

    /// The settings of the search; none if they are wrong.
    fn recorded(&self) -> Option<RecordedSettings> {
        settings(self.search).ok().map(|it| RecordedSettings::new(&it, self.search))
    }

    fn conclude(&self, search: &dyn Search, request: &Request, watcher: &mut dyn Watcher) -> End {
        let recorded = RecordedSettings::new(&request.settings, self.search);
        watcher.begin(&request.settings);
        // A folder that cannot be written to at the end is better known at the beginning.
        let is_known = !(self.follows_project && request.program.project.is_some());
        let unwritable = self.destination.filter(|_| is_known).and_then(|it| it.check().err());
        let unwritable = unwritable.or_else(|| self.report?.check().err());
        if let Some(error) = unwritable.or_else(|| self.ci?.check().err()) {
            return End::failed(error, Some(recorded));
        }
        self.publish(self.search(search, request, recorded, watcher))
    }

    /// Writes the files for build servers, also about a command that failed.
    fn publish(&self, end: End) -> End {
        let written = self.ci.map_or(Ok(()), |it| it.write(&end));
        End { error: end.error.or(written.err()), ..end }
    }

    fn search(
        &self,
        search: &dyn Search,
        request: &Request,
        recorded: RecordedSettings,
        watcher: &mut dyn Watcher,
    ) -> End {
        let frame = request.settings.frame;
        let is_free = |target: &Target<'_>| {
            self.report.inspect(|it| it.see(target));
            self.ci.inspect(|it| it.see(target));
            self.check_destination(target, frame)
        };
        let interruption = &self.interrupts.interruption;
        let mut sink = |event: &Event| {
            self.report.inspect(|it| it.tell(event));
            watcher.see(event);
        };
        let attempted = attempt(search, request, interruption, &is_free, &mut sink);
        match attempted {
            Ok(attempt) => {
                let reported = self.report.map_or(Ok(()), |it| it.write(request, self.search, &attempt));
                let end = End::of(attempt, recorded, &|attempt, test| self.place(attempt, test));
                End { error: end.error.or(reported.err()), ..end }
            }
            Err(error) => End::failed(error, Some(recorded)),
        }
    }
}

impl Command<'_> {
    /// Fails if the test will be a file that exists, or that cannot be made.
    fn check_destination(&self, target: &Target<'_>, frame: Option<u32>) -> Result<(), Error> {
        let Some(destination) = self.destination else { return Ok(()) };
        let files = target.expected_files(frame);
        let project = target.program.project.as_deref().filter(|_| self.follows_project);
        let Some(project) = project else { return destination.check_free(&files) };
        destination.in_project(Some(project), None).check()?;
        let frames = target.audit.frames.iter().filter(|it| it.target);
        let homes = frames.flat_map(|it| project.homes(&it.class)).map(|it| it.name.as_str());
        let homes: BTreeSet<&str> = homes.collect();
        let places = homes.iter().map(|it| destination.in_project(Some(project), Some(*it)));
        // The test has the place of one of them: only if all are taken it is sure to be lost.
        let taken: Vec<Error> = places.filter_map(|it| it.check_free(&files).err()).collect();
        if taken.len() < homes.len() { Ok(()) } else { taken.into_iter().next().map_or(Ok(()), Err) }
    }

    /// Where a test goes.
    fn place(&self, attempt: &Attempt, test: &WrittenTest) -> Option<Destination> {
        let destination = self.destination?;
        let project = attempt.project.as_deref().filter(|_| self.follows_project);
        Some(destination.in_project(project, test.module.as_deref()))
    }
}

/// How progress is told.
fn manner(verbosity: Verbosity, output: OutputArguments) -> Manner {
    match verbosity {
        Verbosity { verbose: true, .. } => Manner::Lines,
        Verbosity { quiet: true, .. } => Manner::Untold,
        _ if io::stderr().is_terminal() && !output.json => Manner::Line,
        _ => Manner::Untold,
    }
}

/// How the command ended.
pub(crate) struct End {
    /// The settings of the search; none if the command line could not be understood.
    settings: Option<RecordedSettings>,
    /// The result, if there was a search.
    pub(crate) attempt: Option<Attempt>,
    /// Where the test was written to.
    pub(crate) test_file: Option<PathBuf>,
    /// Where the test of a frame above was written to.
    outer_file: Option<PathBuf>,
    pub(crate) error: Option<Error>,
}

impl End {
    pub(crate) fn failed(error: Error, settings: Option<RecordedSettings>) -> Self {
        Self { settings, attempt: None, test_file: None, outer_file: None, error: Some(error) }
    }

    /// Writes the tests that were found, if there is a place for them.
    fn of(
        attempt: Attempt,
        settings: RecordedSettings,
        place: &dyn Fn(&Attempt, &WrittenTest) -> Option<Destination>,
    ) -> Self {
        let reproduction = &attempt.reproduction;
        let mut error = None;
        let mut write = |test: Option<&WrittenTest>| match place(&attempt, test?)?.write(test?) {
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

    /// The exit code of the command.
    pub(crate) fn code(&self) -> u8 {
        let verdict = self.attempt.as_ref().map(|it| it.reproduction.verdict());
        match (&self.error, verdict) {
            (Some(error), _) => exit::code(error.kind),
            (None, Some(Outcome::NotReproduced)) => 1,
            (None, _) => 0,
        }
    }

    /// The result for programs.
    pub(crate) fn document(&self) -> impl Serialize {
        json::render(self)
    }

    /// The result for people; none if there was no search.
    pub(crate) fn text(&self, has_destination: bool) -> Option<String> {
        let files = [self.test_file.as_deref(), self.outer_file.as_deref()];
        Some(text::render(self.attempt.as_ref()?, files, has_destination))
    }

    /// The result of the search, if there was one.
    pub(crate) fn reproduction(&self) -> Option<&Reproduction> {
        self.attempt.as_ref().map(|it| &it.reproduction)
    }

    /// The command that runs the test; none without a file.
    pub(crate) fn test_command(&self) -> Option<String> {
        let (attempt, file) = (self.attempt.as_ref()?, self.test_file.as_deref()?);
        let test = attempt.reproduction.test.as_ref()?;
        let is_needed = attempt.reproduction.relaxations.contains(Relaxation::Assertions);
        let is_asked = self.settings.as_ref().is_some_and(RecordedSettings::assertions);
        running::command(attempt, test, file, is_needed || is_asked)
    }

    /// Why the command failed, if it did.
    pub(crate) fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    fn show(&self, output: OutputArguments, has_destination: bool) -> ExitCode {
        let printed = match (&self.attempt, self.text(has_destination)) {
            _ if output.json => output::print_json(&self.document()),
            (Some(attempt), Some(mut text)) => {
                if output.stats {
                    text::account(&mut text, &attempt.reproduction);
                }
                output::print(&text)
            }
            _ => true,
        };
        if let Some(error) = &self.error {
            output::tell(&format!("crashback: {error}"));
        }
        ExitCode::from(if printed { self.code() } else { exit::code(ErrorKind::Environment) })
    }
}
