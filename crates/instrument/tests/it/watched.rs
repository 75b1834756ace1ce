//! Accesses by index and variables of jumps: what their probes report.

use std::collections::{BTreeMap, BTreeSet};

use crashback_instrument::{
    ClassPlan, Kinds, Probe, ProbeKind, ProbePlan, VariableSort, WatchedVariable, instrument,
};

use crate::probes::{check, run, without_numbers};
use crate::support::{compile, jdk_homes};

/// All array instructions, stores with their elements, and calls with several bounds.
#[test]
fn accesses_by_index_report_what_they_access() {
    let lines = run(
        Kinds::INDEXED,
        "static Object stores(byte[] b, char[] c, short[] s, int[] i, long[] l, float[] f, double[] d, Object[] o) {
            b[0] = 1; c[1] = 'c'; s[2] = 3; i[0] = 4; l[1] = 5L; f[0] = 6f; d[1] = 7.5; o[2] = \"o\";
            return b[0] + \"\" + c[1] + s[2] + i[0] + l[1] + f[0] + d[1] + o[2];
        }
        static Object texts(String t, StringBuilder b, CharSequence s, char[] c) {
            t.codePointBefore(1); t.codePointCount(0, 2); t.getChars(0, 2, c, 1);
            b.insert(0, 5L); b.insert(1, 2.5); b.setCharAt(2, 'x'); b.delete(0, 1); b.replace(0, 2, \"r\");
            b.append(c, 0, 1); b.append(s, 1, 2); s.subSequence(0, 1); t.substring(1);
            return new String(c, 1, 2) + String.valueOf(c, 0, 2);
        }
        static Object lists(List<String> list, int[] from, int[] to) {
            list.add(0, \"a\"); list.set(0, \"b\"); list.listIterator(1); list.remove(0);
            System.arraycopy(from, 0, to, 1, 2);
            return to[2];
        }
        static int none(String text) { return text.length() + text.indexOf('c'); }
        public static void main(String[] args) {
            System.out.println(stores(new byte[1], new char[2], new short[3], new int[1], new long[2], new float[1],
                new double[2], new Object[3]));
            System.out.println(texts(\"ab\", new StringBuilder(\"b\"), \"seq\", new char[] { 'p', 'q', 'r' }));
            System.out.println(lists(new ArrayList<>(), new int[] { 7, 8 }, new int[3]));
            System.out.println(none(\"c\"));
        }",
    );
    for lines in lines {
        let lines: Vec<String> = lines.iter().map(|it| without_numbers(it)).collect();
        let expected = [
            "element|[B|0 @2",
            "element|[C|1 @2",
            "element|[S|2 @2",
            "element|[I|0 @2",
            "element|[J|1 @2",
            "element|[F|0 @2",
            "element|[D|1 @2",
            "element|[Ljava.lang.Object;|2 @2",
            "element|[B|0 @3",
            "element|[C|1 @3",
            "element|[S|2 @3",
            "element|[I|0 @3",
            "element|[J|1 @3",
            "element|[F|0 @3",
            "element|[D|1 @3",
            "element|[Ljava.lang.Object;|2 @3",
            "1c3456.07.5o",
            "before|ab|1 @6",
            "part|ab|0|2 @6",
            "into|ab|0|2|[C|1 @6",
            "gap|b|0 @7",
            "gap|5b|1 @7",
            "element|52.5b|2 @7",
            "cut|52x5b|0|1 @7",
            "cut|2x5b|0|2 @7",
            "run|[C|0|1 @8",
            "part|seq|1|2 @8",
            "part|seq|0|1 @8",
            "gap|ab|1 @8",
            "run|[C|1|2 @9",
            "run|[C|0|2 @9",
            "abpa",
            "gap|[]|0 @12",
            "element|[a]|0 @12",
            "gap|[b]|1 @12",
            "element|[b]|0 @12",
            "copy|[I|0|[I|1|2 @13",
            "element|[I|2 @14",
            "8",
            "1",
        ];
        assert_eq!(lines, expected);
    }
}

/// Every bound of an access has a number of its own, and only accesses that the plan means have some.
#[test]
fn bounds_of_an_access_have_numbers_one_after_the_other() {
    let source = "class Parts { static String part(String t, int[] a) { return t.substring(a[0], a[1]); } }";
    let classes = compile(&jdk_homes()[0], &[("Parts.java", source)], &[]);
    let mut plan = ProbePlan::everywhere(Kinds::INDEXED);
    let probes = |plan: &ProbePlan| {
        let result = instrument(&classes["Parts"], plan, &mut |_| 0).unwrap();
        result.probes().map(|it| (it.id, it.offset)).collect::<Vec<_>>()
    };
    assert_eq!(probes(&plan), [(0, 3), (1, 6), (2, 7), (3, 7)]);
    let method = "part(Ljava/lang/String;[I)Ljava/lang/String;".to_owned();
    let throwing = BTreeMap::from([(method, BTreeSet::from([7]))]);
    plan.classes.insert("Parts".to_owned(), ClassPlan { throwing, ..ClassPlan::default() });
    assert_eq!(probes(&plan), [(0, 7), (1, 7)]);
}

#[test]
fn variables_report_both_operands() {
    check(
        Kinds::VARIABLES,
        "static int all(int i, long l, float f, double d, Object o, String s) {
            int n = 0;
            if (i > 3) n++;
            if (i == 0) n++;
            if (l < 7000000000L) n++;
            if (f >= 1.5f) n++;
            if (d != 2.5) n++;
            if (o == null) n++;
            if (o != s) n++;
            return n;
        }
        public static void main(String[] args) { System.out.println(all(2, 5L, 1f, 2.5, \"o\", \"s\")); }",
        &[
            "variable|2|3 @3",
            "variable|2|3 @3",
            "variable|2 @4",
            "variable|5|7000000000 @5",
            "variable|5|7000000000 @5",
            "variable|1.0|1.5 @6",
            "variable|1.0|1.5 @6",
            "variable|2.5|2.5 @7",
            "variable|2.5|2.5 @7",
            "variable|o @8",
            "variable|o|s @9",
            "variable|o|s @9",
            "2",
        ],
    );
}

/// The plan names variables by the jump and the operand; their codes tell the runtime the rest.
#[test]
fn variables_are_watched_where_the_plan_says() {
    let source = "class Two { static boolean two(char c, int n) { return c > 'a' && n < 7 && n != 0; } }";
    let classes = compile(&jdk_homes()[0], &[("Two.java", source)], &[]);
    let all = instrument(&classes["Two"], &ProbePlan::everywhere(Kinds::VARIABLES), &mut |_| 0).unwrap();
    let offsets: Vec<u32> = all.probes().map(|it| it.offset).collect();
    let [first, same, second, _, third] = offsets[..] else { panic!("{offsets:?}") };
    assert_eq!(first, same);
    let character =
        WatchedVariable { offset: first, is_second: false, sort: VariableSort::Character, has_point: true };
    let number =
        WatchedVariable { offset: second, is_second: true, sort: VariableSort::Number, has_point: false };
    // There is no second operand of a comparison with 0.
    let neither = WatchedVariable { offset: third, ..number };
    let watched = vec![character, number, neither];
    let variables = BTreeMap::from([("two(CI)Z".to_owned(), watched)]);
    let mut plan = ProbePlan::everywhere(Kinds::VARIABLES);
    plan.classes.insert("Two".to_owned(), ClassPlan { variables, ..ClassPlan::default() });
    let some = instrument(&classes["Two"], &plan, &mut |_| 0).unwrap();
    let kinds: Vec<_> = some.probes().map(|it| it.kind.clone()).collect();
    assert_eq!(kinds, [ProbeKind::Variable(character), ProbeKind::Variable(number)]);
    assert_eq!(some.probes().map(Probe::jump_code).collect::<Vec<_>>(), [0x22, 0x11]);
}
