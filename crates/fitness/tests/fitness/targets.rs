//! One observation that is judged against several target frames.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crashback_fitness::{Degree, Stage};

use crate::machine::{Execution, Subject};
use crate::order::chance;
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(SOURCE));

const SOURCE: &str = r#"package shop;

class Tree {
    static int top(int n, Object o) {
        note(n);
        if (n > 3) {
            return walk(n, o); // @top
        }
        return 0;
    }

    static int walk(int n, Object o) {
        note(n);
        if (n > 0) {
            return walk(n - 1, o); // @deep
        }
        return leaf(n, o); // @bottom
    }

    static int leaf(int n, Object o) {
        note(n);
        switch (n) {
            case 0:
                return o.hashCode(); // @leaf
            default:
                return 1;
        }
    }

    static void note(int n) {}
}
"#;

const FRAMES: [&str; 5] = [
    "shop.Tree.leaf@leaf",
    "shop.Tree.walk@bottom",
    "shop.Tree.walk@deep",
    "shop.Tree.walk@deep",
    "shop.Tree.top@top",
];

/// Frames whose methods tests call, one after the other.
const CALLS: [&[u32]; 7] = [&[5], &[4], &[3, 5], &[2, 3], &[1, 4, 5], &[5, 4, 3, 2, 1], &[4, 4, 1]];

fn subject(level: u32) -> Subject<'static> {
    Subject::new(&PROGRAM, "java.lang.NullPointerException", &FRAMES, level)
}

/// What a target frame says of an execution is what it would say if the call chain began with it.
#[test]
fn one_observation_serves_every_target_frame() {
    let mut stages = BTreeSet::new();
    for level in 1..=5 {
        let whole = subject(level);
        let aimed = subject(level).aimed();
        let (mut of_whole, mut of_aimed) = (whole.judge(Degree::Escapes), aimed.judge(Degree::Escapes));
        for seed in 0..150 {
            let calls = CALLS[seed as usize % CALLS.len()];
            let found = [(&whole, &mut of_whole), (&aimed, &mut of_aimed)].map(|(subject, judge)| {
                let execution = subject.execute_calls(calls, &mut chance(seed));
                let found = judge.batch(&execution.frames).assess(&execution.observation);
                (found, judge.hindered(&execution.observation.facts))
            });
            stages.insert((level, found[0].0.stage));
            assert_eq!(found[0], found[1], "frame {level}, seed {seed}, calls of {calls:?}");
        }
    }
    // Something of everything was judged.
    for level in 1..=5 {
        assert!(stages.contains(&(level, Stage::LineNotReached)), "{stages:?}");
        assert!(stages.contains(&(level, Stage::LineReached)), "{stages:?}");
    }
    assert!((1..=2).all(|level| stages.contains(&(level, Stage::Reproduced))), "{stages:?}");
}

/// A test that enters by the highest frame and crashes in the innermost reproduces all frames.
#[test]
fn a_test_for_the_highest_frame_reproduces_those_below() {
    let highest = subject(5);
    let mut judge = highest.judge(Degree::Escapes);
    let mut executions = (0..3000).map(|seed| highest.execute(&mut chance(seed)));
    let reproduces =
        |it: &Execution| judge.batch(&it.frames).assess(&it.observation).stage == Stage::Reproduced;
    let execution = executions.find(reproduces).expect("a test that crashes as wanted");
    for level in 1..=5 {
        let found = subject(level).assess(&execution);
        assert_eq!((found.stage, found.agreed, found.frames_left), (Stage::Reproduced, 5, 0));
    }
}
