//! profiler-proto
