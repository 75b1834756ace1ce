use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_THREAD_START, JVMTI_VERSION_1_2,
    jvmtiCapabilities, jvmtiEnv, jvmtiError, jvmtiEvent, jvmtiEventCallbacks,
};

use super::env::class;
use super::{BootError, Env, Machine, Object, Thrown};

/// Calls a function of JVMTI's table, if there is one; tells whether it succeeded.
macro_rules! jvmti {
    ($tools:expr, $function:ident $(, $argument:expr)*) => {{
        let env = $tools.env;
        // SAFETY: the table and its functions live as long as the JVM; the arguments are valid by
        // the contract of this module.
        unsafe {
            match (*(*env).functions).$function {
                Some(function) => function(env $(, $argument)*) == jvmtiError::NONE,
                None => false,
            }
        }
    }};
}

/// Sees every class before the JVM does.
pub(crate) trait LoadHook: Send + Sync {
    /// New bytes for a class that a loader is about to define, or none to leave it alone. The name
    /// is internal and lossy; a null loader is the bootstrap loader. `redefined` tells that the
    /// class exists already.
    fn load(&self, env: Env, loader: Object, name: &str, bytes: &[u8], redefined: bool) -> Option<Vec<u8>>;
}

/// The JVM's tool interface.
#[derive(Clone, Copy)]
pub(crate) struct Tools {
    env: *mut jvmtiEnv,
}

// SAFETY: a JVMTI environment may be used by any thread that is attached (JVMTI, "Environments").
unsafe impl Send for Tools {}
// SAFETY: as above.
unsafe impl Sync for Tools {}

/// How many threads Java code has set out to start, together with those that have begun: those of
/// native code are in the second count only.
static THREADS_STARTED: AtomicU64 = AtomicU64::new(0);
/// How many virtual threads were created.
static VIRTUAL_THREADS: AtomicU64 = AtomicU64::new(0);

impl Tools {
    /// Opens the interface and sets the hook. What the worker needs is available after start-up
    /// too, on every JDK from 8 on.
    pub(crate) fn open(machine: Machine, hook: Box<dyn LoadHook>) -> Result<Self, BootError> {
        let env = machine.interface(JVMTI_VERSION_1_2).ok_or(BootError::NoTools)?.cast::<jvmtiEnv>();
        let tools = Self { env };
        let mut capabilities = jvmtiCapabilities::for_class_file_load_hook();
        capabilities.set_can_retransform_classes(true);
        capabilities.set_can_signal_thread(true);
        // The hook lives as long as the process. It is boxed twice because the environment keeps a
        // thin pointer.
        let hook: *mut Box<dyn LoadHook> = Box::into_raw(Box::new(hook));
        let mut callbacks = jvmtiEventCallbacks::default();
        callbacks.ClassFileLoadHook = Some(on_load);
        callbacks.ThreadStart = Some(on_thread);
        let size = i32::try_from(size_of::<jvmtiEventCallbacks>()).unwrap_or(0);
        let done = jvmti!(tools, AddCapabilities, &raw const capabilities)
            && jvmti!(tools, SetEnvironmentLocalStorage, hook.cast())
            && jvmti!(tools, SetEventCallbacks, &raw const callbacks, size)
            && tools.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
            && tools.enable(JVMTI_EVENT_THREAD_START);
        done.then_some(tools).ok_or(BootError::NoTools)
    }

    fn enable(self, event: jvmtiEvent) -> bool {
        jvmti!(self, SetEventNotificationMode, JVMTI_ENABLE, event, ptr::null_mut())
    }

    /// Passes a loaded class through the hook.
    pub(crate) fn retransform(self, object: Object) -> bool {
        let class = class(object);
        jvmti!(self, RetransformClasses, 1, &raw const class)
    }

    /// Throws something in another thread, and wakes it.
    pub(crate) fn stop(self, thread: Object, thrown: Object) -> bool {
        jvmti!(self, StopThread, thread.0, thrown.0)
    }

    /// State of a class; see [`is_in_error`].
    pub(crate) fn class_status(self, object: Object) -> i32 {
        let mut status = 0;
        jvmti!(self, GetClassStatus, class(object), &raw mut status);
        status
    }

    /// Whether a thread waits for another to wake it, however long that takes.
    pub(crate) fn waits_for_good(self, thread: Object) -> bool {
        const WAITING_INDEFINITELY: i32 = 0x10;
        let mut state = 0;
        jvmti!(self, GetThreadState, thread.0, &raw mut state) && state & WAITING_INDEFINITELY != 0
    }

    /// The classes that the bootstrap loader has loaded, as local references.
    pub(crate) fn bootstrap_classes(self) -> Vec<Object> {
        self.list(|count, list| jvmti!(self, GetClassLoaderClasses, ptr::null_mut(), count, list))
    }

    /// All threads that live, as local references.
    pub(crate) fn threads(self) -> Vec<Object> {
        self.list(|count, list| jvmti!(self, GetAllThreads, count, list))
    }

    fn list(self, fill: impl FnOnce(*mut jint, *mut *mut jobject) -> bool) -> Vec<Object> {
        let (mut count, mut list) = (0, ptr::null_mut());
        if !fill(&raw mut count, &raw mut list) || list.is_null() {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: the function has filled a list of that length.
        let objects =
            unsafe { std::slice::from_raw_parts(list, count) }.iter().map(|it| Object(*it)).collect();
        jvmti!(self, Deallocate, list.cast());
        objects
    }

    /// Lets the runtime classes count threads: the JVM's event comes from the new thread itself,
    /// whenever that gets to run.
    pub(crate) fn count_threads(self, env: Env) -> Result<(), Thrown> {
        let threads = env.find_class(c"crashback/runtime/Threads")?;
        env.register_native(threads, c"starting", c"()V", on_start as *mut c_void)?;
        env.register_native(threads, c"creatingVirtual", c"()V", on_virtual as *mut c_void)
    }

    /// Changes whenever a thread is started, before it can do anything.
    pub(crate) fn threads_started(self) -> u64 {
        THREADS_STARTED.load(Ordering::Acquire)
    }

    /// How many virtual threads were created so far.
    pub(crate) fn virtual_threads(self) -> u64 {
        VIRTUAL_THREADS.load(Ordering::Acquire)
    }
}

/// Whether a class can never be used because its initialiser failed.
pub(crate) fn is_in_error(status: i32) -> bool {
    const ERROR: i32 = 8;
    status & ERROR != 0
}

unsafe extern "system" fn on_thread(_: *mut jvmtiEnv, _: *mut JNIEnv, _: jobject) {
    THREADS_STARTED.fetch_add(1, Ordering::AcqRel);
}

extern "system" fn on_start(_: *mut JNIEnv, _: jclass) {
    THREADS_STARTED.fetch_add(1, Ordering::AcqRel);
}

extern "system" fn on_virtual(_: *mut JNIEnv, _: jclass) {
    VIRTUAL_THREADS.fetch_add(1, Ordering::AcqRel);
}

unsafe extern "system" fn on_load(
    tools: *mut jvmtiEnv,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    let tools = Tools { env: tools };
    let mut hook = ptr::null_mut();
    if name.is_null() || !jvmti!(tools, GetEnvironmentLocalStorage, &raw mut hook) || hook.is_null() {
        return;
    }
    // SAFETY: `Tools::open` has stored this type, and it is never freed.
    let hook = unsafe { &*hook.cast::<Box<dyn LoadHook>>() };
    // SAFETY: JVMTI gives a text that ends with a zero byte, and as many bytes as it says.
    let (name, bytes) = unsafe {
        (CStr::from_ptr(name), std::slice::from_raw_parts(bytes, usize::try_from(length).unwrap_or(0)))
    };
    // A panic must not cross the JVM; the class stays as it is.
    let load =
        || hook.load(Env::new(env), Object(loader), &name.to_string_lossy(), bytes, !redefined.is_null());
    let Ok(Some(new)) = catch_unwind(AssertUnwindSafe(load)) else { return };
    let mut place: *mut c_uchar = ptr::null_mut();
    let (Ok(size), Ok(long)) = (i32::try_from(new.len()), i64::try_from(new.len())) else { return };
    if jvmti!(tools, Allocate, long, &raw mut place) && !place.is_null() {
        // SAFETY: JVMTI has allocated as much, and takes it over with the two assignments.
        unsafe {
            ptr::copy_nonoverlapping(new.as_ptr(), place, new.len());
            *new_length = size;
            *new_bytes = place;
        }
    }
}
