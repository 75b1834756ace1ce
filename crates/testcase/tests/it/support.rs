//! The JDK at hand, and the classes that most tests are about.

#![expect(
    clippy::disallowed_methods,
    reason = "tests look for the JDK where the user has it and start its compiler"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crashback_classpath::jdk::{self, Jdk, Lookup};
use crashback_classpath::{CacheSettings, ClassPath, Request};
use crashback_program::classes::Classes;
use crashback_program::origins::{Origins, Scope};
use crashback_program::{ClassIndex, ClassSource};
use crashback_testcase::{
    Arguments, Context, Invalid, Literal, Statement, TestCase, TypeId, Var, Vocabulary, check,
};

/// The classes of `the folder `java`` and those of the JDK.
pub(crate) struct World {
    folder: tempfile::TempDir,
    class_path: ClassPath,
}

pub(crate) static WORLD: LazyLock<World> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    find_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/java"), &mut files);
    let classes = folder.path().join("classes");
    assert_eq!(javac(&files, &classes, &[]), "");
    std::fs::remove_file(classes.join("away/Missing.class")).unwrap();
    let cache = Some(CacheSettings::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")));
    let request = Request { entries: vec![classes], jdk: Some(java_home()), cache, ..Request::default() };
    World { folder, class_path: ClassPath::load(&request).unwrap() }
});

impl World {
    pub(crate) fn index(&self) -> &ClassIndex {
        self.class_path.index()
    }

    /// Whose its classes are: the sources are the project, the rest is the JDK.
    pub(crate) fn origins(&'static self) -> &'static Origins<'static> {
        static ORIGINS: LazyLock<Origins<'static>> =
            LazyLock::new(|| Origins::new(&Classes::new(&WORLD.class_path), &Scope::Directories));
        &ORIGINS
    }

    pub(crate) fn context(&self) -> Context<'_> {
        Context::new(self.index(), "home")
    }

    /// Compiles further sources against the classes and gives what the compiler says.
    pub(crate) fn compile(&self, sources: &[(String, String)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<PathBuf> =
            sources.iter().map(|(name, text)| write(folder.path(), name, text)).collect();
        let classes = self.folder.path().join("classes");
        javac(&files, &folder.path().join("out"), &["-cp", classes.to_str().unwrap()])
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let file = folder.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

fn find_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { find_sources(&path, files) } else { files.push(path) }
    }
}

fn javac(files: &[PathBuf], classes: &Path, options: &[&str]) -> String {
    let output = Command::new(java_home().home.join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
        .args(["-proc:none", "-nowarn", "-Xlint:none", "-XDrawDiagnostics", "-Xmaxerrs", "100000"])
        .args(["-encoding", "UTF-8", "-d"])
        .arg(classes)
        .args(options)
        .args(files)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // A compiler that gives up says something else than errors.
    assert_eq!(output.status.success(), !said.contains("compiler.err"), "{said}");
    // Notes about raw types remain.
    said.lines().filter(|line| !line.starts_with("- compiler.note")).map(|line| format!("{line}\n")).collect()
}

fn java_home() -> Jdk {
    let (java_home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
    jdk::find(Lookup { explicit: None, java_home: java_home.as_deref(), path: path.as_deref() }).unwrap()
}

/// Writes test cases down by the names of members.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) statements: Vec<Statement>,
}

impl Draft {
    pub(crate) fn push(&mut self, statement: Statement) -> Var {
        self.statements.push(statement);
        Var(u16::try_from(self.statements.len() - 1).unwrap())
    }

    pub(crate) fn of(&mut self, descriptor: &str) -> TypeId {
        self.vocabulary.add_type(crashback_testcase::Type(descriptor.into()))
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> Var {
        self.push(Statement::Literal(literal))
    }

    pub(crate) fn null(&mut self, descriptor: &str) -> Var {
        let of = self.of(descriptor);
        self.literal(Literal::Null(of))
    }

    /// A value of a type of which nothing else is known: an `Object` from elsewhere, cast, or 0.
    pub(crate) fn any(&mut self, descriptor: &str) -> Var {
        match descriptor {
            "Z" => self.literal(Literal::Boolean(false)),
            "B" => self.literal(Literal::Byte(0)),
            "S" => self.literal(Literal::Short(0)),
            "C" => self.literal(Literal::Char(0)),
            "I" => self.literal(Literal::Int(0)),
            "J" => self.literal(Literal::Long(0)),
            "F" => self.literal(Literal::Float(0.0)),
            "D" => self.literal(Literal::Double(0.0)),
            _ => {
                let object = self.call("home/Home.any()Ljava/lang/Object;", None, &[]);
                self.cast(descriptor, object)
            }
        }
    }

    pub(crate) fn cast(&mut self, descriptor: &str, value: Var) -> Var {
        let to = self.of(descriptor);
        self.push(Statement::Cast { to, value })
    }

    pub(crate) fn construct(&mut self, constructor: &str, arguments: &[Var]) -> Var {
        let constructor = self.vocabulary.find_method(WORLD.context().hierarchy(), constructor).unwrap();
        self.push(Statement::Construct { constructor, arguments: Arguments::from(arguments) })
    }

    pub(crate) fn call(&mut self, method: &str, receiver: Option<Var>, arguments: &[Var]) -> Var {
        let method = self.vocabulary.find_method(WORLD.context().hierarchy(), method).unwrap();
        self.push(Statement::Call { method, receiver, arguments: Arguments::from(arguments) })
    }

    pub(crate) fn read(&mut self, field: &str, receiver: Option<Var>) -> Var {
        let field = self.vocabulary.find_field(WORLD.context().hierarchy(), field).unwrap();
        self.push(Statement::ReadField { field, receiver })
    }

    pub(crate) fn write(&mut self, field: &str, receiver: Option<Var>, value: Var) -> Var {
        let field = self.vocabulary.find_field(WORLD.context().hierarchy(), field).unwrap();
        self.push(Statement::WriteField { field, receiver, value })
    }

    pub(crate) fn new_array(&mut self, descriptor: &str, length: u16) -> Var {
        let array = self.of(descriptor);
        self.push(Statement::NewArray { array, length })
    }

    pub(crate) fn test_case(&self) -> TestCase {
        TestCase::new(self.statements.clone())
    }

    pub(crate) fn check(&self) -> Result<(), Vec<Invalid>> {
        check(&self.test_case(), &self.vocabulary, &WORLD.context())
    }
}
