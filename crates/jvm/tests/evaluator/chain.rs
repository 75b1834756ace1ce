//! Batches that aim at the whole call chain or at its end.

use std::collections::BTreeMap;

use crashback_instrument::{ClassPlan, Kinds, ProbeKind, ProbePlan, number_probes};
use crashback_jvm::Recording;
use crashback_jvm::pool::{Pool, PoolSettings};
use crashback_protocol::{Batch, Evaluator, Results};
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

/// The deepest level and the levels of all jumps, test by test.
fn levels(results: &Results) -> Vec<(u32, Vec<u32>)> {
    let facts = results.observations.iter().map(|it| &it.facts);
    facts.map(|facts| (facts.deepest, facts.branches.iter().map(|it| it.level).collect())).collect()
}

#[test]
fn levels_count_from_where_the_batch_aims() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut call = |method: &str, x| bench.call(&format!("subject/Nested.{method}"), &[Literal::Int(x)]);
        let tests = [call(METHODS[0], 1), call(METHODS[0], -1), call(METHODS[1], 1), call(METHODS[2], 1)];
        let mut pool = pool(&bench);
        let whole = vec![(3, vec![1, 3]), (1, vec![1, 0]), (0, vec![0]), (0, vec![0])];
        let shorter = vec![(2, vec![0, 2]), (0, vec![0, 0]), (2, vec![2]), (0, vec![0])];
        let innermost = vec![(1, vec![0, 1]), (1, vec![0, 1]), (1, vec![1]), (1, vec![1])];
        let none = vec![(0, vec![0, 0]), (0, vec![0, 0]), (0, vec![0]), (0, vec![0])];
        let turns =
            [(0, &whole), (1, &shorter), (0, &whole), (2, &innermost), (1, &shorter), (3, &none), (9, &none)];
        for (outermost, expected) in turns {
            let batch = Batch { outermost, ..Batch::new(&bench.vocabulary, &tests) };
            let results = pool.evaluate(batch).unwrap();
            assert_eq!(&levels(&results), expected, "{outermost} left out, {}", home.display());
        }
        assert_eq!(pool.handle().statistics().died, 0);
    }
}
