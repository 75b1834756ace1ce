//! Commands that run a test once more.

use std::path::Path;

use crashback::Attempt;
use crashback_reproduce::WrittenTest;

use super::text::{build_command, class_name, in_project};
use crate::program::absolute;
use crate::shell::quoted;

/// The command that runs a test: that of the project, else of the build that its file lies in, else programs
/// of the JDK with the class path of its verification. None if that has no program to run tests.
pub(super) fn command(
    attempt: &Attempt,
    test: &WrittenTest,
    file: &Path,
    assertions: bool,
) -> Option<String> {
    let of_build = in_project(attempt, test, file).or_else(|| build_command(file, &class_name(test)));
    of_build.or_else(|| jdk_command(attempt, test, file, assertions))
}

fn jdk_command(attempt: &Attempt, test: &WrittenTest, file: &Path, assertions: bool) -> Option<String> {
    let jars = &attempt.reproduction.test_jars;
    let name = class_name(test);
    let runner = match test.junit {
        4 => format!("org.junit.runner.JUnitCore {}", quoted(&name)),
        _ if jars.iter().any(|it| it.contains("junit-platform-console")) => {
            format!("org.junit.platform.console.ConsoleLauncher execute --select-class={}", quoted(&name))
        }
        _ => return None,
    };
    let entries = attempt.class_path.iter().map(|it| it.display().to_string());
    let class_path = quoted(&entries.chain(jars.iter().cloned()).collect::<Vec<_>>().join(":"));
    let tool = |name: &str| quoted(&attempt.java_home.join("bin").join(name).display().to_string());
    let (javac, java) = (tool("javac"), tool("java"));
    let file = quoted(&absolute(file).display().to_string());
    let option = if assertions { "-ea " } else { "" };
    Some(format!(
        "d=$(mktemp -d) && {javac} -cp {class_path} -d $d {file} \
         && {java} {option}-cp $d:{class_path} {runner}"
    ))
}
