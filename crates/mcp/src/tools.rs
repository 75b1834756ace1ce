//! Tools: how they are described, and results of their calls.

use serde_json::{Value, json};

/// A tool that clients can call.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the model that decides about calls.
    pub description: &'static str,
    /// JSON schema of its arguments.
    pub input_schema: Value,
    /// JSON schema of the structured results of calls that succeed.
    pub output_schema: Value,
    /// Whether it changes nothing outside.
    pub is_read_only: bool,
    /// Whether a call takes so long that it becomes a task where the client knows tasks.
    pub is_long: bool,
}

impl Tool {
    /// The tool as lists of tools have it.
    pub(crate) fn to_value(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.is_read_only,
                "destructiveHint": !self.is_read_only,
                "idempotentHint": self.is_read_only,
                "openWorldHint": false,
            },
        })
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The result for the model, complete in itself: some clients show nothing else.
    pub text: String,
    /// The same for programs.
    pub structured: Option<Value>,
    /// Whether the call failed. The text then says what to do about it.
    pub is_error: bool,
}

impl ToolResult {
    /// The result as messages carry it.
    pub(crate) fn to_value(&self) -> Value {
        let mut result = json!({
            "content": [{ "type": "text", "text": self.text }],
            "isError": self.is_error,
        });
        if let (Some(structured), Some(result)) = (&self.structured, result.as_object_mut()) {
            result.insert("structuredContent".to_owned(), structured.clone());
        }
        result
    }
}
