use std::time::Duration;

use super::{ArmFacts, ArmId, ArmState, Now, Policy};

/// Tests that each arm gets in the first round; each further round gives twice as many.
const FIRST_SLICE: u64 = 1_000;

/// Where time bounds the search an arm gets this part of what is left in a turn, so that the lowest
/// open frame gets most, and at least so much time.
const SHARE_OF_TURN: u32 = 4;
const SHORTEST_TURN: Duration = Duration::from_secs(1);

/// So many of the lowest frames take turns in every round: a test for one above them is one for them,
/// too, and has more in its way.
const LOWEST: usize = 3;

/// So many of the others do: those whose turn was longest ago, the easiest to call first.
const OTHERS: usize = 2;

/// Arms take turns in rounds, with longer turns in each: the lowest frames, one that takes a text or bytes,
/// the lowest that a test can call, and in turn the others, to which the shortest way may lead.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// Whether time bounds turns. Where tests are counted it has no say.
    is_timed: bool,
    /// How many rounds have begun.
    round: u32,
    /// The tests of a turn in this round.
    slice: u64,
    /// The arms that still have their turn in this round, the last first.
    waiting: Vec<ArmId>,
    turn: Option<Running>,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    arm: ArmId,
    left: u64,
    /// The asked tests of the arm when the policy last looked at it.
    asked: u64,
    until: Duration,
}

impl Rounds {
    /// The first round is still to begin.
    pub(crate) fn new(is_timed: bool) -> Self {
        Self { is_timed, round: 0, slice: FIRST_SLICE, waiting: Vec::new(), turn: None }
    }

    /// Goes on with the turn under way, if it is not over.
    fn go_on(&mut self, arms: &[ArmState], now: Now) -> Option<(ArmId, u64)> {
        let turn = self.turn.as_mut()?;
        let arm = arms.get(turn.arm).filter(|it| it.is_ready())?;
        turn.left = turn.left.saturating_sub(arm.asked - turn.asked);
        turn.asked = arm.asked;
        (turn.left > 0 && now.elapsed < turn.until).then_some((turn.arm, turn.left))
    }

    /// Begins the turn of the next arm of this round, if there is one.
    fn begin(&mut self, arms: &[ArmState], now: Now) -> Option<(ArmId, u64)> {
        while let Some(number) = self.waiting.pop() {
            if let Some(arm) = arms.get(number).filter(|it| it.is_ready()) {
                let until = self.end_of_turn(now);
                self.turn = Some(Running { arm: number, left: self.slice, asked: arm.asked, until });
                return Some((number, self.slice));
            }
        }
        None
    }

    /// The arms that have a turn in the next round, in their order.
    fn deal(&self, arms: &[ArmState]) -> Vec<ArmId> {
        let has_turn = |arm: &ArmState| {
            let sits_out = self.round == 0 && can_wait(arm, arms)
                // Its tests are those of a higher frame, and one that reaches both is worth more. Only
                // where that leads nowhere they are aimed at this one.
                || self.round.is_multiple_of(2) && is_covered(arm, arms);
            arm.is_ready() && !sits_out
        };
        let ready: Vec<ArmId> =
            (0..).zip(arms).filter(|(_, it)| has_turn(it)).map(|(number, _)| number).collect();
        let (lowest, others) = ready.split_at(ready.len().min(LOWEST));
        let facts = |number: &ArmId| arms.get(*number).map(|it| it.facts);
        let is_callable = |number: &ArmId| facts(number).is_some_and(|it| it.is_callable);
        let mut dealt = lowest.to_vec();
        if let Some(plain) = plain_input(arms, &ready) {
            dealt.retain(|it| *it != plain);
            dealt.insert(1, plain);
        }
        if !dealt.iter().any(is_callable) {
            dealt.extend(others.iter().find(|it| is_callable(it)));
        }
        let mut others: Vec<ArmId> = others.iter().copied().filter(|it| !dealt.contains(it)).collect();
        others.sort_by_key(|number| {
            let facts = facts(number);
            let asked = arms.get(*number).map_or(0, |it| it.asked);
            (asked, facts.map(|it| it.burden), facts.map(|it| std::cmp::Reverse(it.level)))
        });
        dealt.extend(others.iter().take(OTHERS));
        dealt
    }

    /// When a turn that begins now ends at the latest. Slow programs must not spend all the time on the
    /// lowest frames.
    fn end_of_turn(&self, now: Now) -> Duration {
        if !self.is_timed {
            return now.until;
        }
        let share = now.until.saturating_sub(now.elapsed) / SHARE_OF_TURN;
        now.until.min(now.elapsed + share.max(SHORTEST_TURN))
    }
}

impl Policy for Rounds {
    fn next(&mut self, arms: &[ArmState], now: Now) -> Option<(ArmId, u64)> {
        if let Some(turn) = self.go_on(arms, now) {
            return Some(turn);
        }
        self.turn = None;
        if let Some(turn) = self.begin(arms, now) {
            return Some(turn);
        }
        // Arms that wait for a confirmation may be ready later.
        if !arms.iter().any(ArmState::is_ready) {
            return None;
        }
        loop {
            self.slice = FIRST_SLICE.saturating_mul(1_u64.checked_shl(self.round).unwrap_or(u64::MAX));
            self.waiting = self.deal(arms);
            self.waiting.reverse();
            self.round = self.round.saturating_add(1);
            if let Some(turn) = self.begin(arms, now) {
                return Some(turn);
            }
        }
    }
}

/// The arm above the lowest one whose call is a plain input, the easiest of them and then the highest, unless
/// the lowest has such a call itself.
fn plain_input(arms: &[ArmState], ready: &[ArmId]) -> Option<ArmId> {
    let facts = |number: &ArmId| arms.get(*number).map(|it| it.facts);
    let (lowest, others) = ready.split_first()?;
    if facts(lowest).is_none_or(|it| it.takes_plain_input) {
        return None;
    }
    let is_wanted = |it: &ArmFacts| it.takes_plain_input && !it.is_fallback;
    let plain = others.iter().filter_map(|number| Some((*number, facts(number).filter(is_wanted)?)));
    plain.min_by_key(|(_, it)| (it.burden, std::cmp::Reverse(it.level))).map(|(number, _)| number)
}

/// Whether others come first: an exception that the program swallows is worth less than one that leaves
/// it.
fn can_wait(arm: &ArmState, arms: &[ArmState]) -> bool {
    arm.facts.is_fallback && arms.iter().any(|it| !it.facts.is_fallback && !it.is_blocked)
}

/// Whether a higher frame is entered in the same way.
fn is_covered(arm: &ArmState, arms: &[ArmState]) -> bool {
    let ArmFacts { level, degree, entries, .. } = arm.facts;
    arms.iter().any(|it| {
        it.is_ready() && it.facts.level > level && it.facts.degree == degree && it.facts.entries == entries
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Patience, Scheduler};
    use super::*;
    use crate::Degree;

    fn arm(level: u32) -> ArmFacts {
        ArmFacts::of(level, Degree::Escapes)
    }

    fn scheduler(arms: impl IntoIterator<Item = ArmFacts>, is_timed: bool) -> Scheduler {
        Scheduler::new(arms, Box::new(Rounds::new(is_timed)), Patience::default(), None)
    }

    const NOW: Now = Now { elapsed: Duration::ZERO, until: Duration::from_secs(20) };

    /// The arms of the next turns, with the tests that each had.
    fn turns(scheduler: &mut Scheduler, count: usize) -> Vec<(ArmId, u64)> {
        let mut found: Vec<(ArmId, u64)> = Vec::new();
        loop {
            let Some(turn) = scheduler.next(500, NOW) else { return found };
            if turn.is_first {
                if found.len() == count {
                    return found;
                }
                found.push((turn.arm, 0));
            }
            scheduler.asked(turn.arm, turn.tests);
            if let Some((_, tests)) = found.last_mut() {
                *tests += turn.tests as u64;
            }
        }
    }

    #[test]
    fn arms_take_turns_that_double_with_each_round() {
        let mut scheduler = scheduler([arm(1), arm(2)], false);
        let expected = [(0, 1_000), (1, 1_000), (0, 2_000), (1, 2_000), (0, 4_000)];
        assert_eq!(turns(&mut scheduler, 5), expected);
    }

    fn order(turns: &[(ArmId, u64)]) -> Vec<ArmId> {
        turns.iter().map(|(arm, _)| *arm).collect()
    }

    #[test]
    fn the_lowest_frames_have_turns_in_every_round_and_two_of_the_others() {
        let hidden = |level| ArmFacts { is_callable: false, ..arm(level) };
        let easy = ArmFacts { burden: 1, takes_plain_input: true, ..arm(7) };
        let arms = [hidden(1), hidden(2), hidden(3), hidden(4), arm(5), arm(6), easy, arm(8)];
        let mut all = scheduler(arms, false);
        let found = order(&turns(&mut all, 12));
        // The lowest, the easiest, the two above the lowest, then the highest.
        assert_eq!(found[..6], [0, 6, 1, 2, 7, 5]);
        // Those that had no turn yet come before those that had.
        assert_eq!(found[6..], [0, 6, 1, 2, 4, 3]);
    }

    #[test]
    fn frames_with_the_same_entries_are_one_search_at_first() {
        let alike = |level| ArmFacts { entries: 9, ..arm(level) };
        let mut all = scheduler([alike(1), alike(2), alike(3), arm(4)], false);
        assert_eq!(order(&turns(&mut all, 6)), [2, 3, 0, 1, 2, 3]);
    }

    #[test]
    fn fallbacks_sit_out_the_first_round() {
        let fallback = ArmFacts { degree: Degree::Caught, is_fallback: true, ..arm(1) };
        let mut both = scheduler([arm(1), fallback, arm(2)], false);
        assert_eq!(order(&turns(&mut both, 5)), [0, 2, 0, 1, 2]);
        let mut alone = scheduler([fallback], false);
        assert_eq!(alone.next(500, NOW).map(|it| it.arm), Some(0));
    }

    #[test]
    fn a_turn_ends_when_its_share_of_the_time_is_over() {
        let mut scheduler = scheduler([arm(1), arm(2)], true);
        let mut at = |seconds: u64| {
            let now = Now { elapsed: Duration::from_secs(seconds), ..NOW };
            scheduler.next(10, now).map(|it| it.arm)
        };
        // A quarter of 20 s, then a quarter of the 15 s that are left.
        assert_eq!([at(0), at(4), at(5), at(8), at(9)], [Some(0), Some(0), Some(1), Some(1), Some(0)]);
        assert_eq!(at(20), None);
    }

    #[test]
    fn arms_go_on_when_a_confirmation_fails() {
        let mut scheduler = scheduler([arm(1)], false);
        assert!(scheduler.next(10, NOW).is_some());
        scheduler.set_pending(0, true);
        assert_eq!(scheduler.next(10, NOW), None);
        scheduler.set_pending(0, false);
        assert!(scheduler.next(10, NOW).is_some());
    }
}
