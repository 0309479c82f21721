//! Benches: what a sandbox costs against what it replaces. Each is a module of this one.
