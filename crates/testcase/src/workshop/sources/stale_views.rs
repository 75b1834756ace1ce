use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::{Arguments, Literal, MethodId, Statement, Type, Var};

/// Iterators and parts of a list that changed after they were taken.
pub(super) struct StaleViews;

impl ValueSource for StaleViews {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_stale_views
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        if !builder.catalogue.pools.is_modification_crash {
            return Offer::Pass;
        }
        let view = match builder.catalogue.class_name(request.of) {
            Some("java/util/Iterator") => ITERATOR,
            Some("java/util/ListIterator") => LIST_ITERATOR,
            Some("java/util/List" | "java/util/Collection" | "java/lang/Iterable") => PART,
            _ => return Offer::Pass,
        };
        if builder.random.chance(builder.tuning.stale_view) {
            stale_view(builder, request, view).into()
        } else {
            Offer::Pass
        }
    }
}

/// A view of a new list, to which an element is added afterwards.
fn stale_view(builder: &mut Builder<'_, '_>, request: &Request<'_>, view: &str) -> Option<Var> {
    let (new, add, view_method) = (method(builder, NEW)?, method(builder, ADD)?, method(builder, view)?);
    let depth = builder.inner_depth(request)?;
    let elements = match request.type_arguments.first() {
        Some(of) => Request::new(of.of, depth).with_type_arguments(&of.arguments),
        None => {
            let object = builder.catalogue.vocabulary.add_type(Type::of_class("java/lang/Object"));
            Request::new(object, depth)
        }
    };
    let element = builder.value(&elements)?;
    let of = builder.catalogue.vocabulary.method(new)?.owner;
    let construct = Statement::Construct { constructor: new, arguments: Arguments::new() };
    let list = builder.draft.push(construct, Some(of))?;
    let added = Arguments::from_slice(&[element]);
    builder.push_call(add, Some(list), added.clone())?;
    let mut arguments = Arguments::new();
    if view == PART {
        arguments.push(builder.push_literal(Literal::Int(0))?);
        arguments.push(builder.push_literal(Literal::Int(1))?);
    }
    let taken = builder.push_call(view_method, Some(list), arguments)?;
    builder.push_call(add, Some(list), added)?;
    Some(taken)
}

fn method(builder: &mut Builder<'_, '_>, name: &str) -> Option<MethodId> {
    let hierarchy = builder.catalogue.context.hierarchy();
    builder.catalogue.vocabulary.find_method(hierarchy, name).ok()
}

const NEW: &str = "java/util/ArrayList.<init>()V";
const ADD: &str = "java/util/ArrayList.add(Ljava/lang/Object;)Z";
const ITERATOR: &str = "java/util/ArrayList.iterator()Ljava/util/Iterator;";
const LIST_ITERATOR: &str = "java/util/ArrayList.listIterator()Ljava/util/ListIterator;";
const PART: &str = "java/util/ArrayList.subList(II)Ljava/util/List;";
