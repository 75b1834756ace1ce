//! The vocabulary of all batches, as workers learn it.

use std::sync::Arc;

use crashback_protocol::Failure;
use crashback_testcase::{Addition, Known, Vocabulary};

/// The caller's vocabulary, divided into what each batch added. Each worker knows a number of the
/// first parts.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    pub(super) known: Known,
    parts: Vec<Arc<Addition>>,
}

impl Lexicon {
    /// Adds the entries that are new in the vocabulary of a batch.
    pub(super) fn learn(&mut self, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let now = vocabulary.known();
        let before = self.known;
        if now.types < before.types || now.methods < before.methods || now.fields < before.fields {
            let why = "the vocabulary of a batch has lost entries that an earlier batch had: a pool \
                 serves one vocabulary";
            return Err(Failure(why.to_owned()));
        }
        if now != before {
            self.parts.push(Arc::new(vocabulary.since(before)));
            self.known = now;
        }
        Ok(())
    }

    /// The parts that a worker lacks, given the entries that it knows.
    pub(super) fn missing(&self, known: Known) -> Vec<Arc<Addition>> {
        let first = self.parts.iter().rposition(|part| part.after == known);
        first.and_then(|first| self.parts.get(first..)).unwrap_or_default().to_vec()
    }
}
