//! The standard library, precompiled for the toolchains of this host, for native sandboxes. The
//! Docker image has its own.
//!
//! The folder of a toolchain is named after its identity. In it, each list of flags has a folder
//! with its header. This folder is made elsewhere and then moved, so two processes may make it at
//! the same time, and nobody sees half of it.

mod wanted;

use super::toolchain::{COMPILER, Examiner, PATH, Toolchain};
use crate::sandbox::Progress;
use runner_protocol::{
    DEFAULT_FLAGS, PRECOMPILED_DEPENDENCIES, PRECOMPILED_HEADER, header_flags, header_folder,
};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokio::process::Command;
use wanted::Wanted;

/// Maximum size of all headers together, in bytes. Each takes about 100 MB.
const MAX_BYTES: u64 = 1_000_000_000;
/// Number of toolchains whose headers are kept, the newest ones.
const KEPT: usize = 2;
/// The beginning of a folder's name while it is being made.
const MAKING: &str = "making-";
/// Age from which a folder that is still being made counts as left by a dead process.
const MAKING_WITHIN: Duration = Duration::from_secs(600);
/// Readable by all, because a sandbox's runner is another user than the one that made the header.
const READABLE: [u32; 2] = [0o755, 0o644];
/// Command that runs its arguments at the lowest priority, because programs may be measured now.
const LOWEST_PRIORITY: [&str; 3] = ["nice", "-n", "19"];

/// The headers of this host.
pub(super) struct Headers {
    /// Folder for all headers; `None` for a user without a home.
    cache: Option<PathBuf>,
    wanted: Wanted,
}

impl Headers {
    pub(super) fn new(cache: Option<PathBuf>) -> Self {
        Self { cache, wanted: Wanted::default() }
    }

    /// Returns the folder of `toolchain`'s headers, if one was made.
    pub(super) fn folder(&self, toolchain: &Toolchain) -> Option<PathBuf> {
        Some(place(self.cache.as_ref()?, toolchain)).filter(|place| place.is_dir())
    }

    /// Marks the header for a compilation with `flags` as the most recently used, or as wanted if
    /// there is none.
    pub(super) fn note(&self, toolchain: &Toolchain, flags: &[String]) {
        let (Some(cache), Some(flags)) = (&self.cache, header_flags(flags)) else {
            return;
        };
        let flags: Vec<String> = flags.into_iter().map(String::from).collect();
        let header = Header { cache, toolchain, flags: &flags };
        if header.exists() {
            let folder = File::open(header.folder());
            // If this fails, the header is removed earlier than others.
            let _ = folder.and_then(|folder| folder.set_modified(SystemTime::now()));
        } else {
            self.wanted.add(flags);
        }
    }

    /// Waits until a header is wanted.
    pub(super) async fn wanted(&self) {
        self.wanted.added().await;
    }

    /// Makes the headers that are wanted, one at a time.
    pub(super) async fn make_wanted(&self, examiner: &Arc<Examiner>, progress: &mut Progress<'_>) {
        while let Some(flags) = self.wanted.next() {
            if let Err(error) = self.make(&flags, examiner, progress).await {
                tracing::warn!(target: "Profiler", %error, "a header was not precompiled");
            } else {
                self.wanted.remove(&flags);
            }
        }
    }

    async fn make(
        &self,
        flags: &[String],
        examiner: &Arc<Examiner>,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let Some(toolchain) = examiner.look().await else {
            return Ok(());
        };
        let no_folder = || io::Error::other("no folder for it: HOME is not set");
        let cache = self.cache.as_ref().ok_or_else(no_folder)?;
        let header = Header { cache, toolchain: &toolchain, flags };
        match header.compile(progress).await? {
            // An upgrade during the compilation may have mixed two toolchains in the header.
            Some(made) if examiner.look().await.as_ref() == Some(&toolchain) => header.keep(&made),
            _ => Ok(()),
        }
    }
}

/// The header of a toolchain for a list of [`header_flags`].
#[derive(Debug, Clone, Copy)]
struct Header<'a> {
    cache: &'a Path,
    toolchain: &'a Toolchain,
    flags: &'a [String],
}

impl Header<'_> {
    fn folder(&self) -> PathBuf {
        place(self.cache, self.toolchain).join(header_folder(self.flags))
    }

    fn exists(&self) -> bool {
        let folder = self.folder();
        file(&folder).is_file() && list(&folder).is_file()
    }

    /// Compiles the header into the result, unless it exists.
    async fn compile(&self, progress: &mut Progress<'_>) -> io::Result<Option<TempDir>> {
        let (Some(library), false) = (&self.toolchain.header, self.exists()) else {
            return Ok(None);
        };
        let flags = self.flags.join(" ");
        progress(&format!("precompiling <{PRECOMPILED_HEADER}> for later runs with {flags}"));
        let all = all(self.cache);
        fs::create_dir_all(&all)?;
        let making = tempfile::Builder::new().prefix(MAKING).tempdir_in(&all)?;
        let folder = making.path().join(header_folder(self.flags));
        let (file, list) = (file(&folder), list(&folder));
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        let [nice, arguments @ ..] = LOWEST_PRIORITY;
        let status = Command::new(nice)
            .args(arguments)
            .arg(COMPILER)
            .args(self.flags)
            .args(["-x", "c++-header"])
            .arg(library)
            // Without a target, the list would begin with a path of this host.
            .args(["-MD", "-MT", "header", "-MF"])
            .arg(&list)
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
        for file in [&file, &list] {
            fs::set_permissions(file, read.clone())?;
            // After a power failure, half a header would make every compile fail.
            File::open(file)?.sync_all()?;
        }
        let inside = file.ancestors().skip(1).take_while(|folder| *folder != making.path());
        for folder in inside {
            fs::set_permissions(folder, enter.clone())?;
        }
        Ok(Some(making))
    }

    /// Moves the header from where it was made to its place, and removes old ones.
    fn keep(&self, making: &TempDir) -> io::Result<()> {
        let (all, place) = (all(self.cache), place(self.cache, self.toolchain));
        fs::create_dir_all(&place)?;
        for folder in [place.as_path(), &all, self.cache] {
            fs::set_permissions(folder, Permissions::from_mode(READABLE[0]))?;
        }
        if self.folder().is_dir() && !self.exists() {
            // Its removal was interrupted.
            fs::remove_dir_all(self.folder())?;
        }
        match fs::rename(making.path().join(header_folder(self.flags)), self.folder()) {
            // Another process was faster.
            Err(_) if self.exists() => return Ok(()),
            moved => moved?,
        }
        // Another process may be removing the same folders.
        if let Err(error) = clean(&all, MAX_BYTES) {
            tracing::debug!(target: "Profiler", %error, "old headers are left");
        }
        Ok(())
    }
}

/// The folder of all toolchains' headers.
fn all(cache: &Path) -> PathBuf {
    cache.join("precompiled")
}

/// The folder of a toolchain's headers.
fn place(cache: &Path, toolchain: &Toolchain) -> PathBuf {
    all(cache).join(toolchain.identity.trim_start_matches("sha256:"))
}

/// The path of a header in its folder.
fn file(folder: &Path) -> PathBuf {
    folder.join(format!("{PRECOMPILED_HEADER}.gch"))
}

/// The path of the list of the files that a header was made from.
fn list(folder: &Path) -> PathBuf {
    folder.join(PRECOMPILED_DEPENDENCIES)
}

/// Removes folders of old toolchains and of failed processes, and headers beyond `max_bytes`.
fn clean(all: &Path, max_bytes: u64) -> io::Result<()> {
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
    let old = made.len().saturating_sub(KEPT);
    made.drain(..old).try_for_each(|(_, old)| fs::remove_dir_all(old))?;
    shrink(made.iter().map(|(_, place)| place.as_path()), max_bytes);
    Ok(())
}

/// Removes the least recently used headers in these folders until the rest is within `max_bytes`.
/// Those for the default flags are removed last.
fn shrink<'a>(places: impl Iterator<Item = &'a Path>, max_bytes: u64) {
    let default = header_folder(&header_flags(&DEFAULT_FLAGS).unwrap_or_default());
    let mut headers = Vec::new();
    for entry in places.filter_map(|place| fs::read_dir(place).ok()).flatten().flatten() {
        let used = entry.metadata().and_then(|found| found.modified());
        let bytes = file(&entry.path()).metadata().map_or(0, |found| found.len());
        headers.push((entry.file_name() == *default, used.ok(), bytes, entry.path()));
    }
    headers.sort_unstable();
    let mut total = 0;
    for (_, _, bytes, folder) in headers.iter().rev() {
        total += bytes;
        if total > max_bytes {
            // Another process may remove it at the same time.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(test)]
mod tests;
