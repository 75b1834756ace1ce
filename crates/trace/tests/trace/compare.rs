//! The definition of "reproduced at frame k".

use crashback_trace::compare::{Agreement, TargetFrame, compare, is_dropped, is_mock_library};
use crashback_trace::{Frame, parse};

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
    let logged = parse(LOGGED.as_bytes());
    let produced = parse(produced.as_bytes());
    let (logged, produced) =
        (logged.crashes[0].outermost().unwrap(), produced.crashes[0].outermost().unwrap());
    let target = |(index, frame)| TargetFrame { frame, shifted_line: (index == 4).then_some(22) };
    let target: Vec<TargetFrame<'_>> = logged.frames.iter().enumerate().map(target).collect();
    compare(&logged.class, &target, &produced.class, &produced.frames, |frame| is_dropped(frame, is_jdk))
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
        Agreement { exception: true, level: 6, frames: 3, line_shifted: false, difference: None }
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
    assert_eq!((found.level, found.frames, found.line_shifted), (5, 2, true));
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
