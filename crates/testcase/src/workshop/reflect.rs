//! Methods and fields as values.

use super::Workshop;
use super::draft::Draft;
use crate::members::Member;
use crate::{Arguments, Kind, Literal, Method, Random, Statement, Text, Type, TypeId, Var};

const GET_METHOD: &str =
    "java/lang/Class.getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";

const GET_FIELD: &str = "java/lang/Class.getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;";

/// Classes with fields of many kinds: plain, parameterized, of type variables and wildcards.
const FIELDED: [&str; 4] =
    ["java/util/HashMap", "java/util/EnumMap", "java/util/PriorityQueue", "java/util/Locale"];

impl Workshop<'_> {
    /// `C.class.getDeclaredField("name")`, of a class that the crash has to do with or of one with
    /// fields of many kinds.
    pub(super) fn make_field(&mut self, draft: &mut Draft, random: &mut Random) -> Option<Var> {
        let class = match random.pick(&self.pools.types).filter(|_| !random.one_in(self.tuning.field_of_jdk))
        {
            Some(class) => class.clone(),
            None => {
                let most = FIELDED.len().min(self.tuning.well_known_fielded_classes);
                (*random.pick(FIELDED.get(..most)?)?).to_owned()
            }
        };
        let of = self.vocabulary.add_type(Type::of_class(&class));
        let fields = self.context.class(&class).ok()?.fields().filter(|it| !it.is_synthetic());
        let names: Vec<&str> = fields.map(|it| it.name()).collect();
        let name = Text::from(*random.pick(&names)?);
        let get = self.vocabulary.find_method(self.context.hierarchy(), GET_FIELD).ok()?;
        let receiver = Some(self.class_literal(draft, of)?);
        let name = self.push_literal(draft, Literal::Text(name))?;
        let arguments = Arguments::from_slice(&[name]);
        draft.push(Statement::Call { method: get, receiver, arguments }, self.result_of(get))
    }

    /// `C.class.getMethod("name", P.class)`, of a class that the crash has to do with or of a
    /// well-known one.
    pub(super) fn make_method(&mut self, draft: &mut Draft, random: &mut Random) -> Option<Var> {
        let class =
            match random.pick(&self.pools.types).filter(|_| !random.one_in(self.tuning.method_of_string)) {
                Some(class) => class.clone(),
                None => "java/lang/String".to_owned(),
            };
        let class = self.vocabulary.add_type(Type::of_class(&class));
        if !self.is_nameable(class) {
            return None;
        }
        let members = self.members_of(class);
        let methods: Vec<Method> = members.iter().filter_map(|it| self.public_method(*it)).collect();
        let method = random.pick(&methods)?;
        let types = self.vocabulary.add_type(Type("[Ljava/lang/Class;".into()));
        let get = self.vocabulary.find_method(self.context.hierarchy(), GET_METHOD).ok()?;
        let receiver = Some(self.class_literal(draft, class)?);
        let name = self.push_literal(draft, Literal::Text(Text::from(&*method.name)))?;
        let length = u16::try_from(method.parameters.len()).ok()?;
        let array = draft.push(Statement::NewArray { array: types, length }, Some(types))?;
        for (index, parameter) in (0..).zip(&method.parameters) {
            let value = self.class_literal(draft, *parameter)?;
            draft.push(Statement::WriteElement { array, index, value }, None)?;
        }
        let arguments = Arguments::from_slice(&[name, array]);
        draft.push(Statement::Call { method: get, receiver, arguments }, self.result_of(get))
    }

    fn class_literal(&mut self, draft: &mut Draft, of: TypeId) -> Option<Var> {
        let class = self.vocabulary.add_type(Type::of_class("java/lang/Class"));
        draft.push(Statement::Literal(Literal::Class(of)), Some(class))
    }

    /// The method that a member is, if everybody can call it and a source can name what it takes.
    fn public_method(&mut self, member: Member) -> Option<Method> {
        let Member::Method(id) = member else { return None };
        let method = self.vocabulary.method(id).filter(|it| it.kind != Kind::Constructor)?.clone();
        let name = self.vocabulary.method_name(&method)?;
        let found = self.context.hierarchy().resolve_method(&name.owner, &name.name, &name.descriptor)?;
        let is_named = method.parameters.iter().all(|it| {
            self.vocabulary.type_of(*it).is_some_and(|it| self.context.check_type(it.view()).is_ok())
        });
        (found.is_public() && is_named).then_some(method)
    }
}
