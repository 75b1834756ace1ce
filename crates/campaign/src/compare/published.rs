//! Results of other systems, as a table that others published.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::{CrashFrames, HighestFrames};
use crate::Error;

const IN_MOST: &str = "_frame_majority";
const ONCE: &str = "_frame_once";

/// The highest frames that systems reached, by crash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The systems, in the order of the table.
    pub systems: Vec<String>,
    crashes: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    exception: Option<String>,
    frames: BTreeMap<String, HighestFrames>,
}

/// A published system on the crashes that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublishedTotals {
    /// The system.
    pub system: String,
    /// Frames that most of its runs reproduced; none if the table does not tell.
    pub in_most: Option<PublishedCount>,
    /// Frames that any of its runs reproduced; none as above.
    pub once: Option<PublishedCount>,
}

/// A published system on the crashes for which its frame is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PublishedCount {
    /// These crashes.
    pub crashes: usize,
    /// Those that it reproduced.
    pub reproduced: usize,
    /// The sum of its frames.
    pub sum: u64,
    /// How each configuration stands on the same crashes.
    pub standings: Vec<Standing>,
}

/// A configuration against a published system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The configuration.
    pub configuration: String,
    /// Crashes that it reproduced.
    pub reproduced: usize,
    /// The sum of its frames.
    pub sum: u64,
    /// Crashes on which it came higher.
    pub higher: usize,
    /// Crashes on which it came as high.
    pub equal: usize,
    /// Crashes on which it came less high.
    pub lower: usize,
}

impl Published {
    /// Reads a table: comma-separated values with a column `id`, for each system the columns
    /// `SYSTEM_frame_majority` and `SYSTEM_frame_once` or one of them, and possibly
    /// `exception_type`. Other columns are not looked at. An empty field is unknown, 0 is nothing
    /// reproduced.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no such table.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
        Self::parse(file).map_err(|reason| Error::NoPublished { path: path.to_owned(), reason })
    }

    fn parse(input: impl Read) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(input);
        let header = reader.headers().map_err(|error| error.to_string())?.clone();
        if !header.iter().any(|it| it == "id") {
            return Err("it has no column `id`".to_owned());
        }
        let mut published = Self::default();
        for name in header.iter().filter_map(system) {
            if !published.systems.iter().any(|it| it == name) {
                published.systems.push(name.to_owned());
            }
        }
        if published.systems.is_empty() {
            return Err(format!("it has no column that ends in `{IN_MOST}` or `{ONCE}`"));
        }
        for (number, record) in (2_usize..).zip(reader.records()) {
            let record = record.map_err(|error| error.to_string())?;
            let (id, row) = Row::parse(header.iter().zip(record.iter()))
                .map_err(|reason| format!("line {number}: {reason}"))?;
            published.crashes.insert(id, row);
        }
        Ok(published)
    }

    /// The exception's class of a crash, where the table tells it.
    pub(super) fn exception(&self, crash: &str) -> Option<String> {
        self.crashes.get(crash)?.exception.clone()
    }

    /// The frames of a crash by system.
    pub(super) fn of(&self, crash: &str) -> BTreeMap<String, HighestFrames> {
        self.crashes.get(crash).map(|it| it.frames.clone()).unwrap_or_default()
    }

    pub(super) fn totals(&self, crashes: &[CrashFrames], configurations: &[String]) -> Vec<PublishedTotals> {
        let count = |system: &String, choose: fn(&HighestFrames) -> Option<u32>| {
            let known =
                crashes.iter().filter_map(|crash| Some((crash, choose(crash.published.get(system)?)?)));
            let known: Vec<(&CrashFrames, u32)> = known.collect();
            (!known.is_empty()).then(|| PublishedCount::of(&known, configurations, choose))
        };
        let totals = |system: &String| PublishedTotals {
            system: system.clone(),
            in_most: count(system, |it| it.in_most),
            once: count(system, |it| it.once),
        };
        let all = self.systems.iter().map(totals);
        all.filter(|it| it.in_most.is_some() || it.once.is_some()).collect()
    }
}

impl PublishedCount {
    fn of(
        known: &[(&CrashFrames, u32)],
        configurations: &[String],
        choose: fn(&HighestFrames) -> Option<u32>,
    ) -> Self {
        let standing = |(position, name): (usize, &String)| {
            let mut standing = Standing { configuration: name.clone(), ..Standing::default() };
            for (crash, theirs) in known {
                let ours = crash.configurations.get(position).and_then(choose).unwrap_or_default();
                standing.reproduced += usize::from(ours > 0);
                standing.sum += u64::from(ours);
                standing.higher += usize::from(ours > *theirs);
                standing.equal += usize::from(ours == *theirs);
                standing.lower += usize::from(ours < *theirs);
            }
            standing
        };
        Self {
            crashes: known.len(),
            reproduced: known.iter().filter(|(_, frame)| *frame > 0).count(),
            sum: known.iter().map(|(_, frame)| u64::from(*frame)).sum(),
            standings: (0..).zip(configurations).map(standing).collect(),
        }
    }
}

impl Row {
    fn parse<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> Result<(String, Self), String> {
        let (mut id, mut row) = (String::new(), Self::default());
        for (column, field) in fields.filter(|(_, field)| !field.is_empty()) {
            match column {
                "id" => field.clone_into(&mut id),
                "exception_type" => row.exception = Some(field.to_owned()),
                _ => {
                    let Some(name) = system(column) else { continue };
                    let frame = field.parse().map_err(|_| {
                        format!("`{column}` is `{field}`, and should be the number of a frame")
                    })?;
                    let frames = row.frames.entry(name.to_owned()).or_default();
                    let place =
                        if column.ends_with(IN_MOST) { &mut frames.in_most } else { &mut frames.once };
                    *place = Some(frame);
                }
            }
        }
        if id.is_empty() { Err("the field `id` is empty".to_owned()) } else { Ok((id, row)) }
    }
}

/// The system whose frames a column has.
fn system(column: &str) -> Option<&str> {
    column.strip_suffix(IN_MOST).or_else(|| column.strip_suffix(ONCE)).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_found_by_their_columns() {
        let text = "id,exception_type,x_frame_majority,x_frame_once,y_frame_once,x_rate\n\
                    C-1,java.lang.Error,0,2,,0.5\nC-2,,,,3,\n";
        let published = Published::parse(text.as_bytes()).expect("a table");
        assert_eq!(published.systems, ["x", "y"]);
        assert_eq!(published.exception("C-1").as_deref(), Some("java.lang.Error"));
        assert_eq!(published.exception("C-2"), None);
        assert_eq!(published.of("C-1")["x"], HighestFrames { in_most: Some(0), once: Some(2) });
        assert!(!published.of("C-1").contains_key("y"));
        assert_eq!(published.of("C-2")["y"], HighestFrames { in_most: None, once: Some(3) });
        assert!(published.of("C-3").is_empty());
    }

    #[test]
    fn bad_tables_are_refused_by_name() {
        for (text, expected) in [
            ("", "no column `id`"),
            ("crash,x_frame_once\n", "no column `id`"),
            ("id,frame\n", "no column that ends in"),
            ("id,x_frame_once\nC-1,two\n", "line 2: `x_frame_once` is `two`"),
            ("id,x_frame_once\n,1\n", "line 2: the field `id` is empty"),
            ("id,x_frame_once\nC-1\n", "found record with 1 fields"),
        ] {
            let refused = Published::parse(text.as_bytes()).expect_err(text);
            assert!(refused.contains(expected), "{text:?}: {refused}");
        }
    }
}
