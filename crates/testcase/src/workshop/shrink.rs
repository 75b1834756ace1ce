use super::draft::Draft;
use super::replay::Renaming;
use super::{Tuning, Workshop};
use crate::members::Member;
use crate::{Arguments, Literal, MethodId, Random, Statement, TestCase, Text, Var};

impl Workshop<'_> {
    /// Test cases that are simpler than another, the boldest steps first: statements left out,
    /// values shorter and plainer. Whoever asks keeps one that still does what it should and asks
    /// again. Each is valid; the last statement stays an entry.
    pub fn simpler(&mut self, test: &TestCase) -> Vec<TestCase> {
        let mut found = Vec::new();
        let length = test.statements().len();
        let mut size = length / 2;
        while size > 1 {
            for start in (0..length.saturating_sub(size)).step_by(size) {
                found.extend(self.without(test, start..start + size));
            }
            size /= 2;
        }
        for number in (0..length.saturating_sub(1)).rev() {
            found.extend(self.without(test, number..number + 1));
        }
        for (number, statement) in test.statements().iter().enumerate() {
            match statement {
                Statement::Literal(literal) => {
                    for plainer in plainer(literal, &self.tuning) {
                        found.extend(self.with_literal(test, number, plainer));
                    }
                }
                Statement::NewArray { array, length } => {
                    for shorter in [0, length / 2, length.saturating_sub(1)] {
                        if shorter < *length {
                            let array = Statement::NewArray { array: *array, length: shorter };
                            found.extend(self.with_statement(test, number, array));
                        }
                    }
                }
                Statement::Construct { constructor, arguments }
                    if number + 1 < length && !arguments.is_empty() =>
                {
                    let plain = self.plainest_constructor(*constructor);
                    let plain =
                        plain.map(|it| Statement::Construct { constructor: it, arguments: Arguments::new() });
                    found.extend(plain.and_then(|it| self.with_statement(test, number, it)));
                }
                _ => {}
            }
        }
        found.retain(|it| it != test);
        found.dedup();
        found
    }

    /// The constructor of the same class that takes nothing.
    fn plainest_constructor(&mut self, constructor: MethodId) -> Option<MethodId> {
        let owner = self.vocabulary.method(constructor)?.owner;
        self.members_of(owner).iter().find_map(|member| match member {
            Member::Constructor(id) => {
                self.vocabulary.method(*id).is_some_and(|it| it.parameters.is_empty()).then_some(*id)
            }
            _ => None,
        })
    }

    /// Test cases with a meaningful value in the place of a `null`.
    pub fn without_nulls(&mut self, test: &TestCase, random: &mut Random) -> Vec<TestCase> {
        let mut found = Vec::new();
        for (number, statement) in test.statements().iter().enumerate() {
            if let Statement::Literal(Literal::Null(of)) = statement {
                for _ in 0..self.tuning.replacement_attempts {
                    found.extend(self.with_made(test, number, *of, random));
                }
            }
        }
        found
    }

    /// Test cases with a real object in the place of a mock.
    pub fn without_mocks(&mut self, test: &TestCase, random: &mut Random) -> Vec<TestCase> {
        let mut found = Vec::new();
        for (number, statement) in test.statements().iter().enumerate() {
            if let Statement::Mock(mock) = statement
                && let Some(of) = self.vocabulary.mock(*mock).map(|it| it.of)
            {
                for _ in 0..self.tuning.replacement_attempts {
                    found.extend(self.with_made(test, number, of, random));
                }
            }
        }
        found
    }

    fn with_made(
        &mut self,
        test: &TestCase,
        place: usize,
        of: crate::TypeId,
        random: &mut Random,
    ) -> Option<TestCase> {
        self.rebuilt(test, |workshop, draft, number, statement, names| {
            if number == place {
                workshop.make(draft, of, false, &[], workshop.tuning.depth_of_replacements, random)
            } else {
                workshop.exactly(draft, statement, names)
            }
        })
    }

    /// The test case without some statements and without those that need them, unless a `null` or
    /// another value that is there will do.
    fn without(&mut self, test: &TestCase, left_out: std::ops::Range<usize>) -> Option<TestCase> {
        self.rebuilt(test, |workshop, draft, number, statement, names| {
            if left_out.contains(&number) { None } else { workshop.exactly(draft, statement, names) }
        })
    }

    fn with_literal(&mut self, test: &TestCase, place: usize, literal: Literal) -> Option<TestCase> {
        self.with_statement(test, place, Statement::Literal(literal))
    }

    fn with_statement(&mut self, test: &TestCase, place: usize, by: Statement) -> Option<TestCase> {
        self.rebuilt(test, |workshop, draft, number, statement, names| {
            let statement = if number == place { &by } else { statement };
            workshop.exactly(draft, statement, names)
        })
    }

    /// Copies a test case statement by statement. None if its last statement cannot be there.
    fn rebuilt(
        &mut self,
        test: &TestCase,
        mut step: impl FnMut(&mut Self, &mut Draft, usize, &Statement, &Renaming) -> Option<Var>,
    ) -> Option<TestCase> {
        let last = test.statements().len().checked_sub(1)?;
        let mut draft = Draft::default();
        let mut names = Renaming::of(last + 1);
        for (number, statement) in test.statements().iter().enumerate() {
            let new = step(self, &mut draft, number, statement, &names);
            if number == last {
                new?;
            }
            names.set(number, new);
        }
        Some(draft.finish())
    }

    /// Appends a statement if all its operands are there, or values that can stand for them; makes
    /// nothing new.
    fn exactly(&mut self, draft: &mut Draft, statement: &Statement, names: &Renaming) -> Option<Var> {
        let mut is_whole = true;
        statement.for_each_operand(|variable| is_whole &= names.has(variable));
        if is_whole {
            // Nothing is missing, so nothing is left to chance.
            return self.replay(draft, statement, names, &mut Random::new(0));
        }
        if statement.is_pure() {
            return None;
        }
        self.with_stand_ins(draft, statement, names)
    }

    /// The statement with the latest fitting values for those that are gone. Receivers that are
    /// gone have no stand-in but their own kind.
    fn with_stand_ins(&mut self, draft: &mut Draft, statement: &Statement, names: &Renaming) -> Option<Var> {
        let (callee, receiver, arguments) = match statement {
            Statement::Construct { constructor, arguments } => (*constructor, None, arguments),
            Statement::Call { method, receiver, arguments } => (*method, *receiver, arguments),
            _ => return None,
        };
        let method = self.vocabulary.method(callee)?;
        let (owner, parameters) = (method.owner, method.parameters.clone());
        let receiver = match receiver {
            None => None,
            Some(old) => match names.get(old) {
                Some(new) => Some(new),
                None => Some(*self.fitting(draft, owner, false).last()?),
            },
        };
        let mut nullable =
            !matches!(statement, Statement::Construct { .. } if self.has_outer_instance(owner));
        let mut new = Arguments::new();
        for (old, wanted) in arguments.iter().zip(parameters) {
            let stand_in = match names.get(*old) {
                Some(known) if nullable || !draft.value(known).is_null => known,
                _ => *self.fitting(draft, wanted, nullable).last()?,
            };
            new.push(stand_in);
            nullable = true;
        }
        match statement {
            Statement::Construct { .. } => {
                draft.push(Statement::Construct { constructor: callee, arguments: new }, Some(owner))
            }
            _ => {
                let of = self.result_of(callee);
                draft.push(Statement::Call { method: callee, receiver, arguments: new }, of)
            }
        }
    }
}

/// Literals of the same type that a reader would rather see, the plainest first.
fn plainer(literal: &Literal, tuning: &Tuning) -> Vec<Literal> {
    let whole = |it: i64| -> Vec<i64> {
        let candidates = [0, 1, -1, it / 2, it - it.signum()];
        candidates.into_iter().filter(|new| new.unsigned_abs() < it.unsigned_abs()).collect()
    };
    let real = |it: f64| -> Vec<f64> {
        let candidates = [0.0, 1.0, -1.0, it.trunc(), (it * 10.0).round() / 10.0];
        let shorter = |new: &f64| new.to_string().len() < it.to_string().len();
        candidates.into_iter().filter(shorter).collect()
    };
    match literal {
        Literal::Boolean(true) => vec![Literal::Boolean(false)],
        Literal::Byte(it) => {
            whole((*it).into()).into_iter().filter_map(|it| it.try_into().ok()).map(Literal::Byte).collect()
        }
        Literal::Short(it) => {
            whole((*it).into()).into_iter().filter_map(|it| it.try_into().ok()).map(Literal::Short).collect()
        }
        Literal::Int(it) => {
            whole((*it).into()).into_iter().filter_map(|it| it.try_into().ok()).map(Literal::Int).collect()
        }
        Literal::Long(it) => whole(*it).into_iter().map(Literal::Long).collect(),
        Literal::Float(it) => real((*it).into()).into_iter().map(|it| Literal::Float(it as f32)).collect(),
        Literal::Double(it) => real(*it).into_iter().map(Literal::Double).collect(),
        Literal::Char(it) if *it != u16::from(b'a') => vec![Literal::Char(u16::from(b'a'))],
        Literal::Text(text) => {
            plainer_texts(text, tuning.simplified_characters).into_iter().map(Literal::Text).collect()
        }
        _ => Vec::new(),
    }
}

fn plainer_texts(text: &Text, most: usize) -> Vec<Text> {
    let units = text.units();
    let mut found = Vec::new();
    if units.is_empty() {
        return found;
    }
    found.push(Text::from(&[] as &[u16]));
    let half = units.len() / 2;
    found.extend(units.get(..half).map(Text::from));
    found.extend(units.get(half..).map(Text::from));
    for place in 0..units.len().min(most) {
        let mut shorter = units.to_vec();
        shorter.remove(place);
        found.push(Text::from(shorter.as_slice()));
    }
    for place in 0..units.len().min(most) {
        let mut plain = units.to_vec();
        if let Some(unit) = plain.get_mut(place)
            && !(u16::from(b'a')..=u16::from(b'z')).contains(unit)
            && !(u16::from(b'0')..=u16::from(b'9')).contains(unit)
        {
            *unit = u16::from(b'a');
            found.push(Text::from(plain.as_slice()));
        }
    }
    found
}
