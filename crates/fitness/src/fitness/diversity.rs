use std::collections::BTreeMap;

use crashback_protocol::{Facts, TargetChain, Variable};
use smallvec::smallvec;

use super::call_chain::CallChain;
use super::integration_testing::IntegrationTesting;
use super::{Execution, Function, ObjectiveValues};
use crate::assessment::normalise;
use crate::target::{PlacedVariable, Target};
use crate::variables::VariableGoal;

/// Another fitness function, and helper objectives for the values of variables that decide on branches:
/// Fit2Crash's many-objectivisation (definitions 13 to 20).
///
/// A helper objective is φ(distance) of the nearest value that a variable had from a goal, such as a
/// number from being negative, and 1 where the branch was not reached. A variable is told by its class,
/// line and name, so that several jumps of a line share its helpers. The helpers reward tests that differ,
/// and tell nothing of the crash: the distance alone says whether it is reproduced.
pub(super) struct Diversity {
    /// The other function.
    primary: Box<dyn Function>,
    chain: TargetChain,
    /// By probe.
    watched: Vec<Watched>,
    helpers: usize,
}

/// A probe at a variable.
struct Watched {
    probe: u32,
    /// The place of its frame in the call chain.
    place: u32,
    /// The helper of each goal that observations have a distance for.
    helpers: [Option<usize>; Variable::GOALS],
}

/// The most helpers of the form of the paper, which sets no bound. Algorithms compare each pair of tests
/// in all of them; methods with more branches than this are rare.
const MOST: usize = 256;

/// The most helpers of a slice: with more of them hardly any test is worse than another in all.
const MOST_OF_SLICE: usize = 32;

/// Where the goals that a constant adds begin among those of a variable, and what they are.
const POINT_GOALS: (usize, [VariableGoal; 3]) =
    (3, [VariableGoal::AbovePoint, VariableGoal::AtPoint, VariableGoal::BelowPoint]);

impl Diversity {
    /// The form of the paper: Botsing's integration testing, and local variables at all branches of the
    /// frames' methods.
    pub(super) fn of_branches(target: &Target<'_>) -> Self {
        let locals = target.variables.iter().filter(|it| it.variable.is_local);
        let with_goals = locals.map(|it| (it, None, plain_goals(it)));
        Self::new(target, Box::new(IntegrationTesting::new(target)), with_goals, MOST)
    }

    /// `call-chain`, and the branches on which the crash depends: those in the backward slices of the
    /// instructions that throw or call the next frame, nearest first and a bounded number of them. Any
    /// operand counts, also fields and results of calls. A number or character that is compared with a
    /// constant is to lie above, at and below that, rather than around 0.
    pub(super) fn of_slice(target: &Target<'_>) -> Self {
        let mut sliced: Vec<&PlacedVariable> =
            target.variables.iter().filter(|it| it.variable.steps.is_some()).collect();
        sliced.sort_by_key(|it| (it.variable.steps, it.level, it.number));
        let with_goals = sliced.into_iter().map(|it| {
            if it.variable.has_point {
                (it, Some(it.variable.offset), point_goals())
            } else {
                (it, None, plain_goals(it))
            }
        });
        Self::new(target, Box::new(CallChain), with_goals, MOST_OF_SLICE)
    }

    /// Numbers the helpers of variables, which come with the offset that tells constants apart and with
    /// their goals, until there are too many.
    fn new<'t>(
        target: &Target<'_>,
        primary: Box<dyn Function>,
        variables: impl Iterator<Item = (&'t PlacedVariable, Option<u32>, Goals)>,
        most: usize,
    ) -> Self {
        let mut numbers = BTreeMap::new();
        let mut watched = Vec::new();
        for (PlacedVariable { class, number, place, variable, .. }, point, goals) in variables {
            let key = |goal| (class.as_str(), variable.line, variable.name.as_str(), point, goal);
            let missing = goals.iter().flatten().filter(|goal| !numbers.contains_key(&key(**goal))).count();
            if numbers.len() + missing > most {
                continue;
            }
            let helpers = goals.map(|goal| {
                let next = numbers.len();
                goal.map(|goal| *numbers.entry(key(goal)).or_insert(next))
            });
            watched.push(Watched { probe: *number, place: *place, helpers });
        }
        watched.sort_by_key(|it| (it.probe, it.place));
        Self { primary, chain: target.chain().clone(), watched, helpers: numbers.len() }
    }

    /// The smallest distances of an execution, by helper.
    fn distances(&self, facts: &Facts) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.helpers];
        for told in &facts.variables {
            let first = self.watched.partition_point(|it| it.probe < told.probe);
            let of_probe = self.watched.iter().skip(first).take_while(|it| it.probe == told.probe);
            let place = self.chain.innermost(told.position);
            for watched in of_probe.filter(|it| Some(it.place) == place) {
                for (helper, distance) in watched.helpers.iter().zip(told.distances) {
                    if let Some(nearest) = helper.and_then(|it| distances.get_mut(it)) {
                        *nearest = nearest.min(distance);
                    }
                }
            }
        }
        distances
    }
}

impl Function for Diversity {
    fn distance(&self, execution: &Execution<'_>) -> f64 {
        self.primary.distance(execution)
    }

    fn objectives(&self, distance: f64, execution: &Execution<'_>) -> ObjectiveValues {
        let mut objectives: ObjectiveValues = smallvec![distance];
        objectives.extend(self.distances(&execution.observation.facts).into_iter().map(normalise));
        objectives
    }

    fn grades_unfinished(&self) -> bool {
        self.primary.grades_unfinished()
    }
}

/// The goals of a variable in the order of observed distances.
type Goals = [Option<VariableGoal>; Variable::GOALS];

fn plain_goals(variable: &PlacedVariable) -> Goals {
    let mut goals = [None; Variable::GOALS];
    for (place, goal) in goals.iter_mut().zip(variable.variable.sort.goals()) {
        *place = Some(*goal);
    }
    goals
}

fn point_goals() -> Goals {
    let (first, goals) = POINT_GOALS;
    let mut all = [None; Variable::GOALS];
    for (place, goal) in all.iter_mut().skip(first).zip(goals) {
        *place = Some(goal);
    }
    all
}
