//! A worker that runs nothing. The first statement of a test, a string, says what it pretends to
//! do, the second with which number.

use std::error::Error;
use std::fs;
use std::hint;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use crashback_jvm::handshake::{self, Inherited, Report, Started};
use crashback_jvm::heartbeat::Heartbeat;
use crashback_protocol::{
    Facts, Hello, MAGIC, Observation, Outcome, Position, Reached, ReplyWriter, Request, Spent, StackFrame,
    Step, Tests, Throwable, VERSION, read_bytes, write_message,
};
use crashback_testcase::{Literal, Statement, Vocabulary};

/// Talks to the pool until it hangs up, or misbehaves from the first moment on.
pub(crate) fn run(fault: Option<&str>) -> ExitCode {
    match begin(fault) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(3)
        }
    }
}

fn begin(fault: Option<&str>) -> Result<(), Box<dyn Error>> {
    let Inherited { mut stream, heartbeat } = Inherited::take()?;
    match fault {
        Some("dies") => return Err("libjvm.so has fallen down the stairs".into()),
        Some("mute") => sleep_for_ever(),
        Some("stranger") => write_message(&mut stream, &Hello { magic: *b"SSH-2.0-", version: 1 })?,
        Some("newer") => write_message(&mut stream, &Hello { magic: MAGIC, version: VERSION + 1 })?,
        _ => {}
    }
    let settings = handshake::accept(&mut stream)?;
    if fault == Some("fails") {
        handshake::answer(&mut stream, &Started::Failed("no JVM in an empty folder".to_owned()))?;
        return Ok(());
    }
    let report = Report { jvm: "fake".to_owned(), sandbox: String::new(), milliseconds: 0 };
    handshake::answer(&mut stream, &Started::Ready(report))?;
    let mut fake =
        Fake { stream, heartbeat, scratch: settings.scratch, vocabulary: Vocabulary::default(), run: 0 };
    let mut request = Request::default();
    while let Ok(message) = read_bytes(&mut fake.stream) {
        request.read(&message)?;
        if fake.answer(&request)? {
            break;
        }
    }
    Ok(())
}

struct Fake {
    stream: UnixStream,
    heartbeat: Heartbeat,
    scratch: PathBuf,
    vocabulary: Vocabulary,
    /// How many tests this process has run.
    run: u32,
}

/// What a test makes of the reply to its request.
enum Effect {
    None,
    /// Nothing more is run, and the process ends.
    Last,
    /// Something else is written.
    Garbage,
}

impl Fake {
    /// Runs the tests of a request, and says whether it was the last one.
    fn answer(&mut self, request: &Request) -> Result<bool, Box<dyn Error>> {
        self.vocabulary.extend(request.vocabulary.clone()).map_err(|_| "an addition that does not fit")?;
        let mut frames = Vec::new();
        let (mut reply, mut count) = (ReplyWriter::default(), 0);
        reply.begin();
        let (mut last, mut garbage) = (false, false);
        while let Some(test) = request.tests.get(count as usize) {
            self.heartbeat.begin(count);
            let content = content(test, &request.tests);
            let (observation, effect) = self.run(content, request.tests.len(), &mut frames)?;
            reply.push(&observation)?;
            count += 1;
            self.run += 1;
            match effect {
                Effect::None => {}
                Effect::Garbage => garbage = true,
                Effect::Last => {
                    last = true;
                    break;
                }
            }
        }
        self.heartbeat.idle();
        if garbage {
            self.stream.write_all(&[0xa5; 5000])?;
        } else {
            self.stream.write_all(reply.finish(count, last, &[], Spent::default())?)?;
        }
        Ok(last)
    }

    fn run(
        &self,
        (what, number): (String, u32),
        company: usize,
        frames: &mut Vec<StackFrame>,
    ) -> Result<(Observation, Effect), Box<dyn Error>> {
        let mut effect = Effect::None;
        match what.as_str() {
            "spin" => spin(Duration::from_micros(number.into())),
            "sleep" => thread::sleep(Duration::from_millis(number.into())),
            "abort" => process::abort(),
            "abort in company" if company > 1 || self.run > 0 => process::abort(),
            "exit" => process::exit(0),
            "hang" => sleep_for_ever(),
            "threads" => threads(number),
            "fill" => fill(self.scratch.join("large"), number)?,
            "fill without name" => fill_nameless(self.scratch.join("large"), number)?,
            "memory" => use_memory(number),
            "last" => effect = Effect::Last,
            "garbage" => effect = Effect::Garbage,
            "shout" => shout(number)?,
            "close" => self.close(),
            "read input" => assert_no_input()?,
            "used" => return Ok((self.observe(self.run, frames), effect)),
            "misnumbered" => {
                let mut observation = self.observe(number, frames);
                for throwable in &mut observation.facts.throwables {
                    throwable.cause = Some(77);
                }
                return Ok((observation, effect));
            }
            _ => {}
        }
        Ok((self.observe(number, frames), effect))
    }

    /// Ends the conversation, but not the process.
    fn close(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        sleep_for_ever();
    }

    /// An observation that depends on the number, with frames that come up again and again.
    fn observe(&self, number: u32, frames: &mut Vec<StackFrame>) -> Observation {
        let mut facts = Facts { nulls: self.vocabulary.known().types.into(), ..Facts::default() };
        facts.reached = vec![Reached { probe: number, position: Position::OUTSIDE }].into();
        let mut numbers = Vec::new();
        for depth in 0..number % 4 {
            let frame = frame(number % 13, depth);
            let known = frames.iter().position(|it| *it == frame);
            let place = known.unwrap_or(frames.len());
            if known.is_none() {
                frames.push(frame.clone());
                facts.new_frames.push(frame);
            }
            numbers.push(u32::try_from(place).unwrap_or(u32::MAX));
        }
        facts.throwables.push(Throwable {
            class: "java.lang.IllegalStateException".to_owned(),
            message: Some(format!("number {number}")),
            frames: numbers,
            cause: None,
            suppressed: Vec::new(),
        });
        Observation { outcome: Outcome::Threw, completed: 1, facts, slow: Vec::new() }
    }
}

fn frame(class: u32, depth: u32) -> StackFrame {
    StackFrame {
        loader: None,
        module: None,
        module_version: None,
        class: format!("com.example.Class{class}"),
        method: "method".to_owned(),
        file: Some("Class.java".to_owned()),
        line: i32::try_from(depth).unwrap_or(-1),
    }
}

fn content(test: &[Step], tests: &Tests) -> (String, u32) {
    let mut words = String::new();
    let mut number = 0;
    for step in test {
        match step {
            Step::Text(text) => words = String::from_utf16_lossy(tests.text(text)),
            Step::Other(Statement::Literal(Literal::Int(value))) => number = value.unsigned_abs(),
            _ => {}
        }
    }
    (words, number)
}

#[expect(clippy::disallowed_methods, reason = "pretends to work for some time")]
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        hint::spin_loop();
    }
}

fn sleep_for_ever() {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn threads(count: u32) {
    for _ in 0..count {
        thread::spawn(sleep_for_ever);
    }
    thread::sleep(Duration::from_secs(20));
}

fn fill(path: PathBuf, mebibytes: u32) -> io::Result<()> {
    fs::write(path, vec![1; (mebibytes as usize) << 20])?;
    thread::sleep(Duration::from_secs(20));
    Ok(())
}

fn fill_nameless(path: PathBuf, mebibytes: u32) -> io::Result<()> {
    let mut file = fs::File::create(&path)?;
    fs::remove_file(&path)?;
    file.write_all(&vec![1; (mebibytes as usize) << 20])?;
    thread::sleep(Duration::from_secs(20));
    Ok(())
}

fn use_memory(mebibytes: u32) {
    let memory = vec![1_u8; (mebibytes as usize) << 20];
    thread::sleep(Duration::from_secs(20));
    hint::black_box(memory);
}

fn shout(kibibytes: u32) -> io::Result<()> {
    for _ in 0..kibibytes {
        io::stderr().write_all(&[b'!'; 1024])?;
    }
    Ok(())
}

fn assert_no_input() -> Result<(), Box<dyn Error>> {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    io::stdout().write_all(b"printed")?;
    if input.is_empty() { Ok(()) } else { Err("standard input is not empty".into()) }
}
