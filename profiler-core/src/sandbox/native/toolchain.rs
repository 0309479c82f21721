//! Identifies the host's C++ toolchain, which the native backend's sandboxes use.
//!
//! The identity is a digest of the path, size and time of every file that can change a binary's
//! bytes. g++ may be upgraded while a server is running, so every sandbox asks again. There are
//! some ten thousand such files, so they are examined again only if something in their folders has
//! changed, which [`Watch`] tells.

mod watch;

use crate::figures::units::hex;
use runner_protocol::PRECOMPILED_HEADER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::spawn_blocking;
use watch::Watch;

/// The compiler of a sandbox.
pub(super) const COMPILER: &str = "/usr/bin/g++";
/// Search path of a sandbox's compiler for tools that it does not contain.
pub(super) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Names of the programs and libraries that the compiler starts or loads.
const TOOLS: [&str; 9] = [
    "cc1plus",
    "collect2",
    "lto-wrapper",
    "liblto_plugin.so",
    "specs",
    "as",
    "ld",
    "ld.bfd",
    "ld.gold",
];
/// Beginnings of the names of files that are linked into a program or into one of the tools.
const LIBRARIES: [&str; 24] = [
    "crt",
    "Scrt",
    "rcrt",
    "gcrt",
    "grcrt",
    "Mcrt",
    "libstdc++",
    "libsupc++",
    "libgcc",
    "libc.",
    "libc_",
    "libm.",
    "libm-",
    "libmvec",
    "libpthread",
    "libbfd",
    "libopcodes",
    "libctf",
    "libisl",
    "libmpc",
    "libmpfr",
    "libgmp",
    "libz",
    "ld-linux",
];
/// Beginning of g++'s line about a folder of headers that does not exist.
const NO_FOLDER: &str = "ignoring nonexistent directory \"";
/// Maximum number of files. A toolchain with more has no identity, and nothing is cached.
const MAX_FILES: usize = 200_000;

/// The toolchain as it was when it was examined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Toolchain {
    /// A digest of everything that can change a binary's bytes.
    pub(super) identity: String,
    /// The header that is worth precompiling.
    pub(super) header: Option<PathBuf>,
}

/// The last examination of the toolchain, which holds while nothing has changed.
#[derive(Debug, Default)]
pub(super) struct Examiner(Mutex<Option<(Toolchain, Watch)>>);

impl Examiner {
    /// Returns the toolchain as it is now, without blocking this thread.
    pub(super) async fn look(self: &Arc<Self>) -> Option<Toolchain> {
        let examiner = self.clone();
        spawn_blocking(move || examiner.toolchain()).await.ok().flatten()
    }

    /// Returns the toolchain as it is now. `None` without g++, or if g++ does not say where its
    /// parts are.
    fn toolchain(&self) -> Option<Toolchain> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((toolchain, watch)) = &*last
            && watch.is_quiet()
        {
            return Some(toolchain.clone());
        }
        // inotify reports a change once. An examination that fails must not leave the old answer.
        *last = None;
        let mut watch = Watch::new();
        let toolchain = Toolchain::look(&mut watch)?;
        *last = Some((toolchain.clone(), watch));
        Some(toolchain)
    }
}

impl Toolchain {
    /// Examines the toolchain. Each folder is watched before it is examined, so no change goes
    /// unnoticed in between.
    fn look(watch: &mut Watch) -> Option<Self> {
        for path in PATH.split(':').chain([COMPILER]) {
            watch.add_reached(Path::new(path));
        }
        let mut asked = Command::new(COMPILER);
        asked.args(["-E", "-v", "-x", "c++", "/dev/null"]).env_clear();
        asked.env("PATH", PATH).env("LC_ALL", "C").stdin(Stdio::null());
        let said = asked.output().ok().filter(|said| said.status.success())?;
        let said = String::from_utf8(said.stderr).ok()?;
        let listed = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name));
            line.into_iter().flat_map(|line| line.split(':')).map(Path::new)
        };
        let (_, headers) = said.split_once("#include <...> search starts here:\n")?;
        let (headers, _) = headers.split_once("\nEnd of search list.")?;
        let headers = headers.lines().map(|line| Path::new(line.trim()));
        let headers: BTreeSet<PathBuf> = real(watch, headers);
        let header = headers.iter().map(|folder| folder.join(PRECOMPILED_HEADER));
        let header = header.into_iter().find(|header| header.is_file());
        let absent = said.lines().filter_map(|line| line.trim().strip_prefix(NO_FOLDER));
        for folder in absent.filter_map(|line| line.strip_suffix('"')) {
            if let Some(above) = Path::new(folder).ancestors().find(|above| above.exists()) {
                watch.add_reached(above);
            }
        }
        let mut seen = Seen { files: Vec::new(), watch };
        seen.file(Path::new(COMPILER));
        let folders = listed("COMPILER_PATH=").chain(PATH.split(':').map(Path::new));
        for folder in real(seen.watch, folders) {
            seen.watch.add(&folder);
            for tool in TOOLS {
                seen.file(&folder.join(tool));
            }
        }
        for folder in real(seen.watch, listed("LIBRARY_PATH=")) {
            seen.libraries(&folder)?;
        }
        // A folder inside another one is covered by that one.
        let inner =
            |folder: &&PathBuf| headers.iter().any(|h| h != *folder && folder.starts_with(h));
        for folder in headers.iter().filter(|folder| !inner(folder)) {
            seen.tree(folder.clone())?;
        }
        Some(Self { identity: seen.digest(&said), header })
    }
}

/// Returns the real paths of the folders among `paths`, each once, and watches the links that lead
/// there.
fn real<'a>(watch: &mut Watch, paths: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in paths {
        watch.add_links(path);
        found.extend(path.canonicalize());
    }
    found
}

/// Files that were examined.
struct Seen<'a> {
    /// The path, the size and the modification time of each file, some of them twice. Comparing
    /// thousands of paths by their components would take most of the examination.
    files: Vec<(OsString, u64, i64, i64)>,
    watch: &'a mut Watch,
}

impl Seen<'_> {
    /// Adds a file under its real path, if it exists.
    fn file(&mut self, path: &Path) {
        self.watch.add_reached(path);
        if let Ok(real) = path.canonicalize()
            && let Ok(meta) = real.metadata()
        {
            self.add(real, &meta);
        }
    }

    fn add(&mut self, path: PathBuf, meta: &Metadata) {
        self.files.push((path.into_os_string(), meta.size(), meta.mtime(), meta.mtime_nsec()));
    }

    fn libraries(&mut self, folder: &Path) -> Option<()> {
        self.watch.add(folder);
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let name = entry.file_name();
            if LIBRARIES.iter().any(|begin| name.as_bytes().starts_with(begin.as_bytes())) {
                self.file(&entry.path());
            }
        }
        Some(())
    }

    /// Adds everything in a folder, at any depth.
    fn tree(&mut self, root: PathBuf) -> Option<()> {
        let mut folders = vec![root];
        while let Some(folder) = folders.pop() {
            self.watch.add(&folder);
            for entry in fs::read_dir(folder).ok()?.flatten() {
                // The metadata of the entry itself: for a link, both the link and its target count.
                let meta = entry.metadata().ok()?;
                if meta.is_dir() {
                    folders.push(entry.path());
                } else if meta.is_symlink() {
                    self.file(&entry.path());
                }
                self.add(entry.path(), &meta);
            }
            if self.files.len() > MAX_FILES {
                return None;
            }
        }
        Some(())
    }

    fn digest(mut self, said: &str) -> String {
        self.files.sort_unstable();
        self.files.dedup();
        let mut hash = Sha256::new();
        hash.update(said);
        for (path, size, seconds, nanoseconds) in &self.files {
            hash.update(path.as_bytes());
            hash.update([0]);
            hash.update(size.to_le_bytes());
            hash.update(seconds.to_le_bytes());
            hash.update(nanoseconds.to_le_bytes());
        }
        format!("sha256:{}", hex(&hash.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_or_added_files_change_the_identity() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("bits");
        fs::create_dir(&deep).expect("a folder");
        let digest = || {
            let mut seen = Seen { files: Vec::new(), watch: &mut Watch::new() };
            seen.tree(folder.path().into()).expect("few files");
            seen.digest("g++")
        };
        let mut digests = vec![digest()];
        for (name, text) in [("a.h", "1"), ("a.h", "22"), ("b.h", "")] {
            fs::write(deep.join(name), text).expect("a file");
            digests.push(digest());
        }
        assert_eq!(digests.last(), Some(&digest()), "looking changes nothing");
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 4, "{digests:#?}");
    }

    #[test]
    fn toolchain_is_examined_again_only_after_a_change() {
        let examiner = Examiner::default();
        let Some(first) = examiner.toolchain() else {
            println!("this host has no g++");
            return;
        };
        let marked = Toolchain { identity: "marked".into(), ..first.clone() };
        let keep = |watch| *examiner.0.lock().expect("no panic") = Some((marked.clone(), watch));
        let watch = examiner.0.lock().expect("no panic").take().expect("it was examined").1;
        if watch.is_quiet() {
            keep(watch);
            assert_eq!(examiner.toolchain().as_ref(), Some(&marked));
        }
        let mut changed = Watch::new();
        changed.add(Path::new("/there/is/none"));
        keep(changed);
        assert_eq!(examiner.toolchain(), Some(first));
    }
}
