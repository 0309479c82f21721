//! The standard library, precompiled once for each toolchain of this host, for native sandboxes.
//! The Docker image has its own.
//!
//! The folder is named after the toolchain's identity. It is made under another name and then
//! moved, so two processes may make it at the same time, and nobody sees half of it.

use super::toolchain::{COMPILER, PATH, Toolchain};
use crate::sandbox::Progress;
use runner_protocol::{PRECOMPILED_HEADER, header_flags, header_folder};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// Number of toolchains whose headers are kept, the newest ones; each takes about 100 MB.
const KEPT: usize = 2;
/// The beginning of a folder's name while it is being made.
const MAKING: &str = "making-";
/// Age from which a folder that is still being made counts as left by a dead process.
const MAKING_WITHIN: Duration = Duration::from_secs(600);
/// Readable by all, because a sandbox's runner is another user than the one that made the header.
const READABLE: [u32; 2] = [0o755, 0o644];

/// The folder of `toolchain`'s headers, if they have been made.
pub(super) fn folder(cache: &Path, toolchain: &Toolchain) -> Option<PathBuf> {
    Some(place(cache, toolchain)).filter(|folder| folder.join(header_folder()).is_dir())
}

fn place(cache: &Path, toolchain: &Toolchain) -> PathBuf {
    cache.join("precompiled").join(toolchain.identity.trim_start_matches("sha256:"))
}

/// Makes `toolchain`'s headers, unless they exist.
pub(super) async fn make(
    cache: &Path,
    toolchain: &Toolchain,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let (Some(header), None) = (&toolchain.header, folder(cache, toolchain)) else {
        return Ok(());
    };
    let flags = header_flags().join(" ");
    progress(&format!("precompiling <{PRECOMPILED_HEADER}> for later runs with {flags}"));
    let place = place(cache, toolchain);
    let all = cache.join("precompiled");
    fs::create_dir_all(&all)?;
    let making = tempfile::Builder::new().prefix(MAKING).tempdir_in(&all)?;
    let file = making.path().join(header_folder());
    let file = file.join(format!("{PRECOMPILED_HEADER}.gch"));
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    let status = Command::new(COMPILER)
        .args(header_flags())
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
    // After a power failure, half a header would make every compile fail.
    File::open(&file)?.sync_all()?;
    let inside = file.ancestors().skip(1).take_while(|folder| folder.starts_with(making.path()));
    for folder in inside.chain([all.as_path(), cache]) {
        fs::set_permissions(folder, enter.clone())?;
    }
    if place.is_dir() && folder(cache, toolchain).is_none() {
        // An earlier version made it, with other flags.
        fs::remove_dir_all(&place)?;
    }
    match fs::rename(making.path(), &place) {
        // Another process was faster.
        Err(_) if place.is_dir() => Ok(()),
        moved => moved.and_then(|()| clean(&all)),
    }
}

/// Removes folders of old toolchains and of failed processes.
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
