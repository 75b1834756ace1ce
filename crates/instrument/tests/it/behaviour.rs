//! Rewritten programs do what they did.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use crashback_classfile::{Attribute, ClassFile, Location, Opcode};

use crate::linking::link;
use crate::stress::stress;
use crate::support::{Classes, compile, feature, java, jdk_homes, write_classes};

/// Counts calls and says so at the end, so that a run without inserted code would be noticed.
const PROBES: &str = "package crashback.runtime;
    public class Probes {
        static long steps, unwound;
        static {
            Runtime.getRuntime().addShutdownHook(new Thread(() ->
                System.out.println(\"probes \" + (steps > 0) + \" \" + (unwound > 0))));
        }
        public static void step() { steps++; }
        public static void unwind(Throwable thrown) { unwound++; }
    }";

pub(crate) fn run(home: &Path, main: &str, classes: &Classes) -> String {
    let folder = tempfile::tempdir().unwrap();
    write_classes(classes, folder.path());
    java(home, &[OsStr::new("-cp"), folder.path().as_os_str(), OsStr::new(main)])
}

fn check_same_behaviour(main: &str, source: &str, since: u32) -> Classes {
    let mut rewritten = Classes::new();
    for home in jdk_homes().into_iter().filter(|home| feature(home) >= since) {
        let classes = compile(&home, &[(&format!("{main}.java"), source)], &[]);
        let probes = compile(&home, &[("Probes.java", PROBES)], &[]);
        rewritten = classes
            .iter()
            .map(|(name, bytes)| {
                let stressed = stress(bytes);
                assert!(stressed.refused.is_empty(), "{name}: {:?}", stressed.refused);
                (name.clone(), stressed.bytes)
            })
            .collect();
        let verdict = link(&home, &classes, &rewritten);
        assert!(verdict.failures.is_empty(), "{:#?}", verdict.failures);
        let expected = run(&home, main, &classes);
        assert!(expected.lines().count() > 1, "{expected}");
        let with_probes = rewritten.clone().into_iter().chain(probes).collect();
        assert_eq!(run(&home, main, &with_probes), format!("{expected}probes true true\n"));
    }
    rewritten
}

#[test]
fn rewritten_programs_do_what_they_did() {
    check_same_behaviour("Behaviour", include_str!("java/Behaviour.java"), 0);
}

/// Since Java 25 a constructor may do much before it calls `super()`, with jumps and handlers of
/// its own.
#[test]
fn constructors_with_a_prologue_do_what_they_did() {
    let source = "public class Early {
            final String text;
            Early(int i) {
                String made;
                try {
                    made = i > 2 ? new StringBuilder(\"big\").append(10 / (i - 5)).toString() : \"small\";
                } catch (ArithmeticException zero) {
                    made = \"zero\";
                }
                while (made.length() < 6) { made += i; }
                this.text = made;
                if (i == 7) throw new IllegalStateException(made);
                super();
                if (i == 8) throw new IllegalStateException(text + text);
            }
            public static void main(String[] arguments) {
                for (int i = 0; i < 10; i++) {
                    try { System.out.println(new Early(i).text); }
                    catch (IllegalStateException e) { System.out.println(e.getMessage()); }
                }
            }
        }";
    check_same_behaviour("Early", source, 25);
}

/// A method so long that its jumps no longer reach when rewritten: an outer loop and conditions
/// around hundreds of statements, inside handlers, with objects half made on the stack and locals
/// of all kinds.
pub(crate) fn long_method() -> String {
    let mut body = String::new();
    for i in 0..280 {
        writeln!(body, "if (sum % {} == 1) {{ sum += new StringBuilder(sum > {i} ? \"a\" : \"bc\").length(); continue; }}", i + 3)
            .unwrap();
    }
    format!(
        "public class Far {{
            public static void main(String[] arguments) {{
                for (int start = 0; start < 40; start++) {{
                    System.out.println(start + \" \" + new Far(start, 1.5).run(\"text\", start, 7L, 2.5, new int[3]));
                }}
            }}
            final int field;
            Far(int given, double other) {{ this.field = given; if (given == 13) throw new IllegalStateException(); }}
            Far() {{ this(1, 2); }}
            long run(String text, long sum, long more, double real, int[] array) {{
                int rounds = 0;
                while (rounds++ < 20 && (sum > 0 || more > 0) && text != null && real > rounds / 100.0) {{
                    int inner = rounds;
                    try {{
                        long fresh = sum + array.length;
                        if (fresh != -77) {{ {body} }}
                        sum = fresh + 1;
                        if (sum % 5 == 0) {{ throw new IllegalStateException(); }}
                    }} catch (IllegalStateException caught) {{
                        sum += inner;
                        if (sum < 0) {{ return -1; }}
                    }}
                }}
                return sum + field;
            }}
        }}"
    )
    .replace("new Far(start, 1.5).run", "make(start).run")
    .replace(
        "final int field;",
        "static Far make(int i) { try { return new Far(i, 1); } catch (IllegalStateException e) { return new Far(); } }
         final int field;",
    )
}

#[test]
fn jumps_that_no_longer_reach_make_detours() {
    let classes = check_same_behaviour("Far", &long_method(), 0);
    let class = ClassFile::parse(&classes["Far"]).unwrap();
    let method = class.methods.iter().find(|it| it.name(&class.pool).unwrap() == "run").unwrap();
    let code = method.code(&class.pool).unwrap().unwrap();
    let all: Vec<_> = code.instructions().map(|it| it.unwrap().1.opcode).collect();
    // Every instruction of the original comes after an inserted call, a detour after an instruction
    // that ends the flow.
    let detours = all.windows(2).filter(|pair| pair[1] == Opcode::GotoW && !pair[0].falls_through()).count();
    assert!(code.code.len() > 40_000 && detours >= 2, "{} bytes, {detours} detours", code.code.len());
}

/// What must fail: a frame that lies one byte off. Without this the other tests would prove
/// nothing.
#[test]
fn a_broken_frame_is_noticed() {
    for home in jdk_homes() {
        let options: &[&str] = &["--release", "8"];
        let classes = compile(&home, &[("Behaviour.java", include_str!("java/Behaviour.java"))], options);
        let as_version = |classes: &Classes, version: u16| -> Classes {
            let mut classes = classes.clone();
            classes.values_mut().for_each(|bytes| bytes[6..8].copy_from_slice(&version.to_be_bytes()));
            classes
        };
        let mut broken = classes.clone();
        let bytes = break_a_frame(&stress(&classes["Behaviour"]).bytes);
        broken.insert("Behaviour".to_owned(), bytes);
        let failures = link(&home, &classes, &broken).failures;
        assert!(failures.len() == 1 && failures[0].contains("VerifyError"), "{failures:?}");
        // Version 50 falls back to a verifier that needs no frames; the same class as version 51
        // does not.
        let failures = link(&home, &as_version(&classes, 50), &as_version(&broken, 50)).failures;
        assert!(failures.iter().any(|it| it.contains("as version 51")), "{failures:?}");
    }
}

fn break_a_frame(bytes: &[u8]) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    let pool = class.pool.clone();
    let table = class.methods.iter_mut().find(|it| it.name(&pool).unwrap() == "table").unwrap();
    let mut code = table.code(&pool).unwrap().unwrap();
    let frames = code.attributes.iter_mut().find(|it| it.name(&pool).unwrap() == "StackMapTable").unwrap();
    let Attribute::StackMapTable(mut decoded) = frames.decode(&pool, Location::Code).unwrap() else {
        panic!()
    };
    let first = &mut decoded[0];
    let moved = first.offset_delta() + 1;
    *first = crashback_classfile::StackMapFrame::SameExtended { offset_delta: moved };
    let mut info = Vec::new();
    Attribute::StackMapTable(decoded).encode_into(&mut info).unwrap();
    frames.info = info.into();
    let mut info = Vec::new();
    code.encode_into(&mut info).unwrap();
    let attribute = table.attributes.iter_mut().find(|it| it.name(&pool).unwrap() == "Code").unwrap();
    attribute.info = info.into();
    class.write().unwrap()
}
