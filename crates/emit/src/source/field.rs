//! Fields.

use crashback_program::MemberView;
use crashback_program::hierarchy::Supertype;
use crashback_testcase::{FieldId, MemberName, Var};

use super::formal::field_type;
use super::java_type::{JavaType, Seen};
use super::writer::{Expression, Form, Writer};

impl<'a> Writer<'a> {
    /// A field, and the type of the value that is assigned to it.
    pub(crate) fn field(&self, field: FieldId, receiver: Option<Var>) -> Option<(Expression, JavaType)> {
        let field = self.vocabulary.field(field)?;
        let name = self.vocabulary.field_name(field)?;
        let declared = self.context.field(&name).ok().flatten();
        let erased = JavaType::erased(self.type_of(field.of)?);
        let declaring = declared.map(|it| it.class().name()).filter(|it| self.context.class(it).is_ok());
        let Some(receiver) = receiver else {
            let owner = declaring.unwrap_or(&name.owner);
            let text = format!("{}.{}", self.imports.class_name(owner), name.name);
            let of = declared.and_then(field_type).filter(|it| !it.mentions_variable());
            return Some((
                Expression::new(text, Some(of.unwrap_or_else(|| erased.clone())), Form::Primary),
                erased,
            ));
        };
        let receiver = self.value(receiver);
        let is_found = receiver.of.as_ref().is_some_and(|it| self.finds_field(it, &name, declared));
        let receiver = match declaring {
            _ if is_found => receiver,
            Some(declaring) => self.cast(receiver, &JavaType::class(declaring)),
            None => self.cast(receiver, &JavaType::class(&name.owner)),
        };
        let text = format!("{}.{}", receiver.as_primary(), name.name);
        Some((Expression::new(text, Some(erased.clone()), Form::Primary).with(receiver.throws), erased))
    }

    /// Whether a name means the field through a type, and the field has its erased type there.
    fn finds_field(&self, of: &JavaType, name: &MemberName, declared: Option<MemberView<'a>>) -> bool {
        let Some(class) = of.class_constant() else { return false };
        let Some(declared) = declared else { return class == name.owner };
        let through = MemberName { owner: class.clone(), ..name.clone() };
        let above = self.context.hierarchy().supertypes(&class);
        let mut named = above
            .into_iter()
            .filter_map(Supertype::known)
            .flat_map(|it| it.fields().filter(|it| it.name() == name.name && !it.is_synthetic()));
        let is_only = named.all(|it| it.class().reference() == declared.class().reference());
        let is_erased = field_type(declared).is_none_or(|it| !it.mentions_variable())
            || self.signatures().seen_from(of, declared.class().name()) == Seen::Raw;
        is_only && is_erased && self.context.field(&through).is_ok_and(|it| it.is_some())
    }
}
