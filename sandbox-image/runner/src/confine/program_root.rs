//! The root of programs in a native sandbox: a file system of the sandbox's own, with copies of the
//! host's files that programs need.
//!
//! The kernel keeps which names somebody has looked up in a file system, even absent ones, which
//! pages somebody has read, and when. Sandboxes that show one folder of the host share this memory,
//! so a program could read there what a program of another sandbox has computed. Therefore only the
//! compiler and the tools of binutils see the host's folders. All other processes change their root
//! to this one, and what it remembers ends with the sandbox.
//!
//! ```text
//! /                        the runner, the compiler, tools
//! ├─ usr, lib, …           the host's
//! ├─ dev, proc, code, tmp  the sandbox's own
//! └─ swiftprof-programs    the root of programs
//!    ├─ usr/lib, …         copies
//!    └─ dev, proc, code, tmp, swiftprof-runner   the same as above
//! ```

use super::mounts::{self, bind, bind_writable, read_only};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::INSIDE;
use crate::sys::page_cache::FOLDERS;
use nix::unistd;
use runner_protocol::{FURTHER_LIBRARIES, LIBRARIES, SCRATCH_DIR, WORK_DIR};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Path of the root of programs in the sandbox.
const ROOT: &str = "/swiftprof-programs";
/// Mount options. Libraries with debug information have some 30 MB.
const OPTIONS: &str = "mode=755,size=64m";
/// The loader's list of libraries and their paths. With it, the loader looks for libraries as it
/// does on the host.
const CACHE: &str = "/etc/ld.so.cache";
/// Maximum number of bytes of [`CACHE`] that are searched for libraries.
const MAX_CACHE_BYTES: u64 = 4 << 20;
/// The program that starts warm-ups.
const GNU_TIME: &str = "/usr/bin/time";
/// Folders that the host's root may have as links.
const LINKS: [&str; 3] = ["bin", "lib", "lib64"];
/// The beginning of a 32-bit executable, which the system call filter would kill.
const SHORT: &[u8] = b"\x7fELF\x01";

/// The root of programs, if they have one of their own. There is none in a container, nor for a
/// process that is in it already.
pub(crate) fn find() -> Option<&'static str> {
    Path::new(ROOT).is_dir().then_some(ROOT)
}

/// Makes `root` the root of this process, and a folder in it the current one: from a folder of the
/// old root, a process could leave the new one.
pub(crate) fn enter(root: &str, folder: &str) -> Result<()> {
    unistd::chroot(root).stage("change the root")?;
    unistd::chdir(folder).stage("enter a folder")
}

/// Mounts the root in the stage and copies the host's files to it.
pub(super) fn fill(stage: &Path) -> Result<()> {
    let root = stage.join(&ROOT[1..]);
    fs::create_dir(&root).stage("make a folder")?;
    mounts::large_tmpfs(&root, mounts::OWN, OPTIONS)?;
    for link in LINKS {
        if let Ok(target) = fs::read_link(Path::new("/").join(link)) {
            symlink(target, root.join(link)).stage("make a link")?;
        }
    }
    let mut cache = Vec::new();
    if let Ok(file) = File::open(CACHE) {
        file.take(MAX_CACHE_BYTES).read_to_end(&mut cache).stage("read the loader's list")?;
    }
    let names = || LIBRARIES.into_iter().chain(FURTHER_LIBRARIES);
    let usual = FOLDERS.into_iter().flat_map(|folder| names().map(|it| Path::new(folder).join(it)));
    let others = [CACHE, GNU_TIME].map(PathBuf::from);
    let wanted: BTreeSet<PathBuf> = listed(&cache).chain(usual).chain(others).collect();
    wanted.iter().try_for_each(|path| copy(path, &root).stage("copy a library"))
}

/// Shows the sandbox's own files in the root of programs, which then stays as it is.
pub(super) fn complete() -> Result<()> {
    let root = Path::new(ROOT);
    let place = |path: &str| root.join(&path[1..]);
    for folder in ["/proc", "/dev", WORK_DIR, SCRATCH_DIR] {
        fs::create_dir_all(place(folder)).stage("make a folder")?;
    }
    File::create(place(INSIDE)).stage("place the runner")?;
    for path in ["/dev", INSIDE] {
        bind(Path::new(path), &place(path))?;
    }
    for folder in ["/proc", WORK_DIR, SCRATCH_DIR] {
        bind_writable(Path::new(folder), &place(folder))?;
    }
    read_only(root)
}

/// The paths in the loader's list that name a library of a program.
fn listed(cache: &[u8]) -> impl Iterator<Item = PathBuf> {
    let texts = cache.split(|&byte| byte == 0).filter(|text| text.starts_with(b"/"));
    let paths = texts.map(|text| PathBuf::from(OsStr::from_bytes(text)));
    paths.filter(|path| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        LIBRARIES.contains(&name) || FURTHER_LIBRARIES.contains(&name)
    })
}

/// Copies a file of the host to the same path below `root`, and its name, if that is a link. A file
/// that the host lacks is not needed.
fn copy(path: &Path, root: &Path) -> io::Result<()> {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return Ok(()) };
    // Most files are in one of the folders. To resolve the name of an absent one takes 10 calls.
    if !path.exists() {
        return Ok(());
    }
    let (Ok(folder), Ok(file)) = (folder.canonicalize(), path.canonicalize()) else {
        return Ok(());
    };
    let below = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
    let mut from = File::open(&file)?;
    let mut begin = [0; SHORT.len()];
    if from.read_exact(&mut begin).is_err() || begin == SHORT {
        return Ok(());
    }
    from.rewind()?;
    let place = below(&file);
    if !place.exists() {
        place.parent().map_or(Ok(()), fs::create_dir_all)?;
        let (meta, mut copied) = (from.metadata()?, File::create(&place)?);
        // The kernel takes large pages only if it knows the size before it fills them.
        copied.set_len(meta.len())?;
        io::copy(&mut from, &mut copied)?;
        fs::set_permissions(&place, meta.permissions())?;
    }
    let named = below(&folder.join(name));
    if named != place && named.symlink_metadata().is_err() {
        named.parent().map_or(Ok(()), fs::create_dir_all)?;
        symlink(&file, named)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_names_the_libraries() {
        let cache =
            b"\x01\0libm.so.6\0/lib/libm.so.6\0/lib/libz.so.1\0/opt/v3/libgomp.so.1\0x/libm.so.6";
        let found: Vec<_> = listed(cache).collect();
        assert_eq!(found, ["/lib/libm.so.6", "/opt/v3/libgomp.so.1"].map(PathBuf::from));
    }

    #[test]
    fn file_is_copied_under_its_names() {
        let root = std::env::temp_dir().join(format!("swiftprof-root-{}", std::process::id()));
        fs::create_dir(&root).unwrap();
        let host = fs::canonicalize(&root).unwrap().join("host");
        fs::create_dir(&host).unwrap();
        fs::write(host.join("library.1.2"), "library").unwrap();
        symlink("library.1.2", host.join("library")).unwrap();
        fs::write(host.join("short"), SHORT).unwrap();
        let copies = root.join("copies");
        for name in ["library", "library", "short", "absent"] {
            copy(&host.join(name), &copies).unwrap();
        }
        let below = copies.join(host.strip_prefix("/").unwrap());
        assert_eq!(fs::read_to_string(below.join("library.1.2")).unwrap(), "library");
        assert_eq!(fs::read_link(below.join("library")).unwrap(), host.join("library.1.2"));
        assert_eq!(fs::read_dir(below).unwrap().count(), 2);
        fs::remove_dir_all(root).unwrap();
    }
}
