//! Class files read, taken apart, put together and compared.

#[cfg(test)]
mod attributes;
#[cfg(test)]
mod compiled;
#[cfg(test)]
mod corrupted;
#[cfg(test)]
mod instructions;
#[cfg(test)]
mod java_str;
#[cfg(test)]
mod jdk;
mod oracle;
mod oracle_attributes;
#[cfg(test)]
mod pool;
mod round_trip;
mod stack_depth;
mod subjects;
#[cfg(test)]
mod text;
#[cfg(test)]
mod tools;
