use serde::{Deserialize, Serialize};

/// A variable that a conditional jump compares, and how its values are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WatchedVariable {
    /// Offset of the jump.
    pub offset: u32,
    /// Whether it is the second of two operands.
    pub is_second: bool,
    /// How its values are seen.
    pub sort: VariableSort,
    /// Whether the other operand is a point that values may lie above, at or below.
    pub has_point: bool,
}

/// How the values of a variable are seen, which says how far they are from which goals. The runtime
/// counts goals in the order given here. A point adds three to those of numbers and characters: above
/// it, at it, below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum VariableSort {
    /// Positive, zero, negative.
    Number = 1,
    /// Letter, digit, other.
    Character = 2,
    /// True, false.
    Boolean = 3,
    /// Null, not null.
    Reference = 4,
    /// Null, empty, not empty.
    Container = 5,
    /// Null, positive, zero, negative.
    NumberObject = 6,
    /// Null, letter, digit, other.
    CharacterObject = 7,
    /// Null, true, false.
    BooleanObject = 8,
}

impl WatchedVariable {
    const SECOND: u8 = 0x10;
    const POINT: u8 = 0x20;

    /// All but the offset in one byte: the sort, and a bit for each of the others. No jump has such a
    /// code.
    pub fn code(self) -> u8 {
        let second = if self.is_second { Self::SECOND } else { 0 };
        let point = if self.has_point { Self::POINT } else { 0 };
        self.sort as u8 | second | point
    }
}
