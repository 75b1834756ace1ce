//! Methods that cannot be rewritten keep their code, and the reason is told.

use crashback_classfile::{ClassFile, Error, PoolExtension};
use crashback_instrument::{
    ClassPlan, Kinds, MethodEdits, ProbePlan, Refusal, Snippet, instrument, rewrite_method,
};

use crate::support::{compile, jdk_homes};

fn nops(count: usize) -> Snippet {
    let mut snippet = Snippet::new();
    (0..count).for_each(|_| snippet.nop().unwrap());
    snippet
}

/// Rewrites `static long run(long)`, whose code begins with `lload_0; ldc2_w`.
fn refusal(prepare: impl Fn(&mut MethodEdits, &mut PoolExtension<'_>)) -> Refusal {
    let source = "class Small { static long run(long given) { return given * 12345678901L; } }";
    let classes = compile(&jdk_homes()[0], &[("Small.java", source)], &[]);
    let class = ClassFile::parse(&classes["Small"]).unwrap();
    let method = class.method("run", "(J)J").unwrap();
    let mut pool = PoolExtension::new(&class.pool);
    let mut edits = MethodEdits::new();
    prepare(&mut edits, &mut pool);
    rewrite_method(&class, method, &edits, &mut pool).unwrap_err()
}

#[test]
fn each_obstacle_has_its_reason() {
    assert_eq!(refusal(|edits, _| edits.before(2, nops(1))), Refusal::NoInstruction { offset: 2 });
    assert_eq!(refusal(|edits, _| edits.after(99, nops(1))), Refusal::NoInstruction { offset: 99 });
    let unbalanced = refusal(|edits, _| {
        let mut snippet = Snippet::new();
        snippet.duplicate(2).unwrap();
        edits.before(1, snippet);
    });
    assert_eq!(unbalanced, Refusal::Unbalanced { offset: 1 });
    let replacing = |offset: u32| refusal(|edits, _| edits.replace(offset, nops(1)));
    // What the constant leaves on the stack is missing, and a return is no instruction that goes
    // on.
    assert_eq!(
        (replacing(1), replacing(5)),
        (Refusal::Unbalanced { offset: 1 }, Refusal::Unbalanced { offset: 5 })
    );
    assert!(matches!(refusal(|edits, _| edits.at_entry(nops(65_536))), Refusal::TooLong(65_542..)));
    let full = refusal(|edits, pool| {
        (0..).map_while(|value| pool.add_int(value).ok()).for_each(drop);
        edits.catch_all(Snippet::new());
    });
    assert!(matches!(full, Refusal::ClassFile(Error::Overflow { .. })), "{full}");
    let locals = refusal(|edits, _| {
        edits.at_entry(nops(1));
        edits.need_scratch_locals(u16::MAX);
    });
    assert_eq!(locals, Refusal::Overflow("number of locals"));
}

#[test]
fn the_stack_map_of_small_devices_is_left_alone() {
    let source = "class Branch { static int run(int i) { return i > 0 ? 1 : 2; } }";
    let classes = compile(&jdk_homes()[0], &[("Branch.java", source)], &[]);
    // The length of the name comes before it; nothing else in a class depends on where its texts
    // lie.
    let mut bytes = classes["Branch"].clone();
    let table = b"StackMapTable";
    let at = bytes.windows(table.len()).position(|window| window == table).unwrap();
    bytes.splice(at - 2..at + table.len(), *b"\x00\x08StackMap");
    let result = instrument(&bytes, &ProbePlan::everywhere(Kinds::ALL), &mut |_| 7).unwrap();
    let reasons: Vec<_> = result.untouched.iter().map(|(method, why)| (method.name.as_str(), *why)).collect();
    assert_eq!(reasons, [("run", Refusal::DeviceStackMap)]);
}

#[test]
fn what_is_refused_keeps_its_code_and_uses_no_numbers() {
    let source = format!("class Far {{ {} static void other(int i) {{ if (i > 0) i++; }} }}", huge());
    let classes = compile(&jdk_homes()[0], &[("Far.java", &source)], &[]);
    let mut plan = ProbePlan::everywhere(Kinds::ALL);
    plan.classes.insert("Far".to_owned(), ClassPlan { first_id: 7, ..ClassPlan::default() });
    let result = instrument(&classes["Far"], &plan, &mut |_| 7).unwrap();
    let (name, reason) = &result.untouched[0];
    assert!(result.untouched.len() == 1 && name.name == "huge", "{:?}", result.untouched);
    assert!(matches!(reason, Refusal::TooLong(_)), "{reason}");
    let ids: Vec<_> = result.probes().map(|it| it.id).collect();
    assert_eq!(ids, (7..7 + i32::try_from(ids.len()).unwrap()).collect::<Vec<_>>());
    let original = ClassFile::parse(&classes["Far"]).unwrap();
    let bytes = result.bytes.unwrap();
    let after = ClassFile::parse(&bytes).unwrap();
    assert_eq!(after.method("huge", "(I)I"), original.method("huge", "(I)I"));
    assert_ne!(after.method("other", "(I)V"), original.method("other", "(I)V"));
}

/// A method whose code is within the limit only as it is.
fn huge() -> String {
    let lines: String = (0..4000).map(|i| format!("if (i == {i}) i += 3;\n")).collect();
    format!("static int huge(int i) {{ {lines} return i; }}")
}
