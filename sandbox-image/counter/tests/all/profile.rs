//! Attribution of instructions: calls with every kind of ending, and limits on their number.

use crate::harness::{Node, Profiled, Program};

/// The program's stubs run on the way to a library, and belong to the program: at most this many
/// instructions at the first call of each function.
const STUB_INSTRUCTIONS: u64 = 4;

/// Compiles and profiles, and checks the invariants of every program with shared libraries.
fn profiled(source: &str, flags: &[&str], input: &str) -> Profiled {
    let program = Program::new(source, flags);
    let native = program.native(input);
    let profiled = program.profiled(input);
    assert_eq!(profiled.output, native);
    let in_line = (profiled.instructions, profiled.own_in_line);
    assert_eq!(in_line, program.counted(input).counts());
    assert_eq!(profiled.own_in_line, Some(profiled.own()));
    assert_eq!(profiled.charged(true) + profiled.charged(false), profiled.instructions);
    let libraries = profiled.nodes.iter().filter(|node| node.library).count() as u64;
    let stubs = profiled.own() - profiled.charged(false);
    assert!(stubs <= STUB_INSTRUCTIONS * libraries, "{stubs} in stubs of {libraries}");
    profiled
}

/// The nodes of the program's functions that were called `calls` times in all.
fn called(profiled: &Profiled, calls: u64) -> Vec<&Node> {
    let mut targets: Vec<u32> = profiled.nodes.iter().map(|node| node.target).collect();
    targets.sort_unstable();
    targets.dedup();
    let of = |target| profiled.nodes.iter().filter(move |n| n.target == target && !n.library);
    let all = targets.into_iter().filter(|&target| {
        let sum: u64 = of(target).map(|node| node.calls).sum();
        sum == calls
    });
    all.flat_map(of).collect()
}

#[test]
fn recursion_is_counted_call_by_call_and_is_a_few_nodes() {
    let source = "#include <cstdio>
        __attribute__((noinline)) int fib(int n) { if (n < 2) return n; int a = fib(n - 1); return a + fib(n - 2); }
        int main() { printf(\"%d\\n\", fib(20)); }";
    // fib(20) makes 2 * fib(21) - 1 calls, including itself.
    let profiled = profiled(source, &["-O1"], "");
    let nodes = called(&profiled, 21_891);
    assert!((3..=5).contains(&nodes.len()), "{nodes:?}");
    assert!(nodes.iter().map(|node| node.instructions).sum::<u64>() > 100_000);
}

#[test]
fn recursion_of_a_hundred_thousand() {
    let source =
        "long down(long n) { volatile long here = n; return n == 0 ? 0 : down(n - 1) + here % 3; }
        int main() { return down(100000) % 100; }";
    let profiled = profiled(source, &["-O0"], "");
    assert_eq!(called(&profiled, 100_001).len(), 2);
}

/// The instructions after a `longjmp` or in a handler belong to the function that continues there.
#[test]
fn jumps_back_and_exceptions_go_back_to_their_node() {
    let source = "#include <csetjmp>
        #include <stdexcept>
        #include <cstdio>
        jmp_buf place; volatile int sink;
        __attribute__((noinline)) void far(int n) { if (n == 0) longjmp(place, 1); far(n - 1); sink = n; }
        __attribute__((noinline)) void deep(int n) { if (n == 0) throw std::runtime_error(\"x\"); deep(n - 1); sink = n; }
        __attribute__((noinline)) void jumper() { if (!setjmp(place)) far(7); for (int i = 0; i < 100000; i++) sink = i; }
        __attribute__((noinline)) void catcher() { try { deep(9); } catch (const std::exception&) { for (int i = 0; i < 100000; i++) sink = i; } }
        int main(int argc, char**) { for (int i = 0; i < argc + 2; i++) jumper(); for (int i = 0; i < argc + 4; i++) catcher(); for (int i = 0; i < 100000; i++) sink = i; printf(\"%d\\n\", sink); }";
    let profiled = profiled(source, &["-O1"], "");
    for (calls, least) in [(3, 3 * 400_000), (5, 5 * 400_000), (1, 400_000)] {
        let loops: Vec<u64> =
            called(&profiled, calls).iter().map(|node| node.instructions).collect();
        assert!(loops.iter().any(|&own| (least..least + 1_000).contains(&own)), "{loops:?}");
    }
}

#[test]
fn callback_is_not_charged_to_the_library() {
    let source = "#include <cstdlib>
        int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
        int main() { static int v[5000]; for (int i = 0; i < 5000; i++) v[i] = i * 7919 % 5003;
            qsort(v, 5000, sizeof(int), compare); return v[77] % 50; }";
    let profiled = profiled(source, &["-O2"], "");
    let by_library =
        profiled.nodes.iter().filter(|n| n.site == 0 && !n.library && n.calls > 10_000);
    let by_library: Vec<_> = by_library.collect();
    let [compare] = by_library[..] else { panic!("{by_library:?}") };
    assert!(profiled.nodes[compare.parent as usize].library);
    assert_eq!(compare.instructions % compare.calls, 0, "{compare:?}");
}

/// Linker's bindings of library functions: at their first call, at the start, or without stubs.
const BINDINGS: [&str; 3] = ["-Wl,-z,lazy", "-Wl,-z,now", "-fno-plt"];

/// The constructor of a file with `<iostream>` ends with a jump to `__cxa_atexit`. Above `main`
/// there must still be only the root, `_start` and its callee.
#[test]
fn jump_to_a_library_that_returns_to_one_ends_its_function() {
    let source = "#include <iostream>
        int main() { volatile int sink; for (int i = 0; i < 100000; i++) sink = i; std::cout << sink; }";
    for binding in BINDINGS {
        let profiled = profiled(source, &["-O2", binding], "");
        let main = profiled.nodes.iter().find(|node| !node.library && node.instructions > 100_000);
        let above = std::iter::successors(main, |node| profiled.nodes.get(node.parent as usize));
        let above: Vec<_> = above.map(|node| node.library).collect();
        assert_eq!(above, [false, true, false, true], "{binding}: {:?}", profiled.nodes);
    }
}

/// The same function called again and again, also through a pointer to one of the program's own
/// functions.
#[test]
fn comparison_that_is_a_jump_to_a_library_is_never_nested_in_itself() {
    let source = "#include <cstdlib>
        #include <cstring>
        static int own(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
        int (*pointer)(const void*, const void*) = own;
        static int jumps(const void* a, const void* b) { return strcmp((const char*)a, (const char*)b); }
        static int passes(const void* a, const void* b) { return pointer(a, b); }
        static char v[2][1000][4];
        int main() { for (auto& w : v)
                for (int i = 0; i < 1000; i++) { w[i][0] = 1 + i * 7919 % 97; w[i][1] = 1 + i % 89; }
            qsort(v[0], 1000, 4, jumps); qsort(v[1], 1000, 4, passes); return v[0][77][0] + v[1][77][0]; }";
    for binding in BINDINGS {
        let profiled = profiled(source, &["-O2", binding], "");
        let often = profiled.nodes.iter().filter(|node| node.calls > 5_000);
        let often: Vec<_> = often.collect();
        // `passes` calls `own`, and `main` calls both kinds.
        let [jumps, passes, own] = often[..] else { panic!("{binding}: {often:?}") };
        assert!([jumps, passes, own].iter().all(|node| !node.library), "{often:?}");
        assert_eq!(passes.calls, own.calls, "{often:?}");
        let sorts = [jumps, passes].map(|node| &profiled.nodes[node.parent as usize]);
        assert!(sorts.iter().all(|sort| sort.library && sort.calls == 1), "{binding}: {sorts:?}");
        assert_eq!(own.instructions % own.calls, 0, "{own:?}");
    }
}

/// `even` ends with a jump to `odd`, and the reverse. Each is a node, and neither is nested in the
/// other.
#[test]
fn jump_to_another_function_is_a_call() {
    let source = "#include <cstdlib>
        extern \"C\" { int odd(int); volatile int sink;
        __attribute__((noinline)) int even(int n) { sink = n; if (n == 0) return 1; return odd(n - 1); }
        __attribute__((noinline)) int odd(int n) { sink = n; if (n == 0) return 0; return even(n - 1); } }
        int main(int argc, char**) { return even(1000 + argc - 1); }";
    let profiled = profiled(source, &["-O2", "-fno-ipa-cp", "-fno-inline"], "");
    assert!(called(&profiled, 501).iter().any(|node| node.instructions > 1_000));
    assert!(called(&profiled, 500).iter().any(|node| node.instructions > 1_000));
}

/// A function that calls itself in twelve places; each order of them is a chain.
#[test]
fn more_chains_than_fit() {
    let call = |i| format!("if (!(s >> {i} & 1)) {{ n += f(s | 1 << {i}, d - 1); }}\n");
    let calls = (0..12).map(call).collect::<Vec<_>>().concat();
    let source = format!(
        "#include <cstdio>
        long f(unsigned s, int d) {{ volatile long n = 1; if (d == 0) return 1;\n{calls} return n; }}
        int main() {{ printf(\"%ld\\n\", f(0, 6)); }}"
    );
    let profiled = profiled(&source, &["-O0"], "");
    assert!(profiled.full);
    assert!(profiled.nodes.len() <= 1 << 16);
    let calls: u64 = 1
        + 12
        + 12 * 11
        + 12 * 11 * 10
        + 12 * 11 * 10 * 9
        + 12 * 11 * 10 * 9 * 8
        + 12 * 11 * 10 * 9 * 8 * 7;
    assert!(called(&profiled, calls).len() > 1_000);
}

#[test]
fn function_that_is_called_through_a_pointer() {
    let source = "#include <cstdio>
        struct Shape { virtual int of(int) = 0; };
        struct A : Shape { int of(int n) override { return n + 1; } };
        struct B : Shape { int of(int n) override { return n ^ 5; } };
        struct C : Shape { int of(int n) override { return n * 3; } };
        int main() { A a; B b; C c; Shape* all[3] = {&a, &b, &c}; volatile int sum = 0;
            for (int i = 0; i < 6000; i++) sum = sum + all[i % 7 % 3]->of(i); printf(\"%d\\n\", sum); }";
    let profiled = profiled(source, &["-O2", "-fno-devirtualize"], "");
    let calls = [0, 1, 2].map(|kind| (0..6000).filter(|i| i % 7 % 3 == kind).count() as u64);
    for calls in calls {
        assert_eq!(called(&profiled, calls).iter().map(|n| n.calls).sum::<u64>() % calls, 0);
        assert!(!called(&profiled, calls).is_empty());
    }
}

#[test]
fn uncountable_program_cannot_be_profiled() {
    let program = Program::new(
        "#include <thread>\nint main() { std::thread t([] {}); t.join(); }",
        &["-pthread"],
    );
    assert_eq!(program.counted("").line, "unsupported it starts a thread\n");
    assert_eq!(program.profile_line(""), "unsupported it starts a thread\n");
}
