use super::*;
use crate::args::{Cli, Command, RunArgs};
use crate::exit::Exit;
use clap::Parser;
use profiler_core::limits::{MAX_ANSWER_BYTES, MAX_SOURCE_BYTES};
use tempfile::TempDir;

/// A folder with `a.cpp` and the inputs of `sizes`.
fn folder(sizes: &[u64]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.cpp"), "int main() {}").unwrap();
    for size in sizes {
        fs::write(folder.path().join(format!("{size}.in")), size.to_string()).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "no input").unwrap();
    folder
}

fn parsed(folder: &TempDir, args: &[&str]) -> Box<RunArgs> {
    let file = folder.path().join("a.cpp");
    let line = ["swiftprof", "run", file.to_str().unwrap()];
    let Command::Run(args) = Cli::parse_from(line.iter().chain(args)).command else {
        panic!("not a run");
    };
    args
}

fn ask(folder: &TempDir, args: &[&str]) -> Result<JobRequest, Failure> {
    let args = parsed(folder, args);
    from_args(&Program::at(&args.files[0]).unwrap(), &args.job, &[])
}

/// The message of a refused job.
fn refusal(args: &[&str]) -> String {
    refusal_of(&folder(&[]), args)
}

/// The message of a refused job of the program in `folder`.
fn refusal_of(folder: &TempDir, args: &[&str]) -> String {
    let args = parsed(folder, args);
    let JobRequest { source, job, files, .. } =
        from_args(&Program::at(&args.files[0]).unwrap(), &args.job, &[]).unwrap();
    let refused = wire::job_of(job, source, &Defaults::default()).unwrap_err();
    files.place(violations_by_argument(refused)).to_string()
}

#[test]
fn file_name_is_the_task_id() {
    let JobRequest { source, job, .. } = ask(&folder(&[]), &["--timeout", "1500ms"]).unwrap();
    assert_eq!(job.code.unwrap().task_id, "a");
    assert_eq!(job.limits.unwrap().timeout_ms, Some(1500.0));
    assert_eq!(source, b"int main() {}");
}

#[test]
fn standard_replaces_that_of_the_flags() {
    let flags = |args: &[&str]| ask(&folder(&[]), args).unwrap().job.code.unwrap().compiler_flags;
    assert_eq!(flags(&["--std", "c++20"]), ["-O2", "-std=c++20"]);
    assert_eq!(flags(&["--std", "c++20", "--flags", "-O3 -std=c++11"]), ["-O3", "-std=c++20"]);
    assert_eq!(flags(&["--flags", "-O3"]), ["-O3"]);
    assert!(flags(&[]).is_empty());
}

#[test]
fn source_that_is_no_text_is_refused_with_its_name() {
    for (content, problem) in [
        ("", "must not be empty"),
        ("int a;\0", "is neither text nor a compiled program"),
        ("#!/bin/sh\n", "is a script"),
    ] {
        let here = folder(&[]);
        fs::write(here.path().join("a.cpp"), content).unwrap();
        let failure = ask(&here, &[]).unwrap_err();
        assert!(failure.to_string().contains(&format!("a.cpp: {problem}")), "{failure}");
        assert_eq!(failure.exit(), Exit::BadInput);
    }
}

#[test]
fn compiled_program_is_measured_in_place_of_a_source() {
    let here = folder(&[]);
    let program = b"\x7fELF\x02\x01";
    fs::write(here.path().join("a.cpp"), program).unwrap();
    let JobRequest { source, job, .. } = ask(&here, &[]).unwrap();
    assert_eq!((source, job.code.unwrap().program), (Vec::new(), program.to_vec()));
    let refused = refusal_of(&here, &["--flags", "-O3", "--advice"]);
    for field in ["--flags", "--advice"] {
        assert!(refused.contains(&format!("{field}: requires the source")), "{refused}");
    }
    assert!(refused.contains("a.cpp: cannot be measured"), "{refused}");
}

#[test]
fn argument_of_a_compiled_program_is_found() {
    let here = folder(&[1]);
    let path = |name: &str| here.path().join(name);
    fs::write(path("compiled"), b"\x7fELF\x02\x01").unwrap();
    let found = |names: [&str; 2]| {
        let files = names.map(path);
        argument_of_compiled(&files).map(|file| file.ends_with("5"))
    };
    assert_eq!(found(["compiled", "5"]), Some(true));
    assert_eq!(found(["compiled", "a.cpp"]), None);
    assert_eq!(found(["a.cpp", "5"]), None);
}

#[test]
fn growth_is_counted_by_default() {
    let growth = |args: &[&str]| ask(&folder(&[]), args).unwrap().job.growth();
    assert_eq!(growth(&[]), v1::Growth::Counted);
    assert_eq!(growth(&["--growth", "timed"]), v1::Growth::Timed);
    assert_eq!(growth(&["--growth", "full"]), v1::Growth::Full);
}

#[test]
fn quick_is_one_run_and_growth_from_times() {
    let quick = ask(&folder(&[]), &["--quick"]).unwrap().job;
    let spelled_out = ["--precision", "100%", "--growth", "timed"];
    assert_eq!(quick, ask(&folder(&[]), &spelled_out).unwrap().job);
    assert_eq!(quick.precision, Some(ONE_RUN_PRECISION));
}

#[test]
fn size_over_the_memory_limit_is_recorded_by_default() {
    let reaction = |args: &[&str]| ask(&folder(&[]), args).unwrap().job.on_memory_limit();
    assert_eq!(reaction(&[]), v1::OnMemoryLimit::Record);
    assert_eq!(reaction(&["--on-memory-limit", "abort"]), v1::OnMemoryLimit::Abort);
}

#[test]
fn default_sizes_are_fitted() {
    for args in [&[][..], &["--n-max", "20"]] {
        let job = ask(&folder(&[]), args).unwrap().job;
        assert!(job.fit_sizes && job.input_sizes.is_empty(), "{args:?}");
    }
}

/// A spec can name the bound, whether sizes are listed or not.
#[test]
fn listed_sizes_may_have_a_bound() {
    let job = ask(&folder(&[]), &["--sizes", "1,20", "--n-max", "10"]).unwrap().job;
    assert_eq!((&job.input_sizes[..], job.input_bounds["n"]), (&[1, 20][..], 10));
}

#[test]
fn ranges_of_sizes_become_sizes() {
    let job = ask(&folder(&[]), &["--sizes", "0,1..10^18 x10^9"]).unwrap().job;
    assert_eq!(job.input_sizes, [0, 1, 10_u64.pow(9), 10_u64.pow(18)]);
    let job = ask(&folder(&[]), &["--n-max", "1e18"]).unwrap().job;
    assert_eq!(job.input_bounds["n"], 10_i64.pow(18));
}

#[test]
fn violations_name_their_arguments() {
    assert!(
        refusal(&["--sizes", "5,10,10"]).starts_with("--sizes: must increase, but 10 follows 10")
    );
    assert!(refusal(&["--flags", "-O2 -o x"]).starts_with("--flags: \"-o\" is not allowed"));
    assert!(refusal(&["--memory-mb", "1"]).starts_with("--memory-mb: must be from 4 to"));
    assert!(refusal(&["--timeout", "2000s"]).starts_with("--timeout: must be from 1 to"));
}

#[test]
fn violations_of_specs_have_places_in_their_files() {
    let here = folder(&[]);
    let spec = |name: &str, item: &str| {
        format!(
            "name: {name}\nvars: [{{name: a, array: {{len: n, min: 0, max: 9}}}}]\nlayout:\n  \
             - line: {{items: [n, {item}]}}\n"
        )
    };
    let nested = |text: &str| format!("- {}\n", text.trim_end().replace('\n', "\n  "));
    let list = nested(&spec("third", "a")) + &nested(&spec("fourth", "c"));
    let files =
        [("good.yaml", spec("first", "a")), ("bad.yaml", spec("second", "b")), ("list.yaml", list)];
    let paths = files.map(|(name, text)| {
        let path = here.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let args: Vec<_> =
        paths.iter().flat_map(|path| ["--input-spec", path.to_str().unwrap()]).collect();
    let said = refusal_of(&here, &args);
    let expected = [(&paths[1], 4, 23, "b"), (&paths[2], 8, 25, "c")].map(|(path, line, column, name)| {
        format!(
            "{}: line {line}, column {column}: layout[0].line.items[1]: uses the unknown name {name}",
            path.display()
        )
    });
    assert_eq!(said, expected.join("\n"));
}

#[test]
fn violations_of_a_task_name_its_file() {
    let here = folder(&[]);
    let task = here.path().join("task.json");
    let path = task.to_str().unwrap();
    fs::write(&task, r#"{"task_id": "T"}"#).unwrap();
    let said = ask(&here, &["--task", path]).unwrap_err().to_string();
    assert!(said.starts_with(&format!("{path}: lacks input_bounds, time_limit_ms, ")), "{said}");
    let with_spec = |spec: &str| {
        let end = format!(",\n\"input_spec\": {spec}}}");
        fs::write(&task, TASK.strip_suffix('}').unwrap().to_owned() + &end).unwrap();
    };
    with_spec(r#"{"vras": []}"#);
    let said = ask(&here, &["--task", path]).unwrap_err().to_string();
    assert!(said.starts_with(&format!("{path}: line 3, column 16: vras: ")), "{said}");
    with_spec(r#"{"layout": [{"line": {"items": ["n", "b"]}}]}"#);
    let said = refusal_of(&here, &["--task", path, "--size-variable", "rows"]);
    let place = "line 3, column 52: layout[0].line.items[1]: ";
    assert!(said.contains(&format!("{path}: {place}")), "{said}");
}

#[test]
fn test_case_that_the_core_refuses_is_named_with_its_file() {
    let here = folder(&[]);
    let named = |name: &str, text: &str| {
        let path = here.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let case = |output: &str| format!("{{\"input\": \"1\", \"output\": \"{output}\"}}");
    let (good, long) = (case("1"), case(&"1".repeat(MAX_ANSWER_BYTES + 1)));
    let list = format!("\"test_cases\": [{good}, {long}]");
    let said = format!(
        "test 2: output must have at most {MAX_ANSWER_BYTES} bytes, not {}",
        MAX_ANSWER_BYTES + 1
    );
    let lines = named("tests.jsonl", &format!("{good}\n\n{long}\n"));
    assert_eq!(refusal_of(&here, &["--tests", &lines]), format!("{lines}: line 3: {said}"));
    let tests = named("tests.json", &format!("{{{list}}}"));
    assert_eq!(refusal_of(&here, &["--tests", &tests]), format!("{tests}: {said}"));
    let task = TASK.strip_suffix('}').unwrap();
    let task = named("task.json", &format!("{task}, {list}}}"));
    let told = refusal_of(&here, &["--task", &task, "--test-cases", "--size-variable", "rows"]);
    assert_eq!(told, format!("{task}: {said}"));
}

#[test]
fn source_that_the_core_refuses_is_named() {
    let here = folder(&[]);
    fs::write(here.path().join("a.cpp"), "/".repeat(MAX_SOURCE_BYTES + 1)).unwrap();
    let said = refusal_of(&here, &[]);
    assert!(said.contains("a.cpp: ") && !said.contains("FILE"), "{said}");
}

#[test]
fn each_violation_has_a_line() {
    let text = refusal(&["--sizes", "5,5", "--memory-mb", "1"]);
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn inputs_decide_the_sizes() {
    let here = folder(&[5000, 0, 1000]);
    let dir = here.path().to_str().unwrap();
    let job = ask(&here, &["--inputs", dir, "--n-max", "1000"]).unwrap().job;
    assert_eq!(job.input_sizes, [0, 1000]);
    let inputs: Vec<_> = job.inputs.into_iter().map(|input| (input.size, input.data)).collect();
    assert_eq!(inputs, [(0, b"0".to_vec()), (1000, b"1000".to_vec())]);
}

#[test]
fn inputs_are_regular_files_of_their_folder() {
    let here = folder(&[1000]);
    let input = here.path().join("5000.in");
    let refused = || {
        let dir = here.path().to_str().unwrap();
        ask(&here, &["--inputs", dir]).unwrap_err().to_string()
    };
    std::os::unix::fs::symlink("/etc/passwd", &input).unwrap();
    assert!(refused().ends_with("5000.in: must be below the folder of the inputs"));
    fs::remove_file(&input).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(&input).unwrap();
    assert!(refused().ends_with("5000.in: must be a regular file"), "{}", refused());
}

#[test]
fn size_without_an_input_is_named_with_its_file() {
    let here = folder(&[1000]);
    let dir = here.path().to_str().unwrap();
    let failure = ask(&here, &["--inputs", dir, "--sizes", "1000,5000"]).unwrap_err();
    assert!(failure.to_string().starts_with("--inputs: size 5000 needs the file"), "{failure}");
    assert_eq!(failure.exit(), Exit::BadInput);
}

#[test]
fn folder_without_inputs_is_refused() {
    let here = folder(&[]);
    let failure = ask(&here, &["--inputs", here.path().to_str().unwrap()]).unwrap_err();
    assert!(failure.to_string().contains("must have 1 to 64 inputs"), "{failure}");
}

#[test]
fn unreadable_file_is_named() {
    let line = ["swiftprof", "run", "/nowhere/a.cpp"];
    let Command::Run(args) = Cli::parse_from(line).command else {
        panic!("not a run");
    };
    let failure = from_args(&Program::at(&args.files[0]).unwrap(), &args.job, &[]).unwrap_err();
    assert!(failure.to_string().starts_with("cannot read /nowhere/a.cpp: "), "{failure}");
    assert_eq!(failure.exit(), Exit::BadInput);
}

/// A task with two bounded variables; neither is n.
const TASK: &str = r#"{"task_id": "T", "input_bounds": {"rows": 300, "cols": 200},
    "time_limit_ms": 1000, "memory_limit_mb": 64}"#;

#[test]
fn size_variable_of_a_task_can_be_chosen() {
    let here = folder(&[]);
    let task = here.path().join("task.json");
    fs::write(&task, TASK).unwrap();
    let task = task.to_str().unwrap();
    let text = refusal(&["--task", task]);
    assert!(text.starts_with("--size-variable: must be one of cols, rows"), "{text}");
    let asked = ask(&here, &["--task", task, "--size-variable", "rows", "--n-max", "100"]);
    let job = asked.unwrap().job;
    assert_eq!(job.input_bounds, [("cols".to_owned(), 200), ("rows".into(), 100)].into());
    assert_eq!(job.size_variable.as_deref(), Some("rows"));
}

#[test]
fn named_comparison_judges_outputs_once_unless_any_output_will_do() {
    let request = || {
        let mut request = JobRequest::default();
        request.job.set_checker(v1::Checker::Numbers);
        request.job.tolerance = Some(0.5);
        request
    };
    let mut judged = request();
    judged.judge_outputs(Some(&request()), Outputs::Agree);
    assert!(judged.job.check_sizes && judged.job.reference.is_some());
    judged.leave_outputs();
    assert_eq!(judged.job, v1::Job::default());
    let mut any = request();
    any.judge_outputs(None, Outputs::Any);
    assert!(!any.job.check_sizes);
}
