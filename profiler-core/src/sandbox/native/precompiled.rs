//! The standard library, precompiled once for each toolchain of this host, for native sandboxes.
//! The Docker image has its own.
//!
//! It lies in a folder that is called like the toolchain's identity. It is made under another name
//! and moved there, so two processes may make it at the same time, and nobody sees half of it.

use super::toolchain::{COMPILER, PATH, Toolchain};
use runner_protocol::{PRECOMPILED_FLAGS, PRECOMPILED_HEADER};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// Toolchains whose headers are kept, the newest ones; each takes about 100 MB.
const KEPT: usize = 2;
/// How the name of a folder begins that is being made.
const MAKING: &str = "making-";
/// What is still being made after this long was left behind.
const MAKING_WITHIN: Duration = Duration::from_secs(600);
/// A sandbox's runner is another user than the one that made the header.
const READABLE: [u32; 2] = [0o755, 0o644];

/// Where `toolchain`'s headers are, if they have been made.
pub(super) fn folder(cache: &Path, toolchain: &Toolchain) -> Option<PathBuf> {
    Some(place(cache, toolchain)).filter(|folder| folder.is_dir())
}

fn place(cache: &Path, toolchain: &Toolchain) -> PathBuf {
    cache.join("precompiled").join(toolchain.identity.trim_start_matches("sha256:"))
}

/// Makes `toolchain`'s headers, unless they are there.
pub(super) async fn make(
    cache: &Path,
    toolchain: &Toolchain,
    mut progress: impl FnMut(&str) + Send,
) -> io::Result<()> {
    let (Some(header), None) = (&toolchain.header, folder(cache, toolchain)) else {
        return Ok(());
    };
    let flags = PRECOMPILED_FLAGS.join(" ");
    progress(&format!("precompiling <{PRECOMPILED_HEADER}> for {flags}, once for this g++"));
    let place = place(cache, toolchain);
    let all = cache.join("precompiled");
    fs::create_dir_all(&all)?;
    let making = tempfile::Builder::new().prefix(MAKING).tempdir_in(&all)?;
    let file = making.path().join(PRECOMPILED_FLAGS.join("_"));
    let file = file.join(format!("{PRECOMPILED_HEADER}.gch"));
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    let status = Command::new(COMPILER)
        .args(PRECOMPILED_FLAGS)
        .args(["-x", "c++-header"])
        .arg(header)
        .arg("-o")
        .arg(&file)
        .env_clear()
        .envs([("PATH", PATH), ("LC_ALL", "C")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .status()
        .await?;
    if !status.success() {
        return Err(io::Error::other(format!("g++: {status}")));
    }
    let [enter, read] = READABLE.map(Permissions::from_mode);
    fs::set_permissions(&file, read)?;
    // Half a header, after the power failed, would fail every compile.
    File::open(&file)?.sync_all()?;
    let inside = file.ancestors().skip(1).take_while(|folder| folder.starts_with(making.path()));
    for folder in inside.chain([all.as_path(), cache]) {
        fs::set_permissions(folder, enter.clone())?;
    }
    match fs::rename(making.path(), &place) {
        // Somebody else was faster.
        Err(_) if place.is_dir() => Ok(()),
        moved => moved.and_then(|()| clean(&all)),
    }
}

/// Removes what old toolchains and failed processes left.
fn clean(all: &Path) -> io::Result<()> {
    let mut made = Vec::new();
    for entry in fs::read_dir(all)?.flatten() {
        let changed = entry.metadata()?.modified()?;
        let making = entry.file_name().to_string_lossy().starts_with(MAKING);
        let left = making && changed.elapsed().is_ok_and(|age| age > MAKING_WITHIN);
        match (making, left) {
            (true, true) => fs::remove_dir_all(entry.path())?,
            (true, false) => {}
            (false, _) => made.push((changed, entry.path())),
        }
    }
    made.sort_unstable();
    made.iter().rev().skip(KEPT).try_for_each(|(_, old)| fs::remove_dir_all(old))
}

#[cfg(test)]
mod tests;
