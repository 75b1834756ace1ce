//! What the tests share: a JDK, a compiler, a zip writer, and a class view as text.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crashback_classpath::{ClassPath, Jdk, JdkClasses, Problem, ProblemKind, Request, jdk};
use crashback_program::{ClassSource, ClassView, MemberView};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use tempfile::TempDir;

/// The JDK of this machine.
#[expect(clippy::disallowed_methods, reason = "tests use the JDK of the machine")]
pub(crate) fn real_jdk() -> &'static Jdk {
    static JDK: OnceLock<Jdk> = OnceLock::new();
    JDK.get_or_init(|| {
        let (java_home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
        let lookup = jdk::Lookup { explicit: None, java_home: java_home.as_deref(), path: path.as_deref() };
        jdk::find(lookup).expect("the tests need a JDK")
    })
}

/// A JDK of a certain release without classes of its own.
pub(crate) fn bare_jdk(feature: u16) -> Jdk {
    let classes = JdkClasses::Jars(Vec::new());
    Jdk { home: PathBuf::new(), version: feature.to_string(), feature, classes, has_javac: false }
}

/// Runs a program of the JDK and returns what it prints.
#[expect(clippy::disallowed_methods, reason = "tests compile and run Java")]
pub(crate) fn run_tool(tool: &str, arguments: &[&str]) -> String {
    let program = real_jdk().home.join("bin").join(tool);
    let output = Command::new(program).args(arguments).output().expect("the JDK's tools start");
    assert!(output.status.success(), "{tool} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles sources, given as file name and text, into a new folder.
pub(crate) fn compile(sources: &[(&str, &str)]) -> TempDir {
    compile_with(sources, &[])
}

pub(crate) fn compile_with(sources: &[(&str, &str)], options: &[&str]) -> TempDir {
    let (input, output) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut arguments = vec!["-g".to_owned(), "-d".to_owned(), text(output.path())];
    arguments.extend(options.iter().map(|option| (*option).to_owned()));
    for (name, content) in sources {
        let file = input.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        arguments.push(text(&file));
    }
    run_tool("javac", &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    output
}

/// Compiles one source text that declares one class file and returns its bytes.
pub(crate) fn compile_one(class: &str, source: &str) -> Vec<u8> {
    let output = compile(&[(&format!("{class}.java"), source)]);
    fs::read(output.path().join(format!("{class}.class"))).unwrap()
}

pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// All files below a folder, with their relative paths, in order.
pub(crate) fn files_below(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((text(path.strip_prefix(root).unwrap()), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// A zip file of the given entries, deflated.
pub(crate) fn zip<B: AsRef<[u8]>>(entries: &[(&str, B)]) -> Vec<u8> {
    zip_with(entries, rawzip::CompressionMethod::DEFLATE)
}

pub(crate) fn zip_with<B: AsRef<[u8]>>(entries: &[(&str, B)], method: rawzip::CompressionMethod) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (path, content) in entries {
        let (mut entry, config) = archive.new_file(*path).compression_method(method).start().unwrap();
        if method == rawzip::CompressionMethod::STORE {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content.as_ref()).unwrap();
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            writer.write_all(content.as_ref()).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    archive.finish().unwrap();
    bytes
}

/// A folder in which jars are made.
pub(crate) struct Jars(TempDir);

impl Jars {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn jar<B: AsRef<[u8]>>(&self, name: &str, entries: &[(&str, B)]) -> PathBuf {
        self.write(name, &zip(entries))
    }
}

/// A class path of the given entries, without JDK and cache.
pub(crate) fn load(entries: &[&Path]) -> ClassPath {
    load_request(entries, None)
}

pub(crate) fn load_request(entries: &[&Path], jdk: Option<Jdk>) -> ClassPath {
    let entries = entries.iter().map(|entry| (*entry).to_owned()).collect();
    ClassPath::load(&Request { entries, jdk, ..Request::default() }).unwrap()
}

pub(crate) fn kinds(class_path: &ClassPath) -> Vec<ProblemKind> {
    class_path.problems().iter().map(|problem| problem.kind).collect()
}

/// The short names of the entries that hold a class, in order.
pub(crate) fn holders(class_path: &ClassPath, class: &str) -> Vec<String> {
    let display = |place| class_path.entry(place).unwrap().display.clone();
    class_path.index().places(class).map(display).collect()
}

/// Everything the index says of all copies of all classes, the entries and the problems.
pub(crate) fn dump(class_path: &ClassPath) -> String {
    let mut out = String::new();
    for class in class_path.index().all() {
        writeln!(out, "{:?} in {}", class.reference(), class_path.entry(class.reference()).unwrap().path)
            .unwrap();
        dump_class(class, &mut out);
    }
    for entry in class_path.entries() {
        writeln!(out, "{entry:?}").unwrap();
    }
    let is_shown = |problem: &&Problem| problem.kind != ProblemKind::Cache;
    for problem in class_path.problems().iter().filter(is_shown) {
        writeln!(out, "{problem:?}").unwrap();
    }
    out
}

pub(crate) fn dump_class(class: ClassView<'_>, out: &mut String) {
    let list = |texts: &mut dyn Iterator<Item = &str>| texts.collect::<Vec<_>>().join(" ");
    writeln!(out, "{} {:?} {:?} {:?}", class.name(), class.access(), class.kind(), class.version()).unwrap();
    writeln!(out, " extends {:?} implements {}", class.super_name(), list(&mut class.interfaces())).unwrap();
    writeln!(out, " {:?} {:?} {:?}", class.nesting(), class.declared_access(), class.enclosing()).unwrap();
    writeln!(out, " {:?} {:?} {:?}", class.nest_host(), class.signature(), class.source_file()).unwrap();
    writeln!(out, " permits {}", list(&mut class.permitted_subclasses())).unwrap();
    writeln!(out, " location {}", class.location()).unwrap();
    dump_annotations(class.annotations(), out);
    class.fields().chain(class.methods()).for_each(|member| dump_member(member, out));
}

fn dump_member(member: MemberView<'_>, out: &mut String) {
    let exceptions = member.exceptions().collect::<Vec<_>>();
    writeln!(
        out,
        "  {}. {} {} {:?} {:?} {:?} throws {exceptions:?} code {} lines {}",
        member.number(),
        member.name(),
        member.descriptor(),
        member.access(),
        member.signature(),
        member.constant(),
        member.has_code(),
        member.has_lines(),
    )
    .unwrap();
    dump_annotations(member.annotations(), out);
}

fn dump_annotations(annotations: crashback_program::index::Annotations<'_>, out: &mut String) {
    for annotation in annotations {
        let elements = annotation.elements().collect::<Vec<_>>();
        writeln!(out, "  @{} {} {elements:?}", annotation.descriptor(), annotation.is_visible()).unwrap();
    }
}
