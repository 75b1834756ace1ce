//! Campaigns over small benchmarks, with runs that are made up.

#[cfg(test)]
mod benchmark;
#[cfg(test)]
mod campaign;
#[cfg(test)]
mod store;
#[cfg(test)]
mod support;
