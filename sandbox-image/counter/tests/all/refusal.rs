//! A program that cannot be counted is reported as such, and one that dies of a signal dies of that
//! signal.

use crate::harness::Program;
use std::os::unix::process::ExitStatusExt;

const UNSUPPORTED: i32 = 125;

fn refused(body: &str, reason: &str) {
    let program = Program::new(
        &format!(
            "#include <bits/stdc++.h>\n#include <thread>\n#include <sys/mman.h>\n#include <unistd.h>\n#include <csignal>\nint main() {{ {body} }}"
        ),
        &["-O1", "-pthread"],
    );
    let counted = program.counted("");
    assert_eq!(counted.line, format!("unsupported {reason}\n"), "{:?}", counted.output);
    assert_eq!(counted.output.status.code(), Some(UNSUPPORTED));
}

fn killed(body: &str, signal: i32) {
    let source = format!(
        "#include <bits/stdc++.h>\n#include <csignal>\n#include <unistd.h>\nint main() {{ {body} }}"
    );
    let program = Program::new(&source, &["-O0"]);
    assert_eq!(program.native("").status.signal(), Some(signal));
    let counted = program.counted("");
    assert_eq!(counted.output.status.signal(), Some(signal), "{}", counted.line);
    assert_eq!(counted.line, "");
}

#[test]
fn threads_and_processes() {
    refused("std::thread t([] {}); t.join();", "it starts a thread");
    refused("if (fork() == 0) _exit(0);", "it starts a process");
    refused("return system(\"true\");", "it starts a process");
    refused("execl(\"/bin/true\", \"true\", nullptr);", "it runs another program");
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

#[test]
fn signals_kill() {
    killed("abort();", libc::SIGABRT);
    killed("*(volatile int*)8 = 1;", libc::SIGSEGV);
    killed("((void (*)())16)();", libc::SIGSEGV);
    killed("static int data[4]; ((void (*)())data)();", libc::SIGSEGV);
    killed("volatile int zero = 0; return 100 / zero;", libc::SIGFPE);
    killed("__builtin_trap();", libc::SIGILL);
    killed("kill(getpid(), SIGTERM); pause();", libc::SIGTERM);
    killed("throw 1;", libc::SIGABRT);
    killed(
        "std::function<int(int)> f = [&](int n) { volatile char c[4096] = {}; return f(n + 1) + c[0]; }; return f(0);",
        libc::SIGSEGV,
    );
    killed("close(0); int p[2]; pipe(p); close(p[0]); return write(p[1], p, 4);", libc::SIGPIPE);
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
