//! Files with chosen content in the folder of the test, and bytes and characters that are those of
//! a text.

use super::Workshop;
use super::draft::Draft;
use crate::{Arguments, Literal, MethodId, Random, Statement, Text, Type, TypeId, TypeRef, Var};

/// In what form a file is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileForm {
    /// `java.io.File`
    File,
    /// `java.nio.file.Path`
    Path,
    /// `java.net.URL`
    Url,
    /// Its path as a text.
    Text,
}

impl FileForm {
    /// The form in which a class holds a file.
    pub(super) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "java/io/File" => Self::File,
            "java/nio/file/Path" => Self::Path,
            "java/net/URL" => Self::Url,
            _ => return None,
        })
    }
}

/// Members of the JDK that make files, looked up once.
#[derive(Clone, Copy)]
pub(super) struct FileMembers {
    file: TypeId,
    options: TypeId,
    child: MethodId,
    make_folder: MethodId,
    to_path: MethodId,
    to_uri: MethodId,
    to_url: MethodId,
    path: MethodId,
    write: MethodId,
    bytes: MethodId,
    characters: MethodId,
}

impl Workshop<'_> {
    /// Whether a text is to be the path of a file.
    pub(super) fn wants_path(&self, random: &mut Random) -> bool {
        self.pools.opens_files && random.chance(self.tuning.path_text)
    }

    /// A file in the folder of the test, mostly with a text in it.
    pub(super) fn make_file(
        &mut self,
        draft: &mut Draft,
        form: FileForm,
        random: &mut Random,
    ) -> Option<Var> {
        let members = self.file_members()?;
        let folder = self.push_literal(draft, Literal::Folder)?;
        let name = self.file_name(random);
        let name = self.push_literal(draft, Literal::Text(name))?;
        let arguments = Arguments::from_slice(&[folder, name]);
        let file =
            draft.push(Statement::Construct { constructor: members.child, arguments }, Some(members.file))?;
        let path = self.ask(draft, members.to_path, file)?;
        if random.chance(self.tuning.folder) {
            self.ask(draft, members.make_folder, file)?;
        } else if !random.chance(self.tuning.missing_file) {
            self.write_file(draft, members, path, random)?;
        }
        match form {
            FileForm::File => Some(file),
            FileForm::Path => Some(path),
            FileForm::Text => self.ask(draft, members.path, file),
            FileForm::Url => {
                let uri = self.ask(draft, members.to_uri, file)?;
                self.ask(draft, members.to_url, uri)
            }
        }
    }

    fn write_file(
        &mut self,
        draft: &mut Draft,
        members: FileMembers,
        path: Var,
        random: &mut Random,
    ) -> Option<Var> {
        let text = self.file_text(random);
        let text = self.push_literal(draft, Literal::Text(text))?;
        let bytes = self.ask(draft, members.bytes, text)?;
        let options = Statement::NewArray { array: members.options, length: 0 };
        let options = draft.push(options, Some(members.options))?;
        let arguments = Arguments::from_slice(&[path, bytes, options]);
        let write = Statement::Call { method: members.write, receiver: None, arguments };
        draft.push(write, self.result_of(members.write))
    }

    /// An array of bytes or characters that is that of a text; none if another array is wanted, or
    /// by chance.
    pub(super) fn array_of_text(
        &mut self,
        draft: &mut Draft,
        array: TypeRef<'_>,
        random: &mut Random,
    ) -> Option<Var> {
        let is_bytes = match array.descriptor() {
            "[B" => true,
            "[C" => false,
            _ => return None,
        };
        if !random.chance(self.tuning.array_of_text) {
            return None;
        }
        let members = self.file_members()?;
        let text = self.random_literal(TypeRef::STRING, random)?;
        let text = self.push_literal(draft, text)?;
        self.ask(draft, if is_bytes { members.bytes } else { members.characters }, text)
    }

    /// A call without arguments.
    fn ask(&mut self, draft: &mut Draft, method: MethodId, receiver: Var) -> Option<Var> {
        let call = Statement::Call { method, receiver: Some(receiver), arguments: Arguments::new() };
        draft.push(call, self.result_of(method))
    }

    fn file_name(&mut self, random: &mut Random) -> Text {
        const PLAIN: &str = "file";
        let is_name = |it: &&Text| {
            let text = String::from_utf16_lossy(it.units());
            let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
            text.len() <= self.tuning.longest_file_name
                && text.chars().all(is_plain)
                && text.trim_matches('.').contains('.')
                || text.strip_prefix('.').is_some_and(|it| it.chars().all(|it| it.is_ascii_alphanumeric()))
        };
        let mentioned: Vec<&Text> = self.texts().iter().filter(is_name).collect();
        match random.pick(&mentioned) {
            Some(name) if random.chance(self.tuning.mentioned_file_name) => {
                let name = String::from_utf16_lossy(name.units());
                let stem = if name.starts_with('.') { PLAIN } else { "" };
                Text::from(format!("{stem}{name}").as_str())
            }
            _ => Text::from(PLAIN),
        }
    }

    fn file_text(&mut self, random: &mut Random) -> Text {
        let mut units = Vec::new();
        loop {
            if let Some(Literal::Text(line)) = self.random_literal(TypeRef::STRING, random) {
                units.extend(line.units());
            }
            if !random.chance(self.tuning.further_line) {
                return Text::from(units.as_slice());
            }
            units.push(u16::from(b'\n'));
        }
    }

    fn file_members(&mut self) -> Option<FileMembers> {
        if self.catalogue.here().files.is_none() {
            let hierarchy = self.context.hierarchy();
            let vocabulary = &mut self.vocabulary;
            let mut method = |name: &str| vocabulary.find_method(hierarchy, name).ok();
            let write = "java/nio/file/Files.write(Ljava/nio/file/Path;[B[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path;";
            let (child, write) =
                (method("java/io/File.<init>(Ljava/io/File;Ljava/lang/String;)V")?, method(write)?);
            let (make_folder, path) =
                (method("java/io/File.mkdir()Z")?, method("java/io/File.getPath()Ljava/lang/String;")?);
            let to_path = method("java/io/File.toPath()Ljava/nio/file/Path;")?;
            let to_uri = method("java/io/File.toURI()Ljava/net/URI;")?;
            let to_url = method("java/net/URI.toURL()Ljava/net/URL;")?;
            let bytes = method("java/lang/String.getBytes()[B")?;
            let characters = method("java/lang/String.toCharArray()[C")?;
            let file = vocabulary.add_type(Type::of_class("java/io/File"));
            vocabulary.add_type(Type::of_class("java/nio/file/OpenOption"));
            let options = vocabulary.add_type(Type("[Ljava/nio/file/OpenOption;".into()));
            self.catalogue.here_mut().files = Some(FileMembers {
                file,
                options,
                child,
                make_folder,
                to_path,
                to_uri,
                to_url,
                path,
                write,
                bytes,
                characters,
            });
        }
        self.catalogue.here().files
    }
}
