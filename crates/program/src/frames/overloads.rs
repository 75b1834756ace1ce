//! Which of several methods of one name a frame is in.

use std::collections::BTreeSet;

use super::ability::Witness;
use super::copies::Candidate;
use super::resolve::{MAX_SHIFT, ResolvedFrame};
use crate::classes::{Classes, MethodId};
use crate::code::{CallSite, call_sites};

/// Name and descriptor.
type Signature = (String, String);

/// Facts about a frame from the frames next to it.
pub(super) struct Neighbours {
    /// The methods that the next inner frame may be in.
    inner: BTreeSet<Signature>,
    /// The methods that the next outer frame's line calls.
    outer: BTreeSet<Signature>,
    /// The methods that nearby lines call, which may stand for the outer frame's line if that one
    /// cannot be right.
    outer_shifted: BTreeSet<Signature>,
}

impl Neighbours {
    /// The next inner frame, which is resolved already, and the line and candidates of the next
    /// outer one.
    pub(super) fn new(
        classes: &Classes<'_>,
        inner: Option<&ResolvedFrame>,
        outer: Option<(Option<u32>, Vec<Candidate<'_>>)>,
    ) -> Self {
        let methods = inner.into_iter().flat_map(|it| &it.methods).filter_map(|it| it.view(classes.index()));
        let (line, candidates) = outer.unwrap_or_default();
        let shifted =
            |at: u32| line.is_some_and(|line| (line + 1..=line.saturating_add(MAX_SHIFT)).contains(&at));
        Self {
            inner: methods.map(|it| (it.name().to_owned(), it.descriptor().to_owned())).collect(),
            outer: called(&candidates, |at| line.is_none() || at == line),
            outer_shifted: called(&candidates, |at| at.is_some_and(shifted)),
        }
    }

    fn calls_inner(&self, candidate: &Candidate<'_>, witness: &Witness) -> bool {
        let call = candidate.body.as_ref().and_then(|it| CallSite::at(it, witness.instruction));
        call.and_then(|it| signature(&it)).is_some_and(|it| self.inner.contains(&it))
    }
}

/// Tells overloads apart, each step among those that the steps before left, and none if it would
/// leave nothing: by any evidence, by certain evidence, by a call with the very descriptor of the
/// next inner frame, by the calls of the next outer frame.
pub(super) fn narrow(
    open: &[&Candidate<'_>],
    witnesses: &[(MethodId, Witness)],
    around: &Neighbours,
) -> Vec<MethodId> {
    let with = |candidate: &Candidate<'_>, test: &dyn Fn(&Witness) -> bool| {
        witnesses.iter().any(|(method, witness)| *method == candidate.id() && test(witness))
    };
    let is_in = |candidate: &Candidate<'_>, signatures: &BTreeSet<Signature>| {
        signatures.contains(&(candidate.method.name().to_owned(), candidate.method.descriptor().to_owned()))
    };
    let steps: [&dyn Fn(&Candidate<'_>) -> bool; 5] = [
        &|it| with(it, &|_| true),
        &|it| with(it, &|witness| witness.evidence.is_certain()),
        &|it| with(it, &|witness| around.calls_inner(it, witness)),
        &|it| is_in(it, &around.outer),
        &|it| is_in(it, &around.outer_shifted),
    ];
    let mut left = open.to_vec();
    for step in steps {
        let fitting: Vec<&Candidate<'_>> = left.iter().copied().filter(|it| step(it)).collect();
        if !fitting.is_empty() {
            left = fitting;
        }
    }
    left.iter().map(|it| it.id()).collect()
}

/// Everything that the candidates call on lines that count.
fn called(candidates: &[Candidate<'_>], counts: impl Fn(Option<u32>) -> bool) -> BTreeSet<Signature> {
    let bodies = candidates.iter().filter_map(|it| it.body.as_ref());
    let calls = bodies.flat_map(call_sites).filter(|it| counts(it.line));
    calls.filter_map(|it| signature(&it)).collect()
}

fn signature(call: &CallSite<'_>) -> Option<Signature> {
    let method = call.method()?;
    Some((method.name.to_str().into_owned(), method.descriptor.to_str().into_owned()))
}
