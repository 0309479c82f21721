//! The committed files are those of the .proto files.

use profiler_codegen::{BINDINGS, FILES, REPOSITORY, generate};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn committed_files_are_those_of_the_proto_files() {
    let fresh = tempfile::tempdir().unwrap();
    generate(fresh.path()).unwrap();
    for file in FILES {
        let [fresh, committed] =
            [fresh.path(), Path::new(REPOSITORY)].map(|root| fs::read(root.join(file)).unwrap());
        assert!(fresh == committed, "{file} has drifted: run `cargo xtask codegen`");
    }
}

#[test]
fn committed_bindings_are_the_expected_files_alone() {
    let entries = fs::read_dir(Path::new(REPOSITORY).join(BINDINGS)).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let files: BTreeSet<_> =
        entries.map(|entry| format!("{BINDINGS}/{}", name(entry.unwrap()))).collect();
    let bindings = FILES.iter().filter(|file| file.starts_with(BINDINGS));
    assert_eq!(files, bindings.map(|&file| file.to_owned()).collect::<BTreeSet<_>>());
}
