//! Every mutator changes tests in its own way, and not at all once it is switched off.

use std::collections::BTreeSet;

use crashback_testcase::workshop::{Pools, TargetCall, TargetCalls, Tuning};
use crashback_testcase::{Literal, Random, Statement, TestCase, Vocabulary};

use crate::support::WORLD;
use crate::workshop::{ask_all, workshop_with};

const PARSE: &str = "java/lang/Integer.parseInt(Ljava/lang/String;I)I";
const ADD_ALL: &str = "java/util/ArrayList.addAll(ILjava/util/Collection;)Z";
const COMPONENT: &str = "home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I";
const COPY: &str = "java/util/Arrays.copyOfRange([Ljava/lang/Object;II)[Ljava/lang/Object;";

/// What a mutator does, alone, to tests for a target.
struct Effect {
    mutator: &'static str,
    target: &'static str,
    /// Whether a test was changed as the mutator does it.
    shows: fn(&TestCase, &TestCase) -> bool,
}

fn count(test: &TestCase, is_counted: fn(&Statement) -> bool) -> usize {
    test.statements().iter().filter(|it| is_counted(it)).count()
}

fn last_arguments(test: &TestCase) -> Vec<&Statement> {
    match test.statements().last() {
        Some(Statement::Call { arguments, .. }) => {
            arguments.iter().map(|it| &test.statements()[usize::from(it.0)]).collect()
        }
        _ => Vec::new(),
    }
}

fn is_null(statement: &Statement) -> bool {
    matches!(statement, Statement::Literal(Literal::Null(_)))
}

fn is_stub(statement: &Statement) -> bool {
    matches!(statement, Statement::Stub { .. })
}

fn is_call(statement: &Statement) -> bool {
    matches!(statement, Statement::Call { .. } | Statement::WriteField { .. })
}

fn length_of_array(test: &TestCase) -> Option<u16> {
    test.statements().iter().find_map(|it| match it {
        Statement::NewArray { length, .. } => Some(*length),
        _ => None,
    })
}

const EFFECTS: [Effect; 15] = [
    Effect {
        mutator: "delete",
        target: ADD_ALL,
        shows: |old, new| count(old, is_call) > count(new, is_call),
    },
    Effect {
        mutator: "insert-call",
        target: ADD_ALL,
        shows: |old, new| count(old, is_call) < count(new, is_call),
    },
    Effect {
        mutator: "repeat-call",
        target: ADD_ALL,
        shows: |old, new| count(old, is_call) + 1 < count(new, is_call),
    },
    Effect {
        mutator: "insert-preparation",
        target: PARSE,
        shows: |old, new| count(old, is_call) < count(new, is_call),
    },
    Effect {
        mutator: "stub-more",
        target: COMPONENT,
        shows: |old, new| count(old, is_stub) < count(new, is_stub),
    },
    Effect {
        mutator: "fill-null",
        target: COPY,
        shows: |old, new| count(old, is_null) > count(new, is_null),
    },
    Effect {
        mutator: "null-text",
        target: PARSE,
        shows: |old, new| count(old, is_null) < count(new, is_null),
    },
    Effect {
        mutator: "change-literal",
        target: PARSE,
        shows: |old, new| last_arguments(old) != last_arguments(new),
    },
    Effect {
        mutator: "resize-array",
        target: COPY,
        shows: |old, new| length_of_array(old) != length_of_array(new),
    },
    Effect { mutator: "change-value", target: COPY, shows: |old, new| old != new },
    Effect {
        mutator: "change-argument",
        target: PARSE,
        shows: |old, new| last_arguments(old) != last_arguments(new),
    },
    Effect { mutator: "change-maker", target: ADD_ALL, shows: |old, new| old != new },
    Effect {
        mutator: "other-target-call",
        target: ADD_ALL,
        shows: |_, new| {
            matches!(new.statements().last(), Some(Statement::Call { arguments, .. })
            if arguments.is_empty())
        },
    },
    Effect {
        mutator: "other-receiver",
        target: ADD_ALL,
        shows: |old, new| last_arguments(old) == last_arguments(new) && old != new,
    },
    Effect {
        mutator: "other-known-arguments",
        target: PARSE,
        shows: |_, new| {
            let known = Statement::Literal(Literal::Text("known".into()));
            last_arguments(new).contains(&&known)
        },
    },
];

/// A second target call, and an argument that callers pass.
fn more_calls(target: &mut TargetCalls, vocabulary: &mut Vocabulary) {
    let hierarchy = WORLD.context().hierarchy();
    let first = target.calls[0].clone();
    target.calls[0].arguments = vec![vec![Literal::Text("known".into())]];
    let method = vocabulary.find_method(hierarchy, "java/util/ArrayList.clear()V").unwrap();
    let step = crashback_testcase::workshop::Step::Call(method);
    target.calls.push(TargetCall { step, ..first });
}

/// Whether a mutator shows in mutants of tests, with all others off.
fn is_seen(effect: &Effect, is_on: bool) -> bool {
    let names: Vec<String> = EFFECTS.iter().map(|it| format!("mutator.{}", it.mutator)).collect();
    let on = format!("mutator.{}", effect.mutator);
    let mut settings: Vec<(&str, &str)> =
        names.iter().filter(|it| !is_on || **it != on).map(|it| (it.as_str(), "off")).collect();
    settings.extend([("null-value", "0.3"), ("known-argument", "1"), ("extra-calls", "0.8")]);
    let knows_arguments = effect.mutator == "other-known-arguments";
    let no_pools: fn(&mut Pools) = |_| {};
    let mut workshop = workshop_with(effect.target, &settings, no_pools, |target, vocabulary| {
        more_calls(target, vocabulary);
        if !knows_arguments {
            target.calls[0].arguments = Vec::new();
        }
    });
    let mut random = Random::new(2);
    let mut is_seen = false;
    for _ in 0..60 {
        let test = workshop.random(0.5, &mut random).unwrap();
        // Tests of both calls are mutated; only those of the first are looked at.
        if matches!(test.statements().last(), Some(Statement::Call { arguments, .. }) if arguments.is_empty())
        {
            continue;
        }
        let test = if knows_arguments { without_known(&test) } else { test };
        ask_all(&mut workshop, &test);
        for _ in 0..20 {
            let mutant = workshop.mutate(&test, &mut random);
            assert!(workshop.accepts(&mutant), "{}", mutant.display(workshop.vocabulary()));
            assert!(is_on || mutant == test, "no mutator is on");
            is_seen |= (effect.shows)(&test, &mutant);
        }
    }
    is_seen
}

/// The test with another text in the place of the known one.
fn without_known(test: &TestCase) -> TestCase {
    let known = Statement::Literal(Literal::Text("known".into()));
    let statements = test.statements().iter().map(|it| match *it == known {
        true => Statement::Literal(Literal::Text("other".into())),
        false => it.clone(),
    });
    TestCase::new(statements.collect::<Vec<_>>())
}

#[test]
fn mutators_can_be_switched_off_one_by_one() {
    let tested: BTreeSet<String> = EFFECTS.iter().map(|it| format!("mutator.{}", it.mutator)).collect();
    let tuning = Tuning::default();
    let known = tuning.entries().map(|it| it.name.to_owned()).filter(|it| it.starts_with("mutator."));
    assert_eq!(known.collect::<BTreeSet<String>>(), tested, "every mutator has an effect");
    for effect in &EFFECTS {
        assert!(is_seen(effect, true), "mutator.{} never shows", effect.mutator);
        assert!(!is_seen(effect, false), "mutator.{} shows although it is off", effect.mutator);
    }
}
