//! Attempts to get out of the sandbox, and ordinary work inside it, in real JVMs.

#[cfg(test)]
mod bounds;
#[cfg(test)]
#[expect(unsafe_code, reason = "the child embeds a JVM and makes system calls that no library would make")]
mod child;
#[cfg(test)]
mod escapes;
#[cfg(test)]
#[path = "../support/jdks.rs"]
mod jdks;
#[cfg(test)]
#[expect(unsafe_code, reason = "attempts below Java are plain system calls")]
mod native;
#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod process;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod support;
#[cfg(test)]
mod table;
