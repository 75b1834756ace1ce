//! Members of the JDK that tests use to make files and to fill collections.

use super::Catalogue;
use crate::{MethodId, Type, TypeId};

/// In what form a file is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileForm {
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
    pub(crate) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "java/io/File" => Self::File,
            "java/nio/file/Path" => Self::Path,
            "java/net/URL" => Self::Url,
            _ => return None,
        })
    }
}

/// Members of the JDK that make files, and bytes and characters of texts.
#[derive(Clone, Copy)]
pub(crate) struct FileMembers {
    /// `java.io.File`
    pub(crate) file: TypeId,
    /// An array of `java.nio.file.OpenOption`.
    pub(crate) options: TypeId,
    /// The constructor with a folder and a name.
    pub(crate) child: MethodId,
    pub(crate) make_folder: MethodId,
    pub(crate) to_path: MethodId,
    pub(crate) to_uri: MethodId,
    pub(crate) to_url: MethodId,
    /// The path as a text.
    pub(crate) path: MethodId,
    pub(crate) write: MethodId,
    /// The bytes of a text.
    pub(crate) bytes: MethodId,
    /// The characters of a text.
    pub(crate) characters: MethodId,
}

/// Members of collections and maps that put something into them.
#[derive(Clone, Copy)]
pub(crate) struct CollectionMembers {
    pub(crate) collection: TypeId,
    pub(crate) map: TypeId,
    pub(crate) object: TypeId,
    pub(crate) add: MethodId,
    pub(crate) put: MethodId,
}

/// Members of containers that yield something of them.
#[derive(Clone, Copy)]
pub(crate) struct ContainerMembers {
    /// The element at an index of a list.
    pub(crate) get: MethodId,
    pub(crate) iterator: MethodId,
    pub(crate) next: MethodId,
    /// The values of a map.
    pub(crate) values: MethodId,
    /// What an `Optional` holds.
    pub(crate) held: MethodId,
}

impl Catalogue<'_> {
    /// The members that make files; none if the JDK lacks one of them.
    pub(crate) fn file_members(&mut self) -> Option<FileMembers> {
        if self.facts.here().files.is_none() {
            self.facts.here_mut().files = Some(self.find_file_members()?);
        }
        self.facts.here().files
    }

    fn find_file_members(&mut self) -> Option<FileMembers> {
        const WRITE: &str = "java/nio/file/Files.write(Ljava/nio/file/Path;[B[Ljava/nio/file/OpenOption;)\
            Ljava/nio/file/Path;";
        let hierarchy = self.context.hierarchy();
        let vocabulary = &mut self.vocabulary;
        let mut method = |name: &str| vocabulary.find_method(hierarchy, name).ok();
        let child = method("java/io/File.<init>(Ljava/io/File;Ljava/lang/String;)V")?;
        let write = method(WRITE)?;
        let make_folder = method("java/io/File.mkdir()Z")?;
        let path = method("java/io/File.getPath()Ljava/lang/String;")?;
        let to_path = method("java/io/File.toPath()Ljava/nio/file/Path;")?;
        let to_uri = method("java/io/File.toURI()Ljava/net/URI;")?;
        let to_url = method("java/net/URI.toURL()Ljava/net/URL;")?;
        let bytes = method("java/lang/String.getBytes()[B")?;
        let characters = method("java/lang/String.toCharArray()[C")?;
        let file = vocabulary.add_type(Type::of_class("java/io/File"));
        vocabulary.add_type(Type::of_class("java/nio/file/OpenOption"));
        let options = vocabulary.add_type(Type("[Ljava/nio/file/OpenOption;".into()));
        Some(FileMembers {
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
        })
    }

    /// The members that yield something of containers; none if the JDK lacks one of them.
    pub(crate) fn container_members(&mut self) -> Option<ContainerMembers> {
        if self.facts.here().containers.is_none() {
            let hierarchy = self.context.hierarchy();
            let vocabulary = &mut self.vocabulary;
            let mut method = |name: &str| vocabulary.find_method(hierarchy, name).ok();
            self.facts.here_mut().containers = Some(ContainerMembers {
                get: method("java/util/List.get(I)Ljava/lang/Object;")?,
                iterator: method("java/lang/Iterable.iterator()Ljava/util/Iterator;")?,
                next: method("java/util/Iterator.next()Ljava/lang/Object;")?,
                values: method("java/util/Map.values()Ljava/util/Collection;")?,
                held: method("java/util/Optional.get()Ljava/lang/Object;")?,
            });
        }
        self.facts.here().containers
    }

    /// The members that fill collections; none if the JDK lacks one of them.
    pub(crate) fn collection_members(&mut self) -> Option<CollectionMembers> {
        const ADD: &str = "java/util/Collection.add(Ljava/lang/Object;)Z";
        const PUT: &str = "java/util/Map.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        if self.facts.here().collections.is_none() {
            let hierarchy = self.context.hierarchy();
            let vocabulary = &mut self.vocabulary;
            let (add, put) = (vocabulary.find_method(hierarchy, ADD), vocabulary.find_method(hierarchy, PUT));
            self.facts.here_mut().collections = Some(CollectionMembers {
                collection: vocabulary.add_type(Type::of_class("java/util/Collection")),
                map: vocabulary.add_type(Type::of_class("java/util/Map")),
                object: vocabulary.add_type(Type::of_class("java/lang/Object")),
                add: add.ok()?,
                put: put.ok()?,
            });
        }
        self.facts.here().collections
    }
}
