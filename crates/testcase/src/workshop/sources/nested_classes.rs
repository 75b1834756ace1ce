//! Classes that belong to the test, for code that reflects on the classes of its users: beans with fields
//! that are annotated with the program's own annotations, as class literals and as objects.

use super::{Offer, ValueSource};
use crate::nested::GENERIC;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::{AnnotationType, Element, ElementKind, NestedParts, Tuning};
use crate::{
    ElementValue, GivenAnnotation, GivenElement, Initial, Literal, Nested, NestedClass, NestedField, Places,
    Statement, Text, Type, TypeRef,
};

/// Classes of the test and objects of them.
pub(super) struct NestedClasses;

impl ValueSource for NestedClasses {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_nested_classes
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let Some(of) = builder.catalogue.vocabulary.type_of(request.of) else { return Offer::Pass };
        let is_class = of.view() == TypeRef::CLASS;
        if !is_class && of.view() != TypeRef::OBJECT
            || builder.catalogue.pools.nested.is_none()
            || !builder.random.chance(builder.tuning.nested_class)
        {
            return Offer::Pass;
        }
        let Some(nested) = builder.nested() else { return Offer::Pass };
        let literal = if is_class { Literal::NestedClass(nested) } else { Literal::NestedObject(nested) };
        builder.push_literal(literal).into()
    }
}

/// Types of fields that people write first.
const USUAL: [&str; 18] = [
    "Ljava/lang/String;",
    "I",
    "Z",
    "Ljava/util/List;",
    "Ljava/lang/String;",
    "I",
    "Ljava/lang/Integer;",
    "Ljava/util/Map;",
    "[Ljava/lang/String;",
    "[I",
    "J",
    "D",
    "Ljava/lang/Object;",
    "Ljava/lang/Boolean;",
    "Ljava/util/Set;",
    "Ljava/lang/Class;",
    "C",
    "Ljava/lang/Thread$State;",
];

/// Types that people write as type arguments.
const ARGUMENTS: [&str; 4] =
    ["Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Object;", "Ljava/lang/String;"];

/// Changes of a class of the test.
#[derive(Clone, Copy)]
enum Step {
    AddField,
    RemoveField,
    RetypeField,
    ChangeModifier,
    ChangeAccessors,
    ChangeAnnotations,
    ChangeElement,
}

const STEPS: [Step; 7] = [
    Step::AddField,
    Step::RemoveField,
    Step::RetypeField,
    Step::ChangeModifier,
    Step::ChangeAccessors,
    Step::ChangeAnnotations,
    Step::ChangeElement,
];

/// Places of annotations.
#[derive(Clone, Copy)]
enum Site {
    Class,
    Field,
    Setter,
}

impl Builder<'_, '_> {
    /// A class that the test has already, or another.
    fn nested(&mut self) -> Option<Nested> {
        let known: Vec<Nested> = self
            .draft
            .statements()
            .filter_map(|it| match it {
                Statement::Literal(Literal::NestedClass(of) | Literal::NestedObject(of)) => Some(of.clone()),
                _ => None,
            })
            .collect();
        if !known.is_empty() && self.random.chance(self.tuning.nested_again) {
            return self.random.pick(&known).cloned();
        }
        let mut class = NestedClass::default();
        if self.random.one_in(self.tuning.nested_annotated_class) {
            class.annotations.extend(self.annotation(Site::Class));
        }
        for _ in 0..self.random.place(self.tuning.nested_fields + 1) {
            let field = self.field();
            class.fields.extend(field);
        }
        self.declarable(class)
    }

    /// A class of the test near another. Some changes fail, such as one of an annotation where there is none.
    pub(super) fn near_nested(&mut self, nested: &Nested) -> Option<Nested> {
        const ATTEMPTS: usize = 5;
        (0..ATTEMPTS).find_map(|_| self.changed_nested(nested).filter(|it| it != nested))
    }

    fn changed_nested(&mut self, nested: &Nested) -> Option<Nested> {
        let mut class = nested.class().clone();
        let step = *self.random.pick(&STEPS)?;
        let place = self.random.place(class.fields.len());
        match (step, class.fields.get_mut(place)) {
            (Step::RemoveField, Some(_)) => drop(class.fields.remove(place)),
            (Step::RetypeField, Some(field)) => {
                (field.of, field.arguments) = self.field_type()?;
                field.is_set &= Initial::of(field.of.view()).is_some();
            }
            (Step::ChangeModifier, Some(field)) => self.change_modifier(field),
            (Step::ChangeAccessors, Some(field)) if !field.is_static => {
                field.has_getter = self.random.coin();
                field.has_setter = self.random.coin();
                field.setter_annotations.retain(|_| field.has_setter);
            }
            (Step::ChangeAnnotations, Some(field)) if !self.random.one_in(4) => {
                let on_setter = field.has_setter && self.random.one_in(3);
                let (site, given) = match on_setter {
                    true => (Site::Setter, &mut field.setter_annotations),
                    false => (Site::Field, &mut field.annotations),
                };
                given.clear();
                let count = self.random.place(3);
                self.annotate(site, given, count);
            }
            (Step::ChangeAnnotations, _) => {
                class.annotations.clear();
                let count = self.random.place(2);
                self.annotate(Site::Class, &mut class.annotations, count);
            }
            (Step::ChangeElement, Some(_)) => self.change_element(&mut class)?,
            _ => class.fields.push(self.field()?),
        }
        self.declarable(class)
    }

    /// A text by which a class of the test names one of its parts, or the name of a field: what is read for
    /// such a class mostly has these. Where the test has no such class chance is not asked.
    pub(super) fn nested_text(&mut self) -> Option<Text> {
        let known = self.draft.statements().filter_map(|it| match it {
            Statement::Literal(Literal::NestedClass(of) | Literal::NestedObject(of)) => Some(of),
            _ => None,
        });
        let mut texts: Vec<Text> = Vec::new();
        for nested in known {
            let NestedClass { annotations, fields } = nested.class();
            let of_fields = fields.iter().flat_map(|it| it.annotations.iter().chain(&it.setter_annotations));
            let elements = annotations.iter().chain(of_fields).flat_map(|it| &it.elements);
            elements.for_each(|it| add_texts(&it.value, &mut texts));
            texts.extend(nested.names().iter().map(|it| Text::from(it.as_str())));
        }
        if texts.is_empty() || !self.random.chance(self.tuning.nested_text) {
            return None;
        }
        self.random.pick(&texts).cloned()
    }

    /// The class, if a source can declare it.
    fn declarable(&self, class: NestedClass) -> Option<Nested> {
        let nested = Nested::new(class);
        self.catalogue.context.check_nested(&nested).is_ok().then_some(nested)
    }

    fn change_modifier(&mut self, field: &mut NestedField) {
        if !field.is_static && self.random.one_in(3) {
            field.is_set = !field.is_set && Initial::of(field.of.view()).is_some();
        } else if self.random.one_in(3) {
            field.is_static = !field.is_static;
            if field.is_static {
                (field.has_getter, field.has_setter, field.is_set) = (false, false, false);
                field.setter_annotations.clear();
            }
        } else {
            field.is_private = !field.is_private;
        }
    }

    /// A field with annotations, by chance.
    fn field(&mut self) -> Option<NestedField> {
        let (of, arguments) = self.field_type()?;
        let mut field = NestedField::of(of, arguments);
        let tuning = self.tuning;
        field.is_private = self.random.coin();
        field.is_static = self.random.chance(tuning.nested_static_field);
        field.is_set = !field.is_static
            && Initial::of(field.of.view()).is_some()
            && self.random.chance(tuning.nested_initial);
        field.has_getter = !field.is_static && self.random.chance(tuning.nested_accessor);
        field.has_setter = !field.is_static && self.random.chance(tuning.nested_accessor);
        if self.random.chance(tuning.nested_annotated_field) {
            match field.has_setter && self.random.one_in(3) {
                true => self.annotate(Site::Setter, &mut field.setter_annotations, 1),
                false => self.annotate(Site::Field, &mut field.annotations, 1),
            }
        }
        Some(field)
    }

    fn field_type(&mut self) -> Option<(Type, Vec<Type>)> {
        let types = self.parts()?.types.len();
        let place = self.random.place(USUAL.len() + 2 * types);
        let of = match place.checked_sub(USUAL.len()) {
            None => Type((*USUAL.get(place)?).into()),
            Some(mentioned) => self.parts()?.types.get(mentioned / 2)?.clone(),
        };
        let generic = GENERIC.iter().find(|(name, _)| *name == of.descriptor());
        let count = generic.map_or(0, |(_, count)| *count);
        let is_raw = count > 0 && self.random.one_in(4);
        let mut arguments = Vec::new();
        for _ in (0..count).filter(|_| !is_raw) {
            arguments.push(Type((*self.random.pick(&ARGUMENTS)?).into()));
        }
        Some((of, arguments))
    }

    fn parts(&self) -> Option<&NestedParts> {
        self.catalogue.pools.nested.as_ref()
    }

    fn annotate(&mut self, site: Site, given: &mut Vec<GivenAnnotation>, count: usize) {
        for _ in 0..count {
            let annotation = self.annotation(site);
            given.extend(annotation.filter(|new| given.iter().all(|it| it.of != new.of)));
        }
    }

    /// An annotation that may stand at a place, rather one that code names early.
    fn annotation(&mut self, site: Site) -> Option<GivenAnnotation> {
        let may_stand = |it: Places| match site {
            Site::Class => it.types,
            Site::Field => it.fields,
            Site::Setter => it.methods,
        };
        let known: Vec<&AnnotationType> = self
            .catalogue
            .pools
            .nested
            .as_ref()?
            .annotations
            .iter()
            .filter(|it| may_stand(it.places))
            .collect();
        let place = self.random.place(known.len()).min(self.random.place(known.len()));
        let annotation = (*known.get(place)?).clone();
        let mut elements = Vec::new();
        for element in &annotation.elements {
            if element.is_required || self.random.chance(self.tuning.nested_element) {
                elements.push(self.given_element(element)?);
            }
        }
        Some(GivenAnnotation { of: annotation.of, elements })
    }

    fn given_element(&mut self, element: &Element) -> Option<GivenElement> {
        let value = self.element_value(&element.kind)?;
        Some(GivenElement { name: element.name.clone(), value, is_required: element.is_required })
    }

    fn element_value(&mut self, kind: &ElementKind) -> Option<ElementValue> {
        Some(match kind {
            ElementKind::Plain(of) => ElementValue::Plain(self.plain_element(of)?),
            ElementKind::Class(Some(bound)) => ElementValue::Class(bound.clone()),
            ElementKind::Class(None) => ElementValue::Class(Type((*self.random.pick(&USUAL)?).into())),
            ElementKind::Constant(of, names) => {
                ElementValue::Constant { of: of.clone(), name: self.random.pick(names)?.clone() }
            }
            ElementKind::Array(inner) => {
                let count = self.random.place(self.tuning.nested_array_length + 1);
                let values = (0..count).map(|_| self.element_value(inner));
                ElementValue::Array(values.collect::<Option<_>>()?)
            }
        })
    }

    /// A value of a plain type: texts that are short and that a class file can have.
    fn plain_element(&mut self, of: &Type) -> Option<Literal> {
        const LONGEST: usize = 40;
        let known: Vec<Literal> = self
            .draft
            .statements()
            .filter_map(|it| match it {
                Statement::Literal(literal @ Literal::Text(_)) => Some(literal.clone()),
                _ => None,
            })
            .collect();
        let shared = of.view() == TypeRef::STRING && !known.is_empty();
        let literal = match shared && self.random.chance(self.tuning.nested_text) {
            true => self.random.pick(&known).cloned()?,
            false => self.random_literal(of.view())?,
        };
        Some(match &literal {
            Literal::Text(text)
                if text.units().len() > LONGEST || String::from_utf16(text.units()).is_err() =>
            {
                Literal::Text("a".into())
            }
            _ => literal,
        })
    }

    /// Gives another value to an element of an annotation, or gives or takes one that has a default.
    fn change_element(&mut self, class: &mut NestedClass) -> Option<()> {
        let of_fields =
            class.fields.iter_mut().flat_map(|it| [&mut it.annotations, &mut it.setter_annotations]);
        let mut given: Vec<&mut GivenAnnotation> =
            [&mut class.annotations].into_iter().chain(of_fields).flatten().collect();
        let place = self.random.place(given.len());
        let annotation = given.get_mut(place)?;
        let known = self.parts()?.annotations.iter().find(|it| it.of == annotation.of)?.clone();
        let element = self.random.pick(&known.elements)?.clone();
        let place = annotation.elements.iter().position(|it| it.name == element.name);
        match place {
            Some(place) if !element.is_required && self.random.coin() => {
                annotation.elements.remove(place);
            }
            Some(place) => *annotation.elements.get_mut(place)? = self.given_element(&element)?,
            None => annotation.elements.push(self.given_element(&element)?),
        }
        Some(())
    }
}

fn add_texts(value: &ElementValue, texts: &mut Vec<Text>) {
    match value {
        ElementValue::Plain(Literal::Text(text)) => texts.push(text.clone()),
        ElementValue::Array(values) => values.iter().for_each(|it| add_texts(it, texts)),
        _ => {}
    }
}
