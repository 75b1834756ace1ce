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

    /// Adds other models: the result is the same as if all sequences had been collected together.
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
                Some(known) => known.merge(&model),
                None => drop(self.classes.insert(class, model)),
            }
        }
        Ok(())
    }
}
