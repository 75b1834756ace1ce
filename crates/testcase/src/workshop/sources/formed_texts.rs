//! Plain texts in the forms into which the code around the crash cuts them: lines, entries, fields
//! and text between marks.

use std::sync::Arc;

use crate::workshop::builder::Builder;
use crate::workshop::catalogue::PartsOfTexts;
use crate::workshop::{Form, Forms, Tuning};
use crate::{Random, Text};

use super::structured_texts::names;

/// Words around entries that belong together, in the order in which they are looked for.
const ENCLOSING: [(&str, &str); 4] =
    [("begin", "end"), ("start", "end"), ("open", "close"), ("start", "stop")];

/// Signs between names and values.
const ASSIGNS: [char; 2] = [':', '='];

impl Builder<'_, '_> {
    /// A new text in a form that the code around the crash reads, by chance.
    pub(crate) fn formed_text(&mut self) -> Option<Text> {
        let form = self.choose_form()?;
        let mut writer = self.form_writer();
        Some(Text::from(writer.new_text(form).as_str()))
    }

    /// A text of which a part was changed, likewise.
    pub(crate) fn reformed_text(&mut self, text: &Text) -> Option<Text> {
        let form = self.choose_form()?;
        let is_short = text.units().len() < self.tuning.longest_text;
        // Halves of pairs would be lost.
        let known = String::from_utf16(text.units()).ok()?;
        let mut writer = self.form_writer();
        let changed =
            if is_short && !known.is_empty() { writer.changed(form, &known) } else { writer.new_text(form) };
        Some(Text::from(changed.as_str()))
    }

    fn choose_form(&mut self) -> Option<Form> {
        let kinds = &self.catalogue.pools.forms.kinds;
        // Where there are no forms, nothing is drawn: all other choices stay as they are.
        if !self.tuning.source_formed_texts || kinds.is_empty() {
            return None;
        }
        let form = self.random.pick(kinds).copied()?;
        self.random.chance(self.tuning.formed_text).then_some(form)
    }

    fn form_writer(&mut self) -> FormWriter<'_> {
        let parts = self.parts_of_texts();
        let forms = &self.catalogue.pools.forms;
        FormWriter { forms, parts, tuning: self.tuning, random: self.random }
    }

    /// The parts of all texts that are known. Those of the program stay, those that were compared get more
    /// now and then.
    pub(super) fn parts_of_texts(&mut self) -> Arc<PartsOfTexts> {
        let compared = self.experience.texts().len();
        if let Some((of, known)) = &self.catalogue.parts_of_texts
            && *of == compared
        {
            return Arc::clone(known);
        }
        let words_and_signs = words_and_signs(self.texts().iter().chain(&self.catalogue.pools.tokens));
        let parts = Arc::new(PartsOfTexts { names: names(self.texts()), ..words_and_signs });
        self.catalogue.parts_of_texts = Some((compared, Arc::clone(&parts)));
        parts
    }
}

/// The texts that are words, without the signs behind them, and those that are signs.
fn words_and_signs<'t>(known: impl Iterator<Item = &'t Text>) -> PartsOfTexts {
    let mut parts = PartsOfTexts::default();
    for text in known.filter_map(|it| String::from_utf16(it.units()).ok()) {
        let word = text.trim_end_matches([':', '=', ' ']);
        let is_word = word.starts_with(|it: char| it.is_ascii_alphabetic())
            && word.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
        if is_word {
            parts.words.push(word.to_owned());
        } else if !text.trim().is_empty() && text.trim_end().chars().all(|it| it.is_ascii_punctuation()) {
            parts.signs.push(text);
        }
    }
    parts
}

/// Kinds of fields and values.
#[derive(Clone, Copy)]
enum Field {
    Number,
    Word,
    Sign,
    Joined,
}

/// Changes of a text in parts.
#[derive(Clone, Copy)]
enum PartStep {
    Anew,
    Insert,
    Empty,
    Double,
    Delete,
    Swap,
    Join,
    Indent,
    Enclose,
}

/// Writes texts in forms.
struct FormWriter<'w> {
    forms: &'w Forms,
    parts: Arc<PartsOfTexts>,
    tuning: &'w Tuning,
    random: &'w mut Random,
}

impl FormWriter<'_> {
    fn new_text(&mut self, form: Form) -> String {
        match form {
            Form::Lines => {
                let count = 1 + self.random.place(self.tuning.most_lines);
                self.joined(count, "\n", Self::line)
            }
            Form::Entries => self.entries(),
            Form::Fields => self.fields(),
            Form::Marked => self.marked(),
        }
    }

    fn changed(&mut self, form: Form, text: &str) -> String {
        let separator = match form {
            Form::Lines | Form::Marked => '\n',
            Form::Entries => self.entry_separator(text),
            Form::Fields => self.cut(),
        };
        let mut parts: Vec<String> = text.split(separator).map(str::to_owned).collect();
        let place = self.random.place(parts.len());
        let between = self.random.place(parts.len() + 1);
        let steps = self.steps(form, parts.len());
        match self.random.choose(&steps).unwrap_or(PartStep::Insert) {
            PartStep::Anew => {
                let part = self.part(form);
                parts.splice(place..=place, [part]);
            }
            PartStep::Insert => {
                let count = 1 + self.random.place(self.tuning.inserted_parts);
                let added: Vec<String> = (0..count).map(|_| self.part(form)).collect();
                parts.splice(between..between, added);
            }
            PartStep::Empty => parts.insert(between, String::new()),
            PartStep::Double => parts.extend(parts.get(place).cloned()),
            PartStep::Delete => drop(parts.remove(place)),
            PartStep::Swap => {
                let other = self.random.place(parts.len());
                parts.swap(place, other);
            }
            PartStep::Join => {
                let end = parts.len().min(place + 2);
                let joined: String = parts.drain(place..end).collect();
                parts.insert(place, joined);
            }
            PartStep::Indent => {
                let indent = self.indent();
                parts.iter_mut().skip(place).take(1).for_each(|it| it.insert_str(0, &indent));
            }
            PartStep::Enclose => {
                let (first, last) = (place.min(between), place.max(between));
                if let Some((begin, end)) = self.enclosing() {
                    parts.insert(last, end);
                    parts.insert(first, begin);
                }
            }
        }
        parts.join(separator.to_string().as_str())
    }

    /// The changes that a text in a form can have.
    fn steps(&self, form: Form, parts: usize) -> [(u32, PartStep); 9] {
        let tuning = self.tuning;
        let several = |weight| if parts > 1 { weight } else { 0 };
        let only = |is_wanted: bool, weight| if is_wanted { weight } else { 0 };
        [
            (tuning.part_anew, PartStep::Anew),
            (tuning.part_insert, PartStep::Insert),
            (only(form == Form::Lines, tuning.part_empty), PartStep::Empty),
            (tuning.part_double, PartStep::Double),
            (several(tuning.part_delete), PartStep::Delete),
            (several(tuning.part_swap), PartStep::Swap),
            (several(tuning.part_join), PartStep::Join),
            (only(form == Form::Lines, tuning.part_indent), PartStep::Indent),
            (only(form == Form::Entries, tuning.part_enclose), PartStep::Enclose),
        ]
    }

    fn part(&mut self, form: Form) -> String {
        match form {
            Form::Lines => self.line(),
            Form::Entries => self.entry(),
            Form::Fields => self.field(),
            Form::Marked => self.marked(),
        }
    }

    /// A line, maybe an empty one.
    fn line(&mut self) -> String {
        if self.random.one_in(self.tuning.empty_line) {
            return String::new();
        }
        let mut line = String::new();
        if self.random.one_in(self.tuning.indented_line) {
            line += &self.indent();
        }
        if self.random.chance(self.tuning.line_mark) {
            line += &if self.random.coin() { self.sign() } else { self.word() };
            line += if self.random.coin() { " " } else { "" };
        }
        line += &if self.random.coin() { self.word() } else { self.number() };
        line
    }

    fn indent(&mut self) -> String {
        match self.random.coin() {
            true => "\t".to_owned(),
            false => " ".repeat(1 + self.random.place(self.tuning.most_blanks)),
        }
    }

    /// Fields of which most are alike.
    fn fields(&mut self) -> String {
        let count = self
            .random
            .pick(&self.forms.counts)
            .copied()
            .filter(|_| !self.random.one_in(self.tuning.other_count));
        let count = count.unwrap_or_else(|| 1 + self.random.place(self.tuning.most_fields));
        let usual = if self.random.coin() { self.number() } else { self.sign() };
        let separator = self.cut().to_string();
        let is_usual = self.tuning.usual_field;
        self.joined(count, &separator, |it| match it.random.chance(is_usual) {
            true => usual.clone(),
            false => it.field(),
        })
    }

    fn cut(&mut self) -> char {
        self.random.pick(&self.forms.cuts).copied().unwrap_or(' ')
    }

    fn field(&mut self) -> String {
        let tuning = self.tuning;
        let kinds = [
            (tuning.field_number, Field::Number),
            (tuning.field_word, Field::Word),
            (tuning.field_sign, Field::Sign),
            (tuning.field_joined, Field::Joined),
        ];
        match self.random.choose(&kinds).unwrap_or(Field::Number) {
            Field::Number => self.number(),
            Field::Word => self.word(),
            Field::Sign => self.sign(),
            Field::Joined => {
                let sign = self.joint();
                let is_word = self.random.coin();
                self.joined(2, &sign, |it| if is_word { it.word() } else { it.number() })
            }
        }
    }

    /// A sign between two parts of a field: one that the code looks for, or any that it knows.
    fn joint(&mut self) -> String {
        let is_joint = |it: &char| !self.forms.cuts.contains(it) && !ASSIGNS.contains(it);
        let known: Vec<char> = self.forms.separators.iter().copied().filter(is_joint).collect();
        let known = self.random.pick(&known).filter(|_| !self.random.one_in(self.tuning.other_joint));
        known.map_or_else(|| self.sign(), char::to_string)
    }

    /// A list of entries in one line, or lines of them.
    fn entries(&mut self) -> String {
        let others = self.forms.separators.iter().any(|it| !ASSIGNS.contains(it));
        if others && self.random.one_in(self.tuning.entry_list) {
            let separator = self.list_separator().to_string();
            let count = 1 + self.random.place(self.tuning.most_entries);
            return self.joined(count, &separator, Self::entry);
        }
        let mut lines = Vec::new();
        self.block(self.tuning.structure_part_depth + 1, &mut lines);
        lines.join("\n")
    }

    /// Lines of entries, maybe with blocks between them, between a beginning and an end.
    fn block(&mut self, depth: usize, lines: &mut Vec<String>) {
        let is_enclosed = depth > 0 && self.random.chance(self.tuning.enclosed_entries);
        let Some((begin, end)) = self.enclosing().filter(|_| is_enclosed) else {
            lines.push(self.entry());
            return;
        };
        lines.push(begin);
        for _ in 0..self.random.place(self.tuning.most_entries + 1) {
            self.block(depth - 1, lines);
        }
        lines.push(end);
    }

    /// A beginning and an end of the same name, if the program has words for these.
    fn enclosing(&mut self) -> Option<(String, String)> {
        let spelt =
            |wanted: &str| self.parts.words.iter().find(|it| it.eq_ignore_ascii_case(wanted)).cloned();
        let (begin, end) = ENCLOSING.iter().find_map(|(begin, end)| Some((spelt(begin)?, spelt(end)?)))?;
        let (sign, name) = (self.assign(), self.word());
        Some((format!("{begin}{sign}{name}"), format!("{end}{sign}{name}")))
    }

    fn entry(&mut self) -> String {
        let (name, sign) = (self.word(), self.assign());
        let value = self.field();
        format!("{name}{sign}{value}")
    }

    /// The sign between the entries of a text.
    fn entry_separator(&mut self, text: &str) -> char {
        let is_list = !text.contains('\n') && self.random.coin();
        if is_list { self.list_separator() } else { '\n' }
    }

    fn list_separator(&mut self) -> char {
        let is_other = |it: &char| !ASSIGNS.contains(it);
        let others: Vec<char> = self.forms.separators.iter().copied().filter(is_other).collect();
        self.random.pick(&others).copied().unwrap_or('\n')
    }

    /// The sign between a name and its value.
    fn assign(&mut self) -> char {
        let is_assign = |it: &char| ASSIGNS.contains(it);
        let known: Vec<char> = self.forms.separators.iter().copied().filter(is_assign).collect();
        self.random.pick(&known).copied().unwrap_or('=')
    }

    /// A name or path between marks, maybe with more behind it.
    fn marked(&mut self) -> String {
        let Some((open, close)) = self.random.pick(&self.forms.marks).cloned() else { return self.word() };
        let mut inner = self.word();
        while self.random.one_in(self.tuning.marked_path) && inner.len() < self.tuning.longest_text {
            inner = inner + "." + &self.word();
        }
        if self.random.coin() {
            inner = format!("{inner} {} {}", self.sign(), self.word());
        }
        format!("{open} {inner} {close}")
    }

    fn joined(&mut self, count: usize, separator: &str, mut part: impl FnMut(&mut Self) -> String) -> String {
        let parts: Vec<String> = (0..count).map(|_| part(self)).collect();
        parts.join(separator)
    }

    fn number(&mut self) -> String {
        self.random.place(self.tuning.structure_numbers).to_string()
    }

    /// A word that the program mentions, or another.
    fn word(&mut self) -> String {
        let known = self.random.pick(&self.parts.words);
        let known = known.filter(|_| !self.random.one_in(self.tuning.structure_new_name));
        known.cloned().unwrap_or_else(|| "a".to_owned())
    }

    fn sign(&mut self) -> String {
        self.random.pick(&self.parts.signs).cloned().unwrap_or_else(|| "-".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{FormWriter, words_and_signs};
    use crate::workshop::{Form, Forms, Tuning};
    use crate::{Random, Text};

    fn texts(write: impl Fn(&mut FormWriter<'_>) -> String) -> Vec<String> {
        let known = ["BEGIN:", "END:", "CARD", "- ", "#", "*"].map(Text::from);
        let parts = Arc::new(words_and_signs(known.iter()));
        let forms = Forms {
            cuts: vec![' '],
            separators: vec![':', ' '],
            counts: vec![5],
            marks: vec![("{{".to_owned(), "}}".to_owned())],
            ..Forms::default()
        };
        let tuning = Tuning::default();
        let text = |seed| {
            let mut random = Random::new(seed);
            let parts = Arc::clone(&parts);
            write(&mut FormWriter { forms: &forms, parts, tuning: &tuning, random: &mut random })
        };
        (0..300).map(text).collect()
    }

    fn has(texts: &[String], is_wanted: impl Fn(&str) -> bool) -> bool {
        texts.iter().any(|it| is_wanted(it))
    }

    #[test]
    fn lines_begin_with_marks_and_tabs_and_have_empty_ones_between_them() {
        let texts = texts(|it| it.new_text(Form::Lines));
        assert!(has(&texts, |it| it.contains("\n\n")) && has(&texts, |it| it.contains("\n\t")));
        assert!(has(&texts, |it| it.starts_with("- ")) && has(&texts, |it| it.contains("\n#")));
    }

    #[test]
    fn fields_are_as_many_as_the_code_compares_with() {
        let texts = texts(|it| it.new_text(Form::Fields));
        let of_five = texts.iter().filter(|it| it.split(' ').count() == 5).count();
        assert!(of_five > texts.len() / 3, "{of_five}");
        assert!(has(&texts, |it| it.contains("* *")) && has(&texts, |it| it.contains("CARD#CARD")));
    }

    #[test]
    fn entries_end_with_the_name_with_which_they_begin() {
        let texts = texts(|it| it.new_text(Form::Entries));
        assert!(has(&texts, |it| it.contains("BEGIN:CARD") && it.contains("END:CARD")));
        assert!(texts.iter().all(|it| !it.is_empty()));
        let is_enclosed = |it: &str| it.starts_with("BEGIN:CARD\nCARD:1\nEND:CARD");
        assert!(has(&self::texts(|it| it.changed(Form::Entries, "CARD:1")), is_enclosed));
    }

    #[test]
    fn marks_are_closed() {
        let texts = texts(|it| it.new_text(Form::Marked));
        assert!(texts.iter().all(|it| it.starts_with("{{ ") && it.ends_with(" }}")));
        assert!(has(&texts, |it| it.contains("CARD.END")));
    }

    #[test]
    fn lines_are_changed_as_a_whole() {
        let changed = texts(|it| it.changed(Form::Lines, "a\nb"));
        for wanted in ["a\n\nb", "b\na", "a\nb\nb", "b", "ab", "a\n\tb", "\ta\nb"] {
            assert!(has(&changed, |it| it == wanted), "{wanted:?}");
        }
    }
}
