/// Numbers from a seed, by SplitMix64 (Steele, Lea and Flood, 2014): enough for choices among
/// members and values, and the same everywhere.
///
/// A search has one generator; an operator gets a `Random` seeded with a number of it.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below another; 0 below 0.
    pub fn below(&mut self, bound: u16) -> u16 {
        u16::try_from(self.bits() % u64::from(bound.max(1))).unwrap_or_default()
    }

    /// A place in something of this length.
    pub fn place(&mut self, length: usize) -> usize {
        let length = u64::try_from(length).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.bits() % length).unwrap_or_default()
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u16) -> bool {
        self.below(times) == 0
    }

    /// True every other time.
    pub fn coin(&mut self) -> bool {
        self.one_in(2)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        const STEPS: f64 = (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 / STEPS
    }

    /// One of several, none of none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.place(choices.len()))
    }

    /// One of several, each as often as its weight says.
    pub fn pick_weighted<'a, T>(&mut self, choices: &'a [T], weight: impl Fn(&T) -> u32) -> Option<&'a T> {
        let total: u64 = choices.iter().map(|it| u64::from(weight(it))).sum();
        let mut left = self.bits().checked_rem(total)?;
        choices.iter().find(|it| {
            let weight = u64::from(weight(it));
            let found = left < weight;
            left = left.saturating_sub(weight);
            found
        })
    }

    /// One of several that stand behind their weights; none if all weights are 0.
    pub fn choose<T: Copy>(&mut self, choices: &[(u32, T)]) -> Option<T> {
        self.pick_weighted(choices, |(weight, _)| *weight).map(|(_, choice)| *choice)
    }
}
