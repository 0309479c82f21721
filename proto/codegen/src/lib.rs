//! Generates the bindings of `profiler-proto`. They are committed, so that nobody who builds the
//! workspace needs protoc or waits for a compiler of .proto files; a test there fails on drift.

#![forbid(unsafe_code)]

mod error;
mod options;

pub use error::Error;

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The root that the .proto files' paths are relative to.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Folder of the committed bindings.
pub const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/gen");
/// Committed options of Python's client.
pub const COMMITTED_OPTIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../profiler-client/python/src/swiftsolve_profiler/job/declared.py"
);
/// The package's folder.
const PACKAGE: &str = "swiftsolve/profiler/v1";
/// Path at which the generated stubs find their codec: in the crate that includes them.
const CODEC: &str = "crate::codec::Codec";
/// Every generated file, in [`COMMITTED`].
pub const FILES: [&str; 3] = ["swiftsolve.profiler.v1.rs", "descriptor.bin", "options.rs"];

/// Writes [`FILES`] into `out`, and Python's options into the file `options`.
pub fn generate(out: &Path, options: &Path) -> Result<(), Error> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |cause| Error::File { path, cause }
    };
    let sources = sources().map_err(file(Path::new(PACKAGE)))?;
    let mut compiler = protox::Compiler::new([ROOT])?;
    compiler.include_imports(true).include_source_info(true).open_files(sources)?;
    let descriptor = out.join(FILES[1]);
    // `compile_fds` ignores `file_descriptor_set_path`.
    fs::write(&descriptor, compiler.encode_file_descriptor_set()).map_err(file(&descriptor))?;
    let (rust, python) = options::tables(&compiler.descriptor_pool())?;
    for (path, text) in [(out.join(FILES[2]).as_path(), rust), (options, python)] {
        fs::write(path, text).map_err(file(path))?;
    }
    let mut names = tonic_prost_build::Config::new();
    // Few reports have one, and it would more than double the size of all of them.
    names.boxed("swiftsolve.profiler.v1.ProfileReport.worst");
    names.enable_type_names();
    tonic_prost_build::configure()
        .out_dir(out)
        .btree_map(".")
        .codec_path(CODEC)
        // The client crate has the transport; the messages need none.
        .build_transport(false)
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"server\")]")
        .compile_fds_with_config(compiler.file_descriptor_set(), names)
        .map_err(file(out))
}

/// The package's .proto files, relative to [`ROOT`], in an order of their own.
fn sources() -> io::Result<Vec<PathBuf>> {
    let mut names = fs::read_dir(Path::new(ROOT).join(PACKAGE))?
        .map(|entry| Ok(Path::new(PACKAGE).join(entry?.file_name())))
        .collect::<io::Result<Vec<_>>>()?;
    names.retain(|name| name.extension().is_some_and(|ext| ext == "proto"));
    names.sort();
    Ok(names)
}
