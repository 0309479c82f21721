//! Jobs to profile. A request starts as a draft, and becomes a job if every field is valid.

mod accepted;
mod draft;
mod flags;
mod input_candidates;
mod options;
mod run_limits;
mod sizes;
mod source_files;
mod stress_plan;
mod testlib;
mod validate;
mod worst_plan;

pub use accepted::{Inputs, Job};
pub use draft::{Draft, OtherProgram, SCHEMA_VERSION};
pub use flags::{DEFAULT_FLAGS, check as check_flags};
pub(crate) use flags::{incomparable, without_macros};
pub(crate) use input_candidates::plan;
pub use input_candidates::{Candidates, candidate_names};
pub use options::{Options, Tolerance};
pub use profiler_decode::SOURCE_FILE;
pub use run_limits::RunLimits;
pub(crate) use run_limits::{INTERACTIVE_CLOCK, generator_limits};
pub(crate) use sizes::DENSE;
pub use sizes::{EXTRA_CORNER_CASES, INPUT_SCALES, Point, Sizes};
pub(crate) use source_files::compiled;
pub use source_files::{
    defines_main, included, is_program_file, is_source, local_includes, program_files_rule,
};
pub use stress_plan::{StressPlan, TriedSizes};
pub use testlib::includes_testlib;
pub use worst_plan::{WorstGoal, WorstPlan};
