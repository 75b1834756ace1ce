//! Fields, arrays and casts.

use crashback_classfile::{FieldType, JavaStr};
use crashback_program::code::Operation;
use crashback_program::code::operation::Field;
use crashback_testcase::{MemberName, Type, Var};

use super::finding::is_framework;
use super::machine::{Frame, Machine, Object, Stop};
use super::value::Value;

/// The longest array that is written element by element, and the longest that is looked after.
const LONGEST_WRITTEN: usize = 32;
const LONGEST: usize = 4096;

impl Machine<'_, '_> {
    /// A variable with a value; none if a test case cannot express it.
    pub(super) fn operand(&mut self, value: &Value, descriptor: &str) -> Option<Var> {
        match self.settled(value) {
            Value::Object(number) => self.array_variable(number),
            Value::Class(of) if !self.is_known(&of) => None,
            settled => self.recorder.operand(&settled, descriptor),
        }
    }

    fn is_known(&self, of: &Type) -> bool {
        let class = of.view().innermost().class_name().map(str::to_owned);
        class.is_none_or(|it| self.world.classes.index().contains(&it))
    }

    /// The variable of an array, which gets its statements now if it has none.
    fn array_variable(&mut self, number: usize) -> Option<Var> {
        let Some(Object::Array { descriptor, elements, variable }) = self.objects.get(number).cloned() else {
            return None;
        };
        if variable.is_some() {
            return variable;
        }
        let made = self.write_array(&descriptor, &elements)?;
        if let Some(Object::Array { variable, .. }) = self.objects.get_mut(number) {
            *variable = Some(made);
        }
        Some(made)
    }

    fn write_array(&mut self, descriptor: &str, elements: &[Value]) -> Option<Var> {
        let byte = |it: &Value| match it {
            Value::Int(value) => Some(*value as u8),
            _ => None,
        };
        if descriptor == "[B"
            && let Some(bytes) = elements.iter().map(byte).collect::<Option<Vec<u8>>>()
        {
            return self.recorder.bytes(&bytes);
        }
        let written: Vec<(usize, &Value)> =
            elements.iter().enumerate().filter(|(_, it)| !it.is_zero()).collect();
        if written.len() > LONGEST_WRITTEN {
            return None;
        }
        let array = self.recorder.new_array(descriptor, u16::try_from(elements.len()).ok()?)?;
        let element = descriptor.strip_prefix('[')?;
        for (index, value) in written {
            if let Some(value) = self.operand(value, element) {
                self.recorder.write_element(array, u16::try_from(index).ok()?, value)?;
            }
        }
        Some(array)
    }

    /// A new array, its length, or an access to one of its elements.
    pub(super) fn array(&mut self, operation: &Operation<'_>, frame: &mut Frame, line: Option<u32>) {
        match operation {
            Operation::NewArray { array, lengths } => {
                let lengths = frame.pop_many((*lengths).into());
                let made = self.new_array(*array, &lengths);
                frame.push(made, false);
            }
            Operation::ArrayLength => {
                let length = match self.array_at(&frame.pop()) {
                    Some(elements) => Value::Int(i32::try_from(elements.len()).unwrap_or(i32::MAX)),
                    None => Value::Unknown,
                };
                frame.push(length, false);
            }
            Operation::LoadElement(kind) => {
                let operands = frame.pop_many(2);
                let value = match operands.as_slice() {
                    [array, Value::Int(index)] => self.element(array, *index),
                    _ => Value::Unknown,
                };
                frame.push(value, kind.slots() == 2);
            }
            Operation::StoreElement(_) => {
                let operands = frame.pop_many(3);
                let [array, index, value] = operands.as_slice() else { return };
                let stored = match index {
                    Value::Int(index) => self.store_element(array, *index, value.clone()),
                    _ => None,
                };
                if stored.is_none() {
                    self.note(line, "an element of an array is left out");
                }
            }
            _ => {}
        }
    }

    fn new_array(&mut self, array: FieldType<'_>, lengths: &[Value]) -> Value {
        let Some((Value::Int(length), rest)) = lengths.split_first() else { return Value::Unknown };
        let length = usize::try_from(*length).ok().filter(|it| *it <= LONGEST);
        let (Some(length), Some(component)) = (length, array.component()) else { return Value::Unknown };
        let zero = Value::zero(&component.to_string());
        let elements = (0..length).map(|_| match rest.is_empty() {
            true => zero.clone(),
            false => self.new_array(component, rest),
        });
        let elements = elements.collect();
        self.add_object(Object::Array { descriptor: array.to_string(), elements, variable: None })
    }

    fn array_at(&self, value: &Value) -> Option<&Vec<Value>> {
        let Value::Object(number) = value else { return None };
        match self.objects.get(*number)? {
            Object::Array { elements, .. } => Some(elements),
            _ => None,
        }
    }

    fn element(&mut self, array: &Value, index: i32) -> Value {
        let known = usize::try_from(index).ok().and_then(|it| self.array_at(array)?.get(it).cloned());
        let variable = match self.settled(array) {
            Value::Made(variable) => Some(variable),
            Value::Object(number) => match self.objects.get(number) {
                Some(Object::Array { variable, .. }) => *variable,
                _ => None,
            },
            _ => None,
        };
        match (known, variable, u16::try_from(index)) {
            (Some(known), None, _) => known,
            // The program may have changed an array that it was given.
            (_, Some(variable), Ok(index)) => {
                self.recorder.read_element(variable, index).map_or(Value::Unknown, Value::Made)
            }
            _ => Value::Unknown,
        }
    }

    fn store_element(&mut self, array: &Value, index: i32, value: Value) -> Option<()> {
        let place = usize::try_from(index).ok()?;
        let variable = match self.settled(array) {
            Value::Made(variable) => Some(variable),
            Value::Object(number) => match self.objects.get_mut(number)? {
                Object::Array { elements, variable, .. } => {
                    *elements.get_mut(place)? = value.clone();
                    *variable
                }
                _ => return None,
            },
            _ => return None,
        };
        let Some(variable) = variable else { return Some(()) };
        let element = self.recorder.type_of(variable)?.strip_prefix('[')?.to_owned();
        let value = self.operand(&value, &element)?;
        self.recorder.write_element(variable, u16::try_from(index).ok()?, value)
    }

    /// Reads or writes a static field.
    pub(super) fn static_field(&mut self, operation: &Operation<'_>, frame: &mut Frame) -> Result<(), Stop> {
        match operation {
            Operation::GetStatic(field) => {
                let value = self.read_static(field)?;
                frame.push(value, field.field_type.slots() == 2);
            }
            Operation::PutStatic(field) => {
                let value = frame.pop();
                let name = member(field);
                if self.world.own(&name.owner, &self.test).is_some() {
                    self.statics.insert((name.owner, name.name), value);
                } else if let Some(value) = self.operand(&value, &name.descriptor) {
                    // A field that is not on the class path is left out with its value.
                    let _ = self.recorder.write_field(&name, None, value);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn read_static(&mut self, field: &Field<'_>) -> Result<Value, Stop> {
        let name = member(field);
        if self.world.own(&name.owner, &self.test).is_none() {
            let is_stream = name.owner == "java/lang/System";
            if is_stream || is_framework(&name.owner) {
                return Ok(Value::Unknown);
            }
            return Ok(self.recorder.read_field(&name, None).map_or(Value::Unknown, Value::Made));
        }
        self.initialise(&name.owner)?;
        let mut owners = vec![name.owner.clone()];
        owners.extend(self.world.classes_above(&name.owner));
        let known = owners.into_iter().find_map(|it| self.statics.get(&(it, name.name.clone())));
        Ok(known.cloned().unwrap_or_else(|| Value::zero(&name.descriptor)))
    }

    /// Reads or writes a field of an object.
    pub(super) fn instance_field(&mut self, operation: &Operation<'_>, frame: &mut Frame, line: Option<u32>) {
        match operation {
            Operation::GetField(field) => {
                let object = frame.pop();
                let value = self.read_instance(&object, &member(field));
                frame.push(value, field.field_type.slots() == 2);
            }
            Operation::PutField(field) => {
                let operands = frame.pop_many(2);
                let [object, value] = operands.as_slice() else { return };
                let name = member(field);
                if self.write_instance(object, &name, value).is_none() {
                    self.note(line, &format!("the field {} is left out", name.name));
                }
            }
            _ => {}
        }
    }

    fn read_instance(&mut self, object: &Value, name: &MemberName) -> Value {
        match self.settled(object) {
            Value::Made(variable) => {
                self.recorder.read_field(name, Some(variable)).map_or(Value::Unknown, Value::Made)
            }
            Value::Object(number) => match self.objects.get(number) {
                Some(Object::Own { fields, .. }) => {
                    fields.get(&name.name).cloned().unwrap_or_else(|| Value::zero(&name.descriptor))
                }
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn write_instance(&mut self, object: &Value, name: &MemberName, value: &Value) -> Option<()> {
        match self.settled(object) {
            Value::Made(variable) => {
                let value = self.operand(value, &name.descriptor)?;
                self.recorder.write_field(name, Some(variable), value)
            }
            Value::Object(number) => {
                if let Some(Object::Own { fields, .. }) = self.objects.get_mut(number) {
                    fields.insert(name.name.clone(), value.clone());
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    /// A value as another type.
    pub(super) fn cast(&mut self, value: Value, class: &str) -> Value {
        let Value::Made(variable) = self.settled(&value) else { return value };
        if self.world.own(class, &self.test).is_some() {
            return Value::Unknown;
        }
        let to = Type::of_class_constant(class);
        self.recorder.cast(variable, to.descriptor()).map_or(Value::Unknown, Value::Made)
    }
}

/// A field by name.
fn member(field: &Field<'_>) -> MemberName {
    let text = |it: JavaStr<'_>| it.to_str().into_owned();
    let member = field.member;
    MemberName { owner: text(member.owner), name: text(member.name), descriptor: text(member.descriptor) }
}
