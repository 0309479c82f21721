use super::*;
use crate::args::{Cli, Command};
use crate::exit::Exit;
use clap::Parser;
use profiler_core::job::Job;
use tempfile::TempDir;

/// A folder with `a.cpp` and the inputs of `sizes`.
fn folder(sizes: &[u32]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.cpp"), "int main() {}").unwrap();
    for size in sizes {
        fs::write(folder.path().join(format!("{size}.in")), size.to_string()).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "no input").unwrap();
    folder
}

fn asked(folder: &TempDir, args: &[&str]) -> Result<Draft, Failure> {
    let file = folder.path().join("a.cpp");
    let line = ["swiftprof", "run", file.to_str().unwrap()];
    let Command::Run(args) = Cli::parse_from(line.iter().chain(args)).command else {
        panic!("not a run");
    };
    draft(&args)
}

/// What is printed for a job that is refused.
fn refusal(args: &[&str]) -> String {
    let asked = asked(&folder(&[]), args).unwrap();
    named_by_argument(Job::try_from(asked).unwrap_err().0).to_string()
}

#[test]
fn file_name_is_the_task() {
    let draft = asked(&folder(&[]), &["--timeout", "1500ms"]).unwrap();
    assert_eq!(draft.task_id, "a");
    assert_eq!(draft.timeout_ms, Some(1500.0));
    assert_eq!(draft.source, b"int main() {}");
}

#[test]
fn violations_bear_the_names_of_arguments() {
    assert!(refusal(&["--sizes", "5,10,10"]).starts_with("--sizes: 10 does not rise above 10"));
    assert!(refusal(&["--flags", "-O2 -o x"]).starts_with("--flags: \"-o\" is not allowed"));
    assert!(refusal(&["--memory-mb", "1"]).starts_with("--memory-mb: must lie in"));
    assert!(refusal(&["--timeout", "2000s"]).starts_with("--timeout: must lie in"));
}

#[test]
fn every_violation_has_a_line() {
    let text = refusal(&["--sizes", "5,5", "--memory-mb", "1"]);
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn inputs_alone_decide_the_sizes() {
    let here = folder(&[5000, 0, 1000]);
    let dir = here.path().to_str().unwrap();
    let draft = asked(&here, &["--inputs", dir, "--n-max", "1000"]).unwrap();
    assert_eq!(draft.sizes.exact, [0, 1000]);
    assert_eq!(draft.inputs, [(0, b"0".to_vec()), (1000, b"1000".to_vec())]);
}

#[test]
fn size_without_an_input_is_named_with_its_file() {
    let here = folder(&[1000]);
    let dir = here.path().to_str().unwrap();
    let failure = asked(&here, &["--inputs", dir, "--sizes", "1000,5000"]).unwrap_err();
    assert!(failure.to_string().starts_with("--inputs: size 5000 needs the file"), "{failure}");
    assert_eq!(failure.exit(), Exit::BadInput);
}

#[test]
fn folder_without_inputs_is_refused() {
    let here = folder(&[]);
    let failure = asked(&here, &["--inputs", here.path().to_str().unwrap()]).unwrap_err();
    assert!(failure.to_string().contains("has 0 inputs"), "{failure}");
}

#[test]
fn unreadable_file_is_named() {
    let line = ["swiftprof", "run", "/nowhere/a.cpp"];
    let Command::Run(args) = Cli::parse_from(line).command else {
        panic!("not a run");
    };
    let failure = draft(&args).unwrap_err();
    assert!(failure.to_string().starts_with("cannot read /nowhere/a.cpp: "), "{failure}");
    assert_eq!(failure.exit(), Exit::BadInput);
}
