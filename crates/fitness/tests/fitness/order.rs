//! Properties of judgements over many made-up executions.

use std::sync::LazyLock;

use crashback_fitness::{Degree, Fitness, Stage, call_chain, graded_weighted_sum};
use crashback_search::Rng;
use crashback_testcase::TestCase;

use crate::machine::{Script, Subject};
use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(SOURCE));

const SOURCE: &str = r#"package shop;

class Walk {
    int field;

    int start(int a, String s) {
        int sum = 0;
        for (int i = 0; i < a; i++) {
            if (i % 3 == 0 && s != null || i > 7) {
                sum += middle(i, s) + middle(1, s); // @start
            }
        }
        while (sum > 0) {
            sum--;
            if (sum == 17) {
                middle(sum, s); // @elsewhere
            }
        }
        return sum;
    }

    int middle(int n, String s) {
        switch (s.charAt(0)) {
            case 'a':
                if (n > 2) {
                    return 1;
                }
            case 'b':
                try {
                    return end(n, s.length() > 4 ? new int[n] : null); // @middle
                } catch (IllegalStateException e) {
                    return n > 1 ? end(2, null) : 0; // @handler
                } finally {
                    field++;
                }
            default:
                return end(n, null); // @default
        }
    }

    int end(int n, int[] array) {
        if (n < 0) {
            throw new IllegalStateException();
        }
        do {
            n--;
        } while (n > 5);
        return array[n] + array.length; // @end
    }
}
"#;

const NULL_POINTER: &str = "java.lang.NullPointerException";

/// Chance: equal seeds make the same decisions, also where distances are scaled.
#[derive(Clone)]
pub(crate) struct Chance {
    rng: Rng,
    throwing: f64,
    /// Distances are multiplied by it.
    scale: f64,
}

impl Script for Chance {
    fn jump(&mut self, _: u32) -> (bool, f64) {
        let distance = [0.1, 1.0, 3.0, 1e3, f64::MAX][self.rng.below(5)];
        (self.rng.chance(0.5), distance * self.scale)
    }

    fn key(&mut self, _: u32, cases: &[i32]) -> i32 {
        self.rng.pick(cases).copied().unwrap_or(0) + self.rng.below(2) as i32
    }

    fn throws(&mut self, _: u32) -> Option<String> {
        let class = ["java.lang.IllegalStateException", NULL_POINTER][self.rng.below(2)];
        self.rng.chance(self.throwing).then(|| class.to_owned())
    }
}

fn subjects() -> Vec<Subject<'static>> {
    subjects_by(Subject::new)
}

fn subjects_by(
    make: impl Fn(&'static Program, &str, &[&str], u32) -> Subject<'static>,
) -> Vec<Subject<'static>> {
    let frames = ["shop.Walk.end@end", "shop.Walk.middle@middle", "shop.Walk.start@start"];
    let others = ["shop.Walk.end@end", "shop.Walk.middle@handler", "shop.Walk.start@elsewhere"];
    let subject = |frames: &[&str], level| make(&PROGRAM, NULL_POINTER, frames, level);
    let levels = [1, 2, 3];
    levels.into_iter().flat_map(|level| [subject(&frames, level), subject(&others, level)]).collect()
}

pub(crate) fn chance(seed: u64) -> Chance {
    Chance { rng: Rng::new(seed), throwing: [0.0, 0.001, 0.01, 0.05][seed as usize % 4], scale: 1.0 }
}

#[test]
fn distances_are_ordered_by_stages() {
    let mut seen = [0_u32; 5];
    for subject in subjects() {
        let mut judge = subject.judge(Degree::Escapes);
        for seed in 0..400 {
            let execution = subject.execute(&mut chance(seed));
            let found = judge.batch(&execution.frames).assess(&execution.observation);
            seen[found.stage as usize] += 1;
            let (weighted, chain) = (graded_weighted_sum(&found), call_chain(&found));
            match found.stage {
                Stage::Reproduced => assert_eq!((weighted, chain), (0.0, 0.0)),
                Stage::ExceptionThrown => assert!(0.0 < weighted && weighted < 1.0),
                Stage::LineReached => assert_eq!(weighted, 3.0),
                Stage::LineNotReached => assert!(3.0 < weighted && weighted <= 6.0),
                Stage::NotStarted => panic!("something was executed"),
            }
            let left = f64::from(found.frames_left);
            match found.frames_left {
                _ if found.stage == Stage::Reproduced => {}
                0 => assert!(0.0 < chain && chain <= 1.0),
                _ => assert!(left < chain && chain <= left + 1.0),
            }
            assert!(found.frames_left <= subject.level && found.line >= 0.0);
            assert_eq!(found.stage == Stage::LineNotReached, found.target_line > 0.0);

            let facts = &execution.observation.facts;
            let thrown = facts.throwables.first().map_or("", |it| it.class.as_str());
            let agreement = subject.goal.agreement(thrown, &execution.frames);
            let reproduced = agreement.reproduced_at(subject.level as usize);
            assert_eq!(found.stage == Stage::Reproduced, reproduced);
            // What shows in the trace of an exception was reached.
            assert!(!reproduced || found.frames_left == 0, "{found:?}");
        }
    }
    assert!(seen.iter().skip(1).all(|count| *count > 20), "{seen:?}");
}

#[test]
fn a_line_is_reached_when_an_execution_passes_it() {
    for subject in subjects() {
        let mut judge = subject.judge(Degree::Escapes);
        let line = subject.crash.audit.frames[subject.level as usize - 1].line;
        for seed in 0..200 {
            let mut script = Spy { chance: chance(seed), passed: Vec::new() };
            let execution = subject.execute(&mut script);
            let found = judge.batch(&execution.frames).assess(&execution.observation);
            let passed = line.is_some_and(|line| script.passed.contains(&line));
            // Reaching the line may still be short of the call in it.
            assert!(passed || found.target_line > 0.0);
            if subject.level == 1 {
                assert_eq!(passed, found.target_line == 0.0);
            }
        }
    }
}

/// Writes down the lines of all instructions.
struct Spy {
    chance: Chance,
    passed: Vec<u32>,
}

impl Script for Spy {
    fn jump(&mut self, line: u32) -> (bool, f64) {
        self.chance.jump(line)
    }

    fn key(&mut self, line: u32, cases: &[i32]) -> i32 {
        self.chance.key(line, cases)
    }

    fn throws(&mut self, line: u32) -> Option<String> {
        self.passed.push(line);
        self.chance.throws(line)
    }
}

#[test]
fn smaller_branch_distances_are_never_worse() {
    let mut better = 0;
    for subject in subjects() {
        let mut judge = subject.judge(Degree::Escapes);
        for seed in 0..200 {
            let mut value = |scale: f64| {
                let execution = subject.execute(&mut Chance { scale, ..chance(seed) });
                let found = judge.batch(&execution.frames).assess(&execution.observation);
                (graded_weighted_sum(&found), call_chain(&found))
            };
            let (far, near) = (value(1.0), value(0.25));
            assert!(near.0 <= far.0 && near.1 <= far.1, "{far:?} {near:?}");
            better += u32::from(near.1 < far.1);
        }
    }
    assert!(better > 50, "{better}");
}

/// The distances of published functions by stage and by frames left.
fn check_band(fitness: Fitness, distance: f64, stage: Stage, left: f64) {
    let fits = match (fitness, stage) {
        (_, Stage::Reproduced) => distance == 0.0,
        (Fitness::WeightedSum, Stage::LineNotReached) => 3.0 < distance && distance <= 6.0,
        (Fitness::WeightedSum, Stage::LineReached) => distance == 3.0,
        (Fitness::WeightedSum, _) => 0.0 < distance && distance < 1.0,
        (Fitness::SimpleSum | Fitness::Decomposed, Stage::ExceptionThrown) => distance < 1.0,
        (Fitness::SimpleSum | Fitness::Decomposed, _) => distance <= 3.0,
        // A line may be covered without the call in it that matters.
        (Fitness::IntegrationTesting, _) => distance <= left + 1.0,
        _ => true,
    };
    assert!(fits, "{fitness}: {distance} at {stage:?} with {left} left");
}

#[test]
fn every_fitness_is_zero_for_reproductions_alone() {
    let test = TestCase::new(vec![]);
    for subject in subjects() {
        for &fitness in Fitness::ALL {
            let mut objectives = subject.objectives(fitness);
            let mut count = None;
            for seed in 0..100 {
                let execution = subject.execute(&mut chance(seed));
                let found = subject.assess(&execution);
                let worth = execution.worth(&mut objectives, &test);
                assert_eq!(worth.distance == 0.0, found.stage == Stage::Reproduced, "{fitness} {found:?}");
                check_band(fitness, worth.distance, found.stage, f64::from(found.frames_left));
                assert!(
                    worth.objectives.iter().all(|it| it.is_finite() && *it >= 0.0),
                    "{fitness} {worth:?}"
                );
                let number = *count.get_or_insert(worth.objectives.len());
                assert_eq!(worth.objectives.len(), number, "{fitness}");
            }
        }
    }
}

#[test]
fn the_parts_of_the_simple_sum_are_the_objectives_of_the_decomposed() {
    let subject = &subjects()[4];
    for seed in 0..200 {
        let execution = subject.execute(&mut chance(seed));
        let sum = subject.worth(Fitness::SimpleSum, &execution);
        let parts = subject.worth(Fitness::Decomposed, &execution);
        assert_eq!(parts.objectives.iter().sum::<f64>(), sum.distance);
        assert_eq!((parts.objectives.len(), parts.distance), (3, sum.distance));
        assert!([0.0, 1.0].contains(&parts.objectives[1]) && parts.objectives.iter().all(|it| *it <= 1.0));
    }
}

#[test]
fn block_coverage_decides_between_equal_distances_alone() {
    for subject in subjects() {
        for seed in 0..100 {
            let execution = subject.execute(&mut chance(seed));
            let distance = |fitness| subject.worth(fitness, &execution).distance;
            let added = distance(Fitness::BlockCoverage) - distance(Fitness::IntegrationTesting);
            assert!((0.0..=1e-10).contains(&added), "{added}");
        }
    }
}

#[test]
fn graded_distances_stay_in_the_bands_of_the_call_chain() {
    let mut graded = 0;
    for subject in subjects_by(Subject::graded) {
        for seed in 0..200 {
            let execution = subject.execute(&mut chance(seed));
            let found = subject.assess(&execution);
            let distance = |fitness| subject.worth(fitness, &execution).distance;
            let (ours, chain) = (distance(Fitness::Graded), distance(Fitness::CallChain));
            match (found.stage, found.frames_left, found.thrown) {
                (Stage::Reproduced, ..) => assert_eq!(ours, 0.0),
                (_, 0, true) => assert!(0.0 < ours && ours < 0.5, "{ours}"),
                (_, 0, false) => assert!(0.5 <= ours && ours <= chain, "{ours} {chain}"),
                _ => assert_eq!(ours, chain),
            }
            graded += u32::from(found.frames_left == 0 && !found.thrown && ours < chain);
        }
    }
    assert!(graded > 20, "{graded}");
}
