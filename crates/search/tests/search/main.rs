//! Algorithms on problems whose answers are known, and their parts on values worked out by hand.

#[cfg(test)]
mod algorithms;
#[cfg(test)]
mod archive;
#[cfg(test)]
mod crowding;
#[cfg(test)]
mod dominance;
#[cfg(test)]
mod fronts;
#[cfg(test)]
mod guided;
#[cfg(test)]
mod guided_as_before;
#[cfg(test)]
mod problems;
#[cfg(test)]
mod rng;
#[cfg(test)]
mod score;
