//! Test cases as sources, against real compilers, libraries and JUnits.

#[cfg(test)]
mod draft;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod libraries;
#[cfg(test)]
mod support;
