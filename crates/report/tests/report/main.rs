//! Reports of made-up records, as text and in a browser.

mod browser;
mod contrast;
mod hostile;
mod records;
mod rendering;
mod webdriver;
