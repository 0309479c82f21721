//! Why generated code is left for Rust.

/// Generated code has come to a jump whose target is not translated.
pub(crate) const EXIT: u64 = 0;
/// An indirect jump has not found its target.
pub(crate) const INDIRECT: u64 = 1;
/// A system call that the counter must see.
pub(crate) const CALL: u64 = 2;
/// A call has not been made from here before.
pub(crate) const ENTER: u64 = 3;
/// A return that does not belong to the last call.
pub(crate) const RETURN: u64 = 4;
/// A jump between the program and its libraries, or where a library will be returned to.
pub(crate) const CROSS: u64 = 5;
