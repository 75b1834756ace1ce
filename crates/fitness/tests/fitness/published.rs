//! The worked examples of the papers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crashback_fitness::Fitness;
use crashback_testcase::{MethodId, Statement, TestCase};

use crate::machine::{Execution, Script, Subject};
use crate::program::Program;

/// The line numbers are those of the example.
static TRIANGLE: LazyLock<Program> = LazyLock::new(|| {
    Program::compile(
        "class Triangle {
    int a, b, c; // sides
    String type = null;

    void checkTriangleType() {
        if (a != b)
            if (a == c)
                type = \"Isosceles\";
            else if (b == c)
                type = \"Isosceles\"; // @ten
            else
                type = \"Scalene\";
        else if (b == c)
            type = \"Equilateral\";
        else
            type = \"Isosceles\";
    }
}
",
    )
});

/// The sides of a triangle.
struct Sides(i32, i32, i32);

impl Script for Sides {
    fn jump(&mut self, line: u32) -> (bool, f64) {
        let Self(a, b, c) = *self;
        // javac jumps where the condition does not hold.
        let (left, right, jumps_if_equal) = match line {
            6 => (a, b, true),
            7 => (a, c, false),
            _ => (b, c, false),
        };
        let to_other = if left == right { 1.0 } else { f64::from(left.abs_diff(right)) };
        ((left == right) == jumps_if_equal, to_other)
    }

    fn key(&mut self, _: u32, _: &[i32]) -> i32 {
        0
    }

    fn throws(&mut self, _: u32) -> Option<String> {
        None
    }
}

#[test]
fn triangles_have_the_distances_of_the_published_table() {
    let subject =
        Subject::new(&TRIANGLE, "java.lang.IllegalStateException", &["Triangle.checkTriangleType@ten"], 1);
    assert_eq!(TRIANGLE.line("ten"), 10);
    let table =
        [(Sides(5, 5, 5), 2.5), (Sides(5, 6, 5), 1.5), (Sides(5, 6, 4), 2.0 / 3.0), (Sides(5, 6, 3), 0.75)];
    let sums = [5.143, 4.8, 4.2, 4.286];
    for ((mut sides, line), sum) in table.into_iter().zip(sums) {
        let execution = subject.execute(&mut sides);
        assert_eq!(subject.assess(&execution).target_line, line);
        for fitness in [Fitness::WeightedSum, Fitness::GradedWeightedSum] {
            let found = subject.worth(fitness, &execution).distance;
            assert!((found - sum).abs() < 0.0005, "{fitness}: {found} instead of {sum}");
        }
    }
    let reached = subject.execute(&mut Sides(5, 6, 6));
    assert_eq!(subject.worth(Fitness::WeightedSum, &reached).distance, 3.0);
}

/// The methods of the example for integration testing, which has no source: `method3` calls
/// something on the way to `method2`.
static CHAIN: LazyLock<Program> = LazyLock::new(|| {
    Program::compile(
        "class ClassA {
    static int method1(int n, String s) {
        if (n > 5) { // @422
            return s.length(); // @435
        }
        return 0;
    }

    static int method4(int n) {
        return n;
    }
}

class ClassB {
    static int method2(int n, String s) {
        return ClassA.method1(n, s); // @156
    }
}

class ClassC {
    static int method3(int n, String s) {
        return ClassA.method4(n) + ClassB.method2(n, s); // @851
    }

    static int method5(int n, String s) {
        int sum = ClassA.method4(n); // @first
        sum += ClassA.method4(sum); // @second
        return sum + ClassB.method2(n, s); // @third
    }
}
",
    )
});

const NULL_POINTER: &str = "java.lang.NullPointerException";
const FRAMES: [&str; 3] = ["ClassA.method1@435", "ClassB.method2@156", "ClassC.method3@851"];

/// Throws at marked lines, and misses the condition of `method1` by a distance.
#[derive(Default)]
struct Told {
    misses: Option<f64>,
    throws: BTreeMap<u32, &'static str>,
}

impl Told {
    fn throws(marker: &str, class: &'static str) -> Self {
        Self { misses: None, throws: BTreeMap::from([(CHAIN.line(marker), class)]) }
    }
}

impl Script for Told {
    fn jump(&mut self, _: u32) -> (bool, f64) {
        (self.misses.is_some(), self.misses.unwrap_or(1.0))
    }

    fn key(&mut self, _: u32, _: &[i32]) -> i32 {
        0
    }

    fn throws(&mut self, line: u32) -> Option<String> {
        self.throws.get(&line).map(|it| (*it).to_owned())
    }
}

fn check_chain(fitness: Fitness, is_open: bool) {
    let subject = Subject::new(&CHAIN, NULL_POINTER, &FRAMES, 3);
    let distance = |mut told: Told| subject.worth(fitness, &subject.execute(&mut told)).distance;
    // The first throws below the third frame without entering the second, the second enters the
    // first frame and runs past its line, the third throws nothing.
    let x1 = distance(Told::throws("851", NULL_POINTER));
    assert!(2.0 < x1 && (x1 < 3.0 || !is_open && x1 == 3.0), "{fitness}: {x1}");
    let x2 = distance(Told { misses: Some(4.0), ..Told::default() });
    assert!(1.0 < x2 && x2 <= 2.0, "{fitness}: {x2}");
    assert_eq!(distance(Told::default()), 1.0, "{fitness}");
    assert_eq!(distance(Told::throws("435", NULL_POINTER)), 0.0, "{fitness}");
}

#[test]
fn integration_testing_reconstructs_the_trace_frame_by_frame() {
    check_chain(Fitness::IntegrationTesting, true);
    check_chain(Fitness::CallChain, false);
}

#[test]
fn the_weighted_sum_prefers_the_wrong_path_that_integration_testing_does_not() {
    let subject = Subject::new(&CHAIN, NULL_POINTER, &FRAMES, 3);
    let x1 = subject.execute(&mut Told::throws("851", NULL_POINTER));
    let x2 = subject.execute(&mut Told { misses: Some(4.0), ..Told::default() });
    let is_nearer = |fitness| {
        let distance = |it: &Execution| subject.worth(fitness, it).distance;
        distance(&x1) < distance(&x2)
    };
    assert!(is_nearer(Fitness::WeightedSum) && is_nearer(Fitness::SimpleSum));
    assert!(!is_nearer(Fitness::IntegrationTesting) && !is_nearer(Fitness::CallChain));
}

#[test]
fn the_exception_counts_for_the_simple_sum_wherever_it_is_thrown() {
    let subject = Subject::new(&CHAIN, NULL_POINTER, &FRAMES, 1);
    let objectives = |mut told: Told| {
        let execution = subject.execute(&mut told);
        let parts = subject.worth(Fitness::Decomposed, &execution).objectives;
        (parts[0], parts[1], parts[2], subject.worth(Fitness::WeightedSum, &execution).distance)
    };
    let silent = objectives(Told { misses: Some(3.0), ..Told::default() });
    let line = 0.75 / 1.75;
    assert_eq!(silent, (line, 1.0, 1.0, 3.0 * line + 3.0));
    let mut elsewhere = Told { misses: Some(3.0), ..Told::default() };
    elsewhere.throws.insert(CHAIN.line("422"), NULL_POINTER);
    // Nothing was decided before the exception, and its trace is 13 lines off at most.
    let (_, exception, trace, _) = objectives(elsewhere);
    assert!(exception == 0.0 && trace > 0.0 && trace < 0.5, "{exception} {trace}");
}

#[test]
fn block_coverage_prefers_the_test_that_comes_further() {
    let frames = ["ClassA.method1@435", "ClassB.method2@156", "ClassC.method5@third"];
    let subject = Subject::new(&CHAIN, NULL_POINTER, &frames, 3);
    let distance = |fitness, marker| {
        let mut told = Told::throws(marker, "java.lang.IllegalStateException");
        subject.worth(fitness, &subject.execute(&mut told)).distance
    };
    let equal = |marker| distance(Fitness::IntegrationTesting, marker);
    assert_eq!(equal("first"), equal("second"));
    let graded = |marker| distance(Fitness::BlockCoverage, marker);
    assert!(graded("second") < graded("first"));
    assert!(graded("third") < graded("second"));
}

/// A test that calls methods by their numbers.
fn calling(methods: &[u32]) -> TestCase {
    let call =
        |it: &u32| Statement::Call { method: MethodId(*it), receiver: None, arguments: Default::default() };
    TestCase::new(methods.iter().map(call).collect::<Vec<_>>())
}

#[test]
fn helper_objectives_are_length_and_similarity_of_calls() {
    let subject = Subject::new(&CHAIN, NULL_POINTER, &FRAMES, 3);
    let execution = subject.execute(&mut Told::default());
    let mut objectives = subject.objectives(Fitness::Helpers);
    let mut worth = |methods: &[u32]| execution.worth(&mut objectives, &calling(methods)).objectives;
    assert_eq!(worth(&[1, 2]).as_slice(), [3.0, 2.0 / 3.0, 0.0]);
    // Of the callees 1, 2 and 3 the second agrees with the first test on 1 alone.
    assert_eq!(worth(&[1, 3, 3])[1..], [0.75, 1.0 / 3.0]);
    let (common, rare) = (worth(&[1])[2], worth(&[4, 5])[2]);
    assert!(rare < common, "{rare} {common}");
    for _ in 0..60 {
        worth(&[7]);
    }
    // Older tests are forgotten.
    assert_eq!(worth(&[7])[2], 1.0);
}
