use super::*;
use profiler_test_support::require::or_skip;
use runner_protocol::PRECOMPILED_FLAGS;
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;
use tempfile::TempDir;

/// A cache folder, and this host's g++ with a small standard library.
struct Host {
    cache: TempDir,
    toolchain: Toolchain,
}

/// The small standard library.
const HEADER: &str = "inline int answer() { return 42; }\n";

impl Host {
    /// `None` if there is no g++.
    fn new(header: &str) -> Option<Self> {
        or_skip("native", Path::new(COMPILER).metadata())?;
        let cache = tempfile::tempdir().expect("a folder");
        let file = cache.path().join("small.h");
        fs::write(&file, header).expect("a header");
        let toolchain = Toolchain { identity: "sha256:0123".into(), header: Some(file) };
        Some(Self { cache, toolchain })
    }

    async fn make(&self) -> (io::Result<()>, Vec<String>) {
        let mut said = Vec::new();
        let made =
            make(self.cache.path(), &self.toolchain, &mut |line| said.push(line.into())).await;
        (made, said)
    }

    fn folder(&self) -> Option<PathBuf> {
        folder(self.cache.path(), &self.toolchain)
    }

    fn all(&self) -> PathBuf {
        self.cache.path().join("precompiled")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.all()).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
        names.sort_unstable();
        names
    }

    /// Makes a folder with this name that was last changed `seconds` ago.
    fn left(&self, name: &str, seconds: u64) {
        let path = self.all().join(name);
        fs::create_dir_all(&path).expect("a folder");
        let then = SystemTime::now() - Duration::from_secs(seconds);
        File::open(path).and_then(|folder| folder.set_modified(then)).expect("a time");
    }
}

/// The path of a header in a folder of headers.
fn header(folder: &Path) -> PathBuf {
    folder.join(header_folder()).join(format!("{PRECOMPILED_HEADER}.gch"))
}

/// Compiles a program that needs the small library, with these flags; returns whether that worked
/// and what g++ says that it includes.
async fn included(folder: &Path, flags: &[&str]) -> (bool, String) {
    let source = folder.with_extension("cpp");
    let text = format!("#include <{PRECOMPILED_HEADER}>\nint main() {{ return answer(); }}\n");
    fs::write(&source, text).expect("a source");
    let include = folder.join(header_folder());
    let mut compiler = Command::new(COMPILER);
    compiler.args(flags).args(["-H", "-Winvalid-pch", "-fsyntax-only", "-I"]).arg(include);
    let said = compiler.arg(source).env("LC_ALL", "C").output().await.expect("g++ runs");
    (said.status.success(), String::from_utf8_lossy(&said.stderr).into())
}

#[tokio::test]
async fn gcc_uses_only_the_header_for_its_flags() {
    let Some(host) = Host::new(HEADER) else { return };
    assert_eq!(host.folder(), None);
    let (made, said) = host.make().await;
    made.expect("made");
    assert_eq!(said.len(), 1, "{said:?}");
    let folder = host.folder().expect("it is there now");
    let accepted = format!("! {}", header(&folder).display());
    let (compiles, said) = included(&folder, &PRECOMPILED_FLAGS).await;
    assert!(compiles && said.contains(&accepted), "{said}");
    let (compiles, said) = included(&folder, &["-O2", "-std=c++20"]).await;
    assert!(!compiles || !said.contains(&accepted), "{said}");
}

#[tokio::test]
async fn headers_are_made_once() {
    let Some(host) = Host::new(HEADER) else { return };
    host.make().await.0.expect("made");
    let inode = |host: &Host| header(&host.folder().expect("made")).metadata().map(|m| m.ino());
    let first = inode(&host).expect("a file");
    let (made, said) = host.make().await;
    made.expect("it is there");
    assert_eq!((inode(&host).expect("a file"), said), (first, Vec::new()));
}

#[tokio::test]
async fn other_users_can_read_headers_but_not_write_them() {
    let Some(host) = Host::new(HEADER) else { return };
    host.make().await.0.expect("made");
    let header = header(&host.folder().expect("made"));
    let mode = |path: &Path| path.metadata().expect("it is there").mode() & 0o777;
    assert_eq!(mode(&header), 0o644);
    let folders = header.ancestors().skip(1).take_while(|f| f.starts_with(host.cache.path()));
    assert!(folders.clone().count() > 3 && folders.into_iter().all(|f| mode(f) == 0o755));
}

#[tokio::test]
async fn header_that_does_not_compile_leaves_nothing() {
    let Some(host) = Host::new("#error\n") else { return };
    let why = host.make().await.0.expect_err("it does not compile");
    assert!(why.to_string().contains("g++: exit status: 1"), "{why}");
    assert_eq!((host.folder(), host.names()), (None, Vec::new()));
}

#[tokio::test]
async fn precompiling_makes_nothing_without_a_header() {
    let Some(mut host) = Host::new(HEADER) else { return };
    host.toolchain.header = None;
    let (made, said) = host.make().await;
    made.expect("nothing to do");
    assert!(said.is_empty() && !host.all().exists());
}

#[tokio::test]
async fn two_processes_can_make_headers_at_once() {
    let Some(host) = Host::new(HEADER) else { return };
    let (one, other) = tokio::join!(host.make(), host.make());
    one.0.and(other.0).expect("made");
    assert!(header(&host.folder().expect("made")).is_file());
    assert_eq!(host.names(), ["0123"], "what the slower one made is gone");
}

#[tokio::test]
async fn old_toolchains_and_unfinished_headers_are_removed() {
    let Some(host) = Host::new(HEADER) else { return };
    let left = MAKING_WITHIN.as_secs() + 60;
    for (name, seconds) in [("old", 300), ("older", 400), ("making-left", left), ("making-now", 1)]
    {
        host.left(name, seconds);
    }
    host.make().await.0.expect("made");
    assert_eq!(host.names(), ["0123", "making-now", "old"]);
}
