//! Combines all signals: the class of time, and the class of memory.

pub(crate) mod evidence;
pub(crate) mod factors;
pub(crate) mod headline;
pub(crate) mod lines;
pub(crate) mod memory;
pub(crate) mod pool;
pub(crate) mod ranking;
pub(crate) mod refutation;
pub(crate) mod time;
pub(crate) mod uncounted;
