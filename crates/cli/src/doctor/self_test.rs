//! The self-test: test cases on classes of the JDK, whose ends are known.

use std::path::Path;
use std::time::{Duration, Instant};

use crashback_protocol::{Batch, Evaluator, Outcome, Results};
use crashback_testcase::{Kind, Literal, Method, MethodId, Statement, TestCase, Type, Var, Vocabulary};

use super::Check;

/// What came of it.
pub(super) struct SelfTest {
    pub(super) checks: Vec<Check>,
    pub(super) evaluations_per_second: Option<u64>,
}

/// Runs all tests in workers, which are not needed any more then. `folder` is outside of what they
/// may touch, and we may write to it.
pub(super) fn run(mut workers: impl Evaluator, folder: &Path, without_sandbox: bool) -> SelfTest {
    match try_run(&mut workers, folder, without_sandbox) {
        Ok(result) => result,
        Err(why) => {
            let advice = "try another JDK with --java-home; if that does not help, please report it";
            SelfTest { checks: vec![Check::problem("self-test", why, advice)], evaluations_per_second: None }
        }
    }
}

fn try_run(workers: &mut impl Evaluator, folder: &Path, without_sandbox: bool) -> Result<SelfTest, String> {
    let outside = tempfile::Builder::new()
        .prefix("crashback-doctor")
        .tempdir_in(folder)
        .map_err(|error| format!("no folder can be made for the self-test: {error}"))?;
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "secret").map_err(|error| format!("no file can be made: {error}"))?;
    let written = outside.path().join("written");

    let mut tests = Tests::default();
    let number = tests.parse("42");
    let subjects = [
        number.clone(),
        tests.parse("x"),
        tests.exit(3),
        tests.sleep(),
        tests.open(Direction::Write, &written),
        tests.open(Direction::Read, &secret),
    ];
    let results = tests.evaluate(workers, &subjects)?;
    let mut checks = vec![Ends { results: &results }.check()];
    checks.push(confinement(&results, written.exists(), without_sandbox));
    let rate = rate(workers, &mut tests)?;
    checks.push(Check::ok("rate", format!("{rate} evaluations of Integer.parseInt a second")));
    Ok(SelfTest { checks, evaluations_per_second: Some(rate) })
}

/// How the tests ended, by their places.
struct Ends<'r> {
    results: &'r Results,
}

impl Ends<'_> {
    fn check(&self) -> Check {
        let expected = [
            ("Integer.parseInt(\"42\") returns", self.outcome(0) == Some(Outcome::Returned)),
            ("Integer.parseInt(\"x\") throws, with frames", self.throws_in_parse_int(1)),
            ("System.exit(3) ends the test alone", self.outcome(2) == Some(Outcome::Exited(3))),
            ("an endless Thread.sleep is stopped", self.outcome(3) == Some(Outcome::Stopped)),
        ];
        let failed: Vec<&str> = expected.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
        if failed.is_empty() {
            let all: Vec<&str> = expected.iter().map(|(what, _)| *what).collect();
            return Check::ok("self-test", all.join("; "));
        }
        let ends: Vec<_> = self.results.observations.iter().map(|it| it.outcome).collect();
        let found = format!("these do not hold: {}; the tests ended so: {ends:?}", failed.join("; "));
        Check::problem(
            "self-test",
            found,
            "try a JDK that is tested; if that does not help, please report it",
        )
    }

    fn outcome(&self, test: usize) -> Option<Outcome> {
        self.results.observations.get(test).map(|it| it.outcome)
    }

    fn throws_in_parse_int(&self, test: usize) -> bool {
        let thrown = self.results.observations.get(test).and_then(|it| it.thrown());
        thrown.is_some_and(|thrown| {
            let mut frames = thrown.frames.iter().filter_map(|it| self.results.frames.get(*it as usize));
            thrown.class == "java.lang.NumberFormatException"
                && frames.any(|it| it.class == "java.lang.Integer" && it.method == "parseInt")
        })
    }
}

/// The last two tests touch files outside.
fn confinement(results: &Results, written: bool, without_sandbox: bool) -> Check {
    let mut ends = results.observations.iter().skip(4).map(|it| it.thrown().map(|it| it.class.as_str()));
    let denied = Some("java.io.FileNotFoundException");
    let (write, read) = (ends.next().flatten(), ends.next().flatten());
    let holds = [("writing", write == denied && !written), ("reading", read == denied)];
    let open: Vec<&str> = holds.iter().filter(|(_, denied)| !denied).map(|(what, _)| *what).collect();
    if open.is_empty() {
        return Check::ok("files", "writing and reading files outside the scratch folder is denied");
    }
    let found = format!("a test could touch files outside its scratch folder, by {}", open.join(" and "));
    if without_sandbox {
        return Check::warning("files", found, "run only programs you trust: what they do to files is real");
    }
    Check::problem("files", found, "please report it: the sandbox is in force, but does not hold")
}

/// So long tests are run for the rate, and as long before it.
const MEASURED: Duration = Duration::from_millis(400);
const BATCH: usize = 4096;

#[expect(clippy::disallowed_methods, reason = "a rate is measured with the clock")]
fn rate(workers: &mut impl Evaluator, tests: &mut Tests) -> Result<u64, String> {
    let batch: Vec<TestCase> = (0..BATCH).map(|number| tests.parse(&number.to_string())).collect();
    let mut rate = 0.0;
    for _ in ["to warm up", "to measure"] {
        let (begun, mut done) = (Instant::now(), 0);
        while begun.elapsed() < MEASURED {
            done += tests.evaluate(workers, &batch)?.observations.len();
        }
        rate = done as f64 / begun.elapsed().as_secs_f64();
    }
    Ok(rate as u64)
}

enum Direction {
    Read,
    Write,
}

/// Test cases with the members they name.
#[derive(Default)]
struct Tests {
    vocabulary: Vocabulary,
}

impl Tests {
    fn evaluate(&self, workers: &mut impl Evaluator, tests: &[TestCase]) -> Result<Results, String> {
        let batch = Batch::new(&self.vocabulary, tests);
        workers.evaluate(batch).map_err(|failure| format!("it ended early: {failure}"))
    }

    fn parse(&mut self, text: &str) -> TestCase {
        let method = self.method("java/lang/Integer", "parseInt", Kind::Static, STRING, "I");
        call(method, Literal::Text(text.into()))
    }

    fn exit(&mut self, status: i32) -> TestCase {
        let method = self.method("java/lang/System", "exit", Kind::Static, "I", "V");
        call(method, Literal::Int(status))
    }

    fn sleep(&mut self) -> TestCase {
        let method = self.method("java/lang/Thread", "sleep", Kind::Static, "J", "V");
        call(method, Literal::Long(i64::MAX))
    }

    fn open(&mut self, direction: Direction, file: &Path) -> TestCase {
        let class = match direction {
            Direction::Read => "java/io/FileInputStream",
            Direction::Write => "java/io/FileOutputStream",
        };
        let constructor = self.method(class, "<init>", Kind::Constructor, STRING, "V");
        TestCase::new(vec![
            Statement::Literal(Literal::Text(file.display().to_string().as_str().into())),
            Statement::Construct { constructor, arguments: [Var(0)].into_iter().collect() },
        ])
    }

    /// A method with one parameter.
    fn method(&mut self, owner: &str, name: &str, kind: Kind, parameter: &str, result: &str) -> MethodId {
        let owner = self.vocabulary.add_type(Type::of_class(owner));
        let parameter = self.vocabulary.add_type(Type(parameter.into()));
        let result = self.vocabulary.add_type(Type(result.into()));
        let parameters = [parameter].into_iter().collect();
        self.vocabulary.add_method(Method { owner, name: name.into(), kind, parameters, result })
    }
}

const STRING: &str = "Ljava/lang/String;";

fn call(method: MethodId, argument: Literal) -> TestCase {
    let arguments = [Var(0)].into_iter().collect();
    TestCase::new(vec![Statement::Literal(argument), Statement::Call { method, receiver: None, arguments }])
}
