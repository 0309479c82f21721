//! Mounts of the native backend's sandbox.

use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sys::statvfs::{FsFlags, statvfs};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

/// Mount flags of every file system in the sandbox.
pub(super) const SAFE: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV);
/// Mount flags of the sandbox's own files. Access times would reveal what earlier runs have read.
pub(super) const OWN: MsFlags = SAFE.union(MsFlags::MS_NOATIME);

/// Shows a folder, file or link of the host's root in the stage, read-only.
pub(super) fn share(name: &str, stage: &Path) -> Result<()> {
    let (host, place) = (Path::new("/").join(name), stage.join(name));
    let Ok(meta) = host.symlink_metadata() else {
        return Ok(());
    };
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).stage("make a folder")?;
    }
    if meta.is_symlink() {
        let target = fs::read_link(&host).stage("read a link")?;
        return symlink(target, place).stage("make a link");
    }
    if meta.is_dir() {
        fs::create_dir(&place).stage("make a folder")?;
    } else {
        File::create(&place).stage("make a file")?;
    }
    bind(&host, &place)
}

/// Shows `from` and the mounts below it at `place`, too. Only the first mount is read-only.
pub(super) fn bind(from: &Path, place: &Path) -> Result<()> {
    bind_writable(from, place)?;
    read_only(place)
}

/// Shows `from` and the mounts below it at `place`, too.
pub(super) fn bind_writable(from: &Path, place: &Path) -> Result<()> {
    let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(from), place, None::<&str>, flags, None::<&str>).stage("bind a folder")
}

/// Makes a mount read-only. The mount's other flags may be locked, so the call must repeat them.
pub(super) fn read_only(place: &Path) -> Result<()> {
    let has = statvfs(place).stage("look at a mount")?.flags();
    let mut flags =
        MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID;
    for (have, keep) in [
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ] {
        flags.set(keep, has.contains(have));
    }
    mount(None::<&str>, place, None::<&str>, flags, None::<&str>).stage("make a mount read-only")
}

/// Mounts a tmpfs with large pages. Filling a file whose size is set takes a quarter of the time.
/// Kernels without large pages refuse the option.
pub(super) fn large_tmpfs(place: &Path, flags: MsFlags, options: &str) -> Result<()> {
    let mount_with =
        |options: &str| mount(Some("tmpfs"), place, Some("tmpfs"), flags, Some(options));
    match mount_with(&format!("{options},huge=within_size")) {
        Err(Errno::EINVAL) => mount_with(options),
        mounted => mounted,
    }
    .stage("mount a tmpfs")
}

pub(super) fn tmpfs(place: &str, flags: MsFlags, options: &str) -> Result<()> {
    mount(Some("tmpfs"), place, Some("tmpfs"), flags, Some(options)).stage("mount a tmpfs")
}
