//! Counts of a series are those of runs of their own, to the digit.

use crate::harness::{Counted, Program};
use std::os::unix::process::ExitStatusExt;

/// Number of inputs in a series.
const INPUTS: usize = 24;
/// More time than one input or a whole series takes, in milliseconds, also on a busy machine.
const LONG_MS: u64 = 60_000;
/// A time limit that is met, in milliseconds.
const SHORT_MS: u64 = 700;
/// The signal of the time limit of one input.
const OVERTIME: i32 = 64;

/// Inputs that all differ: a count, and as many numbers.
pub(crate) fn inputs() -> Vec<String> {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let one = |at: usize| {
        let n = at as u64 * 3 + draw(3);
        let numbers: Vec<_> = (0..n).map(|_| draw(1_000_000).to_string()).collect();
        format!("{n}\n{}\n", numbers.join(" "))
    };
    (0..INPUTS).map(one).collect()
}

/// Ending of an input: by the program's exit and with a line, or by a signal.
type End = Result<(i32, String), i32>;

fn alone(program: &Program, input: &str) -> End {
    let Counted { output, line } = program.counted_with_file(input);
    match output.status.signal() {
        Some(signal) => Err(signal),
        None => Ok((output.status.code().unwrap(), line)),
    }
}

/// The ends of all inputs, and how many processes it took.
fn in_series(program: &Program, inputs: &[String], each_ms: u64) -> (Vec<End>, usize) {
    let (mut ends, mut processes) = (Vec::new(), 0);
    while ends.len() < inputs.len() {
        let rest = &inputs[ends.len()..];
        let Counted { output, line } = program.series(rest, each_ms, LONG_MS);
        processes += 1;
        let before = ends.len();
        for line in line.lines() {
            let exited = line.strip_prefix("exited ").and_then(|it| it.split_once(' '));
            let end = exited.map_or_else(
                || (output.status.code().unwrap(), format!("{line}\n")),
                |(code, line)| (code.parse().unwrap(), format!("{line}\n")),
            );
            ends.push(Ok(end));
        }
        ends.extend(output.status.signal().map(Err));
        assert!(ends.len() > before, "no input was counted: {output:?}");
    }
    (ends, processes)
}

/// Headers of the programs. The header `bits/stdc++.h` takes g++ a second more.
const HEADERS: [&str; 17] = [
    "algorithm",
    "cfenv",
    "csignal",
    "cstdio",
    "cstdlib",
    "cstring",
    "fcntl.h",
    "iostream",
    "map",
    "sstream",
    "string",
    "sys/mman.h",
    "sys/stat.h",
    "thread",
    "unistd.h",
    "unordered_map",
    "vector",
];

pub(crate) fn compiled(body: &str) -> Program {
    let includes = HEADERS.map(|header| format!("#include <{header}>\n")).concat();
    let source = format!("{includes}using namespace std;\n{body}");
    Program::new(&source, &["-O2", "-w", "-pthread"])
}

/// Compares a series with single counts, and returns the ends and the number of processes.
fn same(body: &str) -> (Vec<End>, usize) {
    let (program, inputs) = (compiled(body), inputs());
    let (ends, processes) = in_series(&program, &inputs, LONG_MS);
    for (input, end) in inputs.iter().zip(&ends) {
        assert_eq!(*end, alone(&program, input), "{body}\n{input:?}");
    }
    (ends, processes)
}

/// One process counts all inputs, whose counts are not all the same.
fn same_in_one_process(body: &str) {
    let (ends, processes) = same(body);
    assert_eq!(processes, 1, "{body}");
    assert!(ends.iter().any(|end| *end != ends[0]), "{body}");
}

#[test]
fn every_way_to_read() {
    for body in [
        "int main() { int n; cin >> n; vector<int> v(n); for (int& x : v) cin >> x; sort(v.begin(), v.end()); for (int x : v) cout << x << ' '; }",
        "int main() { ios::sync_with_stdio(false); cin.tie(nullptr); long n, s = 0; cin >> n; for (long x; cin >> x;) s ^= x * n; cout << s << endl; }",
        "int main() { int n; scanf(\"%d\", &n); long s = 0; for (int i = 0, x; i < n; i++) { scanf(\"%d\", &x); s += x; } printf(\"%ld\\n\", s); return s % 3; }",
        "int main() { int c; unsigned s = 0; while ((c = getchar()) != EOF) s = s * 31 + c; printf(\"%u\\n\", s); }",
        "int main() { char b[64]; long n, s = 0; while ((n = read(0, b, 64)) > 0) for (int i = 0; i < n; i++) s += b[i]; for (volatile int i = 0; i < s; i++); }",
        "int main() { struct stat s; fstat(0, &s); if (!s.st_size) return 1; char* p = (char*)mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, 0, 0); long h = 0; for (long i = 0; i < s.st_size; i++) if (p[i] > '4') h = h * 7 + p[i]; printf(\"%ld\\n\", h); }",
        "int main() { vector<char> b(1 << 20); size_t n = fread(b.data(), 1, b.size(), stdin); string t; for (size_t i = 0; i < n; i++) if (b[i] != ' ') t += b[i]; fputs(t.c_str(), stderr); lseek(0, 0, SEEK_SET); while (read(0, &b[0], 10) > 0); }",
        "int main() { string s; long n = 0; while (getline(cin, s)) { istringstream line(s); for (int x; line >> x;) n += x; } cout << n; }",
    ] {
        same_in_one_process(body);
    }
}

#[test]
fn memory_is_what_it_was() {
    for body in [
        // Containers, exceptions, and a table that is filled before the input is read and freed at
        // the end.
        "vector<int> table(200000, 7); int main() { int n; cin >> n; map<string, int> m; unordered_map<int, string> u; string s; while (cin >> s) { m[s]++; u[s.size() * 31 + n] += s; table[n]++; } try { if (n % 2) throw runtime_error(\"odd\"); } catch (exception& e) { cerr << e.what(); } cout << m.size() << u.size() << table[n]; }",
        // Zeroed data, the heap and the stack show what an earlier input left there.
        "int zeroed[400000]; int deep(int n) { volatile char b[30000]; for (int i = 0; i < 30000; i++) b[i] = n; return n ? deep(n - 1) + b[1] : 0; } __attribute__((noinline)) int peek() { volatile char b[1000000]; int s = 0; for (int i = 0; i < 900000; i++) s += b[i]; return s; } int main() { int n; scanf(\"%d\", &n); char *far = (char*)malloc(300000), *near = (char*)malloc(100000); long s = peek(); for (int i = 0; i < 300000; i++) s += far[i]; for (int i = 5000; i < 100000; i++) s += near[i]; for (int i = 0; i < 400000; i++) s += zeroed[i], zeroed[i] = n + 1; for (volatile long i = 0; i < s; i++); memset(far, n, 300000); memset(near, n, 100000); printf(\"%d %ld\\n\", deep(n), s); return s != 0; }",
        // Mappings of before the input that are unmapped, moved and protected.
        "int main() { char* p[3]; for (char*& it : p) it = (char*)mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), it[5000] = 3; int n; scanf(\"%d\", &n); long s = p[0][5000] + p[1][5000] + p[2][5000]; p[0][5000] = n; munmap(p[0], 1 << 16); p[1] = (char*)mremap(p[1], 1 << 16, 1 << 18, MREMAP_MAYMOVE); p[1][200000]++; mprotect(p[2], 1 << 16, PROT_READ); char* q = (char*)sbrk(1 << 20); q[7]++; sbrk(-(1 << 20)); for (volatile int i = 0; i < s * 100 + n; i++); printf(\"%p %p\\n\", p[1], q); return s; }",
        // The state of the floating-point units.
        "int main() { int n; scanf(\"%d\", &n); int was = fegetround() != FE_TONEAREST; long double x; volatile long double y = 3; asm(\"fstcw %0\" : \"=m\"(x)); was += fetestexcept(FE_ALL_EXCEPT) != 0; fesetround(FE_UPWARD); volatile double z = n / 3.0; x = 1 / y; asm volatile(\"fldpi\"); for (volatile int i = 0; i < n + 1000 * was; i++); return was; }",
    ] {
        same_in_one_process(body);
    }
}

#[test]
fn programs_that_read_nothing() {
    for body in [
        "int main() { return 3; }",
        "int main() { long s = 0; for (int i = 0; i < 1000; i++) s += i * i; cout << s << endl; }",
    ] {
        let (ends, processes) = same(body);
        assert_eq!(processes, 1);
        assert!(ends.iter().all(|end| *end == ends[0]));
    }
}

#[test]
fn program_begins_anew_if_a_snapshot_cannot_undo_it() {
    for body in [
        // A file that an earlier input left, descriptors, modes of a descriptor, a signal's action.
        "int main() { int n; scanf(\"%d\", &n); int f = open(\"left\", O_RDWR | O_CREAT, 0600); for (volatile int i = 0; i < f * 100 + n; i++); printf(\"%d\\n\", f); unlink(\"left\"); }",
        "int main() { int n; scanf(\"%d\", &n); int was = fcntl(0, F_GETFL) & O_NONBLOCK; fcntl(0, F_SETFL, O_NONBLOCK); for (volatile int i = 0; i < n + was; i++); }",
        "int main() { int n; scanf(\"%d\", &n); auto was = signal(SIGUSR1, SIG_IGN); for (volatile int i = 0; i < n + 1000 * (was == SIG_IGN); i++); }",
        "int main() { int n; scanf(\"%d\", &n); for (volatile int i = 0; i < n; i++); close(1); return dup(2); }",
    ] {
        let (ends, processes) = same(body);
        assert_eq!(processes, INPUTS, "{body}");
        assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    }
}

#[test]
fn some_inputs_end_badly() {
    let (ends, _) = same(
        "int main() { int n; cin >> n; if (n % 5 == 0) { volatile int* p = nullptr; return *p; } if (n % 5 == 1) abort(); if (n % 5 == 2) throw n; cout << n; }",
    );
    assert!(ends.contains(&Err(libc::SIGSEGV)) && ends.contains(&Err(libc::SIGABRT)));
    assert!(ends.iter().any(Result::is_ok));
    let (ends, _) = same(
        "int main() { int n; cin >> n; if (n % 5 == 0) { thread t([] {}); t.join(); } if (n % 5 == 1) return system(\"true\"); cout << n; }",
    );
    let refused = |reason: &str| ends.iter().flatten().any(|(_, line)| line.contains(reason));
    assert!(refused("unsupported it starts a thread") && refused("instructions "), "{ends:?}");
}

#[test]
fn each_input_has_its_own_time_limit() {
    // The first number of an input is three times its place, and up to two more.
    const BUSY: usize = 5;
    const ASLEEP: usize = 9;
    let program = compiled(&format!(
        "int main() {{ int n; scanf(\"%d\", &n); while (n / 3 == {BUSY}) asm volatile(\"\"); while (n / 3 == {ASLEEP}) sleep(1); printf(\"%d\\n\", n); }}"
    ));
    let (ends, processes) = in_series(&program, &inputs(), SHORT_MS);
    assert_eq!((ends.len(), processes), (INPUTS, 3), "{ends:?}");
    for (at, end) in ends.iter().enumerate() {
        assert_eq!(*end == Err(OVERTIME), at == BUSY || at == ASLEEP, "{at}: {ends:?}");
    }
}

#[test]
fn series_ends_when_its_time_is_over() {
    let counted = compiled("int main() {}").series(&inputs(), LONG_MS, 0);
    assert_eq!((counted.line.lines().count(), counted.output.status.code()), (1, Some(0)));
}
