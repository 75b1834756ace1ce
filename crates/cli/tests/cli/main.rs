//! The command as its users run it, the documentation, and the shape of the workspace.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod campaign;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod config;
#[cfg(test)]
mod confined;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod interrupt;
#[cfg(test)]
mod list;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod model;
#[cfg(test)]
mod obstacles;
#[cfg(test)]
mod options;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod projects;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod reproduce;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod seeds;
#[cfg(test)]
mod shell;
#[cfg(test)]
mod support;
#[cfg(test)]
mod verify;
