//! The `crashback` command.

fn main() {}
