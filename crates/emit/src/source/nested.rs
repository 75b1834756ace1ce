//! Classes that belong to the test, as static classes below the test method.

use std::fmt::Write as _;

use crashback_testcase::{
    Context, ElementValue, GivenAnnotation, Initial, Literal, Nested, NestedClass, NestedField, Statement,
    TestCase, TypeRef,
};

use super::java_type::{Argument, JavaType};
use super::literal;
use super::writer::Writer;

/// Names for the classes of a test: by what they are for, numbered where there are several.
pub(crate) fn names(test: &TestCase, context: Context<'_>, own_class: &str) -> Vec<(Nested, String)> {
    let mut found: Vec<(Nested, String)> = Vec::new();
    for statement in test.statements() {
        let Statement::Literal(Literal::NestedClass(of) | Literal::NestedObject(of)) = statement else {
            continue;
        };
        if found.iter().any(|(known, _)| known == of) {
            continue;
        }
        let is_taken = |name: &str| {
            let in_package = format!("{}/{name}", context.package());
            name == own_class
                || found.iter().any(|(_, known)| known == name)
                || context.index().contains(name)
                || context.index().contains(&in_package)
        };
        let role = role(of.class());
        let numbered = |number: usize| if number == 1 { role.to_owned() } else { format!("{role}{number}") };
        if let Some(name) = (1..).map(numbered).find(|it| !is_taken(it)) {
            found.push((of.clone(), name));
        }
    }
    found
}

/// What a class is for.
fn role(class: &NestedClass) -> &'static str {
    let is_annotated = |it: &NestedField| !it.annotations.is_empty() || !it.setter_annotations.is_empty();
    match class {
        it if it.fields.iter().any(is_annotated) => "Options",
        it if !it.annotations.is_empty() => "Component",
        _ => "Bean",
    }
}

impl Writer<'_> {
    /// The name of a class of the test.
    pub(crate) fn nested_name(&self, of: &Nested) -> &str {
        self.nested.iter().find(|(known, _)| known == of).map_or("Bean", |(_, name)| name)
    }

    /// Whether a text is the literal of a class of the test, or makes an object of one. A compiler knows of
    /// what class these are, and refuses casts that others may have.
    pub(crate) fn is_nested(&self, text: &str) -> bool {
        self.nested.iter().any(|(_, name)| {
            text.strip_suffix(".class") == Some(name)
                || text.strip_prefix("new ").and_then(|it| it.strip_suffix("()")) == Some(name)
        })
    }

    /// The declarations of the classes of the test that its text uses.
    pub(crate) fn nested_classes(&self) -> Vec<String> {
        let is_used = |wanted: &Nested| {
            self.test.statements().iter().enumerate().any(|(number, it)| match it {
                Statement::Literal(Literal::NestedClass(of) | Literal::NestedObject(of)) => {
                    of == wanted && !self.plan.uses(number).is_empty()
                }
                _ => false,
            })
        };
        let used = self.nested.iter().filter(|(of, _)| is_used(of));
        used.map(|(of, name)| self.nested_class(of, name)).collect()
    }

    fn nested_class(&self, of: &Nested, name: &str) -> String {
        let mut text = String::new();
        for annotation in &of.class().annotations {
            let _ = writeln!(text, "    {}", self.annotation(annotation));
        }
        let _ = write!(text, "    public static class {name} {{");
        let fields = || of.class().fields.iter().zip(of.names());
        for (field, name) in fields() {
            text += "\n";
            for annotation in &field.annotations {
                let _ = writeln!(text, "        {}", self.annotation(annotation));
            }
            let visibility = if field.is_private { "private" } else { "public" };
            let modifier = if field.is_static { " static" } else { "" };
            let value = self.initial(field).map_or_else(String::new, |it| format!(" = {it}"));
            let of = self.field_type(field);
            let _ = writeln!(text, "        {visibility}{modifier} {of} {name}{value};");
        }
        for (field, name) in fields() {
            text += &self.accessors(field, &name);
        }
        text += if of.class().fields.is_empty() { "}\n" } else { "    }\n" };
        text
    }

    /// The value that a field has from the start.
    fn initial(&self, field: &NestedField) -> Option<String> {
        let initial = Initial::of(field.of.view()).filter(|_| field.is_set)?;
        Some(match (initial, field.of.descriptor()) {
            (Initial::Text, _) => "\"a\"".to_owned(),
            (Initial::New(class), _) => {
                let diamond = if field.arguments.is_empty() { "" } else { "<>" };
                format!("new {}{diamond}()", self.imports.class_name(class))
            }
            (Initial::One, "Z") => "true".to_owned(),
            (Initial::One, "C") => "'a'".to_owned(),
            (Initial::One, _) => "1".to_owned(),
        })
    }

    fn accessors(&self, field: &NestedField, name: &str) -> String {
        let of = self.field_type(field);
        let mut text = String::new();
        if field.has_getter {
            let getter = field.getter(name);
            let _ =
                write!(text, "\n        public {of} {getter}() {{\n            return {name};\n        }}\n");
        }
        if field.has_setter {
            text += "\n";
            for annotation in &field.setter_annotations {
                let _ = writeln!(text, "        {}", self.annotation(annotation));
            }
            let setter = NestedField::setter(name);
            let _ = write!(
                text,
                "        public void {setter}({of} {name}) {{\n            this.{name} = {name};\n        \
                 }}\n"
            );
        }
        text
    }

    fn field_type(&self, field: &NestedField) -> String {
        let of = match field.of.class_name() {
            Some(name) if !field.arguments.is_empty() => {
                let arguments = field.arguments.iter().map(|it| Argument::Exact(JavaType::erased(it.view())));
                JavaType::Class { name: name.to_owned(), arguments: arguments.collect() }
            }
            _ => JavaType::erased(field.of.view()),
        };
        self.imports.type_name(&of)
    }

    fn annotation(&self, given: &GivenAnnotation) -> String {
        let name = self.imports.type_name(&JavaType::erased(given.of.view()));
        let elements: Vec<String> = given
            .elements
            .iter()
            .map(|it| match (&*it.name, given.elements.len()) {
                ("value", 1) => self.element_value(&it.value),
                (name, _) => format!("{name} = {}", self.element_value(&it.value)),
            })
            .collect();
        if elements.is_empty() { format!("@{name}") } else { format!("@{name}({})", elements.join(", ")) }
    }

    fn element_value(&self, value: &ElementValue) -> String {
        match value {
            ElementValue::Plain(literal) => literal::write_assigned(literal, None, self.imports),
            ElementValue::Class(of) => {
                format!("{}.class", self.imports.type_name(&JavaType::erased(of.view())))
            }
            ElementValue::Constant { of, name } => {
                format!("{}.{name}", self.imports.type_name(&JavaType::erased(TypeRef(of.descriptor()))))
            }
            ElementValue::Array(values) => match values.as_slice() {
                [only] => self.element_value(only),
                values => {
                    let texts: Vec<String> = values.iter().map(|it| self.element_value(it)).collect();
                    format!("{{{}}}", texts.join(", "))
                }
            },
        }
    }
}
