pub use profiler_input::spec::*;

include!("gen/swiftsolve.profiler.v1.rs");
