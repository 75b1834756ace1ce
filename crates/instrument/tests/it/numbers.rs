//! Numbers of probes: the same for all who follow a plan.

use crashback_classfile::Opcode;
use crashback_instrument::{
    ClassPlan, Kinds, Probe, ProbeKind, ProbePlan, ProbeTable, Refusal, Uncounted, instrument, number_probes,
};

use crate::support::{Classes, compile, jdk_homes};

const SOURCE: &str = "class Numbers {
        static boolean less(float a, float b) { return a < b; }
        static boolean more(double a, double b) { return a > b; }
        static boolean longs(long a, long b) { return a == b; }
        static int key(int i) { switch (i) { case 1: return 5; default: return i > 7 ? 1 : 0; } }
        static class Empty { }
        static class Other { boolean none(Object o) { return o == null; } }
        interface Zero { }
    }";

fn classes() -> Classes {
    compile(&jdk_homes()[0], &[("Numbers.java", SOURCE)], &[])
}

fn plan(classes: &[&str]) -> ProbePlan {
    let kinds = Kinds::JUMPS | Kinds::SWITCHES;
    let class = || ClassPlan { kinds, ..ClassPlan::default() };
    let mut plan = ProbePlan::everywhere(Kinds::BUDGET);
    plan.classes = classes.iter().map(|name| ((*name).to_owned(), class())).collect();
    plan
}

fn numbered(classes: &Classes) -> (ProbePlan, ProbeTable) {
    let names = ["Numbers", "Numbers$Empty", "Numbers$Gone", "Numbers$Other", "Numbers$Zero"];
    number_probes(&plan(&names), |name| classes.get(name).map(|bytes| bytes.as_slice().into()))
}

#[test]
fn numbers_have_no_gaps_and_lead_to_their_probes() {
    let (_, table) = numbered(&classes());
    let all: Vec<_> = table.iter().collect();
    assert_eq!(all.len(), table.len());
    for (id, entry) in (0..).zip(&all) {
        assert_eq!(entry.probe.id, id);
        assert_eq!(table.get(id).as_ref(), Some(entry));
    }
    assert_eq!(table.get(-1), None);
    assert_eq!(table.get(all.len() as i32), None);
    let methods: Vec<_> = all.iter().map(|entry| format!("{}.{}", entry.class, entry.method.name)).collect();
    assert_eq!(
        methods,
        ["Numbers.less", "Numbers.more", "Numbers.longs", "Numbers.key", "Numbers.key", "Numbers$Other.none"]
    );
    assert_eq!(table.uncounted, [("Numbers$Gone".to_owned(), Uncounted::Missing)]);
}

/// The plan alone, after a way over the wire, tells another process all it needs.
#[test]
fn another_process_gets_the_same_numbers() {
    let classes = classes();
    let (plan, table) = numbered(&classes);
    let sent: ProbePlan = postcard::from_bytes(&postcard::to_stdvec(&plan).unwrap()).unwrap();
    assert_eq!(sent, plan);
    for counted in table.classes() {
        let result = instrument(&classes[&counted.name], &sent, &mut |_| 7).unwrap();
        assert_eq!(result.methods, counted.methods);
        assert_eq!(result.probes().count(), counted.count as usize);
    }
}

#[test]
fn another_copy_of_a_class_is_refused() {
    let (plan, _) = numbered(&classes());
    let shorter = SOURCE.replace("i > 7 ? 1 : 0", "0");
    let other = compile(&jdk_homes()[0], &[("Numbers.java", &shorter)], &[]);
    let refusal = instrument(&other["Numbers"], &plan, &mut |_| 7).unwrap_err();
    assert_eq!(refusal, Refusal::OtherCopy { expected: 5, found: 4 });
    assert!(instrument(&other["Numbers$Other"], &plan, &mut |_| 7).is_ok());
}

#[test]
fn a_class_under_a_false_name_has_no_numbers() {
    let classes = classes();
    let (_, table) = number_probes(&plan(&["Numbers"]), |_| Some(classes["Numbers$Other"].as_slice().into()));
    assert_eq!(table.uncounted, [("Numbers".to_owned(), Uncounted::Misnamed("Numbers$Other".to_owned()))]);
    assert!(table.is_empty());
}

#[test]
fn jump_codes_tell_the_jump_and_what_nan_does() {
    let (_, table) = numbered(&classes());
    let greater = |opcode: Opcode| opcode as u8 | Probe::NAN_IS_GREATER;
    let expected = [
        greater(Opcode::Ifge),
        Opcode::Ifle as u8,
        Opcode::Ifne as u8,
        Opcode::IfIcmple as u8,
        // The switch; within a method numbers go kind by kind.
        0,
        Opcode::Ifnonnull as u8,
    ];
    assert_eq!(table.jump_codes(), expected);
    let compares: Vec<_> = table
        .iter()
        .filter_map(|entry| match entry.probe.kind {
            ProbeKind::Jump { compare, .. } => Some(compare.map(Opcode::mnemonic)),
            _ => None,
        })
        .collect();
    assert_eq!(compares, [Some("fcmpg"), Some("dcmpl"), Some("lcmp"), None, None]);
}
