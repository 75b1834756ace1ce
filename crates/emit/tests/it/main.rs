//! Test cases as sources, against real compilers, libraries and JUnits.

#[cfg(test)]
mod libraries;
#[cfg(test)]
mod support;
