//! Test cases as sources, against real compilers, libraries and JUnits.

#[cfg(test)]
mod behaviour;
#[cfg(test)]
mod draft;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod files;
#[cfg(test)]
mod finding_junit;
#[cfg(test)]
mod finding_mockito;
#[cfg(test)]
mod libraries;
#[cfg(test)]
mod mocked_libraries;
#[cfg(test)]
mod mocks;
// The sources by which the checker of test cases is judged: every statement on its own, every use
// cast.
#[cfg(test)]
#[path = "../../../testcase/tests/it/source.rs"]
mod plain;
#[cfg(test)]
mod received;
#[cfg(test)]
mod support;
#[cfg(test)]
mod verifying;
