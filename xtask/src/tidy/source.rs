//! The production modules of a crate: which file each one is in, and which names each one imports.

use crate::steps::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, ItemMod, Meta, Token, UseTree};

/// A module's path from the crate's root: empty for the root itself.
pub(crate) type ModulePath = Vec<String>;

/// A module that is compiled outside of tests.
pub(crate) struct Module {
    /// The index of its file in [`Crate::files`]. Inline modules share their parent's file.
    pub(crate) file: usize,
    /// Its items, without those that only tests have.
    pub(crate) items: Vec<Item>,
    /// Names that its `use` declarations bring in: the local name, and the path as it is written.
    pub(crate) names: BTreeMap<String, Vec<String>>,
    /// The paths of its `use` declarations that end in `*`.
    pub(crate) globs: Vec<Vec<String>>,
}

/// The production code of one target of a package.
pub(crate) struct Crate {
    /// Files, in the order in which they were found. The first is the root.
    pub(crate) files: Vec<PathBuf>,
    /// Every module by its path.
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Crate {
    /// Reads the crate whose root is `root` (`src/lib.rs` or `src/main.rs`).
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let mut read = Self { files: Vec::new(), modules: BTreeMap::new() };
        read.add_file(root, &Vec::new(), root.parent().unwrap_or(root))?;
        Ok(read)
    }

    /// Reads the module `path` from `file`; files of its children are in `folder`.
    fn add_file(&mut self, file: &Path, path: &ModulePath, folder: &Path) -> Result<(), Failure> {
        let text = fs::read_to_string(file).map_err(Failure::file(file.display().to_string()))?;
        let parsed = syn::parse_file(&text)
            .map_err(|cause| Failure::Source { file: file.display().to_string(), cause })?;
        self.files.push(file.into());
        self.add_module(path, self.files.len() - 1, parsed.items, folder)
    }

    fn add_module(
        &mut self,
        path: &ModulePath,
        file: usize,
        items: Vec<Item>,
        folder: &Path,
    ) -> Result<(), Failure> {
        let mut module =
            Module { file, items: Vec::new(), names: BTreeMap::new(), globs: Vec::new() };
        let mut children = Vec::new();
        for item in items.into_iter().filter(|item| !is_test_only(attributes(item))) {
            match item {
                Item::Mod(child) => children.push(child),
                Item::Use(declaration) => {
                    module.import(&declaration.tree, Vec::new());
                    module.items.push(Item::Use(declaration));
                }
                other => module.items.push(other),
            }
        }
        self.modules.insert(path.clone(), module);
        children.into_iter().try_for_each(|child| self.add_child(child, path, file, folder))
    }

    fn add_child(
        &mut self,
        child: ItemMod,
        parent: &[String],
        file: usize,
        folder: &Path,
    ) -> Result<(), Failure> {
        let name = child.ident.to_string();
        let path = [parent, std::slice::from_ref(&name)].concat();
        let inner = folder.join(&name);
        if let Some((_, items)) = child.content {
            return self.add_module(&path, file, items, &inner);
        }
        if let Some(named) = path_attribute(&child.attrs) {
            let file = folder.join(named);
            return self.add_file(&file, &path, file.parent().unwrap_or(folder));
        }
        let flat = folder.join(format!("{name}.rs"));
        let found = if flat.is_file() { flat } else { inner.join("mod.rs") };
        self.add_file(&found, &path, &inner)
    }

    /// The folders with production files, each with the names that are seen in it. `foo.rs` and the
    /// folder `foo` are one name, and `mod.rs` is the name of its folder.
    pub(crate) fn folders(&self) -> BTreeMap<PathBuf, BTreeSet<String>> {
        let top = self.files.first().and_then(|root| root.parent());
        let mut folders: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        for file in &self.files {
            let mut seen = file.as_path();
            while let Some(folder) = seen.parent().filter(|_| top.is_some_and(|top| seen != top)) {
                let name = seen.file_stem().map(|name| name.to_string_lossy().into_owned());
                let name = name.filter(|name| name != "mod");
                folders.entry(folder.into()).or_default().extend(name);
                seen = folder;
            }
        }
        folders
    }
}

impl Module {
    /// Records what a `use` declaration brings in.
    fn import(&mut self, tree: &UseTree, mut before: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                // `use a::{self}` brings in `a`.
                let (name, path) = match (name.as_str(), before.last().cloned()) {
                    ("self", Some(last)) => (last, before),
                    _ => (name.clone(), [before, vec![name]].concat()),
                };
                self.names.insert(name, path);
            }
            UseTree::Rename(rename) => {
                before.extend(Some(rename.ident.to_string()).filter(|name| name != "self"));
                self.names.insert(rename.rename.to_string(), before);
            }
            UseTree::Glob(_) => self.globs.push(before),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before.clone());
                }
            }
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests alone: `#[cfg(test)]`, or `all(...)` with `test` in it.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        attribute.parse_args::<Meta>().is_ok_and(|condition| requires_test(&condition))
    })
}

fn requires_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|conditions| conditions.iter().any(requires_test)),
        _ => false,
    }
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(file), .. }) => Some(file.value()),
            _ => None,
        },
        _ => None,
    })
}
