//! Mocks, their answers and injected fields as sources, compiled and run with real Mockito.

use std::sync::LazyLock;

use crashback_classpath::jdk::Jdk;
use crashback_emit::mockito::{self, Mockito};
use crashback_emit::source::{Mode, Received, TestSource};
use crashback_emit::verify::{Run, Verification, Verifier};
use crashback_program::classes::Classes;
use crashback_testcase::{Answer, Callback, Literal, Var};
use crashback_trace::Crash;
use crashback_trace::compare::is_dropped;

use crate::draft::Draft;
use crate::support::{JUNIT_5, SHOP, all_jdks, fetch, jdk, verifier};

static MOCKITO: LazyLock<Mockito> =
    LazyLock::new(|| mockito::resolve(&Classes::new(&SHOP.class_path), None, 17, &mut fetch).unwrap());

/// Checks what a test looks like, and how it ends.
fn check(draft: impl FnOnce(&mut Draft), expected: &str, outcome: &str) {
    check_on(&[jdk()], draft, expected, outcome);
}

fn check_on(jdks: &[Jdk], draft: impl FnOnce(&mut Draft), expected: &str, outcome: &str) {
    let mut written = Draft::default();
    draft(&mut written);
    let source = written.source("depot", JUNIT_5.junit, Mode::Fails, &[]);
    let expected: Vec<&str> = expected.lines().filter(|it| !it.is_empty()).collect();
    assert_eq!(body(&source), expected.join("\n"));
    for jdk in jdks {
        let (feature, ended) = (jdk.feature, ended(&run(&source, &MOCKITO, jdk)));
        assert_eq!(ended, outcome, "on Java {feature}: {}", source.text);
    }
}

fn run(source: &TestSource, mockito: &Mockito, jdk: &Jdk) -> Run {
    let scratch = tempfile::tempdir().unwrap();
    let mockito = source.needs_mockito().then_some(mockito);
    let verifier =
        Verifier { mockito, feature: jdk.feature.into(), ..verifier(&JUNIT_5, &jdk.home, scratch.path()) };
    match verifier.verify(source, 1).unwrap() {
        Verification::Ran(runs) => runs.into_iter().next().unwrap(),
        other => panic!("{other:?}\n{}", source.text),
    }
}

/// What the run came to: the exception and where it was thrown, as far as frames count.
pub(crate) fn ended(run: &Run) -> String {
    match run {
        Run::Passed => "passes".to_owned(),
        Run::Threw(crash) => format!("throws {}", described(crash)),
        other => panic!("{other:?}"),
    }
}

fn described(crash: &Crash) -> String {
    let thrown = crash.outermost().unwrap();
    let is_jdk = |class: &str| class.starts_with("java.") || class.starts_with("jdk.");
    let frames = thrown.frames.iter().filter(|it| !is_dropped(it, is_jdk));
    let frames: Vec<String> = frames
        .map(|it| format!("{}.{}", it.class, it.method))
        .take_while(|it| !it.starts_with("depot.SomeTest."))
        .collect();
    let message = thrown.message.as_deref().filter(|it| !it.contains("because"));
    format!("{}: {} at {}", thrown.class, message.unwrap_or_default(), frames.join(", "))
}

/// The statements of the test method, with its `throws` clause and without blank lines.
pub(crate) fn body(source: &TestSource) -> String {
    let lines = source.text.lines().skip_while(|it| !it.starts_with("    @"));
    let lines = lines.skip(1).take_while(|it| *it != "    }").map(str::trim);
    let lines: Vec<&str> = lines.filter(|it| !it.is_empty()).collect();
    let (head, statements) = lines.split_first().unwrap();
    let throws = head.find("throws").map(|at| head[at..].trim_end_matches(" {"));
    throws.into_iter().chain(statements.iter().copied()).collect::<Vec<_>>().join("\n")
}

impl Draft {
    fn depot(&mut self, store: Var) -> Var {
        self.construct("depot/Depot.<init>(Ldepot/Depot$Store;)V", &[store])
    }

    fn store(&mut self) -> Var {
        self.mock("depot/Depot$Store", false)
    }

    fn returns(&mut self, mock: Var, method: &str, value: Var) {
        self.stub(mock, method, Answer::Return(value));
    }

    fn throws(&mut self, mock: Var, method: &str, value: Var) {
        self.stub(mock, method, Answer::Throw(value));
    }
}

#[test]
fn a_mock_answers_null_and_so_makes_the_program_crash() {
    check_on(
        &all_jdks(),
        |it| {
            let store = it.store();
            let (depot, key) = (it.depot(store), it.int(5));
            it.call_on(depot, "depot/Depot.length(I)I", &[key]);
        },
        "
Depot depot = new Depot(mock(Depot.Store.class));
depot.length(5);
",
        "throws java.lang.NullPointerException:  at depot.Depot.length",
    );
}

#[test]
fn values_are_answered_whatever_the_arguments_are() {
    check(
        |it| {
            let (store, name) = (it.store(), it.text("a"));
            it.returns(store, "depot/Depot$Store.name(I)Ljava/lang/String;", name);
            let names = it.construct("java/util/ArrayList.<init>()V", &[]);
            it.returns(store, "depot/Depot$Store.names()Ljava/util/List;", names);
            let null = it.null("Ljava/lang/String;");
            it.returns(store, "depot/Depot$Store.get()Ljava/lang/Object;", null);
            let (depot, key) = (it.depot(store), it.int(5));
            it.call_on(depot, "depot/Depot.length(I)I", &[key]);
            it.call_on(depot, "depot/Depot.count()I", &[]);
            it.returns(store, "depot/Depot$Store.name(I)Ljava/lang/String;", null);
            it.call_on(depot, "depot/Depot.length(I)I", &[key]);
        },
        r#"
Depot.Store store = mock(Depot.Store.class);
when(store.name(anyInt())).thenReturn("a");
doReturn(new ArrayList()).when(store).names();
doReturn(null).when(store).get();
Depot depot = new Depot(store);
depot.length(5);
depot.count();
when(store.name(anyInt())).thenReturn(null);
depot.length(5);
"#,
        "throws java.lang.NullPointerException:  at depot.Depot.length",
    );
}

#[test]
fn primitive_values_keep_their_types() {
    check(
        |it| {
            let store = it.store();
            for (method, literal) in [
                ("total()J", Literal::Long(1)),
                ("flag()Z", Literal::Boolean(true)),
                ("letter()C", Literal::Char(97)),
                ("small()B", Literal::Byte(1)),
            ] {
                let value = it.literal(literal);
                it.returns(store, &format!("depot/Depot$Store.{method}"), value);
            }
            let kind = it.read(None, "depot/Depot$Kind.LARGE:Ldepot/Depot$Kind;");
            it.returns(store, "depot/Depot$Store.kind()Ldepot/Depot$Kind;", kind);
            let sizes = it.array("[I", 3);
            it.returns(store, "depot/Depot$Store.sizes()[I", sizes);
            let depot = it.depot(store);
            let text = it.call_on(depot, "depot/Depot.describe()Ljava/lang/String;", &[]);
            it.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[text]);
        },
        r"
Depot.Store store = mock(Depot.Store.class);
when(store.total()).thenReturn(1L);
when(store.flag()).thenReturn(true);
when(store.letter()).thenReturn('a');
when(store.small()).thenReturn((byte) 1);
when(store.kind()).thenReturn(Depot.Kind.LARGE);
when(store.sizes()).thenReturn(new int[3]);
Depot depot = new Depot(store);
String text = depot.describe();
Integer.parseInt(text);
",
        r#"throws java.lang.NumberFormatException: For input string: "LARGE1truea1" at "#,
    );
}

#[test]
fn overloads_are_told_apart() {
    check(
        |it| {
            let store = it.store();
            let parameters = ["Ljava/lang/String;", "Ljava/lang/Object;", "I", "Ljava/lang/Integer;"];
            for (of, text) in parameters.iter().zip(["s", "o", "i", "I"]) {
                let value = it.text(text);
                it.returns(store, &format!("depot/Depot$Store.pick({of})Ljava/lang/Object;"), value);
            }
            let depot = it.depot(store);
            let text = it.call_on(depot, "depot/Depot.choose()Ljava/lang/String;", &[]);
            it.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[text]);
        },
        r#"
Depot.Store store = mock(Depot.Store.class);
when(store.pick((String) any())).thenReturn("s");
when(store.pick((Object) any())).thenReturn("o");
when(store.pick(anyInt())).thenReturn("i");
when(store.pick((Integer) any())).thenReturn("I");
Depot depot = new Depot(store);
String text = depot.choose();
Integer.parseInt(text);
"#,
        r#"throws java.lang.NumberFormatException: For input string: "soiI" at "#,
    );
}

#[test]
fn any_number_of_arguments_is_matched() {
    check(
        |it| {
            let (store, value) = (it.store(), it.text("x"));
            it.returns(
                store,
                "depot/Depot$Store.join(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
                value,
            );
            let number = it.int(3);
            it.returns(store, "depot/Depot$Store.sum([I)I", number);
            let depot = it.depot(store);
            let text = it.call_on(depot, "depot/Depot.join()Ljava/lang/String;", &[]);
            it.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[text]);
        },
        r#"
Depot.Store store = mock(Depot.Store.class);
when(store.join(any(), any())).thenReturn("x");
when(store.sum(any())).thenReturn(3);
Depot depot = new Depot(store);
String text = depot.join();
Integer.parseInt(text);
"#,
        r#"throws java.lang.NumberFormatException: For input string: "xxx" at "#,
    );
}

#[test]
fn a_spy_has_the_state_of_its_object_and_runs_what_it_is_not_told() {
    check_on(
        &all_jdks(),
        |it| {
            let sum = it.int(7);
            let till = it.construct("depot/Depot$Till.<init>(I)V", &[sum]);
            let till = it.spy("depot/Depot$Till", till);
            it.stub(till, "depot/Depot$Till.open()V", Answer::Nothing);
            it.call_on(till, "depot/Depot$Till.tell()V", &[]);
        },
        "
Depot.Till till = spy(new Depot.Till(7));
doNothing().when(till).open();
till.tell();
",
        "throws java.lang.IllegalArgumentException: sum 7 at depot.Depot$Till.tell",
    );
}

#[test]
fn exceptions_are_thrown_declared_or_not() {
    check(
        |it| {
            let store = it.store();
            let closed = it.construct("java/lang/IllegalStateException.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.close()V", closed);
            let thrown = it.construct("java/lang/IllegalArgumentException.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.name(I)Ljava/lang/String;", thrown);
            let name = it.text("a");
            it.returns(store, "depot/Depot$Store.name(I)Ljava/lang/String;", name);
            let checked = it.construct("java/lang/Exception.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.total()J", checked);
            let declared = it.construct("java/io/FileNotFoundException.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.save(Ljava/lang/String;)V", declared);
            let depot = it.depot(store);
            it.call_on(depot, "depot/Depot.save()Ljava/lang/String;", &[]);
        },
        r#"
throws IOException
Depot.Store store = mock(Depot.Store.class);
doThrow(new IllegalStateException()).when(store).close();
doThrow(new IllegalArgumentException()).when(store).name(anyInt());
doReturn("a").when(store).name(anyInt());
Exception exception = new Exception();
doAnswer(invocation -> { throw exception.fillInStackTrace(); }).when(store).total();
FileNotFoundException fileNotFoundException = new FileNotFoundException();
doThrow(fileNotFoundException).when(store).save(any());
Depot depot = new Depot(store);
depot.save();
"#,
        "throws java.lang.IllegalStateException: not saved at depot.Depot.save",
    );
}

/// A runner that runs what it is given, work with a store that knows nothing.
fn runner(it: &mut Draft) -> Var {
    let (store, runner) = (it.store(), it.mock("depot/Depot$Runner", false));
    let method = it.method("depot/Depot$Work.in(Ldepot/Depot$Store;I)Ljava/lang/Object;");
    let callback = Callback { parameter: 1, method, place: 0 };
    let run = "depot/Depot$Runner.run(Ljava/lang/String;Ldepot/Depot$Work;)Ljava/lang/Object;";
    it.stub(runner, run, Answer::Call { callback, value: store });
    let method = it.method("java/lang/Runnable.run()V");
    let callback = Callback { parameter: 0, method, place: 0 };
    let later = "depot/Depot$Runner.later(Ljava/lang/Runnable;)V";
    it.stub(runner, later, Answer::Call { callback, value: runner });
    it.call("depot/Depot.work(Ldepot/Depot$Runner;)I", &[runner]);
    runner
}

#[test]
fn a_mock_calls_what_it_is_given() {
    check_on(
        &all_jdks(),
        |it| {
            runner(it);
        },
        r#"
Depot.Store store = mock(Depot.Store.class);
Depot.Runner runner = mock(Depot.Runner.class);
doAnswer(invocation -> ((Depot.Work) invocation.getArguments()[1]).in(store, 0))
.when(runner)
.run(any(), any());
doAnswer(invocation -> { ((Runnable) invocation.getArguments()[0]).run(); return null; })
.when(runner)
.later(any());
Depot.work(runner);
"#,
        "passes",
    );
}

#[test]
fn a_mock_answers_the_first_call_otherwise_than_those_that_follow() {
    check_on(
        &all_jdks(),
        |it| {
            let store = it.store();
            let (yes, no) = (it.literal(Literal::Boolean(true)), it.literal(Literal::Boolean(false)));
            it.stub(store, "depot/Depot$Store.flag()Z", Answer::Sequence { first: yes, then: no });
            let (one, other) = (it.text("a"), it.text("b"));
            let name = "depot/Depot$Store.name(I)Ljava/lang/String;";
            it.stub(store, name, Answer::Sequence { first: one, then: other });
            let clerk = it.mock("depot/Depot$Clerk", true);
            let prefix = "depot/Depot$Clerk.prefix()Ljava/lang/String;";
            it.stub(clerk, prefix, Answer::Sequence { first: one, then: other });
            let depot = it.depot(store);
            it.call_on(depot, "depot/Depot.drain()I", &[]);
        },
        r#"
Depot.Store store = mock(Depot.Store.class);
when(store.flag()).thenReturn(true).thenReturn(false);
when(store.name(anyInt())).thenReturn("a").thenReturn("b");
Depot.Clerk clerk = mock(Depot.Clerk.class, CALLS_REAL_METHODS);
doReturn("a").doReturn("b").when(clerk).prefix();
Depot depot = new Depot(store);
depot.drain();
"#,
        "throws java.lang.ArithmeticException: / by zero at depot.Depot.drain",
    );
}

#[test]
fn a_mock_answers_calls_that_ask_for_a_class() {
    check_on(
        &all_jdks(),
        |it| {
            let registry = it.mock("depot/Depot$Registry", false);
            let find = "depot/Depot$Registry.find(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;";
            for class in ["depot/Depot$Store", "depot/Depot$Clerk"] {
                let of = it.of(&format!("L{class};"));
                let (service, class) = (it.mock(class, false), it.literal(Literal::Class(of)));
                it.stub_for(registry, find, class, Answer::Return(service));
            }
            it.call("depot/Depot.look(Ldepot/Depot$Registry;)I", &[registry]);
        },
        "
Depot.Registry registry = mock(Depot.Registry.class);
doReturn(mock(Depot.Store.class)).when(registry).find(eq(Depot.Store.class), any());
doReturn(mock(Depot.Clerk.class)).when(registry).find(eq(Depot.Clerk.class), any());
Depot.look(registry);
",
        "throws java.lang.NullPointerException:  at depot.Depot.look",
    );
}

#[test]
fn what_a_mock_keeps_can_be_called() {
    check_on(
        &all_jdks(),
        |it| {
            let runner = it.mock("depot/Depot$Runner", false);
            it.call("depot/Depot.work(Ldepot/Depot$Runner;)I", &[runner]);
            let kept = it.kept(runner, "depot/Depot$Runner.later(Ljava/lang/Runnable;)V");
            it.call_on(kept, "java/lang/Runnable.run()V", &[]);
        },
        r#"
Depot.Runner runner = mock(Depot.Runner.class);
Depot.work(runner);
Runnable runnable = (Runnable) lastGiven(runner, "later", 0);
runnable.run();
"#,
        "passes",
    );
}

/// The program catches the exception and wraps it; the test throws the one in question itself.
#[test]
fn what_a_mock_is_given_is_thrown_in_the_end() {
    let mut draft = Draft::default();
    runner(&mut draft);
    for (junit, exception, outcome) in [
        (&*JUNIT_5, "java.lang.NullPointerException", "throws java.lang.NullPointerException"),
        (&*JUNIT_5, "java.lang.IllegalStateException", "throws java.lang.IllegalStateException"),
        (&*JUNIT_5, "java.lang.ArithmeticException", "passes"),
    ] {
        let received = Received::ByMocks(exception);
        let source = draft.source_that_rethrows("depot", junit.junit, Mode::Fails, received);
        let ended = ended(&run(&source, &MOCKITO, &jdk()));
        assert!(ended.starts_with(outcome), "{ended} with {exception}: {}", source.text);
    }
}

#[test]
fn what_a_mock_throws_comes_from_the_call() {
    check(
        |it| {
            let store = it.store();
            let checked = it.construct("java/lang/Exception.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.names()Ljava/util/List;", checked);
            let depot = it.depot(store);
            it.call_on(depot, "depot/Depot.count()I", &[]);
        },
        r"
Depot.Store store = mock(Depot.Store.class);
Exception exception = new Exception();
doAnswer(invocation -> { throw exception.fillInStackTrace(); }).when(store).names();
Depot depot = new Depot(store);
depot.count();
",
        "throws java.lang.Exception:  at ",
    );
    check(
        |it| {
            let store = it.store();
            let thrown = it.construct("java/lang/IllegalStateException.<init>()V", &[]);
            it.throws(store, "depot/Depot$Store.names()Ljava/util/List;", thrown);
            let depot = it.depot(store);
            it.call_on(depot, "depot/Depot.count()I", &[]);
        },
        r"
Depot.Store store = mock(Depot.Store.class);
doThrow(new IllegalStateException()).when(store).names();
Depot depot = new Depot(store);
depot.count();
",
        "throws java.lang.IllegalStateException:  at depot.Depot.count",
    );
}

#[test]
fn a_partial_mock_runs_the_rest() {
    check_on(
        &all_jdks(),
        |it| {
            let clerk = it.mock("depot/Depot$Clerk", true);
            let null = it.null("Ljava/lang/String;");
            it.returns(clerk, "depot/Depot$Clerk.prefix()Ljava/lang/String;", null);
            let text = it.text("a");
            it.returns(clerk, "depot/Depot$Clerk.name(Ljava/lang/String;)Ljava/lang/String;", text);
            it.call_on(clerk, "depot/Depot$Clerk.greet(Ljava/lang/String;)Ljava/lang/String;", &[null]);
        },
        r#"
Depot.Clerk clerk = mock(Depot.Clerk.class, CALLS_REAL_METHODS);
doReturn(null).when(clerk).prefix();
doReturn("a").when(clerk).name(any());
clerk.greet(null);
"#,
        "throws java.lang.NullPointerException:  at depot.Depot$Clerk.greet",
    );
}

#[test]
fn erased_parameters_are_reached_through_the_type_that_declares_them() {
    check(
        |it| {
            let unranked = it.mock("depot/Depot$Unranked", true);
            let number = it.int(21);
            it.returns(unranked, "depot/Depot$Unranked.compareTo(Ljava/lang/Object;)I", number);
            let null = it.null("Ldepot/Depot$Unranked;");
            let twice = it.call_on(unranked, "depot/Depot$Unranked.twice(Ldepot/Depot$Unranked;)I", &[null]);
            let ranked = it.mock("depot/Depot$Ranked", false);
            it.returns(ranked, "depot/Depot$Ranked.compareTo(Ldepot/Depot$Ranked;)I", twice);
            let store = it.store();
            it.returns(
                store,
                "depot/Depot$Store.largest(Ljava/util/List;Ljava/lang/Comparable;)Ljava/lang/Comparable;",
                ranked,
            );
        },
        r"
Depot.Unranked unranked = mock(Depot.Unranked.class, CALLS_REAL_METHODS);
doReturn(21).when(unranked).compareTo(any());
int number = unranked.twice(null);
Depot.Ranked ranked = mock(Depot.Ranked.class);
when(ranked.compareTo((Depot.Ranked) any())).thenReturn(number);
Depot.Store store = mock(Depot.Store.class);
doReturn(ranked).when(store).largest(any(), any());
",
        "passes",
    );
}

#[test]
fn fields_are_filled_as_a_container_would() {
    let component = "depot/Depot$Component";
    check(
        |it| {
            let component_ = it.construct(&format!("{component}.<init>()V"), &[]);
            let (store, name, limit) = (it.store(), it.text("a"), it.int(7));
            it.returns(store, "depot/Depot$Store.name(I)Ljava/lang/String;", name);
            it.inject(component_, &format!("{component}.store:Ldepot/Depot$Store;"), store);
            it.inject(component_, &format!("{component}.limit:I"), limit);
            it.inject(component_, "depot/Depot$Base.store:Ldepot/Depot$Store;", store);
            it.inject(component_, &format!("{component}.other:Ldepot/Depot$Store;"), store);
            let clerk = it.mock("depot/Depot$Clerk", true);
            it.inject(component_, &format!("{component}.clerk:Ldepot/Depot$Clerk;"), clerk);
            it.call_on(component_, &format!("{component}.first()I"), &[]);
            let null = it.null("Ldepot/Depot$Clerk;");
            it.call_on(component_, &format!("{component}.second()Ljava/lang/String;"), &[]);
            it.inject(component_, &format!("{component}.clerk:Ldepot/Depot$Clerk;"), null);
            it.call_on(component_, &format!("{component}.second()Ljava/lang/String;"), &[]);
        },
        r#"
throws ReflectiveOperationException
Depot.Component component = new Depot.Component();
Depot.Store store = mock(Depot.Store.class);
when(store.name(anyInt())).thenReturn("a");
inject(component, "store", store);
inject(component, "limit", 7);
inject(component, Depot.Base.class, "store", store);
inject(component, "other", store);
inject(component, "clerk", mock(Depot.Clerk.class, CALLS_REAL_METHODS));
component.first();
component.second();
inject(component, "clerk", null);
component.second();
"#,
        "throws java.lang.NullPointerException:  at depot.Depot$Component.second",
    );
}

#[test]
fn a_test_without_mocks_needs_no_mockito() {
    let mut draft = Draft::default();
    let depot = draft.call("depot/Depot$Component.create()Ldepot/Depot$Component;", &[]);
    let number = draft.int(7);
    draft.inject(depot, "depot/Depot$Component.limit:I", number);
    let source = draft.source("depot", JUNIT_5.junit, Mode::Fails, &[]);
    assert!(!source.needs_mockito(), "{}", source.text);
    assert!(
        source.text.contains("inject(component, Depot.Component.class, \"limit\", 7);"),
        "{}",
        source.text
    );
    assert_eq!(run(&source, &MOCKITO, &jdk()), Run::Passed, "{}", source.text);
}

#[test]
fn anonymous_classes_answer_without_a_mock_library() {
    check_on(
        &all_jdks(),
        |it| {
            let work = it.anonymous("depot/Depot$Runner");
            let name = it.text("late");
            let thrown = it.construct("java/lang/IllegalStateException.<init>(Ljava/lang/String;)V", &[name]);
            it.throws(work, "depot/Depot$Runner.later(Ljava/lang/Runnable;)V", thrown);
            it.call("depot/Depot.work(Ldepot/Depot$Runner;)I", &[work]);
        },
        r#"
Depot.Runner runner = new Depot.Runner() {
@Override
public Object run(String text, Depot.Work work) {
return null;
}

@Override
public void later(Runnable runnable) {
throw new IllegalStateException("late");
}

@Override
public void failed(String text, Exception exception) {
}
};
Depot.work(runner);
"#,
        "throws java.lang.IllegalStateException: late at depot.SomeTest$1.later, depot.Depot.work",
    );
}

/// An object that is answered is the same for all calls.
#[test]
fn anonymous_classes_answer_with_objects_that_were_made_before() {
    check(
        |it| {
            let registry = it.anonymous("depot/Depot$Registry");
            let store = it.store();
            it.returns(
                registry,
                "depot/Depot$Registry.find(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;",
                store,
            );
            it.call("depot/Depot.look(Ldepot/Depot$Registry;)I", &[registry]);
        },
        "
Depot.Store store = mock(Depot.Store.class);
Depot.Registry registry = new Depot.Registry() {
@Override
public Object find(Class type, String text) {
return store;
}
};
Depot.look(registry);
",
        "throws java.lang.NullPointerException:  at depot.Depot.look",
    );
}
