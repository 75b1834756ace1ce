//! Classes and methods of the JDK that are of a kind which code asks for.

/// What answers yes to a question about a class or method.
pub(crate) struct Kind {
    /// Descriptors of types, which tests pass as classes.
    pub(crate) classes: &'static [&'static str],
    /// Methods by their names with owner and descriptor.
    pub(crate) methods: &'static [&'static str],
}

/// The kind that a method of the JDK's reflection asks for.
pub(crate) fn asked_by(owner: &str, name: &str) -> Option<Kind> {
    let (classes, methods): (&[&str], &[&str]) = match (owner, name) {
        ("java/lang/Class", "isPrimitive") => (&["I", "Z", "D"], &[]),
        ("java/lang/Class", "isArray" | "getComponentType" | "componentType") => {
            (&["[I", "[D", "[[I", "[Ljava/lang/String;"], &[])
        }
        ("java/lang/Class", "isEnum" | "getEnumConstants") => (&["Ljava/lang/Thread$State;"], &[]),
        ("java/lang/Class", "isInterface") | ("java/lang/reflect/Modifier", "isInterface") => {
            (&["Ljava/lang/Runnable;", "Ljava/util/List;"], &[])
        }
        ("java/lang/Class", "isAnnotation") => (&["Ljava/lang/Deprecated;"], &[]),
        ("java/lang/Class", "isMemberClass" | "getDeclaringClass" | "getEnclosingClass") => {
            (&["Ljava/util/Map$Entry;"], &[])
        }
        ("java/lang/Class", "getTypeParameters") => (&["Ljava/util/Map;"], &[]),
        ("java/lang/reflect/Modifier", "isAbstract") => {
            (&["Ljava/lang/Number;"], &["java/lang/Runnable.run()V", "java/lang/Number.intValue()I"])
        }
        ("java/lang/reflect/Modifier", "isFinal") => {
            (&["Ljava/lang/String;"], &["java/lang/Object.notify()V"])
        }
        ("java/lang/reflect/Modifier", "isStatic") => (
            &["Ljava/util/Map$Entry;"],
            &["java/lang/Thread.yield()V", "java/lang/Integer.parseInt(Ljava/lang/String;)I"],
        ),
        ("java/lang/reflect/Method" | "java/lang/reflect/Executable", "isVarArgs") => (
            &[],
            &[
                "java/util/Arrays.asList([Ljava/lang/Object;)Ljava/util/List;",
                "java/lang/String.format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
            ],
        ),
        ("java/lang/reflect/Method", "isDefault") => (&[], &["java/util/Iterator.remove()V"]),
        ("java/lang/reflect/Method", "getReturnType" | "getGenericReturnType") => {
            (&[], &["java/lang/Runnable.run()V", "java/lang/Object.hashCode()I"])
        }
        _ => return None,
    };
    Some(Kind { classes, methods })
}
