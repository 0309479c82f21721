//! Transitions between generated code and Rust.
//!
//! Leaving generated code saves everything that Rust may change: the general registers, the flags,
//! the vector registers, and the base of fs, which points to the thread-local data of either side.
//! The base of gs stays: it is ours, and the program's instructions cannot use it.
//! The program's stack is never used, because the program may keep data below its stack pointer.

use crate::context::{Context, RSP};
use crate::leave_reason::{CALL, CROSS, ENTER, EXIT, IDENTIFY, INDIRECT, REASONS, RETURN};
use crate::machine;
use crate::sys;
use std::arch::{global_asm, naked_asm};
use std::mem::offset_of;

const REGISTERS: u64 = offset_of!(Context, registers) as u64;

global_asm!(
    "counter_on_indirect:",
    "mov rcx, gs:[{rcx}]",
    "mov gs:[{registers}], rax",
    "mov eax, {indirect}",
    "jmp 2f",
    "counter_on_call:",
    "mov rcx, gs:[{rcx}]",
    "mov gs:[{registers}], rax",
    "mov eax, {call}",
    "jmp 2f",
    "counter_on_enter:",
    "mov gs:[{registers}], rax",
    "mov eax, {enter}",
    "jmp 2f",
    "counter_on_return:",
    "mov gs:[{registers}], rax",
    "mov eax, {return}",
    "jmp 2f",
    "counter_on_cross:",
    "mov rcx, gs:[{rcx}]",
    "mov gs:[{registers}], rax",
    "mov eax, {cross}",
    "jmp 2f",
    "counter_on_identify:",
    "mov gs:[{registers}], rax",
    "mov eax, {identify}",
    "jmp 2f",
    "counter_on_exit:",
    "mov gs:[{registers}], rax",
    "mov eax, {exit}",
    "2:",
    "mov gs:[{registers} + 0x08], rcx",
    "mov gs:[{registers} + 0x10], rdx",
    "mov gs:[{registers} + 0x18], rbx",
    "mov gs:[{registers} + 0x20], rsp",
    "mov gs:[{registers} + 0x28], rbp",
    "mov gs:[{registers} + 0x30], rsi",
    "mov gs:[{registers} + 0x38], rdi",
    "mov gs:[{registers} + 0x40], r8",
    "mov gs:[{registers} + 0x48], r9",
    "mov gs:[{registers} + 0x50], r10",
    "mov gs:[{registers} + 0x58], r11",
    "mov gs:[{registers} + 0x60], r12",
    "mov gs:[{registers} + 0x68], r13",
    "mov gs:[{registers} + 0x70], r14",
    "mov gs:[{registers} + 0x78], r15",
    "mov rsp, gs:[{own_stack}]",
    "pushfq",
    "pop qword ptr gs:[{flags}]",
    "cld",
    "mov ebx, eax",
    "mov r12, gs:[{vectors}]",
    "mov eax, dword ptr gs:[{vector_state}]",
    "xor edx, edx",
    "test eax, eax",
    "jz 6f",
    "xsave64 [r12]",
    "jmp 7f",
    "6: fxsave64 [r12]",
    "7:",
    "mov rsi, gs:[{own_fs}]",
    "call 4f",
    "mov edi, ebx",
    "mov rsi, gs:[{machine}]",
    "call {arrive}",
    "mov gs:[{resume}], rax",
    "counter_resume:",
    "mov rsi, gs:[{program_fs}]",
    "call 4f",
    "mov r12, gs:[{vectors}]",
    "mov eax, dword ptr gs:[{vector_state}]",
    "xor edx, edx",
    "test eax, eax",
    "jz 8f",
    "xrstor64 [r12]",
    "jmp 9f",
    "8: fxrstor64 [r12]",
    "9:",
    "push qword ptr gs:[{flags}]",
    "popfq",
    "mov rax, gs:[{registers}]",
    "mov rcx, gs:[{registers} + 0x08]",
    "mov rdx, gs:[{registers} + 0x10]",
    "mov rbx, gs:[{registers} + 0x18]",
    "mov rsp, gs:[{registers} + 0x20]",
    "mov rbp, gs:[{registers} + 0x28]",
    "mov rsi, gs:[{registers} + 0x30]",
    "mov rdi, gs:[{registers} + 0x38]",
    "mov r8, gs:[{registers} + 0x40]",
    "mov r9, gs:[{registers} + 0x48]",
    "mov r10, gs:[{registers} + 0x50]",
    "mov r11, gs:[{registers} + 0x58]",
    "mov r12, gs:[{registers} + 0x60]",
    "mov r13, gs:[{registers} + 0x68]",
    "mov r14, gs:[{registers} + 0x70]",
    "mov r15, gs:[{registers} + 0x78]",
    "jmp qword ptr gs:[{resume}]",
    // Sets the base of fs to rsi.
    "4:",
    "cmp qword ptr gs:[{has_fsgsbase}], 0",
    "je 5f",
    "wrfsbase rsi",
    "ret",
    "5:",
    "mov edi, {set_fs}",
    "mov eax, {arch_prctl}",
    "syscall",
    "ret",
    registers = const REGISTERS,
    rcx = const offset_of!(Context, spilled_rcx) as u64,
    own_stack = const offset_of!(Context, own_stack) as u64,
    flags = const offset_of!(Context, flags) as u64,
    vector_state = const offset_of!(Context, vector_state) as u64,
    own_fs = const offset_of!(Context, own_fs) as u64,
    program_fs = const offset_of!(Context, program_fs) as u64,
    has_fsgsbase = const offset_of!(Context, has_fsgsbase) as u64,
    machine = const offset_of!(Context, machine) as u64,
    resume = const offset_of!(Context, resume) as u64,
    vectors = const offset_of!(Context, vectors) as u64,
    exit = const EXIT,
    indirect = const INDIRECT,
    call = const CALL,
    enter = const ENTER,
    return = const RETURN,
    cross = const CROSS,
    identify = const IDENTIFY,
    set_fs = const sys::ARCH_SET_FS,
    arch_prctl = const libc::SYS_arch_prctl,
    arrive = sym machine::arrive,
);

unsafe extern "C" {
    fn counter_on_exit();
    fn counter_on_indirect();
    fn counter_on_call();
    fn counter_on_enter();
    fn counter_on_return();
    fn counter_on_cross();
    fn counter_on_identify();
}

/// The entry points into Rust, one for each reason to leave generated code, in the order of
/// [`leave_reason`](crate::leave_reason).
pub(crate) fn ways_in() -> [u64; REASONS] {
    [
        counter_on_exit as *const (),
        counter_on_indirect as *const (),
        counter_on_call as *const (),
        counter_on_enter as *const (),
        counter_on_return as *const (),
        counter_on_cross as *const (),
        counter_on_identify as *const (),
    ]
    .map(|way| way as u64)
}

/// Starts the program: `context().resume` is its first translated instruction, and
/// `context().registers` holds its stack pointer.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn start() -> ! {
    naked_asm!(
        // Calls into Rust start here, so the stack must be aligned as before a call.
        "and rsp, -16",
        "mov gs:[{own_stack}], rsp",
        "jmp counter_resume",
        own_stack = const offset_of!(Context, own_stack) as u64,
    )
}

const _: () = assert!(RSP == 4, "the offsets above are those of the registers' numbers");
