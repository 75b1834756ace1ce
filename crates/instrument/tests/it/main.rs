//! Instrumented classes in real JVMs.

#[cfg(test)]
mod behaviour;
#[cfg(test)]
mod budget;
#[cfg(test)]
mod damaged;
#[cfg(test)]
mod linking;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod pins;
#[cfg(test)]
mod probes;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod serial;
#[cfg(test)]
mod state;
#[cfg(test)]
mod stress;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod watched;
