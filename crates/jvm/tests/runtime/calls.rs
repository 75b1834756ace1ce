//! Calls whose results a jump tests: graded distances instead of a flag.

use crate::support::{Script, code, text};

/// Cases that are checked together in one JVM.
#[derive(Default)]
struct Cases {
    calls: Vec<[String; 2]>,
    codes: Vec<u8>,
    expected: Vec<(f64, f64)>,
}

impl Cases {
    /// A call, and after it a jump with this code whose distances to jumping and to falling through
    /// are these.
    fn jump(&mut self, call: &str, jump_code: u8, jump: &str, expected: (f64, f64)) {
        let probe = self.codes.len();
        self.codes.push(jump_code);
        self.calls.push([format!("{call} 1000"), format!("jump {jump} {probe}")]);
        self.expected.push(expected);
    }

    /// A call of a probe with two references, which says no, before an `ifne`.
    fn says_no(&mut self, method: &str, left: &str, right: &str, distance: f64) {
        let call = format!("{method} (Ljava/lang/Object;Ljava/lang/Object;I)V {left} {right}");
        self.jump(&call, code::IFNE, "(II)V 0", (distance, 0.0));
    }

    fn check(self) {
        let mut script = Script::new(&self.codes, &[]);
        for call in &self.calls {
            script.test(call, "");
        }
        let observed = script.observe();
        assert_eq!(observed.len(), self.calls.len());
        for ((ended, call), (to_jump, to_fall)) in observed.iter().zip(&self.calls).zip(&self.expected) {
            let [branch] = &ended.facts.branches[..] else { panic!("{call:?}: {ended:?}") };
            assert!((branch.to_jump - to_jump).abs() < 1e-9, "{call:?}: {branch:?}");
            assert!((branch.to_fall - to_fall).abs() < 1e-9, "{call:?}: {branch:?}");
        }
    }
}

#[test]
fn texts_have_distances() {
    let mut cases = Cases::default();
    let mut says_no =
        |method, left, right, distance| cases.says_no(method, &text(left), &text(right), distance);
    says_no("equalTo", "abc", "abd", 0.5);
    says_no("equalTo", "abc", "", 3.0);
    says_no("equalTo", "xabc", "abc", 1.0);
    says_no("equalTo", "abc", "axbc", 1.0);
    says_no("equalTo", "acc", "aec", 2.0 / 3.0);
    says_no("objectsEqual", "abc", "abcd", 1.0);
    says_no("equalsIgnoreCase", "ABC", "abd", 33.0 / 34.0);
    says_no("startsWith", "abcdef", "abd", 0.5);
    says_no("startsWith", "a", "abd", 2.0);
    says_no("endsWith", "abcdef", "dxf", 19.0 / 20.0);
    says_no("endsWith", "f", "def", 2.0);
    says_no("containsText", "abcdef", "cxe", 20.0 / 21.0);
    says_no("containsText", "", "ab", 2.0);
    let long = "a".repeat(10_000);
    let other = format!("{}b{}", "a".repeat(5_000), "a".repeat(4_999));
    // What lies beyond reach counts as different.
    says_no("equalTo", &long, &other, 10_000.0 - 3.0 * 64.0);
    says_no("containsText", &long, "aaab", 0.5);
    cases.check();
}

#[test]
fn regions_have_distances() {
    let plain = "regionMatches (Ljava/lang/Object;ILjava/lang/Object;III)V";
    let cased = "regionMatches (Ljava/lang/Object;ZILjava/lang/Object;III)V";
    let at = "startsWith (Ljava/lang/Object;Ljava/lang/Object;II)V";
    let (left, right) = (text("xxABCx"), text("yabdy"));
    let mut cases = Cases::default();
    let mut says_no = |call: &str, distance| cases.jump(call, code::IFNE, "(II)V 0", (distance, 0.0));
    says_no(&format!("{cased} {left} true 2 {right} 1 3"), 33.0 / 34.0);
    says_no(&format!("{plain} {left} 2 {} 1 3", text("yAB")), 1.0);
    says_no(&format!("{plain} {left} -1 {} 0 2", text("yx")), 1.0);
    says_no(&format!("{plain} {left} 2147483647 {} 2147483647 2", text("yx")), 2.0);
    says_no(&format!("{at} {left} {} 2", text("ABD")), 0.5);
    cases.check();
}

#[test]
fn only_the_jump_that_tests_the_answer_gets_it() {
    let call = format!("equalTo (Ljava/lang/Object;Ljava/lang/Object;I)V {} {}", text("abc"), text("xyz"));
    let mut cases = Cases::default();
    // It said yes after all, or the jump tests something else.
    cases.jump(&call, code::IFNE, "(II)V 1", (0.0, 1.0));
    cases.jump(&call, code::IFNE, "(II)V 7", (0.0, 7.0));
    cases.jump(&call, code::IFLT, "(II)V 0", (1.0, 0.0));
    cases.jump(&call, code::IFNULL, "(Ljava/lang/Object;I)V null", (0.0, 1.0));
    cases.check();
    let lines = [format!("{call} 9"), "jump (II)V 3 1".to_owned(), "jump (II)V 0 0".to_owned()];
    let facts = Script::new(&[code::IFNE, code::IFNE], &[]).test(&lines, "").observe().remove(0).facts;
    assert_eq!(facts.branches[1].to_jump, 1.0, "another jump came in between");
}

#[test]
fn what_is_no_text_or_number_stays_a_flag() {
    let mut cases = Cases::default();
    for (left, right) in [("null", "null"), ("map", "list"), ("i:3", "null"), ("trap", "trap")] {
        cases.says_no("equalTo", left, right, 1.0);
    }
    cases.says_no("startsWith", &text("abc"), "null", 1.0);
    cases.says_no("matches", &text("abc"), &text("x*"), 1.0);
    cases.says_no("equalTo", "i:3", "i:300", 297.0);
    cases.check();
}

#[test]
fn look_ups_know_the_nearest_element() {
    let mut cases = Cases::default();
    cases.says_no("containsKey", "map", &text("alphb"), 0.5);
    cases.says_no("containsKey", "map", "i:10", 3.0);
    cases.says_no("contains", "list", &text("omeg"), 1.0);
    cases.says_no("contains", "fixedList", &text("alph"), 1.0);
    cases.says_no("contains", "fixedList", &text("alphabet"), 3.0);
    for container in ["empty", "trap", "wrappedTrap", "null", "map", "i:1"] {
        cases.says_no("contains", container, &text("alphabet"), 1.0);
    }
    let two = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    let index = format!("indexOf {two} list {}", text("alphabet"));
    cases.jump(&index, code::IFLT, "(II)V -1", (0.0, 3.0));
    cases.jump(&index, code::IF_ICMPEQ, "(III)V -1 -1", (0.0, 3.0));
    cases.jump(&index, code::IFEQ, "(II)V -1", (3.0, 0.0));
    cases.jump(&index, code::IFLT, "(II)V 4", (5.0, 0.0));
    let get = format!("get {two} map {}", text("alphabet"));
    cases.jump(&get, code::IFNONNULL, "(Ljava/lang/Object;I)V null", (3.0, 0.0));
    cases.jump(&get, code::IFNONNULL, "(Ljava/lang/Object;I)V i:1", (0.0, 1.0));
    cases.check();
}

#[test]
fn searches_in_texts_know_what_is_most_like_it() {
    let text_from = "(Ljava/lang/Object;Ljava/lang/Object;II)V";
    let (one, from) = ("(Ljava/lang/Object;II)V", "(Ljava/lang/Object;III)V");
    let abcd = text("abcd");
    let searches = [
        (format!("findText (Ljava/lang/Object;Ljava/lang/Object;I)V {abcd} {}", text("cf")), 2.0 / 3.0),
        // It is there, but before.
        (format!("findText {text_from} {abcd} {} 1", text("ab")), 1.0),
        (format!("findText {text_from} {abcd} {} 4", text("ab")), 2.0),
        (format!("findText {text_from} {abcd} {} 2147483647", text("ab")), 2.0),
        (format!("findText {text_from} {abcd} {} -1", text("x")), 20.0 / 21.0),
        (format!("findCharacter {one} {abcd} 102"), 2.0 / 3.0),
        (format!("findCharacter {one} {} 102", text("")), 1.0),
        (format!("findCharacter {from} {abcd} 97 1"), 0.5),
        (format!("findCharacter {from} {abcd} 97 4"), 1.0),
        (format!("findCharacter {from} {abcd} 97 2147483647"), 1.0),
        (format!("findCharacter {from} {abcd} 128512 -1"), 128_412.0 / 128_413.0),
    ];
    let mut cases = Cases::default();
    for (search, distance) in &searches {
        cases.jump(search, code::IFLT, "(II)V -1", (0.0, *distance));
    }
    // Nothing is known of searches that throw or find.
    cases.jump(&format!("findCharacter {one} {abcd} 97"), code::IFLT, "(II)V -1", (0.0, 1.0));
    cases.jump(&format!("findCharacter {one} null 97"), code::IFLT, "(II)V -1", (0.0, 1.0));
    cases.check();
}

#[test]
fn operands_that_are_nearly_out_of_bounds_are_near_to_throwing() {
    let index = "index (Ljava/lang/Object;II)V";
    let (from, range) = ("range (Ljava/lang/Object;II)V", "range (Ljava/lang/Object;III)V");
    let abcd = text("abcd");
    let cases = [
        (format!("{index} {abcd} 0"), Some(1.0)),
        (format!("{index} {abcd} 2"), Some(2.0)),
        (format!("{index} {abcd} 4"), Some(0.0)),
        (format!("{index} {abcd} -1"), Some(0.0)),
        // No length is known of other objects.
        (format!("{index} i:5 4"), None),
        (format!("{index} null 4"), None),
        (format!("{from} {abcd} 4"), Some(1.0 / (1.0 / 5.0 + 1.0))),
        (format!("{from} {abcd} 5"), Some(0.0)),
        (format!("{range} {abcd} 2 2"), Some(0.6)),
        (format!("{range} {abcd} 1 3"), Some(0.75)),
        (format!("{range} {abcd} 3 2"), Some(0.0)),
        (format!("{range} {abcd} {} {}", i32::MIN, i32::MAX), Some(0.0)),
        ("divisor (II)V -7".to_owned(), Some(7.0)),
        ("divisor (JI)V 0".to_owned(), Some(0.0)),
        (format!("divisor (JI)V {}", i64::MIN), Some(i64::MAX as f64)),
        ("length (II)V 0".to_owned(), Some(1.0)),
        ("length (II)V -3".to_owned(), Some(0.0)),
    ];
    let mut script = Script::new(&[0], &[]);
    for (call, _) in &cases {
        script.test(&[format!("{call} 0")], "");
    }
    for (ended, (call, distance)) in script.observe().iter().zip(&cases) {
        let told = ended.facts.branches.first().map(|it| it.to_jump);
        let is_near = |(told, distance): (f64, f64)| (told - distance).abs() <= 1e-9 * distance;
        assert!(told.is_some() == distance.is_some(), "{call}: {told:?}");
        assert!(told.zip(*distance).is_none_or(is_near), "{call}: {told:?}");
    }
}
