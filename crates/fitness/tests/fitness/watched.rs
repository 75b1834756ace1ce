//! Accesses by index and variables of branches as objectives.

use crashback_fitness::{
    Degree, Execution as Judged, Fitness, ProbeKind, VariableGoal, VariableSort, indexed_access,
    indexed_access_steps, normalise,
};
use crashback_protocol::{Access, Observation, Outcome, Position, Reached, Variable};
use crashback_testcase::TestCase;

use crate::machine::Subject;
use crate::program::Program;

/// Distances of the paper to four digits.
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 5e-5, "{value} instead of {expected}");
}

#[test]
fn worked_values_of_indexed_access() {
    assert_near(indexed_access(4, 9), 1.0);
    assert_near(indexed_access(5, 6), 0.2857);
    assert_near(indexed_access(11, 12), 0.1538);
    for (index, length) in [(-1, 5), (5, 5), (i32::MIN, 3), (i32::MAX, 3), (0, 0), (0, -4)] {
        assert_eq!(indexed_access(index, length), 0.0, "{index} of {length}");
        assert_eq!(indexed_access_steps([(1, 3), (index, length)]), 0.0, "{index} of {length}");
    }
    assert_eq!(indexed_access_steps([]), 1.0);
}

/// Within bounds both forms are above 0 and at most 1, symmetric, and largest in the middle.
#[test]
fn indexes_in_the_middle_are_farthest() {
    for length in 1..40 {
        for index in 0..length {
            for distance in [indexed_access, |index, length| indexed_access_steps([(index, length)])] {
                let here = distance(index, length);
                assert!(0.0 < here && here <= 1.0);
                assert!((here - distance(length - 1 - index, length)).abs() < 1e-12);
                if index > 0 && index <= (length - 1) / 2 {
                    assert!(distance(index - 1, length) < here, "{index} of {length}");
                }
            }
        }
    }
}

const SCAN: &str = "
class Scan {
    static int end(CharSequence text) {
        int end = 0;
        while (text.charAt(end) != ';') { // @scan
            end++;
        }
        return end;
    }
}
";

/// The observation of a search for the semicolon that ends a text: all lines are reached, and the last
/// access is to the last character.
fn scanned(subject: &Subject<'_>, length: i32) -> Observation {
    let frame = &subject.crash.audit.frames[subject.level as usize - 1];
    let probes = subject.crash.probes_of_frame(frame);
    let position = Position::new(0, 0).unwrap();
    let mut observation = Observation::bare(Outcome::Returned, 1);
    observation.facts.entered = vec![position].into();
    let places = probes.iter().filter(|it| matches!(it.kind, ProbeKind::Line | ProbeKind::Block));
    observation.facts.reached = places.map(|it| Reached { probe: it.number, position }).collect();
    let bounds = probes.iter().filter(|it| it.kind == ProbeKind::Indexed);
    let access = |probe| Access { probe, position, index: length - 1, length };
    observation.facts.accesses = bounds.map(|it| access(it.number)).collect();
    assert_eq!(observation.facts.accesses.len(), 1);
    observation
}

/// The distance and objectives of an observation.
fn judged(subject: &Subject<'_>, fitness: Fitness, observation: &Observation) -> (f64, Vec<f64>) {
    let mut judge = subject.judge(Degree::Escapes);
    let assessment = judge.batch(&[]).assess(observation);
    let function = fitness.prepare(judge.target());
    let judged = Judged { assessment: &assessment, observation, test: &TestCase::new(Vec::new()) };
    let distance = function.distance(&judged);
    (distance, function.objectives(distance, &judged).to_vec())
}

/// The trap of the paper: texts that end with what a loop looks for never throw, but longer ones look
/// nearer. Counted in steps, shorter ones are nearer.
#[test]
fn longer_texts_are_nearer_in_the_form_of_the_paper_alone() {
    let program = Program::compile(SCAN);
    let exception = "java.lang.StringIndexOutOfBoundsException";
    let frames = ["Scan.end@scan"];
    let subject = Subject::new(&program, exception, &frames, 1);
    let distances = |fitness| -> Vec<f64> {
        (1..60).map(|length| judged(&subject, fitness, &scanned(&subject, length)).0).collect()
    };
    let of_paper = distances(Fitness::IndexedAccess);
    assert!(of_paper.is_sorted_by(|shorter, longer| shorter > longer), "{of_paper:?}");
    assert_near(of_paper[5], 0.5 + 0.2857 / 2.0);
    let by_steps = distances(Fitness::IndexedAccessSteps);
    assert!(by_steps.is_sorted_by(|shorter, longer| shorter < longer), "{by_steps:?}");
    // An index beyond the end is nearest in both, but no reproduction.
    let mut beyond = scanned(&subject, 6);
    beyond.facts.accesses[0].index = 6;
    for fitness in [Fitness::IndexedAccess, Fitness::IndexedAccessSteps] {
        assert_eq!(judged(&subject, fitness, &beyond).0, 0.5);
        // Accesses count once all lines are reached, and where the frame runs.
        let mut elsewhere = beyond.clone();
        elsewhere.facts.accesses[0].position = Position::OUTSIDE;
        assert_eq!(judged(&subject, fitness, &elsewhere).0, 1.0);
        let mut unreached = beyond.clone();
        unreached.facts.reached = Vec::new().into();
        assert!(judged(&subject, fitness, &unreached).0 > 1.0);
    }
}

const PARTS: &str = "
class Parts {
    static String part(String text, int from, int to) {
        return text.substring(from, to) + text.substring(to); // @part
    }
}
";

/// A line may have several accesses, of which the nearest counts, and an access several bounds.
#[test]
fn accesses_of_a_line_count_one_by_one() {
    let program = Program::compile(PARTS);
    let exception = "java.lang.StringIndexOutOfBoundsException";
    let frames = ["Parts.part@part"];
    let subject = Subject::new(&program, exception, &frames, 1);
    let probes = subject.crash.probes_of_frame(&subject.crash.audit.frames[0]);
    let bounds: Vec<u32> =
        probes.iter().filter(|it| it.kind == ProbeKind::Indexed).map(|it| it.number).collect();
    assert_eq!(bounds.len(), 3);
    let position = Position::new(0, 0).unwrap();
    let places = probes.iter().filter(|it| matches!(it.kind, ProbeKind::Line | ProbeKind::Block));
    let mut observation = Observation::bare(Outcome::Returned, 1);
    observation.facts.entered = vec![position].into();
    observation.facts.reached = places.map(|it| Reached { probe: it.number, position }).collect();
    // A text of 20 characters from 6 to 9, and from 9.
    let told = [(6, 10), (9, 21), (9, 21)];
    let accesses = bounds.iter().zip(told);
    observation.facts.accesses =
        accesses.map(|(probe, (index, length))| Access { probe: *probe, position, index, length }).collect();
    let paper = told.iter().map(|it| indexed_access(it.0, it.1)).fold(1.0, f64::min);
    assert_eq!(judged(&subject, Fitness::IndexedAccess, &observation).0, 0.5 + paper / 2.0);
    let steps = indexed_access_steps(told[..2].iter().copied()).min(indexed_access_steps([told[2]]));
    assert!(steps < indexed_access_steps([told[0]]).min(indexed_access_steps([told[1]])));
    assert_eq!(judged(&subject, Fitness::IndexedAccessSteps, &observation).0, 0.5 + steps / 2.0);
}

/// A parser of the shape of the paper's example: a null check, a length that is compared with three
/// constants, four characters between letters, and two further looks at the length.
const LOCALE: &str = "
class Tags {
    static String tag(String str) {
        if (str == null) {
            return null;
        }
        int len = str.length();
        if (len != 2 && len != 5 && len < 7) {
            throw new IllegalArgumentException(str);
        }
        char ch0 = str.charAt(0);
        char ch1 = str.charAt(1);
        if (ch0 < 'a' || ch0 > 'z' || ch1 < 'a' || ch1 > 'z') {
            throw new IllegalArgumentException(str);
        }
        if (len == 2) {
            return str;
        }
        if (str.charAt(2) != '_') {
            throw new IllegalArgumentException(str);
        }
        char ch3 = str.charAt(3);
        char ch4 = str.charAt(4);
        if (ch3 < 'A' || ch3 > 'Z' || ch4 < 'A' || ch4 > 'Z') {
            throw new IllegalArgumentException(str); // @region
        }
        if (len == 5) {
            return str.substring(3);
        }
        if (str.charAt(5) != '_') {
            throw new IllegalArgumentException(str);
        }
        return str.substring(6);
    }
}
";

fn locale(program: &Program) -> Subject<'_> {
    Subject::new(program, "java.lang.IllegalArgumentException", &["Tags.tag@region"], 1)
}

/// The variables of the frame, with the numbers of their probes.
fn watched(subject: &Subject<'_>) -> Vec<(u32, crashback_fitness::BranchVariable)> {
    subject.crash.frame_probes(&subject.crash.audit.frames[0], 1).unwrap().variables
}

#[test]
fn the_example_of_the_paper_has_24_diversity_objectives() {
    let program = Program::compile(LOCALE);
    let subject = locale(&program);
    let nothing = Observation::bare(Outcome::Returned, 1);
    let (distance, objectives) = judged(&subject, Fitness::Diversity, &nothing);
    assert_eq!(objectives.len(), 1 + 24);
    assert_eq!(objectives[0], distance);
    assert!(objectives[1..].iter().all(|it| *it == 1.0));
    let mut names: Vec<(u32, String, VariableSort)> = watched(&subject)
        .into_iter()
        .filter(|(_, it)| it.is_local)
        .map(|(_, it)| (it.line.unwrap(), it.name, it.sort))
        .collect();
    names.dedup();
    let (text, number, character) = (VariableSort::String, VariableSort::Number, VariableSort::Character);
    let expected = [
        (4, "str", text),
        (8, "len", number),
        (13, "ch0", character),
        (13, "ch1", character),
        (16, "len", number),
        (24, "ch3", character),
        (24, "ch4", character),
        (27, "len", number),
    ];
    assert_eq!(names, expected.map(|(line, name, sort)| (line, name.to_owned(), sort)));
    assert_eq!(expected.iter().map(|it| it.2.goals().len()).sum::<usize>(), 24);
}

/// The slice has the branches before the crash: not those behind it, but a result of a call, and
/// constants to straddle.
#[test]
fn slices_look_at_the_branches_that_the_crash_depends_on() {
    let program = Program::compile(LOCALE);
    let subject = locale(&program);
    let sliced: Vec<_> = watched(&subject).into_iter().filter(|(_, it)| it.steps.is_some()).collect();
    assert!(sliced.iter().all(|(_, it)| it.line.unwrap() <= 24), "{sliced:?}");
    let steps =
        |line: u32| sliced.iter().filter(|it| it.1.line == Some(line)).filter_map(|it| it.1.steps).min();
    assert_eq!(steps(24), Some(1));
    assert!(steps(4) > steps(24) && steps(8).is_some());
    let call = sliced.iter().find(|(_, it)| it.name.starts_with("charAt()")).unwrap();
    assert_eq!((call.1.line, call.1.sort, call.1.has_point), (Some(19), VariableSort::Character, true));
    let nothing = Observation::bare(Outcome::Returned, 1);
    let (_, objectives) = judged(&subject, Fitness::DiversitySlice, &nothing);
    // Three goals for each of 14 comparisons would be more than 32: the nearest ten are left.
    assert_eq!(objectives.len(), 1 + 30);
}

/// Helpers are φ of the nearest value over all jumps of a line, where the frame runs.
#[test]
fn helpers_are_as_near_as_the_nearest_value() {
    let program = Program::compile(LOCALE);
    let subject = locale(&program);
    let position = Position::new(0, 0).unwrap();
    let mut distances = [f64::INFINITY; Variable::GOALS];
    let told: Vec<Variable> = watched(&subject)
        .into_iter()
        .filter(|(_, it)| it.line == Some(8))
        .zip([[0.0, 6.0, 7.0], [0.0, 4.0, 5.0], [3.0, f64::MAX, f64::MAX]])
        .map(|((probe, _), near)| {
            distances[..3].copy_from_slice(&near);
            Variable { probe, position, distances }
        })
        .collect();
    assert_eq!(told.len(), 3);
    let mut observation = Observation::bare(Outcome::Returned, 1);
    observation.facts.variables = told;
    let helpers = judged(&subject, Fitness::Diversity, &observation).1.split_off(1);
    let seen: Vec<f64> = helpers.iter().copied().filter(|it| *it < 1.0).collect();
    assert_eq!(seen, [0.0, normalise(4.0), normalise(5.0)]);
    for variable in &mut observation.facts.variables {
        variable.position = Position::OUTSIDE;
    }
    let helpers = judged(&subject, Fitness::Diversity, &observation).1.split_off(1);
    assert!(helpers.iter().all(|it| *it == 1.0));
}

const SORTS: &str = "
import java.util.*;
class Sorts {
    Object field;
    static long count;
    boolean all(List<String> list, Set<String> set, Map<String, String> map, int[] array, Integer number,
            Character character, Boolean flag, Object other, double real, boolean plain) {
        if (list == null || set == null || map == null || array == null) return false;
        if (number == null || character == null || flag == null || other == null) return false;
        if (real > 2.5 || plain || count == 7L || field == null) return false;
        return list.isEmpty() || array.length > 3; // @end
    }
}
";

#[test]
fn every_type_has_its_goals() {
    let program = Program::compile(SORTS);
    let subject = Subject::new(&program, "java.lang.NullPointerException", &["Sorts.all@end"], 1);
    let watched = watched(&subject);
    let sort = |name: &str| {
        let found = watched.iter().find(|it| it.1.name.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        (found.1.sort, found.1.is_local, found.1.has_point)
    };
    use VariableSort as Sort;
    assert_eq!(sort("list"), (Sort::List, true, false));
    assert_eq!(sort("set"), (Sort::Set, true, false));
    assert_eq!(sort("map"), (Sort::Map, true, false));
    assert_eq!(sort("array"), (Sort::Array, true, false));
    assert_eq!(sort("character"), (Sort::CharacterObject, true, false));
    assert_eq!(sort("flag"), (Sort::BooleanObject, true, false));
    assert_eq!(sort("other"), (Sort::Reference, true, false));
    assert_eq!(sort("real"), (Sort::Number, true, true));
    assert_eq!(sort("plain"), (Sort::Boolean, true, false));
    assert_eq!(sort("Sorts.count"), (Sort::Number, false, true));
    assert_eq!(sort("Sorts.field"), (Sort::Reference, false, false));
    assert_eq!(sort("isEmpty()"), (Sort::Boolean, false, false));
    // The twenty of the paper: those of all sorts together.
    let sorts = [
        Sort::Number,
        Sort::Character,
        Sort::Boolean,
        Sort::NumberObject,
        Sort::CharacterObject,
        Sort::BooleanObject,
        Sort::List,
        Sort::Set,
        Sort::Array,
        Sort::Map,
        Sort::String,
        Sort::Reference,
    ];
    let goals: std::collections::BTreeSet<VariableGoal> =
        sorts.iter().flat_map(|it| it.goals()).copied().collect();
    assert_eq!(goals.len(), 20);
}
