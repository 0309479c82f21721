use super::*;
use profiler_test_support::require::or_skip;
use std::os::unix::fs::MetadataExt;

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

    fn headers(&self) -> Headers {
        Headers::new(Some(self.cache.path().into()))
    }

    fn header<'a>(&'a self, flags: &'a [String]) -> Header<'a> {
        Header { cache: self.cache.path(), toolchain: &self.toolchain, flags }
    }

    /// Makes the header for the default flags.
    async fn make(&self) -> (io::Result<()>, Vec<String>) {
        let (mut said, flags) = (Vec::new(), list(&DEFAULT_FLAGS));
        let header = self.header(&flags);
        let compiled = header.compile(&mut |line| said.push(line.into())).await;
        let made = compiled.and_then(|made| made.map_or(Ok(()), |made| header.keep(&made)));
        (made, said)
    }

    /// The path of the header for the default flags.
    fn default_header(&self) -> PathBuf {
        file(&self.header(&list(&DEFAULT_FLAGS)).folder())
    }

    fn all(&self) -> PathBuf {
        all(self.cache.path())
    }

    fn names(&self) -> Vec<String> {
        names(&self.all())
    }

    /// Makes a header of `bytes` bytes, last used `seconds` seconds ago.
    fn header_used(&self, flags: &[&str], bytes: usize, seconds: u64) {
        let folder = self.header(&list(flags)).folder();
        let header = file(&folder);
        fs::create_dir_all(header.parent().expect("a folder")).expect("a folder");
        fs::write(header, vec![0; bytes]).expect("a header");
        fs::write(super::list(&folder), "header:").expect("a list");
        used(&folder, seconds);
    }

    /// Makes a folder with this name that was last changed `seconds` ago.
    fn left(&self, name: &str, seconds: u64) {
        let path = self.all().join(name);
        fs::create_dir_all(&path).expect("a folder");
        used(&path, seconds);
    }
}

/// The header's flags for a compilation with `flags`.
fn list(flags: &[&str]) -> Vec<String> {
    let flags = header_flags(flags).expect("a header");
    flags.into_iter().map(String::from).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
    names.sort_unstable();
    names
}

/// Marks a folder as last used `seconds` seconds ago.
fn used(folder: &Path, seconds: u64) {
    let then = SystemTime::now() - Duration::from_secs(seconds);
    File::open(folder).and_then(|folder| folder.set_modified(then)).expect("a time");
}

/// Compiles a program that needs the small library, with these flags, where g++ finds `header`;
/// returns whether that worked and what g++ says that it includes.
async fn included(header: &Path, flags: &[&str]) -> (bool, String) {
    let folder = header.ancestors().nth(2).expect("the folder of a header");
    let source = folder.with_extension("cpp");
    let text = format!("#include <{PRECOMPILED_HEADER}>\nint main() {{ return answer(); }}\n");
    fs::write(&source, text).expect("a source");
    let mut compiler = Command::new(COMPILER);
    compiler.args(flags).args(["-H", "-Winvalid-pch", "-fsyntax-only", "-I"]).arg(folder);
    let said = compiler.arg(source).env("LC_ALL", "C").output().await.expect("g++ runs");
    (said.status.success(), String::from_utf8_lossy(&said.stderr).into())
}

#[tokio::test]
async fn gcc_uses_only_the_header_for_its_flags() {
    let Some(host) = Host::new(HEADER) else { return };
    assert_eq!(host.headers().folder(&host.toolchain), None);
    let (made, said) = host.make().await;
    made.expect("made");
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(host.headers().folder(&host.toolchain), Some(host.all().join("0123")));
    let header = host.default_header();
    let accepted = format!("! {}", header.display());
    for other in [&["-DONLINE_JUDGE", "-Wall"][..], &[]] {
        let flags = [&DEFAULT_FLAGS[..], other].concat();
        let (compiles, said) = included(&header, &flags).await;
        assert!(compiles && said.contains(&accepted), "{said}");
    }
    // The header declares a function of this name.
    for other in ["-std=c++20", "-Danswer=question"] {
        let (compiles, said) = included(&header, &["-O2", "-std=c++17", other]).await;
        assert!(!compiles || !said.contains(&accepted), "{said}");
    }
}

#[tokio::test]
async fn headers_are_made_once() {
    let Some(host) = Host::new(HEADER) else { return };
    host.make().await.0.expect("made");
    let inode = || host.default_header().metadata().expect("a file").ino();
    let first = inode();
    let (made, said) = host.make().await;
    made.expect("it is there");
    assert_eq!((inode(), said), (first, Vec::new()));
}

/// A header of an older version has no list of its files.
#[tokio::test]
async fn header_without_the_list_of_its_files_is_made_again() {
    let Some(host) = Host::new(HEADER) else { return };
    host.make().await.0.expect("made");
    let list = host.default_header().with_extension("d");
    let text = fs::read_to_string(&list).expect("a list");
    assert!(text.starts_with("header: ") && text.contains("/small.h"), "{text}");
    fs::remove_file(&list).expect("removed");
    host.make().await.0.expect("made");
    assert!(list.is_file());
}

#[tokio::test]
async fn other_users_can_read_headers_but_not_write_them() {
    let Some(host) = Host::new(HEADER) else { return };
    host.make().await.0.expect("made");
    let header = host.default_header();
    let mode = |path: &Path| path.metadata().expect("it is there").mode() & 0o777;
    assert_eq!(mode(&header), 0o644);
    assert_eq!(mode(&header.with_extension("d")), 0o644);
    let folders = header.ancestors().skip(1).take_while(|f| f.starts_with(host.cache.path()));
    assert!(folders.clone().count() > 3 && folders.into_iter().all(|f| mode(f) == 0o755));
}

#[tokio::test]
async fn header_that_does_not_compile_leaves_nothing() {
    let Some(host) = Host::new("#error\n") else { return };
    let why = host.make().await.0.expect_err("it does not compile");
    assert!(why.to_string().contains("g++: exit status: 1"), "{why}");
    assert_eq!((host.headers().folder(&host.toolchain), host.names()), (None, Vec::new()));
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
    assert!(host.default_header().is_file());
    assert_eq!(host.names(), ["0123"], "what the slower one made is gone");
}

#[tokio::test]
async fn header_whose_removal_was_interrupted_is_made_again() {
    let Some(host) = Host::new(HEADER) else { return };
    let header = host.default_header();
    fs::create_dir_all(header.parent().expect("a folder")).expect("a folder");
    host.make().await.0.expect("made");
    assert!(header.is_file());
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

#[test]
fn least_recently_used_headers_are_removed() {
    let Some(host) = Host::new(HEADER) else { return };
    host.header_used(&DEFAULT_FLAGS, 40, 900);
    host.header_used(&["-O0"], 40, 10);
    host.header_used(&["-O1"], 40, 600);
    host.header_used(&["-O3"], 40, 300);
    clean(&host.all(), 100).expect("cleaned");
    let left = [&["-O0"][..], &DEFAULT_FLAGS].map(|flags| header_folder(&list(flags)));
    assert_eq!(names(&host.all().join("0123")), left, "that for the default flags stays");
}

#[test]
fn lists_without_a_header_are_wanted_once() {
    let Some(host) = Host::new(HEADER) else { return };
    host.header_used(&["-O3"], 1, 900);
    let headers = host.headers();
    for flags in [&["-O3"][..], &["-O0"], &["-g", "-O0", "-DX"], &["-O0"], &["-O2", "-m32"]] {
        headers.note(&host.toolchain, &flags.iter().copied().map(String::from).collect::<Vec<_>>());
    }
    let wanted: Vec<_> = std::iter::from_fn(|| headers.wanted.next()).collect();
    assert_eq!(wanted, [list(&DEFAULT_FLAGS), list(&["-O0"])]);
    let folder = host.header(&list(&["-O3"])).folder();
    let used = folder.metadata().and_then(|found| found.modified()).expect("a time");
    assert!(used.elapsed().expect("not in the future") < Duration::from_secs(900));
}
