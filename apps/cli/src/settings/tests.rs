use super::*;
use crate::args::Cli;
use crate::exit::Exit;
use clap::CommandFactory;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use tempfile::TempDir;

/// A folder with a source and these config files: next to the source, and the user's.
fn folder(of_source: &str, of_user: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("home")).unwrap();
    fs::write(folder.path().join("in.yaml"), "").unwrap();
    for (path, text) in [(NAME, of_source), ("home/swiftprof.toml", of_user)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    folder
}

/// The options that are added to these arguments of `run`.
fn added(folder: &TempDir, args: &[&str]) -> Result<Vec<String>, Failure> {
    let source = folder.path().join("a.cpp").display().to_string();
    added_to(folder, &[&["run"], args, &[&source]].concat())
}

/// The options that are added to a command with these arguments.
fn added_to(folder: &TempDir, command: &[&str]) -> Result<Vec<String>, Failure> {
    let line = ["swiftprof"].iter().chain(command);
    let given: Vec<OsString> = line.map(Into::into).collect();
    let matches = Cli::command().try_get_matches_from(&given).unwrap();
    let extended = extend(given.clone(), &matches, Some(folder.path().join("home")))?;
    let count = extended.len() - given.len();
    Ok(extended[2..2 + count].iter().map(|it| it.to_string_lossy().into_owned()).collect())
}

#[test]
fn keys_become_options() {
    let folder = folder("std = \"c++20\"\nsizes = [10, 20]\n", "timeout = 2\nmemory-mb = \"1g\"\n");
    let mut options = added(&folder, &[]).unwrap();
    options.sort();
    assert_eq!(options, ["--memory-mb=1g", "--sizes=10,20", "--std=c++20", "--timeout=2"]);
}

#[test]
fn check_compiles_and_limits_programs_like_a_run() {
    let of_user =
        "timeout = 2\nbackend = \"native\"\nendpoint = \"http://h:1\"\ngrowth = \"full\"\n";
    let folder = folder("std = \"c++20\"\nsizes = [10, 20]\ninput_spec = \"in.yaml\"\n", of_user);
    let [fast, slow] = ["a.cpp", "b.cpp"].map(|name| folder.path().join(name));
    let line = ["check", fast.to_str().unwrap(), slow.to_str().unwrap(), "--input-spec", "in.yaml"];
    let mut options = added_to(&folder, &line).unwrap();
    options.sort();
    assert_eq!(options, ["--backend=native", "--std=c++20", "--timeout=2"]);
    assert_eq!(added_to(&folder, &[&line[..], &["--no-config"]].concat()).unwrap(), [""; 0]);
}

#[test]
fn sizes_are_numbers_and_texts() {
    let folder = folder("sizes = [1_000, 1e4, \"10^5..10^6 x2\"]\n", "");
    assert_eq!(added(&folder, &[]).unwrap(), ["--sizes=1000,10000,10^5..10^6 x2"]);
    assert_eq!(added(&folder, &["--no-config"]).unwrap(), [""; 0]);
    for bound in ["n_max = 1_000_000_000_000_000_000\n", "n_max = 1e18\n"] {
        let folder = self::folder(bound, "");
        assert_eq!(added(&folder, &[]).unwrap(), ["--n-max=1000000000000000000"], "{bound}");
    }
}

#[test]
fn command_line_comes_first_then_the_file_next_to_the_source() {
    let folder = folder("std = \"c++20\"\n", "std = \"c++14\"\nsizes = \"5\"\n");
    assert_eq!(added(&folder, &[]).unwrap(), ["--std=c++20", "--sizes=5"]);
    assert_eq!(added(&folder, &["--std", "c++23"]).unwrap(), ["--sizes=5"]);
    assert_eq!(added(&folder, &["--n-max", "9"]).unwrap(), ["--std=c++20"]);
    assert!(added(&folder, &["--no-config"]).unwrap().is_empty());
    let folder = self::folder("", "growth = \"full\"\n");
    assert_eq!(added(&folder, &[]).unwrap(), ["--growth=full"]);
    assert!(added(&folder, &["--quick"]).unwrap().is_empty());
}

#[test]
fn file_next_to_a_source_has_no_say_in_where_and_how_long_it_runs() {
    for key in
        ["endpoint", "token_file", "ca", "backend", "image", "timeout", "memory_mb", "output"]
    {
        let failure = added(&folder(&format!("{key} = \"1\"\n"), ""), &[]).unwrap_err();
        assert_eq!(failure.exit(), Exit::BadInput);
        let said = failure.to_string();
        assert!(
            said.contains(&format!("{key} cannot be set here; the keys allowed next to")),
            "{said}"
        );
    }
}

#[test]
fn file_next_to_a_source_names_files_below_its_folder_alone() {
    let good = folder("input_spec = \"in.yaml\"\n", "");
    let spec = good.path().join("in.yaml");
    assert_eq!(added(&good, &[]).unwrap(), [format!("--input-spec={}", spec.display())]);
    for outside in ["/etc/passwd", "../x", "home/link"] {
        let bad = folder(&format!("input_spec = \"{outside}\"\n"), "");
        symlink("/etc/passwd", bad.path().join("home/link")).unwrap();
        let said = added(&bad, &[]).unwrap_err().to_string();
        assert!(said.contains("must be below the folder of this file"), "{outside}: {said}");
    }
}

#[test]
fn file_next_to_a_source_names_regular_files_alone() {
    let inputs = || {
        let folder = folder("inputs = \"in\"\n", "");
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/1.in"), "1\n").unwrap();
        folder
    };
    let good = inputs();
    let within = good.path().join("in/2.in");
    symlink("../in.yaml", within).unwrap();
    // Nothing reads it.
    symlink("/etc/passwd", good.path().join("in/passwd")).unwrap();
    let named = format!("--inputs={}", good.path().join("in").display());
    assert_eq!(added(&good, &[]).unwrap(), [named]);

    let outside = inputs();
    symlink("/etc/passwd", outside.path().join("in/2.in")).unwrap();
    let said = added(&outside, &[]).unwrap_err().to_string();
    let problem = "has the input \"2.in\", which must be below the folder of this file";
    assert!(said.contains(problem), "{said}");

    let socket = inputs();
    let _listener = UnixListener::bind(socket.path().join("in/2.in")).unwrap();
    let said = added(&socket, &[]).unwrap_err().to_string();
    assert!(said.contains("\"2.in\", which must be a regular file"), "{said}");

    let spec = folder("input_spec = \"home\"\n", "");
    let said = added(&spec, &[]).unwrap_err().to_string();
    assert!(said.contains("\"home\" must be a regular file"), "{said}");
}

#[test]
fn file_next_to_a_source_is_regular_and_not_long() {
    let folder = folder("", "");
    let path = folder.path().join(NAME);
    for text in ["#".repeat(usize::try_from(MAX_BYTES).unwrap() + 1), String::new()] {
        fs::write(&path, &text).unwrap();
        assert_eq!(added(&folder, &[]).is_ok(), text.is_empty());
    }
    fs::remove_file(&path).unwrap();
    symlink("/dev/zero", &path).unwrap();
    let said = added(&folder, &[]).unwrap_err().to_string();
    assert!(said.contains("must be a regular file of at most 64 KiB"), "{said}");
}

#[test]
fn file_of_the_user_may_name_links() {
    let folder = folder("", "endpoint = \"https://h:1\"\ntoken_file = \"token\"\n");
    let token = folder.path().join("home/token");
    symlink(folder.path().join("in.yaml"), &token).unwrap();
    let token = format!("--token-file={}", token.display());
    assert!(added(&folder, &[]).unwrap().contains(&token));
}

#[test]
fn values_have_no_control_characters() {
    for text in ["std = \"\\u001b[31m\"\n", "flags = \"-O2 \\u202e\"\n", "inputs = \"a\\u0007\"\n"]
    {
        let said = added(&folder(text, ""), &[]).unwrap_err().to_string();
        assert!(said.ends_with(": must not have control characters"), "{said}");
    }
    let lines = folder("flags = \"\"\"-O2\n-g \"\"\"\n", "");
    assert_eq!(added(&lines, &[]).unwrap(), ["--flags=-O2\n-g "]);
}

#[test]
fn credentials_are_for_the_endpoint_next_to_them_alone() {
    let folder = folder("", "endpoint = \"https://h:1\"\ntoken_file = \"token\"\n");
    let token = folder.path().join("home/token");
    fs::write(&token, "t0ken").unwrap();
    let own = ["--endpoint=https://h:1".to_owned(), format!("--token-file={}", token.display())];
    assert_eq!(added(&folder, &[]).unwrap(), own);
    assert_eq!(added(&folder, &["--endpoint", "https://other:1"]).unwrap(), [""; 0]);
    assert_eq!(added(&folder, &["--backend", "native"]).unwrap(), [""; 0]);
}

#[test]
fn file_that_is_no_toml_is_named() {
    let said = added(&folder("sizes = ", ""), &[]).unwrap_err().to_string();
    assert!(said.contains(NAME), "{said}");
    let said = added(&folder("sizes = true\n", ""), &[]).unwrap_err().to_string();
    assert!(said.contains("sizes: must be text, a number, or a list"), "{said}");
}
