//! The Model Context Protocol (MCP), as far as a server of tools needs it.
//!
//! Two revisions are spoken side by side. In 2026-07-28 each request states the revision and the abilities
//! of the client in its `_meta`, and long calls may become tasks. In 2025-11-25 a client opens with
//! `initialize`. A client is served by the revision that its request is of.
//!
//! The crate is pure: [`Server`] takes lines and tells which messages to send and which calls to start or
//! end. Streams, threads, clock and chance belong to the caller.

mod lines;
mod message;
mod server;
mod tasks;
mod tools;

pub use lines::{Line, Lines};
pub use message::{ProtocolError, codes};
pub use server::{Action, Call, Identity, JobId, Progress, Server};
pub use tools::{Tool, ToolResult};

/// The revision in which requests stand alone.
pub const MODERN: &str = "2026-07-28";
/// Revisions that begin with `initialize`, the newest first. Messages that this server sends are the same
/// in both.
pub const LEGACY: [&str; 2] = ["2025-11-25", "2025-06-18"];
