//! Commands that an output prints, run where the output was printed.

use crate::inputs::written;
use crate::{CANNOT_TELL, DIFFERENT, REPORT, SANDBOX_ERROR, has, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{file, swiftprof};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use tempfile::TempDir;
use tokio::process::Command;

/// An output with a command that leads further.
struct Case {
    source: &'static str,
    /// The words after the program.
    options: String,
    exit: i32,
    /// Words that the output of the printed command has, and the first output has not.
    leads_to: &'static str,
}

const LINEAR: &str = "#include <iostream>\nint main() { long n, s = 0; std::cin >> n;\n\
    for (volatile long i = 0; i < n; i = i + 1) s += i; std::cout << s; }\n";
const QUADRATIC: &str = "#include <iostream>\nint main() { long n; std::cin >> n;\n\
    for (volatile long i = 0; i < n * n; i = i + 1) {} }\n";
const HOLDS_60_MIB: &str = "#include <vector>\n\
    int main(int count, char**) { std::vector<char> all(60 << 20, 1); return all[count] - 1; }\n";
const CRASHES: &str = "#include <cstdlib>\n#include <iostream>\n\
    int main() { int n, x; std::cin >> n; for (int i = 0; i < n; i++) std::cin >> x;\n\
    if (n >= 1000) std::abort(); }\n";
/// Holds n bytes, which are few at small sizes.
const HOLDS_BYTES: &str = "#include <iostream>\n#include <vector>\n\
    int main() { long n, s = 0; std::cin >> n; std::vector<char> all(n, 1);\n\
    for (volatile char& it : all) s += it; std::cout << s; }\n";
/// Tells whether a number is followed by a smaller one.
const FALLS: &str = "#include <iostream>\nint main() { int n, x, before = 0, falls = 0;\n\
    for (std::cin >> n; n-- && std::cin >> x; before = x) falls |= x < before;\n\
    std::cout << falls; }\n";

fn cases() -> [Case; 4] {
    let array = file("examples/tasks/array.yaml");
    [
        Case {
            source: LINEAR,
            options: "--quick --sizes 62,125,250,500,1000".into(),
            exit: REPORT,
            leads_to: "time grows like n",
        },
        Case {
            source: QUADRATIC,
            options: "--quick --sizes 1000000 --timeout 100ms".into(),
            exit: SANDBOX_ERROR,
            leads_to: "┆ OK ",
        },
        Case {
            source: HOLDS_60_MIB,
            options: "--quick --sizes 0 --memory-mb 40".into(),
            exit: SANDBOX_ERROR,
            leads_to: "┆ OK ",
        },
        Case {
            source: CRASHES,
            options: format!("--quick --sizes 10,1000 --input-spec {array}"),
            exit: REPORT,
            leads_to: "\n1000\n",
        },
    ]
}

/// Runs a command line in a folder, with the tested binary in place of `swiftprof`.
async fn shell(line: &str, folder: &Path) -> Output {
    let binary = swiftprof(&["--version"]).as_std().get_program().to_owned();
    let script = line.replacen("swiftprof", "\"$0\"", 1);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(binary).current_dir(folder).stdin(Stdio::null());
    shell.kill_on_drop(true).output().await.expect("a shell")
}

/// The only command in an output.
fn printed(said: &str) -> &str {
    let lines = said.lines().map(|line| line.trim_start().trim_start_matches("again: "));
    let commands: Vec<_> = lines.filter(|line| line.starts_with("swiftprof ")).collect();
    assert_eq!(commands.len(), 1, "{said}");
    commands[0]
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Runs the case, and then the command that its output prints.
async fn leads_further(case: Case) {
    let folder = TempDir::new().unwrap();
    written(&folder, "a.cpp", case.source);
    let line = format!("swiftprof run a.cpp --backend native {}", case.options);
    let first = shell(&line, folder.path()).await;
    let said = text(&first);
    assert_eq!(first.status.code(), Some(case.exit), "{line}: {said}{}", stderr(&first));
    assert!(!said.contains(case.leads_to), "{line}: {said}");
    let command = printed(&said);
    let next = shell(command, folder.path()).await;
    assert_eq!(next.status.code(), Some(REPORT), "{command}: {}", stderr(&next));
    // A command can also write a file.
    let input = fs::read_to_string(folder.path().join("1000.in")).unwrap_or_default();
    let found = format!("{}\n{input}", text(&next));
    assert!(found.contains(case.leads_to), "{command}: {found}");
}

#[tokio::test]
async fn printed_command_leads_further() {
    if !has("native", Choice::Native).await {
        return;
    }
    for case in cases() {
        leads_further(case).await;
    }
}

/// The sizes reach the bound, so that only the heap can show how memory grows.
#[tokio::test]
async fn printed_command_decides_how_memory_grows() {
    if !has("native", Choice::Native).await {
        return;
    }
    let options = "--n-max 5000".into();
    let leads_to = "memory grows like n (";
    leads_further(Case { source: HOLDS_BYTES, options, exit: REPORT, leads_to }).await;
}

#[tokio::test]
async fn printed_command_writes_the_input_again() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    written(&folder, "falls.cpp", FALLS);
    written(&folder, "zero.cpp", "#include <cstdio>\nint main() { std::puts(\"0\"); }\n");
    written(
        &folder,
        "permutation.yaml",
        "vars:\n  - {name: p, permutation: {len: n}}\n\
         layout:\n  - line: {items: [n]}\n  - line: {items: [p]}\n",
    );
    let line = "swiftprof check falls.cpp zero.cpp --input-spec permutation.yaml --backend native";
    let first = shell(line, folder.path()).await;
    let said = text(&first);
    assert_eq!(first.status.code(), Some(DIFFERENT), "{said}{}", stderr(&first));
    let again = shell(printed(&said), folder.path()).await;
    assert_eq!((again.status.code(), text(&again).as_str()), (Some(REPORT), "2\n2 1\n"));
    assert!(said.contains("  | 2\n  | 2 1\n"), "{said}");
}

#[tokio::test]
async fn printed_command_answers_the_question_of_zero() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let source = "#include <cstdlib>\n#include <iostream>\n\
        int main() { int n; std::cin >> n; if (n == 0) std::abort(); std::cout << n; }\n";
    written(&folder, "a.cpp", source);
    let line = "swiftprof run a.cpp --backend native --quick --sizes 0,1,10";
    let question = "Does the task allow n = 0?";
    let said = text(&shell(line, folder.path()).await);
    assert!(said.contains(question), "{said}");
    let next = shell(printed(&said), folder.path()).await;
    assert_eq!(next.status.code(), Some(REPORT), "{}", stderr(&next));
    assert!(!text(&next).contains(question), "{}", text(&next));
}

/// Edited values have no seed, so the input is saved by an option.
#[tokio::test]
async fn input_that_makes_a_difference_is_saved_as_told() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let [fast, slow, spec] =
        ["lis.cpp", "brute.cpp", "lis.yaml"].map(|name| file(&format!("examples/check/{name}")));
    let line = format!("swiftprof check {fast} {slow} --input-spec {spec} --backend native");
    let first = shell(&line, folder.path()).await;
    assert_eq!(first.status.code(), Some(DIFFERENT), "{}", stderr(&first));
    let said = text(&first);
    assert!(said.contains("to save the input, give -o FILE"), "{said}");
    let next = shell(&format!("{line} -o saved.txt"), folder.path()).await;
    assert_eq!(next.status.code(), Some(DIFFERENT), "{}", stderr(&next));
    let input = fs::read_to_string(folder.path().join("saved.txt")).unwrap();
    let quoted: Vec<_> = input.lines().map(|line| format!("  | {line}")).collect();
    assert!(!quoted.is_empty() && text(&next).contains(&quoted.join("\n")), "{input}");
}

#[tokio::test]
async fn program_that_reads_a_file_is_given_its_input_there() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let source = "#include <cstdio>\nint main() {\n    freopen(\"input.txt\", \"r\", stdin);\n    \
        freopen(\"output.txt\", \"w\", stdout);\n    int n = 0;\n    scanf(\"%d\", &n);\n    printf(\"%d\", n);\n}\n";
    written(&folder, "a.cpp", source);
    let line = "swiftprof run a.cpp --backend native --quick --sizes 1,1000,2000,5000";
    let ended = shell(line, folder.path()).await;
    assert_eq!(ended.status.code(), Some(CANNOT_TELL), "{}", stderr(&ended));
    let said = text(&ended);
    let unread =
        "The program was not measured on its task: it reads nothing of its input, and opens";
    assert!(said.starts_with(unread) && said.lines().count() <= 8, "{said}");
    let next = format!("{line} --input-file input.txt --output-file output.txt");
    assert!(said.ends_with(&format!("run:\n  {next}\n")), "{said}");
    let given = shell(&next, folder.path()).await;
    assert_eq!(given.status.code(), Some(REPORT), "{}", stderr(&given));
    assert!(!text(&given).contains("opens input.txt"), "{}", text(&given));
}
