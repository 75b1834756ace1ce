//! Constants and types that a method mentions.

use crashback_classfile::{ElementType, FieldType, JavaStr, MethodDescriptor};

use super::body::MethodBody;
use super::operation::{DynamicCall, Literal, Operation};

/// Something that a method mentions, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// Index of the instruction; for a caught type, of the first instruction of the handler.
    pub instruction: usize,
    /// Line of the instruction.
    pub line: Option<u32>,
    /// What is mentioned.
    pub what: Mentioned<'a>,
}

/// What a method can mention. Class names are internal names of classes, never arrays: where an
/// array stands, its element class counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mentioned<'a> {
    /// A constant that is pushed.
    Constant(Literal<'a>),
    /// A key of a switch. A switch over strings has their hash codes here and the strings as
    /// constants.
    SwitchKey(i32),
    /// A constant part of a string concatenation.
    ConcatPart(String),
    /// A constant of which the bootstrap method of a switch or of a concatenation makes use.
    BootstrapConstant(Literal<'a>),
    /// The target of a cast.
    Cast(FieldType<'a>),
    /// A type that `instanceof` asks for.
    InstanceOf(FieldType<'a>),
    /// A class that is instantiated.
    New(JavaStr<'a>),
    /// An array type that is instantiated.
    NewArray(FieldType<'a>),
    /// The class through which a field is named.
    FieldOwner(JavaStr<'a>),
    /// The class through which a method is named.
    MethodOwner(JavaStr<'a>),
    /// A class in the type of a field, or among the parameters and the result of a called method.
    Signature(JavaStr<'a>),
    /// A class that a handler catches.
    Caught(JavaStr<'a>),
}

/// Everything that a method mentions, in code order; caught types come last, in table order.
pub fn mentions<'a>(body: &MethodBody<'a>) -> Vec<Mention<'a>> {
    let mut collector = Collector { body, found: Vec::new() };
    for (instruction, operation) in body.operations() {
        collector.operation(instruction, operation);
    }
    for handler in body.handlers() {
        if let Some(class) = handler.catch_type {
            collector.add(handler.target, Mentioned::Caught(class));
        }
    }
    collector.found
}

struct Collector<'b, 'a> {
    body: &'b MethodBody<'a>,
    found: Vec<Mention<'a>>,
}

impl<'a> Collector<'_, 'a> {
    fn add(&mut self, instruction: usize, what: Mentioned<'a>) {
        self.found.push(Mention { instruction, line: self.body.line_of(instruction), what });
    }

    fn operation(&mut self, at: usize, operation: &Operation<'a>) {
        match operation {
            Operation::Push(literal) => self.add(at, Mentioned::Constant(literal.clone())),
            Operation::Switch(switch) => {
                for &(key, _) in &switch.cases {
                    self.add(at, Mentioned::SwitchKey(key));
                }
            }
            Operation::CheckCast(class) => self.add_type(at, *class, Mentioned::Cast),
            Operation::InstanceOf(class) => self.add_type(at, *class, Mentioned::InstanceOf),
            Operation::New(class) => self.add(at, Mentioned::New(*class)),
            Operation::NewArray { array, .. } => self.add(at, Mentioned::NewArray(*array)),
            Operation::GetStatic(field)
            | Operation::PutStatic(field)
            | Operation::GetField(field)
            | Operation::PutField(field) => {
                self.add_owner(at, field.member.owner, Mentioned::FieldOwner);
                self.add_signature(at, [field.field_type]);
            }
            Operation::Invoke(invoke) => {
                self.add_owner(at, invoke.method.owner, Mentioned::MethodOwner);
                self.add_signature(at, types_of(invoke.signature));
            }
            Operation::InvokeDynamic(call) => {
                self.add_signature(at, types_of(call.signature));
                self.dynamic_call(at, call);
            }
            _ => {}
        }
    }

    fn add_type(&mut self, at: usize, class: JavaStr<'a>, what: impl Fn(FieldType<'a>) -> Mentioned<'a>) {
        if let Ok(field_type) = FieldType::from_class_constant(class) {
            self.add(at, what(field_type));
        }
    }

    fn add_owner(&mut self, at: usize, owner: JavaStr<'a>, what: impl Fn(JavaStr<'a>) -> Mentioned<'a>) {
        // Arrays have methods too: `clone` is called through the array type.
        if let Ok(FieldType { element: ElementType::Class(class), .. }) =
            FieldType::from_class_constant(owner)
        {
            self.add(at, what(class));
        }
    }

    fn add_signature(&mut self, at: usize, types: impl IntoIterator<Item = FieldType<'a>>) {
        for field_type in types {
            if let ElementType::Class(class) = field_type.element {
                self.add(at, Mentioned::Signature(class));
            }
        }
    }

    fn dynamic_call(&mut self, at: usize, call: &DynamicCall<'a>) {
        let recipe = call.bootstrap.member.name == "makeConcatWithConstants";
        let owner = call.bootstrap.member.owner;
        match call.arguments.as_slice() {
            [Literal::String(recipe_text), constants @ ..] if recipe => {
                // In a recipe \u{1} stands for an argument and \u{2} for a constant that follows
                // the recipe.
                let text = recipe_text.to_str();
                for part in text.split(['\u{1}', '\u{2}']).filter(|part| !part.is_empty()) {
                    self.add(at, Mentioned::ConcatPart(part.to_owned()));
                }
                self.add_constants(at, constants);
            }
            labels if owner == "java/lang/runtime/SwitchBootstraps" => self.add_constants(at, labels),
            _ => {}
        }
    }

    fn add_constants(&mut self, at: usize, constants: &[Literal<'a>]) {
        for constant in constants {
            self.add(at, Mentioned::BootstrapConstant(constant.clone()));
        }
    }
}

fn types_of<'a>(signature: MethodDescriptor<'a>) -> impl Iterator<Item = FieldType<'a>> {
    signature.parameters().chain(signature.result())
}
