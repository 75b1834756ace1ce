//! Algorithms on problems whose answers are known.

#[cfg(test)]
mod guided;
#[cfg(test)]
mod problems;
#[cfg(test)]
mod rng;
