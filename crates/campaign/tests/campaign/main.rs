//! Campaigns over small benchmarks, with runs that are made up.

#[cfg(test)]
mod benchmark;
#[cfg(test)]
mod campaign;
#[cfg(test)]
mod plan_file;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod server;
#[cfg(test)]
mod store;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tls;
