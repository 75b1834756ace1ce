//! The command as its users run it, and the shape of the workspace.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod support;
