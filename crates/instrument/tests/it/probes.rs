//! What probes report, against what small programs do.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use crashback_classfile::{
    Attribute, ClassFile, FieldType, MethodDescriptor, Opcode, PoolExtension, RawAttribute, StackMapFrame,
    VerificationType,
};
use crashback_instrument::{
    ClassPlan, Instrumented, Kinds, ProbeKind, ProbeMethod, ProbePlan, instrument, number_probes,
};

use crate::behaviour::{long_method, run as run_main};
use crate::linking::link;
use crate::stress::{libraries, subjects};
use crate::support::{Classes, compile, java, jdk_homes, write_classes};

/// A runtime class whose every method prints its name and what it was given.
fn printing_runtime() -> String {
    let mut source = String::from("package crashback.runtime;\npublic class Probes {\n");
    for method in ProbeMethod::ALL {
        let descriptor = MethodDescriptor::parse(method.descriptor().as_bytes().into()).unwrap();
        let types: Vec<String> = descriptor.parameters().map(FieldType::java_name).collect();
        let parameters: Vec<_> = types.iter().enumerate().map(|(i, it)| format!("{it} p{i}")).collect();
        let printed: String = (0..types.len()).map(|i| format!(" + \"|\" + p{i}")).collect();
        let (name, parameters) = (method.name(), parameters.join(", "));
        writeln!(
            source,
            "public static void {name}({parameters}) {{ System.out.println(\"{name}\"{printed}); }}"
        )
        .unwrap();
    }
    source + "}\n"
}

/// A runtime class whose methods do nothing.
pub(crate) fn silent_runtime(home: &Path) -> Classes {
    let source = printing_runtime().replace("System.out.println(", "String.valueOf(");
    compile(home, &[("Probes.java", &source)], &[])
}

/// Runs `Main` with probes of some kinds in all methods but `main`; gives the lines printed, the
/// number of each probe replaced by its line and kind.
pub(crate) fn run(kinds: Kinds, members: &str) -> Vec<Vec<String>> {
    let source = format!("import java.util.*;\npublic class Main {{\n{members}\n}}\n");
    let mut plan = ProbePlan::everywhere(Kinds::NONE);
    jdk_homes()
        .iter()
        .map(|home| {
            let mut classes = compile(home, &[("Main.java", &source)], &[]);
            let mut descriptions = BTreeMap::new();
            let mut next = 100_000;
            let mut numbers = Numbers::default();
            for (name, bytes) in &mut classes {
                let names = ClassFile::parse(bytes).unwrap();
                let methods = names.methods.iter().map(|it| {
                    let name = it.name(&names.pool).unwrap().to_string();
                    (format!("{name}{}", it.descriptor(&names.pool).unwrap()), name)
                });
                let methods = methods.filter(|it| it.1 != "main").map(|it| (it.0, kinds)).collect();
                let class = ClassPlan { methods, first_id: next, ..ClassPlan::default() };
                plan.classes.insert(name.clone(), class);
                let mut number = |name: &str| numbers.number(name);
                let result = instrument(bytes, &plan, &mut number).unwrap();
                next = describe(&result, next, &mut descriptions);
                *bytes = result.bytes.unwrap_or_else(|| bytes.clone());
            }
            classes.append(&mut compile(home, &[("Probes.java", &printing_runtime())], &[]));
            let folder = tempfile::tempdir().unwrap();
            write_classes(&classes, folder.path());
            let verify = OsStr::new("-Xverify:all");
            let path = folder.path().as_os_str();
            let output = java(home, &[verify, OsStr::new("-cp"), path, OsStr::new("Main")]);
            numbers.describe(&mut descriptions);
            output.lines().map(|line| readable(line, &descriptions)).collect()
        })
        .collect()
}

/// Numbers for classes, from one that no probe has.
#[derive(Default)]
struct Numbers(Vec<String>);

impl Numbers {
    const FIRST: usize = 30_000;

    fn number(&mut self, class: &str) -> i32 {
        let known = self.0.iter().position(|it| it == class);
        let place = known.unwrap_or_else(|| {
            self.0.push(class.to_owned());
            self.0.len() - 1
        });
        i32::try_from(Self::FIRST + place).unwrap()
    }

    fn describe(self, descriptions: &mut BTreeMap<String, String>) {
        let numbered = (Self::FIRST..).map(|number| number.to_string()).zip(self.0);
        descriptions.extend(numbered);
    }
}

fn describe(result: &Instrumented, first: i32, descriptions: &mut BTreeMap<String, String>) -> i32 {
    assert!(result.untouched.is_empty(), "{:?}", result.untouched);
    let mut next = first;
    for probe in result.probes() {
        assert_eq!(probe.id, next);
        next += 1;
        let kind = match &probe.kind {
            ProbeKind::Jump { compare: Some(compare), jump } => {
                format!("{} {}", compare.mnemonic(), jump.mnemonic())
            }
            ProbeKind::Jump { compare: None, jump } => jump.mnemonic().to_owned(),
            ProbeKind::Caught { everything } => format!("everything={everything}"),
            _ => String::new(),
        };
        // The members begin on the third line of the source.
        let line = i32::from(probe.line.unwrap()) - 2;
        descriptions.insert(probe.id.to_string(), format!("@{line} {kind}").trim_end().to_owned());
    }
    next
}

fn readable(line: &str, descriptions: &BTreeMap<String, String>) -> String {
    let (facts, id) = line.rsplit_once('|').unwrap_or((line, ""));
    match descriptions.get(id) {
        Some(description) => format!("{facts} {description}"),
        None => line.to_owned(),
    }
}

pub(crate) fn check(kinds: Kinds, members: &str, expected: &[&str]) {
    for lines in run(kinds, members) {
        assert_eq!(lines, expected);
    }
}

#[test]
fn jumps_report_their_operands() {
    check(
        Kinds::JUMPS,
        "static boolean[] all(int i, long l, float f, double d, Object o, String s) {
            boolean a = i > 3;
            boolean b = i == 0;
            boolean c = l < 7000000000L;
            boolean e = f >= 1.5f;
            boolean g = d != 2.5;
            boolean h = o == null;
            boolean j = o != s;
            return new boolean[] { a, b, c, e, g, h, j };
        }
        public static void main(String[] args) {
            System.out.println(Arrays.toString(all(2, 5L, 1f, 2.5, \"o\", \"s\")));
        }",
        &[
            "jump|2|3 @2 if_icmple",
            "jump|2 @3 ifne",
            "jump|5|7000000000 @4 lcmp ifge",
            "jump|1.0|1.5 @5 fcmpl iflt",
            "jump|2.5|2.5 @6 dcmpl ifeq",
            "jump|o @7 ifnonnull",
            "jump|o|s @8 if_acmpeq",
            "[false, false, true, false, false, false, true]",
        ],
    );
}

#[test]
fn switches_report_their_keys() {
    check(
        Kinds::SWITCHES,
        "static int table(int i) { switch (i) { case 1: return 5; case 2: return 6; default: return 0; } }
        static int sparse(int i) { switch (i) { case 1: return 5; case 999999: return 6; default: return 0; } }
        public static void main(String[] args) { System.out.println(table(2) + sparse(7)); }",
        &["switchKey|2 @1", "switchKey|7 @2", "6"],
    );
}

#[test]
fn the_budget_is_spent_at_entries_and_when_loops_go_round() {
    check(
        Kinds::BUDGET,
        "static int count(int n) {
            int i = 0;
            while (i < n) { i++; }
            do { i--; } while (i > 0);
            return i;
        }
        public static void main(String[] args) { System.out.println(count(2)); }",
        // Two rounds of the first loop, and the end of the second is asked for twice. The entry is
        // free.
        &["budget", "budget", "budget", "budget", "0"],
    );
}

/// What calls nothing of the program is entered without a probe, unless the JDK may do so for ever.
#[test]
fn the_budget_is_spent_where_methods_may_be_entered_again() {
    check(
        Kinds::BUDGET,
        "static class Plain { int n; Plain(double d) { n = (int) Math.sqrt(d); } int get() { return n; } }
        static class Endless implements Iterator<Integer> {
            public boolean hasNext() { return n() < 3; }
            public Integer next() { return null; }
            private int n() { return 2; }
        }
        static int free(int i) { return i + 1; }
        static int calling(int i) { return free(i); }
        public static void main(String[] args) {
            System.out.println(new Plain(4).get() + free(1));
            System.out.println(calling(1));
            Endless endless = new Endless();
            System.out.println(endless.hasNext());
            System.out.println(endless.next());
            java.util.function.IntSupplier one = Main::one;
            System.out.println(one.getAsInt());
        }
        static int one() { java.util.function.IntSupplier lambda = () -> 1; return lambda.getAsInt(); }",
        &["4", "budget", "2", "budget", "true", "budget", "null", "budget", "budget", "1"],
    );
}

#[test]
fn lines_and_blocks_are_reported_when_reached() {
    let members = "static int step(int i) {
            int sum = 0;
            for (int k = 0; k < i; k++) {
                sum += k;
            }
            return sum;
        }
        public static void main(String[] args) { System.out.println(step(1)); }";
    check(Kinds::LINES, members, &["line @2", "line @3", "line @4", "line @3", "line @6", "0"]);
    check(Kinds::BLOCKS, members, &["block @2", "block @3", "block @4", "block @3", "block @6", "0"]);
}

#[test]
fn frames_are_entered_and_left_in_pairs() {
    check(
        Kinds::FRAMES,
        "static class Base {
            Base(int i) { if (i == 3) throw new IllegalStateException(); }
        }
        static class Derived extends Base {
            Derived(int i) {
                super(i);
                if (i == 2) throw new IllegalArgumentException();
            }
        }
        static void outer(int i) {
            new Derived(i);
        }
        public static void main(String[] args) {
            for (int i = 1; i < 4; i++) {
                try { outer(i); System.out.println(\"returned\"); } catch (RuntimeException e) { System.out.println(\"threw\"); }
            }
        }",
        &[
            "enter @11", "enter @6", "enter @2", "leave @2", "leave @6", "leave @11", "returned",
            "enter @11", "enter @6", "enter @2", "leave @2",
            "unwind|java.lang.IllegalArgumentException @6", "unwind|java.lang.IllegalArgumentException @11", "threw",
            // What super() throws passes the constructor that called it unseen.
            "enter @11", "enter @6", "enter @2", "unwind|java.lang.IllegalStateException @2",
            "unwind|java.lang.IllegalStateException @11", "threw",
        ],
    );
}

/// A loop may begin with the first instruction of a method; going round is not entering.
#[test]
fn loops_back_to_the_first_instruction_do_not_enter_again() {
    check(
        Kinds::FRAMES | Kinds::BLOCKS,
        "static int left = 2;
        static void drain() {
            while (left-- > 0) { }
        }
        public static void main(String[] args) { drain(); }",
        &[
            "enter @1", "block @1", "leave @1", "enter @3",
            // The condition, the way back, twice; the condition again, and the end.
            "block @3", "block @3", "block @3", "block @3", "block @3", "block @4", "leave @3",
        ],
    );
}

#[test]
fn comparing_and_looking_up_report_their_operands() {
    check(
        Kinds::CALLS,
        "static void texts(String a, String b, Object o) {
            a.equals(b); o.equals(a); a.equalsIgnoreCase(b);
            a.startsWith(b); a.startsWith(b, 3); a.endsWith(b);
            a.contains(b); a.matches(b); Objects.equals(o, b);
            a.regionMatches(1, b, 2, 3);
            System.out.println(a.regionMatches(true, 0, b, 0, 1));
            a.indexOf(b); a.indexOf(b, 1); a.lastIndexOf(b); a.lastIndexOf(b, 1);
            a.indexOf('x'); a.indexOf('x', 1); a.lastIndexOf('x'); a.lastIndexOf('x', 1);
        }
        static void lookups(Map<String, Integer> map, List<String> list, Set<String> set, HashMap<String, Integer> hash) {
            map.containsKey(\"k\"); map.get(\"g\"); hash.get(\"h\");
            list.contains(\"c\"); list.indexOf(\"i\"); set.contains(\"s\");
            list.get(0);
        }
        public static void main(String[] args) {
            texts(\"ab\", \"AB\", 5);
            lookups(Collections.singletonMap(\"k\", 1), Arrays.asList(\"c\"), Collections.singleton(\"e\"), new HashMap<>());
        }",
        &[
            "equalTo|ab|AB @2", "equalTo|5|ab @2", "equalsIgnoreCase|ab|AB @2",
            "startsWith|ab|AB @3", "startsWith|ab|AB|3 @3", "endsWith|ab|AB @3",
            "containsText|ab|AB @4", "matches|ab|AB @4", "objectsEqual|5|AB @4",
            "regionMatches|ab|1|AB|2|3 @5",
            "regionMatches|ab|true|0|AB|0|1 @6",
            "true",
            "findText|ab|AB @7", "findText|ab|AB|1 @7", "findText|ab|AB @7",
            "findCharacter|ab|120 @8", "findCharacter|ab|120|1 @8", "findCharacter|ab|120 @8",
            "containsKey|{k=1}|k @11", "get|{k=1}|g @11", "get|{}|h @11",
            "contains|[c]|c @12", "indexOf|[c]|i @12", "contains|[e]|s @12",
        ],
    );
}

#[test]
fn words_are_reported_wherever_texts_are_compared_or_looked_up() {
    check(
        Kinds::WORDS,
        "static void texts(String a, String b, Object o, Map<String, Integer> map, List<String> list) {
            a.equals(b); a.startsWith(b); a.startsWith(b, 3); a.endsWith(b); a.contains(b); a.matches(b);
            a.indexOf(b); a.lastIndexOf(b); a.indexOf('x'); o.equals(a);
            map.get(\"g\"); list.indexOf(\"i\"); list.get(0);
        }
        public static void main(String[] args) {
            texts(\"ab\", \"AB\", 5, Collections.singletonMap(\"k\", 1), Arrays.asList(\"c\"));
        }",
        &[
            "word|ab|AB",
            "word|ab|AB",
            "word|ab|AB",
            "word|ab|AB",
            "word|ab|AB",
            "word|ab|AB",
            "word|5|ab",
            "wordIn|{k=1}|g",
            "wordIn|[c]|i",
        ],
    );
}

#[test]
fn arguments_are_reported_that_literals_can_stand_for() {
    check(
        Kinds::ARGUMENTS,
        "interface Reader { int read(boolean b, long l, char c, String s, List<String> list, Object o); }
        static class Counting implements Reader {
            Counting(double d, byte[] bytes, float f) { this(d > 1 ? 'x' : 'y'); }
            Counting(int unit) { }
            public int read(boolean b, long l, char c, String s, List<String> list, Object o) { return 0; }
        }
        public static void main(String[] args) {
            new Counting(2.5, null, 1.5f).read(true, 7000000000L, 'c', \"s\", null, 5);
        }",
        &[
            "argument|2.5|0",
            "argument|1.5|2",
            "argument|120|0",
            "argument|7000000000|1",
            "argument|99|2",
            "argument|s|3",
            "argument|5|5",
        ],
    );
}

#[test]
fn words_are_asked_for_everywhere_in_the_project_alone() {
    let mut plan = ProbePlan::everywhere(Kinds::WORDS | Kinds::BUDGET);
    assert!(plan.kinds("a/B", "c()V").contains(Kinds::WORDS), "without a project all classes are of it");
    plan.project = ["b/".to_owned()].into_iter().collect();
    assert_eq!(plan.kinds("a/B", "c()V"), Kinds::BUDGET);
    assert!(plan.kinds("b/B", "c()V").contains(Kinds::WORDS));
}

/// Without the numbers that arrays are printed with, which differ from run to run.
pub(crate) fn without_numbers(line: &str) -> String {
    let mut parts = line.split('@');
    let mut stable = parts.next().unwrap().to_owned();
    for part in parts {
        // The line of a probe stands behind a space.
        if stable.ends_with(' ') {
            stable.push('@');
            stable.push_str(part);
        } else {
            stable.push_str(part.trim_start_matches(|it: char| it.is_ascii_hexdigit()));
        }
    }
    stable
}

#[test]
fn instructions_that_may_throw_report_their_operands() {
    let lines = run(
        Kinds::THROWS,
        "static void elements(int[] i, long[] l, double[] d, String[] s) {
            i[1] = 7; l[0] = 8L; d[2] = 0.5; s[1] = \"w\";
            System.out.println(i[1] + l[0] + d[2] + s[1]);
        }
        static long numbers(int i, long l) {
            return 100 / i + 100 % i + 100L / l + new byte[i].length + new String[i].length;
        }
        static void calls(String text, List<String> list) {
            text.charAt(1); text.substring(1); text.substring(1, 2);
            list.get(0); list.subList(0, 1); text.length();
        }
        public static void main(String[] args) {
            elements(new int[2], new long[1], new double[3], new String[2]);
            System.out.println(numbers(3, 9L));
            calls(\"abc\", Arrays.asList(\"one\"));
        }",
    );
    for lines in lines {
        let lines: Vec<String> = lines.iter().map(|it| without_numbers(it)).collect();
        let expected = [
            "index|[I|1 @2",
            "index|[J|0 @2",
            "index|[D|2 @2",
            "index|[Ljava.lang.String;|1 @2",
            "index|[I|1 @3",
            "index|[J|0 @3",
            "index|[D|2 @3",
            "index|[Ljava.lang.String;|1 @3",
            "15.5w",
            "divisor|3 @6",
            "divisor|3 @6",
            "divisor|9 @6",
            "length|3 @6",
            "length|3 @6",
            "51",
            "index|abc|1 @9",
            "range|abc|1 @9",
            "range|abc|1|2 @9",
            "index|[one]|0 @10",
            "range|[one]|0|1 @10",
        ];
        assert_eq!(lines, expected);
    }
}

/// The plan may mean single instructions of a method.
#[test]
fn throws_are_watched_where_the_plan_says() {
    let source = "class Two { static int two(int[] a) { return a[0] + a[1]; } static int one(int[] a) { return a[2]; } }";
    let home = jdk_homes().remove(0);
    let classes = compile(&home, &[("Two.java", source)], &[]);
    let mut plan = ProbePlan::everywhere(Kinds::THROWS);
    let offsets = |plan: &ProbePlan| {
        let result = instrument(&classes["Two"], plan, &mut |_| 0).unwrap();
        result.probes().map(|it| it.offset).collect::<Vec<u32>>()
    };
    assert_eq!(offsets(&plan), [2, 5, 2]);
    let throwing = BTreeMap::from([("two([I)I".to_owned(), BTreeSet::from([5]))]);
    plan.classes.insert("Two".to_owned(), ClassPlan { throwing, ..ClassPlan::default() });
    assert_eq!(offsets(&plan), [5, 2]);
}

#[test]
fn caught_exceptions_are_reported_at_the_handler() {
    check(
        Kinds::CAUGHT,
        "static int handle(int[] array) {
            try {
                try {
                    return array[3];
                } finally {
                    System.out.println(\"finally\");
                }
            } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
                return -1;
            }
        }
        public static void main(String[] args) { System.out.println(handle(new int[4]) + handle(new int[0])); }",
        &[
            "finally",
            "caught|java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0 @6 everything=true",
            "finally",
            "caught|java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0 @8 everything=false",
            "-1",
        ],
    );
}

#[test]
fn initialisers_and_touched_classes_are_reported() {
    check(
        Kinds::STATE,
        "static class Holder {
            static int count = 3;
            static List<String> list = new ArrayList<>();
            static final String NAME = String.valueOf(7);
            static { Other.shared = count; list.add(NAME); }
        }
        static class Other { static Object shared; }
        static class Below extends Other { }
        static void touch(boolean twice) {
            Holder.count++; Holder.count++;
            if (twice) { Holder.count--; }
            Holder.list.add(Holder.NAME);
            Below.shared = null;
        }
        public static void main(String[] args) {
            touch(true);
            System.out.println(Holder.count + \" \" + Holder.list);
        }",
        &[
            // Reading the count initialises the class, writing it touches the class.
            "initialiser Main$Holder",
            "touch Main$Other",
            "initialised Main$Holder",
            "touch Main$Holder",
            "touch Main$Holder",
            "touch Main$Holder",
            "touch Main$Below",
            "4 [7, 7]",
        ],
    );
}

/// `new; dup; ifnonnull next; next: dup; invokespecial; areturn`: a verifier has nothing against
/// comparing what is not initialised yet, but a probe could not be given it.
#[test]
fn unfinished_objects_are_compared_without_a_probe() {
    let source = "class Unfinished {
            static Object make() { return new Object(); }
            static boolean none(Object o) { return o == null; }
        }";
    for home in jdk_homes() {
        let classes = compile(&home, &[("Unfinished.java", source)], &[]);
        let mut class = ClassFile::parse(&classes["Unfinished"]).unwrap();
        let mut pool = PoolExtension::new(&class.pool);
        let name_index = pool.add_utf8("StackMapTable").unwrap();
        let make = class.methods.iter_mut().find(|it| it.name(&class.pool).unwrap() == "make").unwrap();
        let mut code = make.code(&class.pool).unwrap().unwrap();
        let old = code.code.to_vec();
        assert_eq!(old.len(), 8);
        let dup = Opcode::Dup as u8;
        code.code = [&old[..4], &[Opcode::Ifnonnull as u8, 0, 3, dup], &old[4..]].concat().into();
        let stack = VerificationType::Uninitialized(0);
        let frames = vec![StackMapFrame::SameLocals1StackItem { offset_delta: 7, stack }];
        let mut info = Vec::new();
        Attribute::StackMapTable(frames).encode_into(&mut info).unwrap();
        code.attributes = vec![RawAttribute { name_index, info: info.into() }];
        let mut info = Vec::new();
        code.encode_into(&mut info).unwrap();
        make.attributes[0].info = info.into();
        let before = Classes::from([("Unfinished".to_owned(), class.write_extended(&pool).unwrap())]);
        let result =
            instrument(&before["Unfinished"], &ProbePlan::everywhere(Kinds::ALL), &mut |_| 7).unwrap();
        let jumps = |name: &str| {
            let probes = result.methods.iter().filter(|it| it.method.name == name).flat_map(|it| &it.probes);
            probes.filter(|probe| matches!(probe.kind, ProbeKind::Jump { .. })).count()
        };
        assert_eq!((jumps("make"), jumps("none")), (0, 1));
        let after = Classes::from([("Unfinished".to_owned(), result.bytes.unwrap())]);
        let verdict = link(&home, &before, &after);
        assert_eq!((verdict.checked, verdict.failures), (1, Vec::new()));
    }
}

/// With all probes and a runtime that does nothing, programs do what they did.
#[test]
fn observed_programs_do_what_they_did() {
    let programs = [("Behaviour", include_str!("java/Behaviour.java").to_owned()), ("Far", long_method())];
    for home in jdk_homes() {
        for (main, source) in &programs {
            let classes = compile(&home, &[(&format!("{main}.java"), source)], &[]);
            let mut observed = silent_runtime(&home);
            for (name, bytes) in &classes {
                let result = instrument(bytes, &ProbePlan::everywhere(Kinds::ALL), &mut |_| 7).unwrap();
                assert!(result.untouched.is_empty(), "{:?}", result.untouched);
                observed.insert(name.clone(), result.bytes.unwrap());
            }
            assert_eq!(run_main(&home, main, &observed), run_main(&home, main, &classes));
        }
    }
}

#[test]
fn a_plan_that_asks_for_nothing_changes_nothing() {
    let plan = ProbePlan::everywhere(Kinds::NONE);
    for bytes in libraries().values().take(100) {
        let result = instrument(bytes, &plan, &mut |_| 40_000).unwrap();
        assert_eq!((result.bytes, result.methods, result.untouched), (None, Vec::new(), Vec::new()));
    }
}

/// A plan with all kinds of probes for all classes.
fn everything(classes: &Classes) -> ProbePlan {
    let mut plan = ProbePlan::everywhere(Kinds::ALL);
    plan.classes = classes.keys().map(|name| (name.clone(), ClassPlan::default())).collect();
    plan
}

/// Puts all kinds of probes into all classes and links them on every JDK at hand.
fn check_linking(classes: &Classes) {
    let (plan, table) = number_probes(&everything(classes), |name| Some(classes[name].as_slice().into()));
    assert_eq!(table.uncounted, []);
    let mut after = Classes::new();
    let mut untouched = Vec::new();
    for ((name, bytes), counted) in classes.iter().zip(table.classes()) {
        let result = instrument(bytes, &plan, &mut |_| 40_000).unwrap();
        assert_eq!(
            (&result.name, &result.methods, &result.untouched),
            (&counted.name, &counted.methods, &counted.untouched)
        );
        let reasons = result.untouched.iter();
        untouched.extend(reasons.map(|(method, reason)| format!("{name}.{}: {reason}", method.name)));
        after.insert(name.clone(), result.bytes.unwrap_or_else(|| bytes.clone()));
    }
    println!("{} classes, {} probes, untouched: {untouched:?}", classes.len(), table.len());
    for home in jdk_homes() {
        let verdict = link(&home, classes, &after);
        println!("{}: {} checked, {:?}", home.display(), verdict.checked, verdict.unlinkable);
        assert!(verdict.failures.is_empty(), "{:#?}", &verdict.failures[..verdict.failures.len().min(20)]);
    }
}

#[test]
fn subjects_with_all_probes_pass_the_verifier() {
    check_linking(subjects());
}
