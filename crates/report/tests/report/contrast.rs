//! Colours can be told apart: text has a contrast of 4.5 to 1 with its ground in both themes, edges of
//! controls 3 to 1 (WCAG 2.2, criteria 1.4.3 and 1.4.11).

const STYLE: &str = include_str!("../../src/assets/report.css");

/// Light and dark value of a colour.
fn colour(name: &str) -> [[f64; 3]; 2] {
    let start = STYLE.find(&format!("--{name}: light-dark(")).unwrap_or_else(|| panic!("no colour {name}"));
    let values = STYLE[start..].split(['(', ')']).nth(1).expect("values");
    let mut parsed = values.split(',').map(|it| {
        let hex = it.trim().trim_start_matches('#');
        [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("a hexadecimal colour")))
    });
    [parsed.next().expect("a light colour"), parsed.next().expect("a dark colour")]
}

fn luminance(colour: [f64; 3]) -> f64 {
    let linear = colour.map(|it| {
        let share = it / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn check(text: &str, ground: &str, least: f64) {
    for (theme, (one, other)) in ["light", "dark"].iter().zip(colour(text).into_iter().zip(colour(ground))) {
        let (one, other) = (luminance(one), luminance(other));
        let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
        assert!(contrast >= least, "{text} on {ground}, {theme}: {contrast:.2} < {least}");
    }
}

#[test]
fn text_and_controls_have_enough_contrast() {
    for ground in ["paper", "panel"] {
        for text in ["ink", "muted", "accent"] {
            check(text, ground, 4.5);
        }
    }
    check("on-accent", "accent", 4.5);
    for mark in ["edge", "s0", "s3"] {
        check(mark, "paper", 3.0);
    }
}
