//! Attributes in words, as each of the two readers understands them.

use cafebabe::attributes as theirs;
use cafebabe::attributes::AttributeData;
use crashback_classfile::{
    Annotation, Attribute, ConstantPool, ElementValue, Error, StackMapFrame, TargetInfo, TypeAnnotation,
    VerificationType,
};

/// An attribute as this crate reads it; none for those that are not compared this way.
pub(crate) fn ours(attribute: &Attribute<'_>, pool: &ConstantPool<'_>) -> Result<Option<String>, Error> {
    let text = |index| pool.utf8(index).map(|text| text.to_string());
    let optional = |index| if index == 0 { Ok(None) } else { text(index).map(Some) };
    let class = |index| pool.class_name(index).map(|name| name.to_string());
    let optional_class =
        |index| pool.optional_class_name(index).map(|name| name.map(|name| name.to_string()));
    Ok(Some(match attribute {
        Attribute::Exceptions(classes)
        | Attribute::NestMembers(classes)
        | Attribute::PermittedSubclasses(classes) => {
            format!("{:?}", classes.iter().map(class).collect::<Result<Vec<_>, _>>()?)
        }
        Attribute::NestHost(index) | Attribute::ModuleMainClass(index) => class(*index)?,
        Attribute::Signature(index) | Attribute::SourceFile(index) => text(*index)?,
        Attribute::Synthetic => "synthetic".to_owned(),
        Attribute::Deprecated => "deprecated".to_owned(),
        Attribute::EnclosingMethod(place) => {
            let method =
                if place.method_index == 0 { None } else { Some(pool.name_and_type(place.method_index)?) };
            let method = method.map(|method| (method.name.to_string(), method.descriptor.to_string()));
            format!("{} {method:?}", class(place.class_index)?)
        }
        Attribute::InnerClasses(classes) => joined(classes.iter().map(|inner| {
            let names = (optional_class(inner.outer_class_index)?, optional(inner.inner_name_index)?);
            let flags = theirs::InnerClassAccessFlags::from_bits_truncate(inner.access.0);
            Ok(format!("{} {names:?} {flags:?}", class(inner.inner_class_index)?))
        }))?,
        Attribute::LocalVariableTable(variables) => joined(variables.iter().map(|variable| {
            let (name, descriptor) = (text(variable.name_index)?, text(variable.descriptor_index)?);
            Ok(format!("{}+{} {name} {descriptor} {}", variable.start_pc, variable.length, variable.slot))
        }))?,
        Attribute::LocalVariableTypeTable(variables) => joined(variables.iter().map(|variable| {
            let (name, signature) = (text(variable.name_index)?, text(variable.signature_index)?);
            Ok(format!("{}+{} {name} {signature} {}", variable.start_pc, variable.length, variable.slot))
        }))?,
        Attribute::MethodParameters(list) => joined(list.parameters.iter().map(|parameter| {
            let flags = theirs::MethodParameterAccessFlags::from_bits_truncate(parameter.access.0);
            Ok(format!("{:?} {flags:?}", optional(parameter.name_index)?))
        }))?,
        Attribute::Record(components) => joined(components.iter().map(|component| {
            let (name, descriptor) = (text(component.name_index)?, text(component.descriptor_index)?);
            Ok(format!("{name} {descriptor} {}", component.attributes.len()))
        }))?,
        Attribute::BootstrapMethods(methods) => joined(methods.iter().map(|method| {
            let handle = pool.method_handle(method.method_index)?.member;
            Ok(format!("{} {} {} {}", handle.owner, handle.name, handle.descriptor, method.arguments.len()))
        }))?,
        Attribute::RuntimeVisibleAnnotations(annotations)
        | Attribute::RuntimeInvisibleAnnotations(annotations) => {
            joined(annotations.iter().map(|annotation| our_annotation(annotation, pool)))?
        }
        Attribute::RuntimeVisibleParameterAnnotations(list)
        | Attribute::RuntimeInvisibleParameterAnnotations(list) => {
            joined(list.parameters.iter().map(|annotations| {
                joined(annotations.iter().map(|annotation| our_annotation(annotation, pool)))
            }))?
        }
        Attribute::RuntimeVisibleTypeAnnotations(annotations)
        | Attribute::RuntimeInvisibleTypeAnnotations(annotations) => {
            joined(annotations.iter().map(|annotation| our_type_annotation(annotation, pool)))?
        }
        Attribute::AnnotationDefault(value) => our_value(value, pool)?,
        Attribute::StackMapTable(frames) => joined(frames.iter().map(|frame| our_frame(frame, pool)))?,
        Attribute::Module(module) => {
            let names = module
                .requires
                .iter()
                .map(|requirement| pool.module(requirement.module_index).map(|name| name.to_string()));
            let packages = module.exports.iter().map(|exports| {
                let package = pool.package(exports.package_index)?;
                Ok(format!("{package} {}", exports.to.len()))
            });
            let services = module.provides.iter().map(|provides| class(provides.service_index));
            let uses = module.uses.iter().map(class).collect::<Result<Vec<_>, _>>()?;
            let name = pool.module(module.name_index)?;
            format!("{name} {} {} {uses:?} {}", joined(names)?, joined(packages)?, joined(services)?)
        }
        _ => return Ok(None),
    }))
}

/// The same attribute as the oracle reads it.
pub(crate) fn theirs(data: &AttributeData<'_>) -> Option<String> {
    Some(match data {
        AttributeData::Exceptions(classes)
        | AttributeData::NestMembers(classes)
        | AttributeData::PermittedSubclasses(classes) => format!("{classes:?}"),
        AttributeData::NestHost(text)
        | AttributeData::ModuleMainClass(text)
        | AttributeData::Signature(text)
        | AttributeData::SourceFile(text) => text.to_string(),
        AttributeData::Synthetic => "synthetic".to_owned(),
        AttributeData::Deprecated => "deprecated".to_owned(),
        AttributeData::EnclosingMethod { class_name, method } => {
            let method =
                method.as_ref().map(|method| (method.name.to_string(), method.descriptor.to_string()));
            format!("{class_name} {method:?}")
        }
        AttributeData::InnerClasses(classes) => listed(classes, |inner| {
            let names = (&inner.outer_class_info, &inner.inner_name);
            format!("{} {names:?} {:?}", inner.inner_class_info, inner.access_flags)
        }),
        AttributeData::LocalVariableTable(variables) => listed(variables, |variable| {
            let theirs::LocalVariableEntry { start_pc, length, name, descriptor, index } = variable;
            format!("{start_pc}+{length} {name} {descriptor} {index}")
        }),
        AttributeData::LocalVariableTypeTable(variables) => listed(variables, |variable| {
            let theirs::LocalVariableTypeEntry { start_pc, length, name, signature, index } = variable;
            format!("{start_pc}+{length} {name} {signature} {index}")
        }),
        AttributeData::MethodParameters(parameters) => {
            listed(parameters, |parameter| format!("{:?} {:?}", parameter.name, parameter.access_flags))
        }
        AttributeData::Record(components) => listed(components, |component| {
            format!("{} {} {}", component.name, component.descriptor, component.attributes.len())
        }),
        AttributeData::BootstrapMethods(methods) => {
            listed(methods, |theirs::BootstrapMethodEntry { method, arguments }| {
                let member = &method.member_ref;
                format!("{} {} {} {}", method.class_name, member.name, member.descriptor, arguments.len())
            })
        }
        AttributeData::RuntimeVisibleAnnotations(annotations)
        | AttributeData::RuntimeInvisibleAnnotations(annotations) => listed(annotations, their_annotation),
        AttributeData::RuntimeVisibleParameterAnnotations(parameters)
        | AttributeData::RuntimeInvisibleParameterAnnotations(parameters) => {
            listed(parameters, |parameter| listed(&parameter.annotations, their_annotation))
        }
        AttributeData::RuntimeVisibleTypeAnnotations(annotations)
        | AttributeData::RuntimeInvisibleTypeAnnotations(annotations) => {
            listed(annotations, their_type_annotation)
        }
        AttributeData::AnnotationDefault(value) => their_value(value),
        AttributeData::StackMapTable(frames) => listed(frames, their_frame),
        AttributeData::Module(module) => {
            let requires = listed(&module.requires, |requirement| requirement.name.to_string());
            let exports = listed(&module.exports, |exports| {
                format!("{} {}", exports.package_name, exports.exports_to.len())
            });
            let provides = listed(&module.provides, |provides| provides.service_interface_name.to_string());
            format!("{} {requires} {exports} {:?} {provides}", module.name, module.uses)
        }
        _ => return None,
    })
}

fn our_annotation(annotation: &Annotation, pool: &ConstantPool<'_>) -> Result<String, Error> {
    let elements = joined(annotation.elements.iter().map(|element| {
        Ok(format!("{}={}", pool.utf8(element.name_index)?, our_value(&element.value, pool)?))
    }))?;
    Ok(format!("@{} {elements}", annotation.descriptor(pool)?))
}

fn their_annotation(annotation: &theirs::Annotation<'_>) -> String {
    let elements =
        listed(&annotation.elements, |element| format!("{}={}", element.name, their_value(&element.value)));
    format!("@{} {elements}", annotation.type_descriptor)
}

fn our_value(value: &ElementValue, pool: &ConstantPool<'_>) -> Result<String, Error> {
    Ok(match *value {
        ElementValue::Constant { tag: b's', index } | ElementValue::Class(index) => {
            pool.utf8(index)?.to_string()
        }
        ElementValue::Constant { tag: b'D', index } => pool.double(index)?.to_string(),
        ElementValue::Constant { tag: b'F', index } => pool.float(index)?.to_string(),
        ElementValue::Constant { tag: b'J', index } => pool.long(index)?.to_string(),
        ElementValue::Constant { tag, index } => format!("{} {}", char::from(tag), pool.int(index)?),
        ElementValue::Enum { type_index, name_index } => {
            format!("{}.{}", pool.utf8(type_index)?, pool.utf8(name_index)?)
        }
        ElementValue::Annotation(ref annotation) => our_annotation(annotation, pool)?,
        ElementValue::Array(ref values) => joined(values.iter().map(|value| our_value(value, pool)))?,
    })
}

fn their_value(value: &theirs::AnnotationElementValue<'_>) -> String {
    use theirs::AnnotationElementValue as Value;
    match value {
        Value::ByteConstant(value) => format!("B {value}"),
        Value::CharConstant(value) => format!("C {value}"),
        Value::IntConstant(value) => format!("I {value}"),
        Value::ShortConstant(value) => format!("S {value}"),
        Value::BooleanConstant(value) => format!("Z {value}"),
        Value::DoubleConstant(value) => value.to_string(),
        Value::FloatConstant(value) => value.to_string(),
        Value::LongConstant(value) => value.to_string(),
        Value::StringConstant(text) | Value::ClassLiteral { class_name: text } => text.to_string(),
        Value::EnumConstant { type_name, const_name } => format!("{type_name}.{const_name}"),
        Value::AnnotationValue(annotation) => their_annotation(annotation),
        Value::ArrayValue(values) => listed(values, their_value),
    }
}

fn our_type_annotation(annotation: &TypeAnnotation<'_>, pool: &ConstantPool<'_>) -> Result<String, Error> {
    let target = match &annotation.target {
        TargetInfo::TypeParameter { index } => format!("parameter {index}"),
        TargetInfo::Supertype { index } => format!("supertype {index}"),
        TargetInfo::TypeParameterBound { parameter, bound } => format!("bound {parameter} {bound}"),
        TargetInfo::Empty => String::new(),
        TargetInfo::FormalParameter { index } => format!("formal {index}"),
        TargetInfo::Throws { index } => format!("throws {index}"),
        TargetInfo::LocalVariable(ranges) => joined(
            ranges.iter().map(|range| Ok(format!("{}+{} {}", range.start_pc, range.length, range.slot))),
        )?,
        TargetInfo::Catch { index } => format!("catch {index}"),
        TargetInfo::Offset { offset } => format!("at {offset}"),
        TargetInfo::TypeArgument { offset, index } => format!("argument {offset} {index}"),
    };
    let path = joined(annotation.path.iter().map(|step| Ok(format!("{} {}", step.kind, step.argument))))?;
    Ok(format!("{target} {path} {}", our_annotation(&annotation.annotation, pool)?))
}

fn their_type_annotation(annotation: &theirs::TypeAnnotation<'_>) -> String {
    use theirs::TypeAnnotationTarget as Target;
    let target = match &annotation.target_type {
        Target::TypeParameter { index } => format!("parameter {index}"),
        Target::Supertype { index } => format!("supertype {index}"),
        Target::TypeParameterBound { type_parameter_index, bound_index } => {
            format!("bound {type_parameter_index} {bound_index}")
        }
        Target::Empty => String::new(),
        Target::FormalParameter { index } => format!("formal {index}"),
        Target::Throws { index } => format!("throws {index}"),
        Target::LocalVar(ranges) => {
            listed(ranges, |range| format!("{}+{} {}", range.start_pc, range.length, range.index))
        }
        Target::Catch { exception_table_index } => format!("catch {exception_table_index}"),
        Target::Offset { offset } => format!("at {offset}"),
        Target::TypeArgument { offset, type_argument_index } => {
            format!("argument {offset} {type_argument_index}")
        }
    };
    let path = listed(&annotation.target_path, |step| {
        let kind = match step.path_kind {
            theirs::TypeAnnotationTargetPathKind::DeeperArray => 0,
            theirs::TypeAnnotationTargetPathKind::DeeperNested => 1,
            theirs::TypeAnnotationTargetPathKind::WildcardTypeArgument => 2,
            theirs::TypeAnnotationTargetPathKind::TypeArgument => 3,
        };
        format!("{kind} {}", step.argument_index)
    });
    format!("{target} {path} {}", their_annotation(&annotation.annotation))
}

fn our_frame(frame: &StackMapFrame, pool: &ConstantPool<'_>) -> Result<String, Error> {
    let types = |list: &[VerificationType]| joined(list.iter().map(|value| our_type(*value, pool)));
    let delta = frame.offset_delta();
    Ok(match frame {
        StackMapFrame::Same { .. } | StackMapFrame::SameExtended { .. } => format!("same {delta}"),
        StackMapFrame::SameLocals1StackItem { stack, .. }
        | StackMapFrame::SameLocals1StackItemExtended { stack, .. } => {
            format!("one {delta} {}", our_type(*stack, pool)?)
        }
        StackMapFrame::Chop { count, .. } => format!("chop {delta} {count}"),
        StackMapFrame::Append { locals, .. } => format!("append {delta} {}", types(locals)?),
        StackMapFrame::Full { locals, stack, .. } => {
            format!("full {delta} {} {}", types(locals)?, types(stack)?)
        }
    })
}

fn their_frame(frame: &theirs::StackMapEntry<'_>) -> String {
    use theirs::StackMapEntry as Frame;
    match frame {
        Frame::Same { offset_delta } => format!("same {offset_delta}"),
        Frame::SameLocals1StackItem { offset_delta, stack } => {
            format!("one {offset_delta} {}", their_type(stack))
        }
        Frame::Chop { offset_delta, chop_count } => format!("chop {offset_delta} {chop_count}"),
        Frame::Append { offset_delta, locals } => {
            format!("append {offset_delta} {}", listed(locals, their_type))
        }
        Frame::FullFrame { offset_delta, locals, stack } => {
            format!("full {offset_delta} {} {}", listed(locals, their_type), listed(stack, their_type))
        }
    }
}

fn our_type(value: VerificationType, pool: &ConstantPool<'_>) -> Result<String, Error> {
    Ok(match value {
        VerificationType::Object(index) => pool.class_name(index)?.to_string(),
        VerificationType::Uninitialized(offset) => format!("new {offset}"),
        other => format!("{other:?}"),
    })
}

fn their_type(value: &theirs::VerificationType<'_>) -> String {
    match value {
        theirs::VerificationType::Object { class_name } => class_name.to_string(),
        theirs::VerificationType::Uninitialized { code_offset } => format!("new {code_offset}"),
        other => format!("{other:?}"),
    }
}

fn joined(items: impl Iterator<Item = Result<String, Error>>) -> Result<String, Error> {
    Ok(items.collect::<Result<Vec<_>, _>>()?.join("; "))
}

fn listed<T>(items: &[T], describe: impl Fn(&T) -> String) -> String {
    items.iter().map(describe).collect::<Vec<_>>().join("; ")
}
