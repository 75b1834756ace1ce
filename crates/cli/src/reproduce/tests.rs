//! The command around a scripted search, on the bundled program.
#![expect(clippy::disallowed_methods, reason = "one test limits the size of files in another process")]

use std::cell::RefCell;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use crashback::{AlgorithmKind, CacheSettings, Fitness, Sink, Task};
use crashback_program::missing::MissingClass;
use crashback_reproduce::{
    Degree, Event, FrameResult, ObstacleKind, Reproduction, Settings, Stage, Timing, WrittenTest,
};
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::demo::Crashed;

/// A search with a fixed result, which remembers the frames that it was asked for.
pub(crate) struct Fake {
    reproduction: Reproduction,
    pub(crate) asked: RefCell<Vec<Option<u32>>>,
}

impl Search for Fake {
    fn search(&self, task: &Task<'_>, sink: Sink<'_>) -> Result<Reproduction, Error> {
        self.asked.borrow_mut().push(task.settings.frame);
        sink(&Event::Reproduced { frame: 7 });
        let reproduction = Reproduction { seed: task.settings.seed, ..self.reproduction.clone() };
        let timing = Timing { index: 0.5, search: 1.0, ..Timing::default() };
        Ok(Reproduction { waiting_share: Some(0.25), timing, ..reproduction })
    }
}

impl Fake {
    pub(crate) fn new(reproduction: Reproduction) -> Self {
        Self { reproduction, asked: RefCell::default() }
    }
}

const SOURCE: &str = "package parcels;\n\nclass DepotCrashTest {}\n";

pub(crate) fn reproduced() -> Reproduction {
    let frame = |level: u32, name: &str, outcome: Stage| FrameResult {
        level,
        frame: name.to_owned(),
        outcome,
        degree: (outcome == Stage::Reproduced).then_some(Degree::Escapes),
        evaluations: 500,
        obstacle: (outcome != Stage::Reproduced).then(|| "main starts the program".to_owned()),
        obstacle_kind: (outcome != Stage::Reproduced).then_some(ObstacleKind::NotEntered),
        distance: None,
        curve: Vec::new(),
        found_by: None,
        found_after: None,
    };
    let test = WrittenTest {
        package: "parcels".to_owned(),
        class: "DepotCrashTest".to_owned(),
        source: SOURCE.to_owned(),
        junit: 5,
        module: None,
    };
    Reproduction {
        reproduced: true,
        verified: true,
        frame: Some(7),
        highest_target_frame: Some(8),
        outcome: Stage::Reproduced,
        degree: Some(Degree::Escapes),
        frames: vec![
            frame(7, "parcels.Depot.receive(Depot.java:16)", Stage::Reproduced),
            frame(8, "parcels.Depot.main(Depot.java:26)", Stage::LineNotReached),
        ],
        evaluations: 1000,
        seconds: 0.5,
        evaluations_per_second: 2000.0,
        test: Some(test),
        nulls: 1,
        satisfactory: true,
        unverified_claims: 1,
        unverified_reasons: vec!["the test passed".to_owned()],
        ..Reproduction::default()
    }
}

pub(crate) fn not_reproduced() -> Reproduction {
    Reproduction {
        outcome: Stage::LineReached,
        obstacle: Some("the text is never empty".to_owned()),
        obstacle_kind: Some(ObstacleKind::BranchNotTaken),
        missing_classes: vec![MissingClass {
            class: "javax.servlet.Filter".to_owned(),
            needed_by: "parcels.Gate".to_owned(),
            coordinates: Some("javax.servlet:javax.servlet-api:4.0.1".to_owned()),
            beside: None,
        }],
        unavailable_types: vec![("parcels.Scanner".to_owned(), "it is abstract".to_owned())],
        frames: reproduced().frames,
        ..Reproduction::default()
    }
}

/// A crashed program and a folder for its test. Tests that run at the same time share the program.
pub(crate) struct Scene {
    crashed: Arc<Crashed>,
    pub(crate) out: TempDir,
}

static SHARED: Mutex<Weak<Crashed>> = Mutex::new(Weak::new());

impl Scene {
    pub(crate) fn new() -> Self {
        let mut shared = SHARED.lock().expect("the bundled program crashes");
        let crashed = shared.upgrade().unwrap_or_else(|| {
            let crashed = Crashed::new(None, false, &Environment::of_process(), &Interrupts::default());
            Arc::new(crashed.expect("the bundled program crashes"))
        });
        *shared = Arc::downgrade(&crashed);
        Self { crashed, out: tempfile::tempdir().expect("a folder") }
    }

    fn request(&self, frame: Option<u32>) -> Request {
        let request = self.crashed.request(None, &search_arguments(), &Environment::of_process());
        let mut request = request.expect("a request");
        request.settings.frame = frame;
        request.program.cache = self.crashed.log().parent().map(|it| CacheSettings::new(it.join("cache")));
        request
    }

    fn destination(&self, force: bool) -> Destination {
        Destination { folder: self.out.path().to_owned(), force }
    }

    fn file(&self) -> PathBuf {
        self.out.path().join("parcels/DepotCrashTest.java")
    }

    fn end(&self, request: &Request, destination: &Destination, search: &dyn Search) -> End {
        conclude(request, Some(destination), &Interrupts::default(), search)
    }

    fn run(&self, reproduction: Reproduction, force: bool) -> End {
        self.end(&self.request(None), &self.destination(force), &Fake::new(reproduction))
    }

    /// Runs a search whose result goes to files for build servers, too.
    pub(crate) fn run_for_ci(&self, search: &Fake, ci: &CiFiles) -> End {
        let (request, destination) = (self.request(None), self.destination(true));
        let outputs = Outputs { destination: Some(&destination), ci: Some(ci), ..Outputs::default() };
        conclude_with(&request, outputs, &Interrupts::default(), search)
    }
}

fn search_arguments() -> SearchArguments {
    SearchArguments { seed: 42, ..SearchArguments::default() }
}

fn conclude(
    request: &Request,
    destination: Option<&Destination>,
    interrupts: &Interrupts,
    search: &dyn Search,
) -> End {
    conclude_with(request, Outputs { destination, ..Outputs::default() }, interrupts, search)
}

/// Where results go.
#[derive(Default)]
struct Outputs<'o> {
    destination: Option<&'o Destination>,
    report: Option<&'o SingleReport>,
    ci: Option<&'o CiFiles>,
}

fn conclude_with(
    request: &Request,
    outputs: Outputs<'_>,
    interrupts: &Interrupts,
    search: &dyn Search,
) -> End {
    let Outputs { destination, report, ci } = outputs;
    let command = Command {
        search: &search_arguments(),
        destination,
        follows_project: false,
        report,
        ci,
        output: OutputArguments::default(),
        environment: &Environment::of_process(),
        interrupts,
    };
    command.conclude(search, request, &mut Progress::on(io::stderr(), Manner::Untold))
}

fn object(end: &End) -> Value {
    let value = serde_json::to_value(json::render(end)).expect("an object");
    assert_eq!(value["exit_code"], end.code());
    value
}

fn text(end: &End) -> String {
    let attempt = end.attempt.as_ref().expect("a search");
    let text = text::render(attempt, [end.test_file.as_deref(), end.outer_file.as_deref()], true);
    anstream::adapter::strip_str(&text).to_string()
}

fn says(end: &End, words: &[&str]) {
    let text = text(end);
    words.iter().for_each(|it| assert!(text.contains(it), "`{it}` is not in:\n{text}"));
}

fn failed_with(end: &End, code: u8, words: &[&str]) {
    assert_eq!(end.code(), code, "{:?}", end.error);
    let message = &end.error.as_ref().expect("an error").message;
    words.iter().for_each(|it| assert!(message.contains(it), "`{it}` is not in: {message}"));
    assert_eq!(object(end)["error"]["message"], *message);
}

#[test]
fn the_account_of_time_has_a_line_for_each_part() {
    let end = Scene::new().run(reproduced(), false);
    let reproduction = &end.attempt.as_ref().expect("a search").reproduction;
    let timed = Reproduction { seconds: 2.0, ..reproduction.clone() };
    let mut text = String::new();
    text::account(&mut text, &timed);
    let expected = "  index        0.50 s   25 %\n  prepare      0.00 s    0 %\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with("  workers waited 25 % of the search\n"), "{text}");
    assert_eq!(object(&end)["timing"]["search"], 1.0);
}

#[test]
fn a_reproduced_crash_leaves_its_test_in_folders_of_the_package() {
    let scene = Scene::new();
    let end = scene.run(reproduced(), false);
    assert_eq!(end.code(), 0);
    assert_eq!(fs::read_to_string(scene.file()).expect("the test"), SOURCE);
    let object = object(&end);
    assert_eq!(object["test_file"], scene.file().to_str().expect("a plain path"));
    assert_eq!(
        (&object["error"], &object["reproduced"], &object["frame"]),
        (&Value::Null, &true.into(), &7.into())
    );
    assert_eq!(
        (&object["seed"], &object["outcome"], &object["degree"]),
        (&42.into(), &"reproduced".into(), &"escapes".into())
    );
    assert_eq!(object["frames"][1]["outcome"], "line-not-reached");
    says(
        &end,
        &[
            "StringIndexOutOfBoundsException",
            "Reproduced at frame 7, parcels.Depot.receive(Depot.java:16)",
            "✗   8 parcels.Depot.main(Depot.java:26)     line not reached",
            "main starts the program",
            "1 found tests did not crash",
            "The last one: the test passed",
            "parcels/DepotCrashTest.java, JUnit 5",
            "1000 tests in 0.5 s, 2000 a second; seed 42; null values: 1, mocks: 0",
        ],
    );
    assert_eq!(fs::read_dir(scene.file().parent().expect("a folder")).expect("a folder").count(), 1);
}

#[test]
fn a_report_shows_the_trace_and_the_test_and_replaces_reports_only() {
    let scene = Scene::new();
    let path = scene.out.path().join("crash.html");
    let report = SingleReport::new(path.clone());
    let run = || {
        let (request, fake) = (scene.request(None), Fake::new(reproduced()));
        let outputs = Outputs { report: Some(&report), ..Outputs::default() };
        conclude_with(&request, outputs, &Interrupts::default(), &fake)
    };
    for _ in 0..2 {
        assert_eq!(run().code(), 0);
        let page = fs::read_to_string(&path).expect("the report");
        let words = [
            "StringIndexOutOfBoundsException",
            "Depot.main",
            "main starts the program",
            "DepotCrashTest.java",
        ];
        words.iter().for_each(|it| assert!(page.contains(it), "`{it}` is not in:\n{page}"));
    }
    fs::write(&path, "notes of the user").expect("a file");
    failed_with(&run(), 2, &["crash.html", "is no report"]);
    assert_eq!(fs::read_to_string(&path).expect("the notes"), "notes of the user");
    let nowhere = SingleReport::new(scene.out.path().join("missing/crash.html"));
    let fake = Fake::new(reproduced());
    let outputs = Outputs { report: Some(&nowhere), ..Outputs::default() };
    let end = conclude_with(&scene.request(None), outputs, &Interrupts::default(), &fake);
    failed_with(&end, 4, &["cannot write the report", "missing/crash.html"]);
}

#[test]
fn a_crash_that_is_not_reproduced_is_no_failure_but_code_1() {
    let scene = Scene::new();
    let end = scene.run(not_reproduced(), false);
    assert_eq!(end.code(), 1);
    let object = object(&end);
    assert_eq!((&object["error"], &object["test_file"]), (&Value::Null, &Value::Null));
    assert_eq!(object["obstacle"], "the text is never empty");
    assert_eq!(object["obstacle_kind"], "branch-not-taken");
    assert_eq!(object["missing_classes"][0]["coordinates"], "javax.servlet:javax.servlet-api:4.0.1");
    says(
        &end,
        &["Not reproduced", "the text is never empty", "No value of parcels.Scanner", "--time", "--seed"],
    );
    says(
        &end,
        &[
            "javax.servlet.Filter, which parcels.Gate needs, is not on",
            "--maven javax.servlet:javax.servlet-api",
        ],
    );
    assert!(!scene.file().exists());
}

#[test]
fn an_interruption_ends_with_the_best_so_far() {
    let scene = Scene::new();
    let end = scene.run(Reproduction { interrupted: true, ..not_reproduced() }, false);
    failed_with(&end, 130, &["interrupted"]);
    says(&end, &["Interrupted", "line not reached"]);
    // What was found before it is found, although the search did not come to its end.
    let end = scene.run(Reproduction { interrupted: true, ..reproduced() }, false);
    failed_with(&end, 130, &["interrupted"]);
    assert_eq!((&object(&end)["reproduced"], scene.file().exists()), (&true.into(), true));
}

#[test]
fn an_existing_file_is_kept_unless_forced() {
    let scene = Scene::new();
    fs::create_dir(scene.out.path().join("parcels")).expect("a folder");
    fs::write(scene.file(), "precious").expect("a file");
    let end = scene.run(reproduced(), false);
    failed_with(&end, 4, &["DepotCrashTest.java exists already", "--force", "--out"]);
    assert_eq!(fs::read_to_string(scene.file()).expect("the file"), "precious");
    assert_eq!(object(&end)["test"]["source"], SOURCE, "nothing is lost");
    says(&end, &[SOURCE.trim_end(), "could not be written"]);
    let end = scene.run(reproduced(), true);
    assert_eq!((end.code(), fs::read_to_string(scene.file()).expect("the test").as_str()), (0, SOURCE));
}

#[test]
fn a_file_that_will_be_in_the_way_is_told_of_before_the_search() {
    let scene = Scene::new();
    fs::create_dir(scene.out.path().join("parcels")).expect("a folder");
    fs::write(scene.file(), "precious").expect("a file");
    let fake = Fake::new(reproduced());
    // A test of the highest frame can only be this file.
    let highest = Some(highest_target(&scene));
    let end = scene.end(&scene.request(highest), &scene.destination(false), &fake);
    failed_with(&end, 4, &["exists already"]);
    assert!(fake.asked.borrow().is_empty(), "there was no search");
    // A test of any frame may get another name, so the search is worth it.
    scene.end(&scene.request(None), &scene.destination(false), &fake);
    scene.end(&scene.request(highest), &scene.destination(true), &fake);
    assert_eq!(fake.asked.borrow().len(), 2);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_of_before_the_search() {
    let scene = Scene::new();
    let file = scene.out.path().join("file");
    fs::write(&file, "").expect("a file");
    for folder in [file.clone(), file.join("below"), "/proc/crashback".into()] {
        let fake = Fake::new(reproduced());
        let end =
            scene.end(&scene.request(None), &Destination { folder: folder.clone(), force: true }, &fake);
        failed_with(&end, 4, &["cannot write the test", folder.to_str().expect("a plain path"), "--out"]);
        assert!(fake.asked.borrow().is_empty(), "there was no search");
    }
    let end = scene.end(
        &scene.request(None),
        &Destination { folder: scene.out.path().join("a/b"), force: false },
        &Fake::new(reproduced()),
    );
    assert_eq!(end.code(), 0, "missing folders are made");
}

#[test]
fn names_that_lead_elsewhere_are_not_written() {
    let scene = Scene::new();
    for (package, class) in [("a./etc", "T"), ("a", "../T"), ("a", "")] {
        let test = WrittenTest {
            package: package.to_owned(),
            class: class.to_owned(),
            source: SOURCE.to_owned(),
            junit: 4,
            module: None,
        };
        let end = scene.run(Reproduction { test: Some(test), ..reproduced() }, false);
        failed_with(&end, 5, &["no name for a test"]);
    }
}

const FOLDER: &str = "CRASHBACK_TEST_FOLDER";

/// What the process does in which no file may have any content.
#[test]
#[ignore = "started by another test"]
fn writes_on_a_full_disk() {
    let folder = PathBuf::from(env::var_os(FOLDER).expect("a folder"));
    let test = reproduced().test.expect("a test");
    let failure = Destination { folder, force: false }.write(&test).expect_err("nothing can be written");
    assert_eq!(failure.kind, ErrorKind::Environment);
    assert!(failure.message.contains("cannot write the test"), "{failure}");
}

#[test]
fn a_full_disk_leaves_no_half_a_test() {
    let out = tempfile::tempdir().expect("a folder");
    // Files cannot grow: a write fails as on a full disk.
    let script =
        "trap '' XFSZ; ulimit -f 0; exec \"$0\" --exact reproduce::tests::writes_on_a_full_disk --ignored";
    let done = process::Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(env::current_exe().expect("this test"))
        .env(FOLDER, out.path())
        .output()
        .expect("sh runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert!(String::from_utf8_lossy(&done.stdout).contains("1 passed"));
    assert_eq!(fs::read_dir(out.path().join("parcels")).expect("a folder").count(), 0);
}

#[test]
fn a_test_that_cannot_be_written_in_the_end_is_shown() {
    let scene = Scene::new();
    // A file where the folder of the package should be.
    fs::write(scene.out.path().join("parcels"), "").expect("a file");
    let end = scene.run(reproduced(), false);
    failed_with(&end, 4, &["cannot write the test"]);
    says(&end, &[SOURCE.trim_end()]);
    assert_eq!(object(&end)["test"]["source"], SOURCE);
}

#[test]
fn a_frame_must_be_there_and_be_a_target() {
    let scene = Scene::new();
    let check = |frame: u32, code: u8, words: &[&str]| {
        let fake = Fake::new(reproduced());
        let end = scene.end(&scene.request(Some(frame)), &scene.destination(false), &fake);
        failed_with(&end, code, words);
        assert!(fake.asked.borrow().is_empty(), "there was no search");
    };
    check(99, 2, &["no frame 99", "frames"]);
    check(1, 2, &["frame 1, String.", "cannot be targeted", "these can: "]);
    let fake = Fake::new(reproduced());
    let highest = highest_target(&scene);
    assert_eq!(scene.end(&scene.request(Some(highest)), &scene.destination(false), &fake).code(), 0);
    assert_eq!(*fake.asked.borrow(), [Some(highest)]);
}

/// The level of `main`: it depends on the JDK.
fn highest_target(scene: &Scene) -> u32 {
    let log = fs::read_to_string(scene.crashed.log()).expect("the log");
    u32::try_from(log.lines().filter(|it| it.trim_start().starts_with("at ")).count()).expect("few")
}

#[test]
fn a_frame_that_the_class_path_lacks_is_a_disagreement() {
    let scene = Scene::new();
    let mut request = scene.request(None);
    let log = fs::read_to_string(scene.crashed.log()).expect("the log");
    request.log = log.replace("parcels.LabelReader.read", "parcels.Scanner.read").into_bytes();
    request.settings.frame = Some(highest_target(&scene) - 4);
    let end = scene.end(&request, &scene.destination(false), &Fake::new(reproduced()));
    failed_with(&end, 3, &["Scanner.read", "cannot be targeted"]);
}

#[test]
fn the_first_crash_with_a_target_is_taken() {
    let scene = Scene::new();
    let mut request = scene.request(None);
    let log = fs::read_to_string(scene.crashed.log()).expect("the log");
    request.log = format!("{}\n{log}", log.replace("parcels.", "letters.")).into_bytes();
    let end = scene.end(&request, &scene.destination(false), &Fake::new(reproduced()));
    assert_eq!((end.code(), object(&end)["crash"].clone()), (0, 2.into()));
    says(&end, &["Crash 2 of 2; --crash N chooses another"]);
    request.choice.crash = Some(1);
    let end = scene.end(&request, &scene.destination(false), &Fake::new(reproduced()));
    failed_with(&end, 3, &["disagree"]);
}

#[test]
fn an_interruption_before_the_search_keeps_it_from_beginning() {
    let scene = Scene::new();
    let interrupts = Interrupts::default();
    interrupts.interruption.request();
    let fake = Fake::new(reproduced());
    let end = conclude(&scene.request(None), None, &interrupts, &fake);
    failed_with(&end, 130, &["interrupted"]);
    assert!(fake.asked.borrow().is_empty());
}

#[test]
fn where_tests_are_counted_time_is_no_bound() {
    let search = |time: Option<u64>, evaluations: Option<u64>| {
        let time = time.map(Duration::from_secs);
        let arguments = SearchArguments { time, evaluations, ..SearchArguments::default() };
        settings(&arguments).expect("settings").time.as_secs()
    };
    assert_eq!(search(None, None), Settings::default().time.as_secs());
    assert_eq!(search(None, Some(1)), 3600);
    assert_eq!(search(Some(5), Some(1)), 5);
}

#[test]
fn settings_are_recorded_with_every_result() {
    let tune: Vec<String> = changed_tuning().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let arguments = SearchArguments {
        seed: 4,
        evaluations: Some(100),
        population: Some(30),
        fitness: Some(Fitness::WeightedSum),
        algorithm: AlgorithmKind::ALL.last().copied(),
        workers: Some(3),
        tune,
        ..SearchArguments::default()
    };
    let recorded = RecordedSettings::new(&settings(&arguments).expect("settings"), &arguments);
    let recorded = serde_json::to_value(recorded).expect("an object");
    assert_eq!(recorded["fitness"], "weighted-sum");
    assert_eq!(
        recorded["algorithm"],
        AlgorithmKind::ALL.last().map(|it| it.name()).into_iter().collect::<String>()
    );
    assert_eq!((&recorded["seed"], &recorded["evaluations"]), (&4.into(), &100.into()));
    assert_eq!((&recorded["population"], &recorded["workers"]), (&30.into(), &3.into()));
    assert_eq!(recorded["time_seconds"], 3600.0);
    let tuning = recorded["tuning"].as_object().expect("tuning");
    assert_eq!(tuning.len(), 1, "only changes are recorded: {tuning:?}");
}

/// A setting with another value than its default.
fn changed_tuning() -> Vec<(&'static str, &'static str)> {
    let tuning = Settings::default().tuning;
    let entry = tuning.entries().find(|it| it.range == "a number from 0 to 1").expect("a probability");
    vec![(entry.name, if entry.default == "0.25" { "0.75" } else { "0.25" })]
}

#[test]
fn tuning_that_does_not_exist_is_refused() {
    for (change, words) in [("no-such-name=1", "no-such-name"), ("no-value", "NAME=VALUE"), ("=", "--tune")] {
        let arguments = SearchArguments { tune: vec![change.to_owned()], ..SearchArguments::default() };
        let error = settings(&arguments).expect_err("no such setting");
        assert_eq!(error.kind, ErrorKind::Usage);
        assert!(error.message.contains(words), "{error}");
        assert!(error.message.contains("crashback tuning"), "{error}");
    }
}

#[test]
fn the_documentation_names_every_field() {
    let documentation = include_str!("../../../../docs/reproduce-json.md");
    let scene = Scene::new();
    let full = Reproduction { unavailable_types: not_reproduced().unavailable_types, ..reproduced() };
    let with_error = {
        fs::create_dir(scene.out.path().join("parcels")).expect("a folder");
        fs::write(scene.file(), "").expect("a file");
        scene.run(full, false)
    };
    let mut names = Vec::new();
    collect_names(&object(&with_error), &mut names);
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(
            documentation.contains(&format!("`{name}`")) || documentation.contains(&format!("`{name}[]`")),
            "{name}"
        );
    }
    for outcome in ["not-started", "line-not-reached", "line-reached", "exception-thrown", "reproduced"] {
        assert!(documentation.contains(outcome), "{outcome}");
    }
}

fn collect_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            names.push(name.clone());
            collect_names(value, names);
        }),
        Value::Array(items) => items.iter().for_each(|it| collect_names(it, names)),
        _ => {}
    }
}

#[test]
fn every_exit_has_the_same_fields() {
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let scene = Scene::new();
    let whole = keys(&object(&scene.run(reproduced(), false)));
    let arguments = SearchArguments { seed: 3, ..SearchArguments::default() };
    let recorded = RecordedSettings::new(&settings(&arguments).expect("settings"), &arguments);
    let failed = json::failed(&Error::new(ErrorKind::Usage, "no"), Some(&recorded));
    let failed = serde_json::to_value(failed).expect("an object");
    assert_eq!(keys(&failed), whole);
    assert_eq!((&failed["seed"], &failed["outcome"]), (&3.into(), &"not-started".into()));
    assert_eq!(failed["settings"]["seed"], 3);
    let unread = serde_json::to_value(json::failed(&Error::interrupted(), None)).expect("an object");
    assert_eq!((keys(&unread), &unread["settings"]), (whole, &Value::Null));
}
