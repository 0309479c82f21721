//! The files that a crate is compiled from.

use crate::error::{Error, read};
use crate::tokens::compiled_tokens;
use std::path::{Path, PathBuf};

/// Roots of a crate, in its `src`.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// The compiled tokens of all files of the crate in `src`, in the order of its modules.
///
/// The files are found as the compiler finds them: from the root along each `mod name;`. `#[path]`
/// is not followed, and no file is found for a `mod name;` inside `mod outer { … }`.
pub(crate) fn compiled(src: &Path) -> Result<String, Error> {
    let mut todo: Vec<PathBuf> =
        ROOTS.map(|root| src.join(root)).into_iter().filter(|root| root.exists()).collect();
    let mut text = String::new();
    while let Some(path) = todo.pop() {
        let tokens = compiled_tokens(&read(&path)?)
            .map_err(|cause| Error::Rust { path: path.clone(), cause })?;
        text += &tokens.text;
        todo.extend(tokens.modules.iter().map(|name| module_file(&path, name)));
    }
    Ok(text)
}

/// The file of the module `name` that the file at `parent` declares.
fn module_file(parent: &Path, name: &str) -> PathBuf {
    let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|root| parent.ends_with(root));
    let folder = if is_root { parent.with_file_name("") } else { parent.with_extension("") };
    let next_to = folder.join(format!("{name}.rs"));
    if next_to.exists() { next_to } else { folder.join(name).join("mod.rs") }
}
