//! What is offered for crashes of small programs, compiled on the spot, and what is learnt from
//! runs.

#[cfg(test)]
mod carve;
#[cfg(test)]
mod observe;
#[cfg(test)]
mod offers;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod support;
