use std::ops::Range;

use crate::lines::LineGoal;
use crate::seen::Seen;

/// The goals of frames, outermost first, by their places in the call chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameGoals {
    goals: Vec<LineGoal>,
    /// For each place of the call chain, which of them run at it.
    by_place: Vec<Range<usize>>,
}

impl FrameGoals {
    pub(crate) fn new(mut goals: Vec<LineGoal>) -> Self {
        goals.sort_by_key(|it| it.place);
        let by_place = by_place(&goals);
        Self { goals, by_place }
    }

    pub(crate) fn len(&self) -> usize {
        self.goals.len()
    }

    pub(crate) fn get(&self, number: usize) -> Option<&LineGoal> {
        self.goals.get(number)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &LineGoal> {
        self.goals.iter()
    }

    /// The first of the frames, from the outermost, that was not run through inside those around
    /// it.
    /// `marks` gets what the execution left at each of them.
    pub(crate) fn diverging(&self, seen: &Seen<'_>, marks: &mut [u8]) -> usize {
        marks.fill(0);
        for reached in &seen.facts.reached {
            let Some(place) = seen.place(reached.position) else { continue };
            let range = self.by_place.get(place as usize).cloned().unwrap_or_default();
            let goals = self.goals.get(range.clone()).unwrap_or_default();
            for (goal, marks) in goals.iter().zip(marks.get_mut(range).unwrap_or_default()) {
                *marks |= goal.marks(reached.probe);
            }
        }
        let diverges = |(goal, marks): (&LineGoal, &u8)| !goal.is_reached(seen, *marks);
        self.goals.iter().zip(&*marks).position(diverges).unwrap_or(self.goals.len())
    }
}

fn by_place(lines: &[LineGoal]) -> Vec<Range<usize>> {
    // No call chain is longer; a place beyond stands for something else.
    const MOST_PLACES: u32 = 1 << 16;
    let last = lines.iter().filter_map(|it| it.place).filter(|place| *place < MOST_PLACES).max();
    let at = |place: u32| {
        let start = lines.partition_point(|it| it.place < Some(place));
        start..lines.partition_point(|it| it.place <= Some(place))
    };
    last.map_or(Vec::new(), |last| (0..=last).map(at).collect())
}
