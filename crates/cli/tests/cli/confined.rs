//! `crashback confined`: what tests are verified with.

use std::fs;
use std::path::Path;

use crate::support::{Run, command, java_home, run};

const SOURCE: &str = r#"
public class Shell {
    public static void main(String[] arguments) throws Exception {
        System.out.println("hello " + arguments[0]);
        try {
            new ProcessBuilder("/bin/sh", "-c", "exit 0").start();
        } catch (java.io.IOException refused) {
            System.err.println("refused");
            System.exit(7);
        }
    }
}
"#;

#[test]
fn a_program_is_compiled_and_run_inside_the_sandbox() {
    let scratch = tempfile::tempdir().expect("a folder");
    fs::write(scratch.path().join("Shell.java"), SOURCE).expect("a source");
    let bin = java_home().join("bin");
    let compiler = confined(scratch.path(), &bin.join("javac"), &["Shell.java"]);
    assert_eq!(compiler.code, 0, "{}", compiler.stderr);
    let shell = confined(scratch.path(), &bin.join("java"), &["-cp", ".", "Shell", "world"]);
    assert_eq!((shell.code, shell.stdout.as_str()), (7, "hello world\n"), "{}", shell.stderr);
    assert_eq!(shell.stderr, "refused\n");
}

#[test]
fn only_programs_of_the_jdk_are_run() {
    let scratch = tempfile::tempdir().expect("a folder");
    let shell = confined(scratch.path(), Path::new("/bin/sh"), &["-c", "true"]);
    shell.failed_with(4, &["/bin/sh is no program of the JDK"]);
}

fn confined(scratch: &Path, program: &Path, arguments: &[&str]) -> Run {
    let mut command = command();
    command.arg("confined").arg("--java-home").arg(java_home()).arg("--scratch").arg(scratch);
    command.arg("--parent").arg(std::process::id().to_string());
    run(command.arg("--").arg(program).args(arguments), b"unread")
}
