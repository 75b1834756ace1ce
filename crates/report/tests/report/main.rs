//! Reports of made-up records, as text and in a browser.

#[cfg(test)]
mod browser;
#[cfg(test)]
mod contrast;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod records;
#[cfg(test)]
mod rendering;
#[cfg(test)]
mod webdriver;
