//! Named settings: numbers and switches that can be listed, set by name, compared and recorded.
//!
//! A table written with [`settings!`](crate::settings!) is a struct with one field for each
//! setting, so that code reads `tuning.reuse_object`, while users write `reuse-object=0.3`. Name,
//! kind, default and reason of a setting stand in one place.

use std::fmt;

/// How often something happens, from 0 (never) to 1 (always).
pub type Probability = f64;

/// Something happens once in so many times.
pub type OneIn = u16;

/// How often one of several choices is taken, compared with the others.
pub type Weight = u32;

/// A number of things, or a length.
pub type Count = usize;

/// Whether a part takes part at all.
pub type Switch = bool;

/// A kind of value that a setting can have.
pub trait Value: Copy + PartialEq {
    /// The values that are allowed, in words.
    const RANGE: &'static str;

    /// Reads a value; none if it is not allowed.
    fn read(text: &str) -> Option<Self>;

    /// The value as a user writes it.
    fn text(self) -> String;
}

impl Value for Probability {
    const RANGE: &'static str = "a number from 0 to 1";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|it| (0.0..=1.0).contains(it))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Value for OneIn {
    const RANGE: &'static str = "a whole number from 1 to 65535";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|it| *it > 0)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Value for Weight {
    const RANGE: &'static str = "a whole number from 0 to 1000000";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|it| *it <= 1_000_000)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Value for Count {
    const RANGE: &'static str = "a whole number from 0 to 60000";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|it| *it <= 60_000)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Value for Switch {
    const RANGE: &'static str = "`on` or `off`";

    fn read(text: &str) -> Option<Self> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }

    fn text(self) -> String {
        if self { "on" } else { "off" }.to_owned()
    }
}

/// One setting of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heading of the table under which it stands.
    pub section: &'static str,
    /// Its name, as in `--tune name=value`.
    pub name: &'static str,
    /// The values that are allowed, in words.
    pub range: &'static str,
    /// The value that it has unless it is set.
    pub default: String,
    /// The value that it has.
    pub value: String,
    /// Why it exists, in one line.
    pub reason: &'static str,
}

impl Entry {
    /// Whether the value differs from the default.
    pub fn is_changed(&self) -> bool {
        self.value != self.default
    }
}

/// Sets the setting of a name.
#[doc(hidden)]
pub fn set<T>(
    fields: &'static [Field<T>],
    settings: &mut T,
    name: &str,
    value: &str,
) -> Result<(), TuningError> {
    let Some(field) = fields.iter().find(|it| it.name == name) else {
        let nearest = nearest(name, fields.iter().map(|it| it.name));
        return Err(TuningError::Unknown { name: name.to_owned(), nearest });
    };
    if (field.set)(settings, value) {
        return Ok(());
    }
    Err(TuningError::OutOfRange { name: field.name, value: value.to_owned(), range: field.range })
}

/// All settings with their values, in the order of the table.
#[doc(hidden)]
pub fn entries<T: Default>(fields: &'static [Field<T>], settings: &T) -> impl Iterator<Item = Entry> {
    let defaults = T::default();
    fields.iter().map(move |field| Entry {
        section: field.section,
        name: field.name,
        range: field.range,
        default: (field.get)(&defaults),
        value: (field.get)(settings),
        reason: field.reason.trim(),
    })
}

/// One line of a table of settings, with access to the field that holds its value.
#[doc(hidden)]
pub struct Field<T> {
    /// The heading of the table under which it stands.
    pub section: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The values that are allowed, in words.
    pub range: &'static str,
    /// Why it exists.
    pub reason: &'static str,
    /// Its value, as a user writes it.
    pub get: fn(&T) -> String,
    /// Sets it, if the value is allowed; tells whether it is.
    pub set: fn(&mut T, &str) -> bool,
}

/// Why a setting could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TuningError {
    /// No setting has the name.
    Unknown {
        /// The name.
        name: String,
        /// Names of settings that are spelt most like it, the nearest first.
        nearest: Vec<&'static str>,
    },
    /// The setting cannot have the value.
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
        /// The values that are allowed, in words.
        range: &'static str,
    },
}

impl fmt::Display for TuningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest } => {
                let nearest: Vec<String> = nearest.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "no setting is called `{name}`; did you mean {}?", nearest.join(" or "))
            }
            Self::OutOfRange { name, value, range } => {
                write!(f, "`{name}` cannot be `{value}`: it is {range}")
            }
        }
    }
}

impl std::error::Error for TuningError {}

/// The names that need the fewest changes of letters to become another; at most three of them.
fn nearest(name: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    const MOST: usize = 3;
    let mut found: Vec<(usize, &str)> = names.map(|it| (edits(name, it), it)).collect();
    found.sort_unstable();
    found.into_iter().take(MOST).map(|(_, it)| it).collect()
}

/// The Levenshtein distance of two names.
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (number, left) in (1..).zip(one.bytes()) {
        let mut diagonal = number - 1;
        let mut before = number;
        let mut next = vec![number];
        for (right, above) in other.bytes().zip(row.iter().copied().skip(1)) {
            let replaced = diagonal + usize::from(left != right);
            before = replaced.min(above + 1).min(before + 1);
            diagonal = above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// The name of a field as users write it: words are joined by `-`, and the first word of the name
/// of a switch is the group that it belongs to, as in `source.text-arrays`.
#[doc(hidden)]
pub const fn name_of<const N: usize>(field: &str, is_switch: bool) -> [u8; N] {
    let mut name = [0; N];
    let mut rest = field.as_bytes();
    let mut place = 0;
    let mut has_group = !is_switch;
    while let ([byte, others @ ..], Some((first, _))) = (rest, name.split_at_mut(place).1.split_first_mut()) {
        *first = match *byte {
            b'_' if !has_group => {
                has_group = true;
                b'.'
            }
            b'_' => b'-',
            other => other,
        };
        rest = others;
        place += 1;
    }
    name
}

/// A name as text.
#[doc(hidden)]
pub const fn as_text(name: &[u8]) -> &str {
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => "",
    }
}

/// Defines a struct of settings by a table with sections. A line of it reads
/// `field: Kind = default;` below a doc comment that is the reason; the kind is [`Probability`],
/// [`OneIn`], [`Weight`], [`Count`] or [`Switch`].
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Name:ident {
            $($section:literal {
                $($(#[doc = $reason:literal])+ $field:ident: $Kind:ident = $default:expr;)*
            })*
        }
    ) => {
        $(#[$meta])*
        $visibility struct $Name { $($($(#[doc = $reason])+ pub $field: $crate::settings::$Kind,)*)* }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($($field: $default,)*)* }
            }
        }

        impl $Name {
            /// Sets the setting of a name, as a user writes it.
            $visibility fn set(
                &mut self,
                name: &str,
                value: &str,
            ) -> Result<(), $crate::settings::TuningError> {
                $crate::settings::set(Self::FIELDS, self, name, value)
            }

            /// All settings with their values, in the order of the table.
            $visibility fn entries(&self) -> impl Iterator<Item = $crate::settings::Entry> {
                $crate::settings::entries(Self::FIELDS, self)
            }

            /// The settings that differ from their defaults, to be recorded with a run.
            $visibility fn changed(&self) -> impl Iterator<Item = $crate::settings::Entry> {
                self.entries().filter($crate::settings::Entry::is_changed)
            }

            const FIELDS: &'static [$crate::settings::Field<Self>] = &[$($($crate::settings::Field {
                section: $section,
                name: {
                    const FIELD: &str = stringify!($field);
                    const IS_SWITCH: bool = matches!(stringify!($Kind).as_bytes(), b"Switch");
                    const NAME: [u8; FIELD.len()] = $crate::settings::name_of(FIELD, IS_SWITCH);
                    $crate::settings::as_text(&NAME)
                },
                range: <$crate::settings::$Kind as $crate::settings::Value>::RANGE,
                reason: concat!($($reason),+),
                get: |it| $crate::settings::Value::text(it.$field),
                set: |it, value| match $crate::settings::Value::read(value) {
                    Some(value) => {
                        it.$field = value;
                        true
                    }
                    None => false,
                },
            },)*)*];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{TuningError, edits};

    crate::settings! {
        /// Settings of a kitchen.
        #[derive(Clone, Debug, PartialEq)]
        struct Kitchen {
            "Cooking" {
                /// Salt tastes.
                salt_by_hand: Probability = 0.5;
                /// Eggs bind,
                /// and are cheap.
                egg_count: Count = 3;
            }
            "Devices" {
                /// It still works.
                device_old_oven: Switch = true;
            }
        }
    }

    #[test]
    fn names_follow_from_fields() {
        let names: Vec<&str> = Kitchen::FIELDS.iter().map(|it| it.name).collect();
        assert_eq!(names, ["salt-by-hand", "egg-count", "device.old-oven"]);
        let kitchen = Kitchen::default();
        assert_eq!(kitchen.entries().nth(1).unwrap().reason, "Eggs bind, and are cheap.");
    }

    #[test]
    fn settings_are_set_by_name_and_listed_when_changed() {
        let mut kitchen = Kitchen::default();
        assert_eq!(kitchen.changed().count(), 0);
        kitchen.set("salt-by-hand", "0.25").unwrap();
        kitchen.set("device.old-oven", "off").unwrap();
        assert_eq!((kitchen.salt_by_hand, kitchen.egg_count, kitchen.device_old_oven), (0.25, 3, false));
        let changed: Vec<String> =
            kitchen.changed().map(|it| format!("{}={} not {}", it.name, it.value, it.default)).collect();
        assert_eq!(changed, ["salt-by-hand=0.25 not 0.5", "device.old-oven=off not on"]);
        assert_ne!(kitchen, Kitchen::default());
    }

    #[test]
    fn errors_name_what_is_allowed() {
        let mut kitchen = Kitchen::default();
        let unknown = kitchen.set("eg-count", "1").unwrap_err();
        let nearest = vec!["egg-count", "salt-by-hand", "device.old-oven"];
        assert_eq!(unknown, TuningError::Unknown { name: "eg-count".to_owned(), nearest });
        for (name, value, said) in [
            ("salt-by-hand", "1.5", "`salt-by-hand` cannot be `1.5`: it is a number from 0 to 1"),
            ("egg-count", "-1", "`egg-count` cannot be `-1`: it is a whole number from 0 to 60000"),
            ("device.old-oven", "yes", "`device.old-oven` cannot be `yes`: it is `on` or `off`"),
        ] {
            assert_eq!(kitchen.set(name, value).unwrap_err().to_string(), said);
        }
        assert_eq!(kitchen, Kitchen::default());
    }

    #[test]
    fn edits_are_counted() {
        for (one, other, expect) in [("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("kitten", "sitting", 3)]
        {
            assert_eq!(edits(one, other), expect, "{one} {other}");
        }
    }
}
