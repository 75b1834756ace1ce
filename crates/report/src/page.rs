//! The document around the sections.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::model::Model;
use crate::sections::{comparison, crashes, detail, headline, heights, notes, outcomes, progress};
use crate::{Report, data};

/// The name that a report gives its generator, by which programs know the file as a report.
pub const GENERATOR: &str = "crashback report";

const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");

/// Configurations with figures and charts of their own; more would not fit above them.
const MOST_VIEWS: usize = 12;
/// Crashes with a trace and a test in the file.
const MOST_DETAILS: usize = 1_000;
/// Bytes of tests, obstacles and frames in the file.
const MOST_DETAIL_BYTES: usize = 8 << 20;

/// How much of the records is in the file.
pub(crate) struct Limits {
    /// Configurations, the first by name.
    pub(crate) views: usize,
    /// Crashes with details, the first by name.
    pub(crate) details: usize,
}

impl Limits {
    fn of(model: &Model<'_>) -> Self {
        let mut bytes = 0;
        let fits = |crash: &&crate::model::Crash<'_>| {
            bytes += detail::size(crash);
            bytes <= MOST_DETAIL_BYTES
        };
        let details = model.crashes.iter().take(MOST_DETAILS).take_while(fits).count();
        Self { views: model.configurations.len().min(MOST_VIEWS), details }
    }

    pub(crate) fn has_details(&self, number: usize) -> bool {
        number < self.details
    }
}

pub(crate) fn render(report: &Report<'_>, model: &Model<'_>) -> String {
    let limits = Limits::of(model);
    let style = format!("{STYLE}{}", view_rules(limits.views));
    let policy = format!(
        "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; \
         base-uri 'none'; form-action 'none'",
        digest(&style),
        digest(SCRIPT)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) " · Crashback" }
                // An empty picture, because browsers ask for one otherwise.
                link rel="icon" href="data:,";
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (body(report, model, &limits))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    without_controls(page.into_string())
}

fn body(report: &Report<'_>, model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        (headline::banner(report, model))
        main #content tabindex="-1" {
            @match model.crashes.as_slice() {
                [] => p.empty { "There are no runs to show." },
                [crash] if model.configurations.len() == 1 => (detail::alone(model, crash)),
                _ => (campaign(report, model, limits)),
            }
        }
        (notes::footer(report, model, limits))
    }
}

fn campaign(report: &Report<'_>, model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        (headline::switch(model, limits))
        (headline::section(model, limits))
        (outcomes::section(model, limits))
        (heights::section(model, limits))
        (progress::section(report.records, model, limits))
        (crashes::section(model, limits))
        (comparison::section(report, model))
        section #details aria-label="Crashes in detail" {
            // Browsers with scripts keep such an element as text, and the script makes elements of it when a
            // crash is opened: a thousand crashes would take seconds otherwise.
            @for (number, crash) in model.crashes.iter().enumerate().take(limits.details) {
                noscript #{ "detail-" (number) } { (detail::article(model, number, crash)) }
            }
        }
        script #data type="application/json" { (PreEscaped(data::json(model, limits))) }
    }
}

/// Hides the views of configurations that are not chosen, without a script.
fn view_rules(views: usize) -> String {
    let rule = |view| format!("body:has(#view-{view}:checked) .view:not(.view-{view}){{display:none}}\n");
    if views > 1 { (0..views).map(rule).collect() } else { String::new() }
}

/// The source expression of an inline style or script (Content Security Policy Level 3, section 2.3.1).
fn digest(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            (0..3).fold(0_usize, |bits, it| bits << 8 | usize::from(chunk.get(it).copied().unwrap_or(0)));
        for place in 0..4 {
            let symbol = ALPHABET.get(bits >> (18 - 6 * place) & 63).copied().unwrap_or(b'=');
            out.push(if place <= chunk.len() { char::from(symbol) } else { '=' });
        }
    }
    out
}

/// Replaces characters that no reader sees but browsers obey: controls, and marks that turn the
/// direction of text around and so make a source look like another.
fn without_controls(page: String) -> String {
    let is_mark = |it: char| matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}');
    let is_turning =
        |it: char| is_mark(it) || matches!(it, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_hidden = |it: char| is_turning(it) || it.is_control() && it != '\n' && it != '\t';
    if page.contains(is_hidden) { page.replace(is_hidden, "\u{fffd}") } else { page }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_standard() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let encoded: Vec<String> = texts.iter().map(|it| base64(it.as_bytes())).collect();
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
