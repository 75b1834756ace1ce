use std::collections::BTreeSet;

use crashback_program::hierarchy::Supertype;
use crashback_program::index::ClassKind;
use crashback_program::{ClassView, MemberView};

use crate::{Context, FieldId, MethodId, Type, Vocabulary};

/// A member that a test can use.
#[derive(Clone, Copy)]
pub(crate) enum Member {
    Constructor(MethodId),
    Method(MethodId),
    Field { id: FieldId, is_final: bool },
}

/// Enters everything that a test can use of a class, inherited members too.
pub(crate) fn enter(context: Context<'_>, vocabulary: &mut Vocabulary, class: &str) -> Vec<Member> {
    let Ok(class) = context.class(class) else { return Vec::new() };
    vocabulary.add_class(class);
    let above = context.hierarchy().supertypes(class.name()).into_iter().filter_map(Supertype::known);
    let mut collector =
        MemberCollector { context, vocabulary, class, seen: BTreeSet::new(), members: Vec::new() };
    for declaring in above {
        declaring.fields().for_each(|field| collector.field(field));
        declaring.methods().for_each(|method| collector.method(method));
    }
    collector.members
}

struct MemberCollector<'a, 'v> {
    context: Context<'a>,
    vocabulary: &'v mut Vocabulary,
    class: ClassView<'a>,
    seen: BTreeSet<(&'a str, &'a str)>,
    members: Vec<Member>,
}

impl<'a> MemberCollector<'a, '_> {
    fn field(&mut self, field: MemberView<'a>) {
        if self.is_new(field)
            && let Some(found) = self.context.inherited_field(self.class, field)
        {
            let id = self.vocabulary.add_field_of(self.class, found);
            self.members.push(Member::Field { id, is_final: found.access().is_final() });
        }
    }

    fn method(&mut self, method: MemberView<'a>) {
        let is_constructor = method.name() == "<init>";
        let constructs = self.class.kind() != ClassKind::Enum && !self.class.is_abstract();
        let is_possible =
            !is_constructor || constructs && method.class().reference() == self.class.reference();
        if is_possible
            && self.is_new(method)
            && let Some(found) = self.context.inherited_method(self.class, method)
            && let Ok(id) = self.vocabulary.add_method_of(self.class, found)
        {
            self.members.push(if is_constructor { Member::Constructor(id) } else { Member::Method(id) });
        }
    }

    /// A member that one below has overridden or hidden counts once.
    fn is_new(&mut self, member: MemberView<'a>) -> bool {
        self.seen.insert((member.name(), member.descriptor()))
    }
}

/// The type of what using a member yields.
pub(crate) fn yielded(member: Member, vocabulary: &Vocabulary) -> Option<&Type> {
    let of = match member {
        Member::Constructor(id) => vocabulary.method(id)?.owner,
        Member::Method(id) => vocabulary.method(id)?.result,
        Member::Field { id, .. } => vocabulary.field(id)?.of,
    };
    vocabulary.type_of(of)
}
