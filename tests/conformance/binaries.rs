//! A binary that a sandbox compiles or takes from the cache is byte for byte what plain g++ writes,
//! without line information. Neither that, nor a precompiled header, nor the cache changes what is
//! measured.

use profiler_core::Profiler;
use profiler_core::build::{BinaryCache, Obtained};
use profiler_core::job::DEFAULT_FLAGS;
use profiler_core::job::{Draft, Job};
use profiler_core::sandbox::user_folders;
use profiler_tests::harness::{Backend, image};
use runner_protocol::{PRECOMPILED_HEADER, Variant, header_flags, header_folder};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// With `<regex>` left out of the header, the functions of `vector<size_t>` come at another place.
const SORT: &str = "#include <bits/stdc++.h>\nusing namespace std;\n\
    map<string, vector<size_t>> seen;\nint main() { int n; cin >> n; \
    vector<int> v(n); mt19937 r(1); for (auto& x : v) x = r(); sort(v.begin(), v.end()); \
    vector<vector<size_t>> rows(n, vector<size_t>(3, 1)); seen[to_string(n)].push_back(n); \
    cout << v[n / 2] + rows[0][1] + seen.size(); }\n";
/// Lines that competitors write before and after the header. With this target, g++ 14 compiles no
/// program that uses a `std::string` of that header.
const PRAGMAS: &str = "#pragma GCC optimize(\"O3\")\n#pragma GCC target(\"avx2\")\n\
    #define N 5\n#include <bits/stdc++.h>\n#define int long long\n\
    signed main() { int m[N]; for (int i = 0; i < N; i++) m[i] = std::__gcd(i, 4LL); \
    std::sort(m, m + N); for (auto x : m) std::cout << x; }\n";
const STREAM: &str = "#include <iostream>\n#include <vector>\nint main() { int n; std::cin >> n; \
    std::vector<int> v(n, 1); int s = 0; for (int x : v) s += x; std::cout << s; }\n";
const EMPTY: &str = "int main() {}\n";

const FAST: &[&str] = &["-O3", "-std=c++20"];
const DEBUG: &[&str] = &["-O0", "-g"];
const OLD: &[&str] = &["-O2", "-std=c++14"];
const NEW: &[&str] = &["-O2", "-std=c++20"];
/// Flags for which g++ uses the header for the default flags.
const JUDGE: &[&str] = &["-std=c++17", "-O2", "-DONLINE_JUDGE", "-Wall"];
const CHECKED: &[&str] = &["-O2", "-std=c++17", "-D_GLIBCXX_DEBUG"];
const FASTEST: &[&str] = &["-Ofast", "-std=gnu++20", PROCESSOR];
/// A processor that is not the default one.
const PROCESSOR: &str =
    if cfg!(target_arch = "x86_64") { "-march=x86-64-v2" } else { "-march=armv8-a+crc" };
/// Flags that get no header.
const UNUSUAL: &[&str] = &["-O2", "-fno-inline"];
/// The flags that the gprof build adds.
const GPROF: [&str; 3] = ["-g", "-pg", "-no-pie"];

/// Source, flags and build. No two of these may share a binary.
const BUILDS: [(&str, &[&str], Variant); 15] = [
    (SORT, &DEFAULT_FLAGS, Variant::Plain),
    (SORT, FAST, Variant::Plain),
    (SORT, DEBUG, Variant::Plain),
    (SORT, NEW, Variant::Plain),
    (SORT, JUDGE, Variant::Plain),
    (SORT, CHECKED, Variant::Plain),
    (SORT, FASTEST, Variant::Plain),
    (SORT, UNUSUAL, Variant::Plain),
    (SORT, &DEFAULT_FLAGS, Variant::Gprof),
    (SORT, &DEFAULT_FLAGS, Variant::Empty),
    (PRAGMAS, &DEFAULT_FLAGS, Variant::Plain),
    (PRAGMAS, OLD, Variant::Plain),
    (STREAM, &DEFAULT_FLAGS, Variant::Plain),
    (STREAM, FAST, Variant::Plain),
    (STREAM, DEBUG, Variant::Plain),
];

/// Gets each build three times: compiled, compiled again once its flags may have a header, and from
/// the cache.
pub(crate) async fn equal_those_of_plain_gxx(backend: &Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = BinaryCache::in_folder(folder.path().join("binaries"));
    let uncached = Profiler::new(backend.pool().clone(), None);
    let caching = Profiler::new(backend.pool().clone(), Some(cache));
    for (source, flags, variant) in BUILDS {
        let begun = SystemTime::now();
        let mut draft = Draft::new("binaries", source);
        let code = draft.request.code.get_or_insert_default();
        code.compiler_flags = flags.iter().copied().map(String::from).collect();
        let job = Job::try_from(draft).expect("a valid job");
        let written = stripped(&plain(backend, source, flags, variant));
        for (profiler, again) in [(&uncached, false), (&caching, false), (&caching, true)] {
            let told = format!("{variant:?} {flags:?}, again {again}: {source}");
            let mut sandbox = profiler.pool.acquire().await.expect("a sandbox");
            let obtained = profiler.builder.obtain(&job, &mut sandbox, variant).await;
            let Obtained { compiled, cached } = obtained.expect("a build");
            assert_eq!(cached, again, "{told}");
            assert!(!compiled.compiler.is_empty(), "{told}");
            let bytes = compiled.binary.map_or(0, |binary| binary.bytes);
            let binary = sandbox.channel.fetch(variant, bytes).await.expect("its binary");
            let binary = stripped(&binary);
            let (length, expected) = (binary.len(), written.len());
            assert!(binary == written, "{told}: {length} bytes, g++ wrote {expected}");
            sandbox.end().await;
            backend.pool().backend().precompile(&mut |_| {}).await;
        }
        assert!(has_header(backend, source, flags, variant, begun), "{flags:?} used no header");
    }
}

/// Whether a build that gains from a header in native sandboxes has made or used one since then. The
/// image has few headers.
fn has_header(
    backend: &Backend,
    source: &str,
    flags: &[&str],
    variant: Variant,
    since: SystemTime,
) -> bool {
    let (Some(flags), Some(cache)) = (header_flags(flags), user_folders::cache()) else {
        return true;
    };
    let gains = variant == Variant::Plain && source.contains(PRECOMPILED_HEADER);
    let mut toolchains = fs::read_dir(cache.join("precompiled")).into_iter().flatten().flatten();
    let header = header_folder(&flags);
    let is_made = toolchains.any(|toolchain| {
        let folder = toolchain.path().join(&header);
        let used = folder.metadata().and_then(|it| it.modified()).is_ok_and(|at| at >= since);
        used && folder.join(format!("{PRECOMPILED_HEADER}.gch")).is_file()
    });
    backend.name() == "docker" || !gains || is_made
}

/// A binary without debug information, and without the hash that the linker makes of all bytes.
fn stripped(binary: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("main.out");
    fs::write(&path, binary).expect("a file");
    let mut objcopy = Command::new("objcopy");
    objcopy.args(["--strip-debug", "--remove-section=.note.gnu.build-id"]).arg(&path);
    assert!(objcopy.status().expect("objcopy starts").success());
    fs::read(path).expect("the file")
}

/// The binary of plain g++. It is compiled in `/tmp`, because debug information contains the
/// folder.
fn plain(backend: &Backend, source: &str, flags: &[&str], variant: Variant) -> Vec<u8> {
    const SCRIPT: &str =
        "cd /tmp && cat >main.cpp && g++ \"$@\" main.cpp -o main.out && cat main.out";
    let folder = tempfile::tempdir().expect("a folder");
    let mut shell = match backend.name() {
        "docker" => {
            let mut docker = Command::new("docker");
            docker.args([
                "run",
                "--rm",
                "--interactive",
                "--network",
                "none",
                "--entrypoint",
                "sh",
            ]);
            docker.args([&image(), "-c", SCRIPT]);
            docker
        }
        _ => own_tmp(folder.path(), SCRIPT),
    };
    let more: &[&str] = match variant {
        Variant::Gprof => &GPROF,
        Variant::Plain | Variant::Empty | Variant::Interactor => &[],
        Variant::Allocations | Variant::Sanitized => {
            panic!("what it is linked with is the runner's own")
        }
    };
    let source = if variant == Variant::Empty { EMPTY } else { source };
    shell.arg("sh").args(flags).args(more).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.spawn().expect("a shell");
    let mut to = child.stdin.take().expect("its stdin");
    to.write_all(source.as_bytes()).expect("it reads");
    drop(to);
    let said = child.wait_with_output().expect("it ends");
    assert!(said.status.success(), "{said:?}");
    said.stdout
}

/// A shell that sees `folder` as `/tmp`, so that nobody else writes there.
fn own_tmp(folder: &Path, script: &str) -> Command {
    let folder = fs::canonicalize(folder).expect("a folder");
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
    shell.arg(format!("mount --bind {} /tmp && {script}", folder.display()));
    shell.env_remove("CPLUS_INCLUDE_PATH").env_remove("TMPDIR");
    shell
}
