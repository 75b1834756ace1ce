//! Pools of workers: this program once more, as `crashback worker`.

use std::path::PathBuf;
use std::time::Duration;

use crashback_classpath::Jdk;
use crashback_instrument::{Kinds, ProbePlan};
use crashback_jvm::pool::{PoolSettings, WorkerCommand};
use crashback_jvm::{Limits, Machine, Program, Recording, Surroundings, WorkerSettings};

use crate::environment::Environment;
use crate::exit::{Failure, FailureKind};
use crate::interrupt::Interrupts;

/// What every class gets in a search: tests end, start from the same state, and see the same clock
/// and random numbers.
pub(crate) fn search_kinds() -> Kinds {
    Kinds::BUDGET | Kinds::STATE | Kinds::PINS
}

/// The file of the running program, which is started once more for everything that runs the program
/// under test.
pub(crate) fn executable(environment: &Environment) -> Result<PathBuf, Failure> {
    environment.executable.clone().ok_or_else(|| {
        let message = "the system does not tell where the program crashback lies; is /proc mounted?";
        Failure::new(FailureKind::Environment, message)
    })
}

/// A pool of one worker that records nothing, for a JDK and a class path.
pub(crate) fn settings(
    jdk: &Jdk,
    class_path: &[PathBuf],
    without_sandbox: bool,
    environment: &Environment,
) -> Result<PoolSettings, Failure> {
    let program = executable(environment)?;
    let worker = WorkerSettings {
        machine: Machine {
            home: jdk.home.clone(),
            feature: jdk.feature.into(),
            heap: 512,
            stack: 1024,
            options: Vec::new(),
        },
        program: Program {
            class_path: class_path.to_vec(),
            test_package: TEST_PACKAGE.to_owned(),
            assertions: false,
        },
        recording: Recording {
            plan: ProbePlan::everywhere(search_kinds()),
            jump_codes: Vec::new(),
            chain: Vec::new(),
            operands: false,
            strict_verification: false,
        },
        limits: Limits::default(),
        surroundings: Surroundings::default(),
        without_sandbox,
        scratch: PathBuf::new(),
    };
    let command = WorkerCommand { program, arguments: vec!["worker".into()] };
    let start = Duration::from_secs(60);
    let settings = PoolSettings::new(worker, command, environment.temporary.clone());
    Ok(PoolSettings { spares: 0, start, ..settings })
}

/// A package that no program has.
const TEST_PACKAGE: &str = "crashback.test";

/// Why an evaluation failed, as the user sees it.
pub(crate) fn failure(failure: &crashback_protocol::Failure, interrupts: &Interrupts) -> Failure {
    if interrupts.happened() {
        return Failure::interrupted();
    }
    Failure::new(FailureKind::Environment, failure.to_string())
}
