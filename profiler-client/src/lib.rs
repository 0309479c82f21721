//! profiler-client
