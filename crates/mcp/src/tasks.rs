//! Tasks: calls that are answered at once, and whose result the client asks for later
//! (extension `io.modelcontextprotocol/tasks`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::message::ProtocolError;
use crate::server::JobId;

/// How long a task is kept after its creation.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a client may well ask, in milliseconds.
const POLL_INTERVAL: u64 = 1000;

/// A call that became a task.
#[derive(Clone, Debug)]
struct Task {
    id: String,
    job: JobId,
    created: Duration,
    updated: Duration,
    state: State,
    /// How the work is going, in words.
    message: String,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Working,
    /// Ended with the result of the call.
    Completed(Value),
    /// Ended with an error of the protocol.
    Failed(ProtocolError),
    Cancelled,
}

/// All tasks, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    tasks: Vec<Task>,
}

impl Tasks {
    /// Makes a task of a call, and drops those whose time is over.
    pub(crate) fn create(&mut self, id: String, job: JobId, now: Duration) -> Value {
        self.tasks.retain(|it| it.state == State::Working || now.saturating_sub(it.created) < LIFETIME);
        let message = "waiting for its turn".to_owned();
        let task = Task { id, job, created: now, updated: now, state: State::Working, message };
        let value = task.to_value();
        self.tasks.push(task);
        value
    }

    /// The task of a name, with its result if it has one.
    pub(crate) fn get(&self, id: &str) -> Option<Value> {
        self.tasks.iter().find(|it| it.id == id).map(Task::to_value)
    }

    /// Ends a task. The job to end is none if the task has ended before.
    pub(crate) fn cancel(&mut self, id: &str, now: Duration) -> Option<Option<JobId>> {
        let task = self.tasks.iter_mut().find(|it| it.id == id)?;
        if task.state != State::Working {
            return Some(None);
        }
        task.change(State::Cancelled, "cancelled by the client", now);
        Some(Some(task.job))
    }

    /// Takes note of how the work on a call is going.
    pub(crate) fn progress(&mut self, job: JobId, message: &str, now: Duration) {
        if let Some(task) = self.working(job) {
            task.change(State::Working, message, now);
        }
    }

    /// Takes the result of a call. A cancelled task stays cancelled.
    pub(crate) fn finish(&mut self, job: JobId, result: Result<Value, ProtocolError>, now: Duration) {
        if let Some(task) = self.working(job) {
            match result {
                Ok(result) => task.change(State::Completed(result), "done", now),
                Err(error) => {
                    let message = error.message.clone();
                    task.change(State::Failed(error), &message, now);
                }
            }
        }
    }

    fn working(&mut self, job: JobId) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|it| it.job == job && it.state == State::Working)
    }
}

impl Task {
    fn change(&mut self, state: State, message: &str, now: Duration) {
        self.state = state;
        self.message = message.to_owned();
        self.updated = now;
    }

    fn to_value(&self) -> Value {
        let status = match self.state {
            State::Working => "working",
            State::Completed(_) => "completed",
            State::Failed(_) => "failed",
            State::Cancelled => "cancelled",
        };
        let mut value = json!({
            "taskId": self.id,
            "status": status,
            "statusMessage": self.message,
            "createdAt": timestamp(self.created),
            "lastUpdatedAt": timestamp(self.updated),
            "ttlMs": u64::try_from(LIFETIME.as_millis()).unwrap_or(u64::MAX),
            "pollIntervalMs": POLL_INTERVAL,
        });
        if let Some(object) = value.as_object_mut() {
            match &self.state {
                State::Completed(result) => object.insert("result".to_owned(), result.clone()),
                State::Failed(error) => object.insert("error".to_owned(), error.to_value()),
                State::Working | State::Cancelled => None,
            };
        }
        value
    }
}

/// A time since 1970 as ISO 8601 writes it, in seconds: `2026-07-28T12:00:00Z`.
fn timestamp(since: Duration) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let (mut days, seconds) = (since.as_secs() / DAY, since.as_secs() % DAY);
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::timestamp;
    use std::time::Duration;

    #[test]
    fn times_are_written_as_iso_8601() {
        let check = |seconds: u64, expected: &str| {
            assert_eq!(timestamp(Duration::from_secs(seconds)), expected);
        };
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_399, "2000-02-28T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(1_785_196_800, "2026-07-28T00:00:00Z");
        check(4_107_542_399, "2100-02-28T23:59:59Z");
        check(4_107_542_400, "2100-03-01T00:00:00Z");
    }
}
