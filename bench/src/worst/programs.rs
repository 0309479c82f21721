//! The programs, and the sizes at which their worst inputs are compared.

use crate::failure::Failure;
use profiler_core::job::{Draft, Job};
use profiler_core::limits::MAX_INPUT_BYTES;
use profiler_input::Scope;
use profiler_proto::file;
use profiler_search::Space;
use profiler_server::wire;
use std::fs;
use std::path::Path;

/// A program of `bench/worst`.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) n: u64,
}

/// The program `name` of a folder of `bench`, and the inputs that its spec allows.
pub(crate) fn read(folder: &str, name: &str) -> Result<(Job, Space), Failure> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    let source = fs::read(path.with_extension("cpp"))?;
    let message = file::read(&path.with_extension("yaml"))?;
    let message = message.into_iter().next().ok_or("no spec")?;
    let spec = wire::spec(message, "spec").map_err(|bad| format!("{name}: {bad:?}"))?;
    let space = Space::new(vec![spec], Scope::default(), MAX_INPUT_BYTES as u64);
    let draft = Draft { task_id: name.into(), source, ..Draft::default() };
    let job = Job::try_from(draft).map_err(|bad| format!("{name}: {bad:?}"))?;
    Ok((job, space))
}

/// All programs. A larger size would let the work hide the reading even more, but takes longer.
pub(super) const PROGRAMS: [Program; 24] = [
    program("quicksort_first", 1000),
    program("quicksort_middle", 1000),
    program("insertion_sort", 1000),
    program("tree_insert", 1000),
    program("hash_power", 1000),
    program("find_string", 1000),
    program("borders", 1000),
    program("wildcards", 256),
    program("depths", 1000),
    program("spfa", 500),
    program("union_find", 1000),
    program("euclid", 1000),
    program("collatz", 1000),
    program("two_sum", 1000),
    program("gift_wrapping", 1000),
    program("stabbing", 1000),
    program("trial_division", 1000),
    program("piles", 1000),
    program("subset_sum", 1000),
    program("next_greater", 1000),
    program("cycles", 1000),
    program("flood", 128),
    program("palindromes", 1000),
    program("paths", 24),
];

const fn program(name: &'static str, n: u64) -> Program {
    Program { name, n }
}
