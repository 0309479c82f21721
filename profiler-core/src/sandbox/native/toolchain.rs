//! Identifies the host's C++ toolchain, which the native backend's sandboxes use.
//!
//! The identity is a digest of the path, size and times of every file that can change a binary's
//! bytes. g++ may be upgraded while a server is running, so every sandbox asks again. There are
//! some ten thousand such files, so they are examined again only if something in their folders has
//! changed. [`Record`] tells that to a new process, and [`Watch`] to one that asks again. A process
//! that finds its binary in the cache compares only the files that the binary was made from.

mod files_read;
mod record;
mod watch;

pub(super) use record::Toolchain;

use crate::figures::units::hex;
use crate::sandbox::FilesRead;
use crate::sandbox::facts::Facts;
use record::{Examined, Record};
use runner_protocol::PRECOMPILED_HEADER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
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
const LIBRARIES: [&str; 31] = [
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
    "libasan",
    "libubsan",
    "libsanitizer",
    "libgomp",
    "libitm",
    "libsframe",
    "libjansson",
];
/// Beginning of g++'s line about a folder of headers that does not exist.
const NO_FOLDER: &str = "ignoring nonexistent directory \"";
/// Maximum number of files. A toolchain with more has no identity, and nothing is cached.
const MAX_FILES: usize = 200_000;

/// The last examination of the toolchain, which holds while nothing has changed.
#[derive(Debug, Default)]
pub(super) struct Examiner {
    last: Mutex<Option<(Toolchain, Watch)>>,
    /// The last examination of any process; `None` for a user without a home.
    record: Option<Record>,
}

impl Examiner {
    /// Makes an examiner that keeps its record in the folder `cache`.
    pub(super) fn new(cache: Option<&Path>) -> Self {
        Self { last: Mutex::default(), record: cache.map(Record::in_folder) }
    }

    /// Returns the toolchain as it is now, without blocking this thread.
    pub(super) async fn look(self: &Arc<Self>) -> Option<Toolchain> {
        let examiner = self.clone();
        spawn_blocking(move || examiner.toolchain()).await.ok().flatten()
    }

    /// Returns the toolchain as it is now, apart from headers: some may have changed.
    pub(super) async fn glance(self: &Arc<Self>) -> Option<Toolchain> {
        let examiner = self.clone();
        let base = move || examiner.base().or_else(|| examiner.toolchain());
        spawn_blocking(base).await.ok().flatten()
    }

    fn base(&self) -> Option<Toolchain> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_none().then(|| self.record.as_ref()?.base()).flatten()
    }

    /// Returns what a compilation by the toolchain with this identity has read.
    pub(super) async fn files_read(
        self: &Arc<Self>,
        identity: &str,
        dependencies: &[u8],
    ) -> Option<FilesRead> {
        let (examiner, identity, dependencies) =
            (self.clone(), identity.to_owned(), dependencies.to_owned());
        let read = move || examiner.record.as_ref()?.files_read(&identity, &dependencies);
        spawn_blocking(read).await.ok().flatten()
    }

    /// Returns the toolchain as it is now. `None` without g++, or if g++ does not say where its
    /// parts are.
    fn toolchain(&self) -> Option<Toolchain> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((toolchain, watch)) = &*last
            && watch.is_quiet()
        {
            return Some(toolchain.clone());
        }
        // inotify reports a change once. An examination that fails must not leave the old answer.
        *last = None;
        let mut watch = Watch::new();
        if let Some(toolchain) = self.record.as_ref().and_then(|last| last.unchanged(&mut watch)) {
            *last = Some((toolchain.clone(), watch));
            return Some(toolchain);
        }
        let (began, mut watch) = (SystemTime::now(), Watch::new());
        let (toolchain, examined) = Toolchain::look(&mut watch)?;
        // What another host may change has times that this host may see late.
        if let Some(record) = self.record.as_ref().filter(|_| watch.is_whole())
            && let Err(error) = record.keep(&toolchain, examined, began)
        {
            tracing::debug!(target: "Profiler", %error, "the toolchain was not recorded");
        }
        *last = Some((toolchain.clone(), watch));
        Some(toolchain)
    }
}

impl Toolchain {
    /// Examines the toolchain, and returns everything that it examined too. Each folder is watched
    /// before it is examined, so no change goes unnoticed in between.
    fn look(watch: &mut Watch) -> Option<(Self, Examined)> {
        for path in PATH.split(':').chain([COMPILER]) {
            watch.add_reached(Path::new(path));
        }
        let searched = String::from_utf8(ask(&["-print-search-dirs"])?.stdout).ok()?;
        let lists = searched.lines().filter_map(|line| line.split_once(": ="));
        for folder in lists.flat_map(|(_, folders)| folders.split(':')) {
            watch.add_reached(Path::new(folder));
        }
        let said = String::from_utf8(ask(&["-E", "-v", "-x", "c++", "/dev/null"])?.stderr).ok()?;
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
            watch.add_reached(Path::new(folder));
        }
        let mut seen = Seen::new(watch);
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
        seen.searched.extend(headers);
        let (identity, examined) = seen.finish(&said);
        Some((Self { identity, header }, examined))
    }
}

/// Asks g++ about itself. `None` if it fails.
fn ask(arguments: &[&str]) -> Option<Output> {
    let mut asked = Command::new(COMPILER);
    asked.args(arguments).env_clear().env("PATH", PATH).env("LC_ALL", "C").stdin(Stdio::null());
    asked.output().ok().filter(|said| said.status.success())
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
    /// The path and the facts of each file, some of them twice. Comparing thousands of paths by
    /// their components would take most of the examination.
    files: Vec<(OsString, Facts)>,
    /// Folders of headers, at any depth.
    headers: BTreeSet<PathBuf>,
    /// The folders among them in which g++ looks for any header, and those to which links lead.
    searched: BTreeSet<PathBuf>,
    watch: &'a mut Watch,
}

impl<'a> Seen<'a> {
    fn new(watch: &'a mut Watch) -> Self {
        let (headers, searched) = (BTreeSet::new(), BTreeSet::new());
        Self { files: Vec::new(), headers, searched, watch }
    }

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
        self.files.push((path.into_os_string(), Facts::of(meta)));
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
        self.searched.insert(root.clone());
        let mut folders = vec![root];
        while let Some(folder) = folders.pop() {
            if !self.headers.insert(folder.clone()) {
                continue;
            }
            self.watch.add(&folder);
            for entry in fs::read_dir(folder).ok()?.flatten() {
                // The metadata of the entry itself: for a link, both the link and its target count.
                let meta = entry.metadata().ok()?;
                if meta.is_dir() {
                    folders.push(entry.path());
                } else if meta.is_symlink() {
                    self.file(&entry.path());
                    // A link to a folder outside of this one leads to further headers.
                    let real = entry.path().canonicalize().ok().filter(|real| real.is_dir());
                    self.searched.extend(real.clone());
                    folders.extend(real);
                }
                self.add(entry.path(), &meta);
            }
            if self.files.len() > MAX_FILES {
                return None;
            }
        }
        Some(())
    }

    /// Returns the digest of g++'s answer and of all files, and everything that was examined.
    fn finish(mut self, said: &str) -> (String, Examined) {
        self.files.sort_unstable();
        self.files.dedup();
        let mut hash = Sha256::new();
        hash.update(said);
        for (path, facts) in &self.files {
            hash.update(path.as_bytes());
            hash.update([0]);
            facts.digest(&mut hash);
        }
        let folders = mem::take(&mut self.watch.folders);
        let Self { files, headers, searched, .. } = self;
        let examined = Examined { folders, files, headers, searched };
        (format!("sha256:{}", hex(&hash.finalize())), examined)
    }
}

#[cfg(test)]
mod tests;
