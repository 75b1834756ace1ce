use std::collections::BTreeMap;

use thiserror::Error;

use crate::Model;

/// The order of models unless another is asked for: an action depends on the one before it.
pub const DEFAULT_ORDER: usize = 2;
/// Models of a higher order would only repeat the sequences that were seen.
pub const MAX_ORDER: usize = 8;

/// Models of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models {
    order: usize,
    classes: BTreeMap<Box<str>, Model>,
}

/// Models that cannot be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("models of {0}-grams and of {1}-grams cannot be merged; build both with the same --ngram")]
pub struct MergeError(pub usize, pub usize);

impl Models {
    pub(crate) fn new(order: usize, classes: BTreeMap<Box<str>, Model>) -> Self {
        Self { order, classes }
    }

    /// No models.
    pub fn empty(order: usize) -> Self {
        Self::new(order, BTreeMap::new())
    }

    /// The length of the action sequences that the models are made of: an action depends on one less.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The model of a class, by its internal name.
    pub fn get(&self, class: &str) -> Option<&Model> {
        self.classes.get(class)
    }

    /// The models with the internal names of their classes, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Model)> {
        self.classes.iter().map(|(class, model)| (&**class, model))
    }

    /// How many classes have a model.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether no class has one.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The models of some classes, chosen by their internal names.
    pub fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let wanted = self.classes.iter().filter(|(class, _)| is_wanted(class));
        Self::new(self.order, wanted.map(|(class, model)| (class.clone(), model.clone())).collect())
    }

    /// Merges models: the result is the same as if all sequences had been collected together.
    ///
    /// # Errors
    ///
    /// If some are of another order.
    pub fn merged(order: usize, parts: Vec<Self>) -> Result<Self, MergeError> {
        if let Some(other) = parts.iter().find(|it| it.order != order) {
            return Err(MergeError(order, other.order));
        }
        let mut of_class: BTreeMap<Box<str>, Vec<Model>> = BTreeMap::new();
        for (class, model) in parts.into_iter().flat_map(|it| it.classes) {
            of_class.entry(class).or_default().push(model);
        }
        let classes = of_class.into_iter().map(|(class, mut models)| match models.len() {
            1 => (class, models.pop().unwrap_or_default()),
            _ => (class, Model::merged(&models.iter().collect::<Vec<_>>())),
        });
        Ok(Self::new(order, classes.collect()))
    }

    /// Adds other models, likewise.
    ///
    /// # Errors
    ///
    /// If they are of another order.
    pub fn merge(&mut self, other: Self) -> Result<(), MergeError> {
        if self.order != other.order {
            return Err(MergeError(self.order, other.order));
        }
        for (class, model) in other.classes {
            match self.classes.get_mut(&class) {
                Some(known) => *known = Model::merged(&[known, &model]),
                None => drop(self.classes.insert(class, model)),
            }
        }
        Ok(())
    }
}
