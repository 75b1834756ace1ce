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
        Self {
            is_timed,
            round: 0,
            slice: FIRST_SLICE,
            next: 0,
            active: 0,
            has_called: false,
            turn: None,
        }
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
