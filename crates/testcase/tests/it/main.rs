//! Test cases against real classes: those of the JDK at hand and small sources compiled on the
//! spot.

#[cfg(test)]
mod casts;
#[cfg(test)]
mod compiler;
#[cfg(test)]
mod damaged;
#[cfg(test)]
mod determinism;
#[cfg(test)]
mod encoding;
#[cfg(test)]
mod members;
#[cfg(test)]
mod minimal;
#[cfg(test)]
mod mutators;
#[cfg(test)]
mod rendering;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod source;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tuning;
#[cfg(test)]
mod workshop;
