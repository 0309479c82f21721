//! Jobs to profile. A caller's draft becomes a job, and every field of a job is valid.

mod accepted;
mod draft;
mod flags;
mod input_candidates;
mod options;
mod run_limits;
mod sizes;
mod validate;
mod worst_plan;

pub use accepted::{Inputs, Job};
pub use draft::{Draft, Interactor, OtherProgram, SCHEMA_VERSION, TestCase};
pub use flags::{DEFAULT_FLAGS, check as check_flags};
pub(crate) use flags::{incomparable, without_macros};
pub(crate) use input_candidates::check_input;
pub use input_candidates::{Candidates, candidate_names};
pub use options::{Checker, InputExperiment, OnMemoryLimit, Options, TestOrder};
pub use run_limits::RunLimits;
pub(crate) use run_limits::{INTERACTIVE_CLOCK, generator_limits};
pub(crate) use sizes::{DENSE, preferred_sizes};
pub use sizes::{EXTRA_CORNER_CASES, INPUT_SCALES, Point, SizeLists, Sizes};
pub use worst_plan::{WorstDraft, WorstGoal, WorstPlan};
