//! Names the commit that swiftprof is built from: `SWIFTPROF_COMMIT`, else what git says.

use std::path::Path;
use std::process::Command;
use std::{env, str};

const VARIABLE: &str = "SWIFTPROF_COMMIT";
/// The file that git changes with every commit and checkout.
const LOG: &str = "logs/HEAD";

fn main() {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(log) = git(&["rev-parse", "--git-path", LOG]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
    let named = env::var(VARIABLE).ok();
    let commit = named.or_else(|| git(&["rev-parse", "--short=10", "HEAD"]));
    println!("cargo::rustc-env={VARIABLE}={}", commit.as_deref().unwrap_or("unknown"));
}

/// Returns what git prints; `None` without git or outside a repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = str::from_utf8(&output.stdout).ok()?.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
