//! Division of the processors into those for measuring and the rest, and reservation of those for
//! measuring.
//!
//! A measured program has a processor of its own: no other measured program, no compiler and no
//! thread of this process runs there. Processes on one host take turns. Whoever measures binds an
//! abstract socket address that contains the processor's number, and the kernel frees the address
//! when its owner dies. The kernel keeps these addresses for each network namespace, so processes
//! in different namespaces do not see each other.
//!
//! Any local user can bind an address. So processes of one user also exclude each other by a lock
//! that others cannot take. Whoever has this lock waits for a process of another ordinary user only
//! for a while, and then measures beside it. Later processes know that, and do not wait again.

mod holder;
mod own_lock;

use crate::limits::{CORE_OTHERS, CORE_OTHERS_AGAIN, CORE_RETRY};
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use profiler_proto::v1::CoreAwaited;
use runner_protocol::Hello;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep};

/// Beginning of a processor's address. The processor's number follows.
const ADDRESS: &str = "org.swiftsolve.profiler/measured-core/";
/// Folder in which the kernel describes processors.
const PROCESSORS: &str = "/sys/devices/system/cpu";
/// File with the kernel's release. A runner on this host reports the same release.
const RELEASE: &str = "/proc/sys/kernel/osrelease";

/// The division of a host's processors.
#[derive(Debug, Clone)]
pub struct Cores {
    /// Processors on which this process may measure programs, in the order in which they are tried.
    slots: Vec<u32>,
    /// All processors that any process may measure on, including a process with more slots.
    measured: Vec<u32>,
    /// Processors on which everything else runs.
    rest: Vec<u32>,
    address: String,
    /// Folder of this user's locks; `None` if there is none.
    locks: Option<PathBuf>,
    /// The host's kernel release; a runner with another one is on another host.
    kernel: Option<String>,
}

impl Cores {
    /// Divides the processors that this thread may run on now, with at most `slots` for measuring.
    /// `None` if the kernel does not list them.
    pub fn of_this_host(slots: usize) -> Option<Self> {
        let division = Self::divide(&physical_here()?, slots);
        Some(Self { kernel: kernel(), locks: own_lock::folder(), ..division })
    }

    /// Uses one processor of this host for everything, measured programs included. `slot` is the
    /// index of a physical core, and wraps around after the last one. With different slots, several
    /// test processes can run at the same time. `None` if the host has one core.
    pub fn alone(slot: usize) -> Option<Self> {
        let division = Self::alone_on(&physical_here()?, slot)?;
        Some(Self { kernel: kernel(), locks: own_lock::folder(), ..division })
    }

    fn alone_on(physical: &[Vec<u32>], slot: usize) -> Option<Self> {
        let measured: Vec<u32> = physical.iter().filter_map(|core| core.first().copied()).collect();
        let cpu = *measured.iter().cycle().nth(slot)?;
        let only = vec![cpu];
        let division = Self {
            slots: only.clone(),
            measured,
            rest: only,
            address: ADDRESS.into(),
            locks: None,
            kernel: None,
        };
        (division.measured.len() > 1).then_some(division)
    }

    /// Divides these physical cores, each a list of its processors. Every core but the first can
    /// measure, with its first processor; slots go from the last core backwards. The other
    /// processors of a slot's core stay idle, and everything else runs on the remaining cores. With
    /// one core nothing can be kept apart: that core is the only slot, and nothing is pinned.
    pub fn divide(physical: &[Vec<u32>], slots: usize) -> Self {
        let first = |cores: &[Vec<u32>]| -> Vec<u32> {
            cores.iter().rev().filter_map(|core| core.first().copied()).collect()
        };
        let apart = physical.get(1..).unwrap_or_default();
        let measured = first(if apart.is_empty() { physical } else { apart });
        let slots = measured.get(..slots).unwrap_or(&measured).to_vec();
        let left = |core: &&Vec<u32>| core.first().is_some_and(|cpu| !slots.contains(cpu));
        let rest = physical.iter().filter(left).flatten().copied().collect();
        Self { slots, measured, rest, address: ADDRESS.into(), locks: None, kernel: None }
    }

    /// The same division with other addresses, so that tests do not wait for other processes.
    #[must_use]
    pub fn with_addresses(self, address: impl Into<String>) -> Self {
        Self { address: address.into(), locks: None, ..self }
    }

    /// Keeps the calling thread, and all that it starts from now on, off the measured processors.
    /// It stays where it is if nothing can be kept apart or the kernel refuses.
    pub fn keep_off(&self) {
        let mut set = CpuSet::new();
        let known = self.rest.iter().all(|&cpu| set.set(cpu as usize).is_ok());
        if known && !self.rest.is_empty() {
            // A refusal is harmless: measured programs are pinned anyway.
            let _: Result<(), Errno> = sched_setaffinity(Pid::from_raw(0), &set);
        }
    }

    /// The processors for everything that is not measured; empty if nothing can be kept apart.
    pub fn rest(&self) -> &[u32] {
        &self.rest
    }

    /// Whether a runner is on this host. A Docker daemon may be on another host or in a virtual
    /// machine.
    pub(crate) fn are_on_host_of(&self, hello: &Hello) -> bool {
        self.kernel.as_ref().is_none_or(|kernel| *kernel == hello.kernel)
    }

    /// Waits until a slot is free, and takes it. Waits at most [`CORE_OTHERS`] at a time for a
    /// process of another ordinary user. If one of this user's processes has waited in vain, the
    /// next do not wait until a slot was free, or for [`CORE_OTHERS_AGAIN`]: the other process may
    /// free it for a moment.
    pub async fn take(&self) -> CoreReservation {
        let outwaited = self.locks.as_deref().is_some_and(|it| own_lock::outwaited(it).is_some());
        let mut until = Instant::now() + if outwaited { Duration::ZERO } else { CORE_OTHERS };
        loop {
            if let Some(reservation) = self.take_now() {
                return reservation;
            }
            if Instant::now() >= until {
                if let Some(reservation) = self.take_from_others().await {
                    return reservation;
                }
                until = Instant::now() + CORE_OTHERS;
            }
            sleep(CORE_RETRY).await;
        }
    }

    /// Takes a slot, if one is free now.
    pub(crate) fn take_now(&self) -> Option<CoreReservation> {
        let taken = self.slots.iter().find_map(|&cpu| self.try_take(cpu))?;
        if let Some(folder) = self.locks.as_deref()
            && own_lock::outwaited(folder).is_some_and(|ago| ago >= CORE_OTHERS_AGAIN)
        {
            own_lock::forget_outwaited(folder);
        }
        Some(taken)
    }

    /// Takes a slot whose address neither root nor this user holds, if this user's lock is free.
    async fn take_from_others(&self) -> Option<CoreReservation> {
        let folder = self.locks.as_deref()?;
        for &core in &self.slots {
            let Ok(Some(lock)) = self.lock(core) else { continue };
            if holder::is_trusted(&self.name_of(core)).await {
                continue;
            }
            tracing::warn!(target: "Profiler", core, "another user keeps the core: sharing it");
            own_lock::mark_outwaited(folder, SystemTime::now());
            return Some(self.reservation(core, Some(lock), None));
        }
        None
    }

    /// Returns the slot that is tried first, and who holds it.
    pub(crate) async fn awaited(&self) -> CoreAwaited {
        let core = self.slots.first().copied().unwrap_or_default();
        CoreAwaited { core, holder: holder::name(&self.name_of(core)).await }
    }

    /// Reserves `cpu`, unless it is taken. If the address cannot be bound for another reason, the
    /// reservation keeps nobody out.
    fn try_take(&self, cpu: u32) -> Option<CoreReservation> {
        let lock = self.lock(cpu).ok()?;
        let bound = self.address_of(cpu).and_then(|address| UnixDatagram::bind_addr(&address));
        let taken = match bound {
            Ok(socket) => Some(socket),
            Err(error) if error.kind() == ErrorKind::AddrInUse => return None,
            Err(_) => None,
        };
        Some(self.reservation(cpu, lock, taken))
    }

    /// Takes this user's lock of `cpu`. Returns `None` if the user has no locks, and an error if
    /// somebody holds it.
    fn lock(&self, cpu: u32) -> Result<Option<File>, ()> {
        let folder = self.locks.as_deref();
        let Some(file) = folder.and_then(|folder| own_lock::open(folder, cpu).ok()) else {
            return Ok(None);
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Err(()),
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    fn reservation(
        &self,
        cpu: u32,
        lock: Option<File>,
        taken: Option<UnixDatagram>,
    ) -> CoreReservation {
        let core = (!self.rest.is_empty()).then_some(cpu);
        let others = self.measured.iter().copied().filter(|&other| other != cpu);
        let others = others.filter_map(|other| self.address_of(other).ok()).collect();
        let told = taken.as_ref().and_then(|_| holder::tell(&self.name_of(cpu)));
        CoreReservation { core, others, _told: told, _taken: taken, _lock: lock }
    }

    fn address_of(&self, cpu: u32) -> std::io::Result<SocketAddr> {
        SocketAddr::from_abstract_name(self.name_of(cpu))
    }

    /// The abstract name of a processor's address.
    fn name_of(&self, cpu: u32) -> String {
        format!("{}{cpu}", self.address)
    }
}

/// The right to measure a program. Dropping it lets the next one in.
#[derive(Debug)]
pub struct CoreReservation {
    core: Option<u32>,
    others: Vec<SocketAddr>,
    /// Tells others who holds the processor. Freed before the processor, because the next holder
    /// binds the same address.
    _told: Option<UnixListener>,
    _taken: Option<UnixDatagram>,
    _lock: Option<File>,
}

impl CoreReservation {
    /// The processor to pin the program to; `None` if nothing can be kept apart.
    pub fn core(&self) -> Option<u32> {
        self.core
    }

    /// Returns the number of other programs that are being measured on this host.
    pub fn neighbours(&self) -> u32 {
        let Ok(caller) = UnixDatagram::unbound() else {
            return 0;
        };
        let taken = self.others.iter().filter(|address| caller.connect_addr(address).is_ok());
        u32::try_from(taken.count()).unwrap_or(u32::MAX)
    }
}

/// Returns the physical cores of the processors that this thread may run on now.
fn physical_here() -> Option<Vec<Vec<u32>>> {
    let allowed = sched_getaffinity(Pid::from_raw(0)).ok()?;
    let of_set = |cpu: &usize| allowed.is_set(*cpu).unwrap_or(false);
    let allowed: Vec<u32> =
        (0..CpuSet::count()).filter(of_set).filter_map(|cpu| u32::try_from(cpu).ok()).collect();
    let siblings = |cpu| {
        let path = format!("{PROCESSORS}/cpu{cpu}/topology/thread_siblings_list");
        fs::read_to_string(path).map(|text| listed(&text)).unwrap_or_default()
    };
    Some(physical(&allowed, siblings))
}

fn kernel() -> Option<String> {
    fs::read_to_string(RELEASE).ok().map(|text| text.trim().to_owned())
}

/// Groups the `allowed` processors by physical core, in rising order.
fn physical(allowed: &[u32], siblings: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    let mut left: BTreeSet<u32> = allowed.iter().copied().collect();
    let mut cores = Vec::new();
    while let Some(cpu) = left.pop_first() {
        let siblings = siblings(cpu).into_iter().filter(|sibling| left.remove(sibling));
        cores.push([cpu].into_iter().chain(siblings).collect());
    }
    cores
}

/// Parses one of the kernel's lists of numbers: `0,4` or `0-1`.
fn listed(text: &str) -> Vec<u32> {
    let ranges = text.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    });
    ranges.flatten().collect()
}

#[cfg(test)]
mod tests;
