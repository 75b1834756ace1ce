//! Values of the log in the place of others.

use super::{Scalar, Workshop};
use crate::{Literal, Statement, TestCase};

impl Workshop<'_> {
    /// Test cases with a value that the message of the log states in the place of a literal. Each is valid.
    pub fn with_logged_values(&mut self, test: &TestCase) -> Vec<TestCase> {
        let logged = self.pools().logged.clone();
        let mut found = Vec::new();
        for (number, statement) in test.statements().iter().enumerate() {
            let Statement::Literal(literal) = statement else { continue };
            for value in &logged {
                let Some(value) = as_written(value, literal).filter(|it| it != literal) else { continue };
                found.extend(self.with_statement(test, number, &Statement::Literal(value)));
            }
        }
        found
    }
}

/// A value as a literal of the same type as another, if it can be one.
fn as_written(value: &Scalar, like: &Literal) -> Option<Literal> {
    Some(match (like, value) {
        (Literal::Text(_), Scalar::Text(text)) => Literal::Text(text.clone()),
        (Literal::Byte(_), Scalar::Integer(number)) => Literal::Byte((*number).try_into().ok()?),
        (Literal::Short(_), Scalar::Integer(number)) => Literal::Short((*number).try_into().ok()?),
        (Literal::Int(_), Scalar::Integer(number)) => Literal::Int((*number).try_into().ok()?),
        (Literal::Long(_), Scalar::Integer(number)) => Literal::Long(*number),
        (Literal::Float(_), Scalar::Float(number)) => Literal::Float(*number as f32),
        (Literal::Double(_), Scalar::Float(number)) => Literal::Double(*number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::as_written;
    use crate::workshop::Scalar;
    use crate::{Literal, Text};

    #[test]
    fn values_keep_the_type_of_the_literal() {
        let logged = Scalar::Integer(300);
        assert_eq!(as_written(&logged, &Literal::Int(0)), Some(Literal::Int(300)));
        assert_eq!(as_written(&logged, &Literal::Long(0)), Some(Literal::Long(300)));
        assert_eq!(as_written(&logged, &Literal::Byte(0)), None);
        assert_eq!(as_written(&logged, &Literal::Text(Text::from("a"))), None);
        assert_eq!(as_written(&Scalar::Float(0.5), &Literal::Double(1.0)), Some(Literal::Double(0.5)));
        let word = Scalar::Text(Text::from("fr"));
        assert_eq!(as_written(&word, &Literal::Text(Text::from(""))), Some(Literal::Text(Text::from("fr"))));
    }
}
