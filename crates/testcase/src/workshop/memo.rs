//! Answers by numbers of the vocabulary, so that looking one up costs no hash.

/// A list with gaps that grows as needed.
#[derive(Clone, Debug)]
pub(super) struct Memo<V>(Vec<Option<V>>);

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Memo<V> {
    /// The answer at a place, if there is one.
    pub(super) fn get(&self, place: usize) -> Option<&V> {
        self.0.get(place).and_then(Option::as_ref)
    }

    /// Puts an answer at a place.
    pub(super) fn put(&mut self, place: usize, value: V) {
        if self.0.len() <= place {
            self.0.resize_with(place + 1, || None);
        }
        if let Some(it) = self.0.get_mut(place) {
            *it = Some(value);
        }
    }

    /// All answers with their places, to change them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut V)> {
        self.0.iter_mut().enumerate().filter_map(|(place, it)| Some((place, it.as_mut()?)))
    }

    /// Forgets all answers.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<V: Default> Memo<V> {
    /// The answer at a place, which is put there if there is none yet.
    pub(super) fn or_default(&mut self, place: usize) -> Option<&mut V> {
        if self.get(place).is_none() {
            self.put(place, V::default());
        }
        self.0.get_mut(place).and_then(Option::as_mut)
    }
}
