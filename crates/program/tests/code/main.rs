//! Analysis of method bodies, on compiled Java sources and on the classes of the JDK.

#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod jdk;

#[cfg(test)]
mod flow;

#[cfg(test)]
mod fates;

#[cfg(test)]
mod facts;

#[cfg(test)]
mod malformed;

#[cfg(test)]
mod branching;

#[cfg(test)]
mod guards;

#[cfg(test)]
mod text_switches;
