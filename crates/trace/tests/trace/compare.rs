//! The definition of "reproduced at frame k".

use crashback_trace::compare::{
    Agreement, Lines, Standing, TargetFrame, compare, is_dropped, is_mock_library, is_runtime_machinery,
};
use crashback_trace::{Frame, Relaxation, Relaxations, parse};

const LOGGED: &str = "java.lang.IllegalStateException: logged
\tat java.util.Objects.check(Objects.java:9)
\tat app.Inner.lambda$work$1(Inner.java:10)
\tat app.Inner$$Lambda$7/0x01.run(Unknown Source)
\tat java.lang.reflect.Method.invoke(Method.java:498)
\tat app.Middle.go(Middle.java:20)
\tat app.Outer.main(Outer.java:30)";

/// Whether a class belongs to the JDK, as far as these tests go.
fn is_jdk(class: &str) -> bool {
    class.starts_with("java.") || class.starts_with("jdk.")
}

/// Compares a produced trace with the logged one, level 5 of which may also be on line 22.
fn agreement(produced: &str) -> Agreement {
    agreement_with(LOGGED, produced, |index| match index {
        4 => Lines::Replaced(Relaxation::ShiftedLine, &[22]),
        _ => Lines::Logged,
    })
}

/// The same for another log, whose frames of `lib` are of another build of a library.
fn agreement_with<'l>(logged: &str, produced: &str, lines: impl Fn(usize) -> Lines<'l>) -> Agreement {
    let logged = parse(logged.as_bytes());
    let produced = parse(produced.as_bytes());
    let (logged, produced) =
        (logged.crashes[0].outermost().unwrap(), produced.crashes[0].outermost().unwrap());
    let target = |(index, frame)| TargetFrame { frame, lines: lines(index) };
    let target: Vec<TargetFrame<'_>> = logged.frames.iter().enumerate().map(target).collect();
    compare(&logged.class, &target, 0, &produced.class, &produced.frames, |frame| match frame {
        it if is_dropped(it, is_jdk) => Standing::Dropped,
        it if is_runtime_machinery(it) => Standing::PassedOver,
        it if it.class.starts_with("lib.") => Standing::MayStandBetween,
        _ => Standing::Counts,
    })
}

#[test]
fn frames_that_do_not_count_are_passed_over() {
    let found = agreement(
        "java.lang.IllegalStateException
\tat app.Inner.lambda$work$0(Inner.java:10)
\tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
\tat app.Middle$MockitoMock$1.go(Unknown Source)
\tat app.Middle.go(Middle.java:20)
\tat app.Outer.main(Outer.java:30)
\tat app.Test.test(Test.java:1)",
    );
    assert_eq!(
        found,
        Agreement {
            exception: true,
            level: 6,
            frames: 3,
            relaxations: Relaxations::default(),
            difference: None
        }
    );
    assert!(
        found.reproduced_at(6)
            && found.reproduced_at(2)
            && !found.reproduced_at(7)
            && !found.reproduced_at(0)
    );
}

#[test]
fn a_shifted_line_is_accepted_and_told() {
    let found = agreement(
        "java.lang.IllegalStateException
\tat app.Inner.lambda$work$1(Inner.java:10)
\tat app.Middle.go(Middle.java:22)
\tat app.Outer.main(Outer.java:31)",
    );
    assert_eq!((found.level, found.frames), (5, 2));
    assert_eq!(found.relaxations, Relaxation::ShiftedLine.into());
    let words = "at level 6, the log has app.Outer.main line 30, the produced trace app.Outer.main line 31";
    assert_eq!(found.difference.as_deref(), Some(words));
}

#[test]
fn frames_between_are_a_difference() {
    let found = agreement(
        "java.lang.IllegalStateException
\tat app.Inner.lambda$work$1(Inner.java:10)
\tat app.Other.between(Other.java:1)
\tat app.Middle.go(Middle.java:20)",
    );
    assert_eq!((found.level, found.frames), (2, 1));
    assert!(!found.reproduced_at(5));
}

/// A project over a library, in a container.
const LIBRARY: &str = "java.lang.IllegalStateException
\tat app.Rule.check(Rule.java:4)
\tat lib.Engine.run(Engine.java:70)
\tat app.Job.work(Job.java:9)
\tat org.apache.catalina.core.StandardWrapper.call(StandardWrapper.java:5)
\tat app.Filter.pass(Filter.java:8)";

fn library_agreement(produced: &str) -> Agreement {
    let lines = |index| if index == 1 { Lines::Any(Relaxation::LibraryLines) } else { Lines::Logged };
    agreement_with(LIBRARY, &format!("java.lang.IllegalStateException\n{produced}"), lines)
}

#[test]
fn frames_of_another_build_of_a_library_agree_by_class_and_method() {
    let found = library_agreement(
        "\tat app.Rule.check(Rule.java:4)
\tat lib.Engine.run(Engine.java:99)
\tat app.Job.work(Job.java:9)",
    );
    assert_eq!((found.level, found.relaxations), (3, Relaxation::LibraryLines.into()));
    for other in ["lib.Engine.stop(Engine.java:70)", "lib.Motor.run(Engine.java:70)"] {
        let found = library_agreement(&format!(
            "\tat app.Rule.check(Rule.java:4)\n\tat {other}\n\tat app.Job.work(Job.java:9)"
        ));
        assert_eq!((found.level, found.relaxations), (1, Relaxations::default()), "{other}");
    }
    // Lines of the project still count.
    let found = library_agreement("\tat app.Rule.check(Rule.java:5)\n\tat lib.Engine.run(Engine.java:99)");
    assert_eq!((found.level, found.relaxations), (0, Relaxations::default()));
}

#[test]
fn frames_that_the_log_of_another_build_lacks_may_stand_between_and_are_told() {
    let found = library_agreement(
        "\tat app.Rule.check(Rule.java:4)
\tat lib.Step.apply(Step.java:1)
\tat lib.Engine.run(Engine.java:70)
\tat lib.Engine.start(Engine.java:60)
\tat app.Job.work(Job.java:9)",
    );
    assert_eq!((found.level, found.relaxations), (3, Relaxation::LibraryFrames.into()));
    let found = library_agreement(
        "\tat app.Rule.check(Rule.java:4)
\tat app.Step.apply(Step.java:1)
\tat lib.Engine.run(Engine.java:70)",
    );
    assert_eq!(
        (found.level, found.relaxations),
        (1, Relaxations::default()),
        "frames of the project may not"
    );
}

#[test]
fn frames_of_a_container_are_passed_over_and_told() {
    let found = library_agreement(
        "\tat app.Rule.check(Rule.java:4)
\tat lib.Engine.run(Engine.java:70)
\tat app.Job.work(Job.java:9)
\tat app.Filter.pass(Filter.java:8)",
    );
    assert_eq!((found.level, found.relaxations), (5, Relaxation::RuntimeFrames.into()));
}

#[test]
fn machinery_around_programs_is_told_by_its_names() {
    let frame = |class: &str, method: &str| Frame {
        class: class.to_owned(),
        method: method.to_owned(),
        ..Frame::default()
    };
    for (class, method) in [
        ("com.acme.boot.PluginClassLoader", "loadClass"),
        ("com.acme.boot.PluginClassLoader$1", "findClass"),
        ("org.eclipse.jetty.server.Server", "handle"),
    ] {
        assert!(is_runtime_machinery(&frame(class, method)), "{class}.{method}");
    }
    for (class, method) in [
        ("com.acme.boot.PluginClassLoader", "close"),
        ("com.acme.boot.Plugins", "loadClass"),
        ("com.acme.jetty.Server", "handle"),
    ] {
        assert!(!is_runtime_machinery(&frame(class, method)), "{class}.{method}");
    }
}

#[test]
fn another_exception_reproduces_nothing() {
    let found = agreement("java.lang.IllegalArgumentException\n\tat app.Inner.lambda$work$1(Inner.java:10)");
    assert!(!found.exception && !found.reproduced_at(2));
    let words = "java.lang.IllegalArgumentException was thrown, not java.lang.IllegalStateException";
    assert_eq!(found.difference.as_deref(), Some(words));
}

#[test]
fn a_lambda_agrees_with_lambdas_of_its_method_alone() {
    for (method, level) in
        [("lambda$work$9", 2), ("lambda$null$0", 2), ("lambda$7", 2), ("lambda$other$1", 0), ("work", 0)]
    {
        let found =
            agreement(&format!("java.lang.IllegalStateException\n\tat app.Inner.{method}(Inner.java:10)"));
        assert_eq!(found.level, level, "{method}");
    }
}

#[test]
fn too_short_a_trace_is_a_difference() {
    let found = agreement("java.lang.IllegalStateException\n\tat app.Inner.lambda$work$1(Inner.java:10)");
    assert_eq!(found.level, 2);
    assert_eq!(found.difference.as_deref(), Some("at level 5, the produced trace has no further frame"));
}

#[test]
fn an_unqualified_exception_agrees_by_simple_name() {
    use crashback_trace::compare::same_exception;
    assert!(same_exception("IndexNotFoundException", "org.example.IndexNotFoundException"));
    assert!(same_exception("Deep", "org.example.Nested$Deep"));
    assert!(!same_exception("NotFoundException", "org.example.IndexNotFoundException"));
    assert!(!same_exception("a.X", "b.X"));
}

#[test]
fn mock_libraries_are_known_but_not_dropped_unasked() {
    let frame = Frame {
        class: "org.mockito.internal.Handler".to_owned(),
        method: "handle".to_owned(),
        ..Frame::default()
    };
    assert!(is_mock_library(&frame.class) && !is_dropped(&frame, is_jdk));
}
