//! A counted program behaves as it does natively, and has the same count in every run.

use crate::harness::Program;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const RUNS: usize = 3;

/// Compares both runs, and returns the count.
fn same(source: &str, flags: &[&str], input: &str) -> u64 {
    let program = Program::new(source, flags);
    let native = program.native(input);
    let counts = [(); RUNS].map(|()| {
        let counted = program.counted(input);
        assert_eq!(counted.output, native, "{}", counted.line);
        counted.count()
    });
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    let profiled = program.profiled(input);
    assert_eq!(profiled.output, native);
    assert_eq!(profiled.instructions, counts[0]);
    assert_eq!(profiled.charged(true) + profiled.charged(false), counts[0]);
    counts[0]
}

/// Reads a length, and copies and fills that many bytes a hundred times.
const COPIES: &str = r#"
#include <cstdio>
#include <cstring>
#include <vector>
int main() {
    unsigned n; if (scanf("%u", &n) != 1) return 1;
    std::vector<char> a(n), b(n);
    for (int i = 0; i < 100; i++) { memset(&a[0], i, n); memcpy(&b[0], &a[0], n); puts(b[n - 1] == i ? "same" : "other"); }
}"#;

#[test]
fn longer_copies_have_more_instructions() {
    let [short, long, longest] =
        ["100000", "1100000", "2100000"].map(|bytes| same(COPIES, &["-O2"], bytes));
    // A million more bytes, at most 64 at once, twice, a hundred times.
    assert!(long - short > 2 * 100 * 1_000_000 / 64, "{short} {long}");
    let [first, second] = [long - short, longest - long];
    assert!(first.abs_diff(second) < first / 20, "{first} {second}");
}

const SORT: &str = r"
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n;
    std::vector<int> v(n); unsigned s = 1;
    for (int& x : v) x = (s = s * 1664525 + 1013904223) >> 8;
    std::sort(v.begin(), v.end());
    std::cout << v[0] << ' ' << v[n / 2] << std::endl;
}";

const LIBRARY: &str = r#"
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
struct Shape { virtual double area() const = 0; virtual ~Shape() = default; };
struct Square : Shape { double a; Square(double a) : a(a) {} double area() const override { return a * a; } };
struct Disc : Shape { double r; Disc(double r) : r(r) {} double area() const override { return 3.14 * r * r; } };
static int table[1 << 20];
static jmp_buf place;
struct Guard { int& n; ~Guard() { n++; } };
int deep(int n) { Guard g{table[0]}; if (n == 0) throw std::runtime_error("bottom"); return deep(n - 1) + 1; }
int far(int n) { if (n == 0) longjmp(place, 42); return far(n - 1) + 1; }
int main(int argc, char** argv) {
    std::map<std::string, int> m; std::unordered_map<int, std::string> u;
    for (int i = 0; i < 3000; i++) { m[std::to_string(i * 7919 % 3001)] = i; u[i * 31] = std::to_string(i); }
    std::cout << m.size() << ' ' << m.begin()->second << ' ' << u.size() << ' ' << u[62] << '\n';
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 100; i++) if (i % 3) shapes.push_back(std::make_unique<Square>(i)); else shapes.push_back(std::make_unique<Disc>(i));
    double sum = 0; for (auto& s : shapes) sum += s->area();
    printf("%.10f %g %e %s %d\n", sum, sum / 3, -sum, argv[0], argc);
    try { deep(100); } catch (const std::exception& e) { std::cout << e.what() << ' ' << table[0] << '\n'; }
    try { std::vector<int>().at(3); } catch (const std::out_of_range&) { std::cout << "range\n"; }
    if (int r = setjmp(place)) std::cout << "jumped " << r << '\n'; else far(50);
    std::function<int(int)> f = [&](int n) { return n < 2 ? n : f(n - 1) + f(n - 2); };
    std::cout << f(18) << '\n';
    for (int i = 0; i < 1 << 20; i++) table[i] = i * i;
    std::cout << std::accumulate(table, table + (1 << 20), 0u) << '\n';
    std::vector<char> grow; for (int i = 0; i < 3000000; i++) grow.push_back(i);
    char* more = (char*)malloc(1 << 20); more = (char*)realloc(more, 1 << 23); memset(more, 1, 1 << 23);
    std::ostringstream out; out << std::setprecision(12) << std::sqrt(2.0) << std::hex << 255; std::cout << out.str() << ' ' << grow.size() << '\n';
    return 7;
}"#;

const DEEP: &str = r#"
#include <cstdio>
long down(long n) { volatile long here[4] = {n}; return n == 0 ? 0 : down(n - 1) + here[0] % 3; }
int main() { printf("%ld\n", down(1000000)); }"#;

const ECHO: &str = r#"
#include <cstdio>
#include <iostream>
#include <string>
int main() { std::string s; long n = 0; while (std::getline(std::cin, s)) n += s.size(); std::cout << n << "\n"; fprintf(stderr, "e\n"); }"#;

#[test]
fn library_in_every_kind_of_linking() {
    for flags in [
        &["-O2"][..],
        &["-O0"],
        &["-O3", "-march=native"],
        &["-O2", "-no-pie"],
        &["-O2", "-static"],
        &["-O2", "-static-pie"],
        &["-O2", "-pthread", "-Wl,-z,now"],
    ] {
        assert!(same(LIBRARY, flags, "") > 1_000_000);
    }
}

#[test]
fn counts_grow_with_the_input() {
    let program = Program::new(SORT, &["-O2"]);
    let counts = ["10", "1000", "100000"].map(|n| program.counted(n).count());
    assert!(counts.is_sorted() && counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    assert!(same(SORT, &["-O2"], "50000") > counts[1]);
}

#[test]
fn load_does_not_change_a_count() {
    let program = Program::new(SORT, &["-O2"]);
    let alone = program.counted("30000").count();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let loaded = [(); RUNS].map(|()| program.counted("30000").count());
        done.store(true, Ordering::Relaxed);
        assert_eq!(loaded, [alone; RUNS]);
    });
}

#[test]
fn recursion_a_million_deep() {
    same(DEEP, &["-O0"], "");
}

#[test]
fn input_and_both_outputs() {
    same(ECHO, &["-O2"], &"a line of input\n".repeat(20_000));
}

#[test]
fn libraries_that_come_and_go() {
    same(
        r#"#include <dlfcn.h>
        #include <cstdio>
        int main() { for (int i = 0; i < 20; i++) { void* m = dlopen("libm.so.6", RTLD_NOW);
            auto f = (double (*)(double))dlsym(m, "cbrt"); printf("%f\n", f(i)); dlclose(m); } }"#,
        &["-O2", "-ldl"],
        "",
    );
}
