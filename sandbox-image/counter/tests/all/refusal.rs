//! A program that cannot be counted is reported as such, and one that dies of a signal dies of that
//! signal.

use crate::harness::Program;
use std::os::unix::process::ExitStatusExt;

const UNSUPPORTED: i32 = 125;

fn refused(body: &str, reason: &str) {
    let program = Program::new(
        &format!(
            "#include <csignal>\n#include <cstdlib>\n#include <sys/mman.h>\n#include <thread>\n#include <unistd.h>\nint main() {{ {body} }}"
        ),
        &["-O1", "-pthread"],
    );
    let counted = program.counted("");
    assert_eq!(counted.line, format!("unsupported {reason}\n"), "{:?}", counted.output);
    assert_eq!(counted.output.status.code(), Some(UNSUPPORTED));
}

#[test]
fn threads_and_processes() {
    refused("std::thread t([] {}); t.join();", "it starts a thread");
    refused("if (fork() == 0) _exit(0);", "it starts a process");
    refused("return system(\"true\");", "it starts a process");
    refused("execl(\"/bin/true\", \"true\", nullptr);", "it runs another program");
    refused("syscall(59, 0, 0, 0, -1L, -1L, -1L);", "it runs another program");
}

#[test]
fn handlers_of_signals() {
    refused("signal(SIGUSR1, [](int) {}); raise(SIGUSR1);", "it handles a signal");
}

#[test]
fn code_that_is_made() {
    refused(
        "return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == nullptr;",
        "it maps memory that is both writable and executable",
    );
    refused(
        "char* p = (char*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         *p = '\\xc3'; mprotect(p, 4096, PROT_READ | PROT_EXEC); ((void (*)())p)();",
        "it runs code that it made itself or that is too far away",
    );
    refused(
        "return mprotect((void*)((unsigned long)&main & -4096ul), 4096, PROT_READ | PROT_WRITE);",
        "it changes its own code",
    );
}

#[test]
fn strange_jumps() {
    refused("asm volatile(\"int $0x80\" :: \"a\"(20));", "it has a jump that is not supported");
}

/// The address of time(2) in the vsyscall page, which old programs call.
#[test]
fn calls_of_the_kernels_page() {
    refused(
        "((long (*)(long*))0xffffffffff600400)(nullptr);",
        "it calls the kernel's vsyscall page",
    );
}

/// Ways to die, in the order of [`SIGNALS`]. Stdin says which one.
const DEATHS: &str = r"
#include <csignal>
#include <cstdlib>
#include <functional>
#include <unistd.h>
using Death = void (*)();
static Death deaths[] = {
    [] { abort(); },
    [] { *(volatile int*)8 = 1; },
    [] { ((void (*)())16)(); },
    [] { static int data[4]; ((void (*)())data)(); },
    [] { volatile int zero = 0, quotient = 100 / zero; },
    [] { __builtin_trap(); },
    [] { kill(getpid(), SIGTERM); pause(); },
    [] { throw 1; },
    [] { std::function<int(int)> f = [&](int n) { volatile char c[4096] = {}; return f(n + 1) + c[0]; }; f(0); },
    [] { close(0); int p[2]; pipe(p); close(p[0]); write(p[1], p, 4); },
};
int main() { char at; return read(0, &at, 1) == 1 ? (deaths[at - '0'](), 0) : 1; }";
const SIGNALS: [i32; 10] = [
    libc::SIGABRT,
    libc::SIGSEGV,
    libc::SIGSEGV,
    libc::SIGSEGV,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTERM,
    libc::SIGABRT,
    libc::SIGSEGV,
    libc::SIGPIPE,
];

#[test]
fn signals_kill() {
    let program = Program::new(DEATHS, &["-O0"]);
    for (at, signal) in SIGNALS.into_iter().enumerate() {
        let at = at.to_string();
        assert_eq!(program.native(&at).status.signal(), Some(signal), "{at}");
        let counted = program.counted(&at);
        assert_eq!(counted.output.status.signal(), Some(signal), "{at}: {}", counted.line);
        assert_eq!(counted.line, "", "{at}");
    }
}

#[test]
fn exit_codes_pass() {
    for code in [0, 7, 125, 255] {
        let program = Program::new(&format!("int main() {{ return {code}; }}"), &[]);
        let counted = program.counted("");
        assert!(counted.count() > 0);
        assert_eq!(counted.output.status.code(), Some(code));
    }
}

/// The calls by which a program could find out that it is counted, or change the counter's memory.
/// The addresses are beyond `ADDRESSES_END` in `layout.rs`.
#[test]
fn memory_of_the_counter_seems_absent() {
    let program = Program::new(
        r#"
        #include <cerrno>
        #include <fcntl.h>
        #include <initializer_list>
        #include <linux/futex.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <unistd.h>
        int main() {
          int ends[2];
          if (pipe(ends) != 0 || write(ends[1], "0123", 4) != 4) return 15;
          constexpr unsigned long kPage = 4096;
          for (unsigned long at : {0x3000'0000'0000, 0x3100'0000'0000, 0x5000'0000'0000}) {
            void* const page = (void*)at;
            unsigned char in_memory[2] = {};
            if (mincore(page, 2 * kPage, in_memory) != -1 || errno != ENOMEM) return 1;
            if (madvise(page, 2 * kPage, MADV_DONTNEED) != -1 || errno != ENOMEM) return 2;
            if (msync(page, 2 * kPage, MS_ASYNC) != -1 || errno != ENOMEM) return 3;
            char byte = 0;
            const iovec here = {&byte, 1}, there = {page, 1};
            if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != -1) return 4;
            if (process_vm_writev(getpid(), &here, 1, &there, 1, 0) != -1) return 5;
            errno = 0;
            if (write(ends[1], page, 1) != -1 || errno != EFAULT) return 9;
            if (read(ends[0], page, 1) != -1 || errno != EFAULT) return 10;
            const iovec both[] = {{&byte, 0}, there};
            if (writev(ends[1], both, 2) != -1 || errno != EFAULT) return 11;
            if (access((char*)page, F_OK) != -1 || errno != EFAULT) return 12;
            if (syscall(SYS_getrandom, page, 1, 0) != -1 || errno != EFAULT) return 13;
            if (syscall(SYS_rt_sigprocmask, 0, page, 0, 8) != -1 || errno != EFAULT) return 14;
            // A register that a call does not use can hold anything.
            unsigned word = 0;
            if (fcntl(ends[0], F_GETFL, page) == -1) return 16;
            if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, page, page, page) != 0) return 17;
            if (syscall(SYS_getcpu, &word, 0, 0, page, page, page) != 0) return 18;
            if (syscall(SYS_clone3, 0, 0, page, page, page, page) != -1) return 19;
            if (errno == EFAULT) return 20;
          }
          char* const own = (char*)mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          *own = 1;
          unsigned char in_memory = 0;
          if (mincore(own, kPage, &in_memory) != 0 || in_memory != 1) return 6;
          if (msync(own, kPage, MS_ASYNC) != 0) return 7;
          return madvise(own, kPage, MADV_DONTNEED) != 0 || *own != 0 ? 8 : 0;
        }"#,
        &["-O1"],
    );
    let counted = program.counted("");
    assert!(counted.count() > 0);
    assert_eq!(counted.output.status.code(), Some(0));
    assert_eq!(program.native("").status.code(), Some(0));
}

#[test]
fn result_file_is_out_of_the_way() {
    let program = Program::new(
        "#include <unistd.h>\n#include <fcntl.h>\nint main() { int fd = open(\"/dev/null\", O_RDONLY); for (int i = 3; i < sysconf(_SC_OPEN_MAX); i++) close(i); return fd; }",
        &["-O1"],
    );
    let counted = program.counted("");
    assert!(counted.count() > 0);
    assert_eq!(counted.output.status.code(), Some(3));
}
