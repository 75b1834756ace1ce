//! Sequences of compiled sources, models of a released library, and properties of models.

#[cfg(test)]
mod library;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod sources;
