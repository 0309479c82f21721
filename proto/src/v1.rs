// The library that makes inputs of a spec has its messages: a sandbox uses them without this crate.
pub use profiler_input::spec::*;

include!("gen/swiftsolve.profiler.v1.rs");
