//! Imports between the files of a crate.
//!
//! A name that a module only re-exports counts as an import of the file that defines the name. So a
//! `mod.rs` that only re-exports is in no circle, and a child that imports what its parent defines
//! is in one when the parent imports from the child.

use super::source::{Crate, Module, is_test_only};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, ItemMod, ItemUse, Macro, Path, Stmt};

/// Maximum number of re-exports of re-exports that are followed; longer chains would be circles.
const MAX_REEXPORTS: u32 = 16;

/// An import: the file that imports, and the file that defines what is imported.
pub(crate) type Import = (usize, usize);

/// Every import between two different files of the crate.
pub(crate) fn between_files(source: &Crate) -> BTreeSet<Import> {
    let mut imports = BTreeSet::new();
    for (path, module) in &source.modules {
        let mut paths = Paths::default();
        module.items.iter().for_each(|item| paths.visit_item(item));
        let written = paths.found.iter().chain(module.names.values()).chain(&paths.imported);
        let resolve = |written: &Vec<String>| resolve(source, path, written, 0);
        let globs = module.globs.iter().filter_map(|glob| module_file(source, path, glob));
        let files = written.filter_map(resolve).chain(globs);
        imports.extend(files.map(|file| (module.file, file)).filter(|(from, to)| from != to));
    }
    imports
}

/// Returns the file that defines what `written` names in the module `here`; `None` if that is
/// another crate, a name inside a function, or a module as a whole.
fn resolve(source: &Crate, here: &[String], written: &[String], depth: u32) -> Option<usize> {
    let (mut at, rest) = start(source, here, written, depth)?;
    let mut rest = rest.as_slice();
    while let [name, after @ ..] = rest {
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        if source.modules.contains_key(&child) {
            (at, rest) = (child, after);
            continue;
        }
        let module = source.modules.get(&at)?;
        let Some(imported) = module.names.get(name) else { return Some(module.file) };
        // A name that is imported as itself belongs to another crate.
        if depth > MAX_REEXPORTS || imported == std::slice::from_ref(name) {
            return None;
        }
        return resolve(source, &at, &[imported, after].concat(), depth + 1);
    }
    None
}

/// The file of the module that a glob names.
fn module_file(source: &Crate, here: &[String], glob: &[String]) -> Option<usize> {
    let (at, rest) = start(source, here, glob, 0)?;
    source.modules.get(&[at, rest].concat()).map(|module: &Module| module.file)
}

/// Returns the module in which a path begins, and the rest of the path; `None` for a path of
/// another crate.
fn start(
    source: &Crate,
    here: &[String],
    written: &[String],
    depth: u32,
) -> Option<(Vec<String>, Vec<String>)> {
    let [first, rest @ ..] = written else { return None };
    match first.as_str() {
        "crate" => Some((Vec::new(), rest.to_vec())),
        "self" => Some((here.to_vec(), rest.to_vec())),
        "super" => {
            let mut at = here.to_vec();
            at.pop();
            let mut rest = rest;
            while let [next, after @ ..] = rest
                && next == "super"
            {
                at.pop();
                rest = after;
            }
            Some((at, rest.to_vec()))
        }
        name => {
            let child = [here, std::slice::from_ref(first)].concat();
            if source.modules.contains_key(&child) {
                return Some((child, rest.to_vec()));
            }
            let imported = source.modules.get(here)?.names.get(name)?;
            if depth > MAX_REEXPORTS || imported == std::slice::from_ref(first) || rest.is_empty() {
                return None;
            }
            start(source, here, &[imported.as_slice(), rest].concat(), depth + 1)
        }
    }
}

/// The paths of two or more segments in a module's items.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
    /// The paths of `use` declarations inside functions.
    imported: Vec<Vec<String>>,
}

impl Paths {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                other => {
                    self.add(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.add(path);
    }

    fn add(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.found.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        self.tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }

    /// `#[derive]` and documentation name nothing of the crate.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_test_only(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Item(syn::Item::Use(ItemUse { tree, .. })) = statement {
            flatten(tree, &mut Vec::new(), &mut self.imported);
        }
        visit::visit_stmt(self, statement);
    }
}

fn flatten(tree: &syn::UseTree, before: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, into);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, before, into));
        }
        syn::UseTree::Name(name) => into.push([&before[..], &[name.ident.to_string()]].concat()),
        syn::UseTree::Rename(name) => into.push([&before[..], &[name.ident.to_string()]].concat()),
        syn::UseTree::Glob(_) => {}
    }
}
