/// Numbers from a seed, by SplitMix64 (Steele, Lea and Flood, 2014): enough for samples, and the same everywhere.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below another, which is not 0.
    pub(super) fn below(&mut self, bound: u16) -> u16 {
        u16::try_from(self.next() % u64::from(bound.max(1))).unwrap_or_default()
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: u16) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(choices.len()).ok().filter(|count| *count > 0)?;
        choices.get(usize::try_from(self.next() % count).ok()?)
    }
}
