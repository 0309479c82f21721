//! The program as the kernel would set it up: its image, stack, memory, processor and
//! system calls.

pub(crate) mod call;
pub(crate) mod descriptors;
pub(crate) mod hidden_files;
pub(crate) mod image;
pub(crate) mod memory;
pub(crate) mod origin;
pub(crate) mod pointers;
pub(crate) mod processor;
pub(crate) mod series;
pub(crate) mod stack;
pub(crate) mod system_calls;
