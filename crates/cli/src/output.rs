//! Results on stdout and in files. Errors of the compiler go to stderr.

mod documents;
mod stdout;

pub(crate) use documents::Documents;
pub(crate) use stdout::{palette, print};
