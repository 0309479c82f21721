//! The committed bindings are those of the .proto files.

use std::fs;
use std::path::Path;

#[test]
fn committed_bindings_are_those_of_the_proto_files() {
    let fresh = tempfile::tempdir().unwrap();
    profiler_codegen::generate(fresh.path()).unwrap();
    for file in profiler_codegen::FILES {
        let read = |folder: &Path| fs::read(folder.join(file)).unwrap();
        let drifted = read(fresh.path()) != read(Path::new(profiler_codegen::COMMITTED));
        assert!(!drifted, "{file} has drifted: run `cargo xtask codegen`");
    }
}

#[test]
fn committed_bindings_are_the_expected_files_alone() {
    let entries = fs::read_dir(profiler_codegen::COMMITTED).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let mut expected = profiler_codegen::FILES;
    expected.sort_unstable();
    assert_eq!(names, expected);
}
