use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A slice of something larger that others have slices of, too. What a reply brings lies in a few
/// pieces of memory, not in one for each observation.
#[derive(Clone)]
pub struct List<T> {
    whole: Option<Arc<Vec<T>>>,
    start: u32,
    length: u32,
}

impl<T> List<T> {
    /// A part of a whole. What is beyond its end does not count.
    pub(crate) fn part(whole: &Arc<Vec<T>>, start: u32, length: u32) -> Self {
        if length == 0 { Self::default() } else { Self { whole: Some(Arc::clone(whole)), start, length } }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let (start, length) = (self.start as usize, self.length as usize);
        self.whole.as_deref().and_then(|whole| whole.get(start..start + length)).unwrap_or_default()
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { whole: None, start: 0, length: 0 }
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Self::part(&Arc::new(items), 0, length)
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for List<T> {}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
