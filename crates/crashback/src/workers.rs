//! Settings of worker pools.

use std::path::PathBuf;

use crashback_classpath::Jdk;
use crashback_instrument::ProbePlan;
use crashback_jvm::pool::PoolSettings;
use crashback_jvm::{Limits, Machine, Program, Surroundings, WorkerSettings};
use crashback_reproduce::{Recording, everywhere};

use crate::{Session, Task};

/// The quick compiler alone. The other one takes more time than it saves, and more of it than the tests
/// of a search themselves: these run ever other code, mostly a few times. Without it the quick one need
/// not count and profile what it compiles.
const QUICK_COMPILER: &str = "-XX:TieredStopAtLevel=1";

/// A package that no program has.
const TEST_PACKAGE: &str = "crashback.test";

impl Session {
    /// A pool of one worker that records nothing, for a JDK and a class path.
    pub fn pool_settings(&self, jdk: &Jdk, class_path: &[PathBuf]) -> PoolSettings {
        let limits = &self.limits;
        let worker = WorkerSettings {
            machine: Machine {
                home: jdk.home.clone(),
                feature: jdk.feature.into(),
                heap: limits.worker_heap,
                stack: limits.worker_stack,
                options: Vec::new(),
            },
            program: Program {
                class_path: class_path.to_vec(),
                test_package: TEST_PACKAGE.to_owned(),
                assertions: self.assertions,
            },
            recording: Recording {
                plan: ProbePlan::everywhere(everywhere()),
                jump_codes: Vec::new(),
                chain: Vec::new(),
                operands: false,
                strict_verification: false,
            },
            limits: Limits::default(),
            // The plain JVMs that verify tests have the machine's time zone.
            surroundings: Surroundings { zone: None, ..Surroundings::default() },
            without_sandbox: self.without_sandbox,
            scratch: PathBuf::new(),
        };
        let settings = PoolSettings::new(worker, self.command.worker(), self.temporary.clone());
        PoolSettings { spares: 0, start: limits.worker_start, ..settings }
    }

    /// The pool of a search, whose tests lie in a package (with dots) unless they say otherwise.
    pub fn search_pool_settings(
        &self,
        task: &Task<'_>,
        recording: &Recording,
        test_package: &str,
    ) -> PoolSettings {
        let program = task.target.program;
        let mut settings = self.pool_settings(&program.jdk, program.class_path.launch_path());
        let limits = &self.limits;
        let is_counted = task.settings.evaluations.is_some();
        settings.worker.program.test_package = test_package.to_owned();
        settings.worker.program.assertions |= task.target.audit.needs_assertions;
        settings.worker.recording = recording.clone();
        settings.worker.machine.options.push(QUICK_COMPILER.to_owned());
        settings.worker.limits = Limits {
            budget: limits.test_budget,
            time: if is_counted { limits.counted_test_time } else { limits.test_time },
            grace: limits.grace,
        };
        PoolSettings { workers: self.workers, spares: limits.spare_workers, ..settings }
    }
}
