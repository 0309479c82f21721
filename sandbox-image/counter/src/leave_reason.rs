//! The reasons for leaving generated code. Each is the index of its entry point in the context.

/// The target of a direct jump is not translated.
pub(crate) const EXIT: u64 = 0;
/// The table has no translation for the target of an indirect jump.
pub(crate) const INDIRECT: u64 = 1;
/// A system call that the counter intercepts.
pub(crate) const CALL: u64 = 2;
/// A call that is not in its cache yet.
pub(crate) const ENTER: u64 = 3;
/// A return that does not match the last call.
pub(crate) const RETURN: u64 = 4;
/// A jump between the program and its libraries, or one within the program with a library's return
/// address on the stack.
pub(crate) const CROSS: u64 = 5;
/// A `cpuid`, whose answer is that of the [model](crate::program::processor).
pub(crate) const IDENTIFY: u64 = 6;
/// The number of reasons.
pub(crate) const REASONS: usize = 7;
