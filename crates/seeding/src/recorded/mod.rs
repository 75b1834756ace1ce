//! Values that were recorded outside of the program: in lines of the log around the crash, by an agent that
//! noted the arguments of failing calls, in the project's tests, and in documentation.

mod calls;
mod documentation;
mod tests;

use crashback_program::frames::CrashAudit;
use crashback_testcase::Text;
use crashback_testcase::workshop::RecordedValues;
use crashback_trace::RecordedCall;

use crate::collect::Offers;

pub use calls::recorded_arguments;

/// What was recorded about a crash and its program.
#[derive(Default)]
pub struct Records {
    /// Values of lines around the crash, as texts, the nearest first.
    pub log_values: Vec<String>,
    /// Failing calls with their arguments.
    pub calls: Vec<RecordedCall>,
    /// Jars and folders with the project's tests.
    pub tests: Vec<Box<dyn Files>>,
    /// Jars and folders with sources of the program.
    pub sources: Vec<Box<dyn Files>>,
}

/// A jar or folder whose files can be listed and read.
pub trait Files {
    /// The paths of all files, with `/` between folders, in an order that is always the same.
    fn paths(&self) -> Vec<String>;

    /// The content of a file; none if there is no such file, or it has more bytes.
    fn read(&self, path: &str, most: usize) -> Option<Vec<u8>>;
}

/// Adds the recorded values of all kinds that are switched on. Files are read only for these.
pub(crate) fn add(audit: &CrashAudit, records: &Records, offers: &mut Offers<'_>) {
    let Offers { pools, tuning } = offers;
    let longest = tuning.longest_recorded_text;
    let mut all = Vec::new();
    if tuning.source_recorded_arguments {
        let mut found = Collected::new(tuning.recorded_arguments, longest);
        calls::add(audit, &records.calls, &mut found);
        all.push(found.values);
    }
    if tuning.source_log_lines {
        let mut found = Collected::new(tuning.log_values, tuning.longest_pool_text);
        records.log_values.iter().for_each(|it| found.add_word(it));
        all.push(found.values);
    }
    if tuning.source_documentation {
        let mut found = Collected::new(tuning.documented_values, longest);
        documentation::add(&pools.traced, &records.sources, &mut found);
        all.push(found.values);
    }
    if tuning.source_test_values {
        let mut found = Collected::new(tuning.test_values, longest);
        tests::add(&pools.traced, &records.tests, tuning, &mut found);
        all.push(found.values);
    }
    all.retain(|it| *it != RecordedValues::default());
    pools.recorded = all;
}

/// Values that are being collected, up to a number of each type. First values stay.
pub(crate) struct Collected {
    values: RecordedValues,
    most: usize,
    longest: usize,
}

impl Collected {
    fn new(most: usize, longest: usize) -> Self {
        Self { values: RecordedValues::default(), most, longest }
    }

    fn add_text(&mut self, text: &str) {
        let new = Text::from(text);
        let texts = &mut self.values.texts;
        if texts.len() < self.most && new.units().len() <= self.longest && !texts.contains(&new) {
            texts.push(new);
        }
    }

    fn add_integer(&mut self, value: i64) {
        let integers = &mut self.values.integers;
        if integers.len() < self.most && !integers.contains(&value) {
            integers.push(value);
        }
    }

    fn add_float(&mut self, value: f64) {
        let floats = &mut self.values.floats;
        let is_known = floats.iter().any(|it| it.to_bits() == value.to_bits());
        if floats.len() < self.most && !is_known {
            floats.push(value);
        }
    }

    /// A text, also as the number that it may be.
    fn add_word(&mut self, text: &str) {
        self.add_text(text);
        self.add_number(text);
    }

    /// The number that a text may be.
    fn add_number(&mut self, text: &str) {
        let is_number = text.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '-' | '+' | '.'));
        if let Some(number) = text.parse().ok().filter(|_| is_number) {
            self.add_integer(number);
        }
        if let Some(number) = text.parse().ok().filter(|_| is_number) {
            self.add_float(number);
        }
    }
}

/// The simple name of a class, given in internal form, without those of classes around it.
fn simple_name(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

/// The path of the file, without ending, that holds the source of a class, given in internal form.
fn source_path(class: &str) -> &str {
    let (package, simple) = class.rsplit_once('/').map_or(("", class), |(package, simple)| (package, simple));
    let outer = simple.get(1..).and_then(|it| it.find('$')).map_or(simple.len(), |it| it + 1);
    let start = if package.is_empty() { 0 } else { package.len() + 1 };
    class.get(..start + outer).unwrap_or(class)
}
