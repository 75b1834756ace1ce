//! Hooks around the one that instruments: for those who check it.

use crashback_classfile::{ClassFile, Error, Flow};

use crate::java::{Env, LoadHook, Object};

/// Spoils an instrumented class: internal name and class file in, class file out; none leaves it as
/// it is.
pub type Tamper = fn(&str, &[u8]) -> Option<Vec<u8>>;

/// Spoils what another hook makes of classes.
pub(super) struct Tampering {
    pub(super) inner: Box<dyn LoadHook>,
    pub(super) tamper: Tamper,
}

impl LoadHook for Tampering {
    fn load(&self, env: Env, loader: Object, name: &str, bytes: &[u8], redefined: bool) -> Option<Vec<u8>> {
        let new = self.inner.load(env, loader, name, bytes, redefined)?;
        if redefined { Some(new) } else { (self.tamper)(name, &new).or(Some(new)) }
    }
}

/// Gives classes of version 50 the version 51, for which no JVM falls back to its old verifier.
pub(super) struct Strict {
    pub(super) inner: Box<dyn LoadHook>,
}

impl LoadHook for Strict {
    fn load(&self, env: Env, loader: Object, name: &str, bytes: &[u8], redefined: bool) -> Option<Vec<u8>> {
        match as_version_51(bytes) {
            Some(stamped) if !redefined && !loader.is_null() => {
                self.inner.load(env, loader, name, &stamped, redefined).or(Some(stamped))
            }
            _ => self.inner.load(env, loader, name, bytes, redefined),
        }
    }
}

/// The class of version 50 as one of version 51. None for other versions, for what cannot be read,
/// and for classes with subroutines, which version 51 does not allow (JVMS 4.9.1).
fn as_version_51(bytes: &[u8]) -> Option<Vec<u8>> {
    let [before @ .., 0, 50] = bytes.first_chunk::<8>()? else { return None };
    if has_subroutines(bytes).unwrap_or(true) {
        return None;
    }
    let mut stamped = before.to_vec();
    stamped.extend([0, 51]);
    stamped.extend_from_slice(bytes.get(8..)?);
    Some(stamped)
}

fn has_subroutines(bytes: &[u8]) -> Result<bool, Error> {
    let class = ClassFile::parse(bytes)?;
    for method in &class.methods {
        let Some(code) = method.code(&class.pool)? else { continue };
        for instruction in code.instructions() {
            if matches!(instruction?.1.opcode.flow(), Flow::Subroutine | Flow::SubroutineReturn) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
