//! Between fork and exec: who the child is, what it may use, and the gate it waits at.
//!
//! ```text
//! runner                       child
//!   fork ------------------->  set-up: files, limits, user, filter
//!   <---- READY + its usage -  waits at the gate
//!   reads clocks, opens -----> exec            (the status pipe closes)
//!   <---- or: why not -------
//! ```
//!
//! A file that the kernel refuses to execute is the program's own failure, as it is in a shell: the
//! child says why on its stderr and exits with [`NOT_EXECUTED`].

use crate::fault::{At, Fault, Result};
use crate::notice::Post;
use crate::{facts, fence, filter};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::personality::{self, Persona};
use nix::sys::prctl;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::unistd::{self, ForkResult, Gid, Pid, Uid};
use runner_protocol::{Limits, PROGRAM_UID, SCRATCH_DIR};
use std::convert::Infallible;
use std::ffi::{CString, c_uint};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

/// The first byte of the status pipe: the child waits at the gate, and its usage follows.
const READY: u8 = b'R';
/// The exit code of a child whose file cannot be executed, as shells have it.
const NOT_EXECUTED: i32 = 127;
/// The descriptor of [`Spec::result`]: the first after stderr.
const RESULT: RawFd = 3;
/// What the OOM killer thinks of everything that is started: the first victim, never the runner.
const OOM_SCORE: &[u8] = b"1000";

/// What to start.
#[derive(Default)]
pub(crate) struct Spec<'a> {
    /// The program's path, and its arguments from its own name on.
    pub(crate) path: &'a str,
    pub(crate) argv: Vec<String>,
    /// Variables beyond the fixed environment.
    pub(crate) env: Vec<(&'a str, String)>,
    /// stdin, stdout and stderr; what this process has, if absent.
    pub(crate) stdio: Option<[File; 3]>,
    /// Limits and confinement; without, it is one of ours, like `/usr/bin/time`.
    pub(crate) limits: Option<&'a Limits>,
    /// What it finds open as descriptor [`RESULT`].
    pub(crate) result: Option<File>,
    /// Who hears of its calls.
    pub(crate) notices: Option<&'a Post>,
}

/// A child at the gate.
pub(crate) struct Child {
    pub(crate) pid: Pid,
    /// User and system time of its set-up, in nanoseconds.
    pub(crate) used_ns: [u64; 2],
    gate: OwnedFd,
    status: File,
}

/// Whether programs run as another user than this process.
pub(crate) fn has_own_user() -> bool {
    unistd::geteuid().is_root()
}

/// Forks a child that sets itself up and waits at the gate.
pub(crate) fn fork(spec: Spec<'_>) -> Result<Child> {
    let pipe = || unistd::pipe2(OFlag::O_CLOEXEC).at("pipe");
    let ((status, mut report), (entry, gate)) =
        (pipe().map(|(r, w)| (File::from(r), File::from(w)))?, pipe()?);
    // SAFETY: this process has one thread, so the child may do whatever the parent could.
    match unsafe { unistd::fork() }.at("fork")? {
        ForkResult::Child => {
            drop((status, gate));
            let Err(fault) = become_program(spec, &mut report, File::from(entry));
            let _ = report.write_all(fault.to_string().as_bytes());
            // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
            unsafe { libc::_exit(NOT_EXECUTED) }
        }
        ForkResult::Parent { child: pid } => {
            drop((report, entry));
            let mut child = Child { pid, used_ns: [0; 2], gate, status };
            child.await_gate()?;
            Ok(child)
        }
    }
}

impl Child {
    fn await_gate(&mut self) -> Result<()> {
        let mut message = [0; 17];
        match self.status.read_exact(&mut message) {
            Ok(()) if message[0] == READY => {
                for (used, bytes) in self.used_ns.iter_mut().zip(message[1..].chunks(8)) {
                    *used = bytes.try_into().map(u64::from_le_bytes).at("child status")?;
                }
                Ok(())
            }
            _ => {
                let mut rest = message.to_vec();
                self.status.read_to_end(&mut rest).at("child status")?;
                let text = String::from_utf8_lossy(&rest);
                Err(Fault::new("set up the child", text.trim_end_matches('\0')))
            }
        }
    }

    /// Whether the child lives and runs the program: exec has closed its end of the status pipe, and it
    /// had nothing to say. A child that has ended is found to have executed as well.
    pub(crate) fn has_executed(&self) -> bool {
        let mut status = [PollFd::new(self.status.as_fd(), PollFlags::POLLIN)];
        poll(&mut status, PollTimeout::ZERO).is_ok()
            && status[0].revents() == Some(PollFlags::POLLHUP)
    }

    /// Lets the child go into exec.
    pub(crate) fn open_gate(&self) -> Result<()> {
        unistd::write(&self.gate, &[1]).map(drop).at("open the gate")
    }

    /// Why exec failed for want of something of ours, if it did. Call after the child has ended.
    pub(crate) fn exec_failure(&mut self) -> Option<Fault> {
        let mut text = String::new();
        self.status.read_to_string(&mut text).ok()?;
        (!text.is_empty()).then(|| Fault::new("start the program", text))
    }
}

fn become_program(spec: Spec<'_>, report: &mut File, mut gate: File) -> Result<Infallible> {
    unistd::setsid().at("setsid")?;
    if let Some([stdin, stdout, stderr]) = &spec.stdio {
        unistd::dup2_stdin(stdin).at("stdin")?;
        unistd::dup2_stdout(stdout).at("stdout")?;
        unistd::dup2_stderr(stderr).at("stderr")?;
    }
    close_on_exec();
    if let Some(result) = &spec.result {
        hand_over(result, &[report, &gate])?;
    }
    // Rust ignores SIGPIPE, and an ignored signal stays ignored over exec.
    // SAFETY: the default action runs no code of ours.
    unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) }.at("reset SIGPIPE")?;
    // The files of an undumpable process belong to the host's root.
    prctl::set_dumpable(true).at("set dumpable")?;
    fs::write("/proc/self/oom_score_adj", OOM_SCORE).at("raise the OOM score")?;
    if let Some(limits) = spec.limits {
        unistd::chdir(SCRATCH_DIR).at("enter scratch")?;
        limit(limits)?;
        personality::set(Persona::ADDR_NO_RANDOMIZE).at("switch off address randomisation")?;
        confine()?;
    }
    let path = CString::new(spec.path).at("path")?;
    let argv = strings(spec.argv)?;
    let env = strings(environment(&spec.env))?;
    if let Some(post) = spec.notices {
        post.install()?;
    }
    let used = getrusage(UsageWho::RUSAGE_SELF).at("getrusage")?;
    report.write_all(&[READY]).at("report")?;
    for time in [used.user_time(), used.system_time()] {
        let ns = u64::try_from(nix::sys::time::TimeValLike::num_nanoseconds(&time)).at("usage")?;
        report.write_all(&ns.to_le_bytes()).at("report")?;
    }
    gate.read_exact(&mut [0]).at("wait at the gate")?;
    match unistd::execve(&path, &argv, &env) {
        // What the machine lacks, not the file.
        Err(lack @ (Errno::EAGAIN | Errno::EMFILE | Errno::ENFILE | Errno::EIO)) => {
            Err(Fault::new("exec", lack))
        }
        Err(errno) => {
            let _ = writeln!(io::stderr(), "{}: {}", spec.path, errno.desc());
            // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
            unsafe { libc::_exit(NOT_EXECUTED) }
        }
    }
}

/// Closes everything but stdin, stdout and stderr at exec, whatever it was opened with.
fn close_on_exec() {
    // SAFETY: takes plain integers and touches no memory.
    let closed =
        unsafe { libc::syscall(libc::SYS_close_range, 3, c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    // Kernels before 5.11 have no such call. All our descriptors are O_CLOEXEC anyway.
    let _ = closed;
}

/// Gives `result` the number [`RESULT`], open over exec. Nothing that the child still needs may have it.
fn hand_over(result: &File, needed: &[&File]) -> Result<()> {
    if needed.iter().any(|file| file.as_raw_fd() == RESULT) {
        return Err(Fault::new("hand over the result", "its number is taken"));
    }
    let done = match result.as_raw_fd() {
        // SAFETY: takes plain integers, and changes no more than what happens at exec.
        RESULT => unsafe { libc::fcntl(RESULT, libc::F_SETFD, 0) },
        // SAFETY: whatever of ours has that number, the child does not use it any more.
        other => unsafe { libc::dup2(other, RESULT) },
    };
    Errno::result(done).map(drop).at("hand over the result")
}

fn limit(limits: &Limits) -> Result<()> {
    for (resource, soft, hard) in [
        (Resource::RLIMIT_AS, limits.address_space_bytes, limits.address_space_bytes),
        (Resource::RLIMIT_STACK, limits.stack_bytes, limits.stack_bytes),
        (Resource::RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (Resource::RLIMIT_NOFILE, limits.open_files, limits.open_files),
        // One second between SIGXCPU and SIGKILL.
        (Resource::RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1),
        (Resource::RLIMIT_CORE, 0, 0),
        (Resource::RLIMIT_MEMLOCK, 0, 0),
        (Resource::RLIMIT_MSGQUEUE, 0, 0),
    ] {
        setrlimit(resource, soft, hard).at("set a resource limit")?;
    }
    if facts::has_private_users() {
        setrlimit(Resource::RLIMIT_NPROC, limits.processes, limits.processes)
            .at("limit processes")?;
    }
    Ok(())
}

/// Another user where there is one, a fence around the files, no way to more rights, and the filter.
fn confine() -> Result<()> {
    let own_user = has_own_user();
    if own_user {
        let (user, group) = (Uid::from_raw(PROGRAM_UID), Gid::from_raw(PROGRAM_UID));
        unistd::setgroups(&[]).at("drop groups")?;
        unistd::setresgid(group, group, group).at("change group")?;
        unistd::setresuid(user, user, user).at("change user")?;
    }
    prctl::set_no_new_privs().at("set no_new_privs")?;
    fence::raise(own_user)?;
    for program in filter::compiled(own_user)? {
        seccompiler::apply_filter(program).at("install the system call filter")?;
    }
    Ok(())
}

/// The same for every program: nothing of the host, a fixed locale and time zone.
fn environment(more: &[(&str, String)]) -> Vec<String> {
    let fixed = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", SCRATCH_DIR),
        ("TMPDIR", SCRATCH_DIR),
        ("LC_ALL", "C"),
        ("TZ", "UTC"),
    ];
    let fixed = fixed.into_iter().map(|(name, value)| format!("{name}={value}"));
    fixed.chain(more.iter().map(|(name, value)| format!("{name}={value}"))).collect()
}

fn strings(texts: Vec<String>) -> Result<Vec<CString>> {
    texts.into_iter().map(|text| CString::new(text).at("argument")).collect()
}
