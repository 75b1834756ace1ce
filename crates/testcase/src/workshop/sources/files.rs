//! Files with chosen content in the folder of the test.

use super::{Offer, ValueSource};
use crate::workshop::Tuning;
use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{FileForm, FileMembers};
use crate::{Arguments, Literal, MethodId, Statement, Text, TypeRef, Var};

/// Paths of files as texts, where the code around the crash opens files. Files of other forms are
/// makers of their types.
pub(super) struct Paths;

impl ValueSource for Paths {
    fn is_on(&self, tuning: &Tuning) -> bool {
        tuning.source_files
    }

    fn offer(&self, builder: &mut Builder<'_, '_>, request: &Request<'_>) -> Offer {
        let of = builder.catalogue.vocabulary.type_of(request.of);
        let is_possible = of.is_some_and(|it| it.view() == TypeRef::STRING)
            && builder.inner_depth(request).is_some()
            && builder.catalogue.pools.opens_files;
        match is_possible && builder.random.chance(builder.tuning.path_text) {
            true => make_file(builder, FileForm::Text).into(),
            false => Offer::Pass,
        }
    }
}

/// A file in the folder of the test, mostly with a text in it.
pub(crate) fn make_file(builder: &mut Builder<'_, '_>, form: FileForm) -> Option<Var> {
    let members = builder.catalogue.file_members()?;
    let folder = builder.push_literal(Literal::Folder)?;
    let name = file_name(builder);
    let name = builder.push_literal(Literal::Text(name))?;
    let child = Statement::Construct {
        constructor: members.child,
        arguments: Arguments::from_slice(&[folder, name]),
    };
    let file = builder.draft.push(child, Some(members.file))?;
    let path = ask(builder, members.to_path, file)?;
    if builder.random.chance(builder.tuning.folder) {
        ask(builder, members.make_folder, file)?;
    } else if !builder.random.chance(builder.tuning.missing_file) {
        write_file(builder, members, path)?;
    }
    match form {
        FileForm::File => Some(file),
        FileForm::Path => Some(path),
        FileForm::Text => ask(builder, members.path, file),
        FileForm::Url => {
            let uri = ask(builder, members.to_uri, file)?;
            ask(builder, members.to_url, uri)
        }
    }
}

fn write_file(builder: &mut Builder<'_, '_>, members: FileMembers, path: Var) -> Option<Var> {
    let probability = match builder.catalogue.pools.reads_bytes {
        true => builder.tuning.file_of_bytes_if_read,
        false => builder.tuning.file_of_bytes,
    };
    let bytes = if builder.tuning.source_bytes && builder.random.chance(probability) {
        let bytes = builder.random_literal(TypeRef::BYTES)?;
        builder.push_literal(bytes)?
    } else {
        let text = file_text(builder);
        let text = builder.push_literal(Literal::Text(text))?;
        ask(builder, members.bytes, text)?
    };
    let options = Statement::NewArray { array: members.options, length: 0 };
    let options = builder.draft.push(options, Some(members.options))?;
    builder.push_call(members.write, None, Arguments::from_slice(&[path, bytes, options]))
}

/// A call without arguments.
pub(super) fn ask(builder: &mut Builder<'_, '_>, method: MethodId, receiver: Var) -> Option<Var> {
    builder.push_call(method, Some(receiver), Arguments::new())
}

fn file_name(builder: &mut Builder<'_, '_>) -> Text {
    const PLAIN: &str = "file";
    let longest = builder.tuning.longest_file_name;
    let names = builder.texts().iter().map(|it| String::from_utf16_lossy(it.units()));
    let mentioned: Vec<String> = names.filter(|it| is_file_name(it, longest)).collect();
    match builder.random.pick(&mentioned) {
        Some(name) if builder.random.chance(builder.tuning.mentioned_file_name) => {
            let stem = if name.starts_with('.') { PLAIN } else { "" };
            Text::from(format!("{stem}{name}").as_str())
        }
        _ => Text::from(PLAIN),
    }
}

/// Whether a text can be the name of a file with an extension, or an extension.
fn is_file_name(text: &str, longest: usize) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    text.len() <= longest && text.chars().all(is_plain) && text.trim_matches('.').contains('.')
        || text.strip_prefix('.').is_some_and(|it| it.chars().all(|it| it.is_ascii_alphanumeric()))
}

fn file_text(builder: &mut Builder<'_, '_>) -> Text {
    let mut units = Vec::new();
    loop {
        if let Some(Literal::Text(line)) = builder.random_literal(TypeRef::STRING) {
            units.extend(line.units());
        }
        if !builder.random.chance(builder.tuning.further_line) {
            return Text::from(units.as_slice());
        }
        units.push(u16::from(b'\n'));
    }
}

#[cfg(test)]
mod tests {
    use super::is_file_name;

    #[test]
    fn names_of_files_have_an_extension() {
        for name in ["a.txt", "rates-inland.properties", ".xml", "a_b.c.d"] {
            assert!(is_file_name(name, 40), "{name}");
        }
        for other in ["txt", "a b.txt", "..", "a/b.txt", "x.txt"] {
            assert!(!is_file_name(other, 4), "{other}");
        }
    }
}
