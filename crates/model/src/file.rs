//! Models as bytes: magic, version, checksum, content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::model::Outgoing;
use crate::models::MAX_ORDER;
use crate::{Action, Model, Models};

/// The version of the format. It changes with every change of the format or of how sequences are found.
pub const FILE_VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"CBmodel\n";

/// Bytes that are no models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// They begin otherwise.
    #[error("it is no file of models; `crashback model build` makes one")]
    NoModels,
    /// They are of another version.
    #[error(
        "it has models of version {found}, and this Crashback reads version {FILE_VERSION}; \
         make it anew with `crashback model build`"
    )]
    OtherVersion {
        /// Their version.
        found: u32,
    },
    /// They are cut or changed.
    #[error("it is damaged; make it anew with `crashback model build`")]
    Damaged,
}

/// The content. Texts are written once, and named by their places.
#[derive(Serialize, Deserialize)]
struct Stored {
    order: usize,
    texts: Vec<String>,
    classes: Vec<StoredModel>,
}

#[derive(Serialize, Deserialize)]
struct StoredModel {
    class: String,
    /// Name and descriptor of each action.
    actions: Vec<(u32, u32)>,
    states: Vec<StoredState>,
}

#[derive(Serialize, Deserialize)]
struct StoredState {
    recent: Vec<u32>,
    ends: u64,
    next: Vec<(u32, u64)>,
}

impl Models {
    /// The models as bytes; equal models have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut texts: Vec<&str> = Vec::new();
        for (_, model) in self.iter() {
            texts.extend(model.actions().iter().flat_map(|it| [&*it.name, &*it.descriptor]));
        }
        texts.sort_unstable();
        texts.dedup();
        let classes = self.iter().map(|(class, model)| stored(class, model, &texts)).collect();
        let texts = texts.iter().map(|it| (*it).to_owned()).collect();
        // Writing to memory does not fail.
        let content =
            postcard::to_stdvec(&Stored { order: self.order(), texts, classes }).unwrap_or_default();
        let (version, checksum) = (FILE_VERSION.to_le_bytes(), xxh3_64(&content).to_le_bytes());
        [&MAGIC[..], &version, &checksum, &content].concat()
    }

    /// The models that bytes hold.
    ///
    /// # Errors
    ///
    /// If they hold none, or models of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(FileError::NoModels)?;
        let (version, rest) = rest.split_first_chunk().ok_or(FileError::Damaged)?;
        let found = u32::from_le_bytes(*version);
        if found != FILE_VERSION {
            return Err(FileError::OtherVersion { found });
        }
        let (checksum, content) = rest.split_first_chunk().ok_or(FileError::Damaged)?;
        if u64::from_le_bytes(*checksum) != xxh3_64(content) {
            return Err(FileError::Damaged);
        }
        let stored: Stored = postcard::from_bytes(content).map_err(|_| FileError::Damaged)?;
        restored(stored).ok_or(FileError::Damaged)
    }
}

fn stored(class: &str, model: &Model, texts: &[&str]) -> StoredModel {
    let place = |text: &str| {
        let found = texts.binary_search(&text).ok();
        found.and_then(|it| u32::try_from(it).ok()).unwrap_or_default()
    };
    let actions = model.actions().iter().map(|it| (place(&it.name), place(&it.descriptor))).collect();
    let states = model.raw_states().iter().map(|(recent, outgoing)| StoredState {
        recent: recent.clone(),
        ends: outgoing.ends,
        next: outgoing.next.iter().map(|(action, weight)| (*action, *weight)).collect(),
    });
    StoredModel { class: class.to_owned(), actions, states: states.collect() }
}

/// The models of a content; none if it names things that it does not have.
fn restored(stored: Stored) -> Option<Models> {
    let Stored { order, texts, classes } = stored;
    let mut models = BTreeMap::new();
    for StoredModel { class, actions, states } in classes {
        let text = |number: u32| texts.get(number as usize);
        let named = |(name, descriptor)| Some(Action::new(text(name)?, text(descriptor)?));
        let actions: Vec<Action> = actions.into_iter().map(named).collect::<Option<_>>()?;
        if !actions.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let is_known = |action: &u32| (*action as usize) < actions.len();
        let mut restored = BTreeMap::new();
        for StoredState { recent, ends, next } in states {
            if !recent.iter().chain(next.iter().map(|(it, _)| it)).all(is_known) {
                return None;
            }
            restored.insert(recent, Outgoing { ends, next: next.into_iter().collect() });
        }
        models.insert(class.into(), Model::new(actions, restored));
    }
    (2..=MAX_ORDER).contains(&order).then(|| Models::new(order, models))
}
