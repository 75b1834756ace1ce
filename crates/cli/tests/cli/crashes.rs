//! Small programs of shapes that searches are known to find easy or hard, each with its crash.
//!
//! A folder below `tests/crashes` has the sources of a program in `src`, those of its caller, which
//! is not searched, in `caller`, those of a library that lies in a jar in `library`, those of another
//! release of the library that lies before it on the class path in `older`, those of its own tests and their
//! files, which are on the class path for tests, in `tests`, those of tests that the search is given in
//! `seeds`, files that lie beside its classes in `resources` if there are any, the log of its crash in
//! `crash.log`, and in `expect.json` the result that a search with a small budget must have, whatever its
//! seed. A new folder is a new test.
//!
//! `CRASHBACK_CRASHES` names the folders to try, with commas, and `CRASHBACK_SEEDS` the seeds: all and three
//! unless they are set.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests measure how long they take, and the environment may choose among them"
)]

use std::fmt::Display;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crashback::{
    CacheSettings, Crashes, Generation, Limits, Program, ProgramRequest, Search, SelfCommand, Session,
    Settings, Target, Task, jdk,
};
use crashback_classpath::fetch;
use crashback_classpath::maven::{self, Coordinates};
use crashback_reproduce::Reproduction;
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    Compilation, cache_folder, command, compile_many, files_below, java_home, joined, run, tool,
};

/// Executed tests that are enough for every one of the crashes, with every seed.
const EVALUATIONS: u64 = 15_000;

/// Every crash must be reproduced with each of these.
const SEEDS: &str = "1,2,3";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    exception: String,
    /// The lowest frame that a test must reproduce.
    frame: u32,
    outcome: String,
    /// The fitness function of the search; the default unless it is given.
    fitness: Option<String>,
    /// Where the exception is seen, if it does not escape.
    #[serde(default = "escapes")]
    degree: String,
    /// The test of a frame above, where the program wraps or catches the exception; any or none unless it is
    /// given.
    outer: Option<Outer>,
    /// The most claims that plain JVMs may deny; any number unless it is given.
    unverified_claims: Option<u32>,
    /// What may be held against the test; anything but that its crash may be another unless it is given.
    doubts: Option<Vec<String>>,
    /// Whether the test is to be written with Mockito; either way unless it is given.
    needs_mockito: Option<bool>,
    /// The budget of a search that always uses it up, because no test is free of an expected doubt; that of
    /// all others unless it is given.
    evaluations: Option<u64>,
    /// Lines that the test must have.
    #[serde(default)]
    contains: Vec<String>,
    /// What must be relaxed for the traces to agree: the log is of another build of the program, of
    /// a library or of a container.
    #[serde(default)]
    relaxations: Vec<String>,
    /// The package of the library.
    library: Option<String>,
    /// The first release of Java that has the language of the sources; any unless it is given.
    since: Option<u16>,
    /// Published artifacts that the program is written against, in fixed versions.
    #[serde(default)]
    maven: Vec<String>,
    /// Whether a jar with the sources of the program lies on the class path.
    #[serde(default)]
    sources: bool,
    /// Further options of the compiler.
    #[serde(default)]
    javac: Vec<String>,
    /// Further options of the JVM in which the caller runs.
    #[serde(default)]
    java: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outer {
    frame: u32,
    degree: String,
}

fn escapes() -> String {
    "escapes".to_owned()
}

/// One test for all crashes, so that they share compilers and keep all processors busy. All
/// failures are listed, not only the first.
#[test]
fn every_crash_is_reproduced_with_every_seed() {
    let begun = Instant::now();
    let crashes = Crash::all(&chosen());
    let compiled = begun.elapsed();
    let (queue, failures) = (Mutex::new(crashes.iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().expect("no panic").next();
    let work = || {
        while let Some(crash) = next() {
            let failed = crash.failures();
            failures.lock().expect("no panic").extend(failed);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    // Past the harness, which shows nothing that a passing test prints.
    let (all, compiling) = (begun.elapsed().as_secs(), compiled.as_secs());
    let (count, runs) = (crashes.len(), crashes.len() * seeds().len());
    let words = format!("{count} programs, {runs} searches: {all} s, {compiling} s of them to compile");
    drop(writeln!(io::stderr(), "{words}"));
    let mut failures = failures.into_inner().expect("no panic");
    failures.sort();
    assert!(failures.is_empty(), "{} of {runs} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn equal_seeds_give_equal_results_whatever_the_number_of_workers() {
    let names = [("numeric-search", &["2", "1", "2"][..]), ("string-walk", &["2"])];
    let crashes = Crash::all(&names.map(|(name, _)| folder().join(name)));
    for (crash, (name, runs)) in crashes.iter().zip(names) {
        let told = |workers: &str| {
            let mut object = crash.reproduce("7", &["--junit", "5", "--workers", workers, "--force"]);
            let file = fs::read_to_string(object["test_file"].as_str().expect("a file")).expect("a test");
            // Everything but the times and the number of workers itself.
            let fields = object.as_object_mut().expect("an object");
            for changing in ["seconds", "evaluations_per_second", "waiting_share", "timing"] {
                fields.remove(changing).expect("a field");
            }
            for frame in fields["frames"].as_array_mut().expect("frames") {
                frame.as_object_mut().expect("a frame").remove("found_after").expect("a time");
                for point in frame["curve"].as_array_mut().expect("a curve") {
                    point.as_object_mut().expect("a point").remove("seconds").expect("a time");
                }
            }
            fields["settings"].as_object_mut().expect("settings").remove("workers").expect("a number");
            (object, file)
        };
        let first = told("1");
        for workers in runs {
            assert_eq!(told(workers), first, "{name} with {workers} workers");
        }
    }
}

/// A folder of a crash, and its program compiled.
struct Crash {
    folder: PathBuf,
    built: TempDir,
}

impl Crash {
    /// Compiles the programs of some crashes. A program and its caller are compiled together, which
    /// takes half the time, and then set apart.
    fn all(folders: &[PathBuf]) -> Vec<Self> {
        let of = |it: &PathBuf| Self { folder: it.clone(), built: tempfile::tempdir().expect("a folder") };
        let crashes: Vec<Self> = folders.iter().map(of).collect();
        let compilations = crashes.iter().flat_map(|it| {
            let options = it.compiler_options();
            let own = Compilation { sources: it.sources(), options: options.clone(), classes: it.classes() };
            let older = Some(it.folder.join("older")).filter(|it| it.is_dir());
            let older = older.map(|sources| Compilation {
                sources: files_below(&sources),
                options,
                classes: it.older(),
            });
            std::iter::once(own).chain(older)
        });
        compile_many(&compilations.collect::<Vec<_>>());
        crashes.iter().for_each(Self::set_apart);
        let tests = crashes.iter().filter(|it| it.folder.join("tests").is_dir());
        let tests: Vec<Compilation> = tests.map(Self::test_compilation).collect();
        compile_many(&tests);
        crashes
    }

    /// The program's own tests are compiled against it.
    fn test_compilation(&self) -> Compilation {
        let places = self.class_path();
        let places: Vec<&Path> = places.iter().map(PathBuf::as_path).collect();
        let options = vec!["-cp".to_owned(), joined(&places).into_string().expect("plain paths")];
        let sources =
            files_below(&self.folder.join("tests")).into_iter().filter(|it| is_source(it)).collect();
        Compilation { sources, options, classes: self.test_classes() }
    }

    /// The classes and files of its tests.
    fn test_classes(&self) -> PathBuf {
        self.built.path().join("test-classes")
    }

    /// Tests that the search is given.
    fn seed_tests(&self) -> Vec<PathBuf> {
        Some(self.folder.join("seeds")).filter(|it| it.is_dir()).into_iter().collect()
    }

    fn compiler_options(&self) -> Vec<String> {
        let mut options = self.expectation().javac;
        let jars = self.jars();
        if !jars.is_empty() {
            let jars: Vec<&Path> = jars.iter().map(PathBuf::as_path).collect();
            options.extend(["-cp".to_owned(), joined(&jars).into_string().expect("plain paths")]);
        }
        options
    }

    /// The artifacts that the program is written against, with what they need.
    fn jars(&self) -> Vec<PathBuf> {
        let artifacts = self.expectation().maven;
        let artifacts: Vec<Coordinates> =
            artifacts.iter().map(|it| it.parse().expect("coordinates")).collect();
        let cache = CacheSettings::new(cache_folder());
        fetch(&artifacts, &maven::Settings::default(), Some(&cache)).expect("artifacts")
    }

    fn sources(&self) -> Vec<PathBuf> {
        let folders = ["src", "caller", "library"].map(|name| self.folder.join(name));
        folders.iter().filter(|it| it.is_dir()).flat_map(|it| files_below(it)).collect()
    }

    fn set_apart(&self) {
        let (package, caller) = self.caller();
        let classes = self.classes();
        copy_files(&self.folder.join("resources"), &classes);
        copy_files(&self.folder.join("tests"), &self.test_classes());
        if self.expectation().sources {
            jar(&self.sources_jar(), &self.folder.join("src"), ".");
        }
        if let Some(library) = self.expectation().library {
            for (classes, to) in [(&classes, self.library()), (&self.older(), self.older_library())] {
                if classes.is_dir() {
                    jar(&to, classes, &library);
                }
            }
            fs::remove_dir_all(classes.join(library)).expect("a folder");
        }
        let package = package.replace('.', "/");
        let to = self.built.path().join("caller").join(&package);
        fs::create_dir_all(&to).expect("a folder");
        for class in files_below(&classes.join(package)) {
            let name = class.file_name().expect("a name");
            let rest = name.to_str().and_then(|it| it.strip_prefix(&caller));
            if rest.is_some_and(|it| it.starts_with(['.', '$'])) {
                fs::rename(&class, to.join(name)).expect("a class");
            }
        }
    }

    fn sources_jar(&self) -> PathBuf {
        self.built.path().join("program-sources.jar")
    }

    fn classes(&self) -> PathBuf {
        self.built.path().join("classes")
    }

    fn library(&self) -> PathBuf {
        self.built.path().join("library.jar")
    }

    /// The classes of another release of the library.
    fn older(&self) -> PathBuf {
        self.built.path().join("older")
    }

    fn older_library(&self) -> PathBuf {
        self.built.path().join("older.jar")
    }

    fn class_path(&self) -> Vec<PathBuf> {
        let places = [self.classes(), self.older_library(), self.library(), self.sources_jar()];
        places.into_iter().filter(|it| it.exists()).chain(self.jars()).collect()
    }

    /// Package and name of the only class that calls the program.
    fn caller(&self) -> (String, String) {
        let source = files_below(&self.folder.join("caller")).into_iter().next().expect("a caller");
        let text = fs::read_to_string(&source).expect("a source");
        let mut lines = text.lines();
        let package = lines.find_map(|it| it.strip_prefix("package ")?.strip_suffix(';'));
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        (package.expect("a package").to_owned(), name)
    }

    fn name(&self) -> String {
        self.folder.file_name().expect("a name").to_string_lossy().into_owned()
    }

    fn expectation(&self) -> Expectation {
        expectation(&self.folder)
    }

    /// What is wrong with the log, or with the result for any of the seeds.
    fn failures(&self) -> Vec<String> {
        let logged = fs::read_to_string(self.folder.join("crash.log")).expect("a log");
        let printed = self.print();
        let is_of_this_build = self.expectation().relaxations.is_empty();
        if is_of_this_build && written_frames(&printed) != written_frames(&logged) {
            return vec![format!(
                "{}: the program prints another trace than the log's:\n{printed}",
                self.name()
            )];
        }
        // Another compiler gives other names to what it adds itself: then the log is one of its program.
        let is_of_this_compiler = own_frames(&printed) == own_frames(&logged);
        let log = if is_of_this_build && !is_of_this_compiler { printed } else { logged };
        let failed = |error: &dyn Display| vec![format!("{}: {error}", self.name())];
        self.search(log.as_bytes()).unwrap_or_else(|error| failed(&error))
    }

    /// Searches with every seed in this process, on a class path that is read once.
    fn search(&self, log: &[u8]) -> Result<Vec<String>, crashback::Error> {
        let jdk = jdk::at(&java_home()).expect("a JDK");
        let cache = Some(CacheSettings::new(cache_folder()));
        let request = ProgramRequest { cache, ..ProgramRequest::new(jdk, self.class_path()) };
        let test_class_path = Some(self.test_classes()).filter(|it| it.is_dir()).into_iter().collect();
        let session = Session { test_class_path, ..session() };
        let crashes = Crashes::read(log, "crash.log", None)?;
        let program = Program::load_for(&request, &crashes, &session.interruption)?;
        let classes = program.classes();
        let mut target = Target::choose(&program, &classes, &crashes, None)?;
        target.read_log(log, &[]);
        let mut failures = Vec::new();
        for seed in seeds() {
            let expected = self.expectation();
            let evaluations = expected.evaluations.or(Some(EVALUATIONS));
            let time = Duration::from_secs(3600);
            let fitness = expected.fitness.map(|it| it.parse().expect("a fitness function"));
            let seed_tests = self.seed_tests();
            let settings = Settings { seed, evaluations, time, fitness, seed_tests, ..Settings::default() };
            let task = Task { target: &target, settings: &settings, begun: Instant::now() };
            let reproduction = session.search(&task, &mut |_| {})?;
            let problem = self.problem(&target.audit.exception, &reproduction);
            failures.extend(problem.map(|it| format!("{} with seed {seed}: {it}", self.name())));
        }
        Ok(failures)
    }

    /// How a result differs from the expected one.
    fn problem(&self, exception: &str, reproduction: &Reproduction) -> Option<String> {
        let expected = self.expectation();
        let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        let object = serde_json::to_value(reproduction).expect("an object");
        let found = (exception.to_owned(), word(&object["outcome"]), word(&object["degree"]));
        let obstacle = reproduction.obstacle.as_deref().unwrap_or_default();
        if found != (expected.exception, expected.outcome, expected.degree) {
            return Some(format!("{found:?} after {} tests: {obstacle}", reproduction.evaluations));
        }
        if !reproduction.verified || reproduction.test.is_none() {
            return Some("there is no verified test".to_owned());
        }
        if !reproduction.satisfactory && expected.doubts.is_none() {
            return Some(format!("doubtful: {:?}", reproduction.doubts));
        }
        let doubts: Vec<String> = serde_json::from_value(object["doubts"].clone()).expect("texts");
        if expected.doubts.is_some_and(|it| it != doubts) {
            return Some(format!("doubts: {doubts:?}"));
        }
        let source = reproduction.test.as_ref().map_or("", |it| &it.source);
        if expected.needs_mockito.is_some_and(|it| it != source.contains("org.mockito")) {
            return Some(format!("with or without Mockito: {source}"));
        }
        if let Some(missing) = expected.contains.iter().find(|it| !source.contains(*it)) {
            return Some(format!("{missing:?} is missing: {source}"));
        }
        let relaxations: Vec<String> =
            object["relaxations"].as_array().expect("a list").iter().map(word).collect();
        if relaxations != expected.relaxations {
            return Some(format!("relaxed: {relaxations:?}"));
        }
        let (claims, most) = (reproduction.unverified_claims, expected.unverified_claims);
        if most.is_some_and(|most| claims > most) {
            return Some(format!("plain JVMs denied {claims} claims"));
        }
        let outer = &object["outer"];
        let is_other = |it: Outer| {
            (outer["frame"].as_u64(), word(&outer["degree"])) != (Some(it.frame.into()), it.degree)
        };
        if expected.outer.is_some_and(is_other) {
            return Some(format!("further up: {outer}"));
        }
        let frame = reproduction.frame.unwrap_or_default();
        let too_low = || format!("frame {frame} instead of {}: {obstacle}", expected.frame);
        (frame < expected.frame).then(too_low)
    }

    /// The result of a search by the command, which must succeed.
    fn reproduce(&self, seed: &str, flags: &[&str]) -> Value {
        let mut reproduce = command();
        reproduce.arg("reproduce").arg(self.folder.join("crash.log"));
        reproduce.arg("--classpath").arg(self.classes());
        reproduce.args(["--evaluations", &EVALUATIONS.to_string(), "--seed", seed, "--json"]);
        reproduce.arg("--out").arg(self.built.path().join("tests"));
        let run = run(reproduce.args(flags), b"");
        assert_eq!(run.code, 0, "{}: {}{}", self.name(), run.stdout, run.stderr);
        run.json()
    }

    /// What the program prints when its caller runs.
    fn print(&self) -> String {
        let caller = self.built.path().join("caller");
        let mut java = tool("java");
        let (package, name) = self.caller();
        java.args(self.expectation().java);
        let places = [self.classes(), caller, self.library()];
        let places: Vec<PathBuf> = places.into_iter().chain(self.jars()).collect();
        let places: Vec<&Path> = places.iter().map(PathBuf::as_path).collect();
        java.arg("-cp").arg(joined(&places));
        java.arg(format!("{package}.{name}"));
        let output = java.output().expect("java runs");
        // Some loggers write to the one, some to the other.
        String::from_utf8([output.stdout, output.stderr].concat()).expect("plain text")
    }
}

/// One worker, since all processors are busy anyway, and one run of JUnit 4, which starts in a third
/// of the time that JUnit 5 takes. Other tests verify with JUnit 5 and twice.
fn session() -> Session {
    let command = SelfCommand::new(env!("CARGO_BIN_EXE_crashback"));
    let limits = Limits { verification_runs: 1, spare_workers: 1, ..Limits::default() };
    Session { junit: Some(Generation::Four), limits, ..Session::new(command, std::env::temp_dir()) }
}

/// Makes a jar of a folder, or of a part of it.
fn jar(to: &Path, folder: &Path, part: &str) {
    let mut jar = tool("jar");
    jar.arg("cf").arg(to).arg("-C").arg(folder).arg(part);
    assert!(jar.status().expect("jar runs").success(), "{}", folder.display());
}

fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "java")
}

/// Copies the files of a folder, if there is one, but for sources.
fn copy_files(from: &Path, to: &Path) {
    let files = from.is_dir().then(|| files_below(from)).into_iter().flatten();
    for file in files.filter(|it| !is_source(it)) {
        let to = to.join(file.strip_prefix(from).expect("a file below"));
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(&file, to).expect("a copy");
    }
}

/// The folder of all crashes: beside the crates, because several of them use it.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crashes")
}

/// The folders of all crashes, by name.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("crashes");
    let mut folders: Vec<PathBuf> = entries.map(|it| it.expect("a crash").path()).collect();
    folders.sort();
    assert!(folders.len() > 1);
    folders
}

/// The crashes to try: all that the JDK can compile, or those of them that the environment names.
fn chosen() -> Vec<PathBuf> {
    let wanted = std::env::var("CRASHBACK_CRASHES").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|it| !it.is_empty()).collect();
    let name = |it: &PathBuf| it.file_name().expect("a name").to_string_lossy().into_owned();
    let is_wanted = |it: &PathBuf| wanted.is_empty() || wanted.contains(&name(it).as_str());
    let feature = jdk::at(&java_home()).expect("a JDK").feature;
    let is_too_new = |it: &PathBuf| expectation(it).since.is_some_and(|since| since > feature);
    let (skipped, chosen): (Vec<PathBuf>, Vec<PathBuf>) =
        folders().into_iter().filter(is_wanted).partition(is_too_new);
    if !skipped.is_empty() {
        let names: Vec<String> = skipped.iter().map(name).collect();
        let names = names.join(", ");
        drop(writeln!(io::stderr(), "skipped, because they need a newer Java than {feature}: {names}"));
    }
    chosen
}

fn seeds() -> Vec<u64> {
    let chosen = std::env::var("CRASHBACK_SEEDS").unwrap_or_else(|_| SEEDS.to_owned());
    chosen.split(',').map(|it| it.parse().expect("a seed")).collect()
}

fn expectation(folder: &Path) -> Expectation {
    let text = fs::read(folder.join("expect.json")).expect("an expectation");
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// The frames of a trace that do not depend on the version of Java, without the jars that some
/// loggers print behind them.
fn own_frames(trace: &str) -> Vec<&str> {
    let frames = trace.lines().filter_map(|it| it.strip_prefix("\tat "));
    let frames =
        frames.map(|it| it.split(" ~[").next().unwrap_or(it)).map(|it| it.split(" [").next().unwrap_or(it));
    frames.filter(|it| !it.starts_with("java.") && !it.starts_with("sun.")).collect()
}

/// Those of methods that the sources have, without the numbers of lambdas. Compilers before 11 add methods for
/// access to private members of nested classes, and they number lambdas in different orders.
fn written_frames(trace: &str) -> Vec<String> {
    let frames = own_frames(trace).into_iter().filter(|it| !it.contains(".access$"));
    let without_number = |frame: &str| match frame.split_once("(") {
        Some((method, place)) if method.contains("lambda$") => {
            format!("{}({place}", method.trim_end_matches(|it: char| it.is_ascii_digit()))
        }
        _ => frame.to_owned(),
    };
    frames.map(without_number).collect()
}
