use std::path::{Path, PathBuf};

use crashback_classpath::project::TestApi;
use crashback_emit::junit::Generation;
use crashback_emit::source::free_class_name;
use crashback_program::Origins;
use crashback_program::classes::Classes;
use crashback_program::frames::{Auditor, CrashAudit, Status};
use crashback_reproduce::{Case, Records};
use crashback_trace::{Crash, RecordedCall, Throwable, recorded_calls, values_around};

use crate::crashes::{cause_number, choose, disagreement};
use crate::{Crashes, DistinctCrash, Error, ErrorKind, Program};

/// How many values of lines around a crash are read; searches take fewer.
const MOST_LOG_VALUES: usize = 200;

/// Which exception of which crash is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The number of the crash among the distinct ones of the log; none takes the most frequent one that
    /// has a frame worth targeting.
    pub crash: Option<u32>,
    /// The exception of the cause chain, 1 for the outermost; none takes the innermost with project
    /// frames.
    pub cause: Option<u32>,
}

/// An exception of a program with at least one frame worth targeting: what a search is for.
pub struct Target<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its classes.
    pub classes: &'p Classes<'p>,
    /// Whose code each class is.
    pub origins: Origins<'p>,
    /// The exception.
    pub throwable: Throwable,
    /// What it points at in the program.
    pub audit: CrashAudit,
    /// The number of its crash among the distinct ones of the log, from 1.
    pub crash: usize,
    /// How many distinct crashes the log has.
    pub crashes: usize,
    /// How often the log has this one.
    pub occurrences: usize,
    /// The position of the exception in its cause chain, 1 for the outermost.
    pub cause: usize,
    /// Whether that is another exception than usual, because the usual one has no frame to target.
    pub is_other_exception: bool,
    /// Values of lines around the crash, as texts, the nearest first; see [`Self::read_log`].
    pub log_values: Vec<String>,
    /// Failing calls with their arguments, as an agent recorded them.
    pub recorded_calls: Vec<RecordedCall>,
    /// The crash as the log has it.
    logged: Crash,
}

impl<'p> Target<'p> {
    /// Audits crashes, the most frequent first, until one has a frame worth targeting.
    ///
    /// # Errors
    ///
    /// If none has one, or there is no such exception in the cause chain.
    pub fn choose(
        program: &'p Program,
        classes: &'p Classes<'p>,
        crashes: &Crashes,
        cause: Option<u32>,
    ) -> Result<Self, Error> {
        let auditor = Auditor::new(classes, &program.scope);
        let mut all = Vec::new();
        for crash in crashes.by_frequency() {
            let chosen = choose(&auditor, &crash.crash, cause)?;
            let can_be_targeted = chosen.audit.highest_target_frame.is_some();
            let is_good = can_be_targeted && !chosen.is_of_other_version();
            all.push((crash, chosen));
            if is_good {
                break;
            }
        }
        let audits: Vec<&CrashAudit> = all.iter().map(|(_, it)| &it.audit).collect();
        if let Some(error) = disagreement(&audits, program) {
            return Err(error);
        }
        // A crash of this version, if there is one, comes before those of others.
        all.retain(|(_, it)| it.audit.highest_target_frame.is_some());
        let best = all.into_iter().min_by_key(|(_, it)| it.is_of_other_version());
        let found = best.and_then(|(crash, chosen)| Some((crash, crash.crash.get(chosen.cause)?, chosen)));
        let Some((DistinctCrash { number, crash, occurrences, .. }, throwable, chosen)) = found else {
            return Err(Error::new(ErrorKind::Internal, "a crash without an exception"));
        };
        Ok(Self {
            program,
            classes,
            origins: auditor.origins(throwable),
            throwable: throwable.clone(),
            is_other_exception: chosen.is_other_exception,
            crash: *number,
            crashes: crashes.count,
            occurrences: *occurrences,
            cause: cause_number(crash, chosen.cause),
            audit: chosen.audit,
            log_values: Vec::new(),
            recorded_calls: Vec::new(),
            logged: crash.clone(),
        })
    }

    /// Reads values that were recorded in the log with the crash, and in reports of an agent beside it.
    pub fn read_log(&mut self, log: &[u8], reports: &[Vec<u8>]) {
        self.log_values = values_around(log, &self.logged, MOST_LOG_VALUES);
        self.recorded_calls = recorded_calls(log);
        self.recorded_calls.extend(reports.iter().flat_map(|it| recorded_calls(it)));
    }

    /// Whether the JDK can load the classes that a test would be aimed at.
    ///
    /// # Errors
    ///
    /// If one of them is compiled for a newer Java.
    pub fn check_java(&self) -> Result<(), Error> {
        let jdk = &self.program.jdk;
        let targets = self.audit.frames.iter().filter(|it| it.target);
        let classes = targets.filter_map(|it| self.classes.index().get(&it.class.replace('.', "/")));
        let newest = classes.max_by_key(|it| it.java_release()).filter(|it| it.java_release() > jdk.feature);
        let Some(class) = newest else { return Ok(()) };
        let message = format!(
            "{} is compiled for Java {needed}, and {} is Java {}; name a JDK {needed} or later with \
             --java-home \
             or JAVA_HOME",
            class.name().replace('/', "."),
            jdk.home.display(),
            jdk.feature,
            needed = class.java_release(),
        );
        Err(Error::new(ErrorKind::Environment, message))
    }

    /// Whether a test can be aimed at a frame.
    ///
    /// # Errors
    ///
    /// If there is no such frame, or it is no target.
    pub fn check_frame(&self, level: u32) -> Result<(), Error> {
        let audit = &self.audit;
        let Some(frame) = audit.frames.iter().find(|it| it.level == level) else {
            let (exception, count) = (&audit.exception, audit.frames.len());
            let message = format!("there is no frame {level}: {exception} has {count} frames");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        if frame.target {
            return Ok(());
        }
        let kind = match frame.status {
            Status::Ok | Status::NoLine => ErrorKind::Usage,
            Status::ClassMissing | Status::MethodMissing | Status::LineAbsent => ErrorKind::Disagreement,
        };
        let targets = audit.frames.iter().filter(|it| it.target).map(|it| it.level.to_string());
        let message = format!(
            "frame {level}, {}, cannot be targeted: {}; these can: {}",
            frame.signature(),
            frame.reason,
            targets.collect::<Vec<_>>().join(", ")
        );
        Err(Error::new(kind, message))
    }

    /// The JUnit that the tests of its module use, where that is not the newest that it has.
    pub(crate) fn usual_junit(&self) -> Option<Generation> {
        let style = &self.program.project.as_ref()?.style;
        let has_four = self.classes.index().contains("org/junit/Test");
        (style.api == Some(TestApi::JUnit4) && has_four).then_some(Generation::Four)
    }

    /// The class under test, by its binary name, of a test with a package (with dots) and a name.
    pub(crate) fn subject(&self, package: &str, test: &str) -> Option<&str> {
        let frames = self.audit.frames.iter().filter(|it| it.target).map(|it| it.class.as_str());
        let mut classes = frames.filter(|it| it.rsplit_once('.').map_or("", |(before, _)| before) == package);
        classes.find(|it| {
            let simple = it.rsplit('.').next().unwrap_or_default();
            let outer = simple.split('$').find(|it| !it.is_empty()).unwrap_or_default();
            test.to_lowercase().starts_with(&outer.to_lowercase())
        })
    }

    /// Files that the test may become, below a folder of sources: one for each class whose frames
    /// are targets, or for the class of one frame.
    pub fn expected_files(&self, frame: Option<u32>) -> Vec<PathBuf> {
        let targets = self.audit.frames.iter().filter(|it| it.target);
        let targets = targets.filter(|it| frame.is_none_or(|frame| frame == it.level));
        let file = |class: &str| {
            let class = class.replace('.', "/");
            let package = class.rsplit_once('/').map_or("", |(package, _)| package);
            let test = free_class_name(self.classes.index(), package, &class);
            Path::new(package).join(format!("{test}.java"))
        };
        let mut files: Vec<PathBuf> = targets.map(|it| file(&it.class)).collect();
        files.sort();
        files.dedup();
        files
    }

    /// The same as a search takes it, with values that were recorded outside of the program.
    pub fn case<'c>(&'c self, records: &'c Records) -> Case<'c> {
        let Self { classes, origins, throwable, audit, .. } = self;
        Case { classes, origins, throwable, audit, records }
    }
}
