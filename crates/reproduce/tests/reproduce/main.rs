//! Searches with executions that are made up.

#[cfg(test)]
mod fake;
#[cfg(test)]
mod obstacles;
#[cfg(test)]
mod searches;
