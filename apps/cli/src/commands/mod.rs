//! The commands, one file or folder each.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod doctor;
pub(crate) mod input;
pub(crate) mod perun;
pub(crate) mod rank;
pub(crate) mod report;
pub(crate) mod run;
#[cfg(feature = "service")]
pub(crate) mod service;
pub(crate) mod setup;
pub(crate) mod worst;
