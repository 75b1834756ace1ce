//! JVMs that run the driver.

#![expect(clippy::disallowed_methods, reason = "tests look for JDKs themselves and start them")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crashback_protocol::{Facts, Outcome, Position, decode_observations};

use crate::jdks::jdk_homes;

/// The runtime classes as the worker gets them.
pub(crate) const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runtime_classes.rs"));

/// Codes of jumps, as the probe table has them.
pub(crate) mod code {
    pub(crate) const IFEQ: u8 = 0x99;
    pub(crate) const IFNE: u8 = 0x9a;
    pub(crate) const IFLT: u8 = 0x9b;
    pub(crate) const IF_ICMPEQ: u8 = 0x9f;
    pub(crate) const IF_ICMPGT: u8 = 0xa3;
    pub(crate) const IF_ACMPEQ: u8 = 0xa5;
    pub(crate) const IFNULL: u8 = 0xc6;
    pub(crate) const IFNONNULL: u8 = 0xc7;
    pub(crate) const NAN_IS_GREATER: u8 = 0x40;
}

/// What the driver is told to do.
#[derive(Default)]
pub(crate) struct Script(String);

impl Script {
    /// A script whose probes have these jump codes and this call chain.
    pub(crate) fn new(codes: &[u8], chain: &[i32]) -> Self {
        Self::with(codes, chain, 1000, false)
    }

    pub(crate) fn with(codes: &[u8], chain: &[i32], budget: i32, operands: bool) -> Self {
        let codes: String = codes.iter().map(|code| format!("{code:02x}")).collect();
        let chain: String = chain.iter().map(|frame| format!(",{frame}")).collect();
        let mut script = Self::default();
        let stub = text("Subjects$Stub");
        let arguments = format!(":{codes} :{chain} {budget} {operands} {stub}");
        script.line(&format!("configure ([B[IIZLjava/lang/String;)V {arguments}"));
        script.line("newBatch ()V");
        script
    }

    pub(crate) fn line(&mut self, line: &str) -> &mut Self {
        self.0.push_str(line);
        self.0.push('\n');
        self
    }

    /// One test: calls of probes, and what leaves it.
    pub(crate) fn test(&mut self, probes: &[String], thrown: &str) -> &mut Self {
        self.line("begin ()V");
        for probe in probes {
            self.line(probe);
        }
        self.line(format!("end {thrown}").trim())
    }

    /// What the driver prints, line by line, with the home of each JDK at hand.
    pub(crate) fn run(&self) -> Vec<(PathBuf, Vec<String>)> {
        jdk_homes().into_iter().map(|home| (home.clone(), drive(&home, &self.0))).collect()
    }

    /// What the tests of the script observed, equal on all JDKs.
    pub(crate) fn observe(&self) -> Vec<Ended> {
        let mut runs = self.run().into_iter().map(|(_, lines)| ended(&lines));
        let first = runs.next().unwrap();
        for other in runs {
            assert_eq!(first, other);
        }
        first
    }
}

/// What came of one test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) over: u32,
    pub(crate) outcome: Outcome,
    pub(crate) facts: Facts,
}

/// The tests among lines of the driver.
pub(crate) fn ended(lines: &[String]) -> Vec<Ended> {
    let ends: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("end ")).map(parse_end).collect();
    let batches = ends.chunk_by(|one, other| one.0 == other.0);
    batches
        .flat_map(|batch| observed(batch).zip(batch).map(|(it, (_, over, _))| Ended { over: *over, ..it }))
        .collect()
}

/// Observations of one batch.
fn observed(ends: &[(u32, u32, Vec<u8>)]) -> impl Iterator<Item = Ended> {
    let bytes: Vec<u8> = ends.iter().flat_map(|(.., bytes)| bytes).copied().collect();
    let observations = decode_observations(&bytes, ends.len()).unwrap();
    observations.into_iter().map(|it| Ended { over: 0, outcome: it.outcome, facts: it.facts })
}

/// Batch, what the probes say of the end, and the encoded observation.
fn parse_end(line: &str) -> (u32, u32, Vec<u8>) {
    let [batch, over, hex] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (batch.parse().unwrap(), over.parse().unwrap(), (0..hex.len()).step_by(2).map(byte).collect())
}

/// The position from one place of the chain to another.
pub(crate) fn position(first: u16, last: u16) -> Position {
    Position::new(first, last).unwrap()
}

/// A text as an argument of the driver.
pub(crate) fn text(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("{unit:04x}")).collect();
    format!("s:{units}")
}

fn drive(home: &Path, script: &str) -> Vec<String> {
    let (runtime, driver) = (classes().join("runtime"), classes().join("driver"));
    let boot = format!("-Xbootclasspath/a:{}", runtime.display());
    let mut java = Command::new(home.join("bin/java"))
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss512k", &boot, "-cp"])
        .arg(driver)
        .arg("Driver")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = java.stdin.take().unwrap();
    let script = script.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let output = java.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", home.display());
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The folder of the runtime classes and the driver, which is compiled once for all JDKs.
fn classes() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime-driver");
        let (runtime, driver) = (folder.join("runtime"), folder.join("driver"));
        for (name, bytes) in CLASSES {
            let file = runtime.join(format!("{name}.class"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        fs::create_dir_all(&driver).unwrap();
        compile(&runtime, &driver);
        folder
    })
}

fn compile(runtime: &Path, to: &Path) {
    let homes = jdk_homes();
    let old = homes.iter().find(|home| home.join("jre/lib/rt.jar").exists());
    let home = old.unwrap_or(&homes[0]);
    let release: &[&str] = if old.is_some() { &[] } else { &["--release", "8", "-Xlint:-options"] };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime/java");
    let output = Command::new(home.join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
        .args(release)
        .args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-cp"])
        .arg(runtime)
        .arg("-d")
        .arg(to)
        .args(["Driver.java", "Subjects.java", "IndexBounds.java"].map(|it| sources.join(it)))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
