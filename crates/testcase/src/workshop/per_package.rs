//! Things that differ with the package that tests lie in.

use std::collections::BTreeMap;

/// A value for the package at hand, and those for packages where tests lay before.
#[derive(Default)]
pub(super) struct PerPackage<'a, T> {
    here: T,
    elsewhere: BTreeMap<&'a str, T>,
}

impl<'a, T: Default> PerPackage<'a, T> {
    /// The value for the package at hand.
    pub(super) fn here(&self) -> &T {
        &self.here
    }

    /// The same, to change it.
    pub(super) fn here_mut(&mut self) -> &mut T {
        &mut self.here
    }

    /// Goes from the package at hand to another.
    pub(super) fn move_to(&mut self, from: &'a str, to: &'a str) {
        if from != to {
            let next = self.elsewhere.remove(to).unwrap_or_default();
            let last = std::mem::replace(&mut self.here, next);
            self.elsewhere.insert(from, last);
        }
    }

    /// The values for all packages.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.elsewhere.values_mut().chain([&mut self.here])
    }
}

#[cfg(test)]
mod tests {
    use super::PerPackage;

    #[test]
    fn every_package_keeps_its_value() {
        let mut values = PerPackage::<Vec<u8>>::default();
        values.here_mut().push(1);
        values.move_to("a", "b");
        assert!(values.here().is_empty());
        values.here_mut().push(2);
        values.move_to("b", "b");
        assert_eq!(values.here(), &[2]);
        values.move_to("b", "a");
        assert_eq!(values.here(), &[1]);
        values.all_mut().for_each(|it| it.push(3));
        values.move_to("a", "b");
        assert_eq!(values.here(), &[2, 3]);
    }
}
