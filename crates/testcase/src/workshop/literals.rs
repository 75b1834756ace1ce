//! Numbers and texts: new ones, and steps from known ones.

use super::{Scalar, Tuning, Workshop};
use crate::typing::own_type;
use crate::{Literal, Random, Text, Type, TypeRef};

/// Texts that are worth trying.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    mentioned: &'t [Text],
    compared: &'t [Text],
}

impl<'t> Texts<'t> {
    /// One of them.
    pub(super) fn pick(self, random: &mut Random) -> Option<&'t Text> {
        let place = random.place(self.mentioned.len() + self.compared.len());
        self.iter().nth(place)
    }

    /// All of them.
    pub(super) fn iter(self) -> impl Iterator<Item = &'t Text> {
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

/// Small changes of a text.
#[derive(Clone, Copy)]
enum TextStep {
    ChangeCharacter,
    DeleteCharacter,
    CutEnd,
    CutStart,
    InsertText,
    Double,
    InsertCharacter,
}

impl Workshop<'_> {
    /// A new literal of a primitive type, a string or a class.
    pub(super) fn random_literal(&mut self, of: TypeRef<'_>, random: &mut Random) -> Option<Literal> {
        Some(match of.descriptor() {
            "Z" => Literal::Boolean(random.coin()),
            "B" => Literal::Byte(self.integer(random) as i8),
            "S" => Literal::Short(self.integer(random) as i16),
            "C" => Literal::Char(self.character(random)),
            "I" => Literal::Int(self.integer(random) as i32),
            "J" => Literal::Long(self.integer(random)),
            "F" => Literal::Float(self.float(random) as f32),
            "D" => Literal::Double(self.float(random)),
            "Ljava/lang/String;" => Literal::Text(self.text(random)),
            "Ljava/lang/Class;" => self.class(random)?,
            _ => return None,
        })
    }

    /// Texts that the program, its message and comparisons at run time mention.
    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { mentioned: &self.pools.texts, compared: self.experience.texts() }
    }

    fn integer(&mut self, random: &mut Random) -> i64 {
        if random.chance(self.tuning.pool_number)
            && let Some(known) = random.pick(&self.pools.integers)
        {
            return *known;
        }
        let tuning = &self.tuning;
        let kinds = [
            (tuning.integer_small, Integer::Small),
            (tuning.integer_edge, Integer::Edge),
            (tuning.integer_any, Integer::Any),
            (tuning.integer_medium, Integer::Medium),
        ];
        match random.choose(&kinds).unwrap_or(Integer::Small) {
            Integer::Small => self.small_integer(random),
            Integer::Edge => {
                let edges = [i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 255, -128, 65535];
                random.pick(&edges).copied().unwrap_or_default()
            }
            Integer::Any => (random.bits() as i32).into(),
            Integer::Medium => {
                let half = i64::try_from(self.tuning.medium_integers / 2).unwrap_or_default();
                i64::try_from(random.place(self.tuning.medium_integers)).unwrap_or_default() - half
            }
        }
    }

    fn small_integer(&self, random: &mut Random) -> i64 {
        i64::try_from(random.place(self.tuning.small_integers)).unwrap_or_default() - 3
    }

    fn float(&mut self, random: &mut Random) -> f64 {
        const SPECIAL: [f64; 9] = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            1e-10,
            1e10,
        ];
        if random.chance(self.tuning.pool_number)
            && let Some(known) = random.pick(&self.pools.floats)
        {
            return *known;
        }
        let tuning = &self.tuning;
        let kinds = [
            (tuning.float_small, Float::Small),
            (tuning.float_special, Float::Special),
            (tuning.float_integer, Float::Integer),
            (tuning.float_unit, Float::Unit),
            (tuning.float_cents, Float::Cents),
        ];
        match random.choose(&kinds).unwrap_or(Float::Small) {
            Float::Small => self.small_integer(random) as f64,
            Float::Special => random.pick(&SPECIAL).copied().unwrap_or_default(),
            Float::Integer => self.integer(random) as f64,
            Float::Unit => random.unit(),
            Float::Cents => ((random.unit() - 0.5) * 2000.0 * 100.0).round() / 100.0,
        }
    }

    fn character(&mut self, random: &mut Random) -> u16 {
        let known = if random.one_in(self.tuning.character_of_number) {
            // Code compares characters as numbers.
            let number = random.pick(&self.pools.integers).and_then(|it| u16::try_from(*it).ok());
            number.filter(|it| (32..127).contains(it))
        } else {
            self.texts().pick(random).and_then(|it| random.pick(it.units())).copied()
        };
        known.filter(|_| random.chance(self.tuning.pool_number)).unwrap_or_else(|| 32 + random.below(95))
    }

    fn text(&mut self, random: &mut Random) -> Text {
        if let Some(structure) = random.pick(&self.pools.structures).copied()
            && random.chance(self.tuning.structured_text)
        {
            return self.structured(structure, random);
        }
        if random.chance(self.tuning.pool_text)
            && let Some(known) = self.texts().pick(random).cloned()
        {
            return if random.one_in(self.tuning.pool_text_changed) {
                self.near_text(&known, random)
            } else {
                known
            };
        }
        let length = random.place(self.tuning.new_text_length + 1);
        let units: Vec<u16> = (0..length).map(|_| self.character(random)).collect();
        Text::from(units.as_slice())
    }

    fn class(&mut self, random: &mut Random) -> Option<Literal> {
        let named = random.pick(&self.pools.types).cloned();
        let name = named.unwrap_or_else(|| "java/lang/Object".to_owned());
        let of = self.vocabulary.add_type(Type::of_class(&name));
        if self.is_nameable(of) {
            return Some(Literal::Class(of));
        }
        let object = self.vocabulary.add_type(Type::of_class("java/lang/Object"));
        Some(Literal::Class(object))
    }

    /// A literal of the same type near another: a step on the way that distances show, or the other
    /// side of a comparison.
    pub(super) fn near(&mut self, literal: &Literal, random: &mut Random) -> Option<Literal> {
        if random.chance(self.tuning.compared_operand)
            && let Some(other) = self.other_side(literal, random)
        {
            return Some(other);
        }
        if random.chance(self.tuning.compared_difference)
            && let Some(shifted) = self.shifted(literal, random)
        {
            return Some(shifted);
        }
        let tuning = self.tuning.clone();
        let step = |it: i64, random: &mut Random| it.wrapping_add(delta(&tuning, random));
        Some(match literal {
            Literal::Boolean(it) => Literal::Boolean(!it),
            _ if random.one_in(tuning.literal_anew) => self.random_literal(own_type(literal)?, random)?,
            Literal::Byte(it) => Literal::Byte(step((*it).into(), random) as i8),
            Literal::Short(it) => Literal::Short(step((*it).into(), random) as i16),
            Literal::Char(it) if random.one_in(tuning.character_step) => {
                Literal::Char(step((*it).into(), random) as u16)
            }
            Literal::Char(_) => Literal::Char(self.character(random)),
            Literal::Int(it) => Literal::Int(step((*it).into(), random) as i32),
            Literal::Long(it) => Literal::Long(step(*it, random)),
            Literal::Float(it) => Literal::Float(near_float((*it).into(), &tuning, random) as f32),
            Literal::Double(it) => Literal::Double(near_float(*it, &tuning, random)),
            Literal::Text(it) => Literal::Text(self.near_text(it, random)),
            Literal::Class(_) => self.class(random)?,
            Literal::Null(_) | Literal::Folder => return None,
        })
    }

    /// What a literal was compared with.
    fn other_side(&self, literal: &Literal, random: &mut Random) -> Option<Literal> {
        // Looked at from a random place on, so that no pair always wins.
        let pairs = self.experience.compared();
        let start = random.place(pairs.len());
        let both = |(a, b): &(Scalar, Scalar)| [(a.clone(), b.clone()), (b.clone(), a.clone())];
        let around = pairs.iter().skip(start).chain(pairs.iter().take(start));
        // A name may stand at both ends of what it names.
        let everywhere = random.one_in(self.tuning.replace_everywhere);
        around.flat_map(both).find_map(|(one, other)| {
            replaced(literal, &one, &other, everywhere).filter(|it| self.is_short(it))
        })
    }

    fn is_short(&self, literal: &Literal) -> bool {
        !matches!(literal, Literal::Text(it) if it.units().len() > self.tuning.longest_text)
    }

    /// A number moved by the difference of two that were compared, or to one side of it: where they
    /// were sums, they are equal then.
    fn shifted(&self, literal: &Literal, random: &mut Random) -> Option<Literal> {
        let pair = random.pick(self.experience.compared())?;
        let sign = random.coin();
        let tuning = &self.tuning;
        let beside =
            [(tuning.difference_exact, 0), (tuning.difference_above, 1), (tuning.difference_below, -1)];
        let more = random.choose(&beside).unwrap_or_default();
        let by = match pair {
            (Scalar::Integer(a), Scalar::Integer(b)) => b.wrapping_sub(*a),
            (Scalar::Float(a), Scalar::Float(b)) => {
                return shifted_float(literal, if sign { b - a } else { a - b });
            }
            _ => return None,
        };
        let by = if sign { by } else { by.wrapping_neg() }.wrapping_add(more);
        match literal {
            Literal::Byte(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Byte),
            Literal::Short(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Short),
            Literal::Int(it) => i64::from(*it).checked_add(by)?.try_into().ok().map(Literal::Int),
            Literal::Long(it) => Some(Literal::Long(it.wrapping_add(by))),
            other => shifted_float(other, by as f64),
        }
    }

    fn near_text(&mut self, text: &Text, random: &mut Random) -> Text {
        if let Some(structure) = random.pick(&self.pools.structures).copied()
            && random.chance(self.tuning.structured_text)
        {
            return self.restructured(structure, text, random);
        }
        let mut units = text.units().to_vec();
        let place = random.place(units.len());
        let tuning = &self.tuning;
        let steps = [
            (tuning.text_change_character, TextStep::ChangeCharacter),
            (tuning.text_delete_character, TextStep::DeleteCharacter),
            (tuning.text_cut_end, TextStep::CutEnd),
            (tuning.text_cut_start, TextStep::CutStart),
            (tuning.text_insert_text, TextStep::InsertText),
            (tuning.text_double, TextStep::Double),
            (tuning.text_insert_character, TextStep::InsertCharacter),
        ];
        let is_short = units.len() < tuning.longest_text;
        match random.choose(&steps).unwrap_or(TextStep::InsertCharacter) {
            TextStep::ChangeCharacter if !units.is_empty() => {
                if let Some(unit) = units.get_mut(place) {
                    *unit = if random.one_in(self.tuning.text_new_character) {
                        self.character(random)
                    } else {
                        stepped(*unit, random)
                    };
                }
            }
            TextStep::DeleteCharacter if !units.is_empty() => {
                units.remove(place);
            }
            TextStep::CutEnd if units.len() > 1 => units.truncate(place),
            TextStep::CutStart if units.len() > 1 => drop(units.drain(..place)),
            TextStep::InsertText if is_short => {
                let added = self.texts().pick(random).map(|it| it.units().to_vec()).unwrap_or_default();
                let at = random.place(units.len() + 1);
                units.splice(at..at, added);
            }
            TextStep::Double if is_short => units.extend(text.units().to_vec()),
            _ if is_short => {
                let at = random.place(units.len() + 1);
                units.insert(at, self.character(random));
            }
            _ => {}
        }
        Text::from(units.as_slice())
    }
}

fn shifted_float(literal: &Literal, by: f64) -> Option<Literal> {
    match literal {
        Literal::Float(it) => Some(Literal::Float((f64::from(*it) + by) as f32)),
        Literal::Double(it) => Some(Literal::Double(it + by)),
        _ => None,
    }
}

/// Steps of all sizes, small ones more often.
fn delta(tuning: &Tuning, random: &mut Random) -> i64 {
    let bits = if random.one_in(tuning.big_step) { tuning.big_step_bits } else { tuning.small_step_bits };
    let size = 1i64.checked_shl(u32::try_from(random.place(bits)).unwrap_or_default()).unwrap_or(1);
    let by = i64::try_from(random.place(usize::try_from(size).unwrap_or(1))).unwrap_or_default() + 1;
    if random.coin() { by } else { -by }
}

fn near_float(from: f64, tuning: &Tuning, random: &mut Random) -> f64 {
    match random.below(6) {
        0 => from + delta(tuning, random) as f64,
        1 => from * (0.5 + random.unit()),
        2 => -from,
        3 => from.round(),
        4 => from + random.unit() - 0.5,
        _ => (from * 100.0).round() / 100.0 + f64::from(random.below(21)) / 10.0 - 1.0,
    }
}

fn stepped(unit: u16, random: &mut Random) -> u16 {
    if random.coin() { unit.wrapping_add(1) } else { unit.wrapping_sub(1) }
}

/// The literal with one side of a comparison, if it is there, replaced by the other.
fn replaced(literal: &Literal, one: &Scalar, other: &Scalar, everywhere: bool) -> Option<Literal> {
    match (literal, one, other) {
        (Literal::Byte(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i8::try_from(*b).ok().map(Literal::Byte)
        }
        (Literal::Short(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i16::try_from(*b).ok().map(Literal::Short)
        }
        (Literal::Char(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            u16::try_from(*b).ok().map(Literal::Char)
        }
        (Literal::Int(it), Scalar::Integer(a), Scalar::Integer(b)) if i64::from(*it) == *a => {
            i32::try_from(*b).ok().map(Literal::Int)
        }
        (Literal::Long(it), Scalar::Integer(a), Scalar::Integer(b)) if it == a => Some(Literal::Long(*b)),
        (Literal::Float(it), Scalar::Float(a), Scalar::Float(b)) if f64::from(*it) == *a => {
            Some(Literal::Float(*b as f32))
        }
        (Literal::Double(it), Scalar::Float(a), Scalar::Float(b)) if it == a => Some(Literal::Double(*b)),
        (Literal::Text(it), Scalar::Text(a), Scalar::Text(b)) => {
            with_part(it, a.units(), b.units(), everywhere)
        }
        (Literal::Text(it), Scalar::Integer(a), Scalar::Integer(b)) => {
            let (a, b) = (u16::try_from(*a).ok()?, u16::try_from(*b).ok()?);
            with_part(it, &[a], &[b], false)
        }
        _ => None,
    }
}

/// The text with a part replaced by another, where it is first or everywhere.
fn with_part(text: &Text, part: &[u16], by: &[u16], everywhere: bool) -> Option<Literal> {
    let units = text.units();
    if part.is_empty() {
        return units.is_empty().then(|| Literal::Text(Text::from(by)));
    }
    let mut all = Vec::with_capacity(units.len() + by.len());
    let mut rest = units;
    let mut is_found = false;
    while let Some(at) =
        rest.windows(part.len()).position(|it| it == part).filter(|_| everywhere || !is_found)
    {
        all.extend(rest.get(..at)?);
        all.extend(by);
        rest = rest.get(at + part.len()..)?;
        is_found = true;
    }
    all.extend(rest);
    is_found.then(|| Literal::Text(Text::from(all.as_slice())))
}
