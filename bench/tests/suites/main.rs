//! A part of a library's own suite goes the same way with every kind of probe; and changed
//! behaviour shows.

#[cfg(test)]
mod behaviour;
