//! The server as a state machine: lines in, actions out.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::message::{Incoming, ProtocolError, RequestId, codes, failure, notification, response};
use crate::tasks::Tasks;
use crate::tools::{Tool, ToolResult};
use crate::{LEGACY, MODERN};

/// How long a client may keep the list of tools, in milliseconds: it never changes while the server runs.
const LIST_LIFETIME: u64 = 60 * 60 * 1000;
/// By how much progress rises at least from one notification to the next.
const SMALLEST_STEP: f64 = 0.001;

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// How the server introduces itself.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// When and how to use its tools, for models.
    pub instructions: String,
}

/// The number of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(u64);

/// A call to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its number.
    pub job: JobId,
    /// The name of a tool that there is.
    pub tool: String,
    /// The arguments as the client gave them: the tool checks them.
    pub arguments: Map<String, Value>,
}

/// What the caller has to do, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send a message: one line.
    Send(Value),
    /// Make a call, now or after others.
    Start(Call),
    /// End a call. Nothing that comes of it is sent any more.
    Cancel(JobId),
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The part that is done, in any unit.
    pub done: f64,
    /// The whole in the same unit, if it is known.
    pub total: Option<f64>,
    /// In words.
    pub message: String,
}

/// A call that waits for the result to be sent as its answer.
#[derive(Debug)]
struct Waiting {
    job: JobId,
    id: RequestId,
    is_modern: bool,
    /// The name under which the client wants progress.
    progress_token: Option<Value>,
    /// The progress that was told last.
    told: Option<f64>,
}

/// The server: which calls wait for results, which tasks there are.
pub struct Server {
    identity: Identity,
    tools: Vec<Tool>,
    /// Whether a client has opened with `initialize`.
    is_initialized: bool,
    waiting: Vec<Waiting>,
    /// Requests for notifications that stay open. There is nothing to notify of.
    subscriptions: Vec<RequestId>,
    tasks: Tasks,
    jobs: u64,
    /// Gives names that cannot be guessed.
    name_task: Box<dyn FnMut() -> String>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waiting, tasks) = (&self.waiting, &self.tasks);
        f.debug_struct("Server").field("waiting", waiting).field("tasks", tasks).finish_non_exhaustive()
    }
}

/// By which revision a request is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    /// The request stands alone. The client may know tasks.
    Modern { knows_tasks: bool },
    /// The client has opened with `initialize`, or is about to.
    Legacy,
}

/// The answer to a request: a result, an error, or none yet.
type Answer = Result<Option<Value>, ProtocolError>;

impl Server {
    /// A server of some tools. `name_task` gives tasks names that cannot be guessed.
    pub fn new(identity: Identity, tools: Vec<Tool>, name_task: Box<dyn FnMut() -> String>) -> Self {
        Self {
            identity,
            tools,
            is_initialized: false,
            waiting: Vec::new(),
            subscriptions: Vec::new(),
            tasks: Tasks::default(),
            jobs: 0,
            name_task,
        }
    }

    /// Takes a line of the client. `now` is the time since 1970.
    pub fn receive(&mut self, line: &[u8], now: Duration) -> Vec<Action> {
        if line.trim_ascii().is_empty() {
            return Vec::new();
        }
        let mut actions = Vec::new();
        match Incoming::parse(line) {
            Err(refusal) => actions.push(Action::Send(failure(refusal.id.as_ref(), &refusal.error))),
            Ok(Incoming::Response) => {}
            Ok(Incoming::Notification { method, params }) => {
                if method == "notifications/cancelled" {
                    self.cancel_request(&params, &mut actions);
                }
            }
            Ok(Incoming::Request { id, method, params }) => {
                self.answer(&id, &method, params, now, &mut actions)
            }
        }
        actions
    }

    /// The answer to a line that was longer than the server reads.
    pub fn refuse_long_line(&self, limit: usize) -> Value {
        let message = format!("the message is longer than {limit} bytes");
        failure(None, &ProtocolError::new(codes::INVALID_REQUEST, message))
    }

    /// Tells of progress of a call: the notification to send, if the client wants one.
    pub fn progress(&mut self, job: JobId, progress: &Progress, now: Duration) -> Option<Value> {
        self.tasks.progress(job, &progress.message, now);
        let waiting = self.waiting.iter_mut().find(|it| it.job == job)?;
        let token = waiting.progress_token.clone()?;
        // It must rise each time.
        let least = waiting.told.map_or(0.0, |it| it + SMALLEST_STEP);
        let done = if progress.done > least { progress.done } else { least };
        waiting.told = Some(done);
        let mut params = json!({ "progressToken": token, "progress": done, "message": progress.message });
        let total = progress.total.filter(|it| *it >= done);
        if let (Some(total), Some(params)) = (total, params.as_object_mut()) {
            params.insert("total".to_owned(), json!(total));
        }
        Some(notification("notifications/progress", params))
    }

    /// Takes the result of a call: the message to send, if the client waits for one.
    pub fn finish(
        &mut self,
        job: JobId,
        result: Result<ToolResult, ProtocolError>,
        now: Duration,
    ) -> Option<Value> {
        let result = result.map(|it| it.to_value());
        let Some(place) = self.waiting.iter().position(|it| it.job == job) else {
            self.tasks.finish(job, result, now);
            return None;
        };
        let Waiting { id, is_modern, .. } = self.waiting.swap_remove(place);
        Some(match result {
            Ok(result) if is_modern => response(&id, self.complete(result)),
            Ok(result) => response(&id, result),
            Err(error) => failure(Some(&id), &error),
        })
    }

    fn answer(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Map<String, Value>,
        now: Duration,
        actions: &mut Vec<Action>,
    ) {
        let is_taken = self.waiting.iter().any(|it| it.id == *id) || self.subscriptions.contains(id);
        let era = match is_taken {
            true => {
                Err(ProtocolError::new(codes::INVALID_REQUEST, "a request of this `id` is not answered yet"))
            }
            false => self.era(method, &params),
        };
        let answer = era.and_then(|era| match era {
            Era::Legacy => self.answer_legacy(id, method, params, actions),
            Era::Modern { knows_tasks } => self.answer_modern(id, method, params, knows_tasks, now, actions),
        });
        match answer {
            Ok(Some(result)) => actions.insert(0, Action::Send(response(id, result))),
            Ok(None) => {}
            Err(error) => actions.push(Action::Send(failure(Some(id), &error))),
        }
    }

    /// The revision that a request is of.
    fn era(&self, method: &str, params: &Map<String, Value>) -> Result<Era, ProtocolError> {
        let meta = params.get("_meta");
        let version = meta.and_then(|it| it.get(PROTOCOL_VERSION));
        match version.map(Value::as_str) {
            _ if method == "initialize" => Ok(Era::Legacy),
            Some(Some(MODERN)) => {
                let capabilities = meta.and_then(|it| it.get(CLIENT_CAPABILITIES));
                if !capabilities.is_some_and(Value::is_object) {
                    let message = format!("`_meta` has no object `{CLIENT_CAPABILITIES}`");
                    return Err(ProtocolError::invalid_params(message));
                }
                let extensions = capabilities.and_then(|it| it.get("extensions"));
                let knows_tasks = extensions.is_some_and(|it| it.get(TASKS).is_some());
                Ok(Era::Modern { knows_tasks })
            }
            Some(Some(version)) if LEGACY.contains(&version) && self.is_initialized => Ok(Era::Legacy),
            Some(Some(version)) => Err(ProtocolError {
                code: codes::UNSUPPORTED_VERSION,
                message: format!("this server does not speak revision {version} without `initialize`"),
                data: Some(json!({ "supported": versions(), "requested": version })),
            }),
            Some(None) => {
                Err(ProtocolError::invalid_params(format!("`_meta` has no string `{PROTOCOL_VERSION}`")))
            }
            None if self.is_initialized || method == "ping" => Ok(Era::Legacy),
            None => {
                let message = format!(
                    "`_meta` lacks `{PROTOCOL_VERSION}` and `{CLIENT_CAPABILITIES}`, and no `initialize` \
                     came before; this server speaks {}",
                    versions().join(", ")
                );
                Err(ProtocolError::invalid_params(message))
            }
        }
    }

    fn answer_legacy(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Map<String, Value>,
        actions: &mut Vec<Action>,
    ) -> Answer {
        match method {
            "initialize" => Ok(Some(self.initialize(&params))),
            "ping" => Ok(Some(json!({}))),
            "tools/list" => self.list(&params).map(Some),
            "tools/call" => {
                let call = self.call(params.clone())?;
                self.wait_for(id, &params, call, false, actions);
                Ok(None)
            }
            _ => Err(no_method(method)),
        }
    }

    fn answer_modern(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Map<String, Value>,
        knows_tasks: bool,
        now: Duration,
        actions: &mut Vec<Action>,
    ) -> Answer {
        let result = match method {
            "server/discover" => self.discover(),
            "tools/list" => lasting(self.list(&params)?),
            "tools/call" => {
                let call = self.call(params.clone())?;
                let is_long = self.tools.iter().any(|it| it.name == call.tool && it.is_long);
                if !(knows_tasks && is_long) {
                    self.wait_for(id, &params, call, true, actions);
                    return Ok(None);
                }
                let task = self.tasks.create((self.name_task)(), call.job, now);
                actions.push(Action::Start(call));
                return Ok(Some(self.of_type("task", task)));
            }
            "tasks/get" => self.tasks.get(task_id(&params)?).ok_or_else(no_task)?,
            // No task asks for anything, so that there is nothing to take.
            "tasks/update" => self.tasks.get(task_id(&params)?).map(|_| json!({})).ok_or_else(no_task)?,
            "tasks/cancel" => {
                let ended = self.tasks.cancel(task_id(&params)?, now).ok_or_else(no_task)?;
                actions.extend(ended.map(Action::Cancel));
                json!({})
            }
            "subscriptions/listen" => {
                self.subscriptions.push(id.clone());
                // Nothing that one can subscribe to ever changes here.
                let params = json!({ "_meta": { SUBSCRIPTION_ID: id.to_value() }, "notifications": {} });
                actions.push(Action::Send(notification("notifications/subscriptions/acknowledged", params)));
                return Ok(None);
            }
            _ => return Err(no_method(method)),
        };
        Ok(Some(self.complete(result)))
    }

    fn initialize(&mut self, params: &Map<String, Value>) -> Value {
        self.is_initialized = true;
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let [newest, ..] = LEGACY;
        let version = LEGACY.into_iter().find(|it| Some(*it) == asked).unwrap_or(newest);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": { "listChanged": false } },
            "serverInfo": self.info(),
            "instructions": self.identity.instructions,
        })
    }

    fn discover(&self) -> Value {
        lasting(json!({
            "supportedVersions": versions(),
            "capabilities": { "tools": { "listChanged": false }, "extensions": { TASKS: {} } },
            "instructions": self.identity.instructions,
        }))
    }

    fn list(&self, params: &Map<String, Value>) -> Result<Value, ProtocolError> {
        if params.get("cursor").is_some_and(|it| !it.is_null()) {
            return Err(ProtocolError::invalid_params(
                "`cursor` is unknown: all tools are on the first page",
            ));
        }
        let tools: Vec<Value> = self.tools.iter().map(Tool::to_value).collect();
        Ok(json!({ "tools": tools }))
    }

    /// The call that parameters ask for.
    fn call(&mut self, mut params: Map<String, Value>) -> Result<Call, ProtocolError> {
        let Some(Value::String(tool)) = params.remove("name") else {
            return Err(ProtocolError::invalid_params("`name` is no string: it names the tool to call"));
        };
        let names = || self.tools.iter().map(|it| it.name).collect::<Vec<_>>();
        if !names().contains(&tool.as_str()) {
            let message = format!("Unknown tool: {tool}; there are {}", names().join(", "));
            return Err(ProtocolError::invalid_params(message));
        }
        let arguments = match params.remove("arguments") {
            Some(Value::Object(arguments)) => arguments,
            None | Some(Value::Null) => Map::new(),
            Some(_) => return Err(ProtocolError::invalid_params("`arguments` is no object")),
        };
        self.jobs += 1;
        Ok(Call { job: JobId(self.jobs), tool, arguments })
    }

    /// Starts a call whose result is the answer to its request.
    fn wait_for(
        &mut self,
        id: &RequestId,
        params: &Map<String, Value>,
        call: Call,
        is_modern: bool,
        actions: &mut Vec<Action>,
    ) {
        let token = params.get("_meta").and_then(|it| it.get("progressToken"));
        let progress_token = token.and_then(RequestId::of).map(|it| it.to_value());
        let (job, id) = (call.job, id.clone());
        self.waiting.push(Waiting { job, id, is_modern, progress_token, told: None });
        actions.push(Action::Start(call));
    }

    /// Ends the call of a request that its client has no use for any more. Unknown requests are passed
    /// over: their answer may be on its way.
    fn cancel_request(&mut self, params: &Map<String, Value>, actions: &mut Vec<Action>) {
        let Some(id) = params.get("requestId").and_then(RequestId::of) else { return };
        self.subscriptions.retain(|it| *it != id);
        if let Some(place) = self.waiting.iter().position(|it| it.id == id) {
            actions.push(Action::Cancel(self.waiting.swap_remove(place).job));
        }
    }

    fn info(&self) -> Value {
        json!({ "name": self.identity.name, "version": self.identity.version })
    }

    fn complete(&self, result: Value) -> Value {
        self.of_type("complete", result)
    }

    /// A result with its type and the name of the server.
    fn of_type(&self, result_type: &str, mut result: Value) -> Value {
        if let Some(object) = result.as_object_mut() {
            object.insert("resultType".to_owned(), json!(result_type));
            object.insert("_meta".to_owned(), json!({ SERVER_INFO: self.info() }));
        }
        result
    }
}

/// All revisions that the server speaks.
fn versions() -> Vec<&'static str> {
    [MODERN].into_iter().chain(LEGACY).collect()
}

/// A result that clients may keep.
fn lasting(mut result: Value) -> Value {
    if let Some(object) = result.as_object_mut() {
        object.insert("ttlMs".to_owned(), json!(LIST_LIFETIME));
        object.insert("cacheScope".to_owned(), json!("public"));
    }
    result
}

fn task_id(params: &Map<String, Value>) -> Result<&str, ProtocolError> {
    let id = params.get("taskId").and_then(Value::as_str);
    id.ok_or_else(|| ProtocolError::invalid_params("`taskId` is no string"))
}

fn no_task() -> ProtocolError {
    ProtocolError::invalid_params("there is no such task: tasks are kept for a day, while the server runs")
}

fn no_method(method: &str) -> ProtocolError {
    ProtocolError::new(codes::METHOD_NOT_FOUND, format!("there is no method {method}"))
}
