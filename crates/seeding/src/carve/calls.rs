//! Calls: of the test's own code, of test frameworks, and of everything else.

use std::collections::BTreeMap;
use std::sync::Arc;

use crashback_classfile::{FieldType, JavaStr, MethodDescriptor};
use crashback_program::code::operation::{DynamicCall, Literal as CodeLiteral};
use crashback_program::code::{Invoke, InvokeKind};
use crashback_testcase::{Arguments, MemberName, Text, Type};

use super::finding::is_framework;
use super::machine::{Frame, Lambda, Machine, Object, Stop};
use super::recorder::shown;
use super::value::Value;

/// Kinds of method handles (JVMS 4.4.8).
const REF_STATIC: u8 = 6;
const REF_SPECIAL: u8 = 7;
const REF_NEW: u8 = 8;

/// Marks of arguments and constants in the recipe of a concatenation.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

impl Machine<'_, '_> {
    /// Carries out a call.
    pub(super) fn invoke(
        &mut self,
        invoke: &Invoke<'_>,
        frame: &mut Frame,
        line: Option<u32>,
    ) -> Result<(), Stop> {
        let arguments = frame.pop_many(invoke.signature.parameters().count());
        let receiver = invoke.kind.has_receiver().then(|| frame.pop());
        let member = member(invoke.method.owner, invoke.method.name, invoke.method.descriptor);
        let value = self.call(invoke.kind, &member, receiver, arguments, line)?;
        if let Some(result) = invoke.signature.result() {
            frame.push(value, result.slots() == 2);
        }
        Ok(())
    }

    /// The result of a call; unknown if it has none.
    pub(super) fn call(
        &mut self,
        kind: InvokeKind,
        member: &MemberName,
        receiver: Option<Value>,
        arguments: Vec<Value>,
        line: Option<u32>,
    ) -> Result<Value, Stop> {
        if member.name == "<init>" {
            self.construct(member, receiver, arguments, line)?;
            return Ok(Value::Unknown);
        }
        let object = receiver.as_ref().and_then(|it| self.object(it));
        if let Some(Object::Lambda(lambda)) = object {
            return self.call_lambda(&lambda, arguments, line);
        }
        if let Some(Object::Answer { mock, call }) = object {
            self.answer((mock, call), member, &arguments);
            return Ok(receiver.unwrap_or(Value::Unknown));
        }
        let start = match object {
            Some(Object::Own { class, .. }) if kind != InvokeKind::Special => class,
            Some(Object::Own { .. }) => member.owner.clone(),
            None if receiver.is_none() => member.owner.clone(),
            _ => return Ok(self.call_program(member, receiver, &arguments, line)),
        };
        let is_own = self.world.own(&start, &self.test).is_some();
        if receiver.is_none() && is_own {
            self.initialise(&start)?;
        }
        if let Some(bytes) = self.declaring(&start, member) {
            let arguments = receiver.into_iter().chain(arguments).collect();
            return self.execute(&bytes, &member.name, &member.descriptor, arguments);
        }
        let above = self.world.classes_above(&start);
        if is_framework(&start) || is_own && above.last().is_some_and(|it| is_framework(it)) {
            return self.call_framework(member, arguments, line);
        }
        Ok(self.call_program(member, receiver, &arguments, line))
    }

    fn object(&self, value: &Value) -> Option<Object> {
        match self.settled(value) {
            Value::Object(number) => self.objects.get(number).cloned(),
            _ => None,
        }
    }

    /// The class of the test's own, from one upwards, that has code for a method.
    fn declaring(&self, start: &str, member: &MemberName) -> Option<Arc<[u8]>> {
        let mut classes = vec![start.to_owned()];
        classes.extend(self.world.classes_above(start));
        classes.into_iter().find_map(|class| {
            self.world.own(&class, &self.test)?;
            let has_code = self.world.with_own(&class, |it| {
                it.method(&member.name, &member.descriptor).is_some_and(|it| it.has_code())
            });
            self.world.own(&class, &self.test).filter(|_| has_code == Some(true))
        })
    }

    fn construct(
        &mut self,
        member: &MemberName,
        receiver: Option<Value>,
        arguments: Vec<Value>,
        line: Option<u32>,
    ) -> Result<(), Stop> {
        let Some(Value::Object(number)) = receiver else { return Ok(()) };
        let own = self.world.own(&member.owner, &self.test);
        let is_new = matches!(self.objects.get(number), Some(Object::New));
        match own {
            Some(bytes) => {
                if is_new {
                    let (class, fields) = (member.owner.clone(), BTreeMap::new());
                    self.set_object(number, Object::Own { class, fields });
                }
                let arguments = [Value::Object(number)].into_iter().chain(arguments).collect();
                self.execute(&bytes, "<init>", &member.descriptor, arguments).map(drop)
            }
            None if is_new => {
                let made = self.call_program(member, None, &arguments, line);
                let object = match made {
                    Value::Made(variable) => Object::Made(variable),
                    _ => Object::Lost,
                };
                self.set_object(number, object);
                Ok(())
            }
            // The constructor of a class above.
            None => Ok(()),
        }
    }

    fn set_object(&mut self, number: usize, object: Object) {
        if let Some(place) = self.objects.get_mut(number) {
            *place = object;
        }
    }

    /// Calls the method behind a lambda.
    fn call_lambda(
        &mut self,
        lambda: &Lambda,
        arguments: Vec<Value>,
        line: Option<u32>,
    ) -> Result<Value, Stop> {
        let mut arguments: Vec<Value> = lambda.captured.iter().cloned().chain(arguments).collect();
        match lambda.kind {
            REF_STATIC => self.call(InvokeKind::Static, &lambda.member, None, arguments, line),
            REF_NEW => {
                let made = self.add_object(Object::New);
                self.construct(&lambda.member, Some(made.clone()), arguments, line)?;
                Ok(made)
            }
            kind => {
                if arguments.is_empty() {
                    return Ok(Value::Unknown);
                }
                let receiver = arguments.remove(0);
                let kind = if kind == REF_SPECIAL { InvokeKind::Special } else { InvokeKind::Virtual };
                self.call(kind, &lambda.member, Some(receiver), arguments, line)
            }
        }
    }

    /// An assertion, or another call of a test framework: dropped, but for code that it is given to run.
    fn call_framework(
        &mut self,
        member: &MemberName,
        arguments: Vec<Value>,
        line: Option<u32>,
    ) -> Result<Value, Stop> {
        if let Some(value) = self.call_mockito(member, &arguments) {
            return Ok(value);
        }
        let mut result = Value::Unknown;
        for argument in &arguments {
            let Some(Object::Lambda(lambda)) = self.object(argument) else { continue };
            if !takes_nothing(&lambda) {
                continue;
            }
            match self.call_lambda(&lambda, Vec::new(), line) {
                Err(Stop::Over) => return Err(Stop::Over),
                // Many are given code that throws.
                called => result = called.unwrap_or(Value::Unknown),
            }
        }
        Ok(result)
    }

    /// A call that becomes a statement.
    fn call_program(
        &mut self,
        member: &MemberName,
        receiver: Option<Value>,
        arguments: &[Value],
        line: Option<u32>,
    ) -> Value {
        if is_framework(&member.owner) {
            return Value::Unknown;
        }
        if member.owner == "java/util/Objects" && member.name == "requireNonNull" {
            // Compilers write it before method references and inner classes.
            return arguments.first().map_or(Value::Unknown, |it| self.settled(it));
        }
        if let Some(reason) = unwanted(member) {
            self.note(line, &format!("{} {reason}", shown(member)));
            return Value::Unknown;
        }
        match self.try_call(member, receiver.as_ref(), arguments) {
            Ok(value) => value,
            Err(Some(reason)) => {
                self.note(line, &reason);
                Value::Unknown
            }
            Err(None) => Value::Unknown,
        }
    }

    /// The result of a call, or why it cannot be a statement, if that was not told before.
    fn try_call(
        &mut self,
        member: &MemberName,
        receiver: Option<&Value>,
        arguments: &[Value],
    ) -> Result<Value, Option<String>> {
        let owner = Type::of_class_constant(&member.owner);
        let receiver = match receiver.map(|it| self.settled(it)) {
            None => None,
            // The object was left out before, and with it the call.
            Some(Value::Unknown) => return Err(None),
            Some(Value::Null) => return Err(Some(format!("{} is called on null", shown(member)))),
            Some(value) => match self.operand(&value, owner.descriptor()) {
                None => {
                    return Err(Some(format!("{} is called on {}", shown(member), self.in_words(&value))));
                }
                found => found,
            },
        };
        let signature = MethodDescriptor::parse(JavaStr::new(member.descriptor.as_bytes()));
        let parameters: Vec<String> =
            signature.map(|it| it.parameters().map(|it| it.to_string()).collect()).unwrap_or_default();
        let mut operands = Arguments::new();
        for (value, parameter) in arguments.iter().zip(&parameters) {
            let Some(operand) = self.operand(value, parameter) else {
                return Err(Some(format!("{} is given {}", shown(member), self.in_words(value))));
            };
            operands.push(operand);
        }
        let made = self.recorder.call(member, receiver, operands).map_err(Some)?;
        Ok(made.map_or(Value::Unknown, Value::Made))
    }

    /// A value that a test case cannot express, for people.
    fn in_words(&self, value: &Value) -> String {
        match self.object(value) {
            Some(Object::Own { class, .. }) => {
                format!("an object of {}, which is a class of the test", class.replace('/', "."))
            }
            Some(Object::Lambda(_)) => String::from("a lambda"),
            Some(Object::Array { .. }) => String::from("an array that is too long"),
            _ => String::from("a value that is computed or was left out"),
        }
    }

    /// A dynamically linked call: a lambda, a method reference or a concatenation.
    pub(super) fn link(&mut self, call: &DynamicCall<'_>, frame: &mut Frame) {
        let parameters: Vec<FieldType<'_>> = call.signature.parameters().collect();
        let given = frame.pop_many(parameters.len());
        let bootstrap = call.bootstrap.member.owner.to_str();
        let value = match (&*bootstrap, call.arguments.get(1)) {
            ("java/lang/invoke/LambdaMetafactory", Some(CodeLiteral::MethodHandle(handle))) => {
                let target = handle.member;
                let member = member(target.owner, target.name, target.descriptor);
                self.add_object(Object::Lambda(Lambda { kind: handle.kind, member, captured: given }))
            }
            ("java/lang/invoke/StringConcatFactory", _) => {
                let given: Vec<Value> = given.iter().map(|it| self.settled(it)).collect();
                concatenation(call, &parameters, &given).map_or(Value::Unknown, Value::Text)
            }
            _ => Value::Unknown,
        };
        frame.push(value, call.signature.result().is_some_and(|it| it.slots() == 2));
    }
}

/// Whether a lambda is run without arguments.
fn takes_nothing(lambda: &Lambda) -> bool {
    let descriptor = MethodDescriptor::parse(JavaStr::new(lambda.member.descriptor.as_bytes()));
    let has_receiver = !matches!(lambda.kind, REF_STATIC | REF_NEW);
    descriptor.is_ok_and(|it| it.parameters().count() + usize::from(has_receiver) == lambda.captured.len())
}

/// Why a call of the JDK is no part of a test case.
fn unwanted(member: &MemberName) -> Option<&'static str> {
    match (member.owner.as_str(), member.name.as_str()) {
        ("java/lang/System" | "java/lang/Runtime", "exit" | "halt") => Some("ends the JVM"),
        ("java/lang/Thread", "sleep") => Some("only waits"),
        _ => None,
    }
}

/// The text of a concatenation whose parts are all known.
fn concatenation(call: &DynamicCall<'_>, parameters: &[FieldType<'_>], given: &[Value]) -> Option<Text> {
    let mut given = parameters.iter().zip(given);
    let mut constants = call.arguments.iter().skip(1);
    let recipe: Vec<u16> = match call.arguments.first() {
        Some(CodeLiteral::String(recipe)) => recipe.code_units().collect(),
        _ => vec![ARGUMENT; parameters.len()],
    };
    let mut units: Vec<u16> = Vec::new();
    for unit in recipe {
        match unit {
            ARGUMENT => {
                let (of, value) = given.next()?;
                units.extend(text_of(value, &of.to_string())?);
            }
            CONSTANT => {
                let Some(CodeLiteral::String(constant)) = constants.next() else { return None };
                units.extend(constant.code_units());
            }
            other => units.push(other),
        }
    }
    Some(Text::from(units.as_slice()))
}

/// A known value as text. Java writes floating-point numbers in its own way, which is not followed.
fn text_of(value: &Value, descriptor: &str) -> Option<Vec<u16>> {
    let text = match (value, descriptor) {
        (Value::Text(text), _) => return Some(text.units().to_vec()),
        (Value::Int(value), "C") => return Some(vec![*value as u16]),
        (Value::Int(value), "Z") => (*value != 0).to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Long(value), _) => value.to_string(),
        (Value::Null, _) => String::from("null"),
        _ => return None,
    };
    Some(text.encode_utf16().collect())
}

fn member(owner: JavaStr<'_>, name: JavaStr<'_>, descriptor: JavaStr<'_>) -> MemberName {
    let text = |it: JavaStr<'_>| it.to_str().into_owned();
    MemberName { owner: text(owner), name: text(name), descriptor: text(descriptor) }
}
