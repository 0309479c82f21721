//! Crates that a caller of the profiler has to build.

use std::process::Command;

/// The crates that `profiler-client` needs, one a line.
fn tree(format: &str) -> String {
    let cargo = Command::new(env!("CARGO"))
        .args(["tree", "--package", env!("CARGO_PKG_NAME"), "--edges", "normal"])
        .args(["--prefix", "none", "--format", format])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    String::from_utf8(cargo.stdout).unwrap()
}

#[test]
fn client_brings_no_server_and_no_profiler() {
    let unwanted = ["profiler-core", "profiler-server", "runner-protocol", "axum", "bollard"];
    let tree = tree("{p}");
    let found: Vec<_> = tree
        .lines()
        .filter(|line| unwanted.iter().any(|name| line.starts_with(&format!("{name} "))))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn tonic_comes_without_its_server() {
    let tree = tree("{p} {f}");
    let tonic = tree.lines().find(|line| line.starts_with("tonic v")).unwrap();
    let features = tonic.rsplit(' ').next().unwrap_or_default();
    assert!(!features.split(',').any(|f| f == "server" || f == "router"), "{tonic}");
}
