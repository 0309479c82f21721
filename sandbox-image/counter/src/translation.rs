//! Translates the program's code to generated code.

pub(crate) mod address_map;
pub(crate) mod block;
pub(crate) mod block_chaining;
pub(crate) mod block_exits;
pub(crate) mod instruction_pointer;
pub(crate) mod translate;
pub(crate) mod writer;
