//! Problems of a log, a bounded number of them.

use std::collections::BTreeMap;

use crate::model::{Problem, ProblemKind};

/// How many problems of a kind are listed one by one.
const LISTED: usize = 20;

/// Problems as they come up. Of each kind the first are listed, the others only counted: a log may
/// repeat one a million times.
#[derive(Default)]
pub(crate) struct Problems {
    listed: Vec<Problem>,
    kinds: BTreeMap<ProblemKind, Count>,
}

#[derive(Default)]
struct Count {
    all: usize,
    first_unlisted: usize,
}

impl Problems {
    /// Notes a problem; its words are only made if it will be listed.
    pub(crate) fn add(&mut self, line: usize, kind: ProblemKind, text: impl FnOnce() -> String) {
        let count = self.kinds.entry(kind).or_default();
        count.all += 1;
        if count.all <= LISTED {
            self.listed.push(Problem { line, kind, text: text() });
        } else if count.all == LISTED + 1 {
            count.first_unlisted = line;
        }
    }

    /// All problems in log order, the unlisted ones of a kind summed up in one where they begin.
    pub(crate) fn into_list(mut self) -> Vec<Problem> {
        for (kind, count) in self.kinds {
            if let Some(further) = count.all.checked_sub(LISTED).filter(|further| *further > 0) {
                let text = format!("the same {further} more times from here on");
                self.listed.push(Problem { line: count.first_unlisted, kind, text });
            }
        }
        self.listed.sort_by_key(|problem| problem.line);
        self.listed
    }
}
