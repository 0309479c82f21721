//! Rules for every history of a fleet, whatever fails.

pub(crate) mod check;
pub(crate) mod history;
#[cfg(test)]
mod tests;
