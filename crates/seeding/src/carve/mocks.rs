//! Mocks of Mockito, and their answers.

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_testcase::{MemberName, TypeRef, Var};

use super::machine::{Machine, Object};
use super::value::Value;

/// The package of Mockito.
const MOCKITO: &str = "org/mockito/";

/// The annotation of fields that hold mocks.
const MOCK: &str = "Lorg/mockito/Mock;";

impl Machine<'_, '_> {
    /// The result of a call of Mockito: a mock, the beginning of an answer, or a value that stands for any
    /// argument. None if it is something else.
    pub(super) fn call_mockito(&mut self, member: &MemberName, arguments: &[Value]) -> Option<Value> {
        if !member.owner.starts_with(MOCKITO) {
            return None;
        }
        let first = arguments.first().map(|it| self.settled(it));
        match (member.name.as_str(), first) {
            ("mock", Some(Value::Class(of))) => {
                let class = of.class_name()?.to_owned();
                self.recorder.mock(&class).map(Value::Made)
            }
            ("when", Some(Value::Made(result))) => {
                // Numbers are boxed on their way.
                let is_call = self.recorder.call_of_mock(result).is_some();
                let call = if is_call { result } else { self.recorder.unboxed(result)? };
                let (mock, _) = self.recorder.call_of_mock(call)?;
                Some(self.add_object(Object::Answer { mock, call }))
            }
            ("eq" | "same", Some(value)) => Some(value),
            _ if member.owner.ends_with("Matchers") || member.name.starts_with("any") => {
                let descriptor = MethodDescriptor::parse(JavaStr::new(member.descriptor.as_bytes())).ok()?;
                Some(Value::zero(&descriptor.result()?.to_string()))
            }
            _ => None,
        }
    }

    /// Lets a mock answer: `thenReturn` and `thenThrow` with a value.
    pub(super) fn answer(&mut self, (mock, call): (Var, Var), member: &MemberName, arguments: &[Value]) {
        let Some((_, result)) = self.recorder.call_of_mock(call) else { return };
        let value = arguments.first().map_or(Value::Unknown, |it| self.settled(it));
        let answered = match member.name.as_str() {
            "thenReturn" if !TypeRef(&result).is_reference() => match value {
                Value::Made(boxed) => self.recorder.unboxed(boxed),
                _ => None,
            },
            "thenReturn" => self.operand(&value, &result),
            "thenThrow" => {
                let thrown = self.first_element(&value);
                let is_made = matches!(thrown, Value::Made(_));
                is_made.then(|| self.operand(&thrown, "Ljava/lang/Throwable;")).flatten()
            }
            _ => None,
        };
        if let Some(answered) = answered {
            self.recorder.stub(mock, call, answered, member.name == "thenThrow");
        }
        // The call was only made to name the method.
        self.recorder.forget(call);
    }

    /// The first element of an array, or a value that is none.
    fn first_element(&self, value: &Value) -> Value {
        let Value::Object(number) = value else { return value.clone() };
        match self.objects.get(*number) {
            Some(Object::Array { elements, .. }) => {
                elements.first().map_or(Value::Unknown, |it| self.settled(it))
            }
            _ => value.clone(),
        }
    }

    /// Puts mocks into the fields of a test that are marked for them.
    pub(super) fn fill_mocks(&mut self, test: &Value, class: &str) {
        let Value::Object(number) = test else { return };
        let mut classes = vec![class.to_owned()];
        classes.extend(self.world.classes_above(class));
        for class in classes {
            let marked = self.world.with_own(&class, |it| {
                let fields = it.fields().filter(|it| it.annotations().any(|it| it.descriptor() == MOCK));
                let named = fields.filter_map(|it| Some((it.name().to_owned(), it.type_class()?.to_owned())));
                named.collect::<Vec<_>>()
            });
            for (field, of) in marked.unwrap_or_default() {
                let mock = self.recorder.mock(&of);
                if let Some(Object::Own { fields, .. }) = self.objects.get_mut(*number)
                    && let Some(mock) = mock
                {
                    fields.insert(field, Value::Made(mock));
                }
            }
        }
    }
}
