//! profiler-server
