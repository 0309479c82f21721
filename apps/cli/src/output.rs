//! Results on stdout and in files. Errors of the compiler go to stderr.

mod documents;
mod file;
mod stdout;

pub(crate) use documents::Documents;
pub(crate) use file::File;
pub(crate) use stdout::{palette, print, print_as, text_options, write};
