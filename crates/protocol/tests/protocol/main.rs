//! Messages from the other side, which runs unknown code: no byte in them is believed.

#[cfg(test)]
mod replies;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod results;
#[cfg(test)]
mod support;
