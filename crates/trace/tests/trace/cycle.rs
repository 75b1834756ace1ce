//! Stack overflows: traces that repeat a cycle of calls.

use crashback_trace::compare::{Agreement, Lines, Standing, TargetFrame, compare, is_dropped};
use crashback_trace::{Cycle, Relaxation, Relaxations, Throwable, parse};

/// A trace of an exception, from methods with lines, innermost first.
fn trace(exception: &str, frames: &[&str]) -> Throwable {
    let line = |frame: &&str| {
        let (method, line) = frame.split_once(':').unwrap();
        format!("\tat {method}(Source.java:{line})\n")
    };
    let text = format!("{exception}\n{}", frames.iter().map(line).collect::<String>());
    parse(text.as_bytes()).crashes[0].outermost().unwrap().clone()
}

/// A trace of an overflow: these frames, then so many of a cycle, then others.
fn overflow(below: &[&str], cycle: &[&str], count: usize, above: &[&str]) -> Throwable {
    let repeated = cycle.iter().copied().cycle().take(count);
    let frames: Vec<&str> = below.iter().copied().chain(repeated).chain(above.iter().copied()).collect();
    trace("java.lang.StackOverflowError", &frames)
}

fn folded(mut throwable: Throwable) -> Throwable {
    throwable.fold();
    throwable
}

fn places(throwable: &Throwable) -> Vec<String> {
    let place = |it: &crashback_trace::Frame| format!("{}.{}:{}", it.class, it.method, it.line().unwrap());
    throwable.frames.iter().map(place).collect()
}

/// Compares a produced trace with the folded log.
fn agreement(logged: &Throwable, produced: &Throwable) -> Agreement {
    let cycle = logged.cycle.as_ref().expect("a cycle");
    let target = |(index, frame)| {
        let lines = cycle.lines_of(index).map_or(Lines::Logged, |it| Lines::Replaced(Relaxation::Cycle, it));
        TargetFrame { frame, lines }
    };
    let target: Vec<TargetFrame<'_>> = logged.frames.iter().enumerate().map(target).collect();
    compare(&logged.class, &target, cycle.length, &produced.class, &produced.frames, |it| {
        if is_dropped(it, |class| class.starts_with("java.")) { Standing::Dropped } else { Standing::Counts }
    })
}

const PARSER: [&str; 3] = ["app.Parser.block:10", "app.Parser.item:20", "app.Parser.list:30"];

#[test]
fn two_rounds_of_a_cycle_stay() {
    let below = ["java.lang.String.charAt:9", "app.Lexer.peek:5"];
    let found = folded(overflow(&below, &PARSER, 1022, &[]));
    assert_eq!(found.frames.len(), 6);
    let cycle = found.cycle.as_ref().expect("a cycle");
    assert_eq!((cycle.length, cycle.left_out, cycle.frames()), (3, 1018, 6));
    assert_eq!(places(&found)[..3], places(&found)[3..]);
    assert_eq!(folded(found.clone()), found);
}

#[test]
fn frames_above_the_cycle_stay_and_the_outer_round_ends_below_them() {
    let found = folded(overflow(&[], &PARSER, 11, &["app.Main.run:1", "app.Main.main:2"]));
    let round = ["app.Parser.list:30", "app.Parser.block:10", "app.Parser.item:20"];
    assert_eq!(places(&found)[..6], [round, round].concat());
    assert_eq!(places(&found)[6..], ["app.Main.run:1", "app.Main.main:2"]);
}

#[test]
fn a_round_may_have_several_lines_and_the_innermost_is_none_of_them() {
    let frames = ["a.Tree.walk:7", "a.Tree.walk:5", "a.Tree.walk:5", "a.Tree.walk:6", "a.Tree.walk:5"];
    let found = folded(trace("StackOverflowError", &frames));
    assert_eq!(places(&found), ["a.Tree.walk:5", "a.Tree.walk:5"]);
    assert_eq!(found.cycle, Some(Cycle { length: 1, left_out: 3, lines: vec![vec![5, 6]] }));
}

#[test]
fn a_pair_inside_a_round_is_not_the_cycle() {
    let cycle = ["a.A.visit:1", "a.A.visit:1", "a.B.accept:2"];
    assert_eq!(folded(overflow(&[], &cycle, 9, &[])).cycle.map(|it| it.length), Some(3));
}

#[test]
fn nothing_else_is_folded() {
    let once = overflow(&[], &PARSER, 5, &["app.Main.main:2"]);
    assert_eq!(folded(once.clone()), once);
    let other =
        Throwable { class: "java.lang.IllegalStateException".to_owned(), ..overflow(&[], &PARSER, 60, &[]) };
    assert_eq!(folded(other.clone()), other);
    let below: Vec<String> = (0..40).map(|it| format!("a.A.step{it}:1")).collect();
    let far: Vec<&str> = below.iter().map(String::as_str).collect();
    let far = overflow(&far, &PARSER, 60, &[]);
    assert_eq!(folded(far.clone()), far);
}

#[test]
fn a_trace_agrees_wherever_in_the_cycle_the_stack_ran_out() {
    let logged = folded(overflow(&["app.Lexer.peek:5"], &PARSER, 1023, &[]));
    let [block, item, list] = PARSER;
    for cycle in [[block, item, list], [item, list, block], [list, block, item]] {
        for below in [&[][..], &["app.Parser.block:8"], &["java.util.List.of:3", "app.Names.of:4"]] {
            for count in [9, 10, 11, 1000] {
                let found = agreement(&logged, &overflow(below, &cycle, count, &["app.Test.test:1"]));
                assert!(found.reproduced_at(6), "{found:?}");
                assert_eq!(found.difference, None);
                assert_eq!(found.relaxations, Relaxation::Cycle.into());
            }
        }
    }
}

#[test]
fn another_cycle_is_refused() {
    let logged = folded(overflow(&[], &PARSER, 1024, &[]));
    let [block, item, list] = PARSER;
    let refused = |cycle: &[&str], count: usize| {
        let found = agreement(&logged, &overflow(&[], cycle, count, &[]));
        assert_eq!((found.level, found.relaxations), (0, Relaxations::default()), "{cycle:?}");
        assert!(found.difference.unwrap().contains("app.Parser.block line 10"));
    };
    refused(&[block, list, item], 1024);
    refused(&[block, item], 1024);
    refused(&[block, item, list, "app.Parser.group:40"], 1024);
    refused(&[block, item, "app.Parser.list:31"], 1024);
    refused(&["app.Tree.walk:1"], 1024);
    // The same one, but not often enough.
    refused(&PARSER, 8);
}

#[test]
fn a_cycle_that_encloses_another_one_is_refused() {
    let logged = folded(overflow(&[], &PARSER, 1024, &[]));
    let other: Vec<&str> = std::iter::repeat_n("app.Tree.walk:1", 500).collect();
    assert_eq!(agreement(&logged, &overflow(&other, &PARSER, 400, &[])).level, 0);
}

#[test]
fn another_exception_from_the_cycle_is_refused() {
    let logged = folded(overflow(&[], &PARSER, 1024, &[]));
    let other =
        Throwable { class: "java.lang.OutOfMemoryError".to_owned(), ..overflow(&[], &PARSER, 90, &[]) };
    assert!(!agreement(&logged, &other).reproduced_at(6));
}

#[test]
fn lines_of_the_cycle_are_those_of_the_log() {
    let logged = folded(overflow(&[], &["a.Tree.walk:5", "a.Tree.walk:6"], 20, &[]));
    assert!(agreement(&logged, &overflow(&[], &["a.Tree.walk:6"], 20, &[])).reproduced_at(2));
    assert!(!agreement(&logged, &overflow(&[], &["a.Tree.walk:7"], 20, &[])).reproduced_at(1));
}

#[test]
fn frames_above_the_cycle_agree_where_both_have_them() {
    let above = ["app.Parser.parse:50", "app.Main.main:2"];
    let logged = folded(overflow(&[], &PARSER, 10, &above));
    let all = agreement(&logged, &overflow(&["a.A.leaf:1"], &PARSER, 19, &above));
    assert_eq!((all.level, all.difference), (8, None));
    let part = agreement(&logged, &overflow(&[], &PARSER, 19, &["app.Parser.parse:50", "app.Test.test:1"]));
    assert_eq!(part.level, 7);
    let cut = agreement(&logged, &overflow(&[], &PARSER, 1024, &[]));
    assert_eq!(cut.level, 6);
    assert!(cut.difference.unwrap().contains("no further frame"));
    // It enters the cycle elsewhere.
    let elsewhere = agreement(&logged, &overflow(&[], &PARSER, 20, &above));
    assert_eq!(elsewhere.level, 6);
    assert!(elsewhere.difference.unwrap().contains("app.Parser.parse line 50"));
}
