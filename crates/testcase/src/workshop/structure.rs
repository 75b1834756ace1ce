//! Texts in a format: names and values are those that the code around the crash mentions.

use super::literals::LONGEST_TEXT;
use super::{Structure, Workshop};
use crate::{Random, Text};

impl Workshop<'_> {
    /// A new text in a format.
    pub(super) fn structured(&self, structure: Structure, random: &mut Random) -> Text {
        let mut text = String::new();
        match structure {
            Structure::Xml => self.element(&mut text, 3, random),
            Structure::Json => self.json(&mut text, 3, random),
        }
        Text::from(text.as_str())
    }

    /// A text near another: with one more part where the format has a place for it, or a new one.
    pub(super) fn restructured(&self, structure: Structure, text: &Text, random: &mut Random) -> Text {
        let (open, close) = match structure {
            Structure::Xml => (u16::from(b'>'), u16::from(b'<')),
            Structure::Json => (u16::from(b'{'), u16::from(b'"')),
        };
        let units = text.units();
        let pairs = units.windows(2).enumerate();
        let places: Vec<usize> =
            pairs.filter(|(_, it)| **it == [open, close]).map(|(place, _)| place + 1).collect();
        let Some(place) = random.pick(&places).copied().filter(|_| units.len() < LONGEST_TEXT) else {
            return self.structured(structure, random);
        };
        let mut added = String::new();
        match structure {
            Structure::Xml => self.element(&mut added, 1, random),
            Structure::Json => {
                self.entry(&mut added, 1, random);
                added.push(',');
            }
        }
        let (before, after) = units.split_at_checked(place).unwrap_or((units, &[]));
        let added: Vec<u16> = added.encode_utf16().collect();
        Text::from([before, &added, after].concat().as_slice())
    }

    fn element(&self, text: &mut String, depth: u8, random: &mut Random) {
        let name = self.name(random);
        text.push('<');
        text.push_str(&name);
        while random.one_in(3) && text.len() < LONGEST_TEXT {
            let attribute = self.name(random);
            // No element has an attribute twice.
            if text.contains(&format!(" {attribute}=")) {
                break;
            }
            text.push_str(&format!(" {attribute}=\"{}\"", self.word(random)));
        }
        let children = if depth > 0 { random.below(3) } else { 0 };
        if children == 0 && random.one_in(2) {
            text.push_str("/>");
            return;
        }
        text.push('>');
        if children == 0 {
            text.push_str(&self.word(random));
        }
        for _ in 0..children {
            self.element(text, depth.saturating_sub(1), random);
        }
        text.push_str(&format!("</{name}>"));
    }

    fn json(&self, text: &mut String, depth: u8, random: &mut Random) {
        match random.below(if depth > 0 { 8 } else { 4 }) {
            0 => text.push_str(random.pick(&["true", "false", "null"]).copied().unwrap_or("null")),
            1 => text.push_str(&random.below(14).to_string()),
            2 | 3 => text.push_str(&format!("\"{}\"", self.word(random))),
            4 | 5 => self.json_list(text, depth, random),
            _ => self.json_object(text, depth, random),
        }
    }

    fn json_list(&self, text: &mut String, depth: u8, random: &mut Random) {
        text.push('[');
        for number in 0..random.below(3) {
            text.push_str(if number == 0 { "" } else { "," });
            self.json(text, depth.saturating_sub(1), random);
        }
        text.push(']');
    }

    fn json_object(&self, text: &mut String, depth: u8, random: &mut Random) {
        text.push('{');
        for number in 0..random.below(3) {
            text.push_str(if number == 0 { "" } else { "," });
            self.entry(text, depth.saturating_sub(1), random);
        }
        text.push('}');
    }

    fn entry(&self, text: &mut String, depth: u8, random: &mut Random) {
        text.push_str(&format!("\"{}\":", self.name(random)));
        self.json(text, depth, random);
    }

    /// A name that the program mentions, or another.
    fn name(&self, random: &mut Random) -> String {
        let is_letter = |it: &u16| char::from_u32((*it).into()).is_some_and(|it| it.is_ascii_alphabetic());
        let is_part = |it: &u16| {
            char::from_u32((*it).into())
                .is_some_and(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
        };
        let names: Vec<&Text> = self
            .pools
            .texts
            .iter()
            .filter(|it| it.units().first().is_some_and(is_letter) && it.units().iter().all(is_part))
            .collect();
        let known = random.pick(&names).filter(|_| !random.one_in(8));
        known.map_or_else(|| "a".to_owned(), |it| String::from_utf16_lossy(it.units()))
    }

    fn word(&self, random: &mut Random) -> String {
        if random.one_in(2) { self.name(random) } else { random.below(14).to_string() }
    }
}
