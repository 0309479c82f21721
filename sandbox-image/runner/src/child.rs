//! Between fork and exec: who the child is, what it may use, and where its interval begins.
//!
//! ```text
//! runner                       child
//!   fork ------------------->  set-up: files, processor, limits, user, fence, filter
//!   sleeps until it has ended  notes the clocks, exec
//! ```
//!
//! A file that the kernel refuses to execute is the program's own failure, as it is in a shell: the
//! child says why on its stderr and exits with [`NOT_EXECUTED`].

use crate::facts::{Reading, Schedule, nanoseconds, now, process_cpu};
use crate::fault::{At, Fault, Result};
use crate::fence::Fence;
use crate::measure::Kit;
use crate::note::Begin;
use crate::{facts, filter};
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::time::TimeValLike;
use nix::unistd::{self, ForkResult, Gid, Pid, Uid};
use runner_protocol::{Limits, PROGRAM_UID, SCRATCH_DIR};
use seccompiler::BpfProgram;
use std::convert::Infallible;
use std::ffi::{CString, c_uint};
use std::fs::{self, File};
use std::io::{self, Write};

/// The exit code of a child whose file cannot be executed, as shells have it.
const NOT_EXECUTED: i32 = 127;
/// What the OOM killer thinks of everything that is started: the first victim, never the runner.
const OOM_SCORE: &[u8] = b"1000";

/// What to start.
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
    /// The processor it is pinned to; without, those of this process.
    pub(crate) core: Option<u32>,
}

/// What confines a program: the same for every run, so it is made once.
pub(crate) struct Confinement {
    /// Whether programs run as another user than this process.
    own_user: bool,
    /// Whether this sandbox's user ids mean nobody else on the host.
    private_users: bool,
    fence: Fence,
    filter: BpfProgram,
}

impl Confinement {
    pub(crate) fn prepare() -> Result<Self> {
        let own_user = has_own_user();
        Ok(Self {
            own_user,
            private_users: facts::has_private_users(),
            fence: Fence::prepare(own_user)?,
            filter: filter::of_programs(own_user)?,
        })
    }

    /// Limits, another user where there is one, a fence around the files, and the filter.
    fn confine(&self, limits: &Limits) -> Result<()> {
        limit(limits)?;
        if self.private_users {
            setrlimit(Resource::RLIMIT_NPROC, limits.processes, limits.processes)
                .at("limit processes")?;
        }
        if self.own_user {
            let (user, group) = (Uid::from_raw(PROGRAM_UID), Gid::from_raw(PROGRAM_UID));
            unistd::setgroups(&[]).at("drop groups")?;
            unistd::setresgid(group, group, group).at("change group")?;
            unistd::setresuid(user, user, user).at("change user")?;
        }
        self.fence.raise()?;
        seccompiler::apply_filter(&self.filter).at("install the system call filter")
    }
}

/// Whether programs run as another user than this process.
pub(crate) fn has_own_user() -> bool {
    unistd::geteuid().is_root()
}

/// Forks a child that sets itself up and goes into exec. What it notes is in the kit's page.
pub(crate) fn fork(kit: &Kit, spec: &Spec<'_>) -> Result<Pid> {
    let path = CString::new(spec.path).at("path")?;
    let argv = strings(spec.argv.iter().cloned())?;
    let env = strings(environment(&spec.env))?;
    kit.note.clear();
    // SAFETY: this process has one thread, so the child may do whatever the parent could.
    match unsafe { unistd::fork() }.at("fork")? {
        ForkResult::Child => {
            let Err(fault) = set_up(kit, spec).and_then(|()| go(kit, &path, &argv, &env));
            kit.note.fail(&fault.to_string());
            // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
            unsafe { libc::_exit(NOT_EXECUTED) }
        }
        ForkResult::Parent { child } => Ok(child),
    }
}

fn set_up(kit: &Kit, spec: &Spec<'_>) -> Result<()> {
    unistd::setsid().at("setsid")?;
    if let Some([stdin, stdout, stderr]) = &spec.stdio {
        unistd::dup2_stdin(stdin).at("stdin")?;
        unistd::dup2_stdout(stdout).at("stdout")?;
        unistd::dup2_stderr(stderr).at("stderr")?;
    }
    close_on_exec();
    // Rust ignores SIGPIPE, and an ignored signal stays ignored over exec.
    // SAFETY: the default action runs no code of ours.
    unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) }.at("reset SIGPIPE")?;
    // The files of an undumpable process belong to the host's root.
    prctl::set_dumpable(true).at("set dumpable")?;
    fs::write("/proc/self/oom_score_adj", OOM_SCORE).at("raise the OOM score")?;
    if let Some(core) = spec.core {
        pin(&[core])?;
    }
    if let Some(limits) = spec.limits {
        unistd::chdir(SCRATCH_DIR).at("enter scratch")?;
        kit.confinement.confine(limits)?;
    }
    Ok(())
}

/// Notes where the interval begins, and begins it.
fn go(kit: &Kit, path: &CString, argv: &[CString], env: &[CString]) -> Result<Infallible> {
    let used = getrusage(UsageWho::RUSAGE_SELF).at("getrusage")?;
    let used_ns = [used.user_time(), used.system_time()]
        .map(|time| u64::try_from(time.num_nanoseconds()).unwrap_or(0));
    let delay_ns = Schedule::of_self().map(|schedule| schedule.delay_ns);
    let cpu_ns = process_cpu(unistd::getpid());
    let reading = Reading { clock_ns: nanoseconds(now()), cpu_ns, delay_ns };
    kit.note.begin(&Begin { reading, used_ns });
    match unistd::execve(path, argv, env) {
        // What the machine lacks, not the file.
        Err(lack @ (Errno::EAGAIN | Errno::EMFILE | Errno::ENFILE | Errno::EIO)) => {
            Err(Fault::new("exec", lack))
        }
        Err(errno) => {
            let _ = writeln!(io::stderr(), "{}: {}", path.to_string_lossy(), errno.desc());
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

/// Keeps this process, and what it starts from now on, to these processors.
pub(crate) fn pin(cores: &[u32]) -> Result<()> {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core as usize).at("choose a processor")?;
    }
    sched_setaffinity(Pid::from_raw(0), &set).at("keep to a processor")
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

fn strings(texts: impl IntoIterator<Item = String>) -> Result<Vec<CString>> {
    texts.into_iter().map(|text| CString::new(text).at("argument")).collect()
}
