//! Counts of processes that are forked from an origin are those of processes that are started, to
//! the digit.

use crate::harness::{Counted, Program, high, result_file, said};
use crate::series::{compiled, inputs};
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus, Stdio};

/// Number of descriptors in a message: the three streams and the result.
const FILES: usize = 4;

/// The end of a process: its status, its result, and what it wrote to stdout and stderr.
type End = (ExitStatus, String, Vec<u8>);

/// An origin, which ends when its socket is closed.
struct Origin<'p> {
    program: &'p Program,
    process: Child,
    socket: UnixStream,
}

/// A message with descriptors, as `sendmsg` reads it.
#[repr(C)]
struct Control {
    header: libc::cmsghdr,
    files: [RawFd; FILES],
}

impl<'p> Origin<'p> {
    fn start(program: &'p Program) -> Self {
        Self::start_with(program, &[])
    }

    fn start_with(program: &'p Program, words: &[&str]) -> Self {
        let (socket, theirs) = UnixStream::pair().unwrap();
        let theirs = high(&File::from(OwnedFd::from(theirs)));
        let number = theirs.as_raw_fd().to_string();
        let arguments = [&["origin", &number], words].concat();
        let (mut command, _) = program.counter(&arguments, &[&theirs]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        Self { program, process, socket }
    }

    /// Counts one input in a forked process. `None` if the origin has ended.
    fn count(&mut self, input: &str) -> Option<End> {
        let (status, result, output) = self.run(input)?;
        Some((status, String::from_utf8(result).unwrap(), output))
    }

    /// Runs one input in a forked process. Returns its status, its result and its output. `None` if
    /// the origin has ended.
    fn run(&mut self, input: &str) -> Option<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let [stdin, output, result] =
            ["input", "forked output", "forked result"].map(|name| self.program.path(name));
        fs::write(&stdin, input).unwrap();
        let outputs = File::create(&output).unwrap();
        let (input, to) = (File::open(stdin).unwrap(), result_file(&result));
        self.send([&input, &outputs, &outputs, &to]);
        let mut answer = [0; 4];
        if self.socket.read(&mut answer).ok() != Some(answer.len()) {
            return None;
        }
        let (pid, mut status) = (i32::from_le_bytes(answer), 0);
        // SAFETY: fills a variable that outlives the call. The process is a child of this one.
        assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
        let output = fs::read(output).unwrap();
        Some((ExitStatus::from_raw(status), said(&result), output))
    }

    fn send(&self, files: [&File; FILES]) {
        let header = libc::cmsghdr {
            cmsg_len: size_of::<Control>(),
            cmsg_level: libc::SOL_SOCKET,
            cmsg_type: libc::SCM_RIGHTS,
        };
        let mut control = Control { header, files: files.map(AsRawFd::as_raw_fd) };
        let mut byte = 0_u8;
        let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        // SAFETY: integers and pointers, for which all zeroes is a value.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut control).cast();
        message.msg_controllen = size_of::<Control>();
        let flags = libc::MSG_NOSIGNAL;
        // An origin that has ended receives nothing.
        // SAFETY: the message points to live values, as long as it says.
        unsafe { libc::sendmsg(self.socket.as_raw_fd(), &raw const message, flags) };
    }

    /// Closes the socket, and returns the status of the origin.
    fn end(mut self) -> ExitStatus {
        drop(self.socket);
        self.process.wait().unwrap()
    }
}

/// Counts all inputs in forked processes, compares each with a started one, and returns the ends.
fn same(body: &str) -> Vec<End> {
    let program = compiled(body);
    let mut origin = Origin::start(&program);
    let end = |input: &String| {
        let end = origin.count(input).unwrap_or_else(|| panic!("{body}\n{input:?}"));
        let Counted { output, line } = program.counted_with_file(input);
        let started = (output.status, line, fs::read(program.path("output")).unwrap());
        assert_eq!(end, started, "{body}\n{input:?}");
        end
    };
    let ends: Vec<_> = inputs().iter().map(end).collect();
    assert_eq!(origin.end().code(), Some(0), "{body}");
    ends
}

#[test]
fn forked_process_is_like_a_started_one() {
    for body in [
        "int main() { int n; cin >> n; vector<int> v(n); for (int& x : v) cin >> x; sort(v.begin(), v.end()); for (int x : v) cout << x << ' '; }",
        "int main() { ios::sync_with_stdio(false); cin.tie(nullptr); string s; map<string, int> m; while (cin >> s) m[s]++; for (auto& [k, v] : m) cout << k << v; cerr << m.size(); return m.size() % 3; }",
        "int main() { struct stat s; fstat(0, &s); char* p = (char*)mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, 0, 0); long h = 0; for (long i = 0; i < s.st_size; i++) if (p[i] > '4') h = h * 7 + p[i]; printf(\"%ld\\n\", h); }",
        // Memory that an earlier input has changed.
        "vector<int> table(200000, 7); int zeroed[100000]; int main() { int n; scanf(\"%d\", &n); long s = 0; for (int& x : table) s += x++; for (int& x : zeroed) s += x++; for (volatile long i = 0; i < s % 1000; i++); printf(\"%ld\\n\", s); }",
        // What a snapshot cannot undo: descriptors, modes of a descriptor, a signal's action.
        "int main() { int n; scanf(\"%d\", &n); int was = fcntl(0, F_GETFL) & O_NONBLOCK; fcntl(0, F_SETFL, O_NONBLOCK); for (volatile int i = 0; i < n + was; i++); auto old = signal(SIGUSR1, SIG_IGN); for (volatile int i = 0; i < 1000 * (old == SIG_IGN); i++); close(1); return dup(2) + dup(0); }",
        // The state of the floating-point units.
        "int main() { fesetround(FE_UPWARD); volatile double z = 1 / 3.0; int n; scanf(\"%d\", &n); z = n / 3.0; fesetround(FE_DOWNWARD); printf(\"%d %a\\n\", fegetround(), z); }",
    ] {
        let ends = same(body);
        assert!(ends.iter().any(|end| *end != ends[0]), "{body}");
    }
}

#[test]
fn profile_of_a_forked_process_is_that_of_a_started_one() {
    let program = compiled(
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main() { int n; cin >> n; vector<int> v(1000 * n % 7777); for (int& x : v) x = f(n % 9) * rand(); sort(v.begin(), v.end()); cout << v.size(); }",
    );
    let mut origin = Origin::start_with(&program, &["profile"]);
    let mut profiles: Vec<_> = inputs()
        .iter()
        .map(|input| {
            let (status, profile, _) = origin.run(input).unwrap();
            let (started, expected) = program.run_with_file(&["profile"], input);
            assert_eq!((status, &profile), (started.status, &expected), "{input:?}");
            profile
        })
        .collect();
    profiles.dedup();
    assert!(profiles.len() > 1);
    assert_eq!(origin.end().code(), Some(0));
}

#[test]
fn program_that_reads_nothing_is_forked_at_its_end() {
    let ends =
        same("int main() { long s = 0; for (int i = 0; i < 1000; i++) s += i * i; return s % 7; }");
    assert!(ends.iter().all(|end| *end == ends[0]));
}

#[test]
fn end_of_a_forked_process_is_its_own() {
    let ends = same(
        "int main() { int n; cin >> n; if (n % 5 == 0) { volatile int* p = nullptr; return *p; } if (n % 5 == 1) abort(); if (n % 5 == 2) { thread t([] {}); t.join(); } if (n % 5 == 3) return system(\"true\"); cout << n; }",
    );
    let signals: Vec<_> = ends.iter().filter_map(|end| end.0.signal()).collect();
    assert!(signals.contains(&libc::SIGSEGV) && signals.contains(&libc::SIGABRT));
    for line in ["unsupported it starts a thread\n", "unsupported it starts a process\n"] {
        assert!(ends.iter().any(|end| end.1 == line), "{line}");
    }
    assert!(ends.iter().any(|end| end.1.starts_with("instructions ")));
}

/// The C library keeps its process's id, and sends signals to it.
#[test]
fn forked_process_has_its_own_id_and_session() {
    let ends = same(
        "int main() { int n; cin >> n; pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_t lock; pthread_mutex_init(&lock, &kind); pthread_mutex_lock(&lock); int open = 0; for (int f = 0; f < 5000; f++) open += fcntl(f, F_GETFD) >= 0; cout << (lock.__data.__owner == gettid()) << open << endl; raise(SIGTERM); }",
    );
    for (status, _, output) in ends {
        assert_eq!((status.signal(), output.first()), (Some(libc::SIGTERM), Some(&b'1')));
    }
    let program = compiled("int id = getpid(); int main() { return getsid(0) == id ? 7 : 8; }");
    let mut origin = Origin::start(&program);
    let codes = [(); 2].map(|()| origin.count("").unwrap().0.code());
    assert_eq!(codes, [Some(7); 2]);
}

#[test]
fn origin_refuses_what_a_fork_would_share() {
    for body in [
        // The offset of a file, and pages beyond the bound.
        "int main() { int f = open(\"/etc/passwd\", O_RDONLY), n; scanf(\"%d\", &n); char c; return read(f, &c, 1); }",
        "vector<char> table(32 << 20, 7); int main() { int n; scanf(\"%d\", &n); return table[n]; }",
    ] {
        let program = compiled(body);
        let mut origin = Origin::start(&program);
        assert_eq!(origin.count("1\n"), None, "{body}");
        assert_eq!(origin.end().code(), Some(125), "{body}");
    }
    // A program that cannot be counted says so in the origin's result.
    let program = compiled("int started = fork(); int main() {}");
    let mut origin = Origin::start(&program);
    let end = origin.count("1\n").unwrap();
    assert_eq!((end.0.code(), end.1.as_str()), (Some(125), "unsupported it starts a process\n"));
    origin.end();
}
