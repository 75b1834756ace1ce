use std::ffi::{CStr, CString};
use std::ptr;

use jvmti_bindings::sys::jni::{
    JNI_FALSE, JNIEnv, JNINativeMethod, jclass, jfieldID, jmethodID, jobject, jvalue,
};

/// Calls a function of JNI's table.
macro_rules! jni {
    ($env:expr, $function:ident $(, $argument:expr)*) => {{
        let env = $env.0;
        // SAFETY: the table and its functions live as long as the JVM; the arguments are valid by
        // the contract of this module.
        unsafe { ((**env).$function)(env $(, $argument)*) }
    }};
}

/// The JNI environment of the current thread.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

/// A reference to an object: local, global or null. Not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Object(pub(crate) jobject);

impl Object {
    pub(crate) const NULL: Object = Object(ptr::null_mut());

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A method of a class that stays loaded as long as this is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method(jmethodID);

/// A field, likewise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field(jfieldID);

// SAFETY: ids of methods and fields are the same in all threads (JNI specification, "Accessing
// Fields and Methods").
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Send for Field {}

/// An exception is pending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown;

/// A Java value without its type, which the descriptor at hand tells.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Value(pub(crate) jvalue);

impl Value {
    /// Zero, `false` or null.
    pub(crate) const ZERO: Value = Value(jvalue { j: 0 });

    pub(crate) fn boolean(value: bool) -> Self {
        Self::int(i32::from(value))
    }

    /// Also for the types that are narrower than `int`: all their bytes are set, in the order that
    /// fits little and big ends through the setters of the union below.
    pub(crate) fn int(value: i32) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.i = value;
        Self(raw)
    }

    pub(crate) fn byte(value: i8) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.b = value;
        Self(raw)
    }

    pub(crate) fn short(value: i16) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.s = value;
        Self(raw)
    }

    pub(crate) fn char(value: u16) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.c = value;
        Self(raw)
    }

    pub(crate) fn long(value: i64) -> Self {
        Self(jvalue { j: value })
    }

    pub(crate) fn float(value: f32) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.f = value;
        Self(raw)
    }

    pub(crate) fn double(value: f64) -> Self {
        Self(jvalue { d: value })
    }

    pub(crate) fn object(value: Object) -> Self {
        let mut raw = jvalue { j: 0 };
        raw.l = value.0;
        Self(raw)
    }

    /// The reference, of a value that is one.
    pub(crate) fn as_object(self) -> Object {
        // SAFETY: every constructor sets all eight bytes, so that any of the union's views is
        // initialised.
        Object(unsafe { self.0.l })
    }

    /// The number, of a value that is an `int`.
    pub(crate) fn as_int(self) -> i32 {
        // SAFETY: as above.
        unsafe { self.0.i }
    }

    /// The number, of a value that is a `long`.
    pub(crate) fn as_long(self) -> i64 {
        // SAFETY: as above.
        unsafe { self.0.j }
    }
}

impl Env {
    /// Wraps what the JVM gave for the current thread.
    pub(crate) fn new(raw: *mut JNIEnv) -> Self {
        Self(raw)
    }

    /// The class that the bootstrap loader knows by an internal name.
    pub(crate) fn find_class(self, name: &CStr) -> Result<Object, Thrown> {
        self.checked_object(Object(jni!(self, FindClass, name.as_ptr())))
    }

    /// Defines a class in a loader; null is the bootstrap loader.
    pub(crate) fn define_class(self, name: &CStr, loader: Object, bytes: &[u8]) -> Result<Object, Thrown> {
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        self.checked_object(Object(jni!(
            self,
            DefineClass,
            name.as_ptr(),
            loader.0,
            bytes.as_ptr().cast(),
            length
        )))
    }

    /// Gives a native method its code.
    pub(crate) fn register_native(
        self,
        class: Object,
        name: &CStr,
        descriptor: &CStr,
        code: *mut std::ffi::c_void,
    ) -> Result<(), Thrown> {
        let method = JNINativeMethod { name: name.as_ptr(), signature: descriptor.as_ptr(), fnPtr: code };
        jni!(self, RegisterNatives, class.0, &raw const method, 1);
        self.checked(())
    }

    /// Looks a method or constructor up, and initialises its class.
    pub(crate) fn method(
        self,
        class: Object,
        name: &CStr,
        descriptor: &CStr,
        is_static: bool,
    ) -> Result<Method, Thrown> {
        let (name, descriptor) = (name.as_ptr(), descriptor.as_ptr());
        let id = if is_static {
            jni!(self, GetStaticMethodID, class.0, name, descriptor)
        } else {
            jni!(self, GetMethodID, class.0, name, descriptor)
        };
        self.checked(Method(id))
    }

    /// An instance method as the program's own reflection sees it.
    pub(crate) fn reflected(self, class: Object, method: Method) -> Result<Object, Thrown> {
        self.checked_object(Object(jni!(self, ToReflectedMethod, class.0, method.0, 0)))
    }

    /// Looks a field up, and initialises its class.
    pub(crate) fn field(
        self,
        class: Object,
        name: &CStr,
        descriptor: &CStr,
        is_static: bool,
    ) -> Result<Field, Thrown> {
        let (name, descriptor) = (name.as_ptr(), descriptor.as_ptr());
        let id = if is_static {
            jni!(self, GetStaticFieldID, class.0, name, descriptor)
        } else {
            jni!(self, GetFieldID, class.0, name, descriptor)
        };
        self.checked(Field(id))
    }

    /// `new`, with a constructor of the class.
    pub(crate) fn construct(
        self,
        class: Object,
        constructor: Method,
        arguments: &[Value],
    ) -> Result<Object, Thrown> {
        self.checked_object(Object(jni!(self, NewObjectA, class.0, constructor.0, raw(arguments))))
    }

    /// An object of which no constructor has run. Initialises its class.
    pub(crate) fn allocate(self, class: Object) -> Result<Object, Thrown> {
        self.checked_object(Object(jni!(self, AllocObject, class.0)))
    }

    /// Calls a static method whose result has the type that a descriptor begins with.
    pub(crate) fn call_static(
        self,
        class: Object,
        method: Method,
        result: u8,
        arguments: &[Value],
    ) -> Result<Value, Thrown> {
        let (class, method, arguments) = (class.0, method.0, raw(arguments));
        let value = match result {
            b'V' => {
                jni!(self, CallStaticVoidMethodA, class, method, arguments);
                Value::long(0)
            }
            b'Z' => Value::int(jni!(self, CallStaticBooleanMethodA, class, method, arguments).into()),
            b'B' => Value::byte(jni!(self, CallStaticByteMethodA, class, method, arguments)),
            b'S' => Value::short(jni!(self, CallStaticShortMethodA, class, method, arguments)),
            b'C' => Value::char(jni!(self, CallStaticCharMethodA, class, method, arguments)),
            b'I' => Value::int(jni!(self, CallStaticIntMethodA, class, method, arguments)),
            b'J' => Value::long(jni!(self, CallStaticLongMethodA, class, method, arguments)),
            b'F' => Value::float(jni!(self, CallStaticFloatMethodA, class, method, arguments)),
            b'D' => Value::double(jni!(self, CallStaticDoubleMethodA, class, method, arguments)),
            _ => {
                return self
                    .checked_object(Object(jni!(self, CallStaticObjectMethodA, class, method, arguments)))
                    .map(Value::object);
            }
        };
        self.checked(value)
    }

    /// Calls a method on an object that is not null.
    pub(crate) fn call(
        self,
        object: Object,
        method: Method,
        result: u8,
        arguments: &[Value],
    ) -> Result<Value, Thrown> {
        let (object, method, arguments) = (object.0, method.0, raw(arguments));
        let value = match result {
            b'V' => {
                jni!(self, CallVoidMethodA, object, method, arguments);
                Value::long(0)
            }
            b'Z' => Value::int(jni!(self, CallBooleanMethodA, object, method, arguments).into()),
            b'B' => Value::byte(jni!(self, CallByteMethodA, object, method, arguments)),
            b'S' => Value::short(jni!(self, CallShortMethodA, object, method, arguments)),
            b'C' => Value::char(jni!(self, CallCharMethodA, object, method, arguments)),
            b'I' => Value::int(jni!(self, CallIntMethodA, object, method, arguments)),
            b'J' => Value::long(jni!(self, CallLongMethodA, object, method, arguments)),
            b'F' => Value::float(jni!(self, CallFloatMethodA, object, method, arguments)),
            b'D' => Value::double(jni!(self, CallDoubleMethodA, object, method, arguments)),
            _ => {
                return self
                    .checked_object(Object(jni!(self, CallObjectMethodA, object, method, arguments)))
                    .map(Value::object);
            }
        };
        self.checked(value)
    }

    /// Reads a field of the type that a descriptor begins with: static of a class, or of an object
    /// that is not null.
    pub(crate) fn read_field(self, of: Object, field: Field, descriptor: u8, is_static: bool) -> Value {
        let (of, field) = (of.0, field.0);
        match (descriptor, is_static) {
            (b'Z', true) => Value::int(jni!(self, GetStaticBooleanField, of, field).into()),
            (b'B', true) => Value::byte(jni!(self, GetStaticByteField, of, field)),
            (b'S', true) => Value::short(jni!(self, GetStaticShortField, of, field)),
            (b'C', true) => Value::char(jni!(self, GetStaticCharField, of, field)),
            (b'I', true) => Value::int(jni!(self, GetStaticIntField, of, field)),
            (b'J', true) => Value::long(jni!(self, GetStaticLongField, of, field)),
            (b'F', true) => Value::float(jni!(self, GetStaticFloatField, of, field)),
            (b'D', true) => Value::double(jni!(self, GetStaticDoubleField, of, field)),
            (_, true) => Value::object(Object(jni!(self, GetStaticObjectField, of, field))),
            (b'Z', false) => Value::int(jni!(self, GetBooleanField, of, field).into()),
            (b'B', false) => Value::byte(jni!(self, GetByteField, of, field)),
            (b'S', false) => Value::short(jni!(self, GetShortField, of, field)),
            (b'C', false) => Value::char(jni!(self, GetCharField, of, field)),
            (b'I', false) => Value::int(jni!(self, GetIntField, of, field)),
            (b'J', false) => Value::long(jni!(self, GetLongField, of, field)),
            (b'F', false) => Value::float(jni!(self, GetFloatField, of, field)),
            (b'D', false) => Value::double(jni!(self, GetDoubleField, of, field)),
            (_, false) => Value::object(Object(jni!(self, GetObjectField, of, field))),
        }
    }

    /// Writes a field.
    pub(crate) fn write_field(self, of: Object, field: Field, descriptor: u8, is_static: bool, value: Value) {
        let (of, field, value) = (of.0, field.0, value.0);
        // Any view of the union may be read; see `Value::as_object`.
        {
            match (descriptor, is_static) {
                (b'Z', true) => jni!(self, SetStaticBooleanField, of, field, value.z),
                (b'B', true) => jni!(self, SetStaticByteField, of, field, value.b),
                (b'S', true) => jni!(self, SetStaticShortField, of, field, value.s),
                (b'C', true) => jni!(self, SetStaticCharField, of, field, value.c),
                (b'I', true) => jni!(self, SetStaticIntField, of, field, value.i),
                (b'J', true) => jni!(self, SetStaticLongField, of, field, value.j),
                (b'F', true) => jni!(self, SetStaticFloatField, of, field, value.f),
                (b'D', true) => jni!(self, SetStaticDoubleField, of, field, value.d),
                (_, true) => jni!(self, SetStaticObjectField, of, field, value.l),
                (b'Z', false) => jni!(self, SetBooleanField, of, field, value.z),
                (b'B', false) => jni!(self, SetByteField, of, field, value.b),
                (b'S', false) => jni!(self, SetShortField, of, field, value.s),
                (b'C', false) => jni!(self, SetCharField, of, field, value.c),
                (b'I', false) => jni!(self, SetIntField, of, field, value.i),
                (b'J', false) => jni!(self, SetLongField, of, field, value.j),
                (b'F', false) => jni!(self, SetFloatField, of, field, value.f),
                (b'D', false) => jni!(self, SetDoubleField, of, field, value.d),
                (_, false) => jni!(self, SetObjectField, of, field, value.l),
            }
        }
    }

    /// A string of UTF-16 units.
    pub(crate) fn new_string(self, units: &[u16]) -> Result<Object, Thrown> {
        let length = i32::try_from(units.len()).unwrap_or(i32::MAX);
        self.checked_object(Object(jni!(self, NewString, units.as_ptr(), length)))
    }

    /// The UTF-16 units of a string.
    pub(crate) fn string_units(self, string: Object) -> Vec<u16> {
        let length = jni!(self, GetStringLength, string.0);
        let mut units = vec![0; usize::try_from(length).unwrap_or(0)];
        jni!(self, GetStringRegion, string.0, 0, length, units.as_mut_ptr());
        units
    }

    /// An array of references, all null.
    pub(crate) fn new_object_array(self, element: Object, length: i32) -> Result<Object, Thrown> {
        self.checked_object(Object(jni!(self, NewObjectArray, length, element.0, ptr::null_mut())))
    }

    /// An array of a primitive type, all zero.
    pub(crate) fn new_primitive_array(self, element: u8, length: i32) -> Result<Object, Thrown> {
        self.checked(Object(match element {
            b'Z' => jni!(self, NewBooleanArray, length),
            b'B' => jni!(self, NewByteArray, length),
            b'S' => jni!(self, NewShortArray, length),
            b'C' => jni!(self, NewCharArray, length),
            b'I' => jni!(self, NewIntArray, length),
            b'J' => jni!(self, NewLongArray, length),
            b'F' => jni!(self, NewFloatArray, length),
            _ => jni!(self, NewDoubleArray, length),
        }))
    }

    /// An array of bytes.
    pub(crate) fn new_byte_array(self, bytes: &[u8]) -> Result<Object, Thrown> {
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        let array = self.new_primitive_array(b'B', length)?;
        jni!(self, SetByteArrayRegion, array.0, 0, length, bytes.as_ptr().cast());
        self.checked(array)
    }

    /// An array of `int`s.
    pub(crate) fn new_int_array(self, values: &[i32]) -> Result<Object, Thrown> {
        let length = i32::try_from(values.len()).unwrap_or(i32::MAX);
        let array = self.new_primitive_array(b'I', length)?;
        jni!(self, SetIntArrayRegion, array.0, 0, length, values.as_ptr());
        self.checked(array)
    }

    /// Appends the first bytes of an array.
    pub(crate) fn append_bytes(self, array: Object, length: usize, to: &mut Vec<u8>) -> Result<(), Thrown> {
        let start = to.len();
        to.resize(start + length, 0);
        let Some(place) = to.get_mut(start..) else { return Ok(()) };
        jni!(
            self,
            GetByteArrayRegion,
            array.0,
            0,
            i32::try_from(length).unwrap_or(i32::MAX),
            place.as_mut_ptr().cast()
        );
        self.checked(())
    }

    /// The first `int`s of an array.
    pub(crate) fn read_ints(self, array: Object, length: usize) -> Result<Vec<i32>, Thrown> {
        let mut values = vec![0; length];
        jni!(
            self,
            GetIntArrayRegion,
            array.0,
            0,
            i32::try_from(length).unwrap_or(i32::MAX),
            values.as_mut_ptr()
        );
        self.checked(values)
    }

    /// Reads an element of an array; throws when the index is out of bounds.
    pub(crate) fn read_element(self, array: Object, element: u8, index: i32) -> Result<Value, Thrown> {
        let mut value = jvalue { j: 0 };
        // The view of the union is the one of the array's elements.
        {
            match element {
                b'Z' => jni!(self, GetBooleanArrayRegion, array.0, index, 1, &raw mut value.z),
                b'B' => jni!(self, GetByteArrayRegion, array.0, index, 1, &raw mut value.b),
                b'S' => jni!(self, GetShortArrayRegion, array.0, index, 1, &raw mut value.s),
                b'C' => jni!(self, GetCharArrayRegion, array.0, index, 1, &raw mut value.c),
                b'I' => jni!(self, GetIntArrayRegion, array.0, index, 1, &raw mut value.i),
                b'J' => jni!(self, GetLongArrayRegion, array.0, index, 1, &raw mut value.j),
                b'F' => jni!(self, GetFloatArrayRegion, array.0, index, 1, &raw mut value.f),
                b'D' => jni!(self, GetDoubleArrayRegion, array.0, index, 1, &raw mut value.d),
                _ => value.l = jni!(self, GetObjectArrayElement, array.0, index),
            }
        }
        self.checked(Value(value))
    }

    /// Writes an element of an array; throws when the index is out of bounds or the value does not
    /// fit.
    pub(crate) fn write_element(
        self,
        array: Object,
        element: u8,
        index: i32,
        value: Value,
    ) -> Result<(), Thrown> {
        let value = value.0;
        // As in `read_element`.
        {
            match element {
                b'Z' => jni!(self, SetBooleanArrayRegion, array.0, index, 1, &raw const value.z),
                b'B' => jni!(self, SetByteArrayRegion, array.0, index, 1, &raw const value.b),
                b'S' => jni!(self, SetShortArrayRegion, array.0, index, 1, &raw const value.s),
                b'C' => jni!(self, SetCharArrayRegion, array.0, index, 1, &raw const value.c),
                b'I' => jni!(self, SetIntArrayRegion, array.0, index, 1, &raw const value.i),
                b'J' => jni!(self, SetLongArrayRegion, array.0, index, 1, &raw const value.j),
                b'F' => jni!(self, SetFloatArrayRegion, array.0, index, 1, &raw const value.f),
                b'D' => jni!(self, SetDoubleArrayRegion, array.0, index, 1, &raw const value.d),
                _ => jni!(self, SetObjectArrayElement, array.0, index, value.l),
            }
        }
        self.checked(())
    }

    /// Whether an object is null or of a class.
    pub(crate) fn is_instance(self, object: Object, class: Object) -> bool {
        jni!(self, IsInstanceOf, object.0, class.0) != JNI_FALSE
    }

    /// Whether values of one class can be assigned to variables of another.
    pub(crate) fn is_assignable(self, from: Object, to: Object) -> bool {
        jni!(self, IsAssignableFrom, from.0, to.0) != JNI_FALSE
    }

    /// Whether two references are to one object.
    pub(crate) fn is_same(self, one: Object, other: Object) -> bool {
        jni!(self, IsSameObject, one.0, other.0) != JNI_FALSE
    }

    /// The class of an object that is not null.
    pub(crate) fn class_of(self, object: Object) -> Object {
        Object(jni!(self, GetObjectClass, object.0))
    }

    /// A reference that lives until it is deleted.
    pub(crate) fn global(self, object: Object) -> Object {
        Object(jni!(self, NewGlobalRef, object.0))
    }

    /// Ends a global reference.
    pub(crate) fn delete_global(self, object: Object) {
        jni!(self, DeleteGlobalRef, object.0);
    }

    /// Ends a local reference.
    pub(crate) fn delete_local(self, object: Object) {
        jni!(self, DeleteLocalRef, object.0);
    }

    /// Begins a scope for local references. Fails when memory is short.
    pub(crate) fn push_frame(self, capacity: i32) -> Result<(), Thrown> {
        if jni!(self, PushLocalFrame, capacity) == 0 { Ok(()) } else { Err(Thrown) }
    }

    /// Ends the innermost scope.
    pub(crate) fn pop_frame(self) {
        jni!(self, PopLocalFrame, ptr::null_mut());
    }

    /// Throws a new exception of a class with a message.
    pub(crate) fn throw_new(self, class: &CStr, message: &str) -> Thrown {
        if let Ok(class) = self.find_class(class) {
            let message = CString::new(message).unwrap_or_default();
            jni!(self, ThrowNew, class.0, message.as_ptr());
        }
        Thrown
    }

    /// The pending exception, which is no longer pending. Null when there is none.
    pub(crate) fn take_thrown(self) -> Object {
        let thrown = Object(jni!(self, ExceptionOccurred));
        jni!(self, ExceptionClear);
        thrown
    }

    /// Runs something of which an exception is of no interest.
    pub(crate) fn ignoring<T>(self, run: impl FnOnce(Env) -> Result<T, Thrown>) -> Option<T> {
        let result = run(self);
        if result.is_err() {
            jni!(self, ExceptionClear);
        }
        result.ok()
    }

    /// For functions that return null if and only if, or at least whenever, something was thrown.
    fn checked_object(self, object: Object) -> Result<Object, Thrown> {
        if object.is_null() { self.checked(object) } else { Ok(object) }
    }

    fn checked<T>(self, value: T) -> Result<T, Thrown> {
        if jni!(self, ExceptionCheck) == JNI_FALSE { Ok(value) } else { Err(Thrown) }
    }
}

/// A class's reference, for functions of the JVM that want one.
pub(super) fn class(object: Object) -> jclass {
    object.0
}

/// A name as JNI wants it. Names in modified UTF-8 hold no zero byte; one that does names nothing.
pub(crate) fn class_name(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

fn raw(arguments: &[Value]) -> *const jvalue {
    arguments.as_ptr().cast()
}
