//! A thin layer over JNI and JVMTI, for the worker alone.
//!
//! The layer knows no types of Java: that a method is called with what its descriptor says, on live
//! references and on an attached thread, is the caller's duty, as in JNI itself. What it adds is
//! that an exception is an `Err`, and that nothing is called while one is pending. References in an
//! `Err` are never kept: the exception stays pending until [`Env::take_thrown`].

mod env;
mod machine;
mod tools;

pub(crate) use env::{Env, Field, Method, Object, Thrown, Value, class_name};
pub(crate) use machine::{BootError, Machine, library};
pub(crate) use tools::{LoadHook, Tools, is_in_error};
