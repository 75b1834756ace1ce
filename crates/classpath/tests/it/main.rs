//! Class paths as they are met outside: jars made on the spot from compiled Java, whole and
//! damaged.

#[cfg(test)]
mod cache;
#[cfg(test)]
mod jars;
#[cfg(test)]
mod jdk;
#[cfg(test)]
mod maven;
#[cfg(test)]
mod reflection;
#[cfg(test)]
mod support;
