//! Texts in a format: names and values are those that the code around the crash mentions.

use std::sync::Arc;

use crate::workshop::builder::Builder;
use crate::workshop::catalogue::PartsOfTexts;
use crate::workshop::{Structure, Tuning};
use crate::{Random, Text};

use super::literals::Texts;

impl Builder<'_, '_> {
    /// A new XML, JSON or query text, by chance, where the code around the crash reads such texts.
    pub(crate) fn structured_text(&mut self) -> Option<Text> {
        let structure = self.choose_structure()?;
        Some(self.writer().new_text(structure))
    }

    /// A text near another, likewise: with one more part, where the format has a place for it.
    pub(crate) fn restructured_text(&mut self, text: &Text) -> Option<Text> {
        let structure = self.choose_structure()?;
        self.writer().extended(structure, text)
    }

    fn choose_structure(&mut self) -> Option<Structure> {
        if !self.tuning.source_structured_texts {
            return None;
        }
        let structure = self.random.pick(&self.catalogue.pools.structures).copied()?;
        self.random.chance(self.tuning.structured_text).then_some(structure)
    }

    fn writer(&mut self) -> Writer<'_> {
        let parts = self.parts_of_texts();
        let tokens = &self.catalogue.pools.tokens;
        Writer { parts, tokens, tuning: self.tuning, random: self.random, text: String::new() }
    }
}

/// The texts that can be names of elements, attributes and keys.
pub(super) fn names(texts: Texts<'_>) -> Vec<String> {
    let is_letter = |it: &u16| char::from_u32((*it).into()).is_some_and(|it| it.is_ascii_alphabetic());
    let is_part = |it: &u16| {
        char::from_u32((*it).into()).is_some_and(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
    };
    let is_name = |it: &&Text| it.units().first().is_some_and(is_letter) && it.units().iter().all(is_part);
    texts.iter().filter(is_name).map(|it| String::from_utf16_lossy(it.units())).collect()
}

/// Kinds of JSON values.
#[derive(Clone, Copy)]
enum Json {
    Word,
    Number,
    Text,
    List,
    Object,
}

/// Kinds of terms in a query.
#[derive(Clone, Copy)]
enum Term {
    Name,
    Number,
    Text,
    Call,
    Operation,
    Operator,
}

/// Places behind words, where a query may go on.
fn ends_of_words(units: &[u16]) -> Vec<usize> {
    let is_space = |it: &u16| *it == u16::from(b' ');
    let spaces = units.iter().enumerate().filter(|(_, it)| is_space(it)).map(|(place, _)| place);
    spaces.chain([units.len()]).collect()
}

/// A text that is being written.
struct Writer<'w> {
    parts: Arc<PartsOfTexts>,
    /// Words and signs that the reader of a query knows.
    tokens: &'w [Text],
    tuning: &'w Tuning,
    random: &'w mut Random,
    text: String,
}

impl Writer<'_> {
    fn new_text(mut self, structure: Structure) -> Text {
        match structure {
            Structure::Xml => self.element(self.tuning.structure_depth),
            Structure::Json => self.json(self.tuning.structure_depth),
            Structure::Query => self.query(),
        }
        Text::from(self.text.as_str())
    }

    fn extended(mut self, structure: Structure, text: &Text) -> Option<Text> {
        let units = text.units();
        let between = |open: u8, close: u8| -> Vec<usize> {
            let pairs = units.windows(2).enumerate();
            let is_wanted = |it: &[u16]| *it == [u16::from(open), u16::from(close)];
            pairs.filter(|(_, it)| is_wanted(it)).map(|(place, _)| place + 1).collect()
        };
        let places = match structure {
            Structure::Xml => between(b'>', b'<'),
            Structure::Json => between(b'{', b'"'),
            Structure::Query => ends_of_words(units),
        };
        let place = self.random.pick(&places).copied();
        let place = place.filter(|_| units.len() < self.tuning.longest_text)?;
        match structure {
            Structure::Xml => self.element(self.tuning.structure_part_depth),
            Structure::Json => {
                self.json_member(self.tuning.structure_part_depth);
                self.text.push(',');
            }
            Structure::Query => {
                self.text.push(' ');
                self.query_part();
            }
        }
        let (before, after) = units.split_at_checked(place).unwrap_or((units, &[]));
        let added: Vec<u16> = self.text.encode_utf16().collect();
        Some(Text::from([before, &added, after].concat().as_slice()))
    }

    fn element(&mut self, depth: usize) {
        let name = self.name();
        self.text.push('<');
        self.text.push_str(&name);
        while self.random.one_in(self.tuning.structure_attribute)
            && self.text.len() < self.tuning.longest_text
        {
            let attribute = self.name();
            // No element has an attribute twice.
            if self.text.contains(&format!(" {attribute}=")) {
                break;
            }
            let value = self.word();
            self.text.push_str(&format!(" {attribute}=\"{value}\""));
        }
        let children = if depth > 0 { self.count() } else { 0 };
        if children == 0 && self.random.coin() {
            self.text.push_str("/>");
            return;
        }
        self.text.push('>');
        if children == 0 {
            let word = self.word();
            self.text.push_str(&word);
        }
        for _ in 0..children {
            self.element(depth.saturating_sub(1));
        }
        self.text.push_str(&format!("</{name}>"));
    }

    fn json(&mut self, depth: usize) {
        let tuning = self.tuning;
        let deep = |weight| if depth > 0 { weight } else { 0 };
        let kinds = [
            (tuning.json_word, Json::Word),
            (tuning.json_number, Json::Number),
            (tuning.json_text, Json::Text),
            (deep(tuning.json_list), Json::List),
            (deep(tuning.json_object), Json::Object),
        ];
        match self.random.choose(&kinds).unwrap_or(Json::Word) {
            Json::Word => {
                let words = ["true", "false", "null"];
                self.text.push_str(self.random.pick(&words).copied().unwrap_or("null"));
            }
            Json::Number => {
                let number = self.number();
                self.text.push_str(&number);
            }
            Json::Text => {
                let word = self.word();
                self.text.push_str(&format!("\"{word}\""));
            }
            Json::List => self.parts('[', ']', |it| it.json(depth.saturating_sub(1))),
            Json::Object => self.parts('{', '}', |it| it.json_member(depth.saturating_sub(1))),
        }
    }

    fn parts(&mut self, open: char, close: char, part: impl Fn(&mut Self)) {
        self.text.push(open);
        for number in 0..self.count() {
            self.text.push_str(if number == 0 { "" } else { "," });
            part(self);
        }
        self.text.push(close);
    }

    fn json_member(&mut self, depth: usize) {
        let name = self.name();
        self.text.push_str(&format!("\"{name}\":"));
        self.json(depth);
    }

    /// Words, and terms between them.
    fn query(&mut self) {
        for number in 0..=self.random.place(self.tuning.query_parts) {
            self.text.push_str(if number == 0 { "" } else { " " });
            self.query_part();
        }
    }

    fn query_part(&mut self) {
        match self.random.chance(self.tuning.query_word) {
            true => self.token(|it| it.is_ascii_alphabetic(), "a"),
            false => self.term(self.tuning.structure_part_depth),
        }
    }

    fn term(&mut self, depth: usize) {
        let tuning = self.tuning;
        let deep = |weight| if depth > 0 { weight } else { 0 };
        let kinds = [
            (tuning.query_name, Term::Name),
            (tuning.query_number, Term::Number),
            (tuning.query_text, Term::Text),
            (deep(tuning.query_call), Term::Call),
            (deep(tuning.query_operation), Term::Operation),
            (tuning.query_operator, Term::Operator),
        ];
        match self.random.choose(&kinds).unwrap_or(Term::Name) {
            Term::Name => {
                let name = self.name();
                self.text += &name;
            }
            Term::Number => {
                let number = self.number();
                self.text += &number;
            }
            Term::Text => {
                let word = self.word();
                self.text += &format!("'{word}'");
            }
            Term::Call => {
                let name = self.name();
                self.text += &name;
                self.parts('(', ')', |it| it.term(depth.saturating_sub(1)));
            }
            Term::Operation => {
                self.term(depth.saturating_sub(1));
                self.operator();
                self.term(depth.saturating_sub(1));
            }
            Term::Operator => self.operator(),
        }
    }

    fn operator(&mut self) {
        let is_operator = |it: char| it.is_ascii_punctuation() && !"()[]{}\"'`;".contains(it);
        self.token(is_operator, "*");
    }

    /// A token of the reader that consists of certain characters; another text if there is none.
    fn token(&mut self, is_part: impl Fn(char) -> bool, or: &str) {
        let is_wanted =
            |it: &&Text| it.units().iter().all(|it| char::from_u32((*it).into()).is_some_and(&is_part));
        let count = self.tokens.iter().filter(is_wanted).count();
        let place = self.random.place(count);
        match self.tokens.iter().filter(is_wanted).nth(place) {
            Some(token) => self.text += &String::from_utf16_lossy(token.units()),
            None => self.text += or,
        }
    }

    /// How many parts a text has.
    fn count(&mut self) -> usize {
        self.random.place(self.tuning.structure_children + 1)
    }

    fn number(&mut self) -> String {
        self.random.place(self.tuning.structure_numbers).to_string()
    }

    /// A name that the program mentions, or another.
    fn name(&mut self) -> String {
        let known = self.random.pick(&self.parts.names);
        let known = known.filter(|_| !self.random.one_in(self.tuning.structure_new_name));
        known.cloned().unwrap_or_else(|| "a".to_owned())
    }

    fn word(&mut self) -> String {
        if self.random.one_in(self.tuning.structure_name_as_value) { self.name() } else { self.number() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Writer;
    use crate::workshop::catalogue::PartsOfTexts;
    use crate::workshop::{Structure, Tuning};
    use crate::{Random, Text};

    fn write(structure: Structure, seed: u64, write: impl Fn(Writer<'_>, Structure) -> Text) -> String {
        let (tuning, mut random) = (Tuning::default(), Random::new(seed));
        let names = vec!["key".to_owned(), "item".to_owned()];
        let parts = Arc::new(PartsOfTexts { names, ..PartsOfTexts::default() });
        let tokens = ["select", "from", "*", "(", ")"].map(Text::from);
        let writer =
            Writer { parts, tokens: &tokens, tuning: &tuning, random: &mut random, text: String::new() };
        String::from_utf16_lossy(write(writer, structure).units())
    }

    #[test]
    fn json_is_well_formed() {
        for seed in 0..300 {
            let text = write(Structure::Json, seed, |it, structure| it.new_text(structure));
            let longer = write(Structure::Json, seed, |it, structure| {
                it.extended(structure, &Text::from("{\"key\":1}")).unwrap()
            });
            for text in [text, longer] {
                let closes = |open, close| text.matches(open).count() == text.matches(close).count();
                assert!(closes('{', '}') && closes('[', ']') && text.matches('"').count() % 2 == 0, "{text}");
                assert!(!text.contains(",}") && !text.contains("{,") && !text.contains(",,"), "{text}");
            }
        }
    }

    #[test]
    fn queries_have_words_and_calls_with_closed_brackets() {
        let texts: Vec<String> = (0..300)
            .map(|seed| write(Structure::Query, seed, |it, structure| it.new_text(structure)))
            .collect();
        for text in &texts {
            assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
        }
        for wanted in ["select", "key(*)", "'"] {
            assert!(texts.iter().any(|it| it.contains(wanted)), "{wanted}");
        }
        let longer = |seed| {
            write(Structure::Query, seed, |it, structure| {
                it.extended(structure, &Text::from("select key")).unwrap()
            })
        };
        assert!((0..50).map(longer).all(|it| it.starts_with("select") && it.len() > "select key".len()));
    }

    #[test]
    fn xml_elements_are_closed() {
        for seed in 0..300 {
            let text = write(Structure::Xml, seed, |it, structure| it.new_text(structure));
            let longer = write(Structure::Xml, seed, |it, structure| {
                it.extended(structure, &Text::from("<a></a>")).unwrap()
            });
            for text in [text, longer] {
                let (opened, closed) = (text.matches('<').count(), text.matches("</").count());
                assert_eq!(opened - closed, closed + text.matches("/>").count(), "{text}");
                assert!(text.starts_with('<') && text.ends_with('>'), "{text}");
            }
        }
    }
}
