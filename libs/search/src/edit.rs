//! Edits of an input's text, which keep its number of lines and of words in each line.

mod shrink;
mod variation;
mod words;

pub use shrink::Shrink;
pub use variation::varied;
