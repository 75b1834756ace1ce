use crate::content::content;
use crate::table::record;
use crate::{AccessFlags, Table};

content! {
    /// The declaration of a module (JVMS 4.7.25).
    pub struct Module<'a> {
        /// Index of the module.
        pub name_index: u16,
        /// Whether it is open, synthetic or mandated.
        pub access: AccessFlags,
        /// Index of the text of its version, 0 for none.
        pub version_index: u16,
        /// Modules it needs.
        pub requires: Table<'a, ModuleRequires>,
        /// Packages it exports.
        pub exports: Vec<ModuleExports<'a>>,
        /// Packages it opens for reflection.
        pub opens: Vec<ModuleOpens<'a>>,
        /// Indices of the service classes it uses.
        pub uses: Table<'a, u16>,
        /// Services it provides.
        pub provides: Vec<ModuleProvides<'a>>,
    }
}

record! {
    /// A module that a module needs.
    pub struct ModuleRequires {
        /// Index of the module.
        pub module_index: u16,
        /// Whether it is passed on, needed at compile time only, synthetic or mandated.
        pub access: AccessFlags,
        /// Index of the text of the version compiled against, 0 for none.
        pub version_index: u16,
    }
}

content! {
    /// A package that a module exports.
    pub struct ModuleExports<'a> {
        /// Index of the package.
        pub package_index: u16,
        /// Whether it is synthetic or mandated.
        pub access: AccessFlags,
        /// Indices of the modules it is exported to; empty means all.
        pub to: Table<'a, u16>,
    }
}

content! {
    /// A package that a module opens for reflection.
    pub struct ModuleOpens<'a> {
        /// Index of the package.
        pub package_index: u16,
        /// Whether it is synthetic or mandated.
        pub access: AccessFlags,
        /// Indices of the modules it is opened to; empty means all.
        pub to: Table<'a, u16>,
    }
}

content! {
    /// A service that a module provides.
    pub struct ModuleProvides<'a> {
        /// Index of the service's class.
        pub service_index: u16,
        /// Indices of the implementing classes.
        pub with: Table<'a, u16>,
    }
}
