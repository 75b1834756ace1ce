use super::{Sampler, Value};
use crate::{
    Bytes, GivenAnnotation, Initial, Literal, Nested, NestedClass, NestedField, Statement, Text, Type,
    TypeId, TypeRef, Var,
};

/// Units of strings: plain ones and those that need care.
const UNITS: [u16; 20] = [
    b'a' as u16,
    b'b' as u16,
    b'Z' as u16,
    b'0' as u16,
    b'9' as u16,
    b' ' as u16,
    b'"' as u16,
    b'\'' as u16,
    b'\\' as u16,
    b'u' as u16,
    b'\n' as u16,
    b'\r' as u16,
    b'\t' as u16,
    0,
    0x7f,
    0xfc,
    0x2028,
    0xd83d,
    0xde00,
    0xffff,
];

/// Types of fields.
const FIELDS: [&str; 8] = [
    "I",
    "Z",
    "D",
    "Ljava/lang/String;",
    "Ljava/util/List;",
    "[[J",
    "Ljava/util/Map$Entry;",
    "Ljava/lang/Object;",
];

impl Sampler<'_> {
    /// A literal or an array of exactly this type, which a source can name.
    pub(super) fn write_down(&mut self, wanted: &Type, nullable: bool) -> Option<Var> {
        let view = wanted.view();
        let with_null = nullable && view.is_reference() && self.random.one_in(4);
        if let Some(literal) = self.literal(view).filter(|_| !with_null) {
            let length = match &literal {
                Literal::Bytes(bytes) => u16::try_from(bytes.get().len()).ok(),
                _ => None,
            };
            let variable = self.push(Statement::Literal(literal), Some(wanted.clone()));
            self.draft.values.last_mut()?.length = length;
            return Some(variable);
        }
        let id = self.vocabulary.add_type(wanted.clone());
        let (statement, value) = match (view.element(), nullable && view.is_reference()) {
            (Some(_), _) if !with_null => {
                let length = self.random.below(5);
                let value = Value { of: Some(wanted.clone()), is_null: false, length: Some(length) };
                (Statement::NewArray { array: id, length }, value)
            }
            (_, true) => {
                let value = Value { of: Some(wanted.clone()), is_null: true, length: None };
                (Statement::Literal(Literal::Null(id)), value)
            }
            _ => return None,
        };
        let variable = self.push(statement, None);
        *self.draft.values.last_mut()? = value;
        Some(variable)
    }

    fn literal(&mut self, of: TypeRef<'_>) -> Option<Literal> {
        let bits = self.bits();
        Some(match of.descriptor() {
            "Z" => Literal::Boolean(bits & 1 == 1),
            "B" => Literal::Byte(bits as i8),
            "S" => Literal::Short(bits as i16),
            "C" => Literal::Char(*self.random.pick(&UNITS)?),
            "I" => Literal::Int(bits as i32),
            "J" => Literal::Long(bits.cast_signed()),
            "F" => Literal::Float(if bits < 100 { bits as f32 / 8.0 } else { f32::from_bits(bits as u32) }),
            "D" => Literal::Double(if bits < 100 { bits as f64 / 8.0 } else { f64::from_bits(bits) }),
            "Ljava/lang/String;" => {
                let length = self.random.below(6);
                let units = (0..length).filter_map(|_| self.random.pick(&UNITS).copied());
                Literal::Text(Text::from(units.collect::<Vec<u16>>().as_slice()))
            }
            "[B" if self.random.coin() => {
                let length = self.random.below(6);
                let bytes: Vec<u8> = (0..length).map(|_| self.bits() as u8).collect();
                Literal::Bytes(Bytes::from(bytes.as_slice()))
            }
            "Ljava/lang/Object;" if self.random.one_in(6) => Literal::NestedObject(self.nested()?),
            "Ljava/lang/Class;" if self.random.one_in(6) => Literal::NestedClass(self.nested()?),
            "Ljava/lang/Class;" => {
                let all: Vec<TypeId> = (0..self.vocabulary.known().types).map(TypeId).collect();
                let class = *self.random.pick(&all)?;
                self.can_name(self.vocabulary.type_of(class)).then_some(Literal::Class(class))?
            }
            _ => return None,
        })
    }

    /// A class of the test with an annotation of the JDK.
    fn nested(&mut self) -> Option<Nested> {
        let deprecated = GivenAnnotation { of: Type("Ljava/lang/Deprecated;".into()), elements: Vec::new() };
        let mut class = NestedClass::default();
        for _ in 0..self.random.below(4) {
            let of = Type((*self.random.pick(&FIELDS)?).into());
            let is_list = of.descriptor() == "Ljava/util/List;" && self.random.coin();
            let arguments = is_list.then(|| TypeRef::STRING.into()).into_iter().collect();
            let mut field = NestedField::of(of, arguments);
            field.is_private = self.random.coin();
            field.is_static = self.random.one_in(4);
            field.is_set = !field.is_static && Initial::of(field.of.view()).is_some() && self.random.coin();
            field.has_getter = !field.is_static && self.random.coin();
            field.has_setter = !field.is_static && self.random.coin();
            field.annotations.extend(self.random.coin().then(|| deprecated.clone()));
            class.fields.push(field);
        }
        class.annotations.extend(self.random.coin().then_some(deprecated));
        Some(Nested::new(class))
    }

    /// Small numbers, edges of the types, and anything.
    fn bits(&mut self) -> u64 {
        match self.random.below(4) {
            0 | 1 => u64::from(self.random.below(12)).wrapping_sub(2),
            2 => {
                let edges = [1u64 << 63, 1 << 31, 1 << 15, 1 << 7];
                let edge = self.random.pick(&edges).copied().unwrap_or_default();
                edge.wrapping_sub(u64::from(self.random.below(2)))
            }
            _ => self.random.bits(),
        }
    }
}
