//! What happened in a run, for its record.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crashback::Event;
use crashback_reproduce::Stage;
use serde::{Deserialize, Serialize};

/// Events that are kept from the beginning of a run, and as many from its end. Long runs have thousands of
/// turns between frames, and the interesting ones are the first of each frame and those around the result.
const MOST_AT_EITHER_END: usize = 100;
/// Characters of a detail.
const MOST_DETAIL: usize = 200;

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Seconds since the run began.
    pub seconds: f64,
    /// What happened.
    pub kind: EventKind,
    /// The frame, 1 for the innermost; none if it is no matter of a frame.
    pub frame: Option<u32>,
    /// More about it.
    pub detail: Option<String>,
}

/// What can happen in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// JUnit is fetched.
    FetchingJunit,
    /// The search for a frame begins or goes on.
    Searching,
    /// The search for a frame begins anew, because it came no nearer.
    Restarted,
    /// A test reached the line of the frame for the first time.
    LineReached,
    /// A test threw the exception for the first time.
    ExceptionThrown,
    /// A test crashed as wanted again, in a JVM of its own.
    Confirmed,
    /// A test that crashed as wanted did not do so again.
    Refuted,
    /// A test is made simpler.
    Minimising,
    /// A test is compiled and run by JUnit.
    Verifying,
    /// A plain JVM showed the crash.
    Reproduced,
    /// A plain JVM did not; the detail tells what happened instead.
    NotConfirmed,
    /// Here so many events are left out as the detail says.
    LeftOut,
}

impl EventKind {
    /// Its name in exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::FetchingJunit => "fetching-junit",
            Self::Searching => "searching",
            Self::Restarted => "restarted",
            Self::LineReached => "line-reached",
            Self::ExceptionThrown => "exception-thrown",
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
            Self::Minimising => "minimising",
            Self::Verifying => "verifying",
            Self::Reproduced => "reproduced",
            Self::NotConfirmed => "not-confirmed",
            Self::LeftOut => "left-out",
        }
    }
}

/// Collects the events of a run, a bounded number of them.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    first: Vec<EventRecord>,
    last: VecDeque<EventRecord>,
    left_out: usize,
    /// How far the tests of each frame came.
    stages: BTreeMap<u32, Stage>,
    /// The frame that is searched.
    searched: Option<u32>,
}

impl EventLog {
    /// Takes note of an event, so long after the run began.
    pub fn see(&mut self, event: &Event, after: Duration) {
        let (kind, frame, detail) = match event {
            Event::FetchingJUnit => (EventKind::FetchingJunit, None, None),
            // A frame whose turn follows its own goes on.
            Event::Searching { frame } if self.searched.replace(*frame) == Some(*frame) => return,
            Event::Searching { frame } => (EventKind::Searching, Some(frame), None),
            Event::Restarted { frame } => (EventKind::Restarted, Some(frame), None),
            Event::Progress { frame, outcome, .. } => match self.advance(*frame, *outcome) {
                Some(kind) => (kind, Some(frame), None),
                None => return,
            },
            Event::Confirmed { frame } => (EventKind::Confirmed, Some(frame), None),
            Event::Refuted { frame } => (EventKind::Refuted, Some(frame), None),
            Event::Minimising { frame } => (EventKind::Minimising, Some(frame), None),
            Event::Verifying { frame } => (EventKind::Verifying, Some(frame), None),
            Event::Reproduced { frame } => (EventKind::Reproduced, Some(frame), None),
            Event::NotConfirmed { frame, reason } => {
                (EventKind::NotConfirmed, Some(frame), Some(reason.chars().take(MOST_DETAIL).collect()))
            }
        };
        // Milliseconds are enough, and short in the store.
        let seconds = (after.as_secs_f64() * 1000.0).round() / 1000.0;
        self.add(EventRecord { seconds, kind, frame: frame.copied(), detail });
    }

    /// All events that were kept, in order.
    pub fn into_records(self) -> Vec<EventRecord> {
        let Self { first: mut records, last, left_out, .. } = self;
        if let Some(next) = last.front().filter(|_| left_out > 0) {
            let detail = Some(left_out.to_string());
            let seconds = next.seconds;
            records.push(EventRecord { seconds, kind: EventKind::LeftOut, frame: None, detail });
        }
        records.extend(last);
        records
    }

    fn add(&mut self, record: EventRecord) {
        if self.first.len() < MOST_AT_EITHER_END {
            return self.first.push(record);
        }
        if self.last.len() == MOST_AT_EITHER_END {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(record);
    }

    /// The event of a frame whose tests came further than before.
    fn advance(&mut self, frame: u32, stage: Stage) -> Option<EventKind> {
        let before = self.stages.insert(frame, stage).unwrap_or(Stage::NotStarted);
        if before >= stage {
            self.stages.insert(frame, before);
            return None;
        }
        match stage {
            Stage::LineReached => Some(EventKind::LineReached),
            Stage::ExceptionThrown => Some(EventKind::ExceptionThrown),
            Stage::NotStarted | Stage::LineNotReached | Stage::Reproduced => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(frame: u32, outcome: Stage) -> Event {
        Event::Progress { frame, outcome, distance: 1.0, evaluations: 1, elapsed: Duration::ZERO }
    }

    fn kept(events: &[Event]) -> Vec<(EventKind, Option<u32>)> {
        let mut log = EventLog::default();
        events.iter().for_each(|it| log.see(it, Duration::from_millis(1_500)));
        let records = log.into_records();
        assert!(records.iter().all(|it| it.seconds == 1.5));
        records.into_iter().map(|it| (it.kind, it.frame)).collect()
    }

    #[test]
    fn progress_is_an_event_where_a_frame_comes_further() {
        let events = [
            Event::Searching { frame: 2 },
            progress(2, Stage::LineNotReached),
            progress(2, Stage::LineReached),
            progress(2, Stage::LineReached),
            Event::Searching { frame: 2 },
            Event::Searching { frame: 3 },
            progress(3, Stage::ExceptionThrown),
            progress(2, Stage::LineNotReached),
            progress(2, Stage::LineReached),
        ];
        let (two, three) = (Some(2), Some(3));
        let expected = [
            (EventKind::Searching, two),
            (EventKind::LineReached, two),
            (EventKind::Searching, three),
            (EventKind::ExceptionThrown, three),
        ];
        assert_eq!(kept(&events), expected);
    }

    #[test]
    fn long_runs_keep_their_beginning_and_their_end() {
        let turns: Vec<Event> = (1..=5_000).map(|frame| Event::Searching { frame }).collect();
        let kept = kept(&turns);
        assert_eq!(kept.len(), 2 * MOST_AT_EITHER_END + 1);
        assert_eq!((kept[0].1, kept[99].1, kept[101].1), (Some(1), Some(100), Some(4_901)));
        assert_eq!((kept[100].0, kept[200].1), (EventKind::LeftOut, Some(5_000)));
        let mut log = EventLog::default();
        turns.iter().for_each(|it| log.see(it, Duration::ZERO));
        assert_eq!(log.into_records()[100].detail.as_deref(), Some("4800"));
    }

    #[test]
    fn details_are_cut_and_names_are_those_of_json() {
        let mut log = EventLog::default();
        log.see(&Event::NotConfirmed { frame: 1, reason: "ü".repeat(900) }, Duration::ZERO);
        let [record] = log.into_records().try_into().expect("one event");
        assert_eq!(record.detail.map(|it| it.chars().count()), Some(MOST_DETAIL));
        for kind in [EventKind::FetchingJunit, EventKind::NotConfirmed, EventKind::LeftOut] {
            assert_eq!(serde_json::to_value(kind).expect("a name"), kind.name());
        }
    }
}
