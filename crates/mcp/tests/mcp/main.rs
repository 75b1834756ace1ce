//! The protocol as its clients see it.

#[cfg(test)]
mod conversation;
