//! The committed bindings are those of the .proto files.

use profiler_codegen::{COMMITTED, COMMITTED_OPTIONS, FILES, generate};
use std::fs;
use std::path::Path;

#[test]
fn committed_bindings_are_those_of_the_proto_files() {
    let fresh = tempfile::tempdir().unwrap();
    let options = fresh.path().join("declared.py");
    generate(fresh.path(), &options).unwrap();
    let named = |file| (fresh.path().join(file), Path::new(COMMITTED).join(file));
    for (fresh, committed) in
        FILES.map(named).into_iter().chain([(options, COMMITTED_OPTIONS.into())])
    {
        let drifted = fs::read(&fresh).unwrap() != fs::read(&committed).unwrap();
        assert!(!drifted, "{} has drifted: run `cargo xtask codegen`", committed.display());
    }
}

#[test]
fn committed_bindings_are_the_expected_files_alone() {
    let entries = fs::read_dir(COMMITTED).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let mut expected = FILES;
    expected.sort_unstable();
    assert_eq!(names, expected);
}
