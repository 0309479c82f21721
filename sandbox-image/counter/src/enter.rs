//! Transitions between generated code and Rust.
//!
//! Leaving generated code saves everything that Rust may change: the general registers, the flags,
//! the vector registers, and the base of fs, which points to the thread-local data of either side.
//! The program's stack is never used, because the program may keep data below its stack pointer.

use crate::context::{Context, RSP};
use crate::layout::{CONTEXT, VECTORS};
use crate::leave_reason::{CALL, CROSS, ENTER, EXIT, IDENTIFY, INDIRECT, REASONS, RETURN};
use crate::machine;
use crate::sys;
use std::arch::{global_asm, naked_asm};
use std::mem::offset_of;

const REGISTERS: u64 = CONTEXT + offset_of!(Context, registers) as u64;

global_asm!(
    "counter_on_indirect:",
    "mov rcx, [{rcx}]",
    "mov [{registers}], rax",
    "mov eax, {indirect}",
    "jmp 2f",
    "counter_on_call:",
    "mov rcx, [{rcx}]",
    "mov [{registers}], rax",
    "mov eax, {call}",
    "jmp 2f",
    "counter_on_enter:",
    "mov [{registers}], rax",
    "mov eax, {enter}",
    "jmp 2f",
    "counter_on_return:",
    "mov [{registers}], rax",
    "mov eax, {return}",
    "jmp 2f",
    "counter_on_cross:",
    "mov rcx, [{rcx}]",
    "mov [{registers}], rax",
    "mov eax, {cross}",
    "jmp 2f",
    "counter_on_identify:",
    "mov [{registers}], rax",
    "mov eax, {identify}",
    "jmp 2f",
    "counter_on_exit:",
    "mov [{registers}], rax",
    "mov eax, {exit}",
    "2:",
    "mov [{registers} + 0x08], rcx",
    "mov [{registers} + 0x10], rdx",
    "mov [{registers} + 0x18], rbx",
    "mov [{registers} + 0x20], rsp",
    "mov [{registers} + 0x28], rbp",
    "mov [{registers} + 0x30], rsi",
    "mov [{registers} + 0x38], rdi",
    "mov [{registers} + 0x40], r8",
    "mov [{registers} + 0x48], r9",
    "mov [{registers} + 0x50], r10",
    "mov [{registers} + 0x58], r11",
    "mov [{registers} + 0x60], r12",
    "mov [{registers} + 0x68], r13",
    "mov [{registers} + 0x70], r14",
    "mov [{registers} + 0x78], r15",
    "mov rsp, [{own_stack}]",
    "pushfq",
    "pop qword ptr [{flags}]",
    "cld",
    "mov ebx, eax",
    "mov r12d, {vectors}",
    "mov eax, dword ptr [{vector_state}]",
    "xor edx, edx",
    "test eax, eax",
    "jz 6f",
    "xsave64 [r12]",
    "jmp 7f",
    "6: fxsave64 [r12]",
    "7:",
    "mov rsi, [{own_fs}]",
    "call 4f",
    "mov edi, ebx",
    "mov rsi, [{machine}]",
    "call {arrive}",
    "mov [{resume}], rax",
    "counter_resume:",
    "mov rsi, [{program_fs}]",
    "call 4f",
    "mov r12d, {vectors}",
    "mov eax, dword ptr [{vector_state}]",
    "xor edx, edx",
    "test eax, eax",
    "jz 8f",
    "xrstor64 [r12]",
    "jmp 9f",
    "8: fxrstor64 [r12]",
    "9:",
    "push qword ptr [{flags}]",
    "popfq",
    "mov rax, [{registers}]",
    "mov rcx, [{registers} + 0x08]",
    "mov rdx, [{registers} + 0x10]",
    "mov rbx, [{registers} + 0x18]",
    "mov rsp, [{registers} + 0x20]",
    "mov rbp, [{registers} + 0x28]",
    "mov rsi, [{registers} + 0x30]",
    "mov rdi, [{registers} + 0x38]",
    "mov r8, [{registers} + 0x40]",
    "mov r9, [{registers} + 0x48]",
    "mov r10, [{registers} + 0x50]",
    "mov r11, [{registers} + 0x58]",
    "mov r12, [{registers} + 0x60]",
    "mov r13, [{registers} + 0x68]",
    "mov r14, [{registers} + 0x70]",
    "mov r15, [{registers} + 0x78]",
    "jmp qword ptr [{resume}]",
    // Sets the base of fs to rsi.
    "4:",
    "cmp qword ptr [{has_fsgsbase}], 0",
    "je 5f",
    "wrfsbase rsi",
    "ret",
    "5:",
    "mov edi, {set_fs}",
    "mov eax, {arch_prctl}",
    "syscall",
    "ret",
    registers = const REGISTERS,
    rcx = const CONTEXT + offset_of!(Context, spilled_rcx) as u64,
    own_stack = const CONTEXT + offset_of!(Context, own_stack) as u64,
    flags = const CONTEXT + offset_of!(Context, flags) as u64,
    vector_state = const CONTEXT + offset_of!(Context, vector_state) as u64,
    own_fs = const CONTEXT + offset_of!(Context, own_fs) as u64,
    program_fs = const CONTEXT + offset_of!(Context, program_fs) as u64,
    has_fsgsbase = const CONTEXT + offset_of!(Context, has_fsgsbase) as u64,
    machine = const CONTEXT + offset_of!(Context, machine) as u64,
    resume = const CONTEXT + offset_of!(Context, resume) as u64,
    vectors = const VECTORS,
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
        "mov [{own_stack}], rsp",
        "jmp counter_resume",
        own_stack = const CONTEXT + offset_of!(Context, own_stack) as u64,
    )
}

const _: () = assert!(RSP == 4, "the offsets above are those of the registers' numbers");
