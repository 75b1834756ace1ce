//! What happened in a run, from its beginning to its end.

use std::collections::BTreeSet;

use crashback_campaign::{EventKind, EventRecord, Record};
use maud::{Markup, html};

use crate::words;

/// Events of a run in the file. The store has more.
const MOST: usize = 60;

/// About how many bytes the events of a run take.
pub(super) fn size(run: &Record) -> usize {
    shown(&run.events).iter().map(|it| 110 + it.detail.as_ref().map_or(0, String::len)).sum()
}

pub(super) fn section(run: &Record) -> Markup {
    let events = shown(&run.events);
    let left_out = run.events.len() - events.len();
    html! {
        @if !events.is_empty() {
            details.events {
                summary { "Events of the run (" (events.len()) ")" }
                ol {
                    @for event in &events {
                        li class=[class(event.kind)] {
                            span.time { (words::seconds(event.seconds)) } " " (in_words(event))
                        }
                    }
                }
                @if left_out > 0 {
                    p.aside { (left_out) " more, most of them turns between frames, are in the store." }
                }
            }
        }
    }
}

/// The events that are worth a line: turns between frames are not, beyond the first of each frame.
fn shown(events: &[EventRecord]) -> Vec<&EventRecord> {
    let mut searched = BTreeSet::new();
    let is_news = |it: &&EventRecord| match it.kind {
        EventKind::Searching => searched.insert(it.frame),
        EventKind::LeftOut => false,
        _ => true,
    };
    let mut news: Vec<&EventRecord> = events.iter().filter(is_news).collect();
    // The end tells of the result.
    if news.len() > MOST {
        news.drain(MOST / 2..news.len() - MOST / 2);
    }
    news
}

fn class(kind: EventKind) -> Option<&'static str> {
    match kind {
        EventKind::Reproduced => Some("good"),
        EventKind::NotConfirmed | EventKind::Refuted => Some("bad"),
        _ => None,
    }
}

fn in_words(event: &EventRecord) -> String {
    let frame = event.frame.map_or_else(|| "the frame".to_owned(), |it| format!("frame {it}"));
    let words = match event.kind {
        EventKind::FetchingJunit => "JUnit is fetched".to_owned(),
        EventKind::Searching => format!("the search turns to {frame}"),
        EventKind::Restarted => format!("the search for {frame} begins anew"),
        EventKind::LineReached => format!("a test reaches the line of {frame}"),
        EventKind::ExceptionThrown => format!("a test for {frame} throws the exception"),
        EventKind::Confirmed => format!("a test for {frame} crashes again in a JVM of its own"),
        EventKind::Refuted => format!("a test for {frame} does not crash again"),
        EventKind::Minimising => format!("the test for {frame} is made simpler"),
        EventKind::Verifying => format!("the test for {frame} goes to JUnit"),
        EventKind::Reproduced => format!("{frame} is reproduced in a plain JVM"),
        EventKind::NotConfirmed => format!("a plain JVM does not show {frame}"),
        EventKind::LeftOut => "further events".to_owned(),
    };
    match &event.detail {
        Some(detail) => format!("{words}: {detail}"),
        None => words,
    }
}
