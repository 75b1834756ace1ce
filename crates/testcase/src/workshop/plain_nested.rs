//! Classes of the test with less in them.

use crate::{ElementValue, GivenAnnotation, Literal, Nested, NestedClass, NestedField, Type};

/// Classes with fewer fields, methods, annotations and elements than another, and plainer types and values.
pub(super) fn plainer_nested(nested: &Nested) -> Vec<Nested> {
    let class = nested.class();
    let mut found = Vec::new();
    for place in 0..class.fields.len() {
        found.push(changed(class, |it| drop(it.fields.remove(place))));
    }
    for with in plainer_annotations(&class.annotations) {
        found.push(changed(class, |it| it.annotations = with));
    }
    for (place, field) in class.fields.iter().enumerate() {
        let mut add = |change: &mut dyn FnMut(&mut NestedField)| {
            found.push(changed(class, |it| it.fields.iter_mut().skip(place).take(1).for_each(&mut *change)));
        };
        for with in plainer_annotations(&field.annotations) {
            add(&mut |it| it.annotations.clone_from(&with));
        }
        for with in plainer_annotations(&field.setter_annotations) {
            add(&mut |it| it.setter_annotations.clone_from(&with));
        }
        add(&mut |it| it.has_getter = false);
        add(&mut |it| {
            it.has_setter = false;
            it.setter_annotations.clear();
        });
        add(&mut |it| it.is_set = false);
        add(&mut |it| it.is_static = false);
        add(&mut |it| it.is_private = false);
        add(&mut |it| it.arguments.clear());
        let plain = PLAIN.into_iter().take_while(|it| *it != field.of.descriptor());
        for plain in plain {
            add(&mut |it| (it.of, it.arguments) = (Type(plain.into()), Vec::new()));
        }
    }
    found.retain(|it| it != nested);
    found
}

/// The plainest types of fields.
const PLAIN: [&str; 2] = ["Ljava/lang/String;", "I"];

fn changed(class: &NestedClass, change: impl FnOnce(&mut NestedClass)) -> Nested {
    let mut other = class.clone();
    change(&mut other);
    Nested::new(other)
}

/// The annotations without one, without an element that has a default, or with a plainer element.
fn plainer_annotations(given: &[GivenAnnotation]) -> Vec<Vec<GivenAnnotation>> {
    let mut found = Vec::new();
    for (place, annotation) in given.iter().enumerate() {
        let without = given.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, it)| it.clone());
        found.push(without.collect());
        for (number, element) in annotation.elements.iter().enumerate() {
            let mut with = |change: &dyn Fn(&mut GivenAnnotation)| {
                let mut other = given.to_vec();
                other.iter_mut().skip(place).take(1).for_each(change);
                found.push(other);
            };
            if !element.is_required {
                with(&|it| drop(it.elements.remove(number)));
            }
            for plain in plainer_values(&element.value) {
                with(&|it| {
                    it.elements.iter_mut().skip(number).take(1).for_each(|it| it.value = plain.clone());
                });
            }
        }
    }
    found
}

fn plainer_values(value: &ElementValue) -> Vec<ElementValue> {
    match value {
        ElementValue::Plain(Literal::Text(text)) => {
            // The empty text, then a letter in the place of any other text that is not empty.
            let plain = match text.units() {
                [] => &[][..],
                [0x61] => &[""][..],
                _ => &["", "a"][..],
            };
            plain.iter().map(|it| ElementValue::Plain(Literal::Text((*it).into()))).collect()
        }
        ElementValue::Plain(Literal::Boolean(true)) => vec![ElementValue::Plain(Literal::Boolean(false))],
        ElementValue::Plain(Literal::Int(it)) => {
            let plain =
                [0, 1].into_iter().filter(|plain| i64::from(*plain) < i64::from(*it).abs() || *it < 0);
            plain.map(|it| ElementValue::Plain(Literal::Int(it))).collect()
        }
        ElementValue::Array(values) => {
            let fewer = (0..values.len()).map(|place| {
                let rest = values.iter().enumerate().filter(|(at, _)| *at != place);
                ElementValue::Array(rest.map(|(_, it)| it.clone()).collect())
            });
            let plainer = values.iter().enumerate().flat_map(|(place, value)| {
                plainer_values(value).into_iter().map(move |plain| {
                    let mut other = values.clone();
                    other.iter_mut().skip(place).take(1).for_each(|it| *it = plain.clone());
                    ElementValue::Array(other)
                })
            });
            fewer.chain(plainer).collect()
        }
        _ => Vec::new(),
    }
}
