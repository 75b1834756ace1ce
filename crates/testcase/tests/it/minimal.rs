//! Tests that no simpler variant can replace have nothing that can be left out.

use crashback_testcase::workshop::Workshop;
use crashback_testcase::{MethodId, Random, Statement, TestCase, Var};

use crate::workshop::{TARGETS, workshop};

/// What a statement calls, unless it is pure.
fn callee(statement: &Statement) -> Option<MethodId> {
    match statement {
        Statement::Construct { constructor, .. } => Some(*constructor),
        Statement::Call { method, .. } | Statement::Stub { method, .. } => Some(*method),
        _ => None,
    }
}

/// Stands for a crash that needs some calls, in their order.
fn crashes(test: &TestCase, needed: &[MethodId]) -> bool {
    let mut left = needed.iter().peekable();
    for made in test.statements().iter().filter_map(callee) {
        left.next_if(|it| **it == made);
    }
    left.peek().is_none()
}

/// The test without a statement and those that need it, made by hand. None if the last needs it.
fn without(test: &TestCase, left_out: usize) -> Option<TestCase> {
    let mut names: Vec<Option<Var>> = Vec::new();
    let mut left: Vec<Statement> = Vec::new();
    for (number, statement) in test.statements().iter().enumerate() {
        let mut is_left = number != left_out;
        statement.for_each_operand(|it| is_left &= names[usize::from(it.0)].is_some());
        let name = is_left.then(|| Var(u16::try_from(left.len()).unwrap()));
        if is_left {
            left.push(statement.clone().with_operands(|it| names[usize::from(it.0)].unwrap()));
        }
        names.push(name);
    }
    names.last().copied().flatten()?;
    Some(TestCase::new(left))
}

fn minimised(workshop: &mut Workshop<'_>, mut test: TestCase, needed: &[MethodId]) -> TestCase {
    for _ in 0..1000 {
        match workshop.simpler(&test).into_iter().find(|it| crashes(it, needed)) {
            Some(simpler) => test = simpler,
            None => return test,
        }
    }
    panic!("steps lead in a circle: {}", test.display(workshop.vocabulary()));
}

#[test]
fn nothing_can_be_left_out_of_a_minimised_test() {
    let mut tried = 0;
    for (seed, target) in (0..).zip(TARGETS) {
        let mut workshop = workshop(target);
        let mut random = Random::new(seed);
        for _ in 0..30 {
            let mut test = workshop.random(0.5, &mut random).expect(target);
            for _ in 0..10 {
                test = workshop.mutate(&test, &mut random);
            }
            let callees: Vec<MethodId> = test.statements().iter().filter_map(callee).collect();
            let needed: Vec<MethodId> = callees.into_iter().filter(|_| random.chance(0.3)).collect();
            let test = minimised(&mut workshop, test, &needed);
            assert!(crashes(&test, &needed));
            for number in 0..test.statements().len().saturating_sub(1) {
                let Some(shorter) = without(&test, number) else { continue };
                tried += 1;
                let text = test.display(workshop.vocabulary());
                assert!(!crashes(&shorter, &needed), "statement {number} can be left out:\n{text}");
            }
        }
    }
    assert!(tried > 100, "{tried} statements were left out");
}
