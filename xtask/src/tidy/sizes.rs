//! `cargo xtask sizes`: how long files and functions are. Generated code does not count.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root};
use std::fs;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// Mark that generators write at the top of their files.
const GENERATED: &str = "@generated";

/// A length in lines, and the file or the function that has it.
type Length = (usize, String);

/// `cargo xtask sizes`.
pub(crate) fn run() -> Result<(), Failure> {
    // New files count too, and one that was just deleted does not.
    let words = ["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"];
    let listed = output(&mut command("git", words))?;
    let mut files = Vec::new();
    let mut functions = Functions::default();
    for file in listed.lines().filter(|file| root().join(file).exists()) {
        let text = fs::read_to_string(root().join(file)).map_err(Failure::file(file))?;
        if text.lines().next().is_some_and(|line| line.contains(GENERATED)) {
            continue;
        }
        files.push((text.lines().count(), file.to_owned()));
        let parsed =
            syn::parse_file(&text).map_err(|cause| Failure::Source { file: file.into(), cause })?;
        functions.file = file.into();
        functions.visit_file(&parsed);
    }
    print("file", files);
    print("function", functions.lengths);
    Ok(())
}

fn print(what: &str, mut lengths: Vec<Length>) {
    lengths.sort();
    let rank = |percent: usize| (lengths.len() * percent).div_ceil(100).saturating_sub(1);
    let (Some(median), Some(ninth), Some((largest, whose))) =
        (lengths.get(rank(50)), lengths.get(rank(90)), lengths.last())
    else {
        return println!("lines per {what}: there is none");
    };
    println!(
        "lines per {what}: median {}, 90th percentile {}, largest {largest} ({whose}), of {}",
        median.0,
        ninth.0,
        lengths.len()
    );
}

/// The functions of the files seen so far, from `fn` to the closing brace.
#[derive(Default)]
struct Functions {
    file: String,
    lengths: Vec<Length>,
}

impl Functions {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let first = signature.fn_token.span.start().line;
        let last = block.brace_token.span.close().end().line;
        let whose = format!("{}:{first} {}", self.file, signature.ident);
        self.lengths.push((last - first + 1, whose));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
