//! Replies that become the results of a batch.

use crashback_protocol::{Facts, Observation, Outcome, Position, Reached, Results, StackFrame, Throwable};
use proptest::prelude::*;

fn frame(line: i32) -> StackFrame {
    StackFrame {
        loader: None,
        module: None,
        module_version: None,
        class: "a.B".to_owned(),
        method: "c".to_owned(),
        file: None,
        line,
    }
}

/// Observations as workers send them that run these tests in replies of some lengths: each reply
/// numbers its frames anew. A test throws at some lines and reaches a probe at some positions.
fn replies(tests: &[(Vec<i32>, Vec<u16>)], lengths: &[usize]) -> Vec<Vec<Observation>> {
    let mut lengths = lengths.iter().copied().cycle();
    let mut rest = tests;
    let mut replies = Vec::new();
    while !rest.is_empty() {
        let (now, later) = rest.split_at(lengths.next().unwrap_or(1).clamp(1, rest.len()));
        let mut known = Vec::new();
        replies.push(now.iter().map(|test| observation(test, &mut known)).collect());
        rest = later;
    }
    replies
}

fn observation((lines, places): &(Vec<i32>, Vec<u16>), known: &mut Vec<i32>) -> Observation {
    let mut facts = Facts::default();
    let mut frames = Vec::new();
    for line in lines {
        let number = known.iter().position(|it| it == line).unwrap_or_else(|| {
            known.push(*line);
            facts.new_frames.push(frame(*line));
            known.len() - 1
        });
        frames.push(u32::try_from(number).unwrap());
    }
    let class = "java.lang.Error".to_owned();
    facts.throwables.push(Throwable { class, message: None, frames, cause: None, suppressed: Vec::new() });
    let positions = places.iter().map(|last| Position::new(0, *last).unwrap());
    facts.reached = positions.map(|position| Reached { probe: 1, position }).collect();
    Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() }
}

fn results(replies: Vec<Vec<Observation>>) -> Results {
    let mut results = Results::default();
    replies.into_iter().for_each(|reply| results.append(reply));
    results
}

proptest! {
    /// Frames have one number for the whole batch, and positions need none.
    #[test]
    fn the_way_in_which_a_batch_was_cut_does_not_show(
        tests in proptest::collection::vec(
            (proptest::collection::vec(0_i32..6, 0..5), proptest::collection::vec(0_u16..6, 0..5)),
            0..20,
        ),
        lengths in proptest::collection::vec(1_usize..9, 1..5),
    ) {
        let whole = results(replies(&tests, &[tests.len()]));
        prop_assert_eq!(&results(replies(&tests, &lengths)), &whole);
        for (observation, (lines, places)) in whole.observations.iter().zip(&tests) {
            let numbers = &observation.facts.throwables[0].frames;
            let named: Vec<_> = numbers.iter().map(|it| whole.frames[*it as usize].line()).collect();
            prop_assert_eq!(named, lines.iter().map(|line| Some(*line as u32)).collect::<Vec<_>>());
            let last = observation.facts.reached.iter().map(|it| it.position.places().end - 1);
            prop_assert!(last.eq(places.iter().map(|it| u32::from(*it))));
        }
    }
}
