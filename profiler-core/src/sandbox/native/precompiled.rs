//! The standard library, precompiled once for each toolchain of this host, for native sandboxes.
//! The Docker image has its own.
//!
//! The folder is made under another name and then moved, so two processes may make it at the same
//! time, and nobody sees half of it.

use super::toolchain::{PATH, Toolchain};
use crate::figures::units::hex;
use crate::sandbox::Progress;
use runner_protocol::{PRECOMPILED_HEADER, header_flags, header_folder};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// Number of toolchains whose headers are kept, the newest ones; each takes about 190 MB.
const KEPT: usize = 2;
/// The beginning of a folder's name while it is being made.
const MAKING: &str = "making-";
/// A folder that is still being made after this long was left by a dead process.
const MAKING_WITHIN: Duration = Duration::from_secs(600);
/// Modes of folders and files. All may read them, because a sandbox's runner is another user than
/// the one that made the headers.
const ENTERABLE: u32 = 0o755;
const READABLE: u32 = 0o644;

/// The folder of `toolchain`'s headers, if they have been made.
pub(super) fn folder(cache: &Path, toolchain: &Toolchain) -> Option<PathBuf> {
    Some(place(cache, toolchain)).filter(|folder| folder.is_dir())
}

/// The place of `toolchain`'s headers, named after all that decides what they contain.
fn place(cache: &Path, toolchain: &Toolchain) -> PathBuf {
    let made_of = [&toolchain.identity, sandbox_image::PRECOMPILE, &header_folder()];
    let digest = made_of.iter().fold(Sha256::new(), Sha256::chain_update);
    cache.join("precompiled").join(hex(&digest.finalize()))
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
    let made = making.path().join(header_folder());
    let said = Command::new("sh")
        .args(["-c", sandbox_image::PRECOMPILE, "precompile"])
        .args([&made, header])
        .args(header_flags())
        .env_clear()
        .env("PATH", PATH)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .output()
        .await?;
    if !said.status.success() {
        let words = String::from_utf8_lossy(&said.stderr);
        let first = words.lines().next().unwrap_or_default();
        return Err(io::Error::other(format!("{}: {first}", said.status)));
    }
    publish(making.path())?;
    for folder in [all.as_path(), cache] {
        fs::set_permissions(folder, Permissions::from_mode(ENTERABLE))?;
    }
    match fs::rename(making.path(), &place) {
        // Another process was faster.
        Err(_) if place.is_dir() => Ok(()),
        moved => moved.and_then(|()| clean(&all)),
    }
}

/// Lets everybody read all that is in a folder, and writes it to the disk: after a power failure,
/// half a header would make every compilation fail.
fn publish(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            publish(&path)?;
        } else {
            fs::set_permissions(&path, Permissions::from_mode(READABLE))?;
            File::open(&path)?.sync_all()?;
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(ENTERABLE))
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
