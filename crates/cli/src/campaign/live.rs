//! What a campaign shows while it runs: a line for each run that is over, and on a terminal a table of those
//! under way, with rate and estimated end.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use anstyle::Style;
use crashback::Event as SearchEvent;
use crashback_campaign::Event;

use super::text;
use crate::output;

const FAINT: Style = Style::new().dimmed();
/// The table is drawn anew after this time at the earliest.
const TICK: Duration = Duration::from_millis(200);

/// The display of a campaign.
pub(super) struct Live {
    /// Runs that are to be made.
    jobs: usize,
    done: usize,
    is_quiet: bool,
    /// Whether configurations are named, of which there are several.
    names_configurations: bool,
    /// Where the table goes; none without a terminal, or where control sequences are unwelcome.
    out: Option<Box<dyn Write>>,
    columns: fn() -> usize,
    /// Runs under way by slot: label, state and beginning.
    rows: BTreeMap<usize, (String, String, Instant)>,
    begun: Instant,
    drawn: Option<Instant>,
    /// Lines of the table on the screen.
    height: usize,
}

impl Live {
    /// The display of so many runs, which may be of several configurations.
    pub(super) fn new(jobs: usize, is_quiet: bool, names_configurations: bool) -> Self {
        let stream = io::stderr();
        let is_plain = anstream::AutoStream::choice(&stream) == anstream::ColorChoice::Never;
        let is_watched = stream.is_terminal() && !is_plain && !is_quiet;
        let out = is_watched.then(|| Box::new(stream) as Box<dyn Write>);
        Self { names_configurations, ..Self::on(out, jobs, is_quiet, crate::reproduce::columns) }
    }

    fn on(out: Option<Box<dyn Write>>, jobs: usize, is_quiet: bool, columns: fn() -> usize) -> Self {
        let rows = BTreeMap::new();
        let (begun, names_configurations) = (now(), false);
        let (done, drawn, height) = (0, None, 0);
        Self { jobs, done, is_quiet, names_configurations, out, columns, rows, begun, drawn, height }
    }

    /// Shows what happened.
    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { slot, job } => {
                let name = &job.configuration.name;
                let label =
                    if self.names_configurations { format!("{name} {}", job.label()) } else { job.label() };
                let row = (label, "reading the program".to_owned(), now());
                self.rows.insert(*slot, row);
            }
            Event::Progress { slot, event } => {
                if let Some((_, words, _)) = self.rows.get_mut(slot) {
                    *words = state(event);
                }
            }
            Event::Ended { slot } => drop(self.rows.remove(slot)),
            Event::Retried { job, failure, .. } => {
                self.tell(&format!("{} is tried again: {}", job.label(), failure.message));
            }
            Event::Finished { record, number } => {
                self.done = *number;
                // Other workers may have added jobs.
                self.jobs = self.jobs.max(self.done);
                self.tell(&text::finished(record, *number, self.jobs, self.names_configurations));
            }
            Event::Lost { job } => self.tell(&format!("{} is another worker's now", job.label())),
            Event::ServerGone { reason } => self.tell(&format!("waiting for the server: {reason}")),
            Event::ServerBack => self.tell("the server is back"),
            Event::Tick => {}
        }
        if self.drawn.is_none_or(|it| it.elapsed() >= TICK) {
            self.draw();
        }
    }

    /// Takes the table away.
    pub(super) fn clear(&mut self) {
        if self.height > 0 {
            self.write(&format!("\x1b[{}A\r\x1b[J", self.height));
            self.height = 0;
        }
    }

    /// A line above the table, which stays.
    fn tell(&mut self, line: &str) {
        if !self.is_quiet {
            self.clear();
            output::tell(line);
            self.drawn = None;
        }
    }

    fn draw(&mut self) {
        if self.out.is_none() {
            return;
        }
        let columns = (self.columns)().saturating_sub(1);
        let cut = |line: String| line.chars().take(columns).collect::<String>();
        let rows = self
            .rows
            .values()
            .map(|(label, words, begun)| cut(format!("  {label}: {words}, {} s", begun.elapsed().as_secs())));
        let mut lines: Vec<String> = rows.collect();
        lines.push(cut(self.footer(self.begun.elapsed())));
        self.clear();
        let text: String = lines.iter().map(|it| format!("{FAINT}{it}{FAINT:#}\n")).collect();
        self.write(&text);
        self.height = lines.len();
        self.drawn = Some(now());
    }

    /// How many runs are over, how many of them in a minute, and how long the rest takes.
    fn footer(&self, elapsed: Duration) -> String {
        let mut words = format!("{}/{} runs", self.done, self.jobs);
        let seconds = elapsed.as_secs_f64();
        if self.done > 0 && seconds > 0.0 {
            let left = seconds / self.done as f64 * self.jobs.saturating_sub(self.done) as f64;
            let rate = self.done as f64 / seconds * 60.0;
            words.push_str(&format!(", {rate:.1} a minute, about {} left", text::span(left)));
        }
        words
    }

    /// A terminal that is gone is no reason to stop.
    fn write(&mut self, text: &str) {
        if let Some(out) = &mut self.out {
            drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        }
    }
}

/// What a search is doing.
fn state(event: &SearchEvent) -> String {
    match event {
        SearchEvent::FetchingJUnit => "fetching JUnit".to_owned(),
        SearchEvent::Searching { frame } => format!("frame {frame}"),
        SearchEvent::Progress { frame, outcome, evaluations, .. } => {
            format!("frame {frame}, {}, {evaluations} tests", outcome.words())
        }
        SearchEvent::Restarted { frame } => format!("frame {frame}, beginning anew"),
        SearchEvent::Confirmed { frame } => format!("frame {frame}, a test crashes again"),
        SearchEvent::Refuted { frame } => format!("frame {frame}, a test does not crash again"),
        SearchEvent::Verifying { frame } => format!("frame {frame}, checking a test with JUnit"),
        SearchEvent::Reproduced { frame } => format!("frame {frame}, reproduced"),
        SearchEvent::NotConfirmed { frame, .. } => format!("frame {frame}, JUnit does not confirm the test"),
        SearchEvent::Minimising { frame } => format!("frame {frame}, simplifying the test"),
    }
}

#[expect(clippy::disallowed_methods, reason = "the display tells how long runs take")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crashback_campaign::{Configuration, Job, Record, Subject};
    use crashback_reproduce::{Settings, Stage};

    use super::*;
    use crate::screen::Screen;

    fn job(id: &str) -> Job {
        let settings = Settings::default();
        let name = "n".to_owned();
        let configuration = Configuration { name, settings, workers: 1, assertions: false, tool: None };
        let subject = Subject { id: id.to_owned(), ..Subject::default() };
        Job { subject: Arc::new(subject), configuration: Arc::new(configuration), frame: Some(3), seed: 7 }
    }

    #[test]
    fn runs_under_way_are_listed_above_the_rate() {
        let screen = Screen::default();
        let mut live = Live::on(Some(Box::new(screen.clone())), 4, false, || 120);
        live.show(&Event::Started { slot: 1, job: &job("LANG-1b") });
        let event = SearchEvent::Progress {
            frame: 3,
            outcome: Stage::LineReached,
            distance: 1.0,
            evaluations: 500,
            elapsed: Duration::ZERO,
        };
        live.show(&Event::Progress { slot: 1, event: &event });
        live.draw();
        let text = screen.text();
        let expected = "  LANG-1b frame 3 seed 7: frame 3, line reached, exception not yet, 500 tests, 0 s\n";
        assert!(text.contains(expected), "{text}");
        assert!(text.ends_with("0/4 runs\n"), "{text}");
        live.show(&Event::Ended { slot: 1 });
        live.show(&Event::Finished { record: &Record::default(), number: 1 });
        let footer = live.footer(Duration::from_secs(30));
        assert_eq!(footer, "1/4 runs, 2.0 a minute, about 1m30s left");
    }

    #[test]
    fn lines_never_wrap() {
        let screen = Screen::default();
        let mut live = Live::on(Some(Box::new(screen.clone())), 4, false, || 12);
        live.show(&Event::Started { slot: 0, job: &job("a-very-long-name") });
        let text = screen.text();
        assert!(text.lines().all(|it| it.chars().count() <= 11), "{text}");
    }
}
