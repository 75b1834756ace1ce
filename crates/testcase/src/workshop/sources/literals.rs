//! Numbers, texts and classes that are written down.

use smallvec::SmallVec;

use super::{Offer, ValueSource};
use crate::workshop::builder::{Builder, Request};
use crate::workshop::{Pools, RecordedValues, Tuning};
use crate::{Literal, Statement, Text, Type, TypeRef};

/// Literals of primitive types, strings and classes. They are always on: without them there are no
/// arguments. What they take from the code around the crash is the switch `source.pool-values`.
pub(super) struct Literals;

impl ValueSource for Literals {
    fn is_on(&self, _: &Tuning) -> bool {
        true
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let Some(of) = builder.catalogue.vocabulary.type_of(request.of).cloned() else { return Offer::Pass };
        if of.is_reference() && ![TypeRef::STRING, TypeRef::CLASS].contains(&of.view()) {
            return Offer::Pass;
        }
        let literal = builder.random_literal(of.view()).map(Statement::Literal);
        literal.and_then(|it| builder.draft.push(it, Some(request.of))).into()
    }
}

/// Texts that the program, its message and comparisons at run time mention.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'t> {
    mentioned: &'t [Text],
    compared: &'t [Text],
}

impl<'t> Texts<'t> {
    /// All of them.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'t Text> {
        self.mentioned.iter().chain(self.compared)
    }
}

/// Kinds of whole numbers that come from nowhere.
#[derive(Clone, Copy)]
enum Integer {
    Small,
    Edge,
    Any,
    Medium,
}

/// Kinds of floating-point numbers that come from nowhere.
#[derive(Clone, Copy)]
enum Float {
    Small,
    Special,
    Integer,
    Unit,
    Cents,
}

/// The smallest of the small numbers.
const SMALLEST: i64 = -3;

/// Whole numbers at the edges of types.
const EDGES: [i64; 7] = [i64::MIN, i64::MAX, i32::MIN as i64, i32::MAX as i64, 255, -128, 65535];

/// Floating-point numbers that code treats in its own way.
const SPECIAL: [f64; 9] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 1e-10, 1e10];

/// Characters that code treats in its own way and that are rarely mentioned: ends of lines, a tab,
/// none, letters with one and two units of UTF-8 above ASCII, halves of pairs, a direction mark.
const UNUSUAL: [u16; 12] = [0x0a, 0x0a, 0x0d, 0x09, 0x09, 0x00, 0xe9, 0x0130, 0x4e2d, 0xd83d, 0xde00, 0x200f];

/// Whether a number that code mentions is likely to be a character: most small ones count something.
fn is_likely_character(number: u16) -> bool {
    matches!(number, 9 | 10 | 13 | 32..127 | 160..0x2_00)
}

impl Builder<'_, '_> {
    /// A new literal of a primitive type, a string, a class or an array of bytes; none for other
    /// types.
    pub(crate) fn random_literal(&mut self, of: TypeRef<'_>) -> Option<Literal> {
        Some(match of.descriptor() {
            "Z" => Literal::Boolean(self.random.coin()),
            "B" => Literal::Byte(self.integer() as i8),
            "S" => Literal::Short(self.integer() as i16),
            "C" => Literal::Char(self.character()),
            "I" => Literal::Int(self.integer() as i32),
            "J" => Literal::Long(self.integer()),
            "F" => Literal::Float(self.float() as f32),
            "D" => Literal::Double(self.float()),
            "Ljava/lang/String;" => Literal::Text(self.text()),
            "Ljava/lang/Class;" => self.class(),
            "[B" => Literal::Bytes(self.bytes()),
            _ => return None,
        })
    }

    /// Texts that are worth trying.
    pub(crate) fn texts(&self) -> Texts<'_> {
        match self.tuning.source_pool_values {
            true => Texts { mentioned: &self.catalogue.pools.texts, compared: self.experience.texts() },
            false => Texts { mentioned: &[], compared: &[] },
        }
    }

    /// Numbers that are worth trying.
    pub(super) fn pool<'p, T>(&self, numbers: &'p [T]) -> &'p [T] {
        if self.tuning.source_pool_values { numbers } else { &[] }
    }

    fn integer(&mut self) -> i64 {
        if self.random.chance(self.tuning.pool_number)
            && let Some(known) = self.known(|it| &it.integers, |it| &it.integers)
        {
            return known;
        }
        let tuning = self.tuning;
        let kinds = [
            (tuning.integer_small, Integer::Small),
            (tuning.integer_edge, Integer::Edge),
            (tuning.integer_any, Integer::Any),
            (tuning.integer_medium, Integer::Medium),
        ];
        match self.random.choose(&kinds).unwrap_or(Integer::Small) {
            Integer::Small => self.small_integer(),
            Integer::Edge => self.random.pick(&EDGES).copied().unwrap_or_default(),
            Integer::Any => (self.random.bits() as i32).into(),
            Integer::Medium => {
                let half = i64::try_from(tuning.medium_integers / 2).unwrap_or_default();
                i64::try_from(self.random.place(tuning.medium_integers)).unwrap_or_default() - half
            }
        }
    }

    /// A number that was recorded or that code mentions.
    fn known<T: Copy>(
        &mut self,
        recorded: impl Fn(&RecordedValues) -> &[T],
        mentioned: impl Fn(&Pools) -> &[T],
    ) -> Option<T> {
        let recorded = self.recorded(recorded);
        recorded.or_else(|| self.random.pick(self.pool(mentioned(&self.catalogue.pools))).copied())
    }

    /// A recorded value: of any kind of record that has some, rather one near to the crash than one far.
    /// Where nothing was recorded chance is not asked.
    fn recorded<T: Clone>(&mut self, of: impl Fn(&RecordedValues) -> &[T]) -> Option<T> {
        let kinds: SmallVec<[&[T]; 4]> =
            self.catalogue.pools.recorded.iter().map(of).filter(|it| !it.is_empty()).collect();
        if kinds.is_empty() || !self.random.chance(self.tuning.recorded_value) {
            return None;
        }
        let values = *self.random.pick(&kinds)?;
        let nearer = self.random.place(values.len()).min(self.random.place(values.len()));
        values.get(nearer).cloned()
    }

    fn small_integer(&mut self) -> i64 {
        i64::try_from(self.random.place(self.tuning.small_integers)).unwrap_or_default() + SMALLEST
    }

    fn float(&mut self) -> f64 {
        if self.random.chance(self.tuning.pool_number)
            && let Some(known) = self.known(|it| &it.floats, |it| &it.floats)
        {
            return known;
        }
        let tuning = self.tuning;
        let kinds = [
            (tuning.float_small, Float::Small),
            (tuning.float_special, Float::Special),
            (tuning.float_integer, Float::Integer),
            (tuning.float_unit, Float::Unit),
            (tuning.float_cents, Float::Cents),
        ];
        match self.random.choose(&kinds).unwrap_or(Float::Small) {
            Float::Small => self.small_integer() as f64,
            Float::Special => self.random.pick(&SPECIAL).copied().unwrap_or_default(),
            Float::Integer => self.integer() as f64,
            Float::Unit => self.random.unit(),
            Float::Cents => ((self.random.unit() - 0.5) * 2000.0 * 100.0).round() / 100.0,
        }
    }

    /// A character as code mentions it, or any other, mostly one that can be printed.
    pub(crate) fn character(&mut self) -> u16 {
        if self.random.chance(self.tuning.unusual_character) {
            return self.random.pick(&UNUSUAL).copied().unwrap_or_default();
        }
        let known = if self.random.one_in(self.tuning.character_of_number) {
            // Code compares characters as numbers.
            let number = self.random.pick(self.pool(&self.catalogue.pools.integers));
            number.and_then(|it| u16::try_from(*it).ok()).filter(|it| is_likely_character(*it))
        } else {
            let text = self.pick_text();
            text.and_then(|it| self.random.pick(it.units()).copied())
        };
        let known = known.filter(|_| self.random.chance(self.tuning.pool_number));
        known.unwrap_or_else(|| 32 + self.random.below(95))
    }

    fn text(&mut self) -> Text {
        if let Some(named) = self.nested_text() {
            return named;
        }
        if let Some(structured) = self.structured_text() {
            return structured;
        }
        if let Some(formed) = self.formed_text() {
            return formed;
        }
        if self.random.chance(self.tuning.pool_text)
            && let Some(known) = self.pick_text()
        {
            let is_changed = self.random.one_in(self.tuning.pool_text_changed);
            return if is_changed { self.near_text(&known) } else { known };
        }
        let length = self.random.place(self.tuning.new_text_length + 1);
        let units: Vec<u16> = (0..length).map(|_| self.character()).collect();
        Text::from(units.as_slice())
    }

    /// A text that is worth trying.
    pub(crate) fn pick_text(&mut self) -> Option<Text> {
        if let Some(recorded) = self.recorded(|it| &it.texts) {
            return Some(recorded);
        }
        let tuning = self.tuning;
        let complaints = self.experience.complaints.names();
        if !complaints.is_empty() && self.random.chance(tuning.complained_text) {
            return self.random.pick(complaints).cloned();
        }
        if tuning.source_pool_values && self.random.chance(tuning.token_text) {
            let is_helpful = self.random.chance(tuning.helpful_text);
            let helpful = if is_helpful { self.experience.helpful() } else { &[] };
            let (tokens, words) = match helpful.is_empty() {
                true => (&self.catalogue.pools.tokens[..], self.experience.words()),
                false => (helpful, &[][..]),
            };
            let place = self.random.place(tokens.len() + words.len());
            if let Some(token) = tokens.iter().chain(words).nth(place) {
                return Some(token.clone());
            }
        }
        let place = self.random.place(self.texts().iter().count());
        self.texts().iter().nth(place).cloned()
    }

    /// `C.class` of a class that the crash has to do with.
    pub(crate) fn class(&mut self) -> Literal {
        let named = self.random.pick(self.pool(&self.catalogue.pools.types)).cloned();
        let name = named.unwrap_or_else(|| "java/lang/Object".to_owned());
        let of = self.catalogue.vocabulary.add_type(Type::of_class(&name));
        if self.catalogue.is_nameable(of) {
            return Literal::Class(of);
        }
        Literal::Class(self.catalogue.vocabulary.add_type(Type::of_class("java/lang/Object")))
    }
}
