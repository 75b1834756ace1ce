//! Replies that are cut short, announce too much, or name things that do not exist.

use crashback_protocol::{
    Branch, Caught, Facts, Observation, Outcome, Position, Reached, Reply, ReplyWriter, Spent, StackFrame,
    SwitchKeys, Throwable, decode_observations, decode_reply,
};

use crate::support::{message, number};

/// The beginning of an observation: it returned and completed nothing.
const RETURNED: [u8; 2] = [0, 0];
/// The end of an observation that has neither nulls nor more.
const NO_REST: [u8; 1] = [0];

/// An observation that introduces the first path, of these places.
fn observation(places: &[&[u8]], distances: &[u8]) -> Vec<u8> {
    let path = [vec![1], number(places.len() as u64), places.concat()].concat();
    [&RETURNED, path.as_slice(), distances, &NO_REST].concat()
}

fn is_refused(bytes: &[u8]) -> bool {
    decode_observations(bytes, 1).is_err()
}

/// An observation with something of everything.
fn full() -> Observation {
    let position = Position::new(1, 3).unwrap();
    let throwable = Throwable {
        class: "java.lang.Error".to_owned(),
        message: Some("because".to_owned()),
        frames: vec![0],
        cause: Some(0),
        suppressed: vec![0],
    };
    let frame = StackFrame {
        loader: None,
        module: None,
        module_version: None,
        class: "a.B".to_owned(),
        method: "c".to_owned(),
        file: Some("B.java".to_owned()),
        line: 7,
    };
    let facts = Facts {
        entered: vec![position].into(),
        branches: vec![Branch { probe: 9, position, to_jump: 0.0, to_fall: 1e9 }].into(),
        reached: vec![Reached { probe: 300, position: Position::OUTSIDE }].into(),
        switches: vec![SwitchKeys { probe: 4, position, keys: vec![-1, 7] }],
        caught: vec![Caught { probe: 5, position, throwable: 0 }],
        nulls: 5,
        throwables: vec![throwable],
        new_frames: vec![frame],
        ..Facts::default()
    };
    Observation { outcome: Outcome::Threw, completed: 3, facts, slow: Vec::new() }
}

fn reply(observations: &[Observation]) -> Vec<u8> {
    let mut writer = ReplyWriter::default();
    writer.begin();
    observations.iter().for_each(|it| writer.push(it).unwrap());
    let count = u32::try_from(observations.len()).unwrap();
    writer.finish(count, false, &[], Spent::default()).unwrap().to_vec()
}

#[test]
fn a_reply_is_refused_wherever_it_is_cut() {
    let message = reply(&[full(), full()]);
    let spent = Spent::default();
    let whole = Reply { observations: vec![full(), full()], last: false, untouched: Vec::new(), spent };
    assert_eq!(decode_reply(&message).unwrap(), whole);
    for length in 0..message.len() {
        assert!(decode_reply(&message[..length]).is_err(), "{length} bytes of {}", message.len());
    }
    assert!(decode_reply(&[message, vec![0]].concat()).is_err());
}

#[test]
fn announced_counts_cost_no_memory() {
    let counted = |count: u32| message(&[&count.to_le_bytes(), [0; 8].as_slice()].concat());
    assert!(decode_reply(&counted(u32::MAX)).is_err());
    assert!(decode_observations(&[], usize::MAX).is_err());
    // A path of four thousand million places.
    assert!(is_refused(&[&RETURNED, [1].as_slice(), &number(u32::MAX.into()), &[0; 40]].concat()));
    // As many switches.
    assert!(is_refused(&[&RETURNED, [0, 1].as_slice(), &number(u32::MAX.into()), &[0; 40]].concat()));
}

#[test]
fn numbers_that_are_too_long_are_refused() {
    let with = |number: &[u8]| [&RETURNED, number, &NO_REST].concat();
    assert!(!is_refused(&with(&[0])));
    assert!(is_refused(&with(&[0xff; 12])));
    assert!(is_refused(&with(&number(1 << 40))));
}

#[test]
fn paths_are_introduced_in_order() {
    let with = |path: u64| [&RETURNED, number(path).as_slice(), &[0, 0]].concat();
    assert!(!is_refused(&with(0)));
    assert!(!is_refused(&with(1)));
    for path in [2, 77, u32::MAX.into()] {
        assert!(is_refused(&with(path)), "path {path}");
    }
}

#[test]
fn places_have_a_kind_and_a_position() {
    let of = |place: &[u8]| is_refused(&observation(&[place], &[]));
    // A line at the fourth frame inside the third; a position that was entered.
    assert!(!of(&[4, 2, 3]));
    assert!(!of(&[3, 2, 3]));
    // More frames than there are up to the last, a last one where there is none, or too many.
    for position in [vec![5, 3], vec![0, 3], [number(1 << 16), number(1 << 16)].concat()] {
        assert!(of(&[vec![4], position.clone()].concat()), "{position:?}");
    }
    // What is entered is a position, not a probe.
    assert!(of(&[7, 2, 3]));
}

#[test]
fn distances_are_finite_and_not_negative() {
    // A jump that jumped, then its distance to falling through.
    let of = |distance: &[u8]| decode_observations(&observation(&[&[1, 0, 0]], distance), 1);
    let to_fall = |distance: &[u8]| of(distance).unwrap()[0].facts.branches[0].to_fall;
    assert_eq!((to_fall(&[253]), to_fall(&[254, 0, 1, 0, 0])), (253.0, 256.0));
    for distance in [0.5, f64::MAX, f64::MIN_POSITIVE] {
        assert_eq!(to_fall(&[&[255], distance.to_le_bytes().as_slice()].concat()), distance);
    }
    for distance in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.0] {
        assert!(of(&[&[255], distance.to_le_bytes().as_slice()].concat()).is_err(), "{distance}");
    }
}

#[test]
fn a_reply_names_only_what_exists() {
    let answers = |change: fn(&mut Facts)| {
        let mut second = full();
        second.facts.new_frames.clear();
        change(&mut second.facts);
        let observations = vec![full(), second];
        Reply { observations, last: false, untouched: Vec::new(), spent: Spent::default() }.answers(2)
    };
    // The frame was introduced by the first observation.
    assert!(answers(|_| {}));
    assert!(!answers(|facts| facts.throwables[0].frames.push(1)));
    assert!(!answers(|facts| facts.throwables[0].cause = Some(1)));
    assert!(!answers(|facts| facts.throwables[0].suppressed.push(u32::MAX)));
    assert!(!answers(|facts| facts.caught[0].throwable = 1));
}

#[test]
fn a_reply_has_an_observation_for_each_test_unless_it_is_the_last() {
    let spent = Spent::default();
    let of = |count, last| Reply { observations: vec![full(); count], last, untouched: Vec::new(), spent };
    assert!(of(2, false).answers(2) && of(1, true).answers(2) && of(2, true).answers(2));
    assert!(!of(1, false).answers(2) && !of(3, false).answers(2) && !of(3, true).answers(2));
}
