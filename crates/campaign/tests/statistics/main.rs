//! The statistics: worked values of the papers, figures of SciPy and R, properties.

#[cfg(test)]
mod figures;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod worked;
