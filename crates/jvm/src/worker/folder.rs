//! The folder of a test: made when a test asks for it, in the worker's own, and removed after that
//! test.

use std::fs;
use std::io;
use std::path::Path;

use crate::java::{Env, Method, Object, Thrown};

/// A path without the worker's own folder in front, so that it is the same in all workers.
const NAME: &str = "folder";

pub(super) struct Folder {
    class: Object,
    constructor: Method,
    is_there: bool,
}

impl Folder {
    pub(super) fn new(env: Env) -> Result<Self, Thrown> {
        let class = env.global(env.find_class(c"java/io/File")?);
        let constructor = env.method(class, c"<init>", c"(Ljava/lang/String;)V", false)?;
        Ok(Self { class, constructor, is_there: false })
    }

    /// The folder as a `java.io.File`.
    pub(super) fn get(&mut self, env: Env) -> Result<Object, Thrown> {
        if !self.is_there {
            self.is_there = true;
            if let Err(error) = fs::create_dir(NAME) {
                return Err(
                    env.throw_new(c"java/io/IOException", &format!("no folder for the test: {error}"))
                );
            }
        }
        let units: Vec<u16> = NAME.encode_utf16().collect();
        let name = env.new_string(&units)?;
        env.construct(self.class, self.constructor, &[name.into()])
    }

    /// Removes the folder with all that is in it, if the test has asked for it. Tells whether it is
    /// gone.
    pub(super) fn clear(&mut self) -> bool {
        if !std::mem::take(&mut self.is_there) {
            return true;
        }
        let removed = fs::remove_dir_all(NAME);
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        // The program may have put something else in its place.
        removed.is_ok() || removed.is_err_and(|it| is_gone(&it)) || fs::remove_file(Path::new(NAME)).is_ok()
    }
}
