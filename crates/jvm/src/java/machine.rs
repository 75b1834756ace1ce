use std::env::consts::ARCH;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use jvmti_bindings::sys::jni::{
    JNI_CreateJavaVM, JNI_OK, JNI_TRUE, JNI_VERSION_1_8, JNIEnv, JavaVM, JavaVMInitArgs, JavaVMOption,
    describe_result,
};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use thiserror::Error;

use super::Env;
use crate::confined::elf;

/// The JVM of this process; there is one at most, and it stays until the process ends.
#[derive(Clone, Copy)]
pub(crate) struct Machine(*mut JavaVM);

// SAFETY: the invocation interface may be used by any thread (JNI specification, chapter 5).
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

/// Why there is no JVM.
#[derive(Debug, Error)]
pub(crate) enum BootError {
    #[error("{home} has no libjvm.so; it is no JDK or JRE of version 8 or later, or for another system")]
    NoLibrary { home: PathBuf },
    #[error("{path} is for {processor}, and this machine is {ARCH}; name a JDK for it with --java-home")]
    OtherProcessor { path: PathBuf, processor: &'static str },
    #[error("{path} cannot be loaded: {error}; the JDK may be incomplete, or for another system")]
    Unloadable { path: PathBuf, error: libloading::Error },
    #[error("the JVM of {home} did not start: {code}; its options were {options:?}")]
    Refused { home: PathBuf, code: String, options: Vec<String> },
    #[error(
        "the JVM lacks the tool interface that Crashback needs: JVMTI with class hooks; use a HotSpot JDK"
    )]
    NoTools,
}

impl Machine {
    /// Starts the JVM of a JDK on the current thread, which becomes its main thread.
    pub(crate) fn start(home: &Path, options: &[String]) -> Result<(Self, Env), BootError> {
        let path = library(home).ok_or_else(|| BootError::NoLibrary { home: home.to_owned() })?;
        if let Some(processor) = elf::processor(&path).filter(|it| *it != ARCH) {
            return Err(BootError::OtherProcessor { path, processor });
        }
        let unloadable = |error| BootError::Unloadable { path: path.clone(), error };
        // SAFETY: the initialisers of libjvm do nothing that depends on this process.
        let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }.map_err(unloadable)?;
        // SAFETY: this is the type of the function by that name (JNI specification, chapter 5).
        let create = unsafe { library.get::<JNI_CreateJavaVM>(b"JNI_CreateJavaVM\0") }.map_err(unloadable)?;
        // The JVM cannot be unloaded again.
        let create = *create;
        std::mem::forget(library);

        // The JVM reads the options later too, so they are never freed.
        let texts = options.iter().map(|it| CString::new(it.as_str()).unwrap_or_default().into_raw());
        let mut raw: Vec<JavaVMOption> = texts.map(option).collect();
        let mut arguments = JavaVMInitArgs {
            version: JNI_VERSION_1_8,
            nOptions: i32::try_from(raw.len()).unwrap_or(i32::MAX),
            options: raw.as_mut_ptr(),
            ignoreUnrecognized: JNI_TRUE,
        };
        let mut machine: *mut JavaVM = ptr::null_mut();
        let mut env: *mut JNIEnv = ptr::null_mut();
        // SAFETY: all pointers are to live values of the types that the function expects.
        let code = unsafe { create(&raw mut machine, &raw mut env, &raw mut arguments) };
        if code != JNI_OK || machine.is_null() || env.is_null() {
            let code = describe_result(code);
            return Err(BootError::Refused { home: home.to_owned(), code, options: options.to_vec() });
        }
        std::mem::forget(raw);
        Ok((Self(machine), Env::new(env)))
    }

    /// Makes the current thread known to the JVM, as one that does not keep it alive.
    pub(crate) fn attach_daemon(self) -> Option<Env> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the table lives as long as the process.
        let code = unsafe { ((**self.0).AttachCurrentThreadAsDaemon)(self.0, &raw mut env, ptr::null_mut()) };
        (code == JNI_OK && !env.is_null()).then(|| Env::new(env.cast()))
    }

    /// Another interface of the JVM, by its version.
    pub(super) fn interface(self, version: i32) -> Option<*mut c_void> {
        let mut interface: *mut c_void = ptr::null_mut();
        // SAFETY: the table lives as long as the process.
        let code = unsafe { ((**self.0).GetEnv)(self.0, &raw mut interface, version) };
        (code == JNI_OK && !interface.is_null()).then_some(interface)
    }
}

fn option(text: *mut c_char) -> JavaVMOption {
    JavaVMOption { optionString: text, extraInfo: ptr::null_mut() }
}

/// Where JDKs and JREs keep libjvm: since 9 always in one place, before by processor, and in a JDK
/// below `jre`.
pub(crate) fn library(home: &Path) -> Option<PathBuf> {
    let processors = ["amd64", "aarch64", "i386"];
    let old = processors.iter().flat_map(|it| [format!("jre/lib/{it}/server"), format!("lib/{it}/server")]);
    let folders = std::iter::once("lib/server".to_owned()).chain(old);
    folders.map(|folder| home.join(folder).join("libjvm.so")).find(|path| path.is_file())
}
