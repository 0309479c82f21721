//! Compares counts with numbers that were counted by hand or with single steps of ptrace.

use crate::harness::Program;
use std::os::unix::process::CommandExt;
use std::ptr::null_mut;

const BARE: [&str; 3] = ["-nostdlib", "-static", "-O2"];

/// Executes the program instruction by instruction. Returns how many there were, and the exit code.
fn steps(program: &Program) -> (u64, i32) {
    let mut command = program.command();
    // SAFETY: ptrace may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0);
            Ok(())
        });
    }
    let pid = i32::try_from(command.spawn().unwrap().id()).unwrap();
    let mut steps = 0;
    loop {
        let mut status = 0;
        // SAFETY: waits for our own child, and resumes it.
        unsafe {
            assert_eq!(libc::waitpid(pid, &raw mut status, 0), pid);
            if libc::WIFEXITED(status) {
                return (steps, libc::WEXITSTATUS(status));
            }
            assert!(libc::WIFSTOPPED(status) && libc::WSTOPSIG(status) == libc::SIGTRAP);
            libc::ptrace(libc::PTRACE_SINGLESTEP, pid, null_mut::<u8>(), null_mut::<u8>());
        }
        steps += 1;
    }
}

fn check_steps(source: &str, flags: &[&str]) -> u64 {
    let program = Program::new(source, &[&BARE[..], flags].concat());
    let (steps, code) = steps(&program);
    let counted = program.counted("");
    assert_eq!((counted.counts(), counted.output.status.code()), ((steps, None), Some(code)));
    let profiled = program.profiled("");
    assert_eq!((profiled.instructions, profiled.own()), (steps, steps));
    assert_eq!((profiled.charged(false), profiled.output.status.code()), (steps, Some(code)));
    steps
}

#[test]
fn loop_of_known_length() {
    let program = Program::new(
        r#"asm(R"(
        .globl _start
        _start: mov $1000000, %ecx
        1: dec %ecx
        jnz 1b
        mov $231, %eax
        xor %edi, %edi
        syscall
        )");"#,
        &BARE,
    );
    assert_eq!(program.counted("").count(), 1 + 2 * 1_000_000 + 3);
}

#[test]
fn repeated_string_instruction_counts_once() {
    let program = Program::new(
        r#"char a[4096], b[4096]; asm(R"(
        .globl _start
        _start: lea a(%rip), %rsi
        lea b(%rip), %rdi
        mov $4096, %ecx
        rep movsb
        mov $60, %eax
        xor %edi, %edi
        syscall
        )");"#,
        &BARE,
    );
    assert_eq!(program.counted("").count(), 7);
}

/// Every kind of jump, with registers, flags and the red zone in use across them.
const JUMPS: &str = r#"asm(R"(
.globl _start
_start:
    xor %ebx, %ebx
    mov $300, %r12d
again:
    mov $5, %ecx
1:  add %rcx, %rbx
    loop 1b
    mov $7, %ecx
2:  cmp $3, %ecx
    loopne 2b
    adc $0, %rbx
    jrcxz 3f
    add %rcx, %rbx
3:  xor %ecx, %ecx
    jecxz 4f
    ud2
4:  movq $0x1234, -8(%rsp)
    movq $0x77, -128(%rsp)
    stc
    jmp 5f
5:  adc $0, %rbx
    add -128(%rsp), %rbx
    call carry
    adc $0, %rbx
    lea table(%rip), %rax
    mov $2, %ecx
    call *(%rax, %rcx, 8)
    add %rcx, %rbx
    call *table(%rip)
    mov table+8(%rip), %rcx
    call *%rcx
    mov table(%rip), %r13
    call *%r13
    push $11
    push $22
    call callee_pops
    push table+8(%rip)
    call *(%rsp)
    pop %rdx
    lea 6f(%rip), %rcx
    jmp *%rcx
    ud2
6:  lea 7f(%rip), %rdx
    push %rdx
    std
    ret
    ud2
7:  pushf
    pop %rdx
    and $0x400, %edx
    add %rdx, %rbx
    cld
    call 8f
8:  pop %rdx
    lea 8b(%rip), %rsi
    sub %rsi, %rdx
    jne bad
    lea 1(%rbx), %r8
    test %r12b, %r12b
    ja 9f
    jp 9f
    add $3, %rbx
9:  movq %rbx, %xmm0
    mov $39, %eax
    syscall
1:  movq %xmm0, %rbx
    lea 1b(%rip), %rax
    cmp %rax, %rcx
    jne bad
    lea 1(%rbx), %r9
    cmp %r8, %r9
    adc $1, %rbx
    dec %r12d
    jnz again
    mov %rbx, %rdi
    shr $8, %rbx
    xor %rbx, %rdi
    and $0x7f, %edi
    mov $231, %eax
    syscall
bad: ud2
carry:
    cmp $1, %ecx
    mov $9, %edx
    ret
one: inc %rbx
    ret
two: lea 2(%rbx), %rbx
    rep ret
three:
    jmp *table+8(%rip)
callee_pops:
    mov 8(%rsp), %rcx
    add %rcx, %rbx
    ret $16
.section .data.rel.ro,"aw"
.balign 8
table: .quad one, two, three
.text
)");"#;

#[test]
fn every_kind_of_jump() {
    assert!(check_steps(JUMPS, &[]) > 10_000);
}

/// Questions to the processor, with flags and the red zone in use across them.
const QUESTIONS: &str = r#"asm(R"(
.globl _start
_start:
    mov $300, %r12d
again:
    movq $0x55, -8(%rsp)
    xor %eax, %eax
    xor %ecx, %ecx
    stc
    cpuid
    adc $0, %r13
    xor %ecx, %ecx
    cmp $1, %ecx
    xgetbv
    adc -8(%rsp), %r13
    dec %r12d
    jnz again
    mov %r13, %rdi
    and $0x7f, %edi
    mov $231, %eax
    syscall
)");"#;

#[test]
fn questions_to_the_processor() {
    assert_eq!(check_steps(QUESTIONS, &[]), 1 + 300 * 12 + 4);
}

#[test]
fn compiled_code() {
    let source = r#"
    extern "C" void _start();
    struct Node { Node* left; Node* right; unsigned key; };
    static Node nodes[100]; static unsigned values[100]; static int used;
    struct Step { virtual unsigned operator()(unsigned x) = 0; };
    struct Add : Step { unsigned operator()(unsigned x) override { return x + 17; } };
    struct Mix : Step { unsigned operator()(unsigned x) override { return x * 2654435761u ^ x >> 7; } };
    static Node* insert(Node* at, unsigned key) {
        if (!at) { at = &nodes[used++]; at->key = key; return at; }
        (key < at->key ? at->left : at->right) = insert(key < at->key ? at->left : at->right, key);
        return at;
    }
    static unsigned walk(Node* at) { return at ? walk(at->left) * 31 + at->key + walk(at->right) : 1; }
    static unsigned pick(unsigned x) {
        switch (x % 9) { case 0: return x + 1; case 1: return x ^ 5; case 2: return x * 3; case 3: return x >> 2;
            case 4: return ~x; case 5: return x - 9; case 6: return x << 3; case 7: return x / 3; default: return 8; }
    }
    static void sort(unsigned* from, unsigned* to) {
        if (to - from < 2) return;
        unsigned pivot = from[(to - from) / 2]; unsigned *l = from, *r = to - 1;
        while (l <= r) { while (*l < pivot) l++; while (*r > pivot) r--;
            if (l <= r) { unsigned t = *l; *l++ = *r; *r-- = t; } }
        sort(from, r + 1); sort(l, to);
    }
    void _start() {
        Add add; Mix mix; Step* kinds[2]; kinds[0] = &add; kinds[1] = &mix;
        unsigned x = 1, sum = 0; Node* root = nullptr; double d = 1;
        for (unsigned i = 0; i < 100; i++) { x = (*kinds[i % 3 == 0])(x); values[i] = x; root = insert(root, x); sum += pick(x); d = d / 3 + x; }
        sort(values, values + 100);
        for (unsigned i = 1; i < 100; i++) sum += values[i - 1] <= values[i];
        sum += walk(root) + (unsigned)(long)d;
        asm volatile("syscall" :: "a"(231), "D"(sum & 0x7f));
        __builtin_unreachable();
    }"#;
    for flags in [&["-O2"][..], &["-O0"], &["-O3"]] {
        let flags = [
            flags,
            &[
                "-fno-tree-loop-distribute-patterns",
                "-fno-stack-protector",
                "-fno-rtti",
                "-mno-red-zone",
                "-mstackrealign",
            ],
        ]
        .concat();
        assert!(check_steps(source, &flags) > 20_000);
    }
}
