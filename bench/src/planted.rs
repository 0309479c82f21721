//! Programs with one planted fault each, which the profiler is to find.

pub(crate) mod advice;
pub(crate) mod check;
