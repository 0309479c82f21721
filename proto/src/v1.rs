include!("gen/swiftsolve.profiler.v1.rs");
