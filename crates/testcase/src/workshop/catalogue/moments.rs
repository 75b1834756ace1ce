//! Members of the JDK whose results depend on the clock or on chance. A test that uses one may pass
//! today and fail tomorrow, so it does where nothing else makes the value.

use super::{Catalogue, Maker, Way};

/// Classes whose constructors without parameters ask the clock or draw chance.
const OF_THE_MOMENT: [&str; 5] = [
    "java/util/Date",
    "java/util/GregorianCalendar",
    "java/util/Random",
    "java/util/SplittableRandom",
    "java/security/SecureRandom",
];

/// Whether a member of the JDK asks the clock or draws chance.
fn is_of_the_moment(owner: &str, name: &str, parameters: usize) -> bool {
    match name {
        "<init>" => parameters == 0 && OF_THE_MOMENT.contains(&owner),
        "now" => owner.starts_with("java/time/"),
        "getInstance" => owner == "java/util/Calendar",
        "randomUUID" => owner == "java/util/UUID",
        "current" => owner == "java/util/concurrent/ThreadLocalRandom",
        _ => owner == "java/time/Clock" && (name.starts_with("system") || name.starts_with("tick")),
    }
}

impl Catalogue<'_> {
    /// Drops the ways that depend on the moment, if there are others.
    pub(super) fn drop_moments(&self, makers: &mut Vec<Maker>) {
        if makers.iter().any(|it| !self.depends_on_moment(it.way)) {
            makers.retain(|it| !self.depends_on_moment(it.way));
        }
    }

    fn depends_on_moment(&self, way: Way) -> bool {
        let (Way::Construct(id) | Way::Call(id) | Way::Narrow(id) | Way::Take(id, _)) = way else {
            return false;
        };
        let Some(method) = self.vocabulary.method(id) else { return false };
        let name = self.vocabulary.method_name(method);
        name.is_some_and(|it| is_of_the_moment(&it.owner, &it.name, method.parameters.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_the_moment;

    #[test]
    fn members_that_ask_the_clock_are_told_from_those_that_are_given_a_time() {
        assert!(is_of_the_moment("java/util/Date", "<init>", 0));
        assert!(is_of_the_moment("java/time/LocalDate", "now", 1));
        assert!(is_of_the_moment("java/time/Clock", "systemUTC", 0));
        assert!(!is_of_the_moment("java/util/Date", "<init>", 1));
        assert!(!is_of_the_moment("java/time/LocalDate", "of", 3));
        assert!(!is_of_the_moment("java/time/Clock", "fixed", 2));
        assert!(!is_of_the_moment("shop/Till", "now", 0));
    }
}
