//! Jumps, places, frames and the end of a test, by example.

use crashback_protocol::{Argument, Branch, Operands, Outcome, Position, Reached, SwitchKeys, Value};

use crate::support::{Ended, Script, code, ended, position, text};

fn probes(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn observe(script: &mut Script, lines: &[&str]) -> Ended {
    script.test(&probes(lines), "").observe().remove(0)
}

#[test]
fn the_smallest_distance_to_each_side_counts() {
    let codes = [code::IFEQ, code::IF_ICMPGT, code::IFLT, code::IFNULL, code::IF_ACMPEQ];
    let lines = [
        "jump (II)V 5 0",
        "jump (II)V -3 0",
        "jump (III)V 7 20 1",
        "jump (III)V 30 20 1",
        "jump (III)V 23 20 1",
        "jump (JJI)V -9223372036854775808 9223372036854775807 2",
        "jump (Ljava/lang/Object;I)V null 3",
        "jump (Ljava/lang/Object;Ljava/lang/Object;I)V i:1 null 4",
    ];
    let Ended { facts, .. } = observe(&mut Script::new(&codes, &[]), &lines);
    let expected =
        [(0, 3.0, 0.0), (1, 0.0, 0.0), (2, 0.0, 18_446_744_073_709_551_616.0), (3, 0.0, 1.0), (4, 1.0, 0.0)];
    let branches: Vec<_> = facts.branches.iter().map(|it| (it.probe, it.to_jump, it.to_fall)).collect();
    assert_eq!(branches, expected);
    assert!(facts.entered.is_empty());
}

#[test]
fn a_number_that_is_none_goes_where_the_compare_says() {
    // `iflt` jumps when the compare says less.
    let codes = [code::IFLT, code::IFLT | code::NAN_IS_GREATER];
    let nan = format!("{:x}", f64::NAN.to_bits());
    let lines = [format!("jump (DDI)V {nan} 0 0"), format!("jump (DDI)V 0 {nan} 1")];
    let facts = Script::new(&codes, &[]).test(&lines, "").observe().remove(0).facts;
    let distances: Vec<_> = facts.branches.iter().map(|it| (it.to_jump, it.to_fall)).collect();
    assert_eq!(distances, [(0.0, f64::MAX), (f64::MAX, 0.0)]);
}

#[test]
fn facts_are_told_apart_by_position() {
    let lines = [
        "line (I)V 10",
        "enter (I)V 0",
        "line (I)V 10",
        "line (I)V 10",
        "enter (I)V 1",
        "jump (II)V 1 2",
        "block (I)V 11",
        "leave (I)V 1",
        "jump (II)V 0 2",
        "leave (I)V 0",
    ];
    let facts = observe(&mut Script::new(&[0, 0, code::IFEQ], &[0, 1]), &lines).facts;
    let (outer, inner) = (position(0, 0), position(0, 1));
    assert_eq!(facts.entered[..], [outer, inner]);
    let reached = |probe, position| Reached { probe, position };
    assert_eq!(facts.reached[..], [reached(10, Position::OUTSIDE), reached(10, outer), reached(11, inner)]);
    let branch = |position, to_jump, to_fall| Branch { probe: 2, position, to_jump, to_fall };
    assert_eq!(facts.branches[..], [branch(inner, 1.0, 0.0), branch(outer, 0.0, 1.0)]);
}

#[test]
fn frames_that_were_left_unseen_go_with_the_one_around() {
    // A constructor that fails before `super()` is not seen to be left; a late `unwind` finds
    // nothing.
    let lines = [
        "enter (I)V 0",
        "enter (I)V 1",
        "leave (I)V 0",
        "unwind (Ljava/lang/Throwable;I)V null 0",
        "line (I)V 5",
        "enter (I)V 1",
        "line (I)V 6",
    ];
    let facts = observe(&mut Script::new(&[], &[0, 1]), &lines).facts;
    assert_eq!(facts.entered[..], [position(0, 0), position(0, 1), position(1, 1)]);
    let positions: Vec<_> = facts.reached.iter().map(|it| it.position).collect();
    assert_eq!(positions, [Position::OUTSIDE, position(1, 1)]);
}

/// A call of every method of a chain from one place to another, one inside the other, each of which
/// reaches a line.
fn dive(first: usize, last: usize, method: impl Fn(usize) -> usize) -> Vec<String> {
    let inwards = (first..=last).flat_map(|place| {
        let method = method(place);
        [format!("enter (I)V {method}"), format!("line (I)V {}", 5000 + place)]
    });
    inwards.chain([format!("leave (I)V {}", method(first))]).collect()
}

#[test]
fn recursion_is_followed_to_the_end_of_the_chain() {
    // Forty calls of one method around two others.
    let method = |place: usize| place.saturating_sub(39);
    let chain: Vec<i32> = (0..42).map(|place| method(place) as i32).collect();
    let mut script = Script::new(&[], &chain);
    script.test(&dive(0, 41, method), "").test(&dive(30, 41, method), "");
    let [whole, part] = &script.observe()[..] else { panic!() };
    let positions: Vec<_> = (0..42).map(|last| position(0, last)).collect();
    assert_eq!(whole.facts.entered[..], positions);
    // Ten calls are the first ten of the chain, until another method follows.
    let positions: Vec<_> = (0..10).map(|last| position(0, last)).collect();
    assert_eq!(part.facts.entered[..10], positions);
    assert_eq!(part.facts.entered[10..], [position(30, 40), position(30, 41)]);
    assert_eq!((whole.facts.depth, part.facts.depth), (42, 12));
}

#[test]
fn the_depth_of_a_recursion_is_told_up_to_a_bound() {
    let mut script = Script::new(&[], &[0, 0]);
    for last in [0, 2, 999] {
        script.test(&dive(0, last, |_| 0), "");
    }
    let depths: Vec<u32> = script.observe().iter().map(|it| it.facts.depth).collect();
    assert_eq!(depths, [1, 3, 256]);
    let mut script = Script::new(&[], &[0]);
    script.test(&dive(0, 9, |_| 0), "");
    assert_eq!(script.observe()[0].facts.depth, 0);
}

#[test]
fn what_is_recorded_does_not_depend_on_the_positions_of_tests_before() {
    // Positions hold a number for every method of the chain: some thousands of them, and what was
    // known is given up.
    const FRAMES: usize = 1000;
    let chain: Vec<i32> = (0..FRAMES as i32).collect();
    let method = |place: usize| place;
    let mut script = Script::new(&[], &chain);
    let first = dive(100, 220, method);
    let back = (0..FRAMES - 5).rev().step_by(3).flat_map(|place| dive(place, place + 5, method));
    let many: Vec<String> = (0..FRAMES - 5).flat_map(|place| dive(place, place + 5, method)).collect();
    script.test(&first, "").test(&many, "").test(&back.collect::<Vec<_>>(), "").test(&first, "");
    let ended = script.observe();
    let positions: Vec<_> = (100..=220).map(|last| position(100, last)).collect();
    assert_eq!(ended[0].facts.entered[..], positions);
    assert_eq!(ended[1].facts.entered.len(), 6 * (FRAMES - 5));
    let reached = |facts: &crashback_protocol::Facts| facts.reached.iter().map(|it| it.position).collect();
    let reached: Vec<Position> = reached(&ended[1].facts);
    assert_eq!(reached[..], ended[1].facts.entered[..]);
    assert_eq!(ended[0], ended[3]);
}

#[test]
fn a_test_that_comes_to_too_many_places_tells_the_first_of_them() {
    const MOST: usize = 1 << 17;
    let lines: Vec<String> = (0..MOST + 1000).map(|probe| format!("line (I)V {probe}")).collect();
    let mut other = lines.clone();
    other.truncate(500);
    other.rotate_left(200);
    let mut script = Script::new(&[], &[]);
    script.test(&lines, "").test(&other, "").test(&lines, "");
    let ended = script.observe();
    let probes: Vec<_> = ended[0].facts.reached.iter().map(|it| it.probe as usize).collect();
    assert!(probes.iter().copied().eq(0..MOST), "{} places", probes.len());
    assert_eq!(ended[0], ended[2]);
    assert_eq!(ended[1].facts.reached.len(), 500);
}

#[test]
fn switches_keep_sixteen_keys() {
    let keys = [3, -1, 3, i32::MIN];
    let mut lines: Vec<_> = keys.iter().map(|key| format!("switchKey (II)V {key} 4")).collect();
    let facts = Script::new(&[], &[]).test(&lines, "").observe().remove(0).facts;
    assert_eq!(
        facts.switches,
        [SwitchKeys { probe: 4, position: Position::OUTSIDE, keys: vec![3, -1, i32::MIN] }]
    );
    lines.extend((100..200).map(|key| format!("switchKey (II)V {key} 4")));
    let facts = Script::new(&[], &[]).test(&lines, "").observe().remove(0).facts;
    assert_eq!(facts.switches[0].keys.len(), 16);
}

#[test]
fn operands_that_differ_are_kept_a_few_for_each_probe() {
    let codes = [code::IF_ICMPEQ, code::IFEQ, code::IFEQ, 0, 0];
    let mut script = Script::with(&codes, &[], 1000, true);
    let mut lines = probes(&[
        "jump (III)V 5 5 0",
        "jump (III)V 0 1 0",
        "jump (III)V 5 6 0",
        "jump (III)V 5 6 0",
        "jump (DDI)V 0 3ff0000000000000 2",
        "jump (II)V 77 1",
    ]);
    lines.push(format!(
        "startsWith (Ljava/lang/Object;Ljava/lang/Object;I)V {} {} 4",
        text("ab\u{e9}"),
        text("x")
    ));
    lines.extend((10..20).map(|value| format!("jump (JJI)V {value} 1000000000000 1")));
    let facts = script.test(&lines, "").observe().remove(0).facts;
    let pair = |probe, left, right| Operands { probe, left, right };
    assert_eq!(
        facts.operands[..3],
        [
            pair(0, Value::Integer(5), Value::Integer(6)),
            pair(2, Value::Float(0.0), Value::Float(1.0)),
            pair(4, Value::Text("ab\u{e9}".into()), Value::Text("x".into())),
        ]
    );
    assert_eq!(facts.operands[3], pair(1, Value::Integer(10), Value::Integer(1_000_000_000_000)));
    assert_eq!(facts.operands.len(), 7);
}

fn word(left: &str, right: &str) -> String {
    format!("word (Ljava/lang/Object;Ljava/lang/Object;)V {} {}", text(left), text(right))
}

#[test]
fn words_are_told_once_in_a_batch() {
    let mut script = Script::new(&[], &[]);
    script.test(&[word("ab", "begin"), word("ab", "end"), word("", &"x".repeat(25))], "");
    script.test(&[word("cd", "begin")], "");
    script.line("newBatch ()V").test(&[word("cd", "begin")], "");
    let words = |it: &Ended| it.facts.words.iter().map(|it| String::from_utf16_lossy(it.units())).collect();
    let told: Vec<Vec<String>> = script.observe().iter().map(words).collect();
    assert_eq!(told, [vec!["ab", "begin", "end"], vec!["cd"], vec!["cd", "begin"]]);
}

#[test]
fn few_words_of_a_test_and_of_a_batch_are_kept() {
    let mut script = Script::new(&[], &[]);
    let many = |test: usize| (0..100).map(|it| word("a", &format!("w{test}-{it}"))).collect::<Vec<_>>();
    (0..4).for_each(|it| _ = script.test(&many(it), ""));
    let told: Vec<usize> = script.observe().iter().map(|it| it.facts.words.len()).collect();
    assert_eq!(told, [101, 100, 55, 0]);
    let longer: Vec<String> = (0..300).map(|it| word("a", &format!("w{it}"))).collect();
    let facts = Script::new(&[], &[]).test(&longer, "").observe().remove(0).facts;
    assert_eq!(facts.words.len(), 129);
}

fn passed(value: &str, parameter: usize) -> String {
    format!("argument (Ljava/lang/Object;I)V {} {parameter}", text(value))
}

#[test]
fn arguments_are_told_by_position_and_the_latest_comes_last() {
    let mut lines = vec!["enter (I)V 0".to_owned(), passed("a", 0), "argument (II)V 7 1".to_owned()];
    lines.extend(["enter (I)V 1".to_owned(), "argument (JI)V 8 0".to_owned(), "leave (I)V 1".to_owned()]);
    lines.extend(["b", "c", "a"].map(|it| passed(it, 0)));
    lines.extend(["argument (Ljava/lang/Object;I)V null 0".to_owned(), passed(&"x".repeat(257), 0)]);
    let facts = Script::new(&[], &[0, 1]).test(&lines, "").observe().remove(0).facts;
    let argument = |position, parameter, value| Argument { position, parameter, value };
    let outer = |it: &str| argument(position(0, 0), 0, Value::Text(it.into()));
    let expected = [
        outer("b"),
        argument(position(0, 0), 1, Value::Integer(7)),
        argument(position(0, 1), 0, Value::Integer(8)),
        outer("c"),
        outer("a"),
    ];
    assert_eq!(facts.arguments, expected);
}

#[test]
fn few_arguments_of_a_parameter_and_of_a_test_are_kept() {
    let mut script = Script::new(&[], &[0]);
    let entered = |lines: Vec<String>| [vec!["enter (I)V 0".to_owned()], lines].concat();
    script.test(&entered(["a", "b", "c", "d", "e", "d"].map(|it| passed(it, 0)).to_vec()), "");
    script.test(&entered((0..60).map(|it| passed("a", it)).collect()), "");
    script.test(&[], "");
    let told = script.observe();
    let texts: Vec<_> = told[0].facts.arguments.iter().map(|it| it.value.clone()).collect();
    assert_eq!(texts, ["b", "c", "e", "d"].map(|it| Value::Text(it.into())));
    assert_eq!(told[1].facts.arguments.len(), 48);
    assert!(told[2].facts.arguments.is_empty());
}

#[test]
fn a_spent_budget_ends_the_test_and_what_it_tries_after_that() {
    let mut script = Script::with(&[], &[], 3, false);
    script.test(&vec!["budget ()V".to_owned(); 3], "");
    let handler = "handler (Ljava/lang/Object;)V null";
    script.test(
        &probes(&[
            handler,
            "budget ()V",
            "budget ()V",
            "budget ()V",
            handler,
            "budget ()V",
            "budget ()V",
            handler,
        ]),
        "",
    );
    script.test(&probes(&["line (I)V 1", "exiting (I)V 7", "exiting (I)V 8", handler]), "");
    script.test(&probes(&["budget ()V", "stop ()V", "exiting (I)V 9", handler, "budget ()V"]), "");
    script.test(&[], "");
    for (home, lines) in script.run() {
        let threw: Vec<_> = lines.iter().map(|line| line.starts_with("threw TestEnd")).collect();
        let (t, f) = (true, false);
        assert_eq!(threw, [f, t, t, t, f, t, t, t, f, t, t, t, f, f], "{}: {lines:?}", home.display());
        let ends: Vec<_> = ended(&lines).iter().map(|it| (it.over, it.outcome)).collect();
        let (spent, stopped) = (Outcome::BudgetSpent, Outcome::Stopped);
        let expected = [
            (0, Outcome::Returned),
            (1, spent),
            (2, Outcome::Exited(7)),
            (3, stopped),
            (0, Outcome::Returned),
        ];
        assert_eq!(ends, expected);
    }
}

#[test]
fn only_the_thread_of_the_test_is_observed() {
    let mut script = Script::new(&[0, code::IFEQ], &[0]);
    script.line("begin ()V").line("Subjects.otherThread").line("end");
    for (_, lines) in script.run() {
        // The 256 says that state was touched, which counts whatever the thread.
        assert_eq!(lines, ["done TestEnd TestEnd TestEnd 77", "end 1 256 00000000"]);
    }
}

#[test]
fn an_overflow_of_the_stack_leaves_nothing_behind() {
    let codes = vec![code::IFNE; 3100];
    let mut script = Script::with(&codes, &[0], i32::MAX, false);
    let after = probes(&["line (I)V 7", "jump (II)V 4 3050", "switchKey (II)V 1 4050", "jump (II)V 0 3051"]);
    script.line("begin ()V").line("Subjects.overflow").line("end").test(&after, "");
    for (_, lines) in script.run() {
        let after = ended(&lines).remove(1).facts;
        assert!(after.entered.is_empty());
        let position = Position::OUTSIDE;
        assert_eq!(after.reached[..], [Reached { probe: 7, position }]);
        let branch = |probe, to_jump, to_fall| Branch { probe, position, to_jump, to_fall };
        assert_eq!(after.branches[..], [branch(3050, 0.0, 4.0), branch(3051, 1.0, 0.0)]);
        assert_eq!(after.switches, [SwitchKeys { probe: 4050, position, keys: vec![1] }]);
    }
}
