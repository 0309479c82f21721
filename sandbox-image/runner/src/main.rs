//! The runner. fn main
fn main() {}
