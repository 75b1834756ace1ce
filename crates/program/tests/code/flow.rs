//! Lines, blocks, loops and control dependence of the statements of Java.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crashback_program::code::{Cfg, Closeness, ControlDependence, EdgeKind, Flow, MethodBody};

use crate::support::{Subject, body};

static SUBJECT: LazyLock<Subject> = LazyLock::new(|| Subject::compile(SOURCE, &[]));

const SOURCE: &str = r#"
class Flows {
    static void use(Object o) {}
    static boolean ask(int n) { return n > 0; }

    static int ifElse(int a) {
        if (a > 0) { // @if
            a = 1; // @then
        } else {
            a = 2; // @else
        }
        return a; // @join
    }

    static void andOr(int a, int b) {
        if (ask(a) && // @and-left
            ask(b)) { // @and-right
            use("both"); // @both
        }
    }

    static void nested(int a, int b, int c) {
        if (a > 0) { // @outer
            if (b > 0) { // @middle
                if (c > 0) { // @inner
                    use("deep"); // @deep
                }
            }
        }
        use("end"); // @nested-end
    }

    static void earlyReturn(int a) {
        if (a < 0) { // @guard
            return; // @leave
        }
        use("after"); // @guarded
    }

    static void loops(int n) {
        while (n > 0) { // @while
            n--; // @while-body
        }
        do {
            n++; // @do-body
        } while (n < 5); // @do
        for (int i = 0; i < n; i++) { // @for
            for (int j = 0; j < i; j++) { // @for-inner
                use("pair"); // @pair
            }
        }
    }

    static void endless(int n) {
        for (;;) {
            n++; // @endless-head
            if (ask(n)) { // @endless-if
                use("hit"); // @hit
            }
        }
    }

    static void nestedEndless(boolean a) {
        if (a) { // @choose
            while (true) { use("first"); } // @first-loop
        }
        while (true) { use("second"); } // @second-loop
    }

    static int numbers(int n) {
        switch (n) { // @switch
            case 1: return 10; // @one
            case 2: // @two
            case 7: n++; // @seven
            default: return n; // @rest
        }
    }

    static int strings(String s) {
        switch (s) { // @string-switch
            case "Aa": return 1; // @string-a
            case "BB": return 2; // @string-b
            default: return 3; // @string-rest
        }
    }

    enum Color { RED, GREEN }

    static int enums(Color c) {
        switch (c) { // @enum-switch
            case RED: return 1; // @red
            default: return 2; // @not-red
        }
    }

    static void handlers(int a) {
        try {
            use(Integer.valueOf(a)); // @tried
        } catch (RuntimeException e) { // @catch
            if (a > 3) { // @in-handler
                use("handled"); // @handled
            }
        }
        use("after"); // @after-handler
    }

    static void statement(int a) {
        use( // @statement
            Integer.valueOf( // @argument
                a + 1)); // @sum
    }

    static void both(int a) {
        try {
            use("in"); // @in-try
        } finally {
            use("finally"); // @finally
        }
    }
}
"#;

/// The branches on which a line depends, with their approach levels. A level may occur for several
/// lines and a line for several levels; the smallest counts.
fn controllers(method: &str, target: &str) -> BTreeMap<String, u32> {
    let (body, cfg) = method_of(method);
    let levels = ControlDependence::of(&cfg, Flow::Normal)
        .approach(&cfg, cfg.blocks_of_line(&body, SUBJECT.line(target)));
    let mut found = BTreeMap::new();
    for (edge, level) in levels.edges() {
        let last = cfg.block(cfg.edge(edge).unwrap().from).unwrap().instructions.end - 1;
        let line = SUBJECT.marker(body.line_of(last).unwrap());
        let known = found.entry(line).or_insert(level);
        *known = level.min(*known);
    }
    found
}

fn method_of(name: &str) -> (MethodBody<'static>, Cfg) {
    let body = body(SUBJECT.class("Flows"), name);
    let cfg = Cfg::of(&body);
    (body, cfg)
}

#[track_caller]
fn check(method: &str, target: &str, expect: &[(&str, u32)]) {
    let expect: BTreeMap<String, u32> =
        expect.iter().map(|&(line, level)| (line.to_owned(), level)).collect();
    assert_eq!(controllers(method, target), expect, "{target} in {method}");
}

#[test]
fn branches_control_their_sides_and_nothing_else() {
    check("ifElse", "then", &[("if", 0)]);
    check("ifElse", "else", &[("if", 0)]);
    check("ifElse", "join", &[]);
    check("ifElse", "if", &[]);
    check("andOr", "both", &[("and-right", 0), ("and-left", 1)]);
    check("nested", "deep", &[("inner", 0), ("middle", 1), ("outer", 2)]);
    check("nested", "nested-end", &[]);
    check("earlyReturn", "guarded", &[("guard", 0)]);
    check("earlyReturn", "leave", &[("guard", 0)]);
}

#[test]
fn loops_control_their_bodies() {
    check("loops", "while-body", &[("while", 0)]);
    check("loops", "do-body", &[("do", 0)]);
    check("loops", "pair", &[("for-inner", 0), ("for", 1)]);
}

#[test]
fn endless_loops_have_dependences_too() {
    check("endless", "hit", &[("endless-if", 0)]);
    // The head depends on the branch that jumps back to it, as in any loop.
    check("endless", "endless-head", &[("endless-if", 0)]);
    check("nestedEndless", "first-loop", &[("choose", 0)]);
    check("nestedEndless", "second-loop", &[("choose", 0)]);
}

#[test]
fn switches_control_their_cases() {
    check("numbers", "one", &[("switch", 0)]);
    check("numbers", "seven", &[("switch", 0)]);
    check("numbers", "rest", &[("switch", 0)]);
    check("enums", "red", &[("enum-switch", 0)]);
    check("strings", "string-a", &[("string-switch", 0)]);
    let (_, cfg) = method_of("numbers");
    let kinds: Vec<EdgeKind> =
        cfg.edges().iter().map(|edge| edge.kind).filter(|kind| is_case(*kind)).collect();
    assert_eq!(kinds, [EdgeKind::Case(1), EdgeKind::Case(2), EdgeKind::Case(7), EdgeKind::Default]);
}

fn is_case(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Case(_) | EdgeKind::Default)
}

#[test]
fn handlers_depend_on_the_code_that_they_cover() {
    check("handlers", "catch", &[("tried", 0)]);
    check("handlers", "handled", &[("in-handler", 0), ("tried", 1)]);
    check("handlers", "after-handler", &[]);
}

#[test]
fn loop_heads_are_where_conditions_or_bodies_begin() {
    for (method, expect) in [
        ("ifElse", &[][..]),
        ("loops", &["while", "do-body", "for", "for-inner"]),
        ("endless", &["endless-head"]),
        ("nestedEndless", &["first-loop", "second-loop"]),
    ] {
        let (body, cfg) = method_of(method);
        let first = |id| cfg.block(id).unwrap().instructions.start;
        let heads = cfg.loop_heads(Flow::WithExceptions).into_iter().map(first);
        let lines: Vec<String> = heads.map(|index| SUBJECT.marker(body.line_of(index).unwrap())).collect();
        assert_eq!(lines, expect, "{method}");
    }
}

#[test]
fn closeness_names_the_nearest_branch_that_was_missed() {
    let (body, cfg) = method_of("nested");
    let blocks = |marker: &str| cfg.blocks_of_line(&body, SUBJECT.line(marker));
    let levels = ControlDependence::of(&cfg, Flow::Normal).approach(&cfg, blocks("deep"));
    let closest = |executed: &[&str]| {
        let executed: Vec<_> = executed.iter().flat_map(|marker| blocks(marker)).collect();
        levels.closest(&cfg, |block| executed.contains(&block))
    };
    let level_of = |closeness| match closeness {
        Closeness::Missed { level, .. } => Some(level),
        _ => None,
    };
    assert_eq!(closest(&["outer", "middle", "inner", "deep"]), Closeness::Reached);
    assert_eq!(level_of(closest(&["outer", "middle", "inner"])), Some(0));
    assert_eq!(level_of(closest(&["outer", "middle"])), Some(1));
    assert_eq!(level_of(closest(&["outer"])), Some(2));
    assert_eq!(closest(&[]), Closeness::Far);
    assert_eq!(levels.depth(), 3);
    let Closeness::Missed { edge, .. } = closest(&["outer"]) else { panic!("it was missed") };
    // The compiler jumps over the body when the condition does not hold.
    assert_eq!(cfg.edge(edge).unwrap().kind, EdgeKind::Next);
}

#[test]
fn lines_own_runs_of_instructions() {
    let runs = |method: &str, marker: &str| {
        body(SUBJECT.class("Flows"), method).instructions_at_line(SUBJECT.line(marker))
    };
    assert_eq!(runs("ifElse", "then").len(), 1);
    assert_eq!(runs("loops", "for").len(), 2, "the condition and the update");
    assert_eq!(runs("both", "finally").len(), 2, "one copy for each way out");
    // The statement begins on its first line, and the outer call returns to it after the line of
    // the argument.
    assert_eq!(runs("statement", "statement").len(), 2);
    assert_eq!(runs("statement", "argument").len(), 1);
    let (body, cfg) = method_of("statement");
    let lines: Vec<String> = body.lines().into_iter().map(|line| SUBJECT.marker(line)).collect();
    assert_eq!(lines.first().map(String::as_str), Some("statement"));
    let blocks = cfg.blocks_of_line(&body, SUBJECT.line("statement"));
    assert_eq!(cfg.lines_of_block(&body, blocks[0]), body.lines());
    for (index, instruction) in body.instructions().iter().enumerate() {
        assert_eq!(body.index_at(instruction.offset), Some(index));
    }
    assert_eq!(body.index_at(u32::MAX), None);
}
