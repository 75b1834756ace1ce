use std::collections::VecDeque;
use std::iter::repeat_n;

use crate::record::Record;
use crate::supply::Supply;
use crate::{Algorithm, Member, Operators, Progress, Rng, Score, Selection, Settings};

/// The rule by which members survive and breed: all that sets algorithms with a population apart.
///
/// The population is always sorted with the smallest distance first, so that the best can be
/// carried along and learnt from; rules that breed by another order keep that order themselves.
pub(crate) trait Rule<I> {
    /// Whether two parents have two children rather than one.
    const HAS_TWINS: bool = true;

    /// The rule of a search that has not begun. It may fork the generator, but not draw from it
    /// unless it must.
    fn new(settings: &Settings, rng: &mut Rng) -> Self;

    /// Begins anew with the members that are carried along.
    fn begin(&mut self, flock: &mut Flock<I>) {
        self.rate(flock);
    }

    /// Lets a told individual join at once, if there are no generations to wait for. Gives back a
    /// member that waits for the end of the generation.
    fn join(&mut self, newcomer: Newcomer<I>, _flock: &mut Flock<I>) -> Option<Member<I>> {
        Some(newcomer.member)
    }

    /// Takes all newcomers and lets the right ones of them and of the population survive.
    fn survive(&mut self, flock: &mut Flock<I>);

    /// Chooses parents; none if there are no members.
    fn parents(&mut self, population: &[Member<I>], rng: &mut Rng) -> Option<Parents>;

    /// Whether an individual of another search may join a population that is to have `_size`
    /// members.
    fn welcomes(&self, _member: &Member<I>, _population: &[Member<I>], _size: usize) -> bool {
        true
    }

    /// Forgets members that the rule itself keeps.
    fn forget(&mut self, _is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {}

    /// Looks at the population anew after members were taken from it.
    fn rate(&mut self, flock: &mut Flock<I>);
}

/// The members on which a rule works, with facts about the search around it.
pub(crate) struct Flock<'f, I> {
    /// The survivors, smallest distance first.
    pub(crate) population: &'f mut Vec<Member<I>>,
    /// Members that have not joined the population yet, in the order of telling.
    pub(crate) newcomers: &'f mut Vec<Member<I>>,
    /// The source of chance.
    pub(crate) rng: &'f mut Rng,
    /// How many members the population is to have.
    pub(crate) size: usize,
    /// The largest secondary score that does not count as bloated.
    pub(crate) largest: f64,
    /// Whether a population's worth of individuals has been told.
    pub(crate) ends_generation: bool,
    /// How far the search has come.
    pub(crate) progress: Progress,
}

impl<I> Flock<'_, I> {
    /// Whether a member is bloated.
    pub(crate) fn is_bloated(&self, member: &Member<I>) -> bool {
        member.score.secondary > self.largest
    }

    /// Whether of two members with equal objectives the first is the worse: because it took longer,
    /// or else because it is bloated.
    pub(crate) fn is_worse(&self, member: &Member<I>, than: &Member<I>) -> bool {
        let key = |it: &Member<I>| (it.score.cost, self.is_bloated(it));
        key(member) > key(than)
    }

    /// Puts newcomers and population together, newcomers first, so that of equals the younger stand
    /// before the older.
    pub(crate) fn unite(&mut self) {
        self.newcomers.append(self.population);
        std::mem::swap(self.newcomers, self.population);
    }
}

/// A told individual with the number that its parents were given.
pub(crate) struct Newcomer<I> {
    pub(crate) member: Member<I>,
    pub(crate) origin: Option<usize>,
}

/// The places of parents in the population. One parent alone has mutated copies of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parents {
    pub(crate) first: usize,
    pub(crate) second: Option<usize>,
    /// A number that comes back with the child, for the rule's own use.
    pub(crate) origin: Option<usize>,
}

/// A search with a population that is bred by a rule.
///
/// Invariant: the best of all, by [rank](Score::rank), is never forgotten.
///
/// Asked for a whole generation at a time, with everything told in between, this is a genetic
/// algorithm as in textbooks. With several questions in flight, children are bred from the
/// population as it stands, and a generation ends whenever a population's worth of individuals has
/// been told. Individuals of an earlier beginning that are told late count for the best of all, but
/// do not join the new population unless they are nearer than all before them.
#[derive(Clone, Debug)]
pub(crate) struct Generational<I, R> {
    settings: Settings,
    rng: Rng,
    supply: Supply<I>,
    record: Record<I>,
    rule: R,
    /// The survivors, smallest distance first.
    population: Vec<Member<I>>,
    /// How many members the population is to have.
    size: usize,
    /// How many founders the current beginning has; it is complete with `size` of them.
    founded: usize,
    /// How large the founders of the current beginning were.
    sizes: Sizes,
    /// Members that were told or offered and have not joined the population yet.
    newcomers: Vec<Member<I>>,
    /// The numbers that the parents of individuals in flight were given, in the order of asking.
    origins: VecDeque<Option<usize>>,
    /// How many individuals are still to be told until the current generation ends.
    due: usize,
    /// Whether the current generation is the first of its beginning: its members are the founders,
    /// because they were the first to be asked.
    is_first: bool,
    /// The distance of the population's best member when the last generation ended.
    nearest: f64,
    /// How many generations in a row ended without a better best member.
    stagnant: usize,
}

impl<I: Clone, R: Rule<I>> Generational<I, R> {
    /// A search that has not begun. Some of the seeds go into the first population, and the next
    /// ones into each population after it.
    pub(crate) fn new(settings: &Settings, mut rng: Rng, seeds: Vec<I>) -> Self {
        let size = settings.population.max(2);
        let mut search = Self {
            settings: settings.clone(),
            rule: R::new(settings, &mut rng),
            rng,
            supply: Supply::new(seeds),
            record: Record::new(size),
            population: Vec::new(),
            size,
            founded: 0,
            sizes: Sizes::default(),
            newcomers: Vec::new(),
            origins: VecDeque::new(),
            due: size,
            is_first: true,
            nearest: f64::INFINITY,
            stagnant: 0,
        };
        search.begin();
        search
    }

    /// Founds a population of the current size; its members so far are carried along.
    fn begin(&mut self) {
        self.founded = self.population.len();
        self.due = self.size - self.founded;
        self.is_first = true;
        self.sizes = Sizes::default();
        let (rule, mut flock) = self.parts(false);
        rule.begin(&mut flock);
        self.nearest = self.nearest();
        self.stagnant = 0;
        let seeded = self.size as f64 * self.settings.seeded.clamp(0.0, 1.0);
        self.supply.begin(seeded as usize);
    }

    /// The rule, and the flock on which it works.
    fn parts(&mut self, ends_generation: bool) -> (&mut R, Flock<'_, I>) {
        let flock = Flock {
            population: &mut self.population,
            newcomers: &mut self.newcomers,
            rng: &mut self.rng,
            size: self.size,
            largest: self.sizes.mean() * self.settings.bloat,
            ends_generation,
            progress: self.record.progress(),
        };
        (&mut self.rule, flock)
    }

    /// Asks for founders of a new population: seeds first, then new individuals.
    fn found(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let count = (self.size - self.founded).min(most);
        let mut made = self.supply.take_injected(count, asked);
        made += self.supply.take_seeds(count - made, asked);
        asked.extend((made..count).map(|number| {
            let progress = (self.founded + number) as f64 / self.size as f64;
            operators.random(&mut self.rng, progress)
        }));
        self.origins.extend(repeat_n(None, count));
        self.founded += count;
    }

    /// Asks for a generation of children, or for new individuals as long as there are no parents.
    fn breed(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        let end = asked.len() + self.size.min(most);
        let injected = self.supply.take_injected(end - asked.len(), asked);
        self.origins.extend(repeat_n(None, injected));
        let Self { population, rule, rng, settings, origins, .. } = self;
        while asked.len() < end {
            let parents = if rng.chance(settings.fresh) { None } else { rule.parents(population, rng) };
            let individual = |place: usize| population.get(place).map(|member| &member.individual);
            let Some((parents, first)) = parents.and_then(|it| Some((it, individual(it.first)?))) else {
                let progress = rng.unit();
                asked.push(operators.random(rng, progress));
                origins.push_back(None);
                continue;
            };
            let before = asked.len();
            let has_room_for_two = R::HAS_TWINS && before + 1 < end;
            match parents.second.and_then(individual) {
                Some(second) if rng.chance(settings.crossover) => {
                    let (first, second) = operators.cross_over(first, second, rng);
                    asked.push(operators.mutate(&first, rng));
                    if has_room_for_two {
                        asked.push(operators.mutate(&second, rng));
                    }
                }
                second => {
                    asked.push(operators.mutate(first, rng));
                    if let (Some(second), true) = (second, has_room_for_two) {
                        asked.push(operators.mutate(second, rng));
                    }
                }
            }
            origins.extend(repeat_n(parents.origin, asked.len() - before));
        }
    }

    /// Takes an individual back.
    fn tell_one(&mut self, member: Member<I>) {
        let told = self.record.note_told(&member);
        let origin = self.origins.pop_front().flatten();
        if told.is_late {
            // The population that this individual was bred from would live on through it, and the
            // new beginning would be none: it joins only if the old population was not stuck.
            self.newcomers.extend(Some(member).filter(|_| told.is_nearest));
            return;
        }
        if self.is_first {
            self.sizes.add(&member.score);
        }
        let (rule, mut flock) = self.parts(false);
        let waiting = rule.join(Newcomer { member, origin }, &mut flock);
        flock.newcomers.extend(waiting);
        self.due -= 1;
        if self.due == 0 {
            self.end_generation();
        }
    }

    /// Lets the members of this generation survive or not, and notes whether it was a better one.
    fn end_generation(&mut self) {
        self.record.end_generation();
        self.survive(true);
        let nearest = self.nearest();
        self.stagnant = if nearest < self.nearest { 0 } else { self.stagnant + 1 };
        self.nearest = nearest;
        self.due = self.size;
        self.is_first = false;
    }

    fn survive(&mut self, ends_generation: bool) {
        let (rule, mut flock) = self.parts(ends_generation);
        rule.survive(&mut flock);
    }

    /// The distance of the population's best member.
    fn nearest(&self) -> f64 {
        self.population.first().map_or(f64::INFINITY, |first| first.score.primary())
    }
}

impl<I: Clone, R: Rule<I>> Algorithm<I> for Generational<I, R> {
    fn ask(&mut self, operators: &mut dyn Operators<Individual = I>, most: usize, asked: &mut Vec<I>) {
        if most == 0 {
            return;
        }
        if self.stagnant >= self.settings.stagnation.max(1) {
            self.restart();
        }
        if self.population.len() < self.size && !self.newcomers.is_empty() {
            self.survive(false);
        }
        let before = asked.len();
        if self.founded < self.size {
            self.found(operators, most, asked);
        } else {
            self.breed(operators, most, asked);
        }
        self.record.note_asked(asked.len() - before);
    }

    fn tell(&mut self, scored: &mut dyn Iterator<Item = (I, Score)>) {
        for (individual, score) in scored {
            self.tell_one(Member { individual, score });
        }
    }

    fn inject(&mut self, individuals: Vec<I>) {
        self.supply.inject(individuals);
    }

    fn offer(&mut self, member: Member<I>) {
        self.record.note_offered(&member);
        if !self.rule.welcomes(&member, &self.population, self.size) {
            return;
        }
        self.newcomers.push(member);
        // Others may offer far more than this search is told.
        if self.newcomers.len() >= 2 * self.size {
            self.survive(false);
        }
    }

    fn discard(&mut self, is_discarded: &mut dyn FnMut(&Member<I>) -> bool) {
        self.population.retain(|member| !is_discarded(member));
        self.newcomers.retain(|member| !is_discarded(member));
        self.rule.forget(is_discarded);
        self.record.discard(is_discarded, self.population.iter().chain(&self.newcomers));
        let (rule, mut flock) = self.parts(false);
        rule.rate(&mut flock);
        self.nearest = self.nearest.max(self.nearest());
    }

    fn restart(&mut self) {
        self.survive(false);
        let largest = self.settings.largest_population.max(self.size);
        self.size = self.settings.growth.grown(self.size).min(largest);
        self.population.truncate(self.settings.carried.min(self.size / 2));
        self.record.begin_anew(self.size);
        self.begin();
    }

    fn best(&self) -> Option<&Member<I>> {
        self.record.best()
    }

    /// The population, or the best of earlier ones while a new one has no members.
    fn elite(&self) -> &[Member<I>] {
        if self.population.is_empty() { self.record.elite() } else { &self.population }
    }

    fn progress(&self) -> Progress {
        self.record.progress()
    }
}

/// The mean of the secondary scores that a population began with.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    sum: f64,
    count: u32,
}

impl Sizes {
    fn add(&mut self, score: &Score) {
        if score.secondary.is_finite() {
            self.sum += score.secondary;
            self.count += 1;
        }
    }

    fn mean(self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }
}

/// Chooses a place among sorted members.
pub(crate) fn select(count: usize, selection: Selection, rng: &mut Rng) -> Option<usize> {
    let place = match selection {
        Selection::Tournament { size } => (0..size.max(1)).map(|_| rng.below(count)).min().unwrap_or(0),
        Selection::Rank { bias } => {
            let bias = bias.clamp(1.0 + 1e-6, 2.0);
            let root = (bias * bias - 4.0 * (bias - 1.0) * rng.unit()).max(0.0).sqrt();
            let share = (bias - root) / (2.0 * (bias - 1.0));
            ((count as f64 * share) as usize).min(count.saturating_sub(1))
        }
    };
    (place < count).then_some(place)
}
