//! Numbers and texts: new ones, and steps from known ones.

use super::{Scalar, Workshop};
use crate::typing::own_type;
use crate::{Literal, Random, Text, Type, TypeRef};

/// How often a new number or text comes from the pools, where they hold one.
const FROM_POOL: f64 = 0.5;

/// How often a step goes to the other side of a comparison that was seen at run time, if the value
/// was on one side of it.
const TO_OPERAND: f64 = 0.5;

/// How often a step goes by the difference of two numbers that were compared.
const BY_DIFFERENCE: f64 = 0.2;

/// How often a text is in one of the formats that the code around the crash reads, if it reads any.
const STRUCTURED: f64 = 0.4;

/// Texts longer than this do not grow any more.
pub(super) const LONGEST_TEXT: usize = 200;

impl Workshop<'_> {
    /// A new literal of a primitive type, a string or a class.
    pub(super) fn random_literal(&mut self, of: TypeRef<'_>, random: &mut Random) -> Option<Literal> {
        Some(match of.descriptor() {
            "Z" => Literal::Boolean(random.one_in(2)),
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

    fn integer(&mut self, random: &mut Random) -> i64 {
        if random.chance(FROM_POOL)
            && let Some(known) = random.pick(&self.pools.integers)
        {
            return *known;
        }
        match random.below(8) {
            0..=4 => i64::from(random.below(14)) - 3,
            5 => {
                let edges = [i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 255, -128, 65535];
                random.pick(&edges).copied().unwrap_or_default()
            }
            6 => (random.bits() as i32).into(),
            _ => i64::from(random.below(4096)) - 2048,
        }
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
        if random.chance(FROM_POOL)
            && let Some(known) = random.pick(&self.pools.floats)
        {
            return *known;
        }
        match random.below(8) {
            0 | 1 => f64::from(random.below(14)) - 3.0,
            2 => random.pick(&SPECIAL).copied().unwrap_or_default(),
            3 => self.integer(random) as f64,
            4 | 5 => random.unit(),
            _ => ((random.unit() - 0.5) * 2000.0 * 100.0).round() / 100.0,
        }
    }

    fn character(&mut self, random: &mut Random) -> u16 {
        let known = if random.one_in(3) {
            // Code compares characters as numbers.
            let number = random.pick(&self.pools.integers).and_then(|it| u16::try_from(*it).ok());
            number.filter(|it| (32..127).contains(it))
        } else {
            random.pick(&self.pools.texts).and_then(|it| random.pick(it.units())).copied()
        };
        known.filter(|_| random.chance(FROM_POOL)).unwrap_or_else(|| 32 + random.below(95))
    }

    fn text(&mut self, random: &mut Random) -> Text {
        if let Some(structure) = random.pick(&self.pools.structures).copied()
            && random.chance(STRUCTURED)
        {
            return self.structured(structure, random);
        }
        if random.chance(0.65)
            && let Some(known) = random.pick(&self.pools.texts).cloned()
        {
            return if random.one_in(4) { self.near_text(&known, random) } else { known };
        }
        let length = random.below(8);
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
        if random.chance(TO_OPERAND)
            && let Some(other) = self.other_side(literal, random)
        {
            return Some(other);
        }
        if random.chance(BY_DIFFERENCE)
            && let Some(shifted) = self.shifted(literal, random)
        {
            return Some(shifted);
        }
        let step = |it: i64, random: &mut Random| it.wrapping_add(delta(random));
        Some(match literal {
            Literal::Boolean(it) => Literal::Boolean(!it),
            _ if random.one_in(8) => self.random_literal(own_type(literal)?, random)?,
            Literal::Byte(it) => Literal::Byte(step((*it).into(), random) as i8),
            Literal::Short(it) => Literal::Short(step((*it).into(), random) as i16),
            Literal::Char(it) if random.one_in(2) => Literal::Char(step((*it).into(), random) as u16),
            Literal::Char(_) => Literal::Char(self.character(random)),
            Literal::Int(it) => Literal::Int(step((*it).into(), random) as i32),
            Literal::Long(it) => Literal::Long(step(*it, random)),
            Literal::Float(it) => Literal::Float(near_float((*it).into(), random) as f32),
            Literal::Double(it) => Literal::Double(near_float(*it, random)),
            Literal::Text(it) => Literal::Text(self.near_text(it, random)),
            Literal::Class(_) => self.class(random)?,
            Literal::Null(_) | Literal::Folder => return None,
        })
    }

    /// What a literal was compared with.
    fn other_side(&self, literal: &Literal, random: &mut Random) -> Option<Literal> {
        // Looked at from a random place on, so that no pair always wins.
        let pairs = &self.pools.compared;
        let start = random.place(pairs.len());
        let both = |(a, b): &(Scalar, Scalar)| [(a.clone(), b.clone()), (b.clone(), a.clone())];
        let around = pairs.iter().skip(start).chain(pairs.iter().take(start));
        // A name may stand at both ends of what it names.
        let everywhere = random.one_in(2);
        around.flat_map(both).find_map(|(one, other)| replaced(literal, &one, &other, everywhere))
    }

    /// A number moved by the difference of two that were compared, or to one side of it: where they
    /// were sums, they are equal then.
    fn shifted(&self, literal: &Literal, random: &mut Random) -> Option<Literal> {
        let pair = random.pick(&self.pools.compared)?;
        let (sign, more) = (random.one_in(2), [0, 0, 1, -1]);
        let more = random.pick(&more).copied().unwrap_or_default();
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
            && random.chance(STRUCTURED)
        {
            return self.restructured(structure, text, random);
        }
        let mut units = text.units().to_vec();
        let place = random.place(units.len());
        match random.below(8) {
            0 | 1 if !units.is_empty() => {
                if let Some(unit) = units.get_mut(place) {
                    *unit = if random.one_in(2) { self.character(random) } else { stepped(*unit, random) };
                }
            }
            2 if !units.is_empty() => {
                units.remove(place);
            }
            3 if units.len() > 1 => units.truncate(place),
            4 if units.len() > 1 => drop(units.drain(..place)),
            5 if units.len() < LONGEST_TEXT => {
                let added = random.pick(&self.pools.texts).map(|it| it.units().to_vec()).unwrap_or_default();
                let at = random.place(units.len() + 1);
                units.splice(at..at, added);
            }
            6 if units.len() < LONGEST_TEXT => units.extend(text.units().to_vec()),
            _ if units.len() < LONGEST_TEXT => {
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
fn delta(random: &mut Random) -> i64 {
    let most = if random.one_in(3) { 11 } else { 3 };
    let size = 1i64 << random.below(most);
    let by = i64::try_from(random.place(usize::try_from(size).unwrap_or(1))).unwrap_or_default() + 1;
    if random.one_in(2) { by } else { -by }
}

fn near_float(from: f64, random: &mut Random) -> f64 {
    match random.below(6) {
        0 => from + delta(random) as f64,
        1 => from * (0.5 + random.unit()),
        2 => -from,
        3 => from.round(),
        4 => from + random.unit() - 0.5,
        _ => (from * 100.0).round() / 100.0 + f64::from(random.below(21)) / 10.0 - 1.0,
    }
}

fn stepped(unit: u16, random: &mut Random) -> u16 {
    if random.one_in(2) { unit.wrapping_add(1) } else { unit.wrapping_sub(1) }
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
    (is_found && all.len() <= LONGEST_TEXT).then(|| Literal::Text(Text::from(all.as_slice())))
}
