use std::fmt;
use std::str::FromStr;

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::hierarchy::Hierarchy;
use crashback_program::{ClassView, MemberView};

use crate::{Error, Field, FieldId, Kind, Method, MethodId, Type, TypeId, TypeRef, Vocabulary};

/// A method, constructor or field by name, as text: `java/lang/String.length()I`,
/// `pkg/A.<init>(I)V`, `pkg/A.f:I`.
///
/// Names are those of class files, so that the text is exact: the owner is an internal name or the
/// descriptor of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberName {
    /// The class through which it is named.
    pub owner: String,
    /// Its name, `<init>` for constructors.
    pub name: String,
    /// Its descriptor, which begins with `(` for everything but fields.
    pub descriptor: String,
}

impl MemberName {
    /// The name of a member through the class that declares it.
    pub fn of(member: MemberView<'_>) -> Self {
        Self::through(member.class().name(), member)
    }

    /// The name of a member through that class or one below it.
    pub fn through(owner: &str, member: MemberView<'_>) -> Self {
        let (name, descriptor) = (member.name().to_owned(), member.descriptor().to_owned());
        Self { owner: owner.to_owned(), name, descriptor }
    }

    /// Whether this is the name of a method or constructor, not that of a field.
    pub fn is_method(&self) -> bool {
        self.descriptor.starts_with('(')
    }

    fn is_well_formed(&self) -> bool {
        let is_typed = if self.is_method() {
            MethodDescriptor::parse(JavaStr::new(self.descriptor.as_bytes())).is_ok()
        } else {
            TypeRef(&self.descriptor).is_well_formed()
        };
        is_typed && !self.owner.is_empty() && !self.name.is_empty()
    }
}

impl FromStr for MemberName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // Neither class names nor member names hold a dot (JVMS 4.2).
        let parsed = text.split_once('.').and_then(|(owner, member)| {
            let (name, descriptor) = match member.find('(') {
                Some(parameters) => member.split_at_checked(parameters)?,
                None => member.rsplit_once(':')?,
            };
            Some(MemberName { owner: owner.into(), name: name.into(), descriptor: descriptor.into() })
        });
        parsed.filter(MemberName::is_well_formed).ok_or_else(|| Error::MalformedMember(text.into()))
    }
}

impl fmt::Display for MemberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.is_method() { "" } else { ":" };
        write!(f, "{}.{}{colon}{}", self.owner, self.name, self.descriptor)
    }
}

/// Members of the class index as entries.
impl Vocabulary {
    /// The number of the type of a class.
    pub fn add_class(&mut self, class: ClassView<'_>) -> TypeId {
        self.add_type(Type::of_class(class.name()))
    }

    /// The number of a method or constructor of the index, named through `owner`: the class that
    /// declares it or, for methods, one below. Parameters are those of the descriptor, so a
    /// constructor of an inner class takes the outer instance first.
    pub fn add_method_of(&mut self, owner: ClassView<'_>, method: MemberView<'_>) -> Result<MethodId, Error> {
        let owner = Type::of_class(owner.name());
        self.add_resolved_method(owner, method.name(), method.descriptor(), method.is_static())
    }

    /// The number of a field of the index, named through `owner`: the class that declares it or one
    /// below.
    pub fn add_field_of(&mut self, owner: ClassView<'_>, field: MemberView<'_>) -> FieldId {
        let owner = self.add_class(owner);
        let of = self.add_type(Type(field.descriptor().into()));
        self.add_field(Field { owner, name: field.name().into(), is_static: field.is_static(), of })
    }

    /// The number of a method or constructor that the hierarchy finds under a [name](MemberName).
    pub fn find_method(&mut self, hierarchy: Hierarchy<'_>, text: &str) -> Result<MethodId, Error> {
        let MemberName { owner, name, descriptor } = text.parse()?;
        let found = hierarchy.resolve_method(&owner, &name, &descriptor);
        let found = found.ok_or_else(|| Error::UnknownMember(text.into()))?;
        self.add_resolved_method(Type::of_class_constant(&owner), &name, &descriptor, found.is_static())
    }

    /// The number of a field that the hierarchy finds under a [name](MemberName).
    pub fn find_field(&mut self, hierarchy: Hierarchy<'_>, text: &str) -> Result<FieldId, Error> {
        let MemberName { owner, name, descriptor } = text.parse()?;
        let found = hierarchy.resolve_field(&owner, &name, &descriptor);
        let is_static = found.ok_or_else(|| Error::UnknownMember(text.into()))?.is_static();
        let owner = self.add_type(Type::of_class_constant(&owner));
        let of = self.add_type(Type(descriptor.into()));
        Ok(self.add_field(Field { owner, name: name.into(), is_static, of }))
    }

    /// The name of a method or constructor.
    pub fn method_name(&self, method: &Method) -> Option<MemberName> {
        let mut descriptor = String::from("(");
        for parameter in &method.parameters {
            descriptor.push_str(self.type_of(*parameter)?.descriptor());
        }
        descriptor.push(')');
        descriptor.push_str(self.type_of(method.result)?.descriptor());
        self.member_name(method.owner, &method.name, descriptor)
    }

    /// The name of a field.
    pub fn field_name(&self, field: &Field) -> Option<MemberName> {
        self.member_name(field.owner, &field.name, self.type_of(field.of)?.descriptor().into())
    }

    fn member_name(&self, owner: TypeId, name: &str, descriptor: String) -> Option<MemberName> {
        let owner = self.type_of(owner)?.view().class_constant()?.to_owned();
        Some(MemberName { owner, name: name.to_owned(), descriptor })
    }

    fn add_resolved_method(
        &mut self,
        owner: Type,
        name: &str,
        descriptor: &str,
        is_static: bool,
    ) -> Result<MethodId, Error> {
        let kind = match name {
            "<init>" => Kind::Constructor,
            _ if is_static => Kind::Static,
            _ => Kind::Instance,
        };
        let malformed = |_| Error::MalformedMember(format!("{}.{name}{descriptor}", owner.descriptor()));
        let parsed = MethodDescriptor::parse(JavaStr::new(descriptor.as_bytes())).map_err(malformed)?;
        let mut types = types_of(descriptor);
        let parameters = types.by_ref().take(parsed.parameters().count());
        let parameters = parameters.map(|it| self.number_of(it)).collect();
        let owner = self.add_type(owner);
        let result = self.number_of(types.next().unwrap_or(TypeRef("V")));
        Ok(self.add_method(Method { owner, name: name.into(), kind, parameters, result }))
    }
}

/// The types of the parameters in the descriptor of a method, then that of its result.
fn types_of(descriptor: &str) -> impl Iterator<Item = TypeRef<'_>> {
    let mut rest = descriptor.trim_start_matches('(');
    std::iter::from_fn(move || {
        rest = rest.strip_prefix(')').unwrap_or(rest);
        let element = rest.trim_start_matches('[');
        let length = if element.starts_with('L') { element.find(';')? + 1 } else { 1 };
        let (found, behind) = rest.split_at_checked(rest.len() - element.len() + length)?;
        rest = behind;
        Some(TypeRef(found))
    })
}
