//! Positions in the call chain as its frames see them.

use std::collections::BTreeMap;

use crashback_instrument::{ClassPlan, Kinds, ProbeKind, ProbePlan, number_probes};
use crashback_jvm::Recording;
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_protocol::{Batch, Evaluator, Facts, Results, TargetChain};
use crashback_testcase::Literal;

use crate::support::{Bench, jdk_homes};

const METHODS: [&str; 3] = ["outer(I)I", "middle(I)I", "inner(I)I"];

/// A pool of one worker that records jumps in the methods above and has them as its chain.
fn pool(bench: &Bench) -> Pool {
    let mut plan = ProbePlan::everywhere(Kinds::BUDGET);
    let methods = METHODS.map(|method| (method.to_owned(), Kinds::FRAMES | Kinds::JUMPS));
    let methods = BTreeMap::from(methods);
    plan.classes.insert("subject/Nested".to_owned(), ClassPlan { methods, ..ClassPlan::default() });
    let (plan, table) = number_probes(&plan, |name| Some(bench.class_file(name).into()));
    let frame = |method: &str| {
        let probe = table.iter().find(|it| {
            let name = format!("{}{}", it.method.name, it.method.descriptor);
            matches!(it.probe.kind, ProbeKind::Frame) && name == method
        });
        probe.unwrap().probe.id
    };
    let chain = METHODS.map(frame).to_vec();
    let mut settings = bench.settings();
    settings.worker.recording =
        Recording { plan, jump_codes: table.jump_codes(), chain, ..settings.worker.recording };
    Pool::new(PoolSettings { workers: 1, ..settings }).unwrap()
}

/// The innermost place that was entered and the places of all jumps, test by test, as a frame of the
/// chain sees them.
fn seen_from(target: u32, results: &Results) -> Vec<(Option<u32>, Vec<Option<u32>>)> {
    let chain = TargetChain::new(&[0, 1, 2], target);
    let seen = |facts: &Facts| {
        let entered = facts.entered.iter().filter_map(|it| chain.innermost(*it)).max();
        (entered, facts.branches.iter().map(|it| chain.innermost(it.position)).collect())
    };
    results.observations.iter().map(|it| seen(&it.facts)).collect()
}

#[test]
fn one_execution_tells_every_frame_how_deep_it_was() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut call = |method: &str, x| bench.call(&format!("subject/Nested.{method}"), &[Literal::Int(x)]);
        let tests = [call(METHODS[0], 1), call(METHODS[0], -1), call(METHODS[1], 1), call(METHODS[2], 1)];
        let mut pool = pool(&bench);
        let (outer, inner, none) = (Some(0), Some(2), None);
        let from_outer = vec![
            (inner, vec![outer, inner]),
            (outer, vec![outer, none]),
            (none, vec![none]),
            (none, vec![none]),
        ];
        let from_middle = vec![
            (inner, vec![none, inner]),
            (none, vec![none, none]),
            (inner, vec![inner]),
            (none, vec![none]),
        ];
        let from_inner = vec![
            (inner, vec![none, inner]),
            (inner, vec![none, inner]),
            (inner, vec![inner]),
            (inner, vec![inner]),
        ];
        for _ in 0..2 {
            let results = pool.evaluate(Batch::new(&bench.vocabulary, &tests)).unwrap();
            for (target, expected) in (0..).zip([&from_outer, &from_middle, &from_inner]) {
                assert_eq!(&seen_from(target, &results), expected, "place {target}, {}", home.display());
            }
        }
        assert_eq!(pool.handle().statistics().died, 0);
    }
}
