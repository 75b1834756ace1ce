//! The default `serialVersionUID` of a class (Java Object Serialization Specification, 4.6).

use crashback_classfile::{
    AccessFlags, Attribute, ClassFile, Error, JavaStr, Location, Member, RawAttribute,
};
use sha1::{Digest, Sha1};

use super::fields::is_initialiser;

/// The version that serialisation computes for a class, but no interface, that declares none.
pub(super) fn default_uid(class: &ClassFile<'_>) -> Result<i64, Error> {
    let mut stream = Stream::default();
    stream.text(&dotted(class.name()?));
    stream.flags(modifiers(class)?, CLASS_FLAGS);
    let mut interfaces: Vec<_> = class.interface_names().collect::<Result<_, _>>()?;
    interfaces.sort_by(|a, b| a.code_units().cmp(b.code_units()));
    interfaces.iter().for_each(|name| stream.text(&dotted(*name)));
    fields(class, &mut stream)?;
    if class.methods.iter().any(|method| is_initialiser(class, method)) {
        stream.text(b"<clinit>");
        stream.flags(AccessFlags::STATIC, METHOD_FLAGS);
        stream.text(b"()V");
    }
    methods(class, &mut stream)?;
    let hash = Sha1::digest(stream.0);
    Ok(i64::from_le_bytes(hash.first_chunk().copied().unwrap_or_default()))
}

/// The flags that count, by what they are on. In Java these are the `Modifier` constants of the
/// same value.
const CLASS_FLAGS: u16 = 0x0001 | 0x0010 | 0x0200 | 0x0400;
const FIELD_FLAGS: u16 = 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0040 | 0x0080;
const METHOD_FLAGS: u16 = 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0100 | 0x0400 | 0x0800;

fn fields(class: &ClassFile<'_>, stream: &mut Stream) -> Result<(), Error> {
    let mut fields: Vec<_> = class.fields.iter().collect();
    sort_by_text(&mut fields, |field| field.name(&class.pool))?;
    for field in fields {
        let access = field.access;
        if !access.is_private() || !(access.is_static() || access.is_transient()) {
            stream.text(field.name(&class.pool)?.as_bytes());
            stream.flags(access, FIELD_FLAGS);
            stream.text(field.descriptor(&class.pool)?.as_bytes());
        }
    }
    Ok(())
}

/// First the constructors, then all others by name; those of one name by descriptor.
fn methods(class: &ClassFile<'_>, stream: &mut Stream) -> Result<(), Error> {
    let all = class.methods.iter().filter(|method| !is_initialiser(class, method));
    let is_constructor = |method: &&Member<'_>| method.name(&class.pool).is_ok_and(|name| name == "<init>");
    let (mut constructors, mut methods): (Vec<_>, Vec<_>) = all.partition(is_constructor);
    for group in [&mut constructors, &mut methods] {
        sort_by_text(group, |method| method.descriptor(&class.pool))?;
        sort_by_text(group, |method| method.name(&class.pool))?;
        for method in group.iter().filter(|method| !method.access.is_private()) {
            stream.text(method.name(&class.pool)?.as_bytes());
            stream.flags(method.access, METHOD_FLAGS);
            stream.text(&dotted(method.descriptor(&class.pool)?));
        }
    }
    Ok(())
}

/// Flags of a class as declared: those of a member class are in a table of their own (JVMS 4.7.6).
fn modifiers(class: &ClassFile<'_>) -> Result<AccessFlags, Error> {
    let attribute = class.attribute("InnerClasses");
    let decoded =
        attribute.map(|it: &RawAttribute<'_>| it.decode(&class.pool, Location::Class)).transpose()?;
    if let Some(Attribute::InnerClasses(table)) = decoded {
        let own = class.name()?;
        let entry =
            table.iter().find(|it| class.pool.class_name(it.inner_class_index).is_ok_and(|it| it == own));
        return Ok(entry.map_or(class.access, |entry| entry.access));
    }
    Ok(class.access)
}

/// Sorts as `String.compareTo` does, by UTF-16 code units; equal ones stay in order.
fn sort_by_text<'m, 'a: 'm>(
    members: &mut Vec<&'m Member<'a>>,
    text: impl Fn(&Member<'a>) -> Result<JavaStr<'a>, Error>,
) -> Result<(), Error> {
    let keyed: Vec<_> =
        members.iter().map(|member| Ok((text(member)?, *member))).collect::<Result<_, Error>>()?;
    let mut keyed = keyed;
    keyed.sort_by(|(a, _), (b, _)| a.code_units().cmp(b.code_units()));
    *members = keyed.into_iter().map(|(_, member)| member).collect();
    Ok(())
}

fn dotted(name: JavaStr<'_>) -> Vec<u8> {
    name.as_bytes().iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect()
}

/// The bytes that `java.io.DataOutputStream` would write.
#[derive(Default)]
struct Stream(Vec<u8>);

impl Stream {
    /// Texts of class files are in modified UTF-8 already and no longer than 65535 bytes.
    fn text(&mut self, text: &[u8]) {
        self.0.extend_from_slice(&(text.len() as u16).to_be_bytes());
        self.0.extend_from_slice(text);
    }

    fn flags(&mut self, flags: AccessFlags, mask: u16) {
        self.0.extend_from_slice(&u32::from(flags.0 & mask).to_be_bytes());
    }
}
