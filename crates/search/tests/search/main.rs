//! Algorithms on problems whose answers are known, and their parts on values worked out by hand.

#[cfg(test)]
mod algorithms;
#[cfg(test)]
mod archive;
#[cfg(test)]
mod crowding;
#[cfg(test)]
mod density;
#[cfg(test)]
mod dependence;
#[cfg(test)]
mod dominance;
#[cfg(test)]
mod femo;
#[cfg(test)]
mod fronts;
#[cfg(test)]
mod fronts_of_problems;
#[cfg(test)]
mod guided;
#[cfg(test)]
mod guided_as_before;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod preference;
#[cfg(test)]
mod problems;
#[cfg(test)]
mod real;
#[cfg(test)]
mod rng;
#[cfg(test)]
mod score;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod several_objectives;
#[cfg(test)]
mod strength;
