//! Traces a process to find the calls on its stack: at a signal, at a limit of time, or often.
//!
//! The child asks to be traced before exec, because a runner without `CAP_SYS_PTRACE` may not
//! attach to a process of another user. The kernel then stops the child at each signal. Whatever
//! the runner cannot read stays unknown: tracing is never a reason to fail.

mod samples;
mod view;

pub(crate) use samples::Samples;

use crate::sys::facts::now;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use profiler_decode::unwind::{Calls, MAX_CALLS, REGISTERS, Registers, Unwinder};
use std::ptr;
use std::time::Duration;
use view::view;

/// Signals of a crash.
const CRASHES: [i32; 7] = [
    libc::SIGSEGV,
    libc::SIGABRT,
    libc::SIGFPE,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGSYS,
];
/// Maximum number of times that a stack is read. A program may handle its signals.
const MAX_LOOKS: u32 = 8;
/// Maximum time for one stack.
const LOOK_TIME: Duration = Duration::from_millis(500);
/// Options of ptrace(2): trace new threads, report exec as an event, end with the tracer.
const OPTIONS: libc::c_int =
    libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL;
const NT_PRSTATUS: usize = 1;

/// Lets the parent trace this process. Without the permission, nothing is traced.
pub(crate) fn accept() {
    // SAFETY: takes no pointers.
    unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
}

/// A traced process, and what is known of its stack.
pub(crate) struct Tracee<'a> {
    pub(crate) pid: Pid,
    /// Path of its program.
    program: &'a str,
    has_begun: bool,
    /// Whether it was told to stop for a look at its stack.
    pub(crate) is_stopping: bool,
    looks: u32,
    /// The last signal at which the stack was read, and the calls on it.
    pub(crate) seen: Option<(i32, Calls)>,
    /// The samples of its stack, if it is traced for them.
    pub(crate) samples: Option<Samples<'a>>,
}

/// State of a process and its threads.
pub(crate) enum Event {
    /// The process has ended with this wait status, and is reaped.
    Ended(i32),
    /// A thread stopped at this signal and goes on, or something else ended.
    Passed(i32),
    /// Nothing happened.
    Nothing,
}

impl<'a> Tracee<'a> {
    /// A process that is traced to its crash, or to a stop.
    pub(crate) fn new(pid: Pid, program: &'a str) -> Self {
        let (has_begun, is_stopping, looks) = (false, false, 0);
        Self { pid, program, has_begun, is_stopping, looks, seen: None, samples: None }
    }

    /// A process each of whose stops is a sample.
    pub(crate) fn sampled(pid: Pid, program: &'a str) -> Self {
        Self { samples: Some(Samples::default()), ..Self::new(pid, program) }
    }

    /// Stops the process for a look at its stack.
    pub(crate) fn stop(&mut self) {
        self.is_stopping = true;
        // It may already have ended by itself.
        let _ = kill(self.pid, Signal::SIGSTOP);
    }

    /// Handles the next event of the process, its threads and its children. A look at a stack ends
    /// once `is_late`.
    pub(crate) fn next(&mut self, is_late: &dyn Fn() -> bool) -> Event {
        let mut status = 0;
        // SAFETY: the pointer is to a live, writable value.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) };
        match thread {
            0 | -1 => Event::Nothing,
            thread if libc::WIFSTOPPED(status) => Event::Passed(self.pass(thread, status, is_late)),
            thread if thread == self.pid.as_raw() => Event::Ended(status),
            _ => Event::Passed(0),
        }
    }

    /// Looks at a stopped thread if it crashes, and lets it go on. Returns its signal; 0 for an
    /// event.
    fn pass(&mut self, thread: libc::pid_t, status: i32, is_late: &dyn Fn() -> bool) -> i32 {
        let signal = libc::WSTOPSIG(status);
        let is_event = status >> 16 != 0;
        let is_exec = !self.has_begun && signal == libc::SIGTRAP;
        if !self.has_begun {
            self.has_begun = true;
            request(libc::PTRACE_SETOPTIONS, thread, OPTIONS as usize);
        }
        let delivered = if is_event || is_exec || signal == libc::SIGSTOP { 0 } else { signal };
        let is_stopped = self.is_stopping && signal == libc::SIGSTOP && !is_event;
        if let Some(samples) = &mut self.samples {
            samples.has_threads |= status >> 16 == libc::PTRACE_EVENT_CLONE;
            if is_stopped {
                self.is_stopping = false;
                samples.take((self.pid, self.program), registers(thread), is_late);
            }
        } else if is_stopped || CRASHES.contains(&delivered) {
            self.look(thread, signal, is_late);
        }
        request(libc::PTRACE_CONT, thread, delivered.unsigned_abs() as usize);
        if is_event { 0 } else { signal }
    }

    fn look(&mut self, thread: libc::pid_t, signal: i32, is_late: &dyn Fn() -> bool) {
        if self.looks < MAX_LOOKS {
            self.looks += 1;
            let calls = registers(thread).and_then(|registers| self.calls(registers, is_late));
            self.seen = calls.map(|calls| (signal, calls));
        }
    }

    fn calls(&self, registers: Registers, is_late: &dyn Fn() -> bool) -> Option<Calls> {
        let (mappings, memory) = view(self.pid)?;
        let until = now() + LOOK_TIME;
        let is_over = || now() > until || is_late();
        Some(Unwinder::new(mappings, self.program).calls(&memory, registers, MAX_CALLS, is_over))
    }
}

/// Makes a request of ptrace(2) whose third argument is unused.
fn request(request: libc::c_uint, thread: libc::pid_t, data: usize) {
    // SAFETY: these requests take numbers, not pointers. The thread may be gone already.
    unsafe { libc::ptrace(request, thread, 0_usize, data) };
}

/// The registers of a stopped thread.
fn registers(thread: libc::pid_t) -> Option<Registers> {
    // SAFETY: it is plain integers, for which all zeroes is a value.
    let mut kept: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let (base, length) = (&raw mut kept, size_of_val(&kept));
    let mut vector = libc::iovec { iov_base: base.cast(), iov_len: length };
    // SAFETY: the vector describes a live, writable value.
    let done = unsafe {
        libc::ptrace(libc::PTRACE_GETREGSET, thread, NT_PRSTATUS, ptr::from_mut(&mut vector))
    };
    Errno::result(done).ok().map(|_| numbered(&kept))
}

/// The registers by DWARF's numbers.
#[cfg(target_arch = "x86_64")]
fn numbered(kept: &libc::user_regs_struct) -> Registers {
    let mut values = [None; REGISTERS];
    let general = [
        kept.rax, kept.rdx, kept.rcx, kept.rbx, kept.rsi, kept.rdi, kept.rbp, kept.rsp, kept.r8,
        kept.r9, kept.r10, kept.r11, kept.r12, kept.r13, kept.r14, kept.r15,
    ];
    for (value, register) in values.iter_mut().zip(general) {
        *value = Some(register);
    }
    Registers { pc: kept.rip, values }
}

/// The registers by DWARF's numbers.
#[cfg(target_arch = "aarch64")]
fn numbered(kept: &libc::user_regs_struct) -> Registers {
    let mut values = [None; REGISTERS];
    for (value, register) in values.iter_mut().zip(kept.regs.into_iter().chain([kept.sp])) {
        *value = Some(register);
    }
    Registers { pc: kept.pc, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::{fs, thread};

    #[test]
    fn busy_program_is_seen_in_its_own_code() {
        let shell = fs::canonicalize("/bin/sh").unwrap();
        let mut command = Command::new(&shell);
        command.args(["-c", "while :; do :; done"]);
        let at_start = || {
            accept();
            Ok(())
        };
        // SAFETY: between fork and exec, it makes one system call.
        let mut child = unsafe { command.pre_exec(at_start) }.spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
        let mut tracee = Tracee::sampled(pid, shell.to_str().unwrap());
        let begun = now();
        let taken = |tracee: &Tracee<'_>| tracee.samples.as_ref().map_or(0, |it| it.taken);
        while taken(&tracee) < 20 && now() < begun + Duration::from_secs(10) {
            if matches!(tracee.next(&|| false), Event::Nothing) {
                thread::sleep(Duration::from_millis(1));
                if !tracee.is_stopping {
                    tracee.stop();
                }
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let samples = tracee.samples.unwrap();
        assert_eq!((samples.taken, samples.has_threads), (20, false));
        let own = samples.stacks.iter().filter(|(stack, _)| !stack.is_empty());
        assert!(own.map(|(_, count)| count).sum::<u32>() > 10, "{:?}", samples.stacks);
    }
}
