//! The example of the documentation, as a program that is not Crashback's own command.
#![expect(clippy::disallowed_methods, reason = "the test runs the example, the compiler and Java")]

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output};
    use std::{env, fs};

    /// Home of the JDK that the environment names.
    fn java_home() -> PathBuf {
        if let Some(home) = env::var_os("JAVA_HOME").filter(|it| !it.is_empty()) {
            return PathBuf::from(home);
        }
        let path = env::var_os("PATH").expect("a PATH");
        let java = env::split_paths(&path).find_map(|it| fs::canonicalize(it.join("java")).ok());
        java.and_then(|it| Some(it.parent()?.parent()?.to_owned())).expect("java on the PATH")
    }

    fn run(command: &mut Command) -> Output {
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    #[test]
    fn the_example_reproduces_a_crash() {
        // Cargo builds examples beside the folder of tests.
        let test = env::current_exe().expect("this test");
        let example = test.parent().and_then(Path::parent).expect("a folder").join("examples/reproduce");
        let crash = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crashes/setter-then-call");
        let classes = tempfile::tempdir().expect("a folder");
        let sources = fs::read_dir(crash.join("src")).expect("sources");
        let sources = sources.map(|it| it.expect("a source").path());
        let mut javac = Command::new(java_home().join("bin/javac"));
        run(javac.arg("-g").arg("-d").arg(classes.path()).args(sources));
        let mut example = Command::new(example);
        let done = run(example.arg(crash.join("crash.log")).arg(classes.path()).arg(java_home()));
        let source = String::from_utf8(done.stdout).expect("a source");
        assert!(source.contains("@Test"), "{source}");
    }
}
