//! The classes of `java/runtime` in plain JVMs: a driver calls them as instrumented code and the
//! worker would.

#[cfg(test)]
mod calls;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod interface;
#[cfg(test)]
#[path = "../support/jdks.rs"]
mod jdks;
#[cfg(test)]
mod model;
#[cfg(test)]
mod support;
#[cfg(test)]
mod surroundings;
#[cfg(test)]
mod throwables;
#[cfg(test)]
mod watched;
