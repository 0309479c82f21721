use super::*;
use std::process;
use std::time::SystemTime;
use tokio::time::timeout;

/// Four processors: 0 and 2 are one core, 1 and 3 another.
fn siblings(cpu: u32) -> Vec<u32> {
    listed(if cpu.is_multiple_of(2) { "0,2\n" } else { "1,3\n" })
}

/// `count` cores of one processor each.
fn cores(count: u32, slots: usize, test: &str) -> Cores {
    let physical: Vec<_> = (0..count).map(|cpu| vec![cpu]).collect();
    Cores::divide(&physical, slots).with_addresses(format!("test/{}/{test}/", process::id()))
}

#[test]
fn lists_have_numbers_and_ranges() {
    assert_eq!(listed("0,4-6,9\n"), [0, 4, 5, 6, 9]);
    assert!(listed("none\n").is_empty());
}

#[test]
fn siblings_stay_together() {
    assert_eq!(physical(&[0, 1, 2, 3], siblings), [[0, 2], [1, 3]]);
}

#[test]
fn sibling_that_is_not_allowed_is_left_out() {
    assert_eq!(physical(&[0, 1, 3], siblings), [vec![0], vec![1, 3]]);
}

#[test]
fn sibling_of_a_measured_processor_is_used_by_nobody() {
    let cores = Cores::divide(&physical(&[0, 1, 2, 3], siblings), 1);
    assert_eq!((cores.slots, cores.rest), (vec![1], vec![0, 2]));
}

#[test]
fn slots_are_counted_from_the_last() {
    let cores = cores(4, 2, "slots");
    assert_eq!((cores.slots, cores.rest), (vec![3, 2], vec![0, 1]));
}

#[test]
fn first_core_is_never_measured() {
    let cores = cores(2, 9, "first");
    assert_eq!((cores.slots, cores.rest), (vec![1], vec![0]));
}

#[tokio::test]
async fn everything_keeps_to_one_processor() {
    let physical = physical(&[0, 1, 2, 3], siblings);
    let alone = |slot| Cores::alone_on(&physical, slot).expect("two cores");
    assert_eq!([0, 1, 2].map(|slot| alone(slot).rest), [[0], [1], [0]]);
    let [first, second] =
        [0, 1].map(|slot| alone(slot).with_addresses(format!("test/{}/alone/", process::id())));
    let reservation = first.take().await;
    assert_eq!((reservation.core(), second.take().await.neighbours()), (Some(0), 1));
}

#[test]
fn single_core_leaves_nobody_alone() {
    assert!(Cores::alone_on(&[vec![0, 1]], 0).is_none());
}

#[tokio::test]
async fn single_core_is_not_pinned() {
    let cores = cores(1, 1, "one");
    assert_eq!((cores.take().await.core(), cores.rest()), (None, &[][..]));
}

#[tokio::test]
async fn slot_is_taken_once() {
    let cores = cores(2, 1, "once");
    let reservation = cores.take().await;
    assert!(cores.try_take(1).is_none());
    drop(reservation);
    assert!(cores.try_take(1).is_some());
}

#[tokio::test]
async fn next_slot_is_taken_if_the_first_is_busy() {
    let cores = cores(3, 2, "next");
    let reservations = [cores.take().await, cores.take().await];
    assert_eq!(reservations.map(|reservation| reservation.core()), [Some(2), Some(1)]);
}

#[tokio::test(start_paused = true)]
async fn waiting_caller_gets_a_freed_slot() {
    let cores = cores(2, 1, "waits");
    let first = cores.take().await;
    let (second, ()) = tokio::join!(cores.take(), async { drop(first) });
    assert_eq!(second.core(), Some(1));
}

#[tokio::test]
async fn holder_of_this_process_is_named() {
    let cores = cores(3, 2, "holder");
    let reservation = cores.take().await;
    let CoreAwaited { core, holder } = cores.awaited().await;
    assert_eq!((core, &*holder), (2, "another job of this swiftprof"));
    drop(reservation);
    assert_eq!(cores.awaited().await.holder, "another process");
}

/// Older versions bind the processor's address alone.
#[tokio::test]
async fn holder_that_does_not_tell_is_another_process() {
    let cores = cores(2, 1, "silent");
    let address = cores.address_of(1).expect("it is short");
    let _older = UnixDatagram::bind_addr(&address).expect("nobody else has it");
    assert!(cores.take_now().is_none());
    assert_eq!(cores.awaited().await.holder, "another process");
}

/// Division into two processors, with a folder of locks.
fn locking(folder: &tempfile::TempDir, test: &str) -> Cores {
    Cores { locks: Some(folder.path().into()), ..cores(2, 1, test) }
}

/// A process that does not say whose it is keeps nobody out for ever, and one user's jobs still
/// take turns beside it.
#[tokio::test(start_paused = true)]
async fn stranger_is_waited_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let ours = locking(&folder, "stranger");
    let stranger = UnixDatagram::bind_addr(&ours.address_of(1).unwrap()).unwrap();
    let begin = Instant::now();
    let first = ours.take().await;
    assert_eq!((first.core(), begin.elapsed() >= CORE_OTHERS), (Some(1), true));
    assert!(timeout(3 * CORE_OTHERS, locking(&folder, "stranger").take()).await.is_err());
    drop(first);
    let again = Instant::now();
    // A later process knows what this one has found.
    drop(locking(&folder, "stranger").take().await);
    assert!(again.elapsed() < CORE_OTHERS);
    // A stranger that frees the slot for a moment gains nothing.
    drop(stranger);
    drop(ours.take().await);
    let _stranger = UnixDatagram::bind_addr(&ours.address_of(1).unwrap()).unwrap();
    drop(ours.take().await);
    assert!(again.elapsed() < CORE_OTHERS);
}

/// A slot that is free long after the wait ends the quarrel.
#[tokio::test]
async fn stranger_of_long_ago_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let ours = locking(&folder, "long-ago");
    let has_outwaited = |ago: Duration| {
        own_lock::mark_outwaited(folder.path(), SystemTime::now() - ago);
        drop(ours.take_now());
        own_lock::outwaited(folder.path()).is_some()
    };
    assert!(has_outwaited(CORE_OTHERS_AGAIN / 2));
    assert!(!has_outwaited(CORE_OTHERS_AGAIN));
}

/// The holder says that it is a process of this user, whose locks are elsewhere.
#[tokio::test(start_paused = true)]
async fn process_of_the_same_user_is_waited_for() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [ours, theirs] = folders.each_ref().map(|folder| locking(folder, "same-user"));
    let _held = theirs.take().await;
    assert!(timeout(3 * CORE_OTHERS, ours.take()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn stranger_is_waited_for_without_a_lock() {
    let cores = cores(2, 1, "lockless");
    let _stranger = UnixDatagram::bind_addr(&cores.address_of(1).unwrap()).unwrap();
    assert!(timeout(3 * CORE_OTHERS, cores.take()).await.is_err());
}

#[tokio::test]
async fn freed_slot_tells_its_next_holder() {
    let cores = cores(2, 1, "again");
    drop(cores.take().await);
    let _next = cores.take().await;
    assert_eq!(cores.awaited().await.holder, "another job of this swiftprof");
}

#[tokio::test]
async fn neighbours_are_other_measuring_processes() {
    let cores = cores(4, 3, "neighbours");
    let alone = cores.take().await;
    let before = alone.neighbours();
    let _others = [cores.take().await, cores.take().await];
    assert_eq!((before, alone.neighbours()), (0, 2));
}

#[test]
fn runner_with_another_kernel_is_on_another_host() {
    let here = Cores { kernel: Some("6.1.0".into()), ..cores(2, 1, "elsewhere") };
    let hello = |kernel: &str| Hello {
        sources: String::new(),
        own_user: true,
        cgroup: None,
        no_run_cgroup: None,
        schedstat: true,
        landlock: true,
        missing_tools: Vec::new(),
        kernel: kernel.into(),
        cpu_model: String::new(),
        cpu_flags: String::new(),
        cpus: 2,
    };
    assert_eq!(
        ["6.1.0", "6.1.0-vm"].map(|kernel| here.are_on_host_of(&hello(kernel))),
        [true, false]
    );
}

/// The processors that this thread may run on.
fn allowed() -> Vec<u32> {
    let set = sched_getaffinity(Pid::from_raw(0)).expect("the kernel names them");
    let of_set = |cpu: &usize| set.is_set(*cpu).unwrap_or(false);
    (0..CpuSet::count()).filter(of_set).map(|cpu| u32::try_from(cpu).expect("small")).collect()
}

/// Runs in its own thread, because a thread can never go back to the processors that it left.
#[test]
fn keeping_off_leaves_only_the_other_processors() {
    let kept = std::thread::spawn(|| {
        let before = allowed();
        let cores = Cores::of_this_host(1).expect("the kernel names them");
        assert!(cores.slots.iter().chain(cores.rest()).all(|cpu| before.contains(cpu)));
        cores.keep_off();
        (before, cores, allowed())
    });
    let (before, cores, after) = kept.join().expect("no test failed there");
    if cores.rest().is_empty() {
        assert_eq!(after, before, "one core alone: nothing can be kept apart");
    } else {
        assert_eq!(after, cores.rest());
        assert!(!after.contains(&cores.slots[0]));
    }
}

#[tokio::test]
async fn two_processes_on_one_host_measure_in_turn() {
    let address = format!("test/{}/host/", process::id());
    let [ours, theirs] =
        [(); 2].map(|()| Cores::of_this_host(1).expect("named").with_addresses(&address));
    let reservation = ours.take().await;
    let cpu = ours.slots[0];
    assert!(theirs.try_take(cpu).is_none());
    drop(reservation);
    assert!(theirs.try_take(cpu).is_some());
}

/// This address is longer than the kernel accepts, so measuring goes on unguarded.
#[tokio::test]
async fn reservations_do_not_exclude_without_an_address() {
    let cores = cores(2, 1, "x").with_addresses("x".repeat(200));
    let reservations = [cores.take().await, cores.take().await];
    assert_eq!(
        reservations.map(|reservation| (reservation.core(), reservation.neighbours())),
        [(Some(1), 0); 2]
    );
}
