//! Shared libraries that a program finds in a sandbox.

/// The libraries of a program made by g++, and the loader.
pub const LIBRARIES: [&str; 6] = [
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libc.so.6",
    "libgcc_s.so.1",
    "libm.so.6",
    "libstdc++.so.6",
];
/// Libraries that g++ links in addition to [`LIBRARIES`], because of a flag or on its own.
pub const FURTHER_LIBRARIES: [&str; 7] = [
    "libatomic.so.1",
    "libdl.so.2",
    "libgomp.so.1",
    "libitm.so.1",
    "libmvec.so.1",
    "libpthread.so.0",
    "librt.so.1",
];
/// The dynamic loader of a program for x86-64.
pub const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";
