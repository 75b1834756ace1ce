//! Records of runs to one HTML file: figures, charts, a table of crashes, and for each crash its trace
//! and its test.
//!
//! Invariants: the crate knows records and not how they were made; it opens no file and reads no clock,
//! so equal records give equal bytes. The file loads nothing, and its policy lets no script run but its
//! own. Texts of records are never markup: `maud` escapes them, and the embedded data have no `<`.

mod chart;
mod comparison;
mod data;
mod java;
mod model;
mod page;
mod sections;
mod state;
mod trace;
mod words;

use std::collections::BTreeMap;

use crashback_campaign::Record;

pub use comparison::{Comparison, ComparisonRow, Comparisons, Effect, MeanRanks};
pub use page::GENERATOR;
pub use trace::{Trace, TraceFrame};

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// Its heading.
    pub title: &'r str,
    /// The runs.
    pub records: &'r [Record],
    /// Logged traces by the names of crashes. Crashes without an entry show their target frames alone.
    pub traces: &'r BTreeMap<String, Trace>,
    /// Configurations side by side.
    pub comparisons: &'r Comparisons,
}

impl Report<'_> {
    /// The file.
    pub fn render(&self) -> String {
        page::render(self, &model::Model::of(self.records, self.traces))
    }
}
