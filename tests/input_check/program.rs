//! Programs of a few lines, and what each is fed.

use crate::inputs;

/// Text before the name of a program.
const MARK: &str = "\n//// ";
/// Text before the body of `main`. With the precompiled header first, it compiles faster.
const BEGINNING: &str = "#include <bits/stdc++.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
using namespace std;
int main() {
";

/// A program of a few lines.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) source: String,
    /// The name of its input.
    pub(crate) feed: &'static str,
    /// The input for size n; absent for the default one.
    pub(crate) input: Option<fn(u32) -> String>,
}

/// The programs of a list.
pub(crate) fn of_list(list: &'static str) -> Vec<Program> {
    let programs = list.split(MARK).skip(1).map(|program| {
        let (head, body) = program.split_once('\n').expect("a name and a body");
        let (name, input) = head.split_once(": ").expect("a name and an input");
        let source = format!("{BEGINNING}{body}\n}}\n");
        Program { name, source, feed: input, input: inputs::named(input) }
    });
    programs.collect()
}
