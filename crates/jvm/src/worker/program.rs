//! The program's class loader.

use std::ffi::CString;
use std::path::PathBuf;

use super::caller;
use crate::java::{Env, Method, Object, Thrown, Value, class_name};

/// What makes loaders of the program.
pub(super) struct Loaders {
    class: Object,
    constructor: Method,
    close: Method,
    set_assertions: Method,
    assertions: bool,
    urls: Object,
    parent: Object,
    class_class: Object,
    for_name: Method,
    get_loader: Method,
    thread: Object,
    set_context: Method,
    package: String,
}

/// The program as one loader has it.
pub(super) struct Program {
    loader: Object,
    caller: Object,
    call: Method,
    /// Where the tests live, as part of internal names.
    package: String,
}

impl Loaders {
    pub(super) fn new(env: Env, thread: Object, settings: &crate::settings::Program) -> Result<Self, Thrown> {
        let class = env.find_class(c"crashback/runtime/ProgramLoader")?;
        let base = env.find_class(c"java/lang/ClassLoader")?;
        let class_class = env.find_class(c"java/lang/Class")?;
        let thread_class = env.find_class(c"java/lang/Thread")?;
        let system = env.method(base, c"getSystemClassLoader", c"()Ljava/lang/ClassLoader;", true)?;
        let parent = env.method(base, c"getParent", c"()Ljava/lang/ClassLoader;", false)?;
        let system = env.call_static(base, system, b'L', &[])?.as_object();
        // The platform's loader, which on Java 8 is that of extensions.
        let parent = env.call(system, parent, b'L', &[])?.as_object();
        let for_name = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
        Ok(Self {
            constructor: env.method(class, c"<init>", c"([Ljava/net/URL;Ljava/lang/ClassLoader;)V", false)?,
            close: env.method(class, c"close", c"()V", false)?,
            set_assertions: env.method(base, c"setDefaultAssertionStatus", c"(Z)V", false)?,
            assertions: settings.assertions,
            for_name: env.method(class_class, c"forName", for_name, true)?,
            get_loader: env.method(class_class, c"getClassLoader", c"()Ljava/lang/ClassLoader;", false)?,
            class: env.global(class),
            class_class: env.global(class_class),
            urls: env.global(urls(env, &settings.class_path)?),
            parent: env.global(parent),
            thread,
            set_context: env.method(
                thread_class,
                c"setContextClassLoader",
                c"(Ljava/lang/ClassLoader;)V",
                false,
            )?,
            package: settings.test_package.clone(),
        })
    }

    /// The program anew, nothing of it loaded yet. Its loader becomes the context of the thread
    /// that runs tests.
    pub(super) fn load(&self, env: Env) -> Result<Program, Thrown> {
        let loader = env.construct(self.class, self.constructor, &[self.urls.into(), self.parent.into()])?;
        if self.assertions {
            env.call(loader, self.set_assertions, b'V', &[Value::boolean(true)])?;
        }
        // A signed jar refuses classes of others in its packages; such tests live in a package of
        // their own.
        let (caller, package) = match define_caller(env, loader, &self.package) {
            Ok(caller) => (caller, self.package.as_str()),
            Err(Thrown) => {
                env.take_thrown();
                (define_caller(env, loader, OWN_PACKAGE)?, OWN_PACKAGE)
            }
        };
        let package = package.replace('.', "/");
        let (name, descriptor) = (class_name(caller::METHOD), class_name(caller::DESCRIPTOR));
        env.register_native(caller, &name, &descriptor, super::session::call as *mut std::ffi::c_void)?;
        let call = env.method(caller, &name, &descriptor, true)?;
        self.set_context(env, loader)?;
        Ok(Program { loader: env.global(loader), caller: env.global(caller), call, package })
    }

    /// Makes the loader of a program the context of the thread that runs tests.
    pub(super) fn use_again(&self, env: Env, program: &Program) -> Result<(), Thrown> {
        self.set_context(env, program.loader)
    }

    fn set_context(&self, env: Env, loader: Object) -> Result<(), Thrown> {
        env.call(self.thread, self.set_context, b'V', &[loader.into()]).map(|_| ())
    }

    /// Gives up a program. What still runs of it can load no further classes.
    pub(super) fn discard(&self, env: Env, program: &Program) {
        env.ignoring(|env| env.call(program.loader, self.close, b'V', &[]));
        env.delete_global(program.caller);
        env.delete_global(program.loader);
    }

    /// A class of the program by its binary name or, for arrays, its descriptor with dots; not
    /// initialised.
    pub(super) fn class(&self, env: Env, program: &Program, name: &str) -> Result<Object, Thrown> {
        let units: Vec<u16> = name.encode_utf16().collect();
        let name = env.new_string(&units)?;
        let arguments = [name.into(), Value::boolean(false), program.loader.into()];
        Ok(env.call_static(self.class_class, self.for_name, b'L', &arguments)?.as_object())
    }

    /// The package of a class that is to extend or implement another with this internal name, as
    /// part of internal names: the same one, since a type or its methods may not be visible
    /// elsewhere, or that of the tests where another loader than the program's owns it.
    pub(super) fn package_below<'a>(
        &self,
        env: Env,
        program: &'a Program,
        class: Object,
        name: &'a str,
    ) -> Result<&'a str, Thrown> {
        let loader = env.call(class, self.get_loader, b'L', &[])?.as_object();
        let is_ours = env.is_same(loader, program.loader);
        env.delete_local(loader);
        Ok(if is_ours { name.rsplit_once('/').map_or("", |(package, _)| package) } else { &program.package })
    }
}

/// For tests that cannot live in the package that they are meant for.
const OWN_PACKAGE: &str = "crashback.test";

impl Program {
    /// Calls the native method, which gets the number back.
    pub(super) fn enter(&self, env: Env, job: i64) -> Result<(), Thrown> {
        env.call_static(self.caller, self.call, b'V', &[Value::long(job)]).map(|_| ())
    }

    /// Defines a class beside those of the program.
    pub(super) fn define(&self, env: Env, internal_name: &str, bytes: &[u8]) -> Result<Object, Thrown> {
        env.define_class(&class_name(internal_name), self.loader, bytes)
    }
}

fn define_caller(env: Env, loader: Object, package: &str) -> Result<Object, Thrown> {
    let internal = caller::internal_name(package);
    env.define_class(&class_name(&internal), loader, &caller::class_file(&internal))
}

/// The class path as an array of `java.net.URL`.
fn urls(env: Env, class_path: &[PathBuf]) -> Result<Object, Thrown> {
    let url = env.find_class(c"java/net/URL")?;
    let file = env.find_class(c"java/io/File")?;
    let uri = env.find_class(c"java/net/URI")?;
    let new_file = env.method(file, c"<init>", c"(Ljava/lang/String;)V", false)?;
    let to_uri = env.method(file, c"toURI", c"()Ljava/net/URI;", false)?;
    let to_url = env.method(uri, c"toURL", c"()Ljava/net/URL;", false)?;
    let array = env.new_object_array(url, i32::try_from(class_path.len()).unwrap_or(i32::MAX))?;
    for (index, entry) in (0..).zip(class_path) {
        let units: Vec<u16> = entry.to_string_lossy().encode_utf16().collect();
        let file = env.construct(file, new_file, &[env.new_string(&units)?.into()])?;
        let uri = env.call(file, to_uri, b'L', &[])?.as_object();
        let url = env.call(uri, to_url, b'L', &[])?;
        env.write_element(array, b'L', index, url)?;
    }
    Ok(array)
}

/// A member's name or descriptor for JNI.
pub(super) fn text(text: &str) -> CString {
    class_name(text)
}
