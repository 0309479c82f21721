//! A program finds neither the counter's memory nor a way to write to it.

use crate::harness::Program;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Counts of versions 0.1 and 0.2 began here.
#[test]
fn forger_of_the_old_address_dies() {
    let program = Program::new(
        "int main() { auto* sums = reinterpret_cast<volatile long*>(0x68000000); *sums = 0; }",
        &["-O1"],
    );
    let counted = program.counted("");
    assert_eq!(counted.output.status.signal(), Some(libc::SIGSEGV));
    assert_eq!(counted.line, "");
}

/// Opens files of `/proc` by several paths. The last one tells no address.
const FILES: &str = r#"
#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>
int main() {
    for (const char* path : {"/proc/self/maps", "/proc/thread-self/smaps", "/proc/self/stat",
            "/proc/self/auxv", "/proc/self/mem", "/proc/self/task/../pagemap", "/proc/self/syscall"})
        if (open(path, O_RDONLY) != -1 || errno != EACCES) return 1;
    if (creat("/proc/self/mem", 0) != -1 || errno != EACCES) return 2;
    const int folder = open("/proc/self", O_RDONLY | O_DIRECTORY);
    if (openat(folder, "maps", O_RDONLY) != -1 || errno != EACCES) return 3;
    if (openat(folder, "map_files", O_RDONLY | O_DIRECTORY) != -1) return 4;
    if (symlink("/proc/self/maps", "link") != 0 || open("link", O_RDONLY) != -1) return 5;
    if (open("main.out", O_RDONLY) == -1) return 6;
    return open("/proc/self/status", O_RDONLY) == -1 ? 7 : 0;
}"#;

#[test]
fn files_with_addresses_cannot_be_opened() {
    let program = Program::new(FILES, &["-O1"]);
    let counted = program.counted("");
    assert_eq!(counted.output.status.code(), Some(0));
    assert!(counted.count() > 0);
    fs::remove_file(program.path("link")).unwrap();
    assert_eq!(program.profiled("").output.status.code(), Some(0));
}

/// Stores the state of x87 with every instruction and several kinds of operand, and asks for the
/// base of gs and for places of mappings that would be above every address of the program.
const ADDRESSES: &str = r#"
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
alignas(64) static unsigned char state[4096];
template <class Number> static bool tells(const void* at) {
    Number number;
    memcpy(&number, at, sizeof number);
    memset(state, 0, sizeof state);
    return number != 0;
}
int main() {
    const long index = 64;
    asm volatile("fld1; fstp %%st(0); fnstenv %0" : "=m"(state));
    if (tells<uint32_t>(state + 12)) return 1;
    asm volatile("fld1; fstp %%st(0); fnsave (%0); frstor (%0)" :: "r"(state) : "memory");
    if (tells<uint32_t>(state + 12)) return 2;
    asm volatile("fld1; fstp %%st(0); fxsave64 64(%0,%1,2)" :: "r"(state), "r"(index) : "memory");
    if (tells<uint64_t>(state + 192 + 8)) return 3;
    register unsigned char* high asm("r13") = state;
    asm volatile("fld1; fstp %%st(0); fxsave (%0)" :: "r"(high) : "memory");
    if (tells<uint64_t>(state + 8)) return 4;
    register unsigned char* stack asm("r12") = state;
    asm volatile("fld1; fstp %%st(0); fxsave64 512(%0)" :: "r"(stack) : "memory");
    if (tells<uint64_t>(state + 512 + 8)) return 5;
    unsigned long base = 1;
    if (syscall(SYS_arch_prctl, 0x1004, &base) != 0 || base != 0) return 6;
    void* list = nullptr;
    size_t length = 0;
    if (syscall(SYS_get_robust_list, 0, &list, &length) != -1) return 7;
    if (prctl(PR_GET_TID_ADDRESS, &base) != -1) return 8;
    if (syscall(SYS_prctl, 1ul << 32 | PR_GET_TID_ADDRESS, &base) != -1) return 14;
    if (syscall(SYS_rt_sigreturn) != -1) return 13;
    const int protection = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
    for (unsigned long wish : {0ul, 8ul, 0x2'0000'0000ul, 0x2'0000'0000ul, 0x4000'0000'0000ul}) {
        void* const place = mmap((void*)wish, 4096, protection, kind, -1, 0);
        if (place == MAP_FAILED || (uintptr_t)place >= 0x3000'0000'0000) return 9;
        *(char*)place = 1;
        void* const moved = mremap(place, 4096, 1 << 20, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED || (uintptr_t)moved >= 0x3000'0000'0000) return 10;
    }
    void* const far = (void*)0x4000'0000'0000;
    if (mmap(far, 4096, protection, kind | MAP_FIXED, -1, 0) != MAP_FAILED) return 11;
    return mmap(nullptr, 1ul << 46, PROT_NONE, kind | MAP_NORESERVE, -1, 0) == MAP_FAILED ? 0 : 12;
}"#;

#[test]
fn nothing_tells_an_address_of_the_counter() {
    let program = Program::new(ADDRESSES, &["-O1"]);
    let counted = program.counted("");
    assert_eq!(counted.output.status.code(), Some(0));
    assert_eq!(program.profiled("").instructions, counted.count());
}

#[test]
fn gs_is_refused() {
    for body in ["mov %%gs:0, %%rax", "rdgsbase %%rax", "mov %%eax, %%gs"] {
        let source = format!("int main() {{ asm volatile(\"{body}\" ::: \"rax\"); }}");
        let counted = Program::new(&source, &["-O1", "-mfsgsbase"]).counted("");
        assert!(counted.line.starts_with("unsupported it "), "{}", counted.line);
    }
}

/// Starts of the mappings of a counter that are both writable and executable.
fn places(program: &Program) -> BTreeSet<u64> {
    let (mut command, _) = program.counter(&[], &[]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let maps = format!("/proc/{}/maps", child.id());
    let found = loop {
        let maps = fs::read_to_string(&maps).unwrap();
        let generated = maps.lines().filter(|line| line.contains("rwxp"));
        let starts = generated.filter_map(|line| line.split('-').next());
        let starts: BTreeSet<_> =
            starts.map(|start| u64::from_str_radix(start, 16).unwrap()).collect();
        if !starts.is_empty() {
            break starts;
        }
        sleep(Duration::from_millis(1));
    };
    drop(child.stdin.take());
    child.wait().unwrap();
    found
}

#[test]
fn area_has_another_place_in_every_run() {
    let program = Program::new("#include <cstdio>\nint main() { getchar(); }", &["-O1"]);
    let (first, second) = (places(&program), places(&program));
    assert!(first.is_disjoint(&second), "{first:x?} {second:x?}");
    let hidden = 0x3100_0000_0000..0x5100_0000_0000;
    assert!(first.iter().chain(&second).all(|place| hidden.contains(place)), "{first:x?}");
}

/// Uses the result file by every call that takes a descriptor, and by numbers with other high bits.
const DESCRIPTORS: &str = r#"
#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static bool bad(long result) { return result == -1 && errno == EBADF; }
int main() {
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    const int other = open("main.out", O_RDONLY), null = open("/dev/null", O_WRONLY);
    const long low = limit.rlim_cur - 1;
    const int fd = low;
    char text[] = "unsupported a fault of this host\n";
    const iovec part = {text, sizeof text - 1};
    for (long it : {low, low | 1l << 32, low | 7l << 60}) {
        if (!bad(syscall(SYS_write, it, text, 9l))) return 1;
        if (!bad(syscall(SYS_pwrite64, it, text, 9l, 0l))) return 2;
        if (!bad(syscall(SYS_close, it))) return 3;
        if (!bad(syscall(SYS_ftruncate, it, 0l))) return 4;
        if (!bad(syscall(SYS_fcntl, it, F_GETFD, 0l))) return 5;
        if (!bad(syscall(SYS_dup2, (long)null, it))) return 6;
        if (!bad(syscall(SYS_sendfile, (long)null, it, 0l, 1l))) return 7;
        if (syscall(SYS_close_range, it, it, 0l) != 0) return 8;
        if (syscall(SYS_close_range, it, it | 1l << 40, 0l) != 0) return 9;
        if (!bad(syscall(SYS_mmap, 0l, 4096l, PROT_READ, MAP_SHARED, it, 0l))) return 10;
    }
    if (!bad(pwrite(fd, text, 9, 0)) || !bad(writev(fd, &part, 1))) return 11;
    if (!bad(pwritev(fd, &part, 1, 0)) || !bad(lseek(fd, 0, SEEK_SET))) return 12;
    if (!bad(fcntl(fd, F_DUPFD, 10)) || !bad(dup(fd)) || !bad(fallocate(fd, 0, 0, 9))) return 13;
    if (!bad(sendfile(fd, other, nullptr, 9)) || !bad(fchmod(fd, 0777))) return 14;
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text, 9) != 9) return 15;
    if (!bad(splice(ends[0], nullptr, fd, nullptr, 9, 0))) return 16;
    if (!bad(copy_file_range(other, nullptr, fd, nullptr, 9, 0))) return 17;
    epoll_event event = {EPOLLIN, {}};
    if (!bad(epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd, &event))) return 18;
    if (syscall(SYS_sendmsg, null, nullptr, 0) != -1 || errno != ENOSYS) return 19;
    if (syscall(SYS_getpid, low) != getpid() || syscall(SYS_umask, low) == -1) return 20;
    if (read(other, text, 9) != 9 || read(-1, text, 9) != -1) return 21;
    if (syscall(SYS_close_range, (long)other, ~0l, 0l) != 0 || !bad(read(other, text, 9))) return 22;
    if (open("main.out", O_RDONLY) != other) return 23;
    return 0;
}"#;

#[test]
fn result_file_seems_closed() {
    let program = Program::new(DESCRIPTORS, &["-O1"]);
    let counted = program.counted("");
    assert_eq!(counted.output.status.code(), Some(0), "{}", counted.line);
    assert_eq!(program.profiled("").instructions, counted.count());
    let series = program.series(&[String::new()], 10_000, 10_000);
    assert_eq!(series.line, format!("exited 0 {}", counted.line));
}

/// The address of the state wraps between the state and the noted address.
#[test]
fn state_of_x87_next_to_a_wrap_is_refused() {
    for body in ["fxsave64 0x7ffffff8(%0)", "fnstenv 0x7ffffff4(%0)", "addr32 fxsave64 (%k0)"] {
        let source =
            format!("int main() {{ asm volatile(\"{body}\" :: \"r\"(0l) : \"memory\"); }}");
        let counted = Program::new(&source, &["-O1"]).counted("");
        assert!(counted.line.starts_with("unsupported it stores the state"), "{}", counted.line);
    }
}

/// Maps the last page of the stack anew. `main` and its callers use no page so near the end.
const BEYOND: &str = r"
#include <cerrno>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) static int tried(volatile char* above) {
    above[1] = 1;
    void* const last = (void*)0x2fff'ffff'f000;
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap(last, 4096, PROT_READ | PROT_WRITE, kind, -1, 0) == MAP_FAILED) return 1;
    for (long bytes : {4097l, 1l << 30, 1l << 46})
        if (syscall(SYS_mremap, last, 4096l, bytes, 0l) != -1 || errno != ENOMEM) return 2;
    const long start = 0x2f00'0000'0000;
    const bool is_named = syscall(SYS_prctl, 0x5356'4d41l, 0l, start, start, 0l) != -1;
    return is_named || errno != ENOMEM ? 3 : 0;
}
int main() {
    volatile char above[1 << 16];
    _exit(tried(above));
}";

#[test]
fn nothing_grows_or_is_named_beyond_the_program() {
    let program = Program::new(BEYOND, &["-O1"]);
    assert_eq!(program.counted("").output.status.code(), Some(0));
}
