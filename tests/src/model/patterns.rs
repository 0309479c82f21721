//! The patterns of cheating, under their public names. The first column of the table in
//! `docs/security-model.md` has the same names, as a test verifies.

pub(super) const KNOWN_INPUTS: &str = "special case on the known test inputs";
pub(super) const ANSWER_TABLE: &str = "answers from a table";
pub(super) const INPUT_HASH: &str = "input hash to stored answer";
pub(super) const WRONG_WHEN_LARGE: &str = "right on the tests, wrong and fast at large sizes";
pub(super) const LATER_GROWTH: &str = "slower growth beyond the largest size";
pub(super) const OUTSIDE_MAIN: &str =
    "work in global constructors, destructors, or after the answer";
pub(super) const SECOND_PROCESS: &str = "a second process";
pub(super) const EXPECTED_FILE: &str = "`#include` or `.incbin` of the expected file";
pub(super) const COMPILE_TIME: &str = "`constexpr` does the work";
pub(super) const UNCOUNTED_CODE: &str = "threads, or code made at run time, to escape the count";
pub(super) const OVERWRITTEN: &str = "counts or allocations overwritten";
pub(super) const LESS_WHEN_COUNTED: &str = "less work in the counted run";
pub(super) const KERNEL_WORK: &str = "work in the kernel";
pub(super) const BESIDE_MALLOC: &str = "`mmap` or `__libc_malloc` beside malloc";
pub(super) const CLOCKS: &str = "clock and vDSO tricks";
pub(super) const KEPT_OUTPUT: &str = "output of an earlier run kept anywhere";
pub(super) const PROBE_WORK: &str = "work in the memory probe";
pub(super) const PROBE_MEMORY: &str = "less memory in the memory probe";
pub(super) const OUTPUT_MEMORY: &str = "memory in stdout or stderr";
pub(super) const UNSEEN_MEMORY: &str = "memory outside of the resident set";
