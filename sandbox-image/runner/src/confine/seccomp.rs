//! The system calls that no untrusted program may make, in every backend.
//!
//! The runner does not need most of them either. It installs a filter on itself before its first
//! child, and children inherit the filter at no cost. A second filter refuses programs the calls
//! that the runner needs. Each run installs it, so it has one step a call, and leaves the rest to
//! the inherited one, such as looking at the architecture. The strictest filter decides.
//!
//! Refused calls fail with EPERM. `clone3` and `openat2` fail with ENOSYS: their flags are in
//! memory, where a filter cannot read them, and callers then use the older call. Only programs are
//! refused `clone3`, with which the runner starts them. A call of another architecture kills.
//!
//! A shared mapping without a file holds memory that may be in no resident set, so only a memory
//! cgroup can limit it. Without a memory cgroup, such mappings are refused, and so is `vmsplice`: a
//! pipe that receives a part of a huge page keeps the whole page. Mappings of huge pages are in no
//! resident set, and memory cgroups do not count them, so they are always refused.
//!
//! Landlock does not cover a file's mode, and before Linux 6.2 it does not cover truncation. If the
//! program runs as the runner's own user, it owns the runner's files. Then calls that change modes
//! or truncate files are refused too.

pub(crate) mod install;

use crate::sys::fault::{Result, Stage};
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;

/// Calls that are refused to programs, and that the runner does not need after its start.
const REFUSED: &[c_long] = &[
    // other processes, and the measurement
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // objects that outlive a process
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // memory that is in no resident set
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // the network
    libc::SYS_socket,
    // namespaces and mounts
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    STATMOUNT,
    LISTMOUNT,
    // attributes of files: those of stdout would survive until the next run, which could read in
    // them what this run has computed
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    FILE_SETATTR,
    // wide attack surface
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    CACHESTAT,
    libc::SYS_sync,
    libc::SYS_syncfs,
    // placement of memory: the kernel keeps a policy for each page of a tmpfs file, which the next
    // run could read
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_get_mempolicy,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_set_mempolicy_home_node,
    // the machine
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
];

/// Calls that set the times of files, and one that makes segments of memory. Only x86-64 has them,
/// and the runner does not use them.
#[cfg(target_arch = "x86_64")]
const REFUSED_OLD: &[c_long] =
    &[libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLD: &[c_long] = &[];

/// Calls that are refused to programs only. The runner traces a program that crashes, changes the
/// root of programs, pins them to processors, sets the times of files and installs filters, and its
/// child sends a descriptor over a socket pair (`seccomp_notify.rs`). The times of a program's
/// stdout would survive until the next run, and those of a device belong to the host. By the number
/// of filters that it can still install, a program could tell a memory probe from other runs.
const REFUSED_TO_PROGRAMS: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_chroot,
    libc::SYS_sched_setaffinity,
    libc::SYS_socketpair,
    libc::SYS_utimensat,
    libc::SYS_seccomp,
    libc::SYS_personality,
];
/// Requests of `ioctl` that change attributes of a file: `FS_IOC_SETFLAGS`, `FS_IOC32_SETFLAGS` and
/// `FS_IOC_FSSETXATTR`.
const REFUSED_REQUESTS: [u64; 3] = [0x4008_6602, 0x4004_6602, 0x401c_5820];
/// Commands of `fcntl`: `F_SET_RW_HINT` and `F_SET_FILE_RW_HINT`, which change attributes of a file
/// too, and `F_NOTIFY`, which reports when somebody uses a folder of the host.
const REFUSED_COMMANDS: [u64; 3] = [1036, 1038, 1026];

/// Advice of `madvise` that changes a file's pages for later runs: `MADV_COLD`, `MADV_PAGEOUT` and
/// `MADV_COLLAPSE`.
const MARKING_ADVICE: [libc::c_int; 3] = [20, 21, 25];

/// Calls that are also refused if the program owns the runner's files.
const REFUSED_TO_OWNERS: &[c_long] = &[
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
];
/// The same calls by names that only x86-64 has.
#[cfg(target_arch = "x86_64")]
const REFUSED_TO_OWNERS_OLD: &[c_long] = &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_TO_OWNERS_OLD: &[c_long] = &[];
/// The calls that open a file, with the index of the argument that holds their flags.
#[cfg(target_arch = "x86_64")]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_open, 1), (libc::SYS_openat, 2)];
#[cfg(not(target_arch = "x86_64"))]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_openat, 2)];
/// `cachestat`, of Linux 6.5, which shows what others have read.
const CACHESTAT: c_long = 451;
/// `statmount` and `listmount`, of Linux 6.8, which show the host's mounts.
const STATMOUNT: c_long = 457;
const LISTMOUNT: c_long = 458;
/// `setxattrat` and `removexattrat`, of Linux 6.13, have one number on every architecture.
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
/// `open_tree_attr`, of Linux 6.15, and `file_setattr`, of Linux 6.17.
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;
/// `fchmodat2`, of Linux 6.6, has one number on every architecture.
const FCHMODAT2: c_long = 452;
/// The bit that marks the numbers of x32 system calls: x86-64 has a second set of calls, for
/// programs with 32-bit pointers. A filter sees the same architecture for both sets.
#[cfg(target_arch = "x86_64")]
const X32_BIT: u32 = 0x4000_0000;

/// The flags of `clone` that create a namespace.
const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Permanently refuses this process and its children the calls that neither needs.
pub(crate) fn confine_runner() -> Result<()> {
    for program in [
        for_all()?,
        unknown(libc::SYS_openat2)?,
        #[cfg(target_arch = "x86_64")]
        short_pointers()?,
    ] {
        seccompiler::apply_filter(&program).stage("install the system call filter")?;
    }
    Ok(())
}

/// Builds the filter of the runner, which its children inherit.
fn for_all() -> Result<BpfProgram> {
    let refused = REFUSED.iter().chain(REFUSED_OLD);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        refused.map(|&call| (call, Vec::new())).collect();
    for (call, refused) in
        [(libc::SYS_ioctl, &REFUSED_REQUESTS[..]), (libc::SYS_fcntl, &REFUSED_COMMANDS)]
    {
        let refused = refused.iter().map(|&value| word(1, value));
        rules.insert(call, refused.collect::<Result<_>>()?);
    }
    rules.insert(libc::SYS_mmap, vec![flagged(3, libc::MAP_HUGETLB)?]);
    // The next run could notice which pages are missing from the page cache. A memory cgroup counts
    // such pages, so a run that drops them could hold more memory.
    let drops = word(3, unsigned(libc::POSIX_FADV_DONTNEED))?;
    rules.insert(libc::SYS_fadvise64, vec![drops]);
    let marks = MARKING_ADVICE.iter().map(|&advice| word(2, unsigned(advice)));
    rules.insert(libc::SYS_madvise, marks.collect::<Result<_>>()?);
    // This flag reveals, without a clock, whether a page is in the cache.
    rules.insert(libc::SYS_preadv2, vec![flagged(5, libc::RWF_NOWAIT)?]);
    for bit in (0..libc::c_int::BITS).map(|bit| 1 << bit).filter(|bit| NAMESPACES & bit != 0) {
        rules.entry(libc::SYS_clone).or_default().push(flagged(0, bit)?);
    }
    // Limits of others could be a runner's. Personality 0 places the counter at random addresses.
    let other = || condition(0, SeccompCmpOp::Ne, 0).map(|it| vec![it]);
    rules.extend([(libc::SYS_prlimit64, other()?), (libc::SYS_personality, other()?)]);
    // One request moves the borders of heap and stack, by which the runner tells memory regions
    // apart; the other installs filters.
    let requests = [libc::PR_SET_MM, libc::PR_SET_SECCOMP].map(|it| word(0, unsigned(it)));
    rules.insert(libc::SYS_prctl, requests.into_iter().collect::<Result<_>>()?);
    // If a program ignores SIGCHLD, the kernel reaps its children, and their time is in no sum. The
    // new action is in memory, where a filter cannot read it, so every new action is refused. The
    // kernel ignores the upper half of a signal's register. The runner has set its own action.
    let child = unsigned(libc::SIGCHLD);
    let new_action = [
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, child),
        SeccompCondition::new(1, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0),
    ];
    let new_action = new_action.into_iter().collect::<std::result::Result<_, _>>();
    let new_action = new_action.and_then(SeccompRule::new).stage("seccomp filter")?;
    rules.insert(libc::SYS_rt_sigaction, vec![new_action]);
    refusing(rules, libc::EPERM)
}

/// Builds the filter that programs get in addition to the inherited one. `own_user` says whether
/// they have a user of their own, and `has_cgroup` whether a memory cgroup counts only them.
pub(crate) fn for_programs(own_user: bool, has_cgroup: bool) -> Result<BpfProgram> {
    let mut refused = REFUSED_TO_PROGRAMS.to_vec();
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    if !has_cgroup {
        refused.push(libc::SYS_vmsplice);
        // `MAP_SHARED_VALIDATE` has the bit of `MAP_SHARED`.
        rules.insert(libc::SYS_mmap, vec![flagged(3, libc::MAP_SHARED | libc::MAP_ANONYMOUS)?]);
    }
    if !own_user {
        let owners = REFUSED_TO_OWNERS.iter().chain(REFUSED_TO_OWNERS_OLD);
        refused.extend(owners);
        // Opening a file only for reading can still truncate it, and so can a mode that allows
        // neither reading nor writing.
        let flags = SeccompCmpOp::MaskedEq(unsigned(libc::O_ACCMODE | libc::O_TRUNC));
        for &(call, at) in OPENING {
            let truncates =
                |mode: libc::c_int| condition(at, flags.clone(), unsigned(mode | libc::O_TRUNC));
            rules.insert(call, vec![truncates(libc::O_RDONLY)?, truncates(libc::O_ACCMODE)?]);
        }
    }
    let errno = |errno: libc::c_int| libc::SECCOMP_RET_ERRNO | errno.cast_unsigned();
    let judged: Vec<_> = rules.keys().copied().collect();
    let unknown = [libc::SYS_clone3];
    let fates = [
        (&unknown[..], Some(errno(libc::ENOSYS))),
        (&refused, Some(errno(libc::EPERM))),
        (&judged, None),
    ];
    let judge = if rules.is_empty() { Vec::new() } else { refusing(rules, libc::EPERM)? };
    tabled(&fates, judge)
}

/// Puts a table in front of a filter: calls with an action get that action, and those without one
/// are judged by the filter. All others are allowed.
fn tabled(fates: &[(&[c_long], Option<u32>)], filter: BpfProgram) -> Result<BpfProgram> {
    let entries =
        || fates.iter().flat_map(|(calls, action)| calls.iter().map(move |it| (it, action)));
    let mut tabled = vec![load_number()?];
    let ends: Vec<_> = fates.iter().filter_map(|(_, action)| *action).collect();
    let allow = tabled.len() + entries().count();
    for (call, action) in entries() {
        let end = ends.iter().position(|end| Some(*end) == *action).unwrap_or(ends.len());
        // A step jumps over those after it.
        let over = allow + 1 + end - tabled.len() - 1;
        let (over, call) = (u8::try_from(over), u32::try_from(*call));
        let (over, call) = (over.stage("seccomp filter")?, call.stage("seccomp filter")?);
        tabled.push(step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, over, 0, call)?);
    }
    for action in [libc::SECCOMP_RET_ALLOW].into_iter().chain(ends) {
        tabled.push(step(libc::BPF_RET | libc::BPF_K, 0, 0, action)?);
    }
    tabled.extend(filter);
    Ok(tabled)
}

/// The value of a constant of the C library in a register.
pub(crate) fn unsigned(value: libc::c_int) -> u64 {
    value.cast_unsigned().into()
}

/// Matches if the argument has all of these flags.
pub(crate) fn flagged(argument: u8, flags: libc::c_int) -> Result<SeccompRule> {
    let flags = unsigned(flags);
    condition(argument, SeccompCmpOp::MaskedEq(flags), flags)
}

/// A filter under which the kernel seems not to know `call`.
fn unknown(call: c_long) -> Result<BpfProgram> {
    refusing(BTreeMap::from([(call, Vec::new())]), libc::ENOSYS)
}

/// Kills at a call with [`X32_BIT`]: `if (number & X32_BIT) kill; else allow`.
#[cfg(target_arch = "x86_64")]
fn short_pointers() -> Result<BpfProgram> {
    let (kill, allow) = (libc::SECCOMP_RET_KILL_PROCESS, libc::SECCOMP_RET_ALLOW);
    Ok(vec![
        load_number()?,
        step(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, 0, 1, X32_BIT)?,
        step(libc::BPF_RET | libc::BPF_K, 0, 0, kill)?,
        step(libc::BPF_RET | libc::BPF_K, 0, 0, allow)?,
    ])
}

/// Loads the number of the call, which is at the beginning of `seccomp_data`.
fn load_number() -> Result<sock_filter> {
    step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0)
}

pub(crate) fn step(code: u32, jt: u8, jf: u8, k: u32) -> Result<sock_filter> {
    let code = u16::try_from(code).stage("seccomp filter")?;
    Ok(sock_filter { code, jt, jf, k })
}

pub(crate) fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    rule(argument, SeccompCmpArgLen::Qword, operator, value)
}

/// Matches if an argument of type `int` is `value`. The kernel ignores the upper half of the
/// register, so a program may put anything there.
fn word(argument: u8, value: u64) -> Result<SeccompRule> {
    rule(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn rule(
    argument: u8,
    length: SeccompCmpArgLen,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule> {
    SeccompCondition::new(argument, length, operator, value)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .stage("seccomp filter")
}

/// A filter under which these calls fail with `errno`.
fn refusing(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: libc::c_int) -> Result<BpfProgram> {
    program(rules, SeccompAction::Errno(errno.cast_unsigned()))
}

/// A filter that answers these calls with `action` and allows all others.
pub(crate) fn program(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    action: SeccompAction,
) -> Result<BpfProgram> {
    let arch = std::env::consts::ARCH.try_into().stage("seccomp filter")?;
    SeccompFilter::new(rules, SeccompAction::Allow, action, arch)
        .and_then(TryInto::try_into)
        .stage("seccomp filter")
}

#[cfg(test)]
mod tests;
