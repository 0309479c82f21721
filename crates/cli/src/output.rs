//! Results on stdout and in files.

mod documents;
mod stdout;

pub(crate) use documents::Documents;
pub(crate) use stdout::{palette, print};
