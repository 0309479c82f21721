//! A counted program sees one processor on every host, so it has one count.

use crate::harness::Program;
use profiler_test_support::require::or_skip;
use std::env;

/// Prints what the processor and the kernel tell.
const QUESTIONS: &str = r#"
#include <cpuid.h>
#include <cstdio>
#include <sys/auxv.h>
int main() {
    const unsigned leaves[][2] = {{0, 0}, {1, 0}, {1, 7}, {2, 0}, {4, 0}, {4, 3}, {4, 4}, {7, 0},
        {0xD, 1}, {0x40000000, 0}, {0x80000000, 0}, {0x80000001, 0}, {0x80000002, 0}};
    for (auto [leaf, entry] : leaves) {
        unsigned long a = leaf | 1ul << 40, b = -1, c = entry | 1ul << 40, d = -1; bool carry;
        asm volatile("stc; cpuid; setc %4" : "+a"(a), "+b"(b), "+c"(c), "+d"(d), "=r"(carry));
        printf("%x %x: %lx %lx %lx %lx %d\n", leaf, entry, a, b, c, d, carry);
    }
    unsigned long a = -1, d = -1; bool carry;
    asm volatile("stc; xgetbv; setc %2" : "+a"(a), "+d"(d), "=r"(carry) : "c"(0));
    printf("%lx %lx %d\n", a, d, carry);
    printf("%lx %lx %s\n", getauxval(AT_HWCAP2), getauxval(51), (char*)getauxval(AT_PLATFORM));
    printf("%d %d\n", !!__builtin_cpu_supports("sse4.2"), !!__builtin_cpu_supports("avx"));
}"#;

const ANSWERS: &str = "\
0 0: 4 756e6547 6c65746e 49656e69 1
1 0: 106a5 10800 982201 78bfbff 1
1 7: 106a5 10800 982201 78bfbff 1
2 0: 55035a01 f0b2e4 0 9ca212c 1
4 0: 121 1c0003f 3f 0 1
4 3: 163 3c0003f 1fff 2 1
4 4: 0 0 0 0 1
7 0: 0 0 0 0 1
d 1: 0 0 0 0 1
40000000 0: 0 0 0 0 1
80000000 0: 80000008 0 0 0 1
80000001 0: 0 0 1 20100800 1
80000002 0: 2d363878 762d3436 32 0 1
3 0 1
0 800 x86_64
1 0
";

#[test]
fn program_sees_the_model() {
    for flags in [&["-O1"][..], &["-O2", "-static"]] {
        let program = Program::new(QUESTIONS, flags);
        let counted = program.counted("");
        assert_eq!(String::from_utf8_lossy(&counted.output.stdout), ANSWERS, "{}", counted.line);
        assert_eq!(program.profiled("").instructions, counted.count());
    }
}

/// Calls functions of which glibc has several, for different processors. Numbers such as 0.5 make
/// `printf` execute `tzcnt` with an operand of zero.
const LIBRARY: &str = r#"
#include <bits/stdc++.h>
int main() {
    std::string text(5000, 'x'), all; size_t sum = 0; double value = 0; char line[99];
    std::vector<char> from(100000, 1), to(100000);
    for (int i = 1; i < 300; i++) {
        text[i * 16] = 'y';
        sum += strlen(text.c_str() + i) + strcspn(text.c_str() + i, "yz") + (strchr(&text[i], 'z') != nullptr);
        sum += strcmp(text.c_str(), text.c_str() + i) + text.find("yxxy", i);
        memmove(&to[i], &from[0], from.size() - i); memset(&from[i], i, 999);
        sum += memcmp(&from[0], &to[0], i * 300) + wcslen(L"wide characters");
        value += sin(i) + exp(-i) + pow(i, .3) + floor(i * .7) + std::fma(i, 2, 3) + logf(i);
        sum += snprintf(line, sizeof line, "%.*g %e", 6, i * .5, value); all += line;
    }
    printf("%zu %.6f %zu\n", sum, value, all.size());
}"#;

/// Models of qemu with different features; the first two have no `xsave` and no `tzcnt`.
const MODELS: [&str; 6] =
    ["Nehalem", "Westmere", "SandyBridge", "Haswell", "EPYC", "max,-avx2,-erms"];
const EMULATORS: [&str; 2] = ["qemu-x86_64", "qemu-x86_64-static"];

fn emulator() -> Option<String> {
    let folders = env::var_os("PATH")?;
    let mut paths =
        env::split_paths(&folders).flat_map(|folder| EMULATORS.map(|it| folder.join(it)));
    paths.find(|path| path.is_file())?.into_os_string().into_string().ok()
}

#[test]
fn count_is_the_same_on_every_processor() {
    let Some(emulator) = or_skip("qemu", emulator().ok_or("install qemu-user")) else { return };
    for flags in [&["-O2"][..], &["-O2", "-static"]] {
        let program = Program::new(LIBRARY, flags);
        let here = program.counted("");
        for model in MODELS {
            let there = program.counted_by(&[&emulator, "-cpu", model]);
            assert_eq!(there.output.stdout, here.output.stdout, "{model}");
            assert_eq!(there.counts(), here.counts(), "{model}");
        }
    }
}
