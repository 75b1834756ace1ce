use std::convert::Infallible;

use rand_core::{SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The one source of chance: equal seeds give equal sequences, on every machine and with every
/// version of the libraries below.
///
/// The generator is xoshiro256++ (Blackman and Vigna, 2021), seeded by SplitMix64, both fixed by
/// their reference implementations. What is drawn from its words is defined here rather than by a
/// library whose next version may draw differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator of its own for a part of the work, so that what happens there leaves the
    /// sequence here alone.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::new(self.word())
    }

    /// Any 64 bits.
    pub fn word(&mut self) -> u64 {
        let Ok(word) = self.0.try_next_u64();
        word
    }

    /// A number from 0 to below 1, in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// True with a probability: never at 0 or less, always at 1 or more.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number below a bound; 0 if that is 0. Some numbers are more likely than others by less
    /// than bound / 2⁶⁴.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.word()) * bound as u128) >> 64) as usize
    }

    /// One element of a list; none if it is empty.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        list.get(self.below(list.len()))
    }
}

/// For code that asks for any generator.
impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}
