use std::time::Duration;

use super::{ArmId, ArmState, Now, Policy};

/// Tests that each arm gets in the first round; each further round gives twice as many.
const FIRST_SLICE: u64 = 3_000;

/// Where time bounds the search an arm gets this part of what is left in a turn, so that the lowest
/// open frame gets most, and at least so much time.
const SHARE_OF_TURN: u32 = 4;
const SHORTEST_TURN: Duration = Duration::from_secs(1);

/// As long as no test crashes as wanted only so many of the lowest frames take turns, and the lowest
/// that a test can call: a test for one above them would be one for them too.
const MOST_AT_FIRST: u32 = 3;

/// Arms take turns from the innermost frame outwards, again and again, with longer turns each time.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// Whether time bounds turns. Where tests are counted it has no say.
    is_timed: bool,
    round: u32,
    slice: u64,
    /// The arm to be looked at next in this round.
    next: ArmId,
    /// How many arms had a turn in this round, and whether one of them can be called by tests.
    active: u32,
    has_called: bool,
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
        Self { is_timed, round: 0, slice: FIRST_SLICE, next: 0, active: 0, has_called: false, turn: None }
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
    fn begin(&mut self, arms: &[ArmState], has_found: bool, now: Now) -> Option<(ArmId, u64)> {
        while let Some(arm) = arms.get(self.next) {
            let number = self.next;
            self.next += 1;
            if !arm.is_ready() || self.round == 0 && can_wait(arm, arms) {
                continue;
            }
            let is_callable = arm.facts.is_callable;
            let is_late = self.active >= MOST_AT_FIRST && !has_found;
            if is_late && (self.has_called || !is_callable) {
                continue;
            }
            self.active += 1;
            self.has_called |= is_callable;
            let until = self.end_of_turn(now);
            self.turn = Some(Running { arm: number, left: self.slice, asked: arm.asked, until });
            return Some((number, self.slice));
        }
        None
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
    fn next(&mut self, arms: &[ArmState], has_found: bool, now: Now) -> Option<(ArmId, u64)> {
        if let Some(turn) = self.go_on(arms, now) {
            return Some(turn);
        }
        self.turn = None;
        loop {
            if let Some(turn) = self.begin(arms, has_found, now) {
                return Some(turn);
            }
            let was_idle = self.active == 0 && self.round > 0;
            if was_idle || !arms.iter().any(ArmState::is_ready) {
                // Arms that wait for a confirmation may be ready later: the round begins again then.
                (self.next, self.active, self.has_called) = (0, 0, false);
                return None;
            }
            self.round += 1;
            self.slice = self.slice.saturating_mul(2);
            (self.next, self.active, self.has_called) = (0, 0, false);
        }
    }
}

/// Whether others come first: an exception that the program swallows is worth less than one that leaves
/// it.
fn can_wait(arm: &ArmState, arms: &[ArmState]) -> bool {
    arm.facts.is_fallback && arms.iter().any(|it| !it.facts.is_fallback && !it.is_blocked)
}

#[cfg(test)]
mod tests {
    use super::super::{ArmFacts, Patience, Scheduler};
    use super::*;
    use crate::Degree;

    fn arm(level: u32) -> ArmFacts {
        ArmFacts { level, degree: Degree::Escapes, is_fallback: false, is_callable: true }
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
        let expected = [(0, 3_000), (1, 3_000), (0, 6_000), (1, 6_000), (0, 12_000)];
        assert_eq!(turns(&mut scheduler, 5), expected);
    }

    #[test]
    fn before_anything_is_found_only_the_lowest_frames_run() {
        let hidden = |level| ArmFacts { is_callable: false, ..arm(level) };
        let arms = [hidden(1), hidden(2), hidden(3), hidden(4), arm(5), arm(6)];
        let mut first = scheduler(arms, false);
        let order = |it: &[(ArmId, u64)]| it.iter().map(|(arm, _)| *arm).collect::<Vec<_>>();
        // The three lowest and the lowest that a test can call.
        assert_eq!(order(&turns(&mut first, 5)), [0, 1, 2, 4, 0]);
        let mut later = scheduler(arms, false);
        later.settle(true, |arm| arm == 0);
        assert_eq!(order(&turns(&mut later, 6)), [1, 2, 3, 4, 5, 1]);
    }

    #[test]
    fn fallbacks_sit_out_the_first_round() {
        let fallback = ArmFacts { degree: Degree::Caught, is_fallback: true, ..arm(1) };
        let mut both = scheduler([arm(1), fallback, arm(2)], false);
        let order: Vec<ArmId> = turns(&mut both, 5).iter().map(|(arm, _)| *arm).collect();
        assert_eq!(order, [0, 2, 0, 1, 2]);
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
