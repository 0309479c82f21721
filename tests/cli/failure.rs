//! Refused calls: exit code 2, nothing on stdout, and one message that names what is wrong.

use crate::{BAD_INPUT, sort, stderr};
use profiler_tests::swiftprof::{file, run, swiftprof};

/// Checks that this call is refused, and that the message contains `named`.
async fn refused(args: &[&str], named: &str) {
    let output = run(args).await;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{said}");
    assert!(said.contains(named), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert_eq!(output.stdout, b"", "results alone go to stdout");
}

#[tokio::test]
async fn foreign_text_is_no_command_to_the_terminal() {
    refused(&["run", "no\u{1b}[2J.cpp"], "no␛[2J.cpp").await;
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.cpp");
    std::fs::write(&source, "int main() {}").unwrap();
    for (settings, problem) in [
        ("\"\\u001b[31m\" = 1\n", "␛[31m cannot be set here"),
        ("std = \"\\u001b[31m\"\n", "std: must not have control characters"),
        ("std = \u{1b}[31m\n", "swiftprof.toml"),
    ] {
        std::fs::write(folder.path().join("swiftprof.toml"), settings).unwrap();
        refused(&["run", source.to_str().unwrap()], problem).await;
    }
}

#[tokio::test]
async fn file_that_is_not_there() {
    refused(&["run", "nowhere.cpp"], "nowhere.cpp").await;
}

#[tokio::test]
async fn ranking_refuses_what_only_one_report_has() {
    let file = sort();
    for option in [&["--full-diagnostics"][..], &["--columns", "size"], &["--fail-on", "warning"]] {
        let named = format!("{}: cannot be used with several programs", option[0]);
        refused(&[&["run", &file, &file][..], option].concat(), &named).await;
    }
}

#[tokio::test]
async fn reader_that_leaves_stderr_changes_no_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = swiftprof(&["run", "nowhere.cpp"]).stderr(writer).status().await.unwrap();
    assert_eq!(status.code(), Some(BAD_INPUT));
}

#[tokio::test]
async fn folder_is_no_file() {
    let folder = file("examples");
    let named = format!("{folder}: is a folder: name the programs in it, such as {folder}/*.cpp");
    refused(&["run", &folder], &named).await;
}

#[tokio::test]
async fn empty_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.cpp");
    std::fs::write(&path, "").unwrap();
    let path = path.display().to_string();
    refused(&["run", &path], &format!("{path}: must not be empty")).await;
}

#[tokio::test]
async fn settings_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("serve.toml");
    let path = path.to_str().unwrap();
    for (settings, problem) in [
        ("max_queued = 0", format!("max_queued in {path}: must be from 1 to 16384, not 0")),
        ("max_queue = 1", "unknown field `max_queue`".to_owned()),
        ("max_queue = 1", "did you mean max_queued?".to_owned()),
        ("[quota]\nlive_runs = 'many'", "invalid type".to_owned()),
    ] {
        std::fs::write(path, settings).unwrap();
        for command in ["serve", "worker"] {
            refused(&[command, "--config", path, "--check-config"], &problem).await;
        }
    }
}

#[tokio::test]
async fn worker_reads_the_settings_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("serve.toml");
    let path = path.to_str().unwrap();
    refused(&["worker"], "--fleet: no engine of a fleet is named").await;
    let settings = "concurrency = 3\n[fleet]\nurl = 'nats://a:4222'\n[quota]\nlive_runs = 2\n";
    std::fs::write(path, settings).unwrap();
    let mut command = swiftprof(&["worker", "--config", path, "--check-config"]);
    let output = command.args(["--fleet", "nats://b:4222"]).output().await.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    for (line, source) in [("concurrency = 3", path), ("fleet.url = \"nats://b:4222\"", "--fleet")]
    {
        let found = shown.lines().find(|shown| shown.starts_with(line));
        assert!(found.is_some_and(|found| found.ends_with(source)), "{line}: {shown}");
    }
}

#[tokio::test]
async fn forbidden_compiler_flag() {
    refused(&["run", &sort(), "--flags", "-O2 -fplugin=x.so"], "-fplugin=x.so").await;
}

#[tokio::test]
async fn sizes_that_do_not_rise() {
    refused(&["run", &sort(), "--sizes", "5,5"], "--sizes").await;
}

#[tokio::test]
async fn size_that_is_negative() {
    refused(&["run", &sort(), "--sizes", "-1"], "--sizes").await;
}

#[tokio::test]
async fn sizes_that_are_no_numbers_or_too_many() {
    let thousands: Vec<String> = (0..5_000).map(|n: u64| n.to_string()).collect();
    for sizes in ["1,-1", "10^18 + 1", "1.5", "NaN", "1..10", "1e19", &thousands.join(",")] {
        refused(&["run", &sort(), "--sizes", sizes], "--sizes").await;
    }
}

#[tokio::test]
async fn largest_size_that_is_negative() {
    refused(&["run", &sort(), "--n-max", "-1"], "--n-max").await;
}

#[tokio::test]
async fn limits_that_are_none() {
    for timeout in ["NaN", "NaNs", "infs", "-1s", "0s", "61s"] {
        refused(&["run", &sort(), "--timeout", timeout], "--timeout").await;
    }
    for memory in ["-1", "NaN", "0", "4294967296"] {
        refused(&["run", &sort(), "--memory-mb", memory], "--memory-mb").await;
    }
}

#[tokio::test]
async fn unknown_argument() {
    refused(&["run", &sort(), "--speed"], "--speed").await;
}

#[tokio::test]
async fn unreachable_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = format!("unix:{}", folder.path().join("nobody").display());
    refused(&["run", &sort(), "--endpoint", &endpoint], &endpoint).await;
}

#[tokio::test]
async fn output_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/report.html").display().to_string();
    refused(&["run", &sort(), "-o", &path], &path).await;
    for programs in [vec![sort()], vec![sort(), sort()]] {
        let mut line = vec!["run", "-o", "no/such/report.pdf"];
        line.extend(programs.iter().map(String::as_str));
        refused(&line, "must end with one of").await;
    }
}

#[tokio::test]
async fn endpoint_that_is_none() {
    refused(&["run", &sort(), "--endpoint", "not an endpoint"], "--endpoint").await;
}

#[tokio::test]
async fn address_that_cannot_be_listened_on() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("unix:{}", folder.path().join("no/such/folder").display());
    refused(&["serve", "--listen", &address], "--listen").await;
}

#[tokio::test]
async fn misspelt_variable_is_named_with_what_was_meant() {
    let mut command = swiftprof(&["serve", "--check-config"]);
    let output = command.env("PROFILER_CONCURENCY", "2").output().await.unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("did you mean PROFILER_CONCURRENCY?"), "{said}");
}
