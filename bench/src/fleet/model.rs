//! What must be true of every history of a fleet, whatever fails.

pub(crate) mod check;
pub(crate) mod history;
#[cfg(test)]
mod tests;
