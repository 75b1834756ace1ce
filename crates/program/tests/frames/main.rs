//! The frames of crashes that really happened, in small programs compiled and run on the spot.

#[cfg(test)]
#[path = "../support/java.rs"]
mod java;

#[cfg(test)]
mod program;

#[cfg(test)]
mod table;

#[cfg(test)]
mod overloads;

#[cfg(test)]
mod shapes;

#[cfg(test)]
mod propagation;

#[cfg(test)]
mod lines;

#[cfg(test)]
mod origins;

#[cfg(test)]
mod agreement;

#[cfg(test)]
mod callgraph;

#[cfg(test)]
mod hierarchy;

#[cfg(test)]
mod immutability;

#[cfg(test)]
mod missing;

#[cfg(test)]
mod truth;
