//! The one live line that tells how the search is going, on a terminal.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::Style;
use crashback_reproduce::{Event, Settings, Stage};

const FAINT: Style = Style::new().dimmed();
/// The line is drawn anew after this time, or when something else happens than progress.
const TICK: Duration = Duration::from_millis(100);

/// Is told how a search is going.
pub(crate) trait Watcher {
    /// A search begins.
    fn begin(&mut self, settings: &Settings);

    /// Something happened.
    fn see(&mut self, event: &Event);
}

/// How a search is going, in words.
#[derive(Debug, Default)]
pub(crate) struct Story {
    time: Duration,
    evaluations: Option<u64>,
    /// The frame that is searched, and how far its best test has come.
    best: Option<(u32, Stage)>,
    done: u64,
    /// The time of the search when it was told of last.
    pub(crate) elapsed: Duration,
}

impl Story {
    /// A search begins.
    pub(crate) fn begin(&mut self, settings: &Settings) -> String {
        *self = Self { time: settings.time, evaluations: settings.evaluations, ..Self::default() };
        "reading the program".to_owned()
    }

    /// What an event tells; none if it is for records.
    pub(crate) fn tell(&mut self, event: &Event) -> Option<String> {
        Some(match event {
            Event::FetchingJUnit => {
                "fetching JUnit with Maven, which does not count against the time".to_owned()
            }
            Event::Searching { frame } => {
                self.best = Some((*frame, Stage::NotStarted));
                self.state()?
            }
            Event::Progress { frame, outcome, evaluations, elapsed, .. } => {
                self.best = Some((*frame, *outcome));
                (self.done, self.elapsed) = (*evaluations, *elapsed);
                self.state()?
            }
            Event::Restarted { .. } | Event::Confirmed { .. } | Event::Refuted { .. } => return None,
            Event::Verifying { frame } => format!("frame {frame}: found, checking it with JUnit"),
            Event::Reproduced { frame } => format!("frame {frame}: reproduced"),
            Event::NotConfirmed { frame, .. } => {
                format!("frame {frame}: JUnit does not confirm it, going on")
            }
            Event::Minimising { frame } => format!("frame {frame}: reproduced, simplifying the test"),
        })
    }

    /// How much of the budget is used, and the whole of it: tests, or seconds.
    pub(crate) fn share(&self) -> (f64, f64) {
        match self.evaluations {
            Some(all) => (self.done as f64, all as f64),
            None => (self.elapsed.as_secs_f64(), self.time.as_secs_f64()),
        }
    }

    fn state(&self) -> Option<String> {
        let (frame, outcome) = self.best?;
        let mut words = format!("frame {frame}: {}", outcome.words());
        if self.done > 0 {
            let rate = self.done as f64 / self.elapsed.as_secs_f64().max(0.001);
            words.push_str(&format!(", {} tests, {} a second", self.done, rate.round()));
        }
        let left = self.time.saturating_sub(self.elapsed).as_secs();
        words.push_str(&match self.evaluations {
            Some(all) => format!(", {} tests left", all.saturating_sub(self.done)),
            None => format!(", {left} s left"),
        });
        Some(words)
    }
}

/// Where progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Untold,
    /// In a line that is drawn over itself.
    Line,
    /// In a line for each step.
    Lines,
}

/// A line that is drawn over itself, or one for each step. The former is cleared with blanks, because
/// colourless terminals get no control sequences.
pub(crate) struct Progress {
    out: Option<Box<dyn Write>>,
    /// Whether each step gets a line of its own.
    is_list: bool,
    /// How wide the terminal is; it may change at any time.
    columns: fn() -> usize,
    story: Story,
    /// When the line was drawn last.
    drawn: Option<Duration>,
    /// How many characters it had.
    width: usize,
}

impl Progress {
    /// Progress on standard error.
    pub(crate) fn on(stream: io::Stderr, manner: Manner) -> Self {
        let open = || Box::new(anstream::AutoStream::auto(stream)) as Box<dyn Write>;
        let out = (manner != Manner::Untold).then(open);
        Self { is_list: manner == Manner::Lines, ..Self::to(out, columns) }
    }

    fn to(out: Option<Box<dyn Write>>, columns: fn() -> usize) -> Self {
        Self { out, is_list: false, columns, story: Story::default(), drawn: None, width: 0 }
    }

    /// Leaves an empty line.
    pub(crate) fn clear(&mut self) {
        if self.is_list {
            return;
        }
        let blanks = " ".repeat(self.width);
        self.write(&format!("\r{blanks}\r"));
        self.width = 0;
    }

    fn draw(&mut self, words: &str) {
        if self.is_list {
            return self.write(&format!("{FAINT}{words}{FAINT:#}\n"));
        }
        let line: String = words.chars().take((self.columns)().saturating_sub(1)).collect();
        let width = line.chars().count();
        let blanks = " ".repeat(self.width.saturating_sub(width));
        self.write(&format!("\r{FAINT}{line}{FAINT:#}{blanks}"));
        self.width = width;
        self.drawn = Some(self.story.elapsed);
    }

    /// A terminal that is gone is no reason to stop.
    fn write(&mut self, text: &str) {
        if let Some(out) = &mut self.out {
            drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, settings: &Settings) {
        self.drawn = None;
        let words = self.story.begin(settings);
        self.draw(&words);
    }

    fn see(&mut self, event: &Event) {
        let before = self.story.best;
        let words = self.story.tell(event);
        let elapsed = self.story.elapsed;
        let is_due = match self.is_list {
            true => self.story.best != before,
            false => self.drawn.is_none_or(|it| elapsed.saturating_sub(it) >= TICK),
        };
        let is_news = !matches!(event, Event::Progress { .. });
        if let Some(words) = words.filter(|_| is_due || is_news) {
            self.draw(&words);
        }
    }
}

/// How wide the terminal of standard error is.
pub(crate) fn columns() -> usize {
    const USUAL: u16 = 80;
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok();
    usize::from(size.map(|it| it.ws_col).filter(|it| *it > 0).unwrap_or(USUAL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Screen;

    fn progress(frame: u32, outcome: Stage, evaluations: u64, millis: u64) -> Event {
        Event::Progress { frame, outcome, distance: 0.5, evaluations, elapsed: Duration::from_millis(millis) }
    }

    #[test]
    fn the_line_tells_frame_distance_rate_and_time() {
        let screen = Screen::default();
        let mut line = Progress::to(Some(Box::new(screen.clone())), || 120);
        line.begin(&Settings { time: Duration::from_secs(20), ..Settings::default() });
        assert_eq!(screen.line(), "reading the program");
        line.see(&Event::FetchingJUnit);
        assert_eq!(screen.line(), "fetching JUnit with Maven, which does not count against the time");
        line.see(&Event::Searching { frame: 3 });
        assert_eq!(screen.line(), "frame 3: not started, 20 s left");
        line.see(&progress(3, Stage::LineReached, 4000, 2000));
        let expected = "frame 3: line reached, exception not yet, 4000 tests, 2000 a second, 18 s left";
        assert_eq!(screen.line(), expected);
        line.see(&progress(3, Stage::ExceptionThrown, 4100, 2050));
        assert_eq!(screen.line(), expected, "it is not drawn all the time");
        line.see(&Event::Verifying { frame: 3 });
        assert_eq!(screen.line(), "frame 3: found, checking it with JUnit");
        line.clear();
        assert_eq!(screen.line(), "");
    }

    #[test]
    fn a_search_bounded_by_tests_tells_how_many_are_left() {
        let screen = Screen::default();
        let mut line = Progress::to(Some(Box::new(screen.clone())), || 120);
        line.begin(&Settings { evaluations: Some(500), ..Settings::default() });
        line.see(&progress(1, Stage::LineNotReached, 200, 1000));
        assert_eq!(screen.line(), "frame 1: line not reached yet, 200 tests, 200 a second, 300 tests left");
    }

    #[test]
    fn a_line_never_wraps() {
        let screen = Screen::default();
        let mut line = Progress::to(Some(Box::new(screen.clone())), || 20);
        line.begin(&Settings::default());
        line.see(&progress(1, Stage::LineNotReached, 200, 1000));
        assert_eq!(screen.line(), "frame 1: line not r");
    }

    #[test]
    fn a_list_has_a_line_for_each_step() {
        let screen = Screen::default();
        let mut list = Progress { is_list: true, ..Progress::to(Some(Box::new(screen.clone())), || 20) };
        list.begin(&Settings { evaluations: Some(500), ..Settings::default() });
        list.see(&progress(1, Stage::LineNotReached, 200, 1000));
        list.see(&progress(1, Stage::LineNotReached, 300, 2000));
        list.see(&progress(1, Stage::LineReached, 400, 3000));
        list.clear();
        let text = screen.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!(lines[0], "reading the program");
        assert!(lines[1].contains("300 tests left") && lines[2].contains("100 tests left"), "{text}");
    }

    #[test]
    fn nothing_is_drawn_where_nobody_watches() {
        let mut line = Progress::to(None, || 120);
        line.begin(&Settings::default());
        line.see(&progress(1, Stage::LineNotReached, 200, 1000));
        line.clear();
    }
}
