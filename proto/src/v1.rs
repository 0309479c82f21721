// The messages of `input.proto` are in the library that makes inputs from specs, because a sandbox
// uses them without this crate.
pub use profiler_input::spec::*;

include!("gen/swiftsolve.profiler.v1.rs");
