//! The JDK's compiler as a process that stays: `java/verify/crashback/verify/Compiler.java`.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use super::compile::{create_folder, write_file};
use super::process::{Group, KEPT, Limits, PAUSE, Spent};
use super::{CLASSES, SHORT_LIVED, Verifier};
use crate::{Error, Result};

/// The class file of the program around the compiler.
static CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes/crashback/verify/Compiler.class"));

/// Folder within the scratch folder for that class, requests and the source that is compiled beforehand.
const FOLDER: &str = "compiler";

/// A compiler that waits for sources. It ends when this is dropped.
pub(super) struct Compiler {
    group: Group,
    input: ChildStdin,
    answers: Receiver<Answer>,
    /// Requests sent so far, which number their files.
    requests: usize,
    /// How many answers to pass over, because they belong to requests that warm the compiler.
    unwanted: usize,
    /// The class path that it may read.
    readable: Vec<PathBuf>,
}

/// What the compiler says about sources.
pub(super) struct Answer {
    pub(super) is_compiled: bool,
    pub(super) messages: String,
}

/// How a request ended.
pub(super) enum Reply {
    Answer(Answer),
    /// Its time was up.
    Late,
    /// The process has ended.
    Dead,
}

impl Compiler {
    /// Starts a compiler that may read the verifier's class path.
    pub(super) fn start(verifier: &Verifier<'_>) -> Result<Self> {
        let folder = verifier.scratch.join(FOLDER);
        create_folder(&folder.join("crashback/verify"))?;
        write_file(&folder.join("crashback/verify/Compiler.class"), CLASS)?;
        let mut arguments: Vec<OsString> = SHORT_LIVED.map(OsString::from).to_vec();
        arguments.push("-Duser.language=en".into());
        arguments.extend(["-cp".into(), folder.into(), "crashback.verify.Compiler".into()]);
        let (launch, scratch) = (verifier.launch, verifier.scratch);
        let java = verifier.java();
        let mut group = Group::start(launch, &java, &arguments, scratch, Stdio::piped(), Stdio::null())?;
        let pipes = group.child.stdin.take().zip(group.child.stdout.take());
        let closed = || Error::Start { program: java.clone(), source: io::ErrorKind::BrokenPipe.into() };
        let (input, output) = pipes.ok_or_else(closed)?;
        let readable = verifier.whole_class_path().collect();
        Ok(Self { group, input, answers: answers(output), requests: 0, unwanted: 0, readable })
    }

    /// Whether sources can be compiled against a class path. The sandbox of the process was closed
    /// before Mockito was looked for.
    pub(super) fn can_read(&self, mut class_path: impl Iterator<Item = PathBuf>) -> bool {
        class_path.all(|it| self.readable.contains(&it))
    }

    /// Compiles a source whose result is of no interest, so that the compiler's own code is loaded
    /// and jars are open when the first real source comes. Does not wait for it. The class lies beside
    /// those of tests: compilers before Java 9 write all classes where they wrote the first.
    pub(super) fn warm(&mut self, verifier: &Verifier<'_>) -> Result<()> {
        let file = verifier.scratch.join(FOLDER).join("Warm.java");
        create_folder(&verifier.scratch.join(CLASSES))?;
        let annotation = verifier.runner.junit.test_annotation().replace('/', ".");
        write_file(&file, WARM.replace("TEST", &annotation).as_bytes())?;
        self.send(verifier, &verifier.compiler_options(), &[file])?;
        self.unwanted += 1;
        Ok(())
    }

    /// Compiles sources.
    pub(super) fn compile(
        &mut self,
        verifier: &Verifier<'_>,
        options: &[OsString],
        files: &[PathBuf],
        limits: Limits<'_>,
    ) -> Result<Reply> {
        let mut time = Spent::new(self.group.child.id());
        if self.send(verifier, options, files).is_err() {
            return Ok(Reply::Dead);
        }
        loop {
            match self.answers.recv_timeout(PAUSE) {
                Ok(_) if self.unwanted > 0 => self.unwanted -= 1,
                Ok(answer) => return Ok(Reply::Answer(answer)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Reply::Dead),
                Err(RecvTimeoutError::Timeout) if (limits.is_cancelled)() => return Err(Error::Cancelled),
                Err(RecvTimeoutError::Timeout) if time.look() >= limits.time => return Ok(Reply::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Arguments go through a file: what is written to the pipe is so short that writing never waits
    /// for the process.
    fn send(&mut self, verifier: &Verifier<'_>, options: &[OsString], files: &[PathBuf]) -> Result<()> {
        self.requests += 1;
        let name = format!("{FOLDER}/request{}", self.requests);
        let mut text = Vec::new();
        let files = files.iter().map(|it| it.as_os_str());
        let arguments = options.iter().map(OsString::as_os_str).chain(["--".as_ref()]).chain(files);
        for argument in arguments {
            text.extend_from_slice(argument.as_encoded_bytes());
            text.push(0);
        }
        let file = verifier.scratch.join(&name);
        write_file(&file, &text)?;
        let sent = writeln!(self.input, "{name}").and_then(|()| self.input.flush());
        sent.map_err(|source| Error::File { path: file, source })
    }
}

/// A source much like a test, in which the compiler does what it does for tests.
const WARM: &str = "package crashback.verify;
import java.util.ArrayList;
import java.util.List;
public class Warm {
    @TEST
    public void warm() throws Exception {
        List<String> texts = new ArrayList<String>();
        texts.add(\"a\");
        Object[] objects = {texts, (Object) 5, null};
        String.valueOf(objects[0]).substring(3);
    }
}
";

/// Reads answers in a thread until the process closes its output or says what is no answer.
fn answers(mut output: impl Read + Send + 'static) -> Receiver<Answer> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        while let Ok(answer) = read_answer(&mut output) {
            if sender.send(answer).is_err() {
                return;
            }
        }
    });
    receiver
}

fn read_answer(output: &mut impl Read) -> io::Result<Answer> {
    let mut head = [0; 5];
    output.read_exact(&mut head)?;
    let [is_compiled, length @ ..] = head;
    let length = u32::from_be_bytes(length) as usize;
    if length > KEPT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut messages = vec![0; length];
    output.read_exact(&mut messages)?;
    Ok(Answer { is_compiled: is_compiled == 1, messages: String::from_utf8_lossy(&messages).into_owned() })
}
