//! Real workers on real subjects, on every JDK at hand.

#[cfg(test)]
mod chain;
#[cfg(test)]
mod hanging;
#[cfg(test)]
mod isolation;
#[cfg(test)]
#[path = "../support/jdks.rs"]
mod jdks;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod linkage;
#[cfg(test)]
mod mocked_types;
#[cfg(test)]
mod mocks;
#[cfg(test)]
mod received;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod support;
#[cfg(test)]
mod throwables;
