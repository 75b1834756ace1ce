//! The command as its users run it, and the shape of the workspace.

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
mod doctor;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod interrupt;
#[cfg(test)]
mod list;
#[cfg(test)]
mod model;
#[cfg(test)]
mod obstacles;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod reproduce;
#[cfg(test)]
mod seeds;
#[cfg(test)]
mod support;
#[cfg(test)]
mod verify;
