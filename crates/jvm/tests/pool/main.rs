//! The pool with workers that only pretend to run tests.

#[cfg(test)]
mod deaths;
#[cfg(test)]
mod flight;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod order;
#[cfg(test)]
mod starts;
#[cfg(test)]
mod support;
