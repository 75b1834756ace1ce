//! Logs of another release of an artifact than the one on the class path.
//!
//! The artifact is invented. Its releases lie in a local repository of Maven, which is made for the
//! test and has links to the user's for the plugins that Maven itself needs.
#![expect(clippy::disallowed_methods, reason = "the tests look for Maven")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::support::{Run, command, compile, path_with_maven, run, tool};

/// The method that crashes, as the releases have it.
const WEIGH: &str = "    public int weigh(String text) {
        return text.trim().length() / (text.length() - 3);
    }
";

/// The releases. The oldest lacks the method, and in the newest it stands lower.
fn releases() -> [(&'static str, String); 3] {
    let older = WEIGH.replace("weigh", "weighed");
    let newer = format!("    public int calls() {{\n        return 0;\n    }}\n\n{WEIGH}");
    [("1.1", older), ("1.2", WEIGH.to_owned()), ("2.0", newer)]
}

/// A local repository with the releases of an artifact, and the log of the release 1.2.
struct Repository {
    folder: tempfile::TempDir,
    artifact: &'static str,
}

impl Repository {
    fn new(artifact: &'static str) -> Self {
        let repository = Self { folder: tempfile::tempdir().expect("a folder"), artifact };
        repository.link_plugins();
        for (version, methods) in releases() {
            repository.install(version, &methods);
        }
        let versions: String = releases().iter().map(|(it, _)| format!("<version>{it}</version>")).collect();
        let list = format!(
            "<metadata><groupId>invented.scales</groupId><artifactId>{artifact}</artifactId><versioning>\
             <release>2.0</release><versions>{versions}</versions></versioning></metadata>"
        );
        fs::write(repository.artifact_folder().join("maven-metadata-local.xml"), list).expect("a list");
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn artifact_folder(&self) -> PathBuf {
        self.path("local/invented/scales").join(self.artifact)
    }

    fn jar(&self, version: &str) -> PathBuf {
        self.artifact_folder().join(version).join(format!("{}-{version}.jar", self.artifact))
    }

    /// Maven finds its plugins where the user's have been fetched to, if they were.
    fn link_plugins(&self) {
        let local = self.path("local");
        fs::create_dir_all(&local).expect("a folder");
        let Some(home) = std::env::home_dir() else { return };
        for entry in fs::read_dir(home.join(".m2/repository")).into_iter().flatten().flatten() {
            symlink(entry.path(), local.join(entry.file_name())).expect("a link");
        }
    }

    fn install(&self, version: &str, methods: &str) {
        let artifact = self.artifact;
        let folder = |name: &str| self.path(&format!("{name}-{version}"));
        let (sources, classes) = (folder("src"), folder("classes"));
        fs::create_dir_all(sources.join("scales")).expect("a folder");
        let source = format!("package scales;\n\npublic class Scale {{\n{methods}}}\n");
        fs::write(sources.join("scales/Scale.java"), source).expect("a source");
        compile(&sources, &[], &classes);
        let coordinates = classes.join("META-INF/maven/invented.scales").join(artifact);
        fs::create_dir_all(&coordinates).expect("a folder");
        let properties = format!("groupId=invented.scales\nartifactId={artifact}\nversion={version}\n");
        fs::write(coordinates.join("pom.properties"), properties).expect("properties");
        let jar = self.jar(version);
        fs::create_dir_all(jar.parent().expect("a folder")).expect("a folder");
        let made = tool("jar").arg("cf").arg(&jar).arg("-C").arg(&classes).arg(".").output();
        assert!(made.expect("jar runs").status.success());
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>invented.scales</groupId>\
             <artifactId>{artifact}</artifactId><version>{version}</version></project>"
        );
        fs::write(jar.with_extension("pom"), pom).expect("a pom");
    }

    /// The log of the crash of release 1.2; `jar` stands behind each frame.
    fn log(&self, jar: &str) -> PathBuf {
        let log = self.path("crash.log");
        let frame = format!("\tat scales.Scale.weigh(Scale.java:5){jar}\n");
        fs::write(&log, format!("java.lang.ArithmeticException: / by zero\n{frame}")).expect("a log");
        log
    }

    /// A search path with a Maven that uses the repository, in a folder of that name. Another script
    /// comes before it.
    fn maven(&self, folder: &str, before: &str) -> OsString {
        let path = std::env::var_os("PATH").expect("a PATH");
        let maven = std::env::split_paths(&path).map(|it| it.join("mvn")).find(|it| it.is_file());
        let maven = maven.expect("Maven").display().to_string();
        let local = self.path("local").display().to_string();
        let script = format!("{before}\nexec {maven} -Dmaven.repo.local={local} \"$@\"");
        path_with_maven(&self.path(folder), &script)
    }

    fn run(&self, job: &str, log: &Path, program: &[&str], maven: &OsString) -> Run {
        let mut command = command();
        command.env("PATH", maven).arg(job).arg(log).args(program);
        // Paths of this repository must not get into the cache of other tests.
        if !program.contains(&"--no-cache") {
            command.arg("--cache-dir").arg(self.path("cache"));
        }
        if job == "reproduce" {
            command.args(["--evaluations", "20000", "--seed", "1", "--workers", "1"]);
            command.arg("--out").arg(self.path("tests"));
        }
        run(&mut command, b"")
    }
}

#[test]
fn a_better_release_of_a_coordinate_is_named_and_used_if_that_is_wanted() {
    let repository = Repository::new("named");
    let (log, maven) = (repository.log(""), repository.maven("bin", ""));
    let given = ["--maven", "invented.scales:named:2.0", "--json"];
    let explained = repository.run("explain", &log, &given, &maven).json();
    let better = &explained["better_release"];
    assert_eq!(better["coordinates"], "invented.scales:named:jar:1.2", "{explained}");
    assert_eq!(better["instead_of"], "invented.scales:named:jar:2.0");
    assert_eq!((&better["frames"], &better["fitting"]), (&1.into(), &1.into()));
    assert_eq!((&better["fitting_given"], &better["used"]), (&0.into(), &false.into()));
    let relaxations = explained["crashes"][0]["relaxations"].to_string();
    assert!(!relaxations.contains("other-release"), "{relaxations}");
    let text = repository.run("explain", &log, &given[..2], &maven);
    assert!(text.stdout.contains("named:jar:1.2 fits the log better"), "{}{}", text.stdout, text.stderr);

    let used = repository.run("reproduce", &log, &[&given[..], &["--any-release"]].concat(), &maven);
    let object = used.json();
    assert_eq!(used.code, 0, "{}{}", used.stdout, used.stderr);
    assert_eq!(object["better_release"]["used"], true, "{object}");
    assert_eq!(object["relaxations"], serde_json::json!(["other-release"]), "{object}");
}

#[test]
fn a_jar_that_tells_its_coordinates_is_left_alone_unless_another_release_is_wanted() {
    let repository = Repository::new("told");
    let jar = repository.jar("2.0").display().to_string();
    // The log names the release, so that the others are not even looked for.
    let log = repository.log(" ~[told-1.2.jar:1.2]");
    let asked = repository.path("asked");
    let maven = repository.maven("bin", &format!("echo >> {}", asked.display()));
    let explained = repository.run("explain", &log, &["--classpath", &jar, "--json"], &maven).json();
    assert_eq!(explained["better_release"], serde_json::Value::Null, "{explained}");
    assert!(!asked.exists(), "Maven was run unasked");
    let program = ["--classpath", jar.as_str(), "--any-release", "--json"];
    let explained = repository.run("explain", &log, &program, &maven).json();
    assert_eq!(explained["better_release"]["coordinates"], "invented.scales:told:jar:1.2", "{explained}");
    assert_eq!(explained["better_release"]["used"], true, "{explained}");
    let relaxations = &explained["crashes"][0]["relaxations"];
    assert_eq!(*relaxations, serde_json::json!(["other-release"]), "{explained}");
    assert_eq!(fs::read_to_string(&asked).expect("a file").lines().count(), 1, "one release was fetched");
}

#[test]
fn a_trace_that_no_release_fits_is_still_refused_and_a_failing_maven_is_a_note() {
    let repository = Repository::new("refused");
    let log = repository.log("");
    let text = "java.lang.ArithmeticException: / by zero\n\tat scales.Scale.tare(Scale.java:5)\n";
    fs::write(&log, text).expect("a log");
    let given = ["--maven", "invented.scales:refused:2.0", "--any-release", "--json"];
    let refused = repository.run("reproduce", &log, &given, &repository.maven("bin", ""));
    assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
    let said = refused.json()["error"]["message"].to_string();
    assert!(said.contains("no other release of invented.scales:refused:jar:2.0 fits"), "{said}");

    let jar = repository.jar("2.0").display().to_string();
    let broken = path_with_maven(&repository.path("broken"), "exit 1");
    let program = ["--classpath", jar.as_str(), "--any-release", "--json", "--no-cache"];
    let explained = repository.run("explain", &repository.log(""), &program, &broken).json();
    let note = explained["release_note"].to_string();
    assert!(note.contains("could not be looked at: Maven failed"), "{explained}");
    assert_eq!(explained["error"], serde_json::Value::Null, "moved lines do: {explained}");
}

#[test]
fn jars_are_fetched_outside_of_the_time() {
    let repository = Repository::new("slow");
    let maven = repository.maven("bin", "sleep 4");
    let program = ["--maven", "invented.scales:slow:1.2", "--json"];
    let begun = Instant::now();
    let found = repository.run("reproduce", &repository.log(""), &program, &maven);
    assert_eq!(found.code, 0, "{}{}", found.stdout, found.stderr);
    let seconds = found.json()["seconds"].as_f64().expect("a number");
    // Once for the program, once for JUnit.
    assert!(seconds + 8.0 <= begun.elapsed().as_secs_f64(), "{seconds}");
}
