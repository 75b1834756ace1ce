//! Conversations with a server whose tool is played by the test.

use std::time::Duration;

use crashback_mcp::{
    Action, Call, Identity, JobId, Progress, ProtocolError, Server, Tool, ToolResult, codes,
};
use serde_json::{Value, json};

const NOW: Duration = Duration::from_secs(1_785_196_800);

fn server() -> Server {
    let tool = |name, is_long: bool| Tool {
        name,
        title: "A tool",
        description: "Does something",
        input_schema: json!({ "type": "object" }),
        output_schema: json!({ "type": "object" }),
        is_read_only: !is_long,
        is_long,
    };
    let identity = Identity {
        name: "test".to_owned(),
        version: "1.2".to_owned(),
        instructions: "Use it well.".to_owned(),
    };
    let mut names = 0;
    let name = move || {
        names += 1;
        format!("task-{names}")
    };
    Server::new(identity, vec![tool("quick", false), tool("long", true)], Box::new(name))
}

/// A server whose client has opened with `initialize`.
fn initialized() -> Server {
    let mut server = server();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    send(&mut server, "initialize", params);
    server
}

/// Sends a request of the name `1` and gives what the server does.
fn act(server: &mut Server, method: &str, params: Value) -> Vec<Action> {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    server.receive(request.to_string().as_bytes(), NOW)
}

/// Sends a request and gives its immediate answer.
fn send(server: &mut Server, method: &str, params: Value) -> Value {
    match act(server, method, params).as_slice() {
        [Action::Send(answer), ..] => answer.clone(),
        other => panic!("{other:?}"),
    }
}

fn notify(server: &mut Server, method: &str, params: Value) -> Vec<Action> {
    let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    server.receive(message.to_string().as_bytes(), NOW)
}

/// Parameters of a request that stands alone.
fn modern(mut params: Value, extensions: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "extensions": extensions },
        "progressToken": "p",
    });
    params
}

fn tasks() -> Value {
    json!({ "io.modelcontextprotocol/tasks": {} })
}

fn started(actions: &[Action]) -> JobId {
    let started = actions.iter().find_map(|it| match it {
        Action::Start(Call { job, .. }) => Some(*job),
        _ => None,
    });
    started.expect("a call")
}

fn done() -> Result<ToolResult, ProtocolError> {
    Ok(ToolResult { text: "done".to_owned(), structured: Some(json!({ "a": 1 })), is_error: false })
}

fn progress(done: f64) -> Progress {
    Progress { done, total: Some(10.0), message: "going on".to_owned() }
}

#[test]
fn a_client_of_2025_opens_lists_and_calls() {
    let mut server = server();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    let opened = send(&mut server, "initialize", params);
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(opened["result"]["serverInfo"], json!({ "name": "test", "version": "1.2" }));
    assert_eq!(notify(&mut server, "notifications/initialized", json!({})), []);
    let listed = send(&mut server, "tools/list", json!({}));
    assert_eq!(listed["result"]["tools"][1]["name"], "long");
    assert!(listed["result"].get("resultType").is_none(), "that is of a later revision");
    let actions = act(&mut server, "tools/call", json!({ "name": "quick", "arguments": { "x": 2 } }));
    let [Action::Start(call)] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!((call.tool.as_str(), &call.arguments["x"]), ("quick", &json!(2)));
    assert_eq!(server.progress(call.job, &progress(1.0), NOW), None, "the client asked for none");
    let answer = server.finish(call.job, done(), NOW).expect("an answer");
    let expected = json!({
        "content": [{ "type": "text", "text": "done" }],
        "isError": false,
        "structuredContent": { "a": 1 },
    });
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &expected));
    assert_eq!(server.finish(call.job, done(), NOW), None, "it was answered");
}

#[test]
fn revisions_are_negotiated() {
    let version = |asked: &str| {
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": {} });
        send(&mut server(), "initialize", params)["result"]["protocolVersion"].clone()
    };
    assert_eq!(version("2025-06-18"), "2025-06-18");
    assert_eq!(version("1999-01-01"), "2025-11-25");
    let mut params = modern(json!({}), json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let refused = send(&mut server(), "tools/list", params);
    assert_eq!(refused["error"]["code"], codes::UNSUPPORTED_VERSION);
    assert_eq!(refused["error"]["data"]["requested"], "2031-01-01");
    assert_eq!(refused["error"]["data"]["supported"][0], "2026-07-28");
}

#[test]
fn a_client_of_2026_needs_no_opening() {
    let mut server = server();
    let discovered = &send(&mut server, "server/discover", modern(json!({}), json!({})))["result"];
    assert_eq!(discovered["supportedVersions"][0], "2026-07-28");
    assert_eq!(discovered["resultType"], "complete");
    assert_eq!(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "test");
    assert_eq!(discovered["capabilities"]["extensions"], tasks());
    let listed = &send(&mut server, "tools/list", modern(json!({}), json!({})))["result"];
    assert_eq!((&listed["cacheScope"], &listed["ttlMs"]), (&json!("public"), &json!(3_600_000)));
    // Without knowledge of tasks a long call is answered when it is done.
    let actions = act(&mut server, "tools/call", modern(json!({ "name": "long" }), json!({})));
    assert!(matches!(actions.as_slice(), [Action::Start(_)]), "{actions:?}");
    let answer = server.finish(started(&actions), done(), NOW).expect("an answer");
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[test]
fn requests_without_their_metadata_are_refused_and_the_server_goes_on() {
    let mut server = server();
    for params in [
        json!({}),
        json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
        json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": 3 } }),
    ] {
        let refused = send(&mut server, "tools/list", params);
        assert_eq!(refused["error"]["code"], codes::INVALID_PARAMS, "{refused}");
    }
    assert_eq!(send(&mut server, "ping", json!({}))["result"], json!({}));
    let listed = send(&mut server, "tools/list", modern(json!({}), json!({})));
    assert!(listed["result"]["tools"].is_array());
}

#[test]
fn both_revisions_are_served_side_by_side() {
    let mut server = initialized();
    let old = send(&mut server, "tools/list", json!({}));
    let new = send(&mut server, "tools/list", modern(json!({}), json!({})));
    assert!(old["result"].get("resultType").is_none());
    assert_eq!(new["result"]["resultType"], "complete");
    let refused = send(&mut server, "ping", modern(json!({}), json!({})));
    assert_eq!(refused["error"]["code"], codes::METHOD_NOT_FOUND, "the new revision has no ping");
}

#[test]
fn long_calls_become_tasks_where_the_client_knows_them() {
    let mut server = server();
    let actions = act(&mut server, "tools/call", modern(json!({ "name": "long" }), tasks()));
    let [Action::Send(created), Action::Start(call)] = actions.as_slice() else { panic!("{actions:?}") };
    let task = &created["result"];
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));
    assert_eq!(task["createdAt"], "2026-07-28T00:00:00Z");
    let get = |server: &mut Server| {
        send(server, "tasks/get", modern(json!({ "taskId": "task-1" }), tasks()))["result"].clone()
    };
    assert_eq!(server.progress(call.job, &progress(1.0), NOW), None, "a task is asked for its progress");
    let working = get(&mut server);
    assert_eq!((&working["resultType"], &working["statusMessage"]), (&json!("complete"), &json!("going on")));
    assert_eq!(server.finish(call.job, done(), NOW + Duration::from_secs(5)), None);
    let completed = get(&mut server);
    assert_eq!(completed["status"], "completed");
    assert_eq!(completed["lastUpdatedAt"], "2026-07-28T00:00:05Z");
    assert_eq!(completed["result"]["content"][0]["text"], "done");
    // Its end is the end.
    let cancelled = act(&mut server, "tasks/cancel", modern(json!({ "taskId": "task-1" }), tasks()));
    assert!(matches!(cancelled.as_slice(), [Action::Send(_)]), "{cancelled:?}");
    assert_eq!(get(&mut server)["status"], "completed");
}

#[test]
fn a_task_can_be_cancelled() {
    let mut server = server();
    let job = started(&act(&mut server, "tools/call", modern(json!({ "name": "long" }), tasks())));
    let params = || modern(json!({ "taskId": "task-1" }), tasks());
    let actions = act(&mut server, "tasks/cancel", params());
    let [Action::Send(answer), Action::Cancel(ended)] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!((&answer["result"]["resultType"], *ended), (&json!("complete"), job));
    assert_eq!(server.finish(job, done(), NOW), None);
    assert_eq!(send(&mut server, "tasks/get", params())["result"]["status"], "cancelled");
    let unknown = send(&mut server, "tasks/get", modern(json!({ "taskId": "other" }), tasks()));
    assert_eq!(unknown["error"]["code"], codes::INVALID_PARAMS);
}

#[test]
fn a_task_whose_call_fails_says_so() {
    let mut server = server();
    let job = started(&act(&mut server, "tools/call", modern(json!({ "name": "long" }), tasks())));
    server.finish(job, Err(ProtocolError::new(codes::INTERNAL_ERROR, "a defect")), NOW);
    let task = send(&mut server, "tasks/get", modern(json!({ "taskId": "task-1" }), tasks()));
    assert_eq!(task["result"]["status"], "failed");
    assert_eq!(task["result"]["error"], json!({ "code": -32603, "message": "a defect" }));
}

#[test]
fn a_cancelled_request_gets_no_message_any_more() {
    let mut server = initialized();
    let params = json!({ "name": "long", "_meta": { "progressToken": 7 } });
    let job = started(&act(&mut server, "tools/call", params));
    assert!(server.progress(job, &progress(1.0), NOW).is_some());
    let actions = notify(&mut server, "notifications/cancelled", json!({ "requestId": 1, "reason": "late" }));
    assert_eq!(actions, [Action::Cancel(job)]);
    assert_eq!(server.progress(job, &progress(2.0), NOW), None);
    assert_eq!(server.finish(job, done(), NOW), None);
    for unknown in
        [json!({ "requestId": 1 }), json!({ "requestId": 99 }), json!({}), json!({ "requestId": {} })]
    {
        assert_eq!(notify(&mut server, "notifications/cancelled", unknown), []);
    }
}

#[test]
fn progress_rises_with_each_notification() {
    let mut server = initialized();
    let params = json!({ "name": "long", "_meta": { "progressToken": 7 } });
    let job = started(&act(&mut server, "tools/call", params));
    let mut told = Vec::new();
    for done in [0.0, 0.0, 4.0, 3.0, f64::NAN, 12.0] {
        let message = server.progress(job, &progress(done), NOW).expect("a notification");
        assert_eq!(message["params"]["progressToken"], 7);
        assert_eq!(message["params"].get("total").is_some(), done != 12.0, "no more than the whole");
        told.push(message["params"]["progress"].as_f64().expect("a number"));
    }
    assert!(told.is_sorted_by(|one, next| one < next), "{told:?}");
}

#[test]
fn wrong_requests_have_their_codes() {
    let mut server = initialized();
    let code = |server: &mut Server, method: &str, params: Value| {
        send(server, method, params)["error"]["code"].as_i64().expect("an error")
    };
    assert_eq!(code(&mut server, "resources/list", json!({})), codes::METHOD_NOT_FOUND);
    assert_eq!(code(&mut server, "tasks/get", json!({ "taskId": "x" })), codes::METHOD_NOT_FOUND);
    assert_eq!(code(&mut server, "tools/call", json!({ "name": "none" })), codes::INVALID_PARAMS);
    assert_eq!(code(&mut server, "tools/call", json!({})), codes::INVALID_PARAMS);
    let arguments = json!({ "name": "quick", "arguments": [] });
    assert_eq!(code(&mut server, "tools/call", arguments), codes::INVALID_PARAMS);
    assert_eq!(code(&mut server, "tools/list", json!({ "cursor": "x" })), codes::INVALID_PARAMS);
    started(&act(&mut server, "tools/call", json!({ "name": "quick" })));
    assert_eq!(code(&mut server, "ping", json!({})), codes::INVALID_REQUEST, "the name is taken");
    let actions = server.receive(b"{", NOW);
    let [Action::Send(answer)] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!(answer["error"]["code"], codes::PARSE_ERROR);
    assert_eq!(server.receive(b"  ", NOW), []);
    assert_eq!(server.receive(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, NOW), []);
    assert_eq!(server.refuse_long_line(5)["error"]["code"], codes::INVALID_REQUEST);
}

#[test]
fn subscriptions_are_acknowledged_with_nothing() {
    let mut server = server();
    let params = modern(json!({ "notifications": { "toolsListChanged": true } }), json!({}));
    let acknowledged = send(&mut server, "subscriptions/listen", params);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(notify(&mut server, "notifications/cancelled", json!({ "requestId": 1 })), []);
    assert!(send(&mut server, "tools/list", modern(json!({}), json!({})))["result"].is_object());
}
