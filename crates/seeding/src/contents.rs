//! Methods that change what a collection or map in a field holds.
//!
//! Such a method is a setter, whatever its name: builders have `hole`, `filter` or `field` where
//! others have `add`.

use std::collections::BTreeSet;

use crashback_program::classes::Classes;
use crashback_program::code::{Cfg, MethodBody, Provenance, ValueOrigin, call_sites};

use crate::preparations::{FieldKey, field_key};

/// Beginnings of the names of methods by which collections and maps of the JDK change.
const CHANGES: [&str; 12] =
    ["add", "clear", "compute", "insert", "merge", "offer", "poll", "pop", "push", "put", "remove", "set"];

/// The fields whose collections or maps the code of a method changes itself.
pub(crate) fn changed_by(classes: &Classes<'_>, body: &MethodBody<'_>) -> BTreeSet<FieldKey> {
    let calls: Vec<usize> = call_sites(body)
        .filter(|it| it.method().is_some_and(|it| is_change(&it.owner.to_str(), &it.name.to_str())))
        .map(|it| it.instruction)
        .collect();
    if calls.is_empty() {
        return BTreeSet::new();
    }
    let cfg = Cfg::of(body);
    let Ok(provenance) = Provenance::of(body, &cfg) else { return BTreeSet::new() };
    let receivers = calls.into_iter().filter_map(|it| provenance.receiver_of(it));
    let fields = receivers.filter_map(|it| match it {
        ValueOrigin::Field { field, .. } => field_key(classes, &field),
        _ => None,
    });
    fields.collect()
}

fn is_change(owner: &str, name: &str) -> bool {
    owner.starts_with("java/util/") && CHANGES.iter().any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::is_change;

    #[test]
    fn methods_that_only_ask_change_nothing() {
        assert!(is_change("java/util/List", "add") && is_change("java/util/Map", "putAll"));
        assert!(!is_change("java/util/List", "get") && !is_change("shop/Stock", "add"));
    }
}
