//! Logs to crashes: real ones, ones of every shape, ones made to cost time, and what must hold for
//! all.

#[cfg(test)]
mod common;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod cycle;
#[cfg(test)]
mod java;
mod jcrashpack;
#[cfg(test)]
mod jvm;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod stress;
#[cfg(test)]
mod wrappers;
