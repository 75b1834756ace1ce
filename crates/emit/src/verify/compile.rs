//! The compiler's part.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::compiler::{Answer, Reply};
use super::process::Limits;
use super::{CLASSES, SHORT_LIVED, SOURCES, Verifier, process};
use crate::source::TestSource;
use crate::{Error, Result};

impl Verifier<'_> {
    /// Compiles one source. Gives the compiler's messages if it refused it.
    pub fn compile(&self, source: &TestSource) -> Result<Option<String>> {
        self.compile_unless(source, &|| false)
    }

    /// The same, but given up with [`Error::Cancelled`] soon after the function says so.
    pub fn compile_unless(
        &self,
        source: &TestSource,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<String>> {
        let limits = self.limits(is_cancelled);
        let refused = self.compile_all_within(std::slice::from_ref(source), limits)?;
        Ok(refused.into_iter().next().flatten())
    }

    /// Compiles many sources at once. Gives for each the compiler's messages about it if it refused
    /// it. As soon as it refuses one, no class file is written.
    pub fn compile_all(&self, sources: &[TestSource]) -> Result<Vec<Option<String>>> {
        self.compile_all_unless(sources, &|| false)
    }

    /// The same, but given up with [`Error::Cancelled`] soon after the function says so.
    pub fn compile_all_unless(
        &self,
        sources: &[TestSource],
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<String>>> {
        self.compile_all_within(sources, self.limits(is_cancelled))
    }

    /// Where class files are written.
    pub fn class_folder(&self) -> PathBuf {
        self.scratch.join(CLASSES)
    }

    /// Where a source is written before it is compiled.
    pub fn source_file(&self, source: &TestSource) -> PathBuf {
        self.scratch.join(SOURCES).join(source.path())
    }

    fn compile_all_within(&self, sources: &[TestSource], limits: Limits<'_>) -> Result<Vec<Option<String>>> {
        let javac = self.java_home.join("bin").join(format!("javac{}", std::env::consts::EXE_SUFFIX));
        if !javac.is_file() {
            return Err(Error::NoCompiler(self.java_home.to_owned()));
        }
        let files = self.write_sources(sources)?;
        create_folder(&self.class_folder())?;
        self.choose_mock_maker()?;
        let options = self.compiler_options();
        let said = match self.compile_ahead(&options, &files, limits)? {
            Some(said) => said,
            None => self.run_javac(&javac, options, &files, limits)?,
        };
        if said.is_compiled {
            return Ok(vec![None; sources.len()]);
        }
        let mut messages = by_file(&said.whole, &files);
        let of_file = |file: &PathBuf| messages.remove(file);
        let found: Vec<Option<String>> = files.iter().map(of_file).collect();
        // A compiler that gives up says nothing about single files.
        let gave_up = found.iter().all(Option::is_none).then_some(said.end);
        if gave_up.is_some() {
            self.check_room()?;
        }
        Ok(found.into_iter().map(|it| it.or_else(|| gave_up.clone())).collect())
    }

    /// Lets the compiler that was started ahead do it. None if there is none of use.
    fn compile_ahead(
        &self,
        options: &[OsString],
        files: &[PathBuf],
        limits: Limits<'_>,
    ) -> Result<Option<Said>> {
        let mut kept = self.ahead.compiler();
        // Whatever goes wrong ends the process: only one that answered is kept for the next request.
        let Some(mut compiler) = kept.take().filter(|it| it.can_read(self.whole_class_path())) else {
            return Ok(None);
        };
        Ok(match compiler.compile(self, options, files, limits)? {
            Reply::Answer(Answer { is_compiled, messages: whole }) => {
                *kept = Some(compiler);
                Some(Said { is_compiled, end: whole.clone(), whole })
            }
            Reply::Late => Some(self.late()),
            Reply::Dead => None,
        })
    }

    fn run_javac(
        &self,
        javac: &Path,
        mut arguments: Vec<OsString>,
        files: &[PathBuf],
        limits: Limits<'_>,
    ) -> Result<Said> {
        arguments.extend(files.iter().map(OsString::from));
        let file = self.scratch.join("javac.arguments");
        write_file(&file, &argument_file(&arguments))?;
        let mut command: Vec<OsString> = SHORT_LIVED.iter().map(|it| format!("-J{it}").into()).collect();
        command.push("-J-Duser.language=en".into());
        command.push(at_file(&file));
        let ended = process::run(self.launch, javac, &command, self.scratch, limits)?;
        let Some(status) = ended.status else { return Ok(self.late()) };
        let whole = String::from_utf8_lossy(&ended.errors).into_owned();
        Ok(Said { is_compiled: status.success(), end: ended.said(), whole })
    }

    fn late(&self) -> Said {
        let end = format!("the compiler took longer than {:?}", self.time_limit);
        Said { is_compiled: false, whole: String::new(), end }
    }

    fn write_sources(&self, sources: &[TestSource]) -> Result<Vec<PathBuf>> {
        let write = |source: &TestSource| {
            let file = self.source_file(source);
            create_folder(file.parent().unwrap_or(self.scratch))?;
            write_file(&file, source.text.as_bytes())?;
            Ok(file)
        };
        sources.iter().map(write).collect()
    }

    /// Says to Mockito how mocks are made; the first file of this name on the class path counts.
    fn choose_mock_maker(&self) -> Result<()> {
        let Some(maker) = self.mockito.and_then(|it| it.mock_maker) else { return Ok(()) };
        let folder = self.scratch.join(CLASSES).join("mockito-extensions");
        create_folder(&folder)?;
        write_file(&folder.join("org.mockito.plugins.MockMaker"), maker.as_bytes())
    }

    /// Options of the compiler.
    pub(super) fn compiler_options(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = [
            "-proc:none",
            "-implicit:none",
            "-nowarn",
            "-Xlint:none",
            "-encoding",
            "UTF-8",
            "-Xmaxerrs",
            "100000",
            "-sourcepath",
            "",
        ]
        .map(OsString::from)
        .to_vec();
        arguments.extend([OsString::from("-d"), self.scratch.join(CLASSES).into()]);
        arguments.extend([OsString::from("-classpath"), join_paths(self.whole_class_path())]);
        arguments
    }
}

/// What a compiler said.
struct Said {
    is_compiled: bool,
    /// All of its messages.
    whole: String,
    /// The end of everything that it said, or what it did instead.
    end: String,
}

/// Divides the messages of the compiler by the files that they begin with: `File.java:3: error: …`.
fn by_file(said: &str, files: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut messages: BTreeMap<PathBuf, String> = BTreeMap::new();
    let known: BTreeMap<String, &PathBuf> = files.iter().map(|it| (it.display().to_string(), it)).collect();
    let mut current: Option<&PathBuf> = None;
    for line in said.lines() {
        let named = line.split_once(".java:").and_then(|(file, _)| known.get(&format!("{file}.java")));
        current = named.copied().or(current.filter(|_| line.starts_with(' ') || !line.is_empty()));
        if let Some(file) = current {
            let text = messages.entry(file.clone()).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    messages
}

/// Paths as one class path.
pub(super) fn join_paths(paths: impl Iterator<Item = PathBuf>) -> OsString {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let mut joined = OsString::new();
    for path in paths {
        if !joined.is_empty() {
            joined.push(separator);
        }
        joined.push(path);
    }
    joined
}

/// Arguments as a file that `java` and `javac` read: each in quotes, in which a backslash escapes.
pub(super) fn argument_file(arguments: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for argument in arguments {
        text.push(b'"');
        for byte in argument.as_encoded_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(*byte);
        }
        text.extend(b"\"\n");
    }
    text
}

pub(super) fn at_file(file: &Path) -> OsString {
    let mut argument = OsString::from("@");
    argument.push(AsRef::<OsStr>::as_ref(file));
    argument
}

pub(super) fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.to_owned(), source })
}

pub(super) fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).map_err(|source| Error::File { path: file.to_owned(), source })
}
