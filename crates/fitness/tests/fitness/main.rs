//! Distances, over small Java programs and executions of them that are made up.

#[cfg(test)]
mod graded;
#[cfg(test)]
mod guidance;
#[cfg(test)]
mod machine;
#[cfg(test)]
mod objectives;
#[cfg(test)]
mod order;
#[cfg(test)]
mod program;
#[cfg(test)]
mod published;
#[cfg(test)]
mod targets;
#[cfg(test)]
mod traces;
#[cfg(test)]
mod watched;
