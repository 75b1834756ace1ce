//! One attempt to reproduce a crash: reading, auditing, searching.

use std::path::PathBuf;
use std::time::Instant;

use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, Status};
use crashback_reproduce::{Event, Reproduction};

use super::Wanted;
use super::engine::{Engine, Task};
use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;
use crate::log::{self, Numbered};
use crate::program;

/// What came of an attempt.
pub(crate) struct Attempt {
    /// The number of the crash among the distinct ones of the log, from 1.
    pub(crate) number: usize,
    /// How many distinct crashes the log has, as far as they were looked at.
    pub(crate) crashes: usize,
    /// Which exception of the cause chain it is, 1 for the outermost.
    pub(crate) cause: usize,
    pub(crate) exception: String,
    pub(crate) message: Option<String>,
    pub(crate) reproduction: Reproduction,
}

/// Tries to reproduce the crash that is wanted. `check_free` is told which files the test may be
/// before the search begins.
pub(crate) fn attempt(
    wanted: &Wanted,
    environment: &Environment,
    interrupts: &Interrupts,
    engine: &dyn Engine,
    check_free: &dyn Fn(&[PathBuf]) -> Result<(), Failure>,
    sink: &mut dyn FnMut(&Event),
) -> Result<Attempt, Failure> {
    let begun = now();
    let (numbered, _) = log::read(&wanted.log, wanted.crash)?;
    let project = program::load_places(&wanted.places.absolute(), &wanted.scope, environment, interrupts)?;
    let classes = Classes::new(&project.class_path);
    let auditor = Auditor::new(&classes, &project.scope);
    let crashes = numbered.len();
    let mut hopeless = Vec::new();
    for Numbered { number, crash, .. } in numbered {
        let id = log::choose_cause(&auditor, &crash, wanted.cause)?;
        let Some(throwable) = crash.get(id) else { continue };
        let audit = auditor.audit(throwable);
        if audit.highest_target_frame.is_none() {
            hopeless.push(audit);
            continue;
        }
        if let Some(frame) = wanted.settings.frame {
            check_frame(&audit, frame)?;
        }
        let task = Task {
            project: &project,
            classes: &classes,
            throwable,
            audit: &audit,
            settings: &wanted.settings,
            conditions: &wanted.conditions,
            begun,
            environment,
            interrupts,
        };
        check_free(&engine.expected_files(&task))?;
        if interrupts.happened() {
            return Err(Failure::interrupted());
        }
        let reproduction = engine.reproduce(&task, sink)?;
        let cause = log::cause_number(&crash, id);
        let CrashAudit { exception, message, .. } = audit;
        return Ok(Attempt { number, crashes, cause, exception, message, reproduction });
    }
    let audits: Vec<&CrashAudit> = hopeless.iter().collect();
    let failure = log::disagreement(&audits, &project.class_path);
    Err(failure.unwrap_or_else(|| Failure::new(FailureKind::Internal, "a crash without an exception")))
}

/// A frame that was asked for must be there, and be one that a test can aim at.
fn check_frame(audit: &CrashAudit, level: u32) -> Result<(), Failure> {
    let Some(frame) = audit.frames.iter().find(|it| it.level == level) else {
        let message =
            format!("there is no frame {level}: {} has {} frames", audit.exception, audit.frames.len());
        return Err(Failure::new(FailureKind::Usage, message));
    };
    if frame.target {
        return Ok(());
    }
    let kind = match frame.status {
        Status::Ok | Status::NoLine => FailureKind::Usage,
        Status::ClassMissing | Status::MethodMissing | Status::LineAbsent => FailureKind::Disagreement,
    };
    let targets = audit.frames.iter().filter(|it| it.target).map(|it| it.level.to_string());
    let message = format!(
        "frame {level}, {}, cannot be targeted: {}; these can: {}",
        frame.signature(),
        frame.reason,
        targets.collect::<Vec<_>>().join(", ")
    );
    Err(Failure::new(kind, message))
}

#[expect(clippy::disallowed_methods, reason = "the time that a command may take is measured")]
pub(super) fn now() -> Instant {
    Instant::now()
}
