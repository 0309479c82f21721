//! profiler-cli
