//! Timed runs, and the results that follow from them.

mod bench_session;
pub(crate) mod interactive;
pub(crate) mod schedule;
pub(crate) mod session;
pub(crate) mod size;
pub(crate) mod startup;
pub(crate) mod test_cases;
pub(crate) mod verdict;

pub use bench_session::BenchSession;
