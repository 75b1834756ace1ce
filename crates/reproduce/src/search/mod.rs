//! All searches of a crash: arms ask for tests, the runner runs them, every arm judges what they did.

mod answers;
mod confirm;
mod minimise;
mod rivals;
mod seeds;
mod solution;
mod telling;

use std::time::Duration;

use crashback_fitness::Fitness;
use crashback_program::frames::{FrameAudit, Goal};
use crashback_protocol::{Failure, Isolation, Pins, Usage, Waited};
use crashback_search::Rng;
use crashback_seeding::{carve, pools};
use crashback_testcase::workshop::Workshop;
use crashback_testcase::{Context, Random, TestCase, Vocabulary};

use crate::arm::{Arm, TestOperators};
use crate::candidate::{Candidate, Candidates, Inner};
use crate::chain::{Observed, Sources};
use crate::corpus::Corpus;
use crate::entries::package_of;
use crate::fresh::FreshClasses;
use crate::obstacle::{Obstacle, ObstacleKind};
use crate::pool_uses::PoolUseId;
use crate::progress::Progress;
use crate::pursuits::PursuitId;
use crate::runner::{Request, Runner};
use crate::schedule::{ArmFacts, ArmId, Now, Pace, Patience, Rounds, Scheduler};
use crate::usefulness::Known;
use crate::{Case, Event, Host, Settings};
use confirm::{Confirmation, searching};
pub(crate) use minimise::Minimised;
use rivals::Rivals;
use seeds::Seeds;

/// How many tests of another frame an arm starts with.
const SEEDS: usize = 12;

/// The fewest tests by which a better test than a good one is looked for.
const FEWEST_IMPROVEMENTS: u64 = 2_000;

/// All searches of a crash.
pub(crate) struct Search<'g> {
    case: Case<'g>,
    workshop: Workshop<'g>,
    arms: Vec<Arm<'g>>,
    runner: Runner<Label>,
    candidates: Candidates,
    rivals: Rivals,
    random: Random,
    scheduler: Scheduler,
    confirmations: Vec<Confirmation>,
    /// Events of confirmations that the host was not told yet.
    untold: Vec<Event>,
    fresh_classes: FreshClasses,
    pace: Pace,
    /// The arm that the workshop makes tests for.
    targeted: Option<ArmId>,
    /// Whether each request has pins of its own: set once a solution turned out to rest on the usual
    /// ones. Variants of it would be solutions of the same kind as long as all tests find the same
    /// random numbers.
    varies_pins: bool,
    /// How many solutions turned out to rest on what other tests had left.
    leftovers: u32,
    /// The verified test that another is to improve on.
    known: Option<Known>,
    /// Whether the host was told to expect a test.
    is_announced: bool,
    /// Requests submitted so far, which number them.
    requests: u64,
    /// Whether time bounds the search rather than the number of tests.
    is_timed: bool,
    /// When the last request of a search was told.
    searched: Duration,
    /// When the results came that are told now, and tests executed until then.
    now: (Duration, u64),
    progress: Progress,
    /// What came of tests that were carved.
    seeds: Seeds,
    /// How well workers were used while searches ran.
    usage: Usage,
}

/// What is remembered of a request.
#[derive(Clone, Copy, Debug)]
struct Label {
    arm: ArmId,
    pursuit: PursuitId,
    /// What carved tests were used for; none without any.
    pool: Option<PoolUseId>,
    number: u64,
    pins: Pins,
}

impl<'g> Search<'g> {
    /// Prepares the searches for all frames that are worth it.
    pub(crate) fn new(
        case: Case<'g>,
        goal: &'g Goal<'g>,
        settings: &Settings,
        host: &mut dyn Host,
    ) -> Result<Self, Failure> {
        let Case { classes, audit, origins, .. } = case;
        let is_wanted = |it: &&FrameAudit| it.target && settings.frame.is_none_or(|frame| frame == it.level);
        let frames: Vec<&FrameAudit> = audit.frames.iter().filter(is_wanted).collect();
        let highest = frames.last().map_or(0, |it| it.level);
        let package = frames.last().and_then(|it| package_of(classes, it)).unwrap_or_default();
        let pursuits = settings.pursuits(&case.throwable.class);
        let fitness: Vec<Fitness> = pursuits.iter().map(|it| it.fitness).collect();
        let tuning = &settings.tuning;
        // The test of a single frame has none above it.
        let arguments = tuning.source_crashing_arguments && frames.len() > 1;
        let sources = Sources { words: tuning.source_words, arguments };
        let observed = Observed::new(classes, origins, audit, highest, &fitness, sources);
        let evaluator = host.evaluator(&observed.recording, &package.replace('/', "."))?;
        let is_timed = settings.evaluations.is_none();
        // Where tests are counted, results must not depend on the worker that ran them.
        let isolation = if is_timed { Isolation::Bounded } else { Isolation::Grouped };
        let mut runner = Runner::new(evaluator, isolation);
        let mut pools = pools(classes, audit, case.records, settings.models.as_deref(), &settings.tuning);
        let (tests, mut vocabulary) = (host.test_classes(), Vocabulary::default());
        let carved = carve(classes, origins, audit, &tests, &mut vocabulary, &settings.tuning);
        let seeds = Seeds::of(&tests, &carved);
        pools.tests = carved.tests;
        let context = Context::new(classes.index(), package);
        let mut workshop = Workshop::new(context, origins, vocabulary, pools, settings.tuning_in_force());
        let seeds = seeds.tried(&mut workshop, &mut runner)?;
        let mut rng = Rng::new(settings.seed);
        let arms = Arm::of_frames(case, goal, settings, &frames, &observed, &mut workshop, &mut rng);
        let mut scheduler = Scheduler::new(
            arms.iter().map(|it| it.facts),
            Box::new(Rounds::new(is_timed)),
            Patience::default(),
            settings.evaluations,
        );
        for (number, _) in arms.iter().enumerate().filter(|(_, it)| it.obstacle.is_some()) {
            scheduler.block(number);
        }
        Ok(Self {
            case,
            workshop,
            arms,
            runner,
            candidates: Candidates::default(),
            rivals: Rivals::default(),
            random: Random::new(rng.word()),
            scheduler,
            confirmations: Vec::new(),
            untold: Vec::new(),
            fresh_classes: FreshClasses::default(),
            pace: Pace::new(is_timed),
            targeted: None,
            varies_pins: false,
            leftovers: 0,
            known: None,
            is_announced: false,
            requests: 0,
            is_timed,
            searched: Duration::ZERO,
            now: (Duration::ZERO, 0),
            progress: Progress::default(),
            seeds,
            usage: Usage::default(),
        })
    }

    /// Searches until the best test that could be found is, or time or tests are used up.
    pub(crate) fn run(&mut self, host: &mut dyn Host, until: Duration) -> Result<(), Failure> {
        let before = self.runner.usage();
        self.is_announced = false;
        let searched = self.search(host, until);
        self.usage = [self.usage, self.runner.usage().since(before)].into_iter().sum();
        self.runner.abandon();
        let ended = searched.and_then(|()| self.take_confirmations(true));
        self.tell_events(host);
        if host.is_interrupted() {
            self.trust_confirmations();
        }
        ended
    }

    fn search(&mut self, host: &mut dyn Host, until: Duration) -> Result<(), Failure> {
        self.pace.resume(host.elapsed());
        self.settle();
        loop {
            let is_over = host.is_interrupted() || self.is_timed && host.elapsed() >= until;
            if !is_over {
                self.ask(host, until)?;
            }
            self.take_confirmations(is_over)?;
            if is_over || !self.scheduler.has_open() {
                return Ok(());
            }
            if !self.bridge(host, until)? {
                continue;
            }
            let Some(answered) = self.runner.next()? else {
                if self.confirmations.is_empty() {
                    return Ok(());
                }
                self.take_confirmations(true)?;
                continue;
            };
            let (arm, tests) = (answered.label.arm, answered.tests.len());
            self.now = (host.elapsed(), self.now.1 + tests as u64);
            self.tell(answered)?;
            self.see_progress();
            self.announce(host);
            self.searched = host.elapsed();
            self.pace.told(tests, self.searched);
            self.tell_events(host);
            self.tell_progress(host, arm);
        }
    }

    /// Tells the host of the test that is being confirmed, unless it knows of one. A test with mocks may
    /// yet lose them.
    fn announce(&mut self, host: &mut dyn Host) {
        let is_settled = |it: &Confirmation| !it.has_mocks();
        if !self.is_announced && self.confirmations.last().is_some_and(is_settled) {
            self.is_announced = true;
            host.expect_test(false);
        }
    }

    /// Keeps as many tests in flight as the pace wants.
    fn ask(&mut self, host: &mut dyn Host, until: Duration) -> Result<(), Failure> {
        loop {
            let population =
                self.targeted.and_then(|it| self.arms.get(it)).map_or(0, |arm| arm.pursuits.population());
            if self.runner.in_flight() >= self.pace.in_flight(population) || !self.ask_once(host, until)? {
                return Ok(());
            }
        }
    }

    /// Waits for the oldest request, whose results must be told first. While a slow test holds it up, asks
    /// for more tests than usual, so that the other workers go on. False if the time for searching is over
    /// before: minimising and verifying need the rest. Where tests are counted the order of asking must not
    /// depend on time.
    fn bridge(&mut self, host: &mut dyn Host, until: Duration) -> Result<bool, Failure> {
        let mut can_ask = true;
        while self.is_timed {
            let has_room = can_ask && self.runner.in_flight() < self.pace.most_in_flight();
            let few = if has_room { self.pace.request() } else { 0 };
            match self.runner.wait(few, until.saturating_sub(host.elapsed())) {
                Waited::Done => break,
                Waited::Starving => can_ask = self.ask_once(host, until)?,
                Waited::Late => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Asks for the tests of one request. False if nothing is worth running now.
    fn ask_once(&mut self, host: &mut dyn Host, until: Duration) -> Result<bool, Failure> {
        let now = Now { elapsed: host.elapsed(), until };
        let Some(turn) = self.scheduler.next(self.pace.request(), now) else { return Ok(false) };
        if turn.is_first {
            self.begin_turn(host, turn.arm);
        }
        self.target(turn.arm);
        self.seed(turn.arm);
        let pool = self.choose_pool_use(turn.arm, now.elapsed);
        let given = if turn.restarts { self.workshop.given_tests(&mut self.random) } else { Vec::new() };
        let Some(arm) = self.arms.get_mut(turn.arm) else { return Ok(false) };
        // The scheduler does not choose an arm again for which no test can be made.
        let Some(first) = &arm.first else { return Ok(true) };
        let pursuit = arm.pursuits.choose(now.elapsed);
        if turn.restarts {
            arm.pursuits.restart();
            arm.pursuits.inject(given);
            host.tell(Event::Restarted { frame: arm.facts.level });
        }
        let novel = novel_tests(&mut self.workshop, &mut self.random, &arm.corpus, turn.tests);
        arm.pursuits.inject(novel);
        let mut tests = Vec::with_capacity(turn.tests);
        let mut operators = TestOperators { workshop: &mut self.workshop, first };
        arm.pursuits.ask(&mut operators, turn.tests, &mut tests);
        self.scheduler.asked(turn.arm, tests.len());
        arm.pools.asked(tests.len());
        self.submit(turn.arm, pursuit, pool, tests)?;
        Ok(true)
    }

    fn submit(
        &mut self,
        number: ArmId,
        pursuit: PursuitId,
        pool: Option<PoolUseId>,
        tests: Vec<TestCase>,
    ) -> Result<(), Failure> {
        let Some(arm) = self.arms.get(number) else { return Ok(()) };
        let listens = arm.listens();
        let run = listens.then(|| {
            let first = usize::try_from(self.scheduler.evaluations()).unwrap_or(0);
            let numbered = tests.iter().enumerate();
            numbered
                .map(|(place, it)| self.workshop.with_exception_getters(it, first.wrapping_add(place)))
                .collect()
        });
        let fresh = match self.is_timed && !FreshClasses::is_affordable(&self.runner.usage()) {
            true => Vec::new(),
            false => self.fresh_classes.places(&mut self.workshop, &tests),
        };
        self.requests += 1;
        let pins = if self.varies_pins { searching(self.requests) } else { Pins::Usual };
        let label = Label { arm: number, pursuit, pool, number: self.requests, pins };
        let request = Request { label, tests, run, fresh, pins, listens };
        self.runner.submit(self.workshop.vocabulary(), request)
    }

    /// Lets the workshop make tests for an arm.
    fn target(&mut self, number: ArmId) {
        if self.targeted == Some(number) {
            return;
        }
        if let Some(arm) = self.arms.get(number) {
            self.workshop.set_target(arm.package, arm.target.clone());
            self.targeted = Some(number);
        }
    }

    /// An arm has its turn. Before its first one it gets its first tests: given ones, and those of the
    /// nearest frame below, continued.
    fn begin_turn(&mut self, host: &mut dyn Host, number: ArmId) {
        let Some(arm) = self.arms.get(number) else { return };
        let level = arm.facts.level;
        host.tell(Event::Searching { frame: level });
        if arm.first.is_some() {
            return;
        }
        self.target(number);
        let mut seeds = self.workshop.given_tests(&mut self.random);
        let first = seeds.first().cloned();
        let first = first.or_else(|| (0..8).find_map(|_| self.workshop.random(0.5, &mut self.random)));
        let Some(first) = first else {
            let obstacle = self.no_test();
            self.scheduler.block(number);
            if let Some(arm) = self.arms.get_mut(number) {
                arm.obstacle = Some(obstacle);
            }
            return;
        };
        let below = self.arms.iter().filter(|it| it.facts.level < level && it.record.evaluations > 0);
        let below = below.max_by_key(|it| it.facts.level);
        let elite = below.map(|it| it.pursuits.elite()).unwrap_or_default().iter();
        let elite: Vec<TestCase> = elite.take(SEEDS / 2).map(|it| it.individual.clone()).collect();
        seeds.extend(elite.iter().filter_map(|it| self.workshop.continued(it, &mut self.random)));
        if let Some(arm) = self.arms.get_mut(number) {
            arm.first = Some(first);
            arm.pursuits.inject(seeds);
        }
    }

    /// Why no test could be made.
    fn no_test(&self) -> Obstacle {
        let mut words = String::from("no test that enters the frame could be made");
        for (of, reason) in self.workshop.unavailable().iter().take(3) {
            if let Some(of) = self.workshop.vocabulary().type_of(*of) {
                words.push_str(&format!("; {}: {reason}", of.view()));
            }
        }
        Obstacle::new(ObstacleKind::TypesUnavailable, words)
    }

    /// Gives the arm that the workshop makes tests for those that begin like a test of a lower frame.
    fn seed(&mut self, number: ArmId) {
        let Some(arm) = self.arms.get_mut(number) else { return };
        if let Some(entering) = arm.entering.take() {
            let continued = (0..SEEDS).filter_map(|_| self.workshop.continued(&entering, &mut self.random));
            arm.pursuits.inject(continued.collect());
        }
    }

    /// From now on only tests count that may be better than a verified one, within as many tests as it
    /// took where they are counted.
    pub(crate) fn improve_on(&mut self, known: Known) {
        self.known = Some(known);
        self.scheduler.end_after(self.scheduler.evaluations().max(FEWEST_IMPROVEMENTS));
        for arm in &mut self.arms {
            arm.pursuits.discard(|it| it.score.is_solved());
        }
        self.candidates.forget_below(known.level);
        self.settle();
    }

    /// From now on only tests count that reproduce a frame above a verified test's, where the exception does
    /// not leave the test in the same way; within as many tests as that one took where they are counted.
    /// False if there is neither such a frame nor such a test, found on the way.
    pub(crate) fn look_above(&mut self, inner: Inner) -> Result<bool, Failure> {
        self.known = None;
        self.candidates.look_above(inner);
        self.scheduler.end_after(self.scheduler.evaluations().max(FEWEST_IMPROVEMENTS));
        self.settle();
        // Their tests did not matter until now.
        for number in 0..self.arms.len() {
            self.confirm_next(number)?;
        }
        Ok(self.candidates.best().is_some() || self.scheduler.has_open())
    }

    /// Tells the scheduler which arms the candidates have made needless.
    fn settle(&mut self) {
        let Self { scheduler, candidates, arms, known, .. } = self;
        let is_below =
            |it: &ArmFacts| known.is_some_and(|known| it.level < known.level || it.degree > known.degree);
        let is_needless = |arm: ArmId| {
            arms.get(arm).is_none_or(|it| candidates.make_needless(&it.facts) || is_below(&it.facts))
        };
        scheduler.settle(is_needless);
    }

    /// Takes note of the arms whose tests came nearer.
    fn see_progress(&mut self) {
        let (elapsed, evaluations) = self.now;
        for arm in &self.arms {
            self.progress.see(arm.facts.level, arm.record.distance, evaluations, elapsed);
        }
    }

    fn tell_events(&mut self, host: &mut dyn Host) {
        self.untold.drain(..).for_each(|it| host.tell(it));
    }

    fn tell_progress(&self, host: &mut dyn Host, number: ArmId) {
        if let Some(arm) = self.arms.get(number) {
            host.tell(Event::Progress {
                frame: arm.facts.level,
                outcome: arm.record.stage.unverified(),
                distance: arm.record.distance,
                evaluations: self.scheduler.evaluations(),
                elapsed: self.searched,
            });
        }
    }
}

/// Changed copies of tests that did something new, for a request of so many tests.
fn novel_tests(
    workshop: &mut Workshop<'_>,
    random: &mut Random,
    corpus: &Corpus,
    tests: usize,
) -> Vec<TestCase> {
    let share = workshop.tuning().novelty;
    let count = (0..tests).filter(|_| random.chance(share)).count();
    (0..count).filter_map(|_| Some(workshop.mutate(corpus.draw(random)?, random))).collect()
}

/// What has come of the searches.
impl<'g> Search<'g> {
    /// The best test that crashes as wanted.
    pub(crate) fn best(&self) -> Option<&Candidate> {
        self.candidates.best()
    }

    /// The searches, innermost frame first.
    pub(crate) fn arms(&self) -> &[Arm<'g>] {
        &self.arms
    }

    /// How near the tests of frames came, and the arms that found those that crash as wanted.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plain JVMs did not confirm a test.
    pub(crate) fn deny(&mut self, candidate: &Candidate) {
        self.progress.deny(candidate.level, &candidate.found);
    }

    /// What came of tests that were carved.
    pub(crate) fn seeds(&self) -> &Seeds {
        &self.seeds
    }

    /// What tests name.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        self.workshop.vocabulary()
    }

    /// Types that no value could be made of, with the reason.
    pub(crate) fn unavailable_types(&self) -> Vec<(String, String)> {
        let named = self.workshop.unavailable().iter().filter_map(|(of, reason)| {
            Some((self.vocabulary().type_of(*of)?.view().to_string(), (*reason).to_owned()))
        });
        named.collect()
    }

    /// What they have cost.
    pub(crate) fn effort(&self) -> Effort {
        Effort {
            evaluations: self.scheduler.evaluations(),
            searched: self.searched,
            usage: self.usage,
            workers: self.runner.workers(),
        }
    }
}

/// What searches have cost.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    /// Tests asked of all arms.
    pub(crate) evaluations: u64,
    /// When the last request of a search was told.
    pub(crate) searched: Duration,
    /// How well workers were used while searches ran.
    pub(crate) usage: Usage,
    /// How well each worker was used from its start.
    pub(crate) workers: Vec<Usage>,
}
