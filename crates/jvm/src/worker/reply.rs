//! A reply as it grows: the encoding of [`crashback_protocol::Reply`], written piece by piece because the facts come encoded from Java.

use crashback_protocol::{Facts, Outcome, Untouched};

pub(super) struct Replies {
    count: usize,
    bytes: Vec<u8>,
    no_facts: Vec<u8>,
}

impl Replies {
    pub(super) fn new() -> Self {
        // An encoding of an empty value into memory cannot fail.
        let no_facts = postcard::to_stdvec(&Facts::default()).unwrap_or_default();
        Self { count: 0, bytes: Vec::new(), no_facts }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds an observation; no facts at all stand for empty ones.
    pub(super) fn push(&mut self, outcome: Outcome, completed: usize, facts: &[u8]) {
        self.count += 1;
        let completed = u16::try_from(completed).unwrap_or(u16::MAX);
        // An outcome and a number fit.
        let mut head = [0; 16];
        if let Ok(head) = postcard::to_slice(&(outcome, completed), &mut head) {
            self.bytes.extend_from_slice(head);
        }
        self.bytes.extend_from_slice(if facts.is_empty() { &self.no_facts } else { facts });
    }

    /// The whole reply.
    pub(super) fn into_bytes(self, last: bool, untouched: &[Untouched]) -> Vec<u8> {
        let mut reply = postcard::to_stdvec(&self.count).unwrap_or_default();
        reply.extend(self.bytes);
        // Texts and a flag can be encoded, into memory without end.
        reply.extend(postcard::to_stdvec(&(last, untouched)).unwrap_or_default());
        reply
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Observation, Reply};

    use super::*;

    #[test]
    fn pieces_make_the_encoding_of_a_reply() {
        let untouched = vec![Untouched {
            class: "a/B".to_owned(),
            method: Some("run()V".to_owned()),
            reason: "too long".to_owned(),
        }];
        let ends = [(Outcome::Returned, 3), (Outcome::Exited(-4), 0), (Outcome::Threw, 300)];
        let mut replies = Replies::new();
        let mut observations = Vec::new();
        for (outcome, completed) in ends {
            replies.push(outcome, completed.into(), &[]);
            observations.push(Observation::bare(outcome, completed));
        }
        let bytes = replies.into_bytes(true, &untouched);
        let expected = Reply { observations, last: true, untouched };
        assert_eq!(postcard::from_bytes::<Reply>(&bytes).unwrap(), expected);
    }
}
