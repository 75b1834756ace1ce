//! Texts in a format: names and values are those that the code around the crash mentions.

use super::{Structure, Workshop};
use crate::{Random, Text};

/// Kinds of JSON values.
#[derive(Clone, Copy)]
enum Json {
    Word,
    Number,
    Text,
    List,
    Object,
}

impl Workshop<'_> {
    /// A new text in a format.
    pub(super) fn structured(&self, structure: Structure, random: &mut Random) -> Text {
        let mut text = String::new();
        match structure {
            Structure::Xml => self.element(&mut text, self.tuning.structure_depth, random),
            Structure::Json => self.json(&mut text, self.tuning.structure_depth, random),
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
        let Some(place) = random.pick(&places).copied().filter(|_| units.len() < self.tuning.longest_text)
        else {
            return self.structured(structure, random);
        };
        let mut added = String::new();
        match structure {
            Structure::Xml => self.element(&mut added, self.tuning.structure_part_depth, random),
            Structure::Json => {
                self.entry(&mut added, self.tuning.structure_part_depth, random);
                added.push(',');
            }
        }
        let (before, after) = units.split_at_checked(place).unwrap_or((units, &[]));
        let added: Vec<u16> = added.encode_utf16().collect();
        Text::from([before, &added, after].concat().as_slice())
    }

    fn element(&self, text: &mut String, depth: usize, random: &mut Random) {
        let name = self.name(random);
        text.push('<');
        text.push_str(&name);
        while random.one_in(self.tuning.structure_attribute) && text.len() < self.tuning.longest_text {
            let attribute = self.name(random);
            // No element has an attribute twice.
            if text.contains(&format!(" {attribute}=")) {
                break;
            }
            text.push_str(&format!(" {attribute}=\"{}\"", self.word(random)));
        }
        let children = if depth > 0 { self.children(random) } else { 0 };
        if children == 0 && random.coin() {
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

    fn json(&self, text: &mut String, depth: usize, random: &mut Random) {
        let tuning = &self.tuning;
        let deep = |weight| if depth > 0 { weight } else { 0 };
        let kinds = [
            (tuning.json_word, Json::Word),
            (tuning.json_number, Json::Number),
            (tuning.json_text, Json::Text),
            (deep(tuning.json_list), Json::List),
            (deep(tuning.json_object), Json::Object),
        ];
        match random.choose(&kinds).unwrap_or(Json::Word) {
            Json::Word => text.push_str(random.pick(&["true", "false", "null"]).copied().unwrap_or("null")),
            Json::Number => text.push_str(&self.number(random)),
            Json::Text => text.push_str(&format!("\"{}\"", self.word(random))),
            Json::List => self.json_list(text, depth, random),
            Json::Object => self.json_object(text, depth, random),
        }
    }

    fn children(&self, random: &mut Random) -> usize {
        random.place(self.tuning.structure_children + 1)
    }

    fn number(&self, random: &mut Random) -> String {
        random.place(self.tuning.structure_numbers).to_string()
    }

    fn json_list(&self, text: &mut String, depth: usize, random: &mut Random) {
        text.push('[');
        for number in 0..self.children(random) {
            text.push_str(if number == 0 { "" } else { "," });
            self.json(text, depth.saturating_sub(1), random);
        }
        text.push(']');
    }

    fn json_object(&self, text: &mut String, depth: usize, random: &mut Random) {
        text.push('{');
        for number in 0..self.children(random) {
            text.push_str(if number == 0 { "" } else { "," });
            self.entry(text, depth.saturating_sub(1), random);
        }
        text.push('}');
    }

    fn entry(&self, text: &mut String, depth: usize, random: &mut Random) {
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
            .texts()
            .iter()
            .filter(|it| it.units().first().is_some_and(is_letter) && it.units().iter().all(is_part))
            .collect();
        let known = random.pick(&names).filter(|_| !random.one_in(self.tuning.structure_new_name));
        known.map_or_else(|| "a".to_owned(), |it| String::from_utf16_lossy(it.units()))
    }

    fn word(&self, random: &mut Random) -> String {
        if random.one_in(self.tuning.structure_name_as_value) {
            self.name(random)
        } else {
            self.number(random)
        }
    }
}
