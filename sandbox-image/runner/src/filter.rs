//! The system calls that nothing from outside may make, in every backend.
//!
//! They answer EPERM; `clone3` answers ENOSYS, for its flags lie in memory where a filter cannot see
//! them and every libc then falls back to `clone`. System calls of another architecture kill.

use crate::fault::{At, Result};
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use std::collections::BTreeMap;

/// Refused whatever the arguments.
const REFUSED: &[c_long] = &[
    // other processes, and the measurement
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_personality,
    // what outlives a process
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // the network
    libc::SYS_socket,
    // namespaces and mounts
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // wide attack surface
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // the machine
    libc::SYS_reboot,
    libc::SYS_kexec_load,
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

/// `clone` with any of these makes a namespace.
const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The compiled filters, in the order in which they are installed.
pub(crate) fn compiled() -> Result<[BpfProgram; 2]> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    for bit in (0..libc::c_int::BITS)
        .map(|bit| 1 << bit)
        .filter(|bit| NAMESPACES & bit != 0)
    {
        let flag = u64::try_from(bit).at("seccomp filter")?;
        let made = condition(0, SeccompCmpOp::MaskedEq(flag), flag)?;
        rules.entry(libc::SYS_clone).or_default().push(made);
    }
    // The limits of another process: the runner's own, where it has no other user.
    let other = condition(0, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![other]);
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok([
        program(rules, libc::EPERM)?,
        program(unknown, libc::ENOSYS)?,
    ])
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .at("seccomp filter")
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: libc::c_int) -> Result<BpfProgram> {
    let errno = u32::try_from(errno).at("seccomp filter")?;
    let arch = std::env::consts::ARCH.try_into().at("seccomp filter")?;
    SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno),
        arch,
    )
    .and_then(TryInto::try_into)
    .at("seccomp filter")
}
