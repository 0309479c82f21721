//! State that a host hands to swiftprof: no right to make sandboxes, an ignored signal, a umask.

use crate::{FAULT, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::binary;
use tokio::process::Command;

/// Runs its arguments where no further user namespace can be made. The limit is that of the user
/// namespace, so the host keeps its own.
const WITHOUT_NAMESPACES: [&str; 7] = [
    "unshare",
    "--user",
    "--map-root-user",
    "sh",
    "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"",
    "sh",
];

#[tokio::test]
async fn forbidden_namespaces_are_told_with_the_command_that_allows_them() {
    if !has("native", Choice::Native).await {
        return;
    }
    let mut command = Command::new(WITHOUT_NAMESPACES[0]);
    command.args(&WITHOUT_NAMESPACES[1..]).arg(binary());
    command.args(["run", &sort(), "--backend", "native"]);
    let output = command.output().await.expect("unshare starts");
    assert_eq!(output.status.code(), Some(FAULT), "{}", stderr(&output));
    let said = String::from_utf8_lossy(&output.stdout);
    let start = "internal: not supported on this host: swiftprof-runner: make namespaces: ENOSPC: No space \
                 left on device; user.max_user_namespaces is 0, which forbids it; `sudo sysctl -w \
                 user.max_user_namespaces=15000` allows it; ";
    assert!(said.starts_with(start), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// The runner needs its children's ends, also if whoever started swiftprof ignores SIGCHLD.
#[tokio::test]
async fn ignored_sigchld_is_not_handed_on() {
    if !has("native", Choice::Native).await {
        return;
    }
    let mut command = Command::new("env");
    command.arg("--ignore-signal=CHLD").arg(binary());
    command.args(["run", &sort(), "--sizes", "10", "--backend", "native", "--format", "json"]);
    let report = json(&command.output().await.expect("env starts"), 0);
    assert_eq!(report["sizes"][0]["outcome"], "OUTCOME_OK");
}

/// A program is another user than the runner that makes its files.
#[tokio::test]
async fn umask_that_lets_nobody_read_is_not_handed_on() {
    if !has("native", Choice::Native).await {
        return;
    }
    let mut command = Command::new("sh");
    command.args(["-c", "umask 077 && exec \"$@\"", "sh"]).arg(binary());
    command.args(["run", &sort(), "--sizes", "10", "--backend", "native", "--format", "json"]);
    let report = json(&command.output().await.expect("sh starts"), 0);
    assert_eq!(report["sizes"][0]["outcome"], "OUTCOME_OK");
}
