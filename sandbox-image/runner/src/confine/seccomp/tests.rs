use super::*;

/// Largest number of a system call that is tried.
const MOST: i64 = 500;

/// This architecture's number in a filter (`AUDIT_ARCH_*` of the kernel).
#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

/// The result of a filter for a call of this architecture, as the kernel computes it. An argument
/// is two words, the lower one first.
fn judge(filter: &[sock_filter], number: i64, arguments: [u64; 6]) -> u32 {
    let (mut at, mut value) = (0, 0_u32);
    loop {
        let step = &filter[at];
        at += 1;
        let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
        match u32::from(step.code) {
            code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => {
                value = match step.k {
                    0 => u32::try_from(number).unwrap(),
                    4 => ARCH,
                    offset => {
                        let word = (offset as usize - 16) / 4;
                        let argument = arguments[word / 2];
                        u32::try_from(argument >> (32 * (word % 2)) & u64::from(u32::MAX)).unwrap()
                    }
                };
            }
            code if code == libc::BPF_ALU | libc::BPF_AND | libc::BPF_K => value &= step.k,
            code if code == libc::BPF_JMP | libc::BPF_JA => at += step.k as usize,
            code if code == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => {
                at += jump(value == step.k);
            }
            code if code == libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K => {
                at += jump(value > step.k);
            }
            code if code == libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K => {
                at += jump(value >= step.k);
            }
            code if code == libc::BPF_RET | libc::BPF_K => return step.k,
            code => panic!("step {code:#x}"),
        }
    }
}

#[test]
fn every_call_has_the_fate_that_is_named_for_it() {
    let eperm = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    let enosys = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    let allow = libc::SECCOMP_RET_ALLOW;
    for (own_user, has_cgroup) in [(true, true), (true, false), (false, true), (false, false)] {
        let filter = for_programs(own_user, has_cgroup).unwrap();
        let owners = REFUSED_TO_OWNERS.iter().chain(REFUSED_TO_OWNERS_OLD);
        for call in 0..MOST {
            let is_refused = REFUSED_TO_PROGRAMS.contains(&call)
                || !has_cgroup && call == libc::SYS_vmsplice
                || !own_user && owners.clone().any(|&owned| owned == call);
            let expected = match call {
                libc::SYS_clone3 => enosys,
                _ if is_refused => eperm,
                _ => allow,
            };
            assert_eq!(judge(&filter, call, [0; 6]), expected, "call {call}");
        }
        let asked = |call, arguments: [u64; 6]| judge(&filter, call, arguments);
        let if_open = |refuses: bool| if refuses { eperm } else { allow };
        let shared = unsigned(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        assert_eq!(asked(libc::SYS_mmap, [0, 0, 0, shared, 0, 0]), if_open(!has_cgroup));
        let truncates = unsigned(libc::O_TRUNC);
        assert_eq!(asked(libc::SYS_openat, [0, 0, truncates, 0, 0, 0]), if_open(!own_user));
        assert_eq!(asked(libc::SYS_openat, [0, 0, truncates | 1, 0, 0, 0]), allow);
    }
}

#[test]
fn inherited_filter_judges_what_no_run_has_to_install() {
    let filter = for_all().unwrap();
    let (eperm, allow) =
        (libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned(), libc::SECCOMP_RET_ALLOW);
    let asked = |call, arguments: [u64; 6]| judge(&filter, call, arguments);
    let (child, high) = (unsigned(libc::SIGCHLD), 1 << 32);
    assert_eq!(asked(libc::SYS_rt_sigaction, [child, 0, 0, 0, 0, 0]), allow);
    assert_eq!(asked(libc::SYS_rt_sigaction, [child | high, high, 0, 0, 0, 0]), eperm);
    assert_eq!(asked(libc::SYS_rt_sigaction, [child + 1, 8, 0, 0, 0, 0]), allow);
    for request in [libc::PR_SET_SECCOMP, libc::PR_SET_MM].map(unsigned) {
        assert_eq!(asked(libc::SYS_prctl, [request | high, 0, 0, 0, 0, 0]), eperm);
    }
    assert_eq!(asked(libc::SYS_prctl, [unsigned(libc::PR_SET_NAME), 0, 0, 0, 0, 0]), allow);
    for (advice, fate) in [(20, eperm), (21, eperm), (25, eperm), (4, allow), (8, allow)] {
        let judged = asked(libc::SYS_madvise, [0, 0, advice | high, 0, 0, 0]);
        assert_eq!(judged, fate, "advice {advice}");
    }
    assert_eq!(asked(libc::SYS_personality, [0; 6]), allow);
    assert_eq!(asked(libc::SYS_personality, [0x4_0000, 0, 0, 0, 0, 0]), eperm);
    assert!(REFUSED.iter().all(|&call| asked(call, [0; 6]) == eperm));
    // The first step that returns kills at a call of another architecture.
    let kill = filter.iter().find(|step| u32::from(step.code) == libc::BPF_RET | libc::BPF_K);
    assert_eq!(kill.map(|step| step.k), Some(libc::SECCOMP_RET_KILL_PROCESS));
}

/// A run pays for every step of its filter.
#[test]
fn filter_of_a_run_has_one_step_for_each_call() {
    let filter = for_programs(true, true).unwrap();
    let is_allow = |step: &sock_filter| step.k == libc::SECCOMP_RET_ALLOW;
    // Loading the number comes first, and `clone3` has a fate of its own.
    assert_eq!(filter.iter().position(is_allow), Some(1 + REFUSED_TO_PROGRAMS.len() + 1));
    // Each of the three fates is one more step.
    assert_eq!(filter.len(), 1 + REFUSED_TO_PROGRAMS.len() + 1 + 3);
}
