//! `crashback mcp`: conversations with the real server about a small program.
#![expect(clippy::disallowed_methods, reason = "the tests look at the clock")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::processes::{Process, descendants, eventually, is_alive};
use crate::support::{Program, command};

/// A client of one server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
    /// Metadata of each request.
    meta: Value,
}

impl Client {
    fn new() -> Self {
        let mut server = command();
        server.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = server.spawn().expect("crashback runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take();
        Self { child, input, output, requests: 0, meta: json!({}) }
    }

    /// A client of the revision that begins with `initialize`.
    fn of_2025() -> Self {
        let mut client = Self::new();
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
        let opened = client.ask("initialize", params);
        assert_eq!(opened["result"]["protocolVersion"], "2025-11-25", "{opened}");
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client
    }

    /// A client of the revision in which requests stand alone.
    fn of_2026(extensions: Value) -> Self {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "extensions": extensions },
        });
        Self { meta, ..Self::new() }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the server reads");
    }

    /// Sends a request and gives its name.
    fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.requests += 1;
        let mut meta = self.meta.clone();
        meta["progressToken"] = json!(format!("progress of {}", self.requests));
        params["_meta"] = meta;
        let id = self.requests;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    fn call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The next message: nothing else is on standard output.
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// The answer to a request, and the notifications that came before it.
    fn answer(&mut self, id: u64) -> (Value, Vec<Value>) {
        let mut notifications = Vec::new();
        loop {
            let message = self.receive();
            if message["id"] == id {
                return (message, notifications);
            }
            assert!(message.get("method").is_some(), "no answer to {id}: {message}");
            notifications.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id).0
    }

    /// The result of a call.
    fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.call(tool, arguments);
        self.answer(id).0["result"].clone()
    }

    /// Waits until there are workers.
    fn workers(&self) -> Vec<Process> {
        let mut seen = Vec::new();
        eventually("there are workers", || {
            seen = descendants(self.child.id());
            seen.iter().any(Process::is_worker)
        });
        seen
    }

    /// Closes standard input: the server ends soon, by itself, and leaves no process.
    fn close(mut self, seen: &[Process]) {
        let begun = Instant::now();
        drop(self.input.take());
        let status = self.child.wait().expect("a process");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert_eq!(status.code(), Some(0));
        eventually("no process is left", || !seen.iter().any(|it| is_alive(it.id)));
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"))
}

/// A failed call names all of the words.
fn is_refused(result: &Value, words: &[&str]) {
    assert_eq!(result["isError"], true, "{result}");
    for word in words {
        assert!(text(result).contains(word), "`{word}` is not in {}", text(result));
    }
}

/// Inputs of a quick search for the crash of the shop.
fn shop_inputs(shop: &Program) -> Value {
    json!({
        "log_file": "crash.log",
        "directory": shop.folder.path(),
        "classpath": ["classes"],
        "evaluations": 3000,
        "seed": 1,
        "junit": 4,
    })
}

/// Inputs of a search that goes on until it is ended: nothing throws this there.
fn endless_inputs(shop: &Program) -> Value {
    let mut inputs = shop_inputs(shop);
    let object = inputs.as_object_mut().expect("an object");
    object.remove("log_file");
    object.remove("evaluations");
    object.insert("log".to_owned(), json!(shop.log().replace("NullPointerException", "VerifyError")));
    object.insert("time".to_owned(), json!("1h"));
    inputs
}

/// Whether a value has the types and fields that a schema asks for, as far as our schemas go.
fn fits(value: &Value, schema: &Value, place: &str) {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    let fits_kind = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{place}: a type {other}"),
    };
    assert!(kinds.iter().any(|it| fits_kind(it)), "{place}: {value} is no {kinds:?}");
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let part = value.get(name).unwrap_or_else(|| panic!("{place} has no {name}: {value}"));
        fits(part, &schema["properties"][name], &format!("{place}.{name}"));
    }
    for item in value.as_array().into_iter().flatten().filter(|_| schema.get("items").is_some()) {
        fits(item, &schema["items"], place);
    }
}

#[test]
fn a_conversation_of_2025() {
    let shop = Program::shop();
    let mut client = Client::of_2025();

    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let schemas: Vec<(&str, &Value)> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["name"].as_str().expect("a name"), &it["outputSchema"]))
        .collect();
    let names: Vec<&str> = schemas.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["reproduce", "explain", "list", "doctor"]);
    let check = |tool: &str, result: &Value| {
        assert_eq!(result["isError"], false, "{result}");
        let schema = schemas.iter().find(|(name, _)| *name == tool).expect("a tool").1;
        fits(&result["structuredContent"], schema, tool);
    };

    let inputs = json!({ "log": shop.log(), "classpath": [shop.path("classes")] });
    let explained = client.result("explain", inputs);
    check("explain", &explained);
    assert!(
        text(&explained).contains("Recommended target: frame 2, Till.total(List)"),
        "{}",
        text(&explained)
    );

    let inputs = json!({ "log": shop.log(), "project_packages": ["shop"] });
    let crashes = client.result("list", inputs);
    check("list", &crashes);
    assert_eq!(crashes["structuredContent"]["default"], 1);

    let id = client.call("reproduce", shop_inputs(&shop));
    let (answer, progress) = client.answer(id);
    let reproduced = &answer["result"];
    check("reproduce", reproduced);
    let told: Vec<f64> = progress.iter().filter_map(|it| it["params"]["progress"].as_f64()).collect();
    assert!(told.len() > 2 && told.is_sorted_by(|one, next| one < next), "{progress:?}");
    let token = json!(format!("progress of {id}"));
    assert!(progress.iter().all(|it| it["params"]["progressToken"] == token), "{progress:?}");
    let words = text(reproduced);
    let command = format!(
        "Search again: crashback reproduce {0}/crash.log --classpath={0}/classes --evaluations=3000 --seed=1 \
         --junit=4",
        shop.folder.path().display()
    );
    for part in
        ["Reproduced at frame 3", "Verified: ", "Degree: escapes", "Doubts: none", "class Till", &command]
    {
        assert!(words.contains(part), "`{part}` is not in {words}");
    }
    assert!(!words.contains('\u{1b}'), "colours are for terminals");
    let structured = &reproduced["structuredContent"];
    assert_eq!((&structured["verified"], &structured["test_file"]), (&json!(true), &Value::Null));
    assert!(structured.get("timing").is_none() && structured["frames"][0].get("curve").is_none());
    client.close(&[]);
}

#[test]
fn files_are_written_where_the_call_says_and_never_replaced_unasked() {
    let shop = Program::shop();
    shop.write("pom.xml", "");
    let mut client = Client::of_2025();
    let mut inputs = shop_inputs(&shop);
    inputs["out"] = json!("src/test/java");
    let written = client.result("reproduce", inputs.clone());
    assert_eq!(written["isError"], false, "{written}");
    let file = written["structuredContent"]["test_file"].as_str().expect("a file").to_owned();
    assert_eq!(file, shop.path("src/test/java/shop/TillCrashTest.java").display().to_string());
    let source = std::fs::read_to_string(&file).expect("the test");
    assert_eq!(written["structuredContent"]["test"]["source"], source);
    assert_eq!(written["structuredContent"]["test_command"], "mvn test -Dtest=shop.TillCrashTest");
    assert!(text(&written).contains("Run it: mvn test -Dtest=shop.TillCrashTest"), "{}", text(&written));

    std::fs::write(&file, "changed").expect("a file");
    let refused = client.result("reproduce", inputs.clone());
    is_refused(&refused, &["TillCrashTest.java exists already", "--force"]);
    assert_eq!(refused["structuredContent"]["exit_code"], 4);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "changed");
    inputs["force"] = json!(true);
    assert_eq!(client.result("reproduce", inputs)["isError"], false);
    assert_eq!(std::fs::read_to_string(&file).expect("the test"), source);
    client.close(&[]);
}

#[test]
fn wrong_input_and_broken_messages_are_answered_and_the_server_goes_on() {
    let shop = Program::shop();
    let mut client = Client::of_2025();
    let log = shop.log();
    let classes = json!([shop.path("classes")]);
    is_refused(&client.result("reproduce", json!({})), &["no log", "log_file"]);
    is_refused(
        &client.result("explain", json!({ "log": log })),
        &["no class path", "--classpath", "--maven"],
    );
    is_refused(
        &client.result("explain", json!({ "log": "all is well", "classpath": classes })),
        &["stack trace"],
    );
    let inputs = json!({ "log_file": "/no/such.log", "classpath": classes });
    is_refused(&client.result("explain", inputs), &["/no/such.log", "check the path"]);
    let inputs = json!({ "log": log, "classpath": classes, "time": "soon" });
    is_refused(&client.result("reproduce", inputs), &["--time", "`soon` is no span of time"]);
    let inputs = json!({ "log": log, "classpath": classes, "frame": 77 });
    is_refused(&client.result("reproduce", inputs), &["frame 77"]);
    is_refused(&client.result("list", json!({ "log": log, "seed": 1 })), &["list has no input seed"]);
    is_refused(
        &client.result("doctor", json!({ "java_home": "/no/jdk" })),
        &["/no/jdk", "Crashback cannot work"],
    );

    let unknown = client.ask("tools/call", json!({ "name": "repair" }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(client.ask("prompts/list", json!({}))["error"]["code"], -32601);
    let mut refuse = |line: &str, code: i64| {
        client.write(line);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    };
    refuse("{\"jsonrpc\":", -32700);
    refuse("[]", -32600);
    // Longer than any message that is read.
    refuse(&"x".repeat((64 << 20) + 1), -32600);
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    client.close(&[]);
}

#[test]
fn a_search_can_be_cancelled_and_ends_with_the_client() {
    let shop = Program::shop();
    let mut client = Client::of_2025();
    let first = client.call("reproduce", endless_inputs(&shop));
    let second = client.call("reproduce", endless_inputs(&shop));
    let seen = client.workers();
    // Quick calls do not wait for searches.
    let listed = client.result("list", json!({ "log": shop.log() }));
    assert_eq!(listed["isError"], false, "{listed}");
    let cancel = |client: &mut Client, id: u64| {
        let params = json!({ "requestId": id, "reason": "the test has seen enough" });
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        client.write(&cancelled.to_string());
    };
    // One that waits, and then the one that is going on.
    cancel(&mut client, second);
    cancel(&mut client, first);
    eventually("its workers end", || !seen.iter().any(|it| is_alive(it.id)));
    let ping = client.send("ping", json!({}));
    let (_, before) = client.answer(ping);
    assert!(before.iter().all(|it| it["method"] == "notifications/progress"), "{before:?}");

    client.call("reproduce", endless_inputs(&shop));
    let seen = client.workers();
    client.close(&seen);
}

#[test]
fn searches_are_tasks_for_clients_of_2026_that_know_them() {
    let shop = Program::shop();
    let mut client = Client::of_2026(json!({ "io.modelcontextprotocol/tasks": {} }));
    let discovered = client.ask("server/discover", json!({}));
    assert_eq!(discovered["result"]["supportedVersions"][0], "2026-07-28", "{discovered}");
    let created = client.result("reproduce", shop_inputs(&shop));
    assert_eq!(
        (&created["resultType"], &created["status"]),
        (&json!("task"), &json!("working")),
        "{created}"
    );
    let get = |client: &mut Client, task: &Value| {
        client.ask("tasks/get", json!({ "taskId": task["taskId"] }))["result"].clone()
    };
    let mut task = Value::Null;
    eventually("the task is done", || {
        task = get(&mut client, &created);
        task["status"] != "working"
    });
    assert_eq!(task["status"], "completed", "{task}");
    assert!(text(&task["result"]).contains("Reproduced at frame 3"), "{task}");
    assert_eq!(task["result"]["structuredContent"]["reproduced"], true);

    let endless = client.result("reproduce", endless_inputs(&shop));
    let seen = client.workers();
    let cancelled = client.ask("tasks/cancel", json!({ "taskId": endless["taskId"] }));
    assert_eq!(cancelled["result"]["resultType"], "complete", "{cancelled}");
    assert_eq!(get(&mut client, &endless)["status"], "cancelled");
    eventually("its workers end", || !seen.iter().any(|it| is_alive(it.id)));
    client.close(&[]);
}

#[test]
fn a_crash_that_is_not_reproduced_is_explained_for_a_test_by_hand() {
    let shop = Program::shop();
    let mut client = Client::of_2026(json!({}));
    let mut inputs = endless_inputs(&shop);
    inputs["evaluations"] = json!(300);
    let result = client.result("reproduce", inputs);
    assert_eq!((&result["isError"], &result["resultType"]), (&json!(false), &json!("complete")), "{result}");
    let structured = &result["structuredContent"];
    assert_eq!((&structured["exit_code"], &structured["reproduced"]), (&json!(1), &json!(false)));
    let words = text(&result);
    for part in [
        "Not reproduced within the budget",
        "What to do: ",
        "Frame 1: private int shop.Till.price(java.lang.String)",
        "cannot be called; enter through Till.total(List)",
        "constructor: public shop.Till(shop.Prices)",
        "Frame 2: public int shop.Till.total(java.util.List)",
        "depends on:",
        "Search again, with the log on standard input: crashback reproduce - ",
    ] {
        assert!(words.contains(part), "`{part}` is not in {words}");
    }
    assert_eq!(structured["hints"][0]["level"], 1, "{structured}");
    client.close(&[]);
}
