//! Asked for whole generations, the guided genetic algorithm does exactly what its first version
//! did, which scored each generation itself: the digests below were recorded with that version.

use crashback_search::{AlgorithmKind, Growth, Operators, Rng, Selection, Settings, build};

use crate::problems::{Bits, Calls, Problem};

/// A digest (FNV-1a) of individuals in order.
struct Digest(u64);

impl Digest {
    fn add<'i, I: Numbers + 'i>(&mut self, individuals: impl Iterator<Item = &'i I>) {
        for individual in individuals {
            for number in individual.numbers().chain([usize::MAX]) {
                self.0 = (self.0 ^ number as u64).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
}

trait Numbers {
    fn numbers(&self) -> impl Iterator<Item = usize>;
}

impl Numbers for Vec<bool> {
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.iter().map(|bit| usize::from(*bit))
    }
}

impl Numbers for Vec<usize> {
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.iter().copied()
    }
}

/// The digest of all individuals asked and of the populations after each of 80 generations, the
/// number of individuals told and that of new beginnings.
fn run<P: Problem>(
    mut problem: P,
    settings: &Settings,
    seed: u64,
    seeds: Vec<P::Individual>,
) -> (u64, u64, u64)
where
    <P as Operators>::Individual: Numbers + 'static,
{
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    let mut search = build(AlgorithmKind::GuidedGa, settings, Rng::new(seed), seeds.clone());
    for generation in 0..80 {
        if generation == 3 || generation == 20 {
            search.inject(seeds.clone());
        }
        if generation == 30 {
            let first = search.elite()[0].score.clone();
            search.discard(&mut |member| member.score == first);
        }
        let mut asked = Vec::new();
        search.ask(&mut problem, usize::MAX, &mut asked);
        digest.add(asked.iter());
        search.tell(&mut asked.into_iter().map(|it| (it.clone(), problem.score(&it))));
        digest.add(search.elite().iter().map(|member| &member.individual));
    }
    let progress = search.progress();
    assert_eq!(progress.generations, 80);
    (digest.0, progress.told, progress.restarts)
}

#[test]
fn generations_are_those_of_the_first_version() {
    let seeds: Vec<Vec<bool>> = (2..9).map(|n| (0..200).map(|bit| bit % n == 0).collect()).collect();
    let calls = || Calls { kinds: 3, needed: vec![7], pressure: 0.0 };
    let usual = Settings::default();
    let bloated = Settings { bloat: 2.0, ..Settings::default() };
    let small = Settings {
        population: 11,
        stagnation: 3,
        growth: Growth::Times(2.0),
        largest_population: 40,
        ..Settings::default()
    };
    let carrying = Settings {
        selection: Some(Selection::Tournament { size: 3 }),
        carried: 2,
        seeded: 0.2,
        ..small.clone()
    };
    let small_sizes = Settings { bloat: 1.0, ..carrying.clone() };
    let short = vec![vec![0; 9], vec![1; 2]];

    assert_eq!(run(Bits::traps(200), &usual, 7, Vec::new()), (0x59ae_db4f_3b3e_de7a, 8_000, 0));
    assert_eq!(run(Bits::traps(200), &small, 1, seeds.clone()), (0x6a26_9bdc_5763_de93, 2_925, 18));
    assert_eq!(run(Bits::traps(200), &carrying, 2, seeds.clone()), (0xee3d_141a_d4a7_ebea, 2_797, 15));
    assert_eq!(run(Bits::flat(200), &carrying, 3, seeds), (0x9dfd_0b44_2f37_1903, 2_980, 25));
    assert_eq!(run(calls(), &bloated, 4, Vec::new()), (0x54d7_6666_397d_1771, 8_000, 0));
    assert_eq!(run(calls(), &small_sizes, 5, short), (0xa0d9_e6fd_8514_27d8, 2_978, 26));
}
