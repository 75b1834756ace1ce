//! Whether tests are kept apart: the same sample with selective reset, in a fresh loader and in a
//! fresh JVM.
//!
//! The observation in a fresh JVM is the truth; what the others make of the same test should be
//! equal. Frames are compared as such, not by their numbers, and floating-point numbers by their
//! bits.

use crashback_protocol::{Batch, Evaluator, Failure, Isolation, Observation, Results, Throwable};
use crashback_testcase::{TestCase, Vocabulary};
use crashback_trace::Frame;
use serde::Serialize;

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// How many tests were compared.
    pub compared: usize,
    /// Those whose observations are not all equal, in order.
    pub differing: Vec<Difference>,
}

/// A test whose observations are not all equal. Parts of an observation go by the names of its
/// fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its place in the sample.
    pub test: usize,
    /// The first part that differs between selective reset and a fresh JVM.
    pub reset: Option<&'static str>,
    /// The first part that differs between a fresh loader and a fresh JVM.
    pub loader: Option<&'static str>,
}

/// Runs a sample of tests in three ways and compares.
pub fn check(
    evaluator: &mut impl Evaluator,
    vocabulary: &Vocabulary,
    sample: &[TestCase],
) -> Result<Differences, Failure> {
    let mut run = |isolation| evaluator.evaluate(Batch { isolation, ..Batch::new(vocabulary, sample) });
    let reset = run(Isolation::Reset)?;
    let loader = run(Isolation::FreshLoader)?;
    let truth = run(Isolation::FreshJvm)?;
    let differing = (0..sample.len()).filter_map(|test| {
        let difference =
            Difference { test, reset: differs(&reset, &truth, test), loader: differs(&loader, &truth, test) };
        (difference.reset.is_some() || difference.loader.is_some()).then_some(difference)
    });
    Ok(Differences { compared: sample.len(), differing: differing.collect() })
}

/// The first part in which two observations of a test differ.
fn differs(left: &Results, right: &Results, test: usize) -> Option<&'static str> {
    let (Some(a), Some(b)) = (left.observations.get(test), right.observations.get(test)) else {
        return Some("observations");
    };
    let (these, those) = (&a.facts, &b.facts);
    [
        ("outcome", a.outcome == b.outcome),
        ("completed", a.completed == b.completed),
        ("throwables", resolved(a, &left.frames) == resolved(b, &right.frames)),
        ("entered", these.entered == those.entered),
        ("branches", encoded(&*these.branches) == encoded(&*those.branches)),
        ("reached", these.reached == those.reached),
        ("switches", these.switches == those.switches),
        ("operands", encoded(&these.operands) == encoded(&those.operands)),
        ("caught", these.caught == those.caught),
    ]
    .into_iter()
    .find_map(|(part, same)| (!same).then_some(part))
}

/// Equal bytes mean equal values, `NaN` included, which equals nothing.
fn encoded(values: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(values)
}

/// Throwables without numbers of frames, and the frames.
fn resolved<'a>(observation: &Observation, frames: &'a [Frame]) -> Vec<(Throwable, Vec<Option<&'a Frame>>)> {
    let throwables = observation.facts.throwables.iter();
    throwables
        .map(|throwable| {
            let own = throwable.frames.iter().map(|frame| frames.get(*frame as usize)).collect();
            (Throwable { frames: Vec::new(), ..throwable.clone() }, own)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Branch, Facts, Outcome, Position, StackFrame, Ticket};

    use super::*;

    /// Gives prepared results for each isolation.
    struct Prepared(fn(Isolation) -> Vec<Observation>);

    impl Evaluator for Prepared {
        fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
            let mut results = Results::default();
            results.append((self.0)(batch.isolation));
            Ok(Ticket::finished(results))
        }

        fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
            ticket.into_results()
        }
    }

    fn compare(observations: fn(Isolation) -> Vec<Observation>, tests: usize) -> Differences {
        let sample = vec![TestCase::new(Vec::new()); tests];
        check(&mut Prepared(observations), &Vocabulary::default(), &sample).unwrap()
    }

    fn throwing(frames: Vec<u32>, introduced: &[&str]) -> Observation {
        let frame = |method: &&str| StackFrame {
            loader: None,
            module: None,
            module_version: None,
            class: "C".to_owned(),
            method: (*method).to_owned(),
            file: None,
            line: 1,
        };
        let class = "java.lang.Error".to_owned();
        let throwable = Throwable { class, message: None, frames, cause: None, suppressed: Vec::new() };
        let new_frames = introduced.iter().map(frame).collect();
        let facts = Facts { throwables: vec![throwable], new_frames, ..Facts::default() };
        Observation { outcome: Outcome::Threw, completed: 0, facts, slow: Vec::new() }
    }

    #[test]
    fn numbers_of_frames_do_not_matter_but_frames_do() {
        let differences = compare(
            |isolation| match isolation {
                Isolation::Reset | Isolation::Bounded | Isolation::Grouped => {
                    vec![throwing(vec![0, 1], &["a", "b"]), throwing(vec![1], &[])]
                }
                Isolation::FreshLoader => vec![throwing(vec![1, 0], &["b", "a"]), throwing(vec![1], &[])],
                Isolation::FreshJvm => vec![throwing(vec![1, 0], &["b", "a"]), throwing(vec![0], &[])],
            },
            2,
        );
        let expected = Difference { test: 1, reset: None, loader: Some("throwables") };
        assert_eq!(differences, Differences { compared: 2, differing: vec![expected] });
    }

    #[test]
    fn not_a_number_is_itself() {
        let differences = compare(
            |isolation| {
                let to_fall = if isolation == Isolation::Reset { -0.0 } else { 0.0 };
                let of = |to_fall| {
                    let position = Position::OUTSIDE;
                    let branches = vec![Branch { probe: 0, position, to_jump: f64::NAN, to_fall }].into();
                    let facts = Facts { branches, ..Facts::default() };
                    Observation { outcome: Outcome::Returned, completed: 1, facts, slow: Vec::new() }
                };
                vec![of(1.0), of(to_fall)]
            },
            2,
        );
        let expected = Difference { test: 1, reset: Some("branches"), loader: None };
        assert_eq!(differences, Differences { compared: 2, differing: vec![expected] });
    }

    #[test]
    fn a_missing_observation_differs() {
        let none = |_| Vec::new();
        assert_eq!(compare(none, 0), Differences::default());
        let expected = Difference { test: 0, reset: Some("observations"), loader: Some("observations") };
        assert_eq!(compare(none, 1).differing, [expected]);
    }
}
