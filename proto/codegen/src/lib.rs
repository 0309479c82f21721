//! Generates the bindings of `profiler-proto`, and all other files that are made from the .proto
//! files. The generated files are committed, so a build of the workspace compiles no .proto file. A
//! test of `profiler-proto` fails if a committed file differs from its generated version.

#![forbid(unsafe_code)]

mod declaration;
mod error;
mod figures;
mod formats;
mod options;

pub use error::Error;

use protox::prost_reflect::FileDescriptor;
use std::path::{Path, PathBuf};
use std::{fs, io};
use tonic_prost_build::{Config, FileDescriptorSet};

/// Folder that the paths of the .proto files are relative to.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The repository, which contains the committed files.
pub const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Folder of the bindings in the repository.
pub const BINDINGS: &str = "proto/src/gen";
/// The package's folder.
const PACKAGE: &str = "swiftsolve/profiler/v1";
/// Path at which the generated stubs find their codec: in the crate that includes them.
const CODEC: &str = "crate::codec::Codec";
/// File that declares the spec of an input. The library that makes inputs from specs has the
/// bindings of this file, because the generator in a sandbox uses them without `profiler-proto`.
const SPEC_SOURCE: &str = "swiftsolve/profiler/v1/input.proto";
const SPEC: &str = "libs/input/src/gen/spec.rs";
/// Path of the bindings of [`SPEC_SOURCE`] in other crates.
const SPEC_MODULE: &str = "::profiler_input::spec";
/// Every generated file in the repository.
pub const FILES: [&str; 10] = [
    "proto/src/gen/swiftsolve.profiler.v1.rs",
    "proto/src/gen/descriptor.bin",
    "proto/src/gen/options.rs",
    "profiler-client/python/src/swiftsolve_profiler/job/declared.py",
    "proto/src/gen/figures.rs",
    "profiler-client/python/src/swiftsolve_profiler/_gen/figures.py",
    "proto/src/gen/formats.rs",
    "profiler-client/python/src/swiftsolve_profiler/_gen/formats.py",
    PAGE,
    SPEC,
];
/// Page that explains the figures of a report.
const PAGE: &str = "docs/figures.md";

/// Writes [`FILES`] below `out`.
pub fn generate(out: &Path) -> Result<(), Error> {
    let sources = sources().map_err(file(Path::new(PACKAGE)))?;
    let mut compiler = protox::Compiler::new([ROOT])?;
    compiler.include_imports(true).include_source_info(true).open_files(sources)?;
    let (options, options_python) = options::tables(&compiler.descriptor_pool())?;
    let path = Path::new(REPOSITORY).join(PAGE);
    let page = fs::read_to_string(&path).map_err(file(&path))?;
    let [figures, figures_python, page] = figures::tables(&compiler.descriptor_pool(), &page)?;
    let [formats, formats_python] = formats::tables(&compiler.descriptor_pool())?;
    // `compile_fds` ignores `file_descriptor_set_path`.
    let mut contents = vec![compiler.encode_file_descriptor_set()];
    let texts = [options, options_python, figures, figures_python, formats, formats_python, page];
    contents.extend(texts.map(String::into_bytes));
    for (path, content) in FILES[1..].iter().map(|path| out.join(path)).zip(contents) {
        let folder = path.parent().unwrap_or(out);
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, content)).map_err(file(&path))?;
    }
    let spec = compiler
        .descriptor_pool()
        .get_file_by_name(SPEC_SOURCE)
        .ok_or(Error::None("spec of an input"))?;
    generate_spec(&spec, &out.join(SPEC)).map_err(file(&out.join(SPEC)))?;
    let mut names = Config::new();
    // Few reports have these fields, and without boxes they would more than double the size of
    // every report.
    names.boxed("swiftsolve.profiler.v1.ProfileReport.worst");
    names.boxed("swiftsolve.profiler.v1.ProfileReport.stress");
    names.boxed("swiftsolve.profiler.v1.SizeResult.output_check");
    names.enable_type_names();
    let messages = spec.messages().map(|message| message.name().to_owned());
    for name in messages.chain(spec.enums().map(|it| it.name().to_owned())) {
        names.extern_path(
            format!(".{}.{name}", spec.package_name()),
            format!("{SPEC_MODULE}::{name}"),
        );
    }
    tonic_prost_build::configure()
        .out_dir(out.join(BINDINGS))
        .btree_map(".")
        .codec_path(CODEC)
        // The client crate has the transport; the messages need none.
        .build_transport(false)
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"server\")]")
        .compile_fds_with_config(compiler.file_descriptor_set(), names)
        .map_err(file(out))
}

/// Writes the bindings of the spec to `path`. Their messages can be serialized, so that they can be
/// sent to a sandbox.
fn generate_spec(spec: &FileDescriptor, path: &Path) -> io::Result<()> {
    let folder = path.with_file_name("");
    fs::create_dir_all(&folder)?;
    Config::new()
        .out_dir(&folder)
        .enable_type_names()
        .type_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]")
        .compile_fds(FileDescriptorSet { file: vec![spec.file_descriptor_proto().clone()] })?;
    fs::rename(folder.join(format!("{}.rs", spec.package_name())), path)
}

/// Turns the cause of an error into the error about a file.
fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |cause| Error::File { path, cause }
}

/// The package's .proto files, relative to [`ROOT`], sorted by name.
fn sources() -> io::Result<Vec<PathBuf>> {
    let mut names = fs::read_dir(Path::new(ROOT).join(PACKAGE))?
        .map(|entry| Ok(Path::new(PACKAGE).join(entry?.file_name())))
        .collect::<io::Result<Vec<_>>>()?;
    names.retain(|name| name.extension().is_some_and(|ext| ext == "proto"));
    names.sort();
    Ok(names)
}
