//! Messages of JSON-RPC 2.0, as the protocol narrows them down: one object a line, no batches.

use serde_json::{Map, Value, json};

/// Codes of errors.
pub mod codes {
    /// The line is no JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is no message.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The method does not take these parameters.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The server failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// The request is of a revision that the server does not speak.
    pub const UNSUPPORTED_VERSION: i64 = -32022;
}

/// An error of the protocol: the request itself is wrong, not the subject that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    /// One of [`codes`].
    pub code: i64,
    /// What is wrong.
    pub message: String,
    /// Details for programs.
    pub data: Option<Value>,
}

impl ProtocolError {
    /// An error without details.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(codes::INVALID_PARAMS, message)
    }

    /// The error as messages carry it.
    pub(crate) fn to_value(&self) -> Value {
        let mut object = json!({ "code": self.code, "message": self.message });
        if let (Some(data), Some(object)) = (&self.data, object.as_object_mut()) {
            object.insert("data".to_owned(), data.clone());
        }
        object
    }
}

/// The name of a request: a string or an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(Value);

impl RequestId {
    /// The name that a value is, if it is one.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let is_name = value.is_string() || value.is_i64() || value.is_u64();
        is_name.then(|| Self(value.clone()))
    }

    pub(crate) fn to_value(&self) -> Value {
        self.0.clone()
    }
}

/// A message of the client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    /// Wants an answer.
    Request { id: RequestId, method: String, params: Map<String, Value> },
    /// Wants none.
    Notification { method: String, params: Map<String, Value> },
    /// Answers a request. This server sends none, so that it answers nothing.
    Response,
}

/// A line that is no message, with the name of the request that it might have been.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: ProtocolError,
}

impl Incoming {
    /// Reads a line.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, Box<Refusal>> {
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            let error = ProtocolError::new(codes::PARSE_ERROR, format!("no JSON: {error}"));
            Box::new(Refusal { id: None, error })
        })?;
        let refuse = |id: Option<RequestId>, message: &str| {
            Err(Box::new(Refusal { id, error: ProtocolError::new(codes::INVALID_REQUEST, message) }))
        };
        let Value::Object(mut object) = value else {
            return refuse(None, "a message is one JSON object a line; there are no batches");
        };
        let id = object.get("id").and_then(RequestId::of);
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refuse(id, "`jsonrpc` is not \"2.0\"");
        }
        let method = match object.remove("method") {
            Some(Value::String(method)) => method,
            None if object.contains_key("result") || object.contains_key("error") => {
                return Ok(Self::Response);
            }
            _ => return refuse(id, "`method` is no string"),
        };
        let params = match object.remove("params") {
            Some(Value::Object(params)) => params,
            None => Map::new(),
            Some(_) => {
                let error = ProtocolError::invalid_params("`params` is no object");
                return Err(Box::new(Refusal { id, error }));
            }
        };
        match (id, object.contains_key("id")) {
            (Some(id), _) => Ok(Self::Request { id, method, params }),
            (None, true) => refuse(None, "`id` is neither a string nor an integer"),
            (None, false) => Ok(Self::Notification { method, params }),
        }
    }
}

/// The answer to a request that succeeded.
pub(crate) fn response(id: &RequestId, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.to_value(), "result": result })
}

/// The answer to a request that failed, or to a line of which no name could be read.
pub(crate) fn failure(id: Option<&RequestId>, error: &ProtocolError) -> Value {
    match id {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id.to_value(), "error": error.to_value() }),
        None => json!({ "jsonrpc": "2.0", "error": error.to_value() }),
    }
}

/// A message that wants no answer.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> (i64, Option<Value>) {
        let refusal = Incoming::parse(line.as_bytes()).unwrap_err();
        (refusal.error.code, refusal.id.map(|it| it.to_value()))
    }

    #[test]
    fn requests_notifications_and_responses_are_told_apart() {
        let parse = |line: &str| Incoming::parse(line.as_bytes()).unwrap();
        let request = parse(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
        assert!(matches!(request, Incoming::Request { method, .. } if method == "ping"));
        let notification = parse(r#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#);
        assert!(matches!(notification, Incoming::Notification { params, .. } if params.len() == 1));
        assert_eq!(parse(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Incoming::Response);
    }

    #[test]
    fn lines_that_are_no_message_are_refused_with_their_code() {
        assert_eq!(refused("{"), (codes::PARSE_ERROR, None));
        assert_eq!(refused("\u{fffd}"), (codes::PARSE_ERROR, None));
        assert_eq!(refused(&"[".repeat(100_000)), (codes::PARSE_ERROR, None));
        assert_eq!(refused("[]"), (codes::INVALID_REQUEST, None));
        assert_eq!(refused("3"), (codes::INVALID_REQUEST, None));
        assert_eq!(refused(r#"{"id":7,"method":"ping"}"#), (codes::INVALID_REQUEST, Some(json!(7))));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7}"#), (codes::INVALID_REQUEST, Some(json!(7))));
        let fraction = r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#;
        assert_eq!(refused(fraction), (codes::INVALID_REQUEST, None));
        let null = r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
        assert_eq!(refused(null), (codes::INVALID_REQUEST, None));
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#;
        assert_eq!(refused(list), (codes::INVALID_PARAMS, Some(json!(1))));
    }
}
