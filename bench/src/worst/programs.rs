//! The programs, and the sizes at which their worst inputs are compared.

use crate::failure::Failure;
use profiler_core::job::{Draft, Job};
use profiler_core::limits::MAX_INPUT_BYTES;
use profiler_input::Scope;
use profiler_proto::file;
use profiler_search::Space;
use std::fs;
use std::path::{Path, PathBuf};

/// A program, and the size of its inputs.
pub(crate) struct Program {
    /// The folder of `bench` that has it.
    pub(crate) folder: &'static str,
    pub(crate) name: &'static str,
    pub(crate) n: u64,
}

/// The program `name` of a folder of `bench`, and the inputs that its spec allows.
pub(crate) fn read(folder: &str, name: &str) -> Result<(Job, Space), Failure> {
    let path = path(folder, name);
    let source = fs::read(&path)?;
    let specs = file::read(&path.with_extension("yaml"))?;
    let spec = specs.into_iter().next().ok_or("no spec")?;
    let space = Space::new(vec![spec], Scope::default(), MAX_INPUT_BYTES as u64);
    let draft = Draft::new(name, source);
    let job = Job::try_from(draft).map_err(|bad| format!("{name}: {bad:?}"))?;
    Ok((job, space))
}

/// The source of a program.
pub(crate) fn path(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name).with_extension("cpp")
}

/// The first set, on which the search was tuned. A larger size would hide the cost of reading even
/// more, but takes longer.
pub(crate) const FIRST: [Program; 24] = [
    first("quicksort_first", 1000),
    first("quicksort_middle", 1000),
    first("insertion_sort", 1000),
    first("tree_insert", 1000),
    first("hash_power", 1000),
    first("find_string", 1000),
    first("borders", 1000),
    first("wildcards", 128),
    first("depths", 1000),
    first("spfa", 500),
    first("union_find", 1000),
    first("euclid", 1000),
    first("collatz", 1000),
    first("two_sum", 1000),
    first("gift_wrapping", 1000),
    first("stabbing", 1000),
    first("trial_division", 1000),
    first("piles", 1000),
    first("subset_sum", 1000),
    first("next_greater", 1000),
    first("cycles", 1000),
    first("flood", 128),
    first("palindromes", 1000),
    first("paths", 24),
];

/// The second set. It was chosen before the search was tuned, and is looked at once, at the end.
pub(crate) const SECOND: [Program; 12] = [
    second("shell_sort", 1024),
    second("bucket_sort", 1000),
    second("rectangle", 1000),
    second("matching", 1000),
    second("dijkstra", 1000),
    second("colouring", 14),
    second("ancestors", 1000),
    second("subtractions", 200),
    second("ones_and_zeros", 100),
    second("words", 24),
    second("weak_hash", 1000),
    second("linked_list", 1000),
];

const fn first(name: &'static str, n: u64) -> Program {
    Program { folder: "worst", name, n }
}

const fn second(name: &'static str, n: u64) -> Program {
    Program { folder: "worst/second", name, n }
}
