#![expect(clippy::disallowed_methods, reason = "suites run in JVMs that are started here")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crashback_classpath::{ClassPath, Jdk, Request};
use crashback_program::ClassSource;

use super::{Classes, Library, Program, Result};

/// A library's suite, ready to run.
#[derive(Debug)]
pub struct Suite {
    /// The library's classes as they are.
    pub classes: Classes,
    /// Binary names of the test classes, in the order in which they run.
    pub tests: Vec<String>,
    folder: tempfile::TempDir,
    home: PathBuf,
    options: Vec<&'static str>,
    /// Libraries and the runner; the program comes before them.
    class_path: Vec<PathBuf>,
}

/// How a suite went.
#[derive(Clone, Debug)]
pub struct Run {
    /// Tests and containers of tests by their unique names.
    pub tests: BTreeMap<String, Test>,
    /// Time from the first to the last test.
    pub time: Duration,
    /// Processor time of the whole process.
    pub processor: Duration,
    /// Bytes of facts that probes recorded.
    pub facts: u64,
}

/// How a test went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// How it ended, in one line.
    pub result: String,
    /// How long it took.
    pub time: Duration,
}

impl Suite {
    /// Resolves and reads the library with its tests, and compiles the runner and the runtime
    /// classes.
    pub fn prepare(library: &Library, jdk: &Jdk) -> Result<Self> {
        let maven =
            library.coordinates().iter().map(|it| it.parse()).collect::<std::result::Result<_, _>>()?;
        let all = ClassPath::load(&Request { maven, ..Request::default() })?;
        let jar = |end: &str| {
            let name = format!("{}-{}{end}.jar", library.name, library.version);
            let jar = all.launch_path().iter().find(|it| it.ends_with(&name)).cloned();
            jar.ok_or_else(|| format!("{name} was not resolved"))
        };
        let classes = read_jar(jar("")?)?;
        let tests = read_jar(jar("-tests")?)?;
        let tests =
            tests.keys().filter(|name| library.is_test(name)).map(|it| it.replace('/', ".")).collect();
        let options = if jdk.feature > 8 { library.options.to_vec() } else { Vec::new() };
        let folder = tempfile::tempdir()?;
        let mut suite =
            Self { classes, tests, folder, home: jdk.home.clone(), options, class_path: Vec::new() };
        suite.class_path.push(suite.folder.path().join("runner"));
        suite.class_path.extend_from_slice(all.launch_path());
        suite.compile(jdk)?;
        Ok(suite)
    }

    /// Runs all tests with a program in place of the library.
    pub fn run(&self, program: &Program) -> Result<Run> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        let file = |name: &str| folder.path().join(name);
        write_classes(&program.classes, &file("program"))?;
        fs::create_dir(file("work"))?;
        fs::write(file("tests"), self.tests.join("\n"))?;
        let class_path = [file("program")].into_iter().chain(self.class_path.iter().cloned());
        let mut command = Command::new(self.home.join("bin/java"));
        command
            .args(["-XX:+UseSerialGC", "-Xmx1g", "-XX:-OmitStackTraceInFastThrow", "-XX:-UsePerfData"])
            .args(["-Djava.awt.headless=true", "-Duser.language=en", "-Duser.country=US"])
            .arg(option("-Djava.io.tmpdir=", &file("work")))
            .args(&self.options)
            .arg(option("-Xbootclasspath/a:", &self.runtime()))
            .arg("-cp")
            .arg(std::env::join_paths(class_path)?)
            .arg("Suite")
            .args([file("results"), file("tests")]);
        if let Some(probing) = &program.probing {
            fs::write(file("probing"), probing.encode())?;
            command.arg(file("probing"));
        }
        let errors = fs::File::create(file("errors"))?;
        command.current_dir(file("work")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let status = command.status()?;
        let results = fs::read_to_string(file("results")).unwrap_or_default();
        read_results(&results).ok_or_else(|| {
            let said = fs::read(file("errors")).unwrap_or_default();
            format!("the suite did not end ({status}): {}", String::from_utf8_lossy(&said)).into()
        })
    }

    fn runtime(&self) -> PathBuf {
        self.folder.path().join("runtime")
    }

    fn compile(&self, jdk: &Jdk) -> Result<()> {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = [bench.join("../java/runtime/crashback/runtime"), bench.join("java/observation")];
        let release: &[&str] =
            if jdk.feature > 8 { &["--release", "8"] } else { &["-source", "8", "-target", "8"] };
        javac(jdk, release, &sources, &self.runtime())?;
        let class_path = [self.runtime()].into_iter().chain(self.class_path.iter().cloned());
        let class_path = std::env::join_paths(class_path)?;
        let options = [OsStr::new("-cp"), &class_path];
        javac(jdk, &options, &[bench.join("java/suite")], &self.folder.path().join("runner"))
    }
}

impl Run {
    /// How many tests and containers ended with a result that begins like this.
    pub fn count(&self, result: &str) -> usize {
        self.tests.values().filter(|test| test.result.starts_with(result)).count()
    }
}

/// Compiles all sources of some folders.
fn javac(jdk: &Jdk, options: &[impl AsRef<OsStr>], sources: &[PathBuf], out: &Path) -> Result<()> {
    let mut files = Vec::new();
    for folder in sources {
        for file in fs::read_dir(folder)? {
            files.push(file?.path());
        }
    }
    files.sort();
    fs::create_dir_all(out)?;
    let mut command = Command::new(jdk.home.join("bin/javac"));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.args(["-nowarn", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(out);
    let output = command.args(options).args(files).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("javac failed: {}", String::from_utf8_lossy(&output.stderr)).into())
}

fn read_jar(jar: PathBuf) -> Result<Classes> {
    let source = ClassPath::load(&Request { entries: vec![jar], ..Request::default() })?;
    let mut classes = Classes::new();
    for class in source.index().iter() {
        classes.insert(class.name().to_owned(), source.bytes(class.reference())?.to_vec());
    }
    Ok(classes)
}

fn write_classes(classes: &Classes, folder: &Path) -> Result<()> {
    for (name, bytes) in classes {
        let file = folder.join(format!("{name}.class"));
        file.parent().map(fs::create_dir_all).transpose()?;
        fs::write(file, bytes)?;
    }
    Ok(())
}

/// Reads what `Suite.java` writes; none where the last line is missing.
fn read_results(text: &str) -> Option<Run> {
    let mut tests = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        match *fields.as_slice() {
            ["total", time, processor, facts] => {
                let facts = facts.parse().ok()?;
                return Some(Run { tests, time: nanos(time)?, processor: nanos(processor)?, facts });
            }
            [name, result, time] => {
                let test = Test { result: result.to_owned(), time: nanos(time)? };
                tests.insert(name.to_owned(), test);
            }
            _ => return None,
        }
    }
    None
}

fn nanos(text: &str) -> Option<Duration> {
    Some(Duration::from_nanos(text.parse().ok()?))
}

fn option(name: &str, value: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(value);
    option
}
