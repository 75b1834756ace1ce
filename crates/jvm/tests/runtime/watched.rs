//! Accesses by index and variables of jumps, by example and against the definitions.

use crashback_instrument::{VariableSort, WatchedVariable};
use crashback_protocol::{Access, Facts, Position};

use crate::model::Random;
use crate::support::{Script, position, text};

fn variable(sort: VariableSort) -> WatchedVariable {
    WatchedVariable { offset: 0, is_second: false, sort, has_point: false }
}

fn pointed(sort: VariableSort) -> WatchedVariable {
    WatchedVariable { has_point: true, ..variable(sort) }
}

/// What probes for these variables, numbered from 0, tell of one test.
fn observe(variables: &[WatchedVariable], lines: &[String]) -> Facts {
    let codes: Vec<u8> = variables.iter().map(|it| it.code()).collect();
    Script::new(&codes, &[]).test(lines, "").observe().remove(0).facts
}

/// The distances of one variable after one call of its probe.
fn distances(variable: WatchedVariable, call: &str) -> Vec<f64> {
    let facts = observe(&[variable], &[format!("variable {call} 0")]);
    let [variable] = &facts.variables[..] else { panic!("{call}: {facts:?}") };
    variable.distances.iter().copied().filter(|it| it.is_finite()).collect()
}

#[test]
fn bounds_agree_with_the_jdk() {
    let mut script = Script::new(&[], &[]);
    script.line("Subjects.indexBounds");
    for (home, lines) in script.run() {
        assert_eq!(lines, ["agreed"], "{}", home.display());
    }
}

#[test]
fn the_last_index_of_each_bound_is_told_with_its_position() {
    let lines = [
        format!("element (Ljava/lang/Object;II)V {} 1 7", text("abc")),
        "enter (I)V 0".to_owned(),
        format!("element (Ljava/lang/Object;II)V {} 1 7", text("abcdef")),
        format!("element (Ljava/lang/Object;II)V {} 2 7", text("abcdef")),
        format!("part (Ljava/lang/Object;III)V {} 1 3 8", text("abcd")),
        "checked (III)V 5 4 10".to_owned(),
        // Nothing is known of lengths of null and of classes of the program.
        "element (Ljava/lang/Object;II)V null 1 11".to_owned(),
        "element (Ljava/lang/Object;II)V trap 1 11".to_owned(),
    ];
    let mut script = Script::new(&[], &[0]);
    script.test(&lines, "").test(&lines[..1], "");
    let [first, second] = &script.observe()[..] else { panic!() };
    let access = |probe, position, index, length| Access { probe, position, index, length };
    let inside = position(0, 0);
    let outside = access(7, Position::OUTSIDE, 1, 3);
    let expected = [
        outside,
        access(7, inside, 2, 6),
        access(8, inside, 1, 4),
        access(9, inside, 3, 5),
        access(10, inside, 5, 4),
    ];
    assert_eq!(first.facts.accesses, expected);
    assert_eq!(second.facts.accesses, [outside]);
}

#[test]
fn characters_are_near_to_letters_digits_and_others() {
    let near = |character: char| {
        distances(variable(VariableSort::Character), &format!("(II)V {}", u32::from(character)))
    };
    assert_eq!(near('@'), [1.0, 7.0, 0.0]);
    assert_eq!(near('0'), [17.0, 0.0, 1.0]);
    assert_eq!(near('5'), [12.0, 0.0, 5.0]);
    assert_eq!(near('^'), [3.0, 37.0, 0.0]);
    assert_eq!(near('Q'), [0.0, 24.0, 10.0]);
    assert_eq!(near('{'), [1.0, 66.0, 0.0]);
    assert_eq!(near('!'), [32.0, 15.0, 0.0]);
}

#[test]
fn other_values_are_near_to_their_goals() {
    let reference = |sort, value: &str| distances(variable(sort), &format!("(Ljava/lang/Object;I)V {value}"));
    let far = f64::MAX;
    assert_eq!(distances(variable(VariableSort::Boolean), "(II)V 1"), [0.0, 1.0]);
    assert_eq!(distances(variable(VariableSort::Boolean), "(II)V 0"), [1.0, 0.0]);
    assert_eq!(reference(VariableSort::Reference, "null"), [0.0, 1.0]);
    assert_eq!(reference(VariableSort::Reference, "i:5"), [1.0, 0.0]);
    assert_eq!(reference(VariableSort::Container, "null"), [0.0, far, far]);
    assert_eq!(reference(VariableSort::Container, &text("abcde")), [1.0, 5.0, 0.0]);
    assert_eq!(reference(VariableSort::Container, &text("")), [1.0, 0.0, 1.0]);
    assert_eq!(reference(VariableSort::Container, "noElements"), [1.0, 0.0, 1.0]);
    assert_eq!(reference(VariableSort::Container, "fixedList"), [1.0, 1.0, 0.0]);
    assert_eq!(reference(VariableSort::Container, "map"), [1.0, 3.0, 0.0]);
    assert_eq!(reference(VariableSort::Container, "empty"), [1.0, 0.0, 1.0]);
    // No code of the program is run.
    assert_eq!(reference(VariableSort::Container, "trap"), [1.0, far, far]);
    assert_eq!(reference(VariableSort::NumberObject, "i:-3"), [1.0, 4.0, 3.0, 0.0]);
    assert_eq!(reference(VariableSort::NumberObject, "null"), [0.0, far, far, far]);
    assert_eq!(reference(VariableSort::CharacterObject, "character"), [1.0, 12.0, 0.0, 5.0]);
    assert_eq!(reference(VariableSort::BooleanObject, "flag"), [1.0, 0.0, 1.0]);
    let two = "(Ljava/lang/Object;Ljava/lang/Object;I)V null i:5";
    let second = WatchedVariable { is_second: true, ..variable(VariableSort::Reference) };
    assert_eq!(distances(second, two), [1.0, 0.0]);
    // Numbers are no references: the code of the probe and its method do not fit.
    assert_eq!(distances(variable(VariableSort::Container), "(II)V 1"), [far; 3]);
}

/// Of all values that a variable had, the nearest to each goal counts.
#[test]
fn numbers_are_as_near_as_the_definitions_say() {
    let mut random = Random(11);
    let variables: Vec<WatchedVariable> = (0..4)
        .map(|number| WatchedVariable { is_second: number % 2 == 1, ..pointed(VariableSort::Number) })
        .collect();
    let codes: Vec<u8> = variables.iter().map(|it| it.code()).collect();
    let mut script = Script::new(&codes, &[]);
    let mut expected = Vec::new();
    for _ in 0..150 {
        let probe = random.below(4);
        let is_second = probe % 2 == 1;
        let mut nearest = [f64::MAX; 6];
        let mut lines = Vec::new();
        for _ in 0..=random.below(4) {
            // Differences of floats are computed as floats, those of integers as if without overflow.
            let (line, value, difference) = if probe < 2 {
                let (left, right) = (random.integer(64), random.integer(64));
                let (value, point) = if is_second { (right, left) } else { (left, right) };
                let difference = (i128::from(value) - i128::from(point)) as f64;
                (format!("variable (JJI)V {left} {right} {probe}"), value as f64, difference)
            } else {
                let (left, right) = (random.float(), random.float());
                let (value, point) = if is_second { (right, left) } else { (left, right) };
                let difference = if value == point { 0.0 } else { value - point };
                let bits = (left.to_bits(), right.to_bits());
                (format!("variable (DDI)V {:x} {:x} {probe}", bits.0, bits.1), value, difference)
            };
            lines.push(line);
            for (place, number) in [(0, value), (3, difference)] {
                let away = [
                    if number <= 0.0 { 1.0 - number } else { 0.0 },
                    number.abs(),
                    if number >= 0.0 { 1.0 + number } else { 0.0 },
                ];
                if !number.is_nan() {
                    let nearest = nearest[place..place + 3].iter_mut();
                    nearest.zip(away).for_each(|(nearest, away)| *nearest = nearest.min(away));
                }
            }
        }
        script.test(&lines, "");
        expected.push((lines, nearest));
    }
    for (ended, (lines, nearest)) in script.observe().iter().zip(&expected) {
        assert_eq!(ended.facts.variables[0].distances, *nearest, "{lines:?}");
    }
}
