//! profiler-tests
