//! What is offered for crashes of small programs, compiled on the spot.

#[cfg(test)]
mod digest;
#[cfg(test)]
mod support;
